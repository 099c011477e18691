"""What has to be done outside, and when the table goes on by itself: derived from the table alone.

So a table that was rebuilt from its log has the same to do. Every effect is safe to repeat.
`cause_seq` is the number of the stored step that justifies it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from floor_table.domain import carried_pot, clocks, mixed, readiness, reservations, showdown
from floor_table.domain.button import draw_places
from floor_table.domain.inputs import Clock
from floor_table.domain.mixed import game_draw_places
from floor_table.domain.next_hand import can_begin
from floor_table.domain.parts import Draw, HandRecord
from floor_table.domain.showdown import equity_cause
from floor_table.domain.table import Table
from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.common.v1.cards_pb2 import DeckComposition, Place
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.internal.showdown.v1.resolution_pb2 import ResolveRequest
from pokerfloor.api.scoring.v1.scoring_pb2 import ScoreHandRequest, ScoreScoopRequest
from pokerfloor.api.shuffler.v1 import shuffler_pb2
from pokerfloor.games import Hand, Over, RevealReason, WaitCards, WaitShowdown
from pokerfloor.games.placement import ScoringRequest, WaitScoring
from pokerfloor.tablelog import (
    REASON_CODE,
    AnyHand,
    deck_composition,
    to_places,
    to_resolve_request,
    to_scoop_request,
    to_score_request,
)


@dataclass(frozen=True, slots=True)
class ReserveEffect:
    """Reserve money with the wallet. Answer: `ReservationIn`."""

    reservation_id: str
    player_id: str
    amount_minor: int
    expires_at_ms: int


@dataclass(frozen=True, slots=True)
class VoidReservationEffect:
    """Give a reservation up. No answer; once in a process's life is enough."""

    reservation_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class SeatKeyEffect:
    """Register the sealing key of a seat's player, when one is attached. Answer: `SeatKeyIn`."""

    seat: int
    player_id: str
    cause_seq: int


@dataclass(frozen=True, slots=True)
class DeckEffect:
    """Create a deck and commit it. `hand_no` is 0 for a draw. Answer: `DeckIn`.

    For a later generation of the hand's deck, `reshuffled` are the places whose cards it is made of
    (DRW-5).
    """

    deck_no: int
    hand_no: int
    purpose: shuffler_pb2.DeckPurpose.ValueType
    composition: DeckComposition.ValueType
    cause_seq: int
    generation: int = 0
    reshuffled: Sequence[Place] = ()


@dataclass(frozen=True, slots=True)
class DealEffect:
    """Deal the places of a step and hand the boxes to their owners. No answer.

    Stands as long as the hand does and is to be done once in a process's life: after a restart the
    boxes are sealed again for whoever is attached.
    """

    deck_no: int
    cause_seq: int


@dataclass(frozen=True, slots=True)
class RevealEffect:
    """Have the cards at these places revealed. Answer: `CardsIn`."""

    deck_no: int
    places: Sequence[Place]
    reason: hand_events_pb2.RevealReason.ValueType
    cause_seq: int


@dataclass(frozen=True, slots=True)
class ShowdownEffect:
    """Have a showdown resolved. Answer: `ShowdownIn`.

    The request is whole but for `cause.stream_seq`, which the domain does not know.
    """

    request: ResolveRequest
    cause_seq: int


@dataclass(frozen=True, slots=True)
class ScoringEffect:
    """Have layouts scored by `ask`, and what is paid of that by `asked`. Answer: `ScoringIn`.

    A pure function of the request, so that it may be asked any number of times.
    """

    hand_no: int
    ask: ScoreHandRequest | ScoreScoopRequest
    asked: ScoringRequest


@dataclass(frozen=True, slots=True)
class EquityEffect:
    """Have the equities of open hands counted, after the step `cause_seq`. Answer: `EquityIn`.

    Nothing depends on it: whoever does it may give it up.
    """

    hand_no: int
    cause_seq: int


@dataclass(frozen=True, slots=True)
class CloseDeckEffect:
    """End a deck. `reason` is empty when it is settled. No answer; at least once is enough."""

    deck_no: int
    outcome: shuffler_pb2.DeckState.ValueType
    reason: str
    cause_seq: int


Effect: TypeAlias = (
    ReserveEffect
    | VoidReservationEffect
    | SeatKeyEffect
    | DeckEffect
    | DealEffect
    | RevealEffect
    | ShowdownEffect
    | EquityEffect
    | ScoringEffect
    | CloseDeckEffect
)


class Timer(NamedTuple):
    """The clock that runs out next: `TimeUpIn` is to be given then."""

    at_ms: int
    clock: Clock


_TIMERS: Final = (
    clocks.timers,
    mixed.timers,
    readiness.timers,
    reservations.timers,
    showdown.timers,
)


def next_timer(table: Table) -> Timer | None:
    """Return the clock that runs out next, None when none runs."""
    times = [time for timers in _TIMERS for time in timers(table)]
    return Timer(*min(times)) if times else None


def next_hand_at(table: Table) -> int | None:
    """Return from when on a hand, or the draw for one, can begin; None if none can."""
    return carried_pot.next_hand_at(table) if can_begin(table) else None


