"""What a stored step says about decks, cards and seats. Pure reading; nothing is decided here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from floor_shuffler.deck import SETTLED, VOID, Cause, Deck, Position, not_justified
from floor_shuffler.places import OWN, Place
from pokerfloor.api.events.v1 import hand_events_pb2, table_events_pb2
from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.api.shuffler.v1 import shuffler_pb2

HAND: Final = shuffler_pb2.DECK_PURPOSE_HAND
BUTTON_DRAW: Final = shuffler_pb2.DECK_PURPOSE_BUTTON_DRAW
GAME_DRAW: Final = shuffler_pb2.DECK_PURPOSE_GAME_DRAW

_DRAW_BEGAN: Final = frozenset({"button_draw_began", "game_draw_began"})
# How a game is found that was drawn; one that is chosen or whose turn it is ends no draw (MIX-3).
_AT_RANDOM: Final = table_events_pb2.CHOICE_METHOD_RANDOM


class DeckBegin(NamedTuple):
    """A hand or a draw that a step opens. `players` by seat; empty for a draw.

    `reserves`: seats are in fantasy, so that cards may be dealt "as if in turn" (OFC-32).
    """

    deck_no: int
    hand_no: int
    purpose: shuffler_pb2.DeckPurpose.ValueType
    players: Mapping[int, str]
    reserves: bool = False


class DeckEnd(NamedTuple):
    """An end that a step holds; `reason` of a void hand. `hand_no` is 0 for draws."""

    hand_no: int
    outcome: shuffler_pb2.DeckState.ValueType
    reason: str


class Dealt(NamedTuple):
    """Places that a step deals, and the deck position of the first."""

    places: list[Place]
    first: Position


def begins(step: step_pb2.Step) -> Iterator[DeckBegin]:
    """Give the hands and draws that the step opens."""
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
    """Give the hands and draws that the step ends."""
    for event in step.events:
        kind = event.WhichOneof("event")
        drawn = kind == "game_chosen" and event.game_chosen.method == _AT_RANDOM
        if kind == "button_drawn" or drawn:
            yield DeckEnd(0, SETTLED, "")
        elif kind in ("table_closing", "table_closed"):
            # A draw that is under way comes to nothing; a hand is always played out or voided.
            yield DeckEnd(0, VOID, "the table closes")
        elif kind in _DRAW_BEGAN:
            yield DeckEnd(0, VOID, "another draw began")
        elif kind == "hand":
            yield from _hand_end(event.hand)


def _hand_end(event: hand_events_pb2.HandEvent) -> Iterator[DeckEnd]:
    kind = event.WhichOneof("event")
    if kind == "hand_ended":
        yield DeckEnd(event.hand_ended.hand_no, SETTLED, "")
    elif kind == "hand_voided":
        yield DeckEnd(event.hand_voided.hand_no, VOID, event.hand_voided.reason)


def is_of(step: step_pb2.Step, deck: Deck) -> bool:
    """Tell whether a step is one of the deck's hand, or the one that began its draw."""
    if deck.purpose == HAND:
        return step.hand_no == deck.hand_no and step.table_seq >= deck.opened_by.table_seq
    return step.table_seq == deck.opened_by.table_seq


def dealt_by(step: step_pb2.Step) -> Iterator[Dealt]:
    """Give what the step deals, in order."""
    for event in step.events:
        if event.hand.WhichOneof("event") == "places_dealt":
            yield _dealt(event.hand.places_dealt)


def _dealt(dealt: hand_events_pb2.PlacesDealt) -> Dealt:
    places = [Place.of(place) for place in dealt.places]
    return Dealt(places, Position(dealt.first.generation, dealt.first.index))


def due_by(step: step_pb2.Step) -> Iterator[tuple[Place, int]]:
    """Give the places that the step says are to be turned up, and why."""
    for event in step.events:
        if event.hand.WhichOneof("event") == "reveal_ordered":
            due = event.hand.reveal_ordered
            for place in due.places:
                yield Place.of(place), due.reason


def laid_out_by(step: step_pb2.Step) -> Iterator[Place]:
    """Give the own places that the step lays out in rows for everybody to see (OFC-3, SCP-2)."""
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
            yield Place(OWN, event.seat, placement.slot)


_ROWS: Final = frozenset(
    {
        hand_events_pb2.LAYOUT_ROW_TOP,
        hand_events_pb2.LAYOUT_ROW_MIDDLE,
        hand_events_pb2.LAYOUT_ROW_BOTTOM,
    }
)


def seated_by(step: step_pb2.Step, seat: int) -> str | None:
    """Give the player that the step seats there, None when it seats nobody."""
    for event in step.events:
        if event.WhichOneof("event") == "seat_taken" and event.seat_taken.seat == seat:
            return event.seat_taken.player_id
    return None


def take_in(step: step_pb2.Step, deck: Deck) -> None:
    """Let the deck's cards go where the step says: dealt, given up, shuffled together.

    Raises FloorError NOT_JUSTIFIED.
    """
    if not is_of(step, deck):
        raise not_justified("the step belongs to another hand")
    for event in step.events:
        kind = event.hand.WhichOneof("event")
        if kind == "places_dealt":
            places, first = _dealt(event.hand.places_dealt)
            deck.deal(places, first)
        elif kind == "cards_drawn":
            deck.give_up(event.hand.cards_drawn.seat, event.hand.cards_drawn.discarded_slots)
        elif kind == "cards_swapped":
            deck.give_up(event.hand.cards_swapped.seat, event.hand.cards_swapped.slots)
        elif kind == "hand_redealt":
            deck.collect()
        elif kind == "deck_reshuffled":
            reshuffled = event.hand.deck_reshuffled
            places = [Place.of(place) for place in reshuffled.places]
            deck.reshuffle(reshuffled.generation, places)


def take_in_again(step: step_pb2.Step, deck: Deck) -> None:
    """Check that a step that was taken in says the same again. Raises FloorError NOT_JUSTIFIED."""
    if not is_of(step, deck):
        raise not_justified("the step belongs to another hand")
    for places, first in dealt_by(step):
        deck.deal(places, first)


class HandSoFar:
    """Who gave up in a hand, and whether it is over."""

    def __init__(self) -> None:
        self.folded: set[int] = set()
        self.ended = False

    def read(self, step: step_pb2.Step) -> None:
        """Take a step of the hand in."""
        for event in step.events:
            if event.hand.WhichOneof("event") == "action_taken":
                action = event.hand.action_taken
                if action.kind == hand_events_pb2.ACTION_KIND_FOLD:
                    self.folded.add(action.seat)
            elif any(_hand_end(event.hand)):
                self.ended = True


class LogBook:
    """Which decks a stretch of the log opened, and how each ended."""

    def __init__(self) -> None:
        self.begun: dict[int, tuple[DeckBegin, Cause]] = {}
        self.ended: dict[int, tuple[DeckEnd, Cause]] = {}
        self._last_draw = 0

    def read(self, step: step_pb2.Step, cause: Cause) -> None:
        """Take a step in, in the order of the log."""
        for end in ends(step):
            deck_no = self._deck_of(end)
            if deck_no:
                self.ended.setdefault(deck_no, (end, cause))
        for begin in begins(step):
            self.begun.setdefault(begin.deck_no, (begin, cause))
            if begin.purpose != HAND:
                self._last_draw = begin.deck_no

    def _deck_of(self, end: DeckEnd) -> int:
        if end.hand_no == 0:
            return self._last_draw
        for begin, _ in self.begun.values():
            if begin.purpose == HAND and begin.hand_no == end.hand_no:
                return begin.deck_no
        return 0
