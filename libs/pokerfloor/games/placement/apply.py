"""Apply events to the state of a placement hand, and check what must hold after them."""

from collections.abc import Callable
from typing import Any, Final

from pokerfloor.games.events import (
    CardsRevealed,
    HandEnded,
    HandVoided,
    PlacesDealt,
    RevealOrdered,
    RevealReason,
    SeatResult,
    StreetBegan,
    TurnBegan,
)
from pokerfloor.games.placement.events import (
    FantasylandEarned,
    HiddenPlacement,
    LayoutRevealed,
    PlacementConfirmed,
    PlacementEvent,
    PlacementMoved,
    PointsScored,
)
from pokerfloor.games.placement.layouts import LayoutRow, SlotRow, room_left
from pokerfloor.games.placement.rows import Shown
from pokerfloor.games.placement.scores import fantasyland_problem, points_problem
from pokerfloor.games.placement.state import OpenTurn, PlacementState
from pokerfloor.games.places import Place, PlaceKind, seat_place


def apply(state: PlacementState, event: PlacementEvent) -> None:
    """Apply one event. Count all points after each event.

    An event that is impossible in this hand raises AssertionError; do not use the state after that.
    """
    assert not state.ended, f"{event} after the end of the hand"
    concealed = state.concealed
    assert concealed is None or isinstance(event, HiddenPlacement), (
        "the hidden placement is missing"
    )
    _APPLIERS[type(event)](state, event)
    points = sum(state.stacks.values())
    brought = sum([stack for _, stack in state.setup.seats])
    assert points == brought, f"{points} points after {event}, expected {brought}"
    assert min(state.stacks.values()) >= 0, f"a stack below zero after {event}"
    state.journal.append(event)


def _street_began(state: PlacementState, event: StreetBegan) -> None:
    assert not state.turns, "a street begins with turns open"
    assert not state.cards.pending, "a street begins with cards pending"
    assert not state.is_last_stage(), "too many streets"
    state.stage += 1
    assert event.street_no == state.street_no, f"street {event.street_no} out of order"
    assert event.name == state.present_street().name, f"street {event.street_no} has the wrong name"


def _places_dealt(state: PlacementState, event: PlacesDealt) -> None:
    assert state.street_no >= 0, "cards dealt before the first street"
    assert not state.cards.pending, "cards dealt with cards pending"
    state.cards.deal(event)
    for place in event.places:
        if place.kind is PlaceKind.SEAT:
            seat = place.owner
            assert seat in state.present_stage().seats, f"{place} dealt out of turn"
            assert seat not in state.turns, f"{place} dealt in a turn of its seat"
            assert place == seat_place(seat, state.dealt_to(seat) + 1), f"{place} out of order"
            state.to_lay[seat] = (*state.to_lay.get(seat, ()), place)


def _turn_began(state: PlacementState, event: TurnBegan) -> None:
    seat, turn_no = event
    assert not state.cards.pending, "a turn begins with cards pending"
    assert turn_no == state.turn_no + 1, "turns out of order"
    assert state.to_lay.get(seat), f"a turn of seat {seat}, which has no cards to set"
    assert seat not in state.turns, f"a second turn of seat {seat}"
    assert state.hides() or not state.turns, "two turns at once in open play"
    state.turn_no = turn_no
    state.turns[seat] = OpenTurn(turn_no)


def _reveal_ordered(state: PlacementState, event: RevealOrdered) -> None:
    state.cards.order_reveal(event)
    for place in event.places:
        dealt_to_seat = place.kind is PlaceKind.SEAT
        assert dealt_to_seat is (event.reason is not RevealReason.BOARD), f"{place}: {event.reason}"
        if event.reason is RevealReason.UP_CARD:
            assert state.present_street().shown is Shown.UP, f"{place} is not dealt face up"
        elif dealt_to_seat:
            assert event.reason is RevealReason.PLACEMENT, f"{place}: {event.reason}"
            layout = state.layouts[place.owner]
            assert not layout.hidden, f"{place} of a hidden layout"
            assert place in dict(layout.placed), f"{place} is not in the layout"


def _cards_revealed(state: PlacementState, event: CardsRevealed) -> None:
    state.cards.reveal(event)


def _placement_moved(state: PlacementState, event: PlacementMoved) -> None:
    seat, slot, row = event
    turn = state.turns[seat]
    assert state.present_street().shown is Shown.UP, "a move of a card that is not public"
    assert seat_place(seat, slot) in state.to_lay[seat], f"slot {slot} is not to be set"
    kept = [one for one in turn.tentative if one.slot != slot]
    if row is not None:
        kept.append(SlotRow(slot, row))
    tentative = tuple(sorted(kept))
    assert all(room.cards >= 0 for room in state.room(seat, tentative)), "a row overfilled"
    state.turns[seat] = OpenTurn(turn.turn_no, tentative)


