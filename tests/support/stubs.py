"""All calls of a service on one stub: what everybody may use, and what services ask each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pokerfloor.api.internal.showdown.v1 import resolution_pb2_grpc
from pokerfloor.api.internal.shuffler.v1 import dealing_pb2_grpc
from pokerfloor.api.internal.tournament.v1alpha1 import tournament_money_pb2_grpc
from pokerfloor.api.internal.wallet.v1 import table_money_pb2_grpc
from pokerfloor.api.showdown.v1 import showdown_pb2_grpc
from pokerfloor.api.shuffler.v1 import shuffler_pb2_grpc
from pokerfloor.api.wallet.v1 import wallet_pb2_grpc

if TYPE_CHECKING:

    class ShufflerStub(
        shuffler_pb2_grpc.ShufflerServiceAsyncStub, dealing_pb2_grpc.DealingServiceAsyncStub
    ):
        def __init__(self, channel: Any) -> None: ...

    class ShowdownStub(
        showdown_pb2_grpc.ShowdownServiceAsyncStub, resolution_pb2_grpc.ResolutionServiceAsyncStub
    ):
        def __init__(self, channel: Any) -> None: ...

    class WalletStub(
        wallet_pb2_grpc.WalletServiceAsyncStub,
        table_money_pb2_grpc.TableMoneyServiceAsyncStub,
        tournament_money_pb2_grpc.TournamentMoneyServiceAsyncStub,
    ):
        def __init__(self, channel: Any) -> None: ...

else:

    class ShufflerStub:
        """ShufflerService and DealingService."""

        def __init__(self, channel: Any) -> None:
            shuffler_pb2_grpc.ShufflerServiceStub.__init__(self, channel)
            dealing_pb2_grpc.DealingServiceStub.__init__(self, channel)

    class ShowdownStub:
        """ShowdownService and ResolutionService."""

        def __init__(self, channel: Any) -> None:
            showdown_pb2_grpc.ShowdownServiceStub.__init__(self, channel)
            resolution_pb2_grpc.ResolutionServiceStub.__init__(self, channel)

    class WalletStub:
        """WalletService, TableMoneyService and TournamentMoneyService."""

        def __init__(self, channel: Any) -> None:
            wallet_pb2_grpc.WalletServiceStub.__init__(self, channel)
            table_money_pb2_grpc.TableMoneyServiceStub.__init__(self, channel)
            tournament_money_pb2_grpc.TournamentMoneyServiceStub.__init__(self, channel)
