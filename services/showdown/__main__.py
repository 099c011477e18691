"""`python -m services.showdown`."""

from libs.floorapi.floor.showdown.v1 import showdown_pb2_grpc
from libs.floorapi.floor.shuffler.v1 import shuffler_pb2_grpc
from libs.floorkit import FloorNats, GrpcServer, Stop, StreamSpec, connect, run, serve
from libs.floorlog import TABLE_LOG
from services.showdown.counting import Counting
from services.showdown.disclosure import Disclosure
from services.showdown.hand_equity import HandEquity
from services.showdown.hand_search import HandSearch
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
        of_hands = Counting("hand", most_waiting=settings.equity_queue)
        named = Counting("named", most_waiting=settings.equity_queue)
        service = ShowdownService(
            resolver,
            HandEquity(HandSearch(nats), Disclosure(stub.ReadDeckRecord), of_hands),
            named,
            timeout_ms=settings.opening_timeout_ms,
            equity_timeout_ms=settings.equity_timeout_ms,
        )
        server = GrpcServer.from_settings(settings, ready=lambda: nats.connected)
        server.add(showdown_pb2_grpc.add_ShowdownServiceServicer_to_server, service)
        try:
            await serve(server, settings, stop)
        finally:
            of_hands.close()
            named.close()


if __name__ == "__main__":
    run("showdown", ShowdownSettings, main)
