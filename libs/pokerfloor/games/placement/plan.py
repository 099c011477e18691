"""Who sets cards on which street, and in what order; fixed by the setup (OFC-32)."""

from functools import lru_cache
from typing import NamedTuple

from pokerfloor.games.placement.setup import FantasylandHeadsUp, PlacementSetup


class Stage(NamedTuple):
    """A street of this hand, and the seats that set cards on it, in order."""

    street_no: int
    seats: tuple[int, ...]


class Plan(NamedTuple):
    """The course of a hand.

    order: all seats from the left of the button, the button last
    packets: the number of cards of each seat in Fantasyland
    aside: the only seat not in Fantasyland, if it plays its streets hidden at the same time, else
        None; the first `reserved` cards of the deck are for it
    """

    order: tuple[int, ...]
    stages: tuple[Stage, ...]
    packets: dict[int, int]
    aside: int | None
    reserved: int


def plan_of(setup: PlacementSetup) -> Plan:
    """Return the course of a hand with a valid setup."""
    order, stages, aside = _course(setup)
    reserved = 0 if aside is None else setup.game.dealt_cards()
    return Plan(order, stages, dict(setup.fantasyland), aside, reserved)


@lru_cache(maxsize=1024)
def _course(setup: PlacementSetup) -> tuple[tuple[int, ...], tuple[Stage, ...], int | None]:
    seats = [seat for seat, _ in setup.seats]
    left = [seat for seat in seats if seat > setup.button]
    order = (*left, *seats[: len(seats) - len(left)])
    in_fantasyland = {seat for seat, _ in setup.fantasyland}
    fantasyland = tuple([seat for seat in order if seat in in_fantasyland])
    others = tuple([seat for seat in order if seat not in in_fantasyland])
    number = len(setup.game.streets)
    if fantasyland and (not others or _together(setup, others)):
        return order, (Stage(number, order),), others[0] if others else None
    stages = [
        Stage(street_no, others if street.dealt else ())
        for street_no, street in enumerate(setup.game.streets)
    ]
    if fantasyland:
        stages.append(Stage(number, fantasyland))
    return order, tuple(stages), None


def _together(setup: PlacementSetup, others: tuple[int, ...]) -> bool:
    """Return whether all but one are in Fantasyland, so that all set at the same time."""
    heads_up = len(setup.seats) == 2
    open_first = heads_up and setup.fantasyland_heads_up is FantasylandHeadsUp.OPEN_FIRST
    return len(others) == 1 and not open_first
