"""Which places a street deals, in dealing order (HLD-1, HLD-2, DBL-1, STD-1)."""

from functools import lru_cache
from typing import NamedTuple

from pokerfloor.games.places import (
    Place,
    board_place,
    burn_place,
    community_place,
    community_places,
    seat_place,
    seat_places,
)
from pokerfloor.games.rows import DealTo, GameRow, Opener
from pokerfloor.games.setup import ForcedKind, Shortage
from pokerfloor.games.state import HandState

_Places = tuple[Place, ...]
_REVEALED = (DealTo.SEAT_UP, DealTo.BOARD)


class StreetPlaces(NamedTuple):
    """The places of a street in dealing order, burned ones first. `up` are revealed at once."""

    burned: _Places
    dealt: _Places
    both: _Places
    up: _Places


def places_of_street(state: HandState) -> StreetPlaces:
    """Return the places that the street deals."""
    game, street_no = state.setup.game, state.street_no
    burn = state.setup.settings.burn
    hole = state.hole_by_street
    order = _dealing_order(state) if hole[street_no] > hole[street_no - 1] else ()
    if game.community_last and street_no == len(game.streets) - 1:
        return _last_places(state, order, burn=burn)
    return _street_places(game, street_no, order, burn)


def _last_places(state: HandState, order: tuple[int, ...], *, burn: bool) -> StreetPlaces:
    """Return the last card of each seat, or a community card if the deck is short (STD-6).

    The burn is left out if that makes the cards suffice, or leaves one for the community card. With
    the burns reshuffled, there may be more places than cards left in the deck.
    """
    left = state.cards.left()
    game, street_no = state.setup.game, state.street_no
    enough = len(order) <= left
    if left and state.setup.settings.seventh_shortage is Shortage.RESHUFFLE_BURNS:
        enough = len(order) <= left + len(state.cards.reusable(None))
    burn = burn and left > (len(order) if enough else 1)
    places = _street_places(game, street_no, order, burn)
    if enough:
        return places
    community = (community_place(1),)
    return StreetPlaces(places.burned, community, places.burned + community, community)


def _dealing_order(state: HandState) -> tuple[int, ...]:
    """Return the seats still in from the left of the button; heads-up from the big blind (HLD-1).

    If the button itself posts the blind (SHD-2), heads-up is not special.
    """
    order = tuple([state.seats[p] for p in state.from_button if not state.folded[p]])
    if len(state.seats) == 2 and state.setup.game.streets[0].opener is Opener.LEFT_OF_BLINDS:
        for bet in state.setup.forced:
            if bet.kind is ForcedKind.BIG_BLIND and bet.seat == order[-1]:
                return order[::-1]
    return order


def hidden_places(state: HandState) -> _Places:
    """Return the hole places of the seats still in that are not revealed, seat by seat."""
    seats = [seat for seat, gone in zip(state.seats, state.folded, strict=True) if not gone]
    faces = state.cards.faces
    if state.cards.held or state.to_choose:
        places = [place for seat in seats for place in state.hole_places(seat)]
        return tuple([place for place in places if place not in faces])
    all_hole = _all_hole_places(tuple(seats), state.hole_dealt())
    if state.setup.game.exposed is None and not state.setup.game.up_slots():
        return all_hole
    return tuple([place for place in all_hole if place not in faces])


@lru_cache(maxsize=4096)
def _all_hole_places(seats: tuple[int, ...], count: int) -> _Places:
    return tuple([place for seat in seats for place in seat_places(seat, count)])


@lru_cache(maxsize=4096)
def _street_places(
    game: GameRow, street_no: int, order: tuple[int, ...], burn: bool
) -> StreetPlaces:
    before = game.streets[:street_no]
    street = game.streets[street_no]
    burned: _Places = ()
    if burn:
        first = 1 + sum(earlier.burns for earlier in before)
        burned = tuple([burn_place(slot) for slot in range(first, first + street.burns)])
    places: list[Place] = []
    up: list[Place] = []
    counts = {True: 0, False: 0}  # cards dealt so far to each board, and to each seat
    for deal in [deal for earlier in before for deal in earlier.deals]:
        if deal.to is not DealTo.COMMUNITY:
            counts[deal.to is DealTo.BOARD] += deal.count
    for deal in street.deals:
        if deal.to is DealTo.COMMUNITY:
            places += community_places(deal.count)
            continue
        to_board = deal.to is DealTo.BOARD
        slots = range(counts[to_board] + 1, counts[to_board] + deal.count + 1)
        counts[to_board] += deal.count
        if to_board:
            now = [board_place(number, slot) for number in range(game.boards) for slot in slots]
        else:
            now = [seat_place(seat, slot) for slot in slots for seat in order]
        places += now
        up += now if deal.to in _REVEALED else []
    return StreetPlaces(burned, tuple(places), (*burned, *places), tuple(up))
