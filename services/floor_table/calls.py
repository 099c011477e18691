"""What is due, as calls to the services that do it, and their answers as inputs to the table."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from floor_table.clients import Clients
from floor_table.domain import (
    CardsIn,
    CloseDeckEffect,
    DealEffect,
    DeckEffect,
    DeckIn,
    EquityEffect,
    EquityIn,
    ReservationIn,
    ReserveEffect,
    RevealEffect,
    ScoringEffect,
    ScoringIn,
    SeatKeyEffect,
    SeatKeyIn,
    ShowdownEffect,
    ShowdownIn,
    Table,
    TableInput,
    VoidReservationEffect,
    open_effects,
)
from floor_table.hub import Hub
from floor_table.log import TableLog
from floor_table.presence import (
    AnyDue,
    ProgressEffect,
    RegisterEffect,
    ResealEffect,
    ReturnedKeyEffect,
)
from pokerfloor.api.common.v1 import cards_pb2, errors_pb2, money_pb2
from pokerfloor.api.events.v1.table_events_pb2 import (
    KEY_REASON_RETURNED,
    KEY_REASON_SEATED,
    KeyReason,
)
from pokerfloor.api.internal.showdown.v1 import resolution_pb2
from pokerfloor.api.internal.shuffler.v1 import dealing_pb2
from pokerfloor.api.internal.wallet.v1 import table_money_pb2
from pokerfloor.api.scoring.v1 import scoring_pb2
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.api.showdown.v1 import showdown_pb2
from pokerfloor.api.table.v1 import table_pb2
from pokerfloor.api.wallet.v1 import wallet_pb2
from pokerfloor.servicekit import FloorError
from pokerfloor.tablelog import to_settle_request

# The shuffler opens at most this many places in one call.
_MOST_OPENED: Final = 64
# A table without a cap on its rake registers the largest amount there is.
_NO_CAP: Final = 2**53 - 1


class Calls:
    """Does what is due for one table. `table` gives the table as it is now."""

    def __init__(
        self,
        clients: Clients,
        log: TableLog,
        hub: Hub,
        *,
        table: Callable[[], Table],
        settled: Callable[[int], None],
    ) -> None:
        self._clients = clients
        self._log = log
        self._hub = hub
        self._table = table
        self._settled = settled
        self._how: Mapping[type[Any], Callable[[Any], Awaitable[TableInput | None]]] = {
            ReserveEffect: self._reserve,
            VoidReservationEffect: self._void_reservation,
            SeatKeyEffect: lambda due: self._bind_key(due, KEY_REASON_SEATED),
            ReturnedKeyEffect: lambda due: self._bind_key(due, KEY_REASON_RETURNED),
            DeckEffect: self._deck,
            DealEffect: self._deal,
            ResealEffect: self._reseal,
            RevealEffect: self._open,
            ShowdownEffect: self._resolve,
            ScoringEffect: self._score,
            EquityEffect: self._equity,
            CloseDeckEffect: self._close_deck,
            RegisterEffect: self._register,
            ProgressEffect: self._progress,
        }

    async def do(self, due: AnyDue) -> TableInput | None:
        """Do it; gives the answer for the table, None when it takes none.

        Raises grpc.RpcError, and FloorError when it cannot be done now.
        """
        return await self._how[type(due)](due)

    def refused(self, due: AnyDue, error: FloorError) -> TableInput | None:
        """Give what a final refusal means for the table; None when there is nothing to tell."""
        if isinstance(due, ReserveEffect):
            code = errors_pb2.ErrorCode.ValueType(error.code)
            return ReservationIn(due.reservation_id, held=False, reason=error.reason, code=code)
        return None

    async def register(self) -> None:
        """Tell the wallet of the table."""
        table = self._table()
        settings = table.settings
        caps = [cap.cap_minor for cap in settings.rake.caps]
        no_caps = _NO_CAP if settings.rake.rate_bp else 0
        await self._clients.money.RegisterTable(
            table_money_pb2.RegisterTableRequest(
                table_id=table.table_id,
                room_id=settings.room_id,
                currency=_currency(settings),
                max_buy_in_minor=settings.buy_in.max_minor,
                max_rake_minor=max(caps) if caps else no_caps,
                owner_epoch=table.owner_epoch,
            )
        )

    async def _reserve(self, due: ReserveEffect) -> TableInput:
        table = self._table()
        await self._clients.money.Reserve(
            table_money_pb2.ReserveRequest(
                reservation_id=due.reservation_id,
                table_id=table.table_id,
                player_id=due.player_id,
                amount_minor=due.amount_minor,
                currency=_currency(table.settings).code,
                expires_at_ms=due.expires_at_ms,
                owner_epoch=table.owner_epoch,
            )
        )
        return ReservationIn(due.reservation_id, held=True)

    async def _void_reservation(self, due: VoidReservationEffect) -> None:
        table = self._table()
        await self._clients.money.VoidReservation(
            table_money_pb2.VoidReservationRequest(
                reservation_id=due.reservation_id,
                table_id=table.table_id,
                reason=due.reason,
                owner_epoch=table.owner_epoch,
            )
        )

    async def _register(self, _due: RegisterEffect) -> None:
        await self.register()

    async def _progress(self, _due: ProgressEffect) -> None:
        request = wallet_pb2.GetTableProgressRequest(table_id=self._log.table_id)
        answer = await self._clients.wallet.GetTableProgress(request)
        self._settled(answer.hand_no)

    async def _bind_key(
        self, due: SeatKeyEffect | ReturnedKeyEffect, reason: KeyReason.ValueType
    ) -> TableInput:
        sessions = self._hub.keyed(due.player_id)
        if not sessions:
            raise FloorError(errors_pb2.ERROR_CODE_UNAVAILABLE, "the player is not attached")
        answer = await self._clients.shuffler.RegisterSeatKey(
            dealing_pb2.RegisterSeatKeyRequest(
                table_id=self._log.table_id,
                seat=due.seat,
                player_token=sessions[0].identity.token,
                reason=reason,
                owner_epoch=self._table().owner_epoch,
                cause=self._log.ref(due.cause_seq),
            )
        )
        return SeatKeyIn(due.seat, answer.fingerprint, reason)

    async def _deck(self, due: DeckEffect) -> TableInput:
        deck = self._deck_ref(due.deck_no)
        epoch = self._table().owner_epoch
        await self._clients.shuffler.CreateDeck(
            dealing_pb2.CreateDeckRequest(
                deck=deck,
                hand_no=due.hand_no,
                purpose=due.purpose,
                composition=due.composition,
                owner_epoch=epoch,
                cause=self._log.ref(due.cause_seq),
                generation=due.generation,
                reshuffled=due.reshuffled,
            )
        )
        sealed = await self._clients.shuffler.CommitDeck(
            dealing_pb2.CommitDeckRequest(deck=deck, owner_epoch=epoch)
        )
        return DeckIn(due.deck_no, sealed.generation, sealed.root, sealed.size)

    async def _deal(self, due: DealEffect) -> None:
        table = self._table()
        answer = await self._clients.shuffler.DealCards(
            dealing_pb2.DealCardsRequest(
                deck=self._deck_ref(due.deck_no),
                cause=self._log.ref(due.cause_seq),
                owner_epoch=table.owner_epoch,
            )
        )
        deals = [deal.cause_seq for deal in open_effects(table) if isinstance(deal, DealEffect)]
        for boxes in answer.seats:
            cards = _own_cards(table, due.deck_no, boxes)
            for session in self._hub.keyed(table.player_at(boxes.seat)):
                session.send_cards(cards, whole=due.cause_seq == min(deals, default=0))

    async def _reseal(self, due: ResealEffect) -> None:
        # Streams that come while the call is made want their cards still.
        waiting = [one for one in self._hub.keyed(due.player_id) if one.wants_cards]
        table = self._table()
        answer = await self._clients.shuffler.ResealCards(
            dealing_pb2.ResealCardsRequest(
                deck=self._deck_ref(due.deck_no), seat=due.seat, owner_epoch=table.owner_epoch
            )
        )
        for session in waiting:
            session.send_cards(_own_cards(table, due.deck_no, answer.seat), whole=True)
            session.wants_cards = False

    async def _open(self, due: RevealEffect) -> TableInput:
        places = list(due.places)
        cards: list[cards_pb2.RevealedCard] = []
        for begin in range(0, len(places), _MOST_OPENED):
            answer = await self._clients.shuffler.RevealCards(
                dealing_pb2.RevealCardsRequest(
                    deck=self._deck_ref(due.deck_no),
                    places=places[begin : begin + _MOST_OPENED],
                    cause=self._log.ref(due.cause_seq),
                    owner_epoch=self._table().owner_epoch,
                )
            )
            cards.extend(answer.cards)
        return CardsIn(due.deck_no, cards)

    async def _resolve(self, due: ShowdownEffect) -> TableInput:
        request = resolution_pb2.ResolveRequest()
        request.CopyFrom(due.request)
        request.cause.CopyFrom(self._log.ref(due.cause_seq))
        opened_seq = self._log.index.hand_start(due.request.hand.hand_no)
        assert opened_seq is not None, "a hand at its showdown was opened in the log"
        request.began_step.CopyFrom(self._log.ref(opened_seq))
        return ShowdownIn(await self._clients.resolution.Resolve(request))

    async def _equity(self, due: EquityEffect) -> TableInput:
        opened_seq = self._log.index.hand_start(due.hand_no)
        assert opened_seq is not None, "a hand with open cards was opened in the log"
        answer = await self._clients.showdown.GetHandEquity(
            showdown_pb2.GetHandEquityRequest(
                table_id=self._log.table_id,
                hand_no=due.hand_no,
                at_table_seq=due.cause_seq,
                began_step=self._log.ref(opened_seq),
                quick=True,
            )
        )
        return EquityIn(due.hand_no, answer.equity)

    async def _score(self, due: ScoringEffect) -> TableInput:
        scoring, ask = self._clients.scoring, due.ask
        scored: scoring_pb2.ScoreHandResponse | scoring_pb2.ScoreScoopResponse
        if isinstance(ask, scoring_pb2.ScoreHandRequest):
            scored = await scoring.ScoreHand(ask)
        else:
            scored = await scoring.ScoreScoop(ask)
        settled = await scoring.Settle(to_settle_request(due.asked, scored))
        return ScoringIn(due.hand_no, scored, settled)

    async def _close_deck(self, due: CloseDeckEffect) -> None:
        await self._clients.shuffler.CloseDeck(
            dealing_pb2.CloseDeckRequest(
                deck=self._deck_ref(due.deck_no),
                outcome=due.outcome,
                void_reason=due.reason,
                owner_epoch=self._table().owner_epoch,
                cause=self._log.ref(due.cause_seq),
            )
        )

    def _deck_ref(self, deck_no: int) -> cards_pb2.DeckRef:
        return cards_pb2.DeckRef(table_id=self._log.table_id, deck_no=deck_no)


def _currency(settings: settings_pb2.TableSettings) -> money_pb2.Currency:
    """Return the money that a table's chips or points are bought for."""
    stake = settings.stake
    return stake.points.currency if stake.WhichOneof("kind") == "points" else stake.money


def _own_cards(table: Table, deck_no: int, boxes: dealing_pb2.SeatBoxes) -> table_pb2.HoleCards:
    return table_pb2.HoleCards(
        hand_no=table.hand_no, deck_no=deck_no, seat=boxes.seat, boxes=boxes.boxes
    )
