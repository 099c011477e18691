"""`python -m floor_showdown`."""

from floor_showdown.counting import Counting
from floor_showdown.disclosure import Disclosure
from floor_showdown.hand_equity import HandEquity
from floor_showdown.hand_search import HandSearch
from floor_showdown.justification import LogCheck
from floor_showdown.openings import Openings
from floor_showdown.resolution import Resolver
from floor_showdown.service import ShowdownService
from floor_showdown.settings import ShowdownSettings
from floor_showdown.table_log import TableLog
from pokerfloor.api.internal.showdown.v1 import resolution_pb2_grpc
from pokerfloor.api.internal.shuffler.v1 import dealing_pb2_grpc
from pokerfloor.api.showdown.v1 import showdown_pb2_grpc
from pokerfloor.api.shuffler.v1 import shuffler_pb2_grpc
from pokerfloor.servicekit import FloorNats, GrpcServer, Stop, StreamSpec, connect, run, serve
from pokerfloor.tablelog import TABLE_LOG


async def main(settings: ShowdownSettings, stop: Stop) -> None:
    """Serve until stopped. It is ready without the shuffler, which it finds when it is there."""
    token = settings.token_source()
    async with (
        FloorNats.open(settings) as nats,
        connect(settings.shuffler_address, token, tls=settings.tls) as channel,
    ):
        await nats.ensure_stream(StreamSpec(TABLE_LOG.name, TABLE_LOG.subjects))
        records = shuffler_pb2_grpc.ShufflerServiceStub(channel)
        dealing = dealing_pb2_grpc.DealingServiceStub(channel)
        openings = Openings(dealing.RevealCards, settings.opening_attempt_ms)
        resolver = Resolver(LogCheck(TableLog(nats)), openings)
        of_hands = Counting("hand", most_waiting=settings.equity_queue)
        named = Counting("named", most_waiting=settings.equity_queue)
        service = ShowdownService(
            resolver,
            HandEquity(HandSearch(nats), Disclosure(records.ReadDeckRecord), of_hands),
            named,
            timeout_ms=settings.opening_timeout_ms,
            equity_timeout_ms=settings.equity_timeout_ms,
        )
        server = GrpcServer.from_settings(settings, ready=lambda: nats.connected)
        server.add(showdown_pb2_grpc.add_ShowdownServiceServicer_to_server, service)
        server.add(resolution_pb2_grpc.add_ResolutionServiceServicer_to_server, service)
        try:
            await serve(server, settings, stop)
        finally:
            of_hands.close()
            named.close()


if __name__ == "__main__":
    run("showdown", ShowdownSettings, main)
