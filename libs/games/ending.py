"""The end of a hand: the final rake, the order of showing, and what each seat has won or lost."""

from libs.games.betting_round import NOT_YET
from libs.games.events import HandEnded, SeatResult
from libs.games.exposed import best_exposed
from libs.games.rake import compute_rake, no_rake
from libs.games.showdown import Rake
from libs.games.state import HandState


def final_rake(state: HandState) -> Rake:
    """Return the rake of the pots as they are (POT-10, POT-11)."""
    setup = state.setup
    if not setup.settings.rake.rate_bp:
        return no_rake(state.seats, len(state.pots))
    return compute_rake(
        setup.settings.rake,
        state.pots,
        list(zip(state.seats, state.contributed(), strict=True)),
        setup.settings.smallest_chip_minor,
        dropped=state.street_no >= setup.game.rake_from_street,
    )


def showdown_order(state: HandState) -> tuple[int, ...]:
    """Return the seats in the order of showing (SHW-1), side pots before the main pot (SHW-2)."""
    count = len(state.seats)
    first = state.round.aggressor
    if first == NOT_YET:
        first = state.from_button[0] if state.setup.game.exposed is None else best_exposed(state)
    clockwise = [state.seats[(first + step) % count] for step in range(count)]
    order: dict[int, None] = {}
    for pot in reversed(state.pots):
        if len(pot.eligible) > 1:
            order.update(dict.fromkeys([seat for seat in clockwise if seat in pot.eligible]))
    return tuple(order)


def hand_ended(state: HandState) -> HandEnded:
    """Return the closing event of a hand whose pots have been paid."""
    rake = state.rake or no_rake(state.seats, 0)
    seats = [
        SeatResult(seat, start, end, end - start, share)
        for (seat, share), start, end in zip(rake.by_seat, state.starts, state.stacks, strict=True)
    ]
    return HandEnded(tuple(seats), rake.total)
