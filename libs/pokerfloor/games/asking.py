"""What a hand waits for, as a value computed from its state."""

from functools import cache
from typing import Final

from pokerfloor.games.ending import final_rake, raking_of
from pokerfloor.games.legal import legal_set
from pokerfloor.games.paying import shown_winners
from pokerfloor.games.places import seat_place, seat_places
from pokerfloor.games.rake import no_rake
from pokerfloor.games.setup import Losers
from pokerfloor.games.showdown import Rake, SeatPlaces, ShowdownRequest
from pokerfloor.games.state import NOBODY, HandState
from pokerfloor.games.waits import (
    HandResult,
    Over,
    Wait,
    WaitAction,
    WaitBegin,
    WaitCards,
    WaitDiscard,
    WaitFacing,
    WaitShowdown,
    WaitSplit,
)

_make = tuple.__new__  # half the time of calling the class, in the innermost loop
_MUCK: Final = Losers.MUCK


def wait_of(state: HandState) -> Wait:
    """Return what the hand waits for."""
    if state.turn != NOBODY:
        seat = state.seats[state.turn]
        if state.to_choose:
            return _wait_choice(state, seat)
        return _make(WaitAction, (seat, state.turn_no, legal_set(state, state.turn)))
    if state.ended:
        return Over(hand_result(state), state.cards.pending)
    if state.cards.pending:
        assert state.cards.reveal_reason is not None
        return _make(WaitCards, (state.cards.pending, state.cards.reveal_reason))
    if state.split:
        return _wait_split(state)
    if state.showdown_order:
        return WaitShowdown(showdown_request(state))
    assert state.street_no == NOBODY, "the hand waits for nothing"
    return WaitBegin()


def _wait_choice(state: HandState, seat: int) -> WaitDiscard | WaitFacing:
    draw = state.street.draw
    places = state.hole_places(seat)
    if draw is None:
        slot = state.down[state.index_of[seat]]
        next_place = seat_place(seat, state.hole_dealt())
        return WaitFacing(seat, state.turn_no, next_place, seat_place(seat, slot))
    most = min(draw.max_discards, len(places), state.setup.settings.max_draw or draw.max_discards)
    return WaitDiscard(seat, state.turn_no, draw.min_discards, most, places)


def _wait_split(state: HandState) -> WaitSplit:
    decided = zip(state.pots, shown_winners(state), strict=True)
    return WaitSplit(
        tuple([seat for seat, agrees in state.split if agrees is None]),
        tuple([seat for seat, agrees in state.split if agrees]),
        tuple([pot for pot, winners in decided if not winners]),
    )


def showdown_request(state: HandState) -> ShowdownRequest:
    """Return the request to resolve the showdown."""
    setup, settings, carries = state.setup, state.setup.settings, state.setup.game.carries()
    still_in = [seat for seat, gone in zip(state.seats, state.folded, strict=True) if not gone]
    if state.cards.held:
        seats = tuple([SeatPlaces(seat, state.hole_places(seat)) for seat in still_in])
    else:
        count = state.hole_dealt()
        seats = tuple([_seat_places(seat, count) for seat in still_in])
    face_at = state.cards.faces.get
    known = [
        (place, card)
        for _, places in seats
        for place in places
        if (card := face_at(place)) is not None
    ]
    return _make(
        ShowdownRequest,
        (
            setup.hand_no,
            setup.game,
            settings.smallest_chip_minor,
            _MUCK if carries else settings.losers,
            settings.unread_hands_muck,
            state.all_in_showdown,
            state.pots,
            final_rake(state),
            seats,
            state.showdown_order,
            tuple([state.seats[p] for p in state.from_button if not state.folded[p]]),
            tuple([tuple(board) for board in state.cards.boards]),
            tuple(known),
            raking_of(state) if carries else None,
        ),
    )


@cache
def _seat_places(seat: int, count: int) -> SeatPlaces:
    return SeatPlaces(seat, seat_places(seat, count))


def hand_result(state: HandState) -> HandResult:
    """Return the result of a finished hand (SHW-4)."""
    rake = state.rake
    return _make(
        HandResult,
        (
            state.setup.hand_no,
            state.pots,
            state.awards,
            Rake(*rake) if rake else no_rake(state.seats, len(state.pots)),
            state.shown,
            state.mucked,
            state.results,
            state.voided,
            state.carried_in,
            state.carried,
        ),
    )
