"""Every sentence that an action may be refused with, its code and its field (BET-1, BET-3)."""

import pytest

from pokerfloor.games import Act, ActKind, Code, ForcedBet, ForcedKind, Refusal, Structure
from tests.support.games.scenario import Scenario, refused, stud, table

CHIPS_OF_5 = table(1000, 1000, 1000, small=10, big=20, smallest_chip_minor=5)
POT_LIMIT = table(1000, 1000, 1000, structure=Structure.POT_LIMIT)
LIMIT = table(
    *[1000] * 3, small=5, big=10, big_bet_minor=20, structure=Structure.FIXED_LIMIT, raise_cap=1
)


@pytest.mark.rule("BET-3")
@pytest.mark.parametrize(
    ("before", "kind", "amount", "refusal"),
    [
        ("", "check", 0, (Code.ACTION_NOT_ALLOWED, "no check: 20 is owed", "kind")),
        ("c c", "call", 0, (Code.ACTION_NOT_ALLOWED, "no call: nothing is owed", "kind")),
        (
            "",
            "bet",
            40,
            (Code.ACTION_NOT_ALLOWED, "no bet: there is a bet on this street", "kind"),
        ),
        (
            "c c k",
            "raise",
            40,
            (Code.ACTION_NOT_ALLOWED, "no raise: nobody has bet on this street", "kind"),
        ),
        (
            "",
            "raise",
            35,
            (Code.AMOUNT_TOO_SMALL, "a raise must make it at least 40, not 35", "amount_to"),
        ),
        (
            "c c k",
            "bet",
            15,
            (Code.AMOUNT_TOO_SMALL, "a bet must make it at least 20, not 15", "amount_to"),
        ),
        (
            "",
            "raise",
            1005,
            (Code.AMOUNT_TOO_LARGE, "a raise can make it at most 1000, not 1005", "amount_to"),
        ),
        (
            "c c k",
            "bet",
            985,
            (Code.AMOUNT_TOO_LARGE, "a bet can make it at most 980, not 985", "amount_to"),
        ),
        (
            "",
            "raise",
            42,
            (Code.NOT_A_WHOLE_CHIP, "42 is not a whole number of chips of 5", "amount_to"),
        ),
        (
            "",
            "call",
            25,
            (Code.AMOUNT_NOT_EXPECTED, "a call makes it 20, not 25", "amount_to"),
        ),
        (
            "",
            "fold",
            5,
            (Code.AMOUNT_NOT_EXPECTED, "fold takes no amount, but 5 was given", "amount_to"),
        ),
        (
            "",
            "all_in",
            1000,
            (Code.AMOUNT_NOT_EXPECTED, "all-in takes no amount, but 1000 was given", "amount_to"),
        ),
    ],
)
def test_an_action_out_of_place_or_of_a_wrong_amount(
    before: str, kind: str, amount: int, refusal: tuple[Code, str, str]
) -> None:
    hand = Scenario(CHIPS_OF_5).play(before)
    assert hand.refused(ActKind(kind), amount) == refusal


@pytest.mark.rule("BET-3", "BET-20")
@pytest.mark.parametrize(("before", "everything", "most"), [("", 1000, 7), ("c c k", 998, 6)])
def test_an_all_in_over_the_pot(before: str, everything: int, most: int) -> None:
    reason = f"all-in would make it {everything}, at most {most} is allowed"
    hand = Scenario(POT_LIMIT).play(before)
    assert hand.refused(ActKind.ALL_IN) == (Code.AMOUNT_TOO_LARGE, reason, "kind")


@pytest.mark.rule("BET-3", "BET-20")
def test_an_all_in_over_the_pot_counts_what_lies_in_front() -> None:
    hand = Scenario(POT_LIMIT).play("c")  # the small blind has 1 in front and 999 behind
    reason = "all-in would make it 1000, at most 8 is allowed"
    assert hand.refused(ActKind.ALL_IN) == (Code.AMOUNT_TOO_LARGE, reason, "kind")


@pytest.mark.rule("BET-3", "BET-31")
def test_above_the_cap() -> None:
    hand = Scenario(LIMIT).play("r20")
    reason = "no raise is open to this seat in this turn"
    assert hand.refused(ActKind.RAISE, 30) == (Code.ACTION_NOT_ALLOWED, reason, "kind")
    # The big blind's option after a straddle has used up the cap: no raise and nothing to call.
    straddled = table(
        *[1000] * 4,
        small=5,
        big=10,
        big_bet_minor=20,
        structure=Structure.FIXED_LIMIT,
        raise_cap=1,
        extra=(ForcedBet(3, ForcedKind.STRADDLE, 20),),
    )
    option = Scenario(straddled).play("c c c")
    reason = "no all-in: nothing is owed and no raise is open to this seat"
    assert option.refused(ActKind.ALL_IN) == (Code.ACTION_NOT_ALLOWED, reason, "kind")


@pytest.mark.rule("BET-3", "STD-4")
def test_between_two_sizes() -> None:
    hole = {1: "AcAd4c5c", 2: "2c3d9h9d", 3: "KcKd7c8c"}
    hand = stud(200, 200, 200, hole=hole).play("c c")
    reason = "a bet makes it 10 or 20, not 15"
    assert hand.refused(ActKind.BET, 15) == (Code.AMOUNT_NOT_A_SIZE, reason, "amount_to")
    hand.play("b10")
    reason = "a raise makes it 20 or 30, not 25"
    assert hand.refused(ActKind.RAISE, 25) == (Code.AMOUNT_NOT_A_SIZE, reason, "amount_to")


@pytest.mark.rule("BET-3")
def test_out_of_turn_and_too_late() -> None:
    hand = Scenario(CHIPS_OF_5).play("c").hand
    early = refused(hand, Act(2, 2, ActKind.CHECK))
    assert early == Refusal(Code.NOT_YOUR_TURN, "it is the turn of seat 1, not of seat 2", "seat")
    stale = refused(hand, Act(1, 1, ActKind.CALL))
    assert stale == Refusal(Code.STALE_TURN, "this is turn 2, the action answers turn 1", "turn_no")
