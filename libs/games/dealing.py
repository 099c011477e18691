"""Which places a street deals, in real dealing order (HLD-1, HLD-2, DBL-1)."""

from functools import lru_cache

from libs.games.places import Place, board_place, burn_place, own_place, own_places
from libs.games.rows import DealTo, GameRow
from libs.games.setup import ForcedKind
from libs.games.state import HandState

_Places = tuple[Place, ...]


def places_of_street(state: HandState) -> tuple[_Places, _Places]:
    """Return all places that the street deals now, and those of them that are turned up."""
    game, street_no = state.setup.game, state.street_no
    order = _dealing_order(state) if game.streets[street_no].deals_own() else ()
    return _street_places(game, street_no, order, state.setup.settings.burn)


def _dealing_order(state: HandState) -> tuple[int, ...]:
    """Return the seats still in from the left of the button; heads-up from the big blind."""
    order = tuple([state.seats[p] for p in state.from_button if not state.folded[p]])
    if len(state.seats) == 2:
        for bet in state.setup.forced:
            if bet.kind is ForcedKind.BIG_BLIND and bet.seat == order[-1]:
                return order[::-1]
    return order


def places_still_in(state: HandState) -> _Places:
    """Return the places of all own cards of the seats still in, seat by seat."""
    seats = [seat for seat, gone in zip(state.seats, state.folded, strict=True) if not gone]
    return _all_own_places(tuple(seats), state.setup.game.own_cards())


@lru_cache(maxsize=4096)
def _all_own_places(seats: tuple[int, ...], count: int) -> _Places:
    return tuple([place for seat in seats for place in own_places(seat, count)])


@lru_cache(maxsize=4096)
def _street_places(
    game: GameRow, street_no: int, order: tuple[int, ...], burn: bool
) -> tuple[_Places, _Places]:
    """Return all places of a street in dealing order, and those of them that are turned up."""
    before = game.streets[:street_no]
    street = game.streets[street_no]
    places: list[Place] = []
    if burn:
        first = 1 + sum(earlier.burns for earlier in before)
        places += [burn_place(slot) for slot in range(first, first + street.burns)]
    board: list[Place] = []
    dealt = [deal for earlier in before for deal in earlier.deals]
    for deal in street.deals:
        first = 1 + sum(earlier.count for earlier in dealt if earlier.to is deal.to)
        slots = range(first, first + deal.count)
        if deal.to is DealTo.BOARD:
            now = [board_place(number, slot) for number in range(game.boards) for slot in slots]
            board += now
        else:
            now = [own_place(seat, slot) for slot in slots for seat in order]
        places += now
        dealt.append(deal)
    return tuple(places), tuple(board)