def open_effects(table: Table) -> tuple[Effect, ...]:
    """Return all that has to be done outside now, nothing twice."""
    effects: list[Effect] = [*_of_seats(table), *_of_draw(table.draw), *_of_hand(table)]
    effects += [VoidReservationEffect(*one) for one in table.voided]
    for deck in table.closed_decks:
        outcome = shuffler_pb2.DECK_STATE_SETTLED
        if deck.void_reason:
            outcome = shuffler_pb2.DECK_STATE_VOID
        effects.append(CloseDeckEffect(deck.deck_no, outcome, deck.void_reason, deck.cause_seq))
    return tuple(effects)


def _of_seats(table: Table) -> list[Effect]:
    effects: list[Effect] = []
    for seat in table.by_number():
        effects += [
            ReserveEffect(
                held.reservation_id, seat.player_id, held.amount_minor, held.expires_at_ms
            )
            for held in seat.unanswered()
        ]
        if not seat.pending and not seat.key_bound:
            effects.append(SeatKeyEffect(seat.seat, seat.player_id, seat.taken_seq))
    return effects


def _of_draw(draw: Draw | None) -> list[Effect]:
    if draw is None:
        return []
    if draw.cards:
        purpose = shuffler_pb2.DECK_PURPOSE_GAME_DRAW
        places, reason = game_draw_places(draw.cards), hand_events_pb2.REVEAL_REASON_GAME_DRAW
    else:
        purpose = shuffler_pb2.DECK_PURPOSE_BUTTON_DRAW
        places, reason = draw_places(draw.seats), hand_events_pb2.REVEAL_REASON_BUTTON_DRAW
    if draw.root:
        return [RevealEffect(draw.deck_no, places, reason, draw.began_seq)]
    composition = cards_pb2.DECK_COMPOSITION_STANDARD_52
    return [DeckEffect(draw.deck_no, 0, purpose, composition, draw.began_seq)]


def _of_hand(table: Table) -> list[Effect]:
    record, hand = table.record, table.hand
    if record is None or hand is None:
        return []
    if not record.root:
        return [_deck(record, hand, record.began_seq)]
    if table.shuffling:
        return _of_reshuffle(table, record, hand)
    deck_no = record.began.deck_no
    effects: list[Effect] = []
    if not table.hand_over:
        effects += [DealEffect(deck_no, seq) for seq in record.dealt_seqs]
    wait = hand.waits_for()
    if isinstance(wait, WaitCards):
        reason = REASON_CODE[wait.reason]
        effects.append(RevealEffect(deck_no, to_places(wait.places), reason, record.ordered_seq))
        cause_seq = equity_cause(table)
        if cause_seq:
            effects.append(EquityEffect(record.began.hand_no, cause_seq))
    elif isinstance(wait, Over) and wait.pending:
        reason = REASON_CODE[RevealReason.CHOSEN]
        effects.append(RevealEffect(deck_no, to_places(wait.pending), reason, record.ordered_seq))
    elif isinstance(wait, WaitShowdown):
        effects.append(_showdown(table, record, wait))
    elif isinstance(wait, WaitScoring):
        effects.append(_scoring(table, record, wait))
    return effects


def _of_reshuffle(table: Table, record: HandRecord, hand: AnyHand) -> list[Effect]:
    """Return the next generation of the deck, and what was dealt before it (DRW-5)."""
    assert isinstance(hand, Hand), "a reshuffle in a placement game"
    deck_no, generation = record.began.deck_no, table.shuffling
    cause_seq = record.reshuffled_seqs[generation - 1]
    reshuffled = to_places(hand.state.cards.reshuffled[generation - 1])
    return [
        *[DealEffect(deck_no, seq) for seq in record.dealt_seqs if seq < cause_seq],
        _deck(record, hand, cause_seq, generation, reshuffled),
    ]


def _deck(
    record: HandRecord,
    hand: AnyHand,
    cause_seq: int,
    generation: int = 0,
    reshuffled: Sequence[Place] = (),
) -> DeckEffect:
    return DeckEffect(
        record.began.deck_no,
        record.began.hand_no,
        shuffler_pb2.DECK_PURPOSE_HAND,
        deck_composition(hand.setup.game),
        cause_seq,
        generation,
        reshuffled,
    )


def _showdown(table: Table, record: HandRecord, wait: WaitShowdown) -> ShowdownEffect:
    assert isinstance(table.hand, Hand), "a showdown without a hand"
    hand = table.hand.state
    paid = tuple(zip(hand.seats, hand.contributed(), strict=True))
    cause = cards_pb2.StepRef(table_id=table.table_id, table_seq=record.ordered_seq)
    request = to_resolve_request(wait.request, record.began, paid, cause)
    return ShowdownEffect(request, record.ordered_seq)


def _scoring(table: Table, record: HandRecord, wait: WaitScoring) -> ScoringEffect:
    request, game = wait.request, record.began.game
    ask = to_score_request(request, game.ofc) if game.game == "ofc" else to_scoop_request(request)
    return ScoringEffect(table.hand_no, ask, request)
