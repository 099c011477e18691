"""`python -m floor_scoring`."""

from floor_scoring.service import ScoringService
from floor_scoring.settings import ScoringSettings
from pokerfloor.api.scoring.v1 import scoring_pb2_grpc
from pokerfloor.servicekit import GrpcServer, Stop, run, serve


async def main(settings: ScoringSettings, stop: Stop) -> None:
    """Serve until stopped; the service keeps nothing, so there is nothing to drain."""
    server = GrpcServer.from_settings(settings, ready=lambda: True)
    server.add(scoring_pb2_grpc.add_ScoringServiceServicer_to_server, ScoringService())
    await serve(server, settings, stop)


if __name__ == "__main__":
    run("scoring", ScoringSettings, main)
