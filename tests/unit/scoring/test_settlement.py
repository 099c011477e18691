"""Settlement: its order, its caps, and what is refused."""

from __future__ import annotations

import pytest

from pokerfloor.scoring import (
    AMOUNT_OUT_OF_RANGE,
    MOST_POINTS,
    PAIR_MISSING,
    PAIR_TWICE,
    UNKNOWN_SEAT,
    WRONG_SEATS,
    PairScored,
    SettlementError,
    settle,
    settlement_order,
)


@pytest.mark.rule("OFC-21", "SCP-5")
@pytest.mark.parametrize(
    ("button", "seats", "order"),
    [
        # The two after the button, the first and the button, the second and the button.
        (3, (1, 2, 3), [(1, 2), (1, 3), (2, 3)]),
        (1, (1, 2, 3), [(2, 3), (2, 1), (3, 1)]),
        (5, (9, 2, 5), [(9, 2), (9, 5), (2, 5)]),
        (2, (2, 7), [(7, 2)]),
        (7, (2, 7), [(2, 7)]),
        (2, (1, 2, 3, 4), [(3, 4), (3, 1), (3, 2), (4, 1), (4, 2), (1, 2)]),
        # A button where nobody of the hand sits.
        (6, (1, 4, 8), [(8, 1), (8, 4), (1, 4)]),
    ],
)
def test_the_order(button: int, seats: tuple[int, ...], order: list[tuple[int, int]]) -> None:
    assert list(settlement_order(button, seats)) == order


@pytest.mark.rule("OFC-14", "OFC-21", "OFC-22")
def test_the_worked_example() -> None:
    """First 5, second 10, button 135: 20, 0 and 130."""
    settled = settle(
        3,
        {1: 5, 2: 10, 3: 135},
        [PairScored(1, 2, 10), PairScored(1, 3, 40), PairScored(3, 2, 20)],
    )
    assert [(pay.a, pay.b, pay.scored, pay.paid) for pay in settled.payments] == [
        (1, 2, 10, 5),
        (1, 3, 40, 10),
        (2, 3, -20, -5),
    ]
    assert dict(settled.stacks) == {1: 20, 2: 0, 3: 130}
    assert [pay.reason.code for pay in settled.payments] == [
        "capped_by_winner",
        "capped_by_winner",
        "capped_by_payer",
    ]
    assert settled.payments[2].reason.text == "seat 2 pays seat 3 5 of 20: seat 2 has no more"


@pytest.mark.rule("OFC-22")
def test_in_another_order_the_same_points_pay_otherwise() -> None:
    """The button moved: the second is settled before the first has anything."""
    settled = settle(
        1,
        {1: 5, 2: 10, 3: 135},
        [PairScored(1, 2, 10), PairScored(1, 3, 40), PairScored(3, 2, 20)],
    )
    # 2 against 3: 10 of 20. 2 against 1: nothing left. 3 against 1: 5 of 40.
    assert [pay.paid for pay in settled.payments] == [-10, 0, -5]
    assert dict(settled.stacks) == {1: 10, 2: 0, 3: 140}


@pytest.mark.rule("OFC-21", "OFC-22")
@pytest.mark.parametrize(
    ("stacks", "points", "paid", "reason"),
    [
        ((50, 50), 19, 19, "paid_in_full"),
        ((50, 50), -19, -19, "paid_in_full"),
        ((50, 50), 0, 0, "nothing_to_pay"),
        ((50, 7), 19, 7, "capped_by_payer"),
        ((7, 50), 19, 7, "capped_by_winner"),
        ((7, 50), -19, -7, "capped_by_payer"),
        ((19, 19), 19, 19, "paid_in_full"),
        ((0, 50), 19, 0, "capped_by_winner"),
        ((MOST_POINTS, MOST_POINTS), MOST_POINTS, MOST_POINTS, "paid_in_full"),
    ],
)
def test_heads_up_is_one_settlement(
    stacks: tuple[int, int], points: int, paid: int, reason: str
) -> None:
    settled = settle(8, {4: stacks[0], 8: stacks[1]}, [PairScored(4, 8, points)])
    (payment,) = settled.payments
    assert (payment.scored, payment.paid, payment.reason.code) == (points, paid, reason)
    assert dict(settled.stacks) == {4: stacks[0] + paid, 8: stacks[1] - paid}


@pytest.mark.rule("SCP-5")
def test_four_players_of_scoop() -> None:
    pairs = [
        PairScored(1, 2, 30), PairScored(1, 3, -10), PairScored(1, 4, 5),
        PairScored(2, 3, 12), PairScored(2, 4, 0), PairScored(3, 4, 60),
    ]  # fmt: skip
    settled = settle(4, {1: 100, 2: 20, 3: 40, 4: 50}, pairs[::-1])
    assert [(pay.a, pay.b, pay.paid) for pay in settled.payments] == [
        (1, 2, 20),
        (1, 3, -10),
        (1, 4, 5),
        (2, 3, 0),  # the second has nothing since the first settlement
        (2, 4, 0),
        (3, 4, 45),
    ]
    assert dict(settled.stacks) == {1: 115, 2: 0, 3: 95, 4: 0}


TWO = {1: 10, 2: 10}
THREE = {**TWO, 3: 10}
WON = PairScored(1, 2, 3)


@pytest.mark.parametrize(
    ("stacks", "pairs", "code", "field"),
    [
        ({}, [], WRONG_SEATS, "stacks"),
        ({1: 10}, [], WRONG_SEATS, "stacks"),
        (dict.fromkeys(range(1, 6), 10), [], WRONG_SEATS, "stacks"),
        ({1: 10, 2: -1}, [WON], AMOUNT_OUT_OF_RANGE, "stacks[2]"),
        ({1: 10, 2: MOST_POINTS + 1}, [WON], AMOUNT_OUT_OF_RANGE, "stacks[2]"),
        (TWO, [], PAIR_MISSING, "pairs"),
        (THREE, [WON, PairScored(3, 2, 1)], PAIR_MISSING, "pairs"),
        (TWO, [WON, WON], PAIR_TWICE, "pairs[1]"),
        (TWO, [WON, PairScored(2, 1, -3)], PAIR_TWICE, "pairs[1]"),
        (TWO, [PairScored(1, 1, 0)], PAIR_TWICE, "pairs[0]"),
        (TWO, [PairScored(1, 3, 1)], UNKNOWN_SEAT, "pairs[0]"),
        (TWO, [PairScored(1, 2, -MOST_POINTS - 1)], AMOUNT_OUT_OF_RANGE, "pairs[0]"),
    ],
)
def test_what_cannot_be_settled(
    stacks: dict[int, int], pairs: list[PairScored], code: str, field: str
) -> None:
    with pytest.raises(SettlementError) as caught:
        settle(1, stacks, pairs)
    assert (caught.value.code, caught.value.field) == (code, field)
    assert caught.value.reason in str(caught.value)
