"""The button over thousands of random tables, told to `plan_hand` alone."""

import random
from collections.abc import Iterator

import pytest

from floor_table.domain.button import Candidate, Plan, passed, plan_hand
from floor_table.domain.parts import LastHand

# Nobody who is there and waits for the big blind waits longer than this many hands: two full
# orbits, since seats that go may carry the blinds past a seat that has just sat down once.
_LONGEST_WAIT = 2


class Room:
    """Seats that fill, empty, sit out and come back, hand after hand."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.size = self.random.choice((2, 3, 4, 6, 9, 10))
        self.calm = self.random.random() < 0.5
        self.seats: dict[int, dict[str, object]] = {}
        self.players = 0
        self.last = LastHand()

    def stir(self) -> None:
        """Let something happen to the seats between two hands."""
        dice = self.random
        chance = 0.03 if self.calm else 0.15
        for number in range(1, self.size + 1):
            seat = self.seats.get(number)
            if seat is None:
                if dice.random() < 2 * chance:
                    self.players += 1
                    self.seats[number] = {
                        "player": f"p{self.players}",
                        "entering": True,
                        "post": dice.random() < 0.4,
                        "out": False,
                        "waited": 0,
                    }
            elif dice.random() < chance / 2:
                del self.seats[number]
            elif dice.random() < chance:
                seat["out"] = not seat["out"]
                seat["post"] = dice.random() < 0.4

    def candidates(self) -> list[Candidate]:
        return [
            Candidate(number, str(seat["player"]), bool(seat["entering"]), bool(seat["post"]))
            for number, seat in sorted(self.seats.items())
            if not seat["out"]
        ]

    def hands(self, count: int) -> Iterator[tuple[list[Candidate], LastHand, Plan]]:
        for _ in range(count):
            self.stir()
            candidates = self.candidates()
            if len(candidates) < 2:
                continue
            plan = plan_hand(candidates, self.last)
            if plan is None:
                drawn = self.random.choice(candidates).seat
                self.last = self.last._replace(button=drawn, small=0, big=0, dealt=(), drawn=True)
                plan = plan_hand(candidates, self.last)
                assert plan is not None
            yield candidates, self.last, plan
            self.play(plan)

    def play(self, plan: Plan) -> None:
        before = self.last
        players = {number: str(seat["player"]) for number, seat in self.seats.items()}
        self.last = LastHand(
            plan.button,
            plan.small,
            plan.big,
            players[plan.big],
            tuple((seat, players[seat]) for seat in plan.dealt),
        )
        for number, seat in self.seats.items():
            if number in plan.dealt:
                seat["entering"], seat["post"] = False, False
            elif seat["out"] and passed(before.big, plan.big, number):
                seat["entering"] = True


@pytest.mark.rule("TBL-10", "TBL-11", "TBL-12", "TBL-13", "TBL-15", "TBL-16")
@pytest.mark.parametrize("block", range(10))
def test_the_button_as_the_page_says(block: int) -> None:
    for seed in range(block * 250, block * 250 + 250):
        last_big = ""
        for candidates, last, plan in Room(seed).hands(60):
            check_plan(candidates, last, plan)
            by_seat = {one.seat: one for one in candidates}
            assert by_seat[plan.big].player_id != last_big, "the big blind in two hands running"
            last_big = by_seat[plan.big].player_id


def check_plan(candidates: list[Candidate], last: LastHand, plan: Plan) -> None:
    """Check a plan against the sentences of TBL-11 to TBL-16, one by one."""
    by_seat = {one.seat: one for one in candidates}
    dealt = set(plan.dealt)
    assert list(plan.dealt) == sorted(dealt)
    assert len(dealt) >= 2
    assert dealt <= set(by_seat)
    assert {plan.button, plan.small, plan.big} <= dealt
    if last.drawn:
        assert dealt == set(by_seat)
        assert not plan.posts
        return
    # Only seats dealt into the last hand and into the coming one move the button.
    movers = {one.seat for one in candidates if (one.seat, one.player_id) in last.dealt}
    assert len(movers) >= 2
    assert movers <= dealt
    assert plan.button in movers
    assert plan.small in movers
    # No mover is left out between the button and the small blind, or before the big blind.
    if plan.button != plan.small:
        assert not any(_between(plan.button, seat, plan.small) for seat in movers)
        assert not any(_between(plan.small, seat, plan.big) for seat in movers)
    # Heads-up the button posts the small blind; never else.
    assert (plan.button == plan.small) == (len(dealt) == 2)
    # The button goes to the next mover; further only when a seat would post the big blind again,
    # or when two become three.
    ring = sorted(movers, key=lambda seat: (seat <= last.button, seat))
    if plan.button != ring[0]:
        assert plan.button == ring[1]
        assert last.big in movers or len(movers) == 2
    # Nobody enters or returns by posting between the button and the big blind.
    for seat in dealt - movers - {plan.big}:
        assert not _between(plan.button, seat, plan.big)
        assert by_seat[seat].post or not by_seat[seat].entering
    assert set(plan.posts) == {
        seat for seat in dealt - movers - {plan.big} if by_seat[seat].entering
    }
    # Whoever would post and may is in.
    for seat in set(by_seat) - dealt:
        waits = by_seat[seat].entering and not by_seat[seat].post
        lone = len(movers) == 2 and len(dealt) == 2
        assert waits or lone or _between(plan.button, seat, plan.big)
    # Two become three: the newcomer is the big blind.
    newcomers = [one for one in candidates if one.seat not in movers]
    may = [one for one in newcomers if one.player_id != last.big_player]
    if len(movers) == 2 and may:
        assert plan.big in {one.seat for one in may}


def _between(start: int, seat: int, end: int) -> bool:
    return 0 < (seat - start) % 32 < (end - start) % 32


@pytest.mark.rule("TBL-15")
def test_nobody_waits_for_ever() -> None:
    for seed in range(1_500):
        room = Room(seed)
        for candidates, _, plan in room.hands(60):
            for one in candidates:
                seat = room.seats[one.seat]
                waited = 0 if one.seat in plan.dealt else int(str(seat["waited"])) + 1
                seat["waited"] = waited
                assert waited <= _LONGEST_WAIT * room.size, f"seed {seed}"


@pytest.mark.rule("TBL-16", "TBL-17")
def test_what_a_blind_passes() -> None:
    assert [seat for seat in range(1, 7) if passed(2, 5, seat)] == [3, 4]
    assert [seat for seat in range(1, 7) if passed(5, 2, seat)] == [1, 6]
    assert not any(passed(0, 3, seat) for seat in range(1, 7))
    assert not any(passed(3, 4, seat) for seat in range(1, 7))