def _placement_confirmed(state: PlacementState, event: PlacementConfirmed) -> None:
    seat = event.seat
    turn = state.turns.pop(seat)
    assert turn.turn_no == event.turn_no, "a placement in another turn"
    assert event.street_no == state.street_of(seat), "a placement on another street"
    state.answered[seat] = turn.turn_no
    if state.hides():
        assert not event.placements, "a hidden layout made public"
        state.concealed = seat
    else:
        _lay(state, seat, event.placements, hidden=False)


def _hidden_placement(state: PlacementState, event: HiddenPlacement) -> None:
    assert event.seat == state.concealed, "a hidden placement without a confirmation"
    state.concealed = None
    named = {slot for slot, _ in event.placements}
    cards = {place.slot for place in state.to_lay[event.seat]}
    assert named == cards, "a hidden placement must name every card of the street"
    laid = tuple([one for one in event.placements if one.row is not LayoutRow.DISCARD])
    _lay(state, event.seat, laid, hidden=True)


def _lay(
    state: PlacementState, seat: int, placements: tuple[SlotRow, ...], *, hidden: bool
) -> None:
    """Set the cards of a street: `placements` are placed, the others discarded."""
    due = state.to_place(seat)
    rows: dict[Place, LayoutRow] = {seat_place(seat, slot): row for slot, row in placements}
    assert len(rows) == len(placements) == due, f"{len(placements)} cards placed, expected {due}"
    street = state.to_lay.pop(seat)
    assert rows.keys() <= set(street), "a card placed that is not from this street"
    layout = state.layouts[seat]
    placed = (*layout.placed, *[(place, rows[place]) for place in street if place in rows])
    room = room_left(state.setup.game.rows, [row for _, row in placed])
    assert all(left.cards >= 0 for left in room), "a row overfilled"
    discards = (*layout.discards, *[place for place in street if place not in rows])
    state.layouts[seat] = layout._replace(
        placed=placed, discards=discards, streets=layout.streets + 1, hidden=hidden
    )


def _layout_revealed(state: PlacementState, event: LayoutRevealed) -> None:
    layout = state.layouts[event.seat]
    assert not state.turns, "a layout revealed before all have confirmed"
    assert layout.hidden, f"the layout of seat {event.seat} is not hidden"
    assert event.placements == layout.by_slot(), "the layout differs from the confirmed one"
    state.layouts[event.seat] = layout._replace(hidden=False)


def _points_scored(state: PlacementState, event: PointsScored) -> None:
    assert state.score is None, "scored twice"
    for seat, layout in state.layouts.items():
        assert state.is_complete(seat), f"the layout of seat {seat} is not finished"
        faces = state.cards.faces.keys()
        assert faces >= dict(layout.placed).keys(), f"the layout of seat {seat} is not open"
    problem, _ = points_problem(state, event)
    assert not problem, problem
    state.score = event
    for pair in event.pairs:
        state.stacks[pair.a] += pair.paid
        state.stacks[pair.b] -= pair.paid
        assert min(state.stacks.values()) >= 0, f"{pair} pays more than the stack"


def _fantasyland_earned(state: PlacementState, event: FantasylandEarned) -> None:
    assert state.score is not None, "Fantasyland before the score"
    earned = (*state.fantasyland_earned, event)
    problem = fantasyland_problem(state, state.score.layouts, earned)
    assert not problem, problem
    state.fantasyland_earned = earned


def _hand_ended(state: PlacementState, event: HandEnded) -> None:
    assert state.score is not None, "the hand is not scored"
    assert event.rake == 0, "no rake is taken from points"
    due = tuple(
        [
            SeatResult(seat, start, state.stacks[seat], state.stacks[seat] - start, 0)
            for seat, start in state.setup.seats
        ]
    )
    assert event.seats == due, "the results differ from the stacks"
    assert sum([result.net for result in event.seats]) == 0, "the nets do not sum to zero"
    state.results = event.seats
    state.ended = True


def _hand_voided(state: PlacementState, event: HandVoided) -> None:
    state.stacks = dict(state.setup.seats)
    state.turns = {}
    state.cards.pending = ()
    state.score = None
    state.fantasyland_earned = ()
    state.results = tuple(
        [SeatResult(seat, stack, stack, 0, 0) for seat, stack in state.setup.seats]
    )
    state.ended = True
    state.voided = event.reason


_APPLIERS: Final[dict[type[Any], Callable[[PlacementState, Any], None]]] = {
    StreetBegan: _street_began,
    PlacesDealt: _places_dealt,
    TurnBegan: _turn_began,
    RevealOrdered: _reveal_ordered,
    CardsRevealed: _cards_revealed,
    PlacementMoved: _placement_moved,
    PlacementConfirmed: _placement_confirmed,
    HiddenPlacement: _hidden_placement,
    LayoutRevealed: _layout_revealed,
    PointsScored: _points_scored,
    FantasylandEarned: _fantasyland_earned,
    HandEnded: _hand_ended,
    HandVoided: _hand_voided,
}
