"""What a table remembers for OFC and Scoop, and of who is ready, as values."""

from typing import NamedTuple


class Laying(NamedTuple):
    """What belongs to the placement hand in play besides the hand itself.

    base_left_ms: what is left of the base time of a seat that has used some of it (OFC-40)
    laid_out: seats whose whole hand is laid out for them, because they are away (OFC-41)
    moves: cards moved in the open in the turn that is open (OFC-3)
    """

    base_left_ms: tuple[tuple[int, int], ...] = ()
    laid_out: tuple[int, ...] = ()
    moves: int = 0

    def left_ms(self, seat: int, base_ms: int) -> int:
        """Return what a seat has left of a base time of `base_ms`."""
        return dict(self.base_left_ms).get(seat, base_ms)

    def with_left(self, seat: int, left_ms: int) -> "Laying":
        """Return this with what a seat has left."""
        left = {**dict(self.base_left_ms), seat: left_ms}
        return self._replace(base_left_ms=tuple(sorted(left.items())))


class Match(NamedTuple):
    """A match that is being played (OFC-6).

    seats: who plays the next hand of it: dealt into its last one, and with points
    owed: the fantasy that the next hand is played with, as (seat, cards)
    hands: its hands that were scored
    """

    match_no: int
    seats: tuple[int, ...] = ()
    owed: tuple[tuple[int, int], ...] = ()
    hands: int = 0

    @property
    def goes_on(self) -> bool:
        """Whether another hand belongs to it."""
        return bool(self.owed) and len(self.seats) >= 2


class Circle(NamedTuple):
    """A circle that nobody joins: its players as (seat, player), and how many matches are left."""

    players: tuple[tuple[int, str], ...] = ()
    left: int = 0


class Matches(NamedTuple):
    """All that a table knows of its matches. `begun` is how many have."""

    begun: int = 0
    match: Match | None = None
    circle: Circle = Circle()


class Asked(NamedTuple):
    """A seat that is asked whether it is ready, until when, and whether it has said so (TBL-6)."""

    seat: int
    deadline_ms: int
    ready: bool = False


class Readiness(NamedTuple):
    """Who is asked; `agreed` while play goes on, so that nobody need be asked."""

    agreed: bool = False
    asked: tuple[Asked, ...] = ()

    def of(self, seat: int) -> Asked | None:
        """Return what is asked of a seat, None when nothing is."""
        return next((one for one in self.asked if one.seat == seat), None)

    def told(self, asked: Asked) -> "Readiness":
        """Return this with what a seat is asked, or has said."""
        others = [one for one in self.asked if one.seat != asked.seat]
        return self._replace(asked=tuple(sorted([*others, asked])))

    def without(self, seat: int) -> "Readiness":
        """Return this with a seat asked nothing."""
        return self._replace(asked=tuple([one for one in self.asked if one.seat != seat]))
