"""`python -m services.scoring`."""

from libs.floorapi.floor.scoring.v1 import scoring_pb2_grpc
from libs.floorkit import GrpcServer, Stop, run, serve
from services.scoring.service import ScoringService
from services.scoring.settings import ScoringSettings


async def main(settings: ScoringSettings, stop: Stop) -> None:
    """Serve until stopped; the service keeps nothing, so there is nothing to drain."""
    server = GrpcServer.from_settings(settings, ready=lambda: True)
    server.add(scoring_pb2_grpc.add_ScoringServiceServicer_to_server, ScoringService())
    await serve(server, settings, stop)


if __name__ == "__main__":
    run("scoring", ScoringSettings, main)
