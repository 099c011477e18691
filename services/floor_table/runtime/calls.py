"""Effects as calls to the services that do them, and their answers as inputs to the table."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

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
from floor_table.runtime.clients import Clients
from floor_table.runtime.log import TableLog
from floor_table.runtime.presence import (
    AnyEffect,
    ProgressEffect,
    RegisterEffect,
    ResealEffect,
    ReturnedKeyEffect,
)
from floor_table.runtime.streams import Hub
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
from pokerfloor.limits import MAX_AMOUNT
from pokerfloor.servicekit import FloorError
from pokerfloor.tablelog import to_settle_request

# The shuffler reveals at most this many places in one call.
_MOST_REVEALED: Final = 64


class Calls:
    """Does the effects of one table. `table` gives the table as it is now."""

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
            SeatKeyEffect: lambda effect: self._bind_key(effect, KEY_REASON_SEATED),
            ReturnedKeyEffect: lambda effect: self._bind_key(effect, KEY_REASON_RETURNED),
            DeckEffect: self._deck,
            DealEffect: self._deal,
            ResealEffect: self._reseal,
            RevealEffect: self._reveal,
            ShowdownEffect: self._resolve,
            ScoringEffect: self._score,
            EquityEffect: self._equity,
            CloseDeckEffect: self._close_deck,
            RegisterEffect: self._register,
            ProgressEffect: self._progress,
        }

    async def do(self, effect: AnyEffect) -> TableInput | None:
        """Do it; gives the answer for the table, None when it takes none.

        Raises grpc.RpcError, and FloorError when it cannot be done now.
        """
        return await self._how[type(effect)](effect)

    def refused(self, effect: AnyEffect, error: FloorError) -> TableInput | None:
        """Return what a final refusal means for the table; None when it means nothing."""
        if isinstance(effect, ReserveEffect):
            code = errors_pb2.ErrorCode.ValueType(error.code)
            return ReservationIn(effect.reservation_id, held=False, reason=error.reason, code=code)
        return None

    async def register(self) -> None:
        """Tell the wallet of the table."""
        table = self._table()
        settings = table.settings
        caps = [cap.cap_minor for cap in settings.rake.caps]
        # Without a cap the largest amount there is.
        no_caps = MAX_AMOUNT if settings.rake.rate_bp else 0
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

    async def _reserve(self, effect: ReserveEffect) -> TableInput:
        table = self._table()
        await self._clients.money.Reserve(
            table_money_pb2.ReserveRequest(
                reservation_id=effect.reservation_id,
                table_id=table.table_id,
                player_id=effect.player_id,
                amount_minor=effect.amount_minor,
                currency=_currency(table.settings).code,
                expires_at_ms=effect.expires_at_ms,
                owner_epoch=table.owner_epoch,
            )
        )
        return ReservationIn(effect.reservation_id, held=True)

    async def _void_reservation(self, effect: VoidReservationEffect) -> None:
        table = self._table()
        await self._clients.money.VoidReservation(
            table_money_pb2.VoidReservationRequest(
                reservation_id=effect.reservation_id,
                table_id=table.table_id,
                reason=effect.reason,
                owner_epoch=table.owner_epoch,
            )
        )

    async def _register(self, _effect: RegisterEffect) -> None:
        await self.register()

    async def _progress(self, _effect: ProgressEffect) -> None:
        request = wallet_pb2.GetTableProgressRequest(table_id=self._log.table_id)
        answer = await self._clients.wallet.GetTableProgress(request)
        self._settled(answer.hand_no)

    async def _bind_key(
        self, effect: SeatKeyEffect | ReturnedKeyEffect, reason: KeyReason.ValueType
    ) -> TableInput:
        sessions = self._hub.keyed(effect.player_id)
        if not sessions:
            raise FloorError(errors_pb2.ERROR_CODE_UNAVAILABLE, "the player is not attached")
        answer = await self._clients.shuffler.RegisterSeatKey(
            dealing_pb2.RegisterSeatKeyRequest(
                table_id=self._log.table_id,
                seat=effect.seat,
                player_token=sessions[0].identity.token,
                reason=reason,
                owner_epoch=self._table().owner_epoch,
                cause=self._log.ref(effect.cause_seq),
            )
        )
        return SeatKeyIn(effect.seat, answer.fingerprint, reason)

    async def _deck(self, effect: DeckEffect) -> TableInput:
        deck = self._deck_ref(effect.deck_no)
        epoch = self._table().owner_epoch
        await self._clients.shuffler.CreateDeck(
            dealing_pb2.CreateDeckRequest(
                deck=deck,
                hand_no=effect.hand_no,
                purpose=effect.purpose,
                composition=effect.composition,
                owner_epoch=epoch,
                cause=self._log.ref(effect.cause_seq),
                generation=effect.generation,
                reshuffled=effect.reshuffled,
            )
        )
        sealed = await self._clients.shuffler.CommitDeck(
            dealing_pb2.CommitDeckRequest(deck=deck, owner_epoch=epoch)
        )
        return DeckIn(effect.deck_no, sealed.generation, sealed.root, sealed.size)

    async def _deal(self, effect: DealEffect) -> None:
        table = self._table()
        answer = await self._clients.shuffler.DealCards(
            dealing_pb2.DealCardsRequest(
                deck=self._deck_ref(effect.deck_no),
                cause=self._log.ref(effect.cause_seq),
                owner_epoch=table.owner_epoch,
            )
        )
        deals = [deal.cause_seq for deal in open_effects(table) if isinstance(deal, DealEffect)]
        for boxes in answer.seats:
            cards = _hole_cards(table, effect.deck_no, boxes)
            for session in self._hub.keyed(table.player_at(boxes.seat)):
                session.send_cards(cards, whole=effect.cause_seq == min(deals, default=0))

    async def _reseal(self, effect: ResealEffect) -> None:
        # Streams that come while the call is under way still want their cards.
        waiting = [one for one in self._hub.keyed(effect.player_id) if one.wants_cards]
        table = self._table()
        answer = await self._clients.shuffler.ResealCards(
            dealing_pb2.ResealCardsRequest(
                deck=self._deck_ref(effect.deck_no), seat=effect.seat, owner_epoch=table.owner_epoch
            )
        )
        for session in waiting:
            session.send_cards(_hole_cards(table, effect.deck_no, answer.seat), whole=True)
            session.wants_cards = False

    async def _reveal(self, effect: RevealEffect) -> TableInput:
        places = list(effect.places)
        cards: list[cards_pb2.RevealedCard] = []
        for begin in range(0, len(places), _MOST_REVEALED):
            answer = await self._clients.shuffler.RevealCards(
                dealing_pb2.RevealCardsRequest(
                    deck=self._deck_ref(effect.deck_no),
                    places=places[begin : begin + _MOST_REVEALED],
                    cause=self._log.ref(effect.cause_seq),
                    owner_epoch=self._table().owner_epoch,
                )
            )
            cards.extend(answer.cards)
        return CardsIn(effect.deck_no, cards)

    async def _resolve(self, effect: ShowdownEffect) -> TableInput:
        request = resolution_pb2.ResolveRequest()
        request.CopyFrom(effect.request)
        request.cause.CopyFrom(self._log.ref(effect.cause_seq))
        began_seq = self._log.index.hand_start(effect.request.hand.hand_no)
        assert began_seq is not None, "a hand at its showdown began in the log"
        request.began_step.CopyFrom(self._log.ref(began_seq))
        return ShowdownIn(await self._clients.resolution.Resolve(request))

    async def _equity(self, effect: EquityEffect) -> TableInput:
        began_seq = self._log.index.hand_start(effect.hand_no)
        assert began_seq is not None, "a hand with open cards began in the log"
        answer = await self._clients.showdown.GetHandEquity(
            showdown_pb2.GetHandEquityRequest(
                table_id=self._log.table_id,
                hand_no=effect.hand_no,
                at_table_seq=effect.cause_seq,
                began_step=self._log.ref(began_seq),
                quick=True,
            )
        )
        return EquityIn(effect.hand_no, answer.equity)

    async def _score(self, effect: ScoringEffect) -> TableInput:
        scoring, ask = self._clients.scoring, effect.ask
        scored: scoring_pb2.ScoreHandResponse | scoring_pb2.ScoreScoopResponse
        if isinstance(ask, scoring_pb2.ScoreHandRequest):
            scored = await scoring.ScoreHand(ask)
        else:
            scored = await scoring.ScoreScoop(ask)
        settled = await scoring.Settle(to_settle_request(effect.asked, scored))
        return ScoringIn(effect.hand_no, scored, settled)

    async def _close_deck(self, effect: CloseDeckEffect) -> None:
        await self._clients.shuffler.CloseDeck(
            dealing_pb2.CloseDeckRequest(
                deck=self._deck_ref(effect.deck_no),
                outcome=effect.outcome,
                void_reason=effect.reason,
                owner_epoch=self._table().owner_epoch,
                cause=self._log.ref(effect.cause_seq),
            )
        )

    def _deck_ref(self, deck_no: int) -> cards_pb2.DeckRef:
        return cards_pb2.DeckRef(table_id=self._log.table_id, deck_no=deck_no)


def _currency(settings: settings_pb2.TableSettings) -> money_pb2.Currency:
    """Return the money that a table's chips or points are bought for."""
    stake = settings.stake
    return stake.points.currency if stake.WhichOneof("kind") == "points" else stake.money


def _hole_cards(table: Table, deck_no: int, boxes: dealing_pb2.SeatBoxes) -> table_pb2.HoleCards:
    return table_pb2.HoleCards(
        hand_no=table.hand_no, deck_no=deck_no, seat=boxes.seat, boxes=boxes.boxes
    )
