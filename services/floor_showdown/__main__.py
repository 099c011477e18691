"""`python -m floor_showdown`."""

from floor_showdown.equity_worker import EquityWorker
from floor_showdown.hand_log import HandLog
from floor_showdown.resolution_service import ResolutionService
from floor_showdown.settings import ShowdownSettings
from floor_showdown.showdown_service import ShowdownService
from floor_showdown.shuffler_calls import RecordReader, Revealer
from pokerfloor.api.internal.showdown.v1.resolution_pb2_grpc import (
    add_ResolutionServiceServicer_to_server,
)
from pokerfloor.api.internal.shuffler.v1 import dealing_pb2_grpc
from pokerfloor.api.showdown.v1.showdown_pb2_grpc import add_ShowdownServiceServicer_to_server
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
        log = HandLog(nats)
        of_hands = EquityWorker("hand", most_waiting=settings.equity_queue)
        of_named_cards = EquityWorker("named", most_waiting=settings.equity_queue)
        showdown = ShowdownService(
            log,
            RecordReader(shuffler_pb2_grpc.ShufflerServiceStub(channel).ReadDeckRecord),
            of_hands=of_hands,
            of_named_cards=of_named_cards,
            timeout_ms=settings.equity_timeout_ms,
        )
        dealing = dealing_pb2_grpc.DealingServiceStub(channel)
        revealer = Revealer(dealing.RevealCards, settings.reveal_attempt_ms)
        resolution = ResolutionService(log, revealer, timeout_ms=settings.reveal_timeout_ms)
        server = GrpcServer.from_settings(settings, ready=lambda: nats.connected)
        server.add(add_ShowdownServiceServicer_to_server, showdown)
        server.add(add_ResolutionServiceServicer_to_server, resolution)
        try:
            await serve(server, settings, stop)
        finally:
            of_hands.close()
            of_named_cards.close()


if __name__ == "__main__":
    run("showdown", ShowdownSettings, main)
