"""No-limit betting: who may do what, and how much (BET-1 to BET-3, BET-10 to BET-12)."""

import pytest

from pokerfloor.games import (
    Act,
    ActionTaken,
    ActKind,
    BetReturned,
    Code,
    ForcedBet,
    ForcedKind,
    MinRaise,
    Refusal,
    RevealOrdered,
    RevealReason,
    WaitAction,
)
from tests.support.games.scenario import Scenario, antes, table


@pytest.mark.rule("BET-1", "BET-3")
def test_the_legal_set_before_and_after_a_bet() -> None:
    hand = Scenario(table(100, 100, 100))
    assert hand.seat == 3
    legal = hand.legal
    assert (legal.can_fold, legal.can_check, legal.call_by, legal.call_to) == (True, False, 2, 2)
    assert (legal.bet_min, legal.bet_max) == (0, 0)
    assert (legal.raise_min, legal.raise_max, legal.step) == (4, 100, 1)
    assert (legal.all_in_as, legal.all_in_to) == (ActKind.RAISE, 100)
    hand.play("c c")
    legal = hand.legal  # the big blind's option
    assert (legal.can_check, legal.call_by, legal.call_to) == (True, 0, 0)
    assert (legal.raise_min, legal.raise_max) == (4, 100)
    hand.play("k")
    legal = hand.legal  # the flop, nothing bet
    assert (legal.can_check, legal.bet_min, legal.bet_max) == (True, 2, 98)
    assert (legal.raise_min, legal.raise_max) == (0, 0)
    assert (legal.all_in_as, legal.all_in_to) == (ActKind.BET, 98)


@pytest.mark.rule("BET-1")
def test_a_fold_is_legal_even_when_nothing_is_owed() -> None:
    hand = Scenario(table(100, 100, 100)).play("c c f")
    assert hand.seat == 1
    assert hand.hand.state.folded == [False, True, False]


@pytest.mark.rule("BET-1")
@pytest.mark.parametrize(
    ("before", "stacks", "meant"),
    [
        ("", (100, 100, 100), (ActKind.RAISE, 100, 100, True)),
        ("", (100, 100, 2), (ActKind.CALL, 2, 2, True)),
        ("", (100, 100, 1), (ActKind.CALL, 1, 1, True)),
        ("", (100, 100, 3), (ActKind.RAISE, 3, 3, True)),
        ("c c k", (50, 100, 100), (ActKind.BET, 48, 48, True)),
        # Only the call of what is covered is open: nobody could answer a raise.
        ("a f", (100, 100, 60), (ActKind.CALL, 60, 58, False)),
    ],
)
def test_all_in_becomes_the_right_action(
    before: str, stacks: tuple[int, ...], meant: tuple[object, ...]
) -> None:
    hand = Scenario(table(*stacks)).play(before).play("a")
    action = hand.last(ActionTaken)
    assert (action.kind, action.to, action.by, action.all_in) == meant


@pytest.mark.rule("BET-3")
@pytest.mark.parametrize(
    ("kind", "amount", "code", "number"),
    [
        (ActKind.CHECK, 0, Code.ACTION_NOT_ALLOWED, "20"),
        (ActKind.BET, 40, Code.ACTION_NOT_ALLOWED, "bet"),
        (ActKind.RAISE, 35, Code.AMOUNT_TOO_SMALL, "40"),
        (ActKind.RAISE, -5, Code.AMOUNT_TOO_SMALL, "40"),
        (ActKind.RAISE, 0, Code.AMOUNT_TOO_SMALL, "40"),
        (ActKind.RAISE, 1005, Code.AMOUNT_TOO_LARGE, "1000"),
        (ActKind.RAISE, 42, Code.NOT_A_WHOLE_CHIP, "5"),
        (ActKind.CALL, 25, Code.AMOUNT_NOT_EXPECTED, "20"),
        (ActKind.FOLD, 5, Code.AMOUNT_NOT_EXPECTED, "5"),
        (ActKind.ALL_IN, 1000, Code.AMOUNT_NOT_EXPECTED, "1000"),
    ],
)
def test_what_is_refused_has_a_code_and_quotes_the_numbers(
    kind: ActKind, amount: int, code: Code, number: str
) -> None:
    hand = Scenario(table(1000, 1000, 1000, small=10, big=20, smallest_chip_minor=5))
    refusal = hand.refused(kind, amount)
    assert refusal is not None
    assert refusal.code == code
    assert number in refusal.reason
    assert refusal.field in ("kind", "amount_to")


