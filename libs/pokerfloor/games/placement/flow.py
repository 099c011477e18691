"""What follows from an input, up to the next wait (OFC-2, OFC-32, SCP-2)."""

from pokerfloor.games.events import (
    HandEnded,
    PlacesDealt,
    RevealOrdered,
    RevealReason,
    SeatResult,
    StreetBegan,
    TurnBegan,
)
from pokerfloor.games.placement.apply import apply
from pokerfloor.games.placement.events import LayoutRevealed
from pokerfloor.games.placement.rows import Shown
from pokerfloor.games.placement.state import PlacementState
from pokerfloor.games.places import Place, board_place, burn_place, seat_place


def begin(state: PlacementState) -> None:
    """Begin the first street."""
    _begin_stage(state)
    go_on(state)


def after_confirm(state: PlacementState, seat: int) -> None:
    """Reveal what a seat has placed in open play, or deal its next cards if it plays aside."""
    if not state.hides():
        layout = state.layouts[seat]
        unseen = tuple([place for place, _ in layout.placed if place not in state.cards.faces])
        if unseen:
            apply(state, RevealOrdered(RevealReason.PLACEMENT, unseen))
    elif not state.is_complete(seat):
        _deal_aside(state, seat)
    go_on(state)


def after_score(state: PlacementState) -> None:
    """End the hand."""
    seats = [
        SeatResult(seat, start, state.stacks[seat], state.stacks[seat] - start, 0)
        for seat, start in state.setup.seats
    ]
    apply(state, HandEnded(tuple(seats), 0))


def go_on(state: PlacementState) -> None:
    """Continue until the hand waits for faces, placements or a score."""
    while not state.cards.pending:
        waiting = [
            seat for seat in state.plan.order if seat in state.to_lay and seat not in state.turns
        ]
        for seat in waiting:
            apply(state, TurnBegan(seat, state.turn_no + 1))
        if state.turns or not _next(state):
            return


def _next(state: PlacementState) -> bool:
    """Reveal hidden layouts, deal to the next seat or begin the next street; False at the end."""
    hidden = [seat for seat in state.plan.order if state.layouts[seat].hidden]
    if hidden:
        _reveal_layouts(state, hidden)
        return True
    stage = state.present_stage()
    if not state.hides():
        for seat in stage.seats:
            if state.layouts[seat].streets == stage.street_no:
                _deal_in_turn(state, seat)
                return True
    if state.is_last_stage():
        return False
    _begin_stage(state)
    return True


def _begin_stage(state: PlacementState) -> None:
    stage = state.plan.stages[state.stage + 1]
    street = state.setup.game.street(stage.street_no)
    apply(state, StreetBegan(stage.street_no, street.name))
    if street.shown is not Shown.TOGETHER:
        _deal_in_turn(state, stage.seats[0])
    elif stage.street_no == len(state.setup.game.streets):
        _deal_fantasyland(state)
    else:
        _deal_together(state)


def _deal_to_seat(state: PlacementState, seat: int, count: int) -> tuple[Place, ...]:
    first = state.dealt_to(seat) + 1
    places = tuple([seat_place(seat, slot) for slot in range(first, first + count)])
    apply(state, PlacesDealt(places, 0, state.cards.index_for(seat)))
    return places


def _deal_in_turn(state: PlacementState, seat: int) -> None:
    """Deal a seat the cards of a street when its turn comes (OFC-2)."""
    street = state.present_street()
    places = _deal_to_seat(state, seat, street.dealt)
    if street.shown is Shown.UP:
        apply(state, RevealOrdered(RevealReason.UP_CARD, places))


def _deal_aside(state: PlacementState, seat: int) -> None:
    """Deal the seat without Fantasyland its next street, from its reserved cards (OFC-32)."""
    assert seat == state.plan.aside, f"seat {seat} has not set all its cards"
    _deal_to_seat(state, seat, state.setup.game.streets[state.layouts[seat].streets].dealt)


def _deal_fantasyland(state: PlacementState) -> None:
    """Deal as if in turn: the seat without Fantasyland first, then each packet (OFC-32)."""
    if state.plan.aside is not None:
        _deal_aside(state, state.plan.aside)
    for seat in state.present_stage().seats:
        if seat in state.plan.packets:
            _deal_to_seat(state, seat, state.plan.packets[seat])


def _deal_together(state: PlacementState) -> None:
    """Deal to the seats one card at a time, then burn and deal the board (SCP-1, SCP-2)."""
    street, seats = state.present_street(), state.present_stage().seats
    before = state.setup.game.streets[: state.street_no]
    dealt = [seat_place(seat, slot) for slot in range(1, street.dealt + 1) for seat in seats]
    burned = sum([earlier.burns for earlier in before])
    burns = street.burns if state.setup.burn else 0
    lying = len(state.cards.board)
    board = tuple([board_place(0, slot) for slot in range(lying + 1, lying + street.board + 1)])
    places = (*dealt, *[burn_place(burned + each + 1) for each in range(burns)], *board)
    apply(state, PlacesDealt(places, 0, state.cards.index_for(None)))
    if board:
        apply(state, RevealOrdered(RevealReason.BOARD, board))


def _reveal_layouts(state: PlacementState, seats: list[int]) -> None:
    """Reveal all hidden layouts together (OFC-32, SCP-2)."""
    for seat in seats:
        apply(state, LayoutRevealed(seat, state.layouts[seat].by_slot()))
    places = [seat_place(seat, slot) for seat in seats for slot, _ in state.layouts[seat].by_slot()]
    apply(state, RevealOrdered(RevealReason.PLACEMENT, tuple(places)))
