"""`python -m services.showdown`."""

from libs.floorapi.floor.showdown.v1 import showdown_pb2_grpc
from libs.floorapi.floor.shuffler.v1 import shuffler_pb2_grpc
from libs.floorkit import GrpcServer, Stop, connect, run, serve
from services.showdown.openings import Openings
from services.showdown.resolution import Resolver
from services.showdown.service import ShowdownService
from services.showdown.settings import ShowdownSettings


async def main(settings: ShowdownSettings, stop: Stop) -> None:
    """Serve until stopped. It is ready without the shuffler: `Rank` needs nobody."""
    server = GrpcServer.from_settings(settings, ready=lambda: True)
    token = settings.token_source()
    async with connect(settings.shuffler_address, token, tls=settings.tls) as channel:
        stub = shuffler_pb2_grpc.ShufflerServiceStub(channel)
        resolver = Resolver(Openings(stub.OpenCards, settings.opening_attempt_ms))
        service = ShowdownService(resolver, settings.opening_timeout_ms)
        server.add(showdown_pb2_grpc.add_ShowdownServiceServicer_to_server, service)
        await serve(server, settings, stop)


if __name__ == "__main__":
    run("showdown", ShowdownSettings, main)