@pytest.mark.rule("BET-3")
def test_out_of_turn_and_stale_turns_are_refused() -> None:
    hand = Scenario(table(100, 100, 100))
    turn_no = hand.turn.turn_no
    digest = hand.hand.digest()
    wrong = hand.hand.execute(Act(1, turn_no, ActKind.CALL))
    assert isinstance(wrong, Refusal)
    assert (wrong.code, wrong.field) == (Code.NOT_YOUR_TURN, "seat")
    unknown = hand.hand.execute(Act(9, turn_no, ActKind.CALL))
    assert isinstance(unknown, Refusal)
    assert unknown.code == Code.NOT_YOUR_TURN
    hand.hand.execute(Act(3, turn_no + 1, ActKind.CALL))
    assert hand.hand.digest() == digest
    hand.play("r6 r20 f")
    stale = hand.hand.execute(Act(3, turn_no, ActKind.CALL))
    assert isinstance(stale, Refusal)
    assert (stale.code, stale.field) == (Code.STALE_TURN, "turn_no")


@pytest.mark.rule("BET-2")
def test_the_street_ends_when_all_have_acted_and_owe_nothing() -> None:
    hand = Scenario(table(100, 100, 100)).play("c c k")
    assert hand.hand.state.street_no == 1
    hand.play("k b4 c f")
    assert hand.hand.state.street_no == 2
    assert hand.seat == 2


@pytest.mark.rule("BET-2")
@pytest.mark.parametrize("kind", [ForcedKind.STRADDLE, ForcedKind.POST])
def test_a_straddle_and_a_post_have_the_option(kind: ForcedKind) -> None:
    amount = 4 if kind is ForcedKind.STRADDLE else 2
    hand = Scenario(table(100, 100, 100, 100, extra=(ForcedBet(3, kind, amount),)))
    if kind is ForcedKind.STRADDLE:  # HLD-3: the first to act is left of the straddle
        assert hand.seat == 4
        hand.play("c c c")
    legal = hand.legal
    assert hand.seat == 3
    assert legal.can_check
    assert legal.raise_min == 2 * amount
    hand.play("k")
    assert hand.hand.state.street_no == (1 if kind is ForcedKind.STRADDLE else 0)


@pytest.mark.rule("BET-1")
def test_a_seat_that_posts_twice_has_both_in_front() -> None:
    hand = Scenario(table(100, 100, 100, extra=(ForcedBet(1, ForcedKind.POST, 2),)))
    assert hand.hand.state.bets == [1 + 2, 2, 0]
    assert hand.hand.state.stacks == [97, 98, 100]
    assert hand.legal.call_to == 3


@pytest.mark.rule("BET-2")
def test_no_more_is_owed_than_an_opponent_can_put_in() -> None:
    # Heads-up, the big blind of 100 is all-in for 70: the small blind of 50 owes 20.
    hand = Scenario(table(70, 1000, small=50, big=100))
    assert hand.seat == 2
    assert (hand.legal.call_by, hand.legal.call_to) == (20, 70)
    assert hand.legal.raise_max == 0
    hand.play("c")
    assert hand.over.result.pots[0].amount == 140


@pytest.mark.rule("BET-2", "POT-2")
def test_a_big_blind_short_of_the_small_blind_leaves_nothing_to_decide() -> None:
    hand = Scenario(table(30, 1000, small=50, big=100))
    assert hand.over.result.pots[0].amount == 60
    returned = hand.last(BetReturned)
    assert (returned.seat, returned.amount) == (2, 20)
    assert hand.of(ActionTaken) == []


@pytest.mark.rule("BET-2", "BET-11")
def test_three_handed_the_short_big_blind_is_owed_in_full() -> None:
    hand = Scenario(table(1000, 30, 1000, small=50, big=100))
    assert hand.seat == 3
    assert hand.legal.call_to == 100
    assert hand.legal.raise_min == 200


@pytest.mark.rule("BET-2")
def test_hands_are_exposed_at_once_and_then_the_board_is_dealt() -> None:
    hand = Scenario(table(100, 100, 100)).play("a f c")
    reasons = [event.reason for event in hand.of(RevealOrdered)]
    assert reasons == [RevealReason.ALL_IN, *[RevealReason.BOARD] * 3]
    exposed = hand.of(RevealOrdered)[0].places
    assert {place.owner for place in exposed} == {2, 3}
    assert hand.over.result.mucked == ()


@pytest.mark.rule("BET-2")
def test_betting_goes_on_while_two_seats_have_chips() -> None:
    hand = Scenario(table(20, 100, 100)).play("r10 a c c")
    assert hand.hand.state.street_no == 1
    hand.play("k b30 c k k k k")
    assert [pot.amount for pot in hand.over.result.pots] == [60, 60]


@pytest.mark.rule("BET-10")
def test_a_bet_is_at_least_the_big_blind_or_the_minimum_bet() -> None:
    hand = Scenario(table(100, 100, 100, big=4, small=2)).play("c c k")
    assert hand.refused(ActKind.BET, 3).code == Code.AMOUNT_TOO_SMALL
    assert hand.legal.bet_min == 4
    only_antes = Scenario(table(100, 100, 100, forced=antes(1, 3), min_bet_minor=6))
    assert only_antes.seat == 1
    assert only_antes.legal.bet_min == 6


