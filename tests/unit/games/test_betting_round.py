"""What a betting round keeps of its bets: every number of it, as the digest of a hand has it."""

import pytest

from pokerfloor.games import GAMES, Structure
from pokerfloor.games.betting_round import NO_CAP, NOT_YET, BettingRound
from tests.support.games.scenario import antes, table


def no_limit(seats: int = 3) -> BettingRound:
    return BettingRound(table(*[1000] * seats, small=5, big=10))


def stud() -> BettingRound:
    """Three seats, bets of 10 and 20, one bet and three raises."""
    return BettingRound(
        table(
            *[1000] * 3,
            game=GAMES["stud7"],
            structure=Structure.FIXED_LIMIT,
            forced=antes(1, 3),
            big=10,
            big_bet_minor=20,
        )
    )


@pytest.mark.rule("BET-11", "BET-12")
def test_full_and_short_raises_are_counted() -> None:
    betting = no_limit()
    nobody = [NOT_YET] * 3
    # size, increment, level, full level, full raises, raises, last aggressor, cap, begun, acted
    start = (10, 10, 0, 0, 0, 0, NOT_YET, NO_CAP, 0, tuple(nobody), tuple(nobody))
    assert betting.canonical() == start
    betting.begin(uncapped=False, upper=0)
    betting.raised(0, 30)
    after_bet = (10, 30, 30, 30, 1, 1, 0, NO_CAP, 1, (1, NOT_YET, NOT_YET), (30, NOT_YET, NOT_YET))
    assert betting.canonical() == after_bet
    betting.raised(1, 45)  # an all-in, short by 15
    after_short = (10, 30, 45, 30, 1, 1, 1, NO_CAP, 1, (1, 1, NOT_YET), (30, 45, NOT_YET))
    assert betting.canonical() == after_short
    betting.raised(2, 75)
    after_raise = (10, 30, 75, 75, 2, 2, 2, NO_CAP, 1, (1, 1, 2), (30, 45, 75))
    assert betting.canonical() == after_raise
    betting.raised(0, 125)
    betting.acted(1)
    after_call = (10, 50, 125, 125, 3, 3, 0, NO_CAP, 1, (3, 3, 2), (125, 125, 75))
    assert betting.canonical() == after_call
    betting.start(20)
    assert betting.canonical() == (20, 20, *start[2:])
    assert betting.upper == 0


@pytest.mark.rule("STD-2")
def test_a_bring_in_of_full_size_is_the_first_bet_and_a_smaller_one_is_none() -> None:
    full = stud()
    full.bring_in(1, 10)
    acted = ((NOT_YET, 1, NOT_YET), (NOT_YET, 10, NOT_YET))
    assert full.canonical() == (10, 10, 10, 10, 1, 1, NOT_YET, 4, 0, *acted)
    assert full.minimum_to() == 20
    small = stud()
    small.bring_in(2, 4)
    acted = ((NOT_YET, NOT_YET, 0), (NOT_YET, NOT_YET, 4))
    assert small.canonical() == (10, 10, 4, 0, 0, 0, NOT_YET, 4, 0, *acted, 4)
    assert small.minimum_to() == 10
    small.raised(0, 6)
    assert not small.may_raise(2), "a short all-in completes nothing"
    near = stud()
    near.bring_in(2, 8)
    near.raised(0, 10)
    assert near.may_raise(2), "the completion is the first bet, though it asks for two more"
    after_a_blind = stud()
    after_a_blind.post_bet(5, 5)
    after_a_blind.bring_in(1, 10)
    assert after_a_blind.raises == 2, "it adds to the bets before it"


@pytest.mark.rule("STD-4")
def test_the_second_size_is_kept_only_while_it_is_open() -> None:
    betting = stud()
    plain = betting.canonical()
    betting.begin(uncapped=False, upper=20)
    assert betting.canonical() == (*plain[:8], 1, *plain[9:], 20)
    betting.raised(0, 10)
    betting.raised(1, 20)  # by ten: the larger size has not been used
    assert (betting.size, betting.upper) == (10, 20)
    assert (betting.minimum_to(), betting.upper_to()) == (30, 40)
    betting.raised(2, 40)
    assert (betting.size, betting.upper) == (20, 0)
    assert betting.minimum_to() == 60


@pytest.mark.rule("STD-4", "BET-33")
def test_the_second_size_leads_above_whatever_is_in_front() -> None:
    betting = stud()
    betting.begin(uncapped=False, upper=20)
    levels = []
    for front in (0, 3, 10, 20, 29):
        betting.post(front)
        levels.append((betting.minimum_to(), betting.upper_to()))
    assert levels == [(10, 20), (10, 20), (20, 20), (30, 40), (30, 40)]
    betting = stud()
    betting.begin(uncapped=False, upper=20)
    betting.raised(0, 10)
    betting.post(13)
    assert (betting.minimum_to(), betting.upper_to()) == (20, 30)


@pytest.mark.rule("BET-33")
def test_the_next_level_lies_above_whatever_is_in_front() -> None:
    betting = stud()
    levels = []
    for front in (0, 3, 10, 14, 20, 29):
        betting.post(front)
        levels.append(betting.minimum_to())
    assert levels == [10, 10, 20, 20, 30, 30]
    betting.raised(0, 30)
    assert betting.minimum_to() == 40


@pytest.mark.rule("BET-11")
def test_a_straddle_sets_the_next_raise_and_a_post_only_what_is_owed() -> None:
    betting = no_limit()
    betting.post_bet(10, 10)
    betting.post_bet(20, 20)
    assert (betting.level, betting.increment, betting.full_level, betting.raises) == (20, 20, 20, 2)
    assert betting.minimum_to() == 40
    betting.post(15)
    assert (betting.level, betting.minimum_to()) == (20, 40)
    betting.post(25)
    assert (betting.level, betting.minimum_to(), betting.raises) == (25, 45, 2)
    short = no_limit()
    short.post_bet(4, 10)  # a big blind that has only 4 is owed in full
    assert (short.level, short.full_level, short.raises) == (10, 10, 1)


def test_a_copy_is_independent() -> None:
    betting = no_limit()
    twin = betting.copy()
    assert twin.canonical() == betting.canonical()
    twin.raised(1, 30)
    assert betting.canonical() == no_limit().canonical()
    assert twin.canonical() != betting.canonical()
