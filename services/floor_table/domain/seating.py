"""Who is dealt into the next hand, where the button goes and who posts what (TBL-10 to TBL-16)."""

from collections.abc import Sequence
from typing import NamedTuple


class Candidate(NamedTuple):
    """A seat that can be in the next hand.

    `entering` seats need the big blind or a post to be dealt in; `post` is what they chose.
    """

    seat: int
    player_id: str
    entering: bool
    post: bool


class LastHand(NamedTuple):
    """What the next hand's button follows from.

    `dealt` are the seats of the last hand with their players; `big_player` posted its big blind.
    `drawn` means that `button` was drawn (TBL-10) and no hand has been played with it. The blinds'
    seats are 0 where there were none.
    """

    button: int = 0
    small: int = 0
    big: int = 0
    big_player: str = ""
    dealt: tuple[tuple[int, str], ...] = ()
    drawn: bool = False


class Plan(NamedTuple):
    """The next hand: seats dealt in by number; `posts` are those that enter by posting.

    `small` and `big` are 0 in games without blinds.
    """

    dealt: tuple[int, ...]
    button: int
    small: int
    big: int
    posts: tuple[int, ...]

    def from_button(self) -> list[int]:
        """Return the seats dealt in, from the left of the button."""
        after = [seat for seat in self.dealt if seat > self.button]
        return after + [seat for seat in self.dealt if seat <= self.button]


def plan_hand(candidates: Sequence[Candidate], last: LastHand) -> Plan | None:
    """Return the next hand, or None when the button has to be drawn first.

    `candidates` are by seat number, at least two.
    """
    assert len(candidates) >= 2, "a hand is for two at least"
    if last.drawn:
        return _after_draw(candidates, last)
    before = set(last.dealt)
    movers = [one for one in candidates if (one.seat, one.player_id) in before]
    if len(movers) < 2:
        return None
    return _moved(candidates, movers, last)


def plan_without_blinds(candidates: Sequence[Candidate], last: LastHand) -> Plan | None:
    """Return the next hand of a game with antes, or None when the button has to be drawn first.

    Everybody is dealt in (TBL-15, SHD-2). The button is moved by who was in the last hand
    (TBL-11); a blind that goes with it is nobody's in two hands running.
    """
    assert len(candidates) >= 2, "a hand is for two at least"
    before = set(last.dealt)
    movers = [one for one in candidates if (one.seat, one.player_id) in before]
    drawn = last.drawn
    ring = _clockwise(candidates if drawn else movers, last.button - drawn)
    if len(ring) < 2:
        return None
    button = next(one for one in ring if one.player_id != last.big_player)
    return Plan(tuple([one.seat for one in candidates]), button.seat, 0, 0, ())


def passed(before: int, now: int, seat: int) -> bool:
    """Tell whether a blind that went clockwise from one seat to another passed a seat."""
    if not before or before == now:
        return False
    return _distance(before, seat) < _distance(before, now) and seat != before


_RING = 64  # more than any table has seats


def _distance(start: int, seat: int) -> int:
    return (seat - start) % _RING


def _clockwise(candidates: Sequence[Candidate], after: int) -> list[Candidate]:
    """Return the seats from the one after `after` round to it."""
    return sorted(candidates, key=lambda one: (one.seat <= after, one.seat))


def _after_draw(candidates: Sequence[Candidate], last: LastHand) -> Plan:
    """Everybody is dealt in and nobody posts to enter; the drawn seat is the button.

    Where that would make somebody post the big blind in two hands running, all move on by one.
    """
    ring = _clockwise(candidates, last.button - 1)
    count = len(ring)
    for step in range(count):
        button = ring[step]
        small = button if count == 2 else ring[(step + 1) % count]
        big = ring[(step + (1 if count == 2 else 2)) % count]
        if big.player_id != last.big_player:
            dealt = tuple([one.seat for one in candidates])
            return Plan(dealt, button.seat, small.seat, big.seat, ())
    raise AssertionError("every seat posted the last big blind")


def _moved(candidates: Sequence[Candidate], movers: Sequence[Candidate], last: LastHand) -> Plan:
    ring = _clockwise(movers, last.button)
    entrants = [one for one in candidates if one not in movers]
    for_big = [*movers, *[one for one in entrants if one.player_id != last.big_player]]
    options = [_roles(ring, step, for_big) for step in range(len(ring))]
    if len(movers) == 2:
        # When two become three, the newcomer is the big blind, whichever way that turns the button.
        for button, small, big in options:
            if big in entrants:
                return _plan(candidates, movers, button, small, big)
        candidates = movers  # nobody else can enter heads-up
    for button, small, big in options:
        if big.player_id != last.big_player:
            return _plan(candidates, movers, button, small, big)
    raise AssertionError("every seat posted the last big blind")


def _roles(
    ring: Sequence[Candidate], step: int, for_big: Sequence[Candidate]
) -> tuple[Candidate, Candidate, Candidate]:
    """Return button, small and big blind when the button goes `step` seats further than usual."""
    count = len(ring)
    button, small = ring[step % count], ring[(step + 1) % count]
    big = _clockwise(for_big, small.seat)[0]
    if big == button:  # heads-up the button posts the small blind (TBL-12)
        return button, button, small
    return button, small, big


def _plan(
    candidates: Sequence[Candidate],
    movers: Sequence[Candidate],
    button: Candidate,
    small: Candidate,
    big: Candidate,
) -> Plan:
    dealt: list[int] = []
    posts: list[int] = []
    reach = _distance(button.seat, big.seat)
    for one in candidates:
        if one in movers or one == big:
            dealt.append(one.seat)
        elif _distance(button.seat, one.seat) > reach and (one.post or not one.entering):
            dealt.append(one.seat)
            if one.entering:
                posts.append(one.seat)
    posts.sort(key=lambda seat: _distance(button.seat, seat))
    return Plan(tuple(dealt), button.seat, small.seat, big.seat, tuple(posts))