@pytest.mark.rule("BET-10", "BET-12")
def test_a_stack_below_the_minimum_may_be_bet_whole() -> None:
    hand = Scenario(table(100, 5, 100, big=4, small=2)).play("c c k k")
    assert (hand.legal.bet_min, hand.legal.bet_max) == (1, 1)
    assert hand.act(ActKind.BET, 1) is None
    assert (hand.legal.call_to, hand.legal.raise_min) == (1, 5)


@pytest.mark.rule("BET-11")
def test_a_raise_is_by_the_largest_full_bet_or_raise() -> None:
    hand = Scenario(table(1000, 1000, 1000)).play("c c k b5")
    assert hand.legal.raise_min == 10
    hand.play("r15")
    assert hand.legal.raise_min == 25
    hand.play("r25")
    assert hand.legal.raise_min == 35
    hand.play("r100")
    assert hand.legal.raise_min == 175


@pytest.mark.rule("BET-11")
def test_the_doubling_option() -> None:
    hand = Scenario(table(1000, 1000, 1000, min_raise=MinRaise.DOUBLE)).play("c c k b5 r15")
    assert hand.legal.raise_min == 30
    assert hand.refused(ActKind.RAISE, 29).code == Code.AMOUNT_TOO_SMALL
    hand.play("r50")
    assert hand.legal.raise_min == 100


@pytest.mark.rule("BET-12")
def test_a_short_all_in_raise_does_not_reopen_the_betting() -> None:
    hand = Scenario(table(1000, 130, 1000, small=1, big=2)).play("r100 f a")
    assert hand.seat == 3
    assert hand.legal.call_to == 130
    assert hand.legal.raise_max == 0
    refusal = hand.refused(ActKind.RAISE, 300)
    assert refusal.code == Code.ACTION_NOT_ALLOWED
    hand.play("c")
    assert hand.over.result.pots[0].amount == 261


@pytest.mark.rule("BET-12")
def test_a_seat_that_has_not_acted_may_raise_over_a_short_all_in() -> None:
    # Seat 3 bets 100, seat 4 is all-in for 130; seat 1 has not acted and raises by 100 at least.
    hand = Scenario(table(1000, 1000, 1000, 130)).play("r100 a")
    assert hand.seat == 1
    assert hand.legal.raise_min == 130 + 98
    hand.play("c f")
    assert hand.seat == 3
    assert hand.legal.raise_max == 0


@pytest.mark.rule("BET-12")
def test_short_all_ins_that_add_up_reopen_the_betting() -> None:
    # A 100, B all-in 125, C calls, D all-in 200, E calls: A faces 100 more and may raise.
    setup = table(1000, 1000, 1000, 125, 1000, 200, 1000, small=1, big=2, button=7)
    hand = Scenario(setup).play("r100 a c a c f f")
    assert hand.seat == 3
    assert hand.legal.call_to == 200
    assert hand.legal.raise_min == 298  # the last full raise was by 98
    hand.play("c")
    # C called 125 and faces 75 more, less than a full raise: it may only call or fold.
    assert hand.seat == 5
    assert (hand.legal.call_to, hand.legal.raise_max) == (200, 0)


@pytest.mark.rule("BET-12")
def test_a_full_all_in_raise_is_not_part_of_the_sum() -> None:
    # Blinds 1/2: all-in 16 (full), the button calls, the small blind is all-in 19, the big blind
    # calls: the button may only call or fold.
    hand = Scenario(table(19, 100, 16, 100)).play("a c a c")
    assert hand.seat == 4
    assert (hand.legal.call_to, hand.legal.raise_max) == (19, 0)


@pytest.mark.rule("BET-12")
def test_a_check_counts_as_acting_before_a_short_all_in_bet() -> None:
    hand = Scenario(table(100, 7, 100, small=2, big=4)).play("c c k k a c")
    assert hand.seat == 1
    assert (hand.legal.call_to, hand.legal.raise_max) == (3, 0)


@pytest.mark.rule("BET-12")
def test_the_next_minimum_raise_is_the_last_full_increment_on_top() -> None:
    # Bet 100, all-in 140: the next raise is to at least 240.
    hand = Scenario(table(1000, 142, 1000)).play("c c k b100 a")
    assert hand.legal.raise_min == 240


@pytest.mark.rule("BET-2")
def test_the_last_seat_with_chips_is_asked_only_if_it_owes() -> None:
    hand = Scenario(table(50, 100, 80)).play("a a")
    assert hand.seat == 2
    assert hand.legal.call_to == 80
    assert isinstance(hand.hand.waits_for(), WaitAction)
    hand.play("c")
    assert [pot.amount for pot in hand.over.result.pots] == [150, 60]
