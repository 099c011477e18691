"""The end of a hand: the final rake, the order of showing, and the result of each seat."""

from typing import Final

from pokerfloor.games.betting_round import NOT_YET
from pokerfloor.games.events import HandEnded, SeatResult
from pokerfloor.games.exposed import best_exposed
from pokerfloor.games.rake import no_rake, rake_of
from pokerfloor.games.rows import Opener
from pokerfloor.games.showdown import Rake, Raking
from pokerfloor.games.state import HandState

_make = tuple.__new__  # half the time of calling the class
_BRING_IN: Final = Opener.BRING_IN  # an Enum lookup costs as much as the rest here


def final_rake(state: HandState) -> Rake:
    """Return the rake of the current pots if all of them are paid (POT-10, POT-11)."""
    if not state.setup.settings.rake.rate_bp:
        return no_rake(state.seats, len(state.pots))
    return rake_of(raking_of(state), state.pots)


def raking_of(state: HandState) -> Raking:
    """Return the inputs of the rake computation."""
    settings = state.setup.settings
    return Raking(
        settings.rake,
        tuple(zip(state.seats, state.contributed(), strict=True)),
        settings.smallest_chip_minor,
        state.street_no >= state.setup.game.rake_from_street,
    )


def showdown_order(state: HandState) -> tuple[int, ...]:
    """Return the seats in the order of showing (SHW-1), side pots before the main pot (SHW-2)."""
    first = state.round.aggressor
    if first == NOT_YET:
        stud = state.setup.game.streets[0].opener is _BRING_IN
        first = best_exposed(state) if stud else state.from_button[0]
    clockwise = state.seats[first:] + state.seats[:first]
    order: dict[int, None] = {}
    for _, _, eligible in reversed(state.pots):
        if len(eligible) > 1:
            order.update(dict.fromkeys([seat for seat in clockwise if seat in eligible]))
    return tuple(order)


def hand_ended(state: HandState) -> HandEnded:
    """Return the final event of a hand whose pots are paid."""
    rake = state.rake or no_rake(state.seats, 0)
    seats = [
        _make(SeatResult, (seat, start, end, end - start, share))
        for (seat, share), start, end in zip(rake.by_seat, state.starts, state.stacks, strict=True)
    ]
    carried_out = sum([pot.amount for pot in state.carried])
    return HandEnded(tuple(seats), rake.total, state.carried_in, carried_out)
