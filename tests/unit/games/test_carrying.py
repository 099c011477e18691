"""Which hands win pots that only a hand good enough can win (MAT-6, POT-3)."""

import pytest

from pokerfloor.games import GAMES, NO_RAKE, Award, Half, Pot, RakeRule, Raking
from pokerfloor.games.carrying import least_strength, pot_winners, settle

MATA = GAMES["mata_ases"]
LEAST = least_strength(MATA)
POTS = (Pot(0, 30, (1, 2, 3)), Pot(1, 10, (3,)), Pot(2, 20, (1, 2)))


@pytest.mark.rule("MAT-6", "POT-3")
def test_the_weakest_hand_that_qualifies_wins_and_the_next_weaker_does_not() -> None:
    enough = {1: LEAST, 2: LEAST - 1, 3: LEAST - 1}
    assert pot_winners(MATA, POTS, enough) == ((1,), (3,), (1,))
    too_little = dict.fromkeys((1, 2, 3), LEAST - 1)
    assert pot_winners(MATA, POTS, too_little) == ((), (3,), ())
    tied = {1: LEAST + 5, 2: LEAST + 5, 3: LEAST}
    assert pot_winners(MATA, POTS, tied) == ((1, 2), (3,), (1, 2))


@pytest.mark.rule("MAT-6")
def test_a_hand_that_is_not_known_wins_nothing() -> None:
    assert pot_winners(MATA, POTS, {3: LEAST}) == ((3,), (3,), ())
    assert pot_winners(MATA, POTS, {}) == ((), (3,), ())


@pytest.mark.rule("MAT-6", "MAT-7", "POT-4")
def test_what_is_paid_and_what_is_carried() -> None:
    raking = Raking(NO_RAKE, ((1, 25), (2, 25), (3, 10)), 1, dropped=True)
    rake, awards = settle(MATA, POTS, ((1,), (3,), ()), raking, (2, 3, 1))
    assert awards == (Award(1, 0, Half.WHOLE, 3, 10), Award(0, 0, Half.HIGH, 1, 30))
    assert rake.total == 0
    half = Raking(RakeRule(1000), ((1, 25), (2, 25), (3, 10)), 1, dropped=True)
    rake, awards = settle(MATA, POTS, ((), (3,), (1, 2)), half, (2, 3, 1))
    # 30 are paid and raked by 3: one from the ten, two from the twenty.
    assert rake.by_pot == (0, 1, 2)
    assert awards == (
        Award(2, 0, Half.HIGH, 2, 9),
        Award(2, 0, Half.HIGH, 1, 9),
        Award(1, 0, Half.WHOLE, 3, 9),
    )
