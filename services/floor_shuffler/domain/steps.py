"""What the steps of the table log say about decks, cards and seats. Nothing is decided here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from floor_shuffler.domain.refs import SEAT, Cause, DeckIndex, Place
from pokerfloor.api.events.v1 import hand_events_pb2, table_events_pb2
from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.api.shuffler.v1 import shuffler_pb2

HAND: Final = shuffler_pb2.DECK_PURPOSE_HAND
BUTTON_DRAW: Final = shuffler_pb2.DECK_PURPOSE_BUTTON_DRAW
GAME_DRAW: Final = shuffler_pb2.DECK_PURPOSE_GAME_DRAW

_SETTLED: Final = shuffler_pb2.DECK_STATE_SETTLED
_VOID: Final = shuffler_pb2.DECK_STATE_VOID

_DRAW_BEGAN: Final = frozenset({"button_draw_began", "game_draw_began"})
_HAND_OVER: Final = frozenset({"hand_ended", "hand_voided"})
# How a game is found that was drawn; one that is chosen or whose turn it is ends no draw (MIX-3).
_AT_RANDOM: Final = table_events_pb2.CHOICE_METHOD_RANDOM
_ROWS: Final = frozenset(
    {
        hand_events_pb2.LAYOUT_ROW_TOP,
        hand_events_pb2.LAYOUT_ROW_MIDDLE,
        hand_events_pb2.LAYOUT_ROW_BOTTOM,
    }
)


class StoredStep(NamedTuple):
    """A step and where it is stored."""

    step: step_pb2.Step
    cause: Cause


class DeckBegin(NamedTuple):
    """A hand or a draw that a step begins. `players` by seat; empty for a draw.

    `sets_aside`: seats are in Fantasyland, so that cards may be dealt "as if in turn" (OFC-32).
    """

    deck_no: int
    hand_no: int
    purpose: shuffler_pb2.DeckPurpose.ValueType
    players: Mapping[int, str]
    sets_aside: bool = False


class DeckEnd(NamedTuple):
    """An end that a step holds; `reason` of a void hand. `hand_no` is 0 for draws."""

    hand_no: int
    outcome: shuffler_pb2.DeckState.ValueType
    reason: str


class Dealt(NamedTuple):
    """Places that a step deals, and the deck index of the first."""

    places: list[Place]
    first: DeckIndex


def begins(step: step_pb2.Step) -> Iterator[DeckBegin]:
    """Yield the hands and draws that the step begins."""
    for event in step.events:
        kind = event.WhichOneof("event")
        if kind == "hand_began":
            hand = event.hand_began
            players = {seat.seat: seat.player_id for seat in hand.seats}
            yield DeckBegin(hand.deck_no, hand.hand_no, HAND, players, bool(hand.fantasyland))
        elif kind == "button_draw_began":
            yield DeckBegin(event.button_draw_began.deck_no, 0, BUTTON_DRAW, {})
        elif kind == "game_draw_began":
            yield DeckBegin(event.game_draw_began.deck_no, 0, GAME_DRAW, {})


def ends(step: step_pb2.Step) -> Iterator[DeckEnd]:
    """Yield the hands and draws that the step ends."""
    for event in step.events:
        kind = event.WhichOneof("event")
        drawn = kind == "game_chosen" and event.game_chosen.method == _AT_RANDOM
        if kind == "button_drawn" or drawn:
            yield DeckEnd(0, _SETTLED, "")
        elif kind in ("table_closing", "table_closed"):
            # A draw that is under way comes to nothing; a hand is always played out or voided.
            yield DeckEnd(0, _VOID, "the table closes")
        elif kind in _DRAW_BEGAN:
            yield DeckEnd(0, _VOID, "another draw began")
        elif event.hand.WhichOneof("event") == "hand_ended":
            yield DeckEnd(event.hand.hand_ended.hand_no, _SETTLED, "")
        elif event.hand.WhichOneof("event") == "hand_voided":
            voided = event.hand.hand_voided
            yield DeckEnd(voided.hand_no, _VOID, voided.reason)


def ends_hand(step: step_pb2.Step) -> bool:
    """Tell whether the step ends the hand it is of."""
    return any(event.hand.WhichOneof("event") in _HAND_OVER for event in step.events)


def dealt_by(step: step_pb2.Step) -> Iterator[Dealt]:
    """Yield what the step deals, in order."""
    for event in step.events:
        if event.hand.WhichOneof("event") == "places_dealt":
            yield read_dealt(event.hand.places_dealt)


def read_dealt(event: hand_events_pb2.PlacesDealt) -> Dealt:
    """Read one event of a deal."""
    places = [Place.of(place) for place in event.places]
    return Dealt(places, DeckIndex(event.first.generation, event.first.index))


def reveals_ordered_by(
    step: step_pb2.Step,
) -> Iterator[tuple[Place, hand_events_pb2.RevealReason.ValueType]]:
    """Yield the places that the step says are to be revealed, and why."""
    for event in step.events:
        if event.hand.WhichOneof("event") == "reveal_ordered":
            ordered = event.hand.reveal_ordered
            for place in ordered.places:
                yield Place.of(place), ordered.reason


def set_in_rows_by(step: step_pb2.Step) -> Iterator[Place]:
    """Yield the seats' places that the step sets in rows for everybody to see (OFC-3, SCP-2)."""
    for event in step.events:
        kind = event.hand.WhichOneof("event")
        if kind == "placement_confirmed":
            yield from _in_rows(event.hand.placement_confirmed)
        elif kind == "layout_revealed":
            yield from _in_rows(event.hand.layout_revealed)


def _in_rows(
    event: hand_events_pb2.PlacementConfirmed | hand_events_pb2.LayoutRevealed,
) -> Iterator[Place]:
    for placement in event.placements:
        if placement.row in _ROWS:
            yield Place(SEAT, event.seat, placement.slot)


def folded_by(step: step_pb2.Step) -> Iterator[int]:
    """Yield the seats that fold in the step."""
    for event in step.events:
        if event.hand.WhichOneof("event") == "action_taken":
            action = event.hand.action_taken
            if action.kind == hand_events_pb2.ACTION_KIND_FOLD:
                yield action.seat


def seated_by(step: step_pb2.Step, seat: int) -> str | None:
    """Return the player that the step seats there, None when it seats nobody."""
    for event in step.events:
        if event.WhichOneof("event") == "seat_taken" and event.seat_taken.seat == seat:
            return event.seat_taken.player_id
    return None


class DeckHistory:
    """Which decks a stretch of the log began, and how each ended."""

    def __init__(self) -> None:
        self.begun: dict[int, tuple[DeckBegin, Cause]] = {}
        self.ended: dict[int, tuple[DeckEnd, Cause]] = {}
        self._last_draw = 0

    def read(self, stored: StoredStep) -> None:
        """Read a step, in the order of the log."""
        for end in ends(stored.step):
            deck_no = self._deck_of(end)
            if deck_no:
                self.ended.setdefault(deck_no, (end, stored.cause))
        for begin in begins(stored.step):
            self.begun.setdefault(begin.deck_no, (begin, stored.cause))
            if begin.purpose != HAND:
                self._last_draw = begin.deck_no

    def _deck_of(self, end: DeckEnd) -> int:
        if end.hand_no == 0:
            return self._last_draw
        for begin, _ in self.begun.values():
            if begin.purpose == HAND and begin.hand_no == end.hand_no:
                return begin.deck_no
        return 0
