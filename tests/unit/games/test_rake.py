"""The house's part (POT-10, POT-11)."""

from dataclasses import replace

import pytest

from pokerfloor.games import (
    HOLDEM,
    Carried,
    ForcedBet,
    ForcedKind,
    Pot,
    RakeCap,
    RakeRule,
    RakeTaken,
)
from pokerfloor.games.rake import compute_rake, largest_remainder
from tests.support.games.scenario import Scenario, table

TWO_POTS = (Pot(0, 600, (1, 2, 3)), Pot(1, 400, (2, 3)))
PAID = [(1, 200), (2, 400), (3, 400)]


@pytest.mark.rule("POT-10")
def test_the_rate_is_rounded_down_to_the_smallest_chip() -> None:
    assert compute_rake(RakeRule(555), TWO_POTS, PAID, 1, dropped=True).total == 55
    assert compute_rake(RakeRule(555), TWO_POTS, PAID, 25, dropped=True).total == 50
    assert compute_rake(RakeRule(0), TWO_POTS, PAID, 1, dropped=True).total == 0


@pytest.mark.rule("POT-10")
def test_the_cap_depends_on_the_players_dealt_in() -> None:
    rule = RakeRule(1000, (RakeCap(2, 10), RakeCap(3, 30), RakeCap(5, 60)))
    assert compute_rake(rule, TWO_POTS, PAID, 1, dropped=True).total == 30
    assert compute_rake(rule, TWO_POTS, PAID[:2], 1, dropped=True).total == 10
    five = [*PAID, (4, 0), (5, 0)]
    assert compute_rake(rule, TWO_POTS, five, 1, dropped=True).total == 60


@pytest.mark.rule("POT-10")
def test_it_is_shared_over_the_pots_by_largest_remainder() -> None:
    rake = compute_rake(RakeRule(500, (RakeCap(2, 7),)), TWO_POTS, PAID, 1, dropped=True)
    assert rake.by_pot == (4, 3)  # 4.2 and 2.8
    even = (Pot(0, 500, (1, 2, 3)), Pot(1, 500, (2, 3)))
    tie = compute_rake(RakeRule(500, (RakeCap(2, 7),)), even, PAID, 1, dropped=True)
    assert tie.by_pot == (4, 3)  # ties to the main pot
    chips = compute_rake(RakeRule(1000), even, PAID, 20, dropped=True)
    assert chips.by_pot == (60, 40)


@pytest.mark.rule("POT-11")
def test_each_seat_has_its_share_by_contribution() -> None:
    rake = compute_rake(RakeRule(510), TWO_POTS, PAID, 1, dropped=True)
    assert rake.by_seat == ((1, 10), (2, 21), (3, 20))
    assert sum(share for _, share in rake.by_seat) == rake.total == 51


@pytest.mark.rule("POT-11", "MAT-6")
def test_of_a_carried_pot_alone_each_seat_has_an_equal_share() -> None:
    high = replace(HOLDEM.parts[0], qualifier="AcAd4c3d2h")
    row = replace(HOLDEM, id="aces_or_better", parts=(high,))
    big_blind = (ForcedBet(2, ForcedKind.BIG_BLIND, 2),)
    setup = table(
        *(100, 100, 100),
        game=row,
        forced=big_blind,
        carried=Carried(50, (1, 2)),
        rake=RakeRule(1000, no_flop_no_drop=False),
    )
    hand = Scenario(setup).play("f f")
    assert hand.stacks == [100, 100 + 45, 100], "the blind came back: nobody has put anything in"
    assert hand.over.result.rake.by_seat == ((1, 2), (2, 2), (3, 1))


def test_largest_remainder_sums_and_is_fair() -> None:
    assert largest_remainder(10, [1, 1, 1]) == [4, 3, 3]
    assert largest_remainder(0, [5, 1]) == [0, 0]
    assert largest_remainder(7, [0, 1]) == [0, 7]


@pytest.mark.rule("POT-10")
def test_no_flop_no_drop() -> None:
    rule = RakeRule(500)
    before = Scenario(table(1000, 1000, 1000, rake=rule)).play("r100 r300 f f")
    assert before.of(RakeTaken) == []
    assert before.over.result.rake.total == 0
    after = Scenario(table(1000, 1000, 1000, rake=rule)).play("r100 c f b50 f")
    assert after.last(RakeTaken).total == 202 * 500 // 10_000  # the uncalled 50 is not raked
    assert sum(after.stacks) == 3000 - 10
    always = rule._replace(no_flop_no_drop=False)
    hand = Scenario(table(1000, 1000, 1000, rake=always)).play("r100 r300 f f")
    assert hand.last(RakeTaken).total == 202 * 500 // 10_000


@pytest.mark.rule("POT-10", "POT-11", "SHW-4")
def test_the_result_states_the_rake() -> None:
    setup = table(40, 200, 200, rake=RakeRule(500, (RakeCap(2, 9),)))
    setup = replace(setup, forced=(*setup.forced, ForcedBet(3, ForcedKind.STRADDLE, 4)))
    hand = Scenario(setup, hole={1: "AsAh", 2: "KsKh", 3: "QsQh"}, board="2c3d7h8s9c")
    hand.play("a c c b100 c k k k k")
    result = hand.over.result
    assert [pot.amount for pot in result.pots] == [120, 200]
    assert result.rake.total == 9
    assert result.rake.by_pot == (3, 6)  # 3.375 and 5.625
    assert result.rake.by_seat == ((1, 1), (2, 4), (3, 4))  # 1.125, 3.9375, 3.9375
    assert [(a.seat, a.amount) for a in result.awards] == [(2, 194), (1, 117)]
    assert [(s.seat, s.start, s.end, s.net, s.rake) for s in result.seats] == [
        (1, 40, 117, 77, 1),
        (2, 200, 254, 54, 4),
        (3, 200, 60, -140, 4),
    ]
    assert sum(s.net for s in result.seats) + result.rake.total == 0
