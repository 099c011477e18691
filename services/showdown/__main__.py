"""`python -m services.showdown`."""

from libs.floorapi.floor.showdown.v1 import showdown_pb2_grpc
from libs.floorapi.floor.shuffler.v1 import shuffler_pb2_grpc
from libs.floorkit import FloorNats, GrpcServer, Stop, StreamSpec, connect, run, serve
from libs.floorlog import TABLE_LOG
from services.showdown.justification import LogCheck
from services.showdown.openings import Openings
from services.showdown.resolution import Resolver
from services.showdown.service import ShowdownService
from services.showdown.settings import ShowdownSettings
from services.showdown.table_log import TableLog


async def main(settings: ShowdownSettings, stop: Stop) -> None:
    """Serve until stopped. It is ready without the shuffler, which it finds when it is there."""
    token = settings.token_source()
    async with (
        FloorNats.open(settings) as nats,
        connect(settings.shuffler_address, token, tls=settings.tls) as channel,
    ):
        await nats.ensure_stream(StreamSpec(TABLE_LOG.name, TABLE_LOG.subjects))
        stub = shuffler_pb2_grpc.ShufflerServiceStub(channel)
        openings = Openings(stub.OpenCards, settings.opening_attempt_ms)
        resolver = Resolver(LogCheck(TableLog(nats)), openings)
        service = ShowdownService(resolver, settings.opening_timeout_ms)
        server = GrpcServer.from_settings(settings, ready=lambda: nats.connected)
        server.add(showdown_pb2_grpc.add_ShowdownServiceServicer_to_server, service)
        await serve(server, settings, stop)


if __name__ == "__main__":
    run("showdown", ShowdownSettings, main)
