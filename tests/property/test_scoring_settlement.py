"""Settlement keeps every point, whatever was scored and whatever the stacks (OFC-22, SCP-5)."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerfloor.scoring import PairScored, settle, settlement_order

Case = tuple[int, dict[int, int], list[PairScored]]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Two to four seats anywhere at the table; stacks and points that often meet."""
    seats = draw(st.lists(st.integers(1, 10), min_size=2, max_size=4, unique=True))
    amounts = st.one_of(st.integers(0, 40), st.integers(0, 10**6))
    stacks = {seat: draw(amounts) for seat in seats}
    points = st.one_of(amounts, amounts.map(int.__neg__))
    pairs = []
    for pair in combinations(seats, 2):
        a, b = draw(st.permutations(pair))
        pairs.append(PairScored(a, b, draw(points)))
    return draw(st.integers(1, 10)), stacks, draw(st.permutations(pairs))


@pytest.mark.rule("OFC-21", "OFC-22", "SCP-5")
@given(cases())
def test_every_point_is_kept_and_nobody_pays_more_than_it_has(case: Case) -> None:
    button, stacks, scored = case
    settled = settle(button, stacks, scored)
    points = {(a, b): won for a, b, won in scored} | {(b, a): -won for a, b, won in scored}
    order = [(payment.a, payment.b) for payment in settled.payments]
    assert order == list(settlement_order(button, stacks))
    running = dict(stacks)
    for payment in settled.payments:
        assert payment.scored == points[payment.a, payment.b]
        least = min(running[payment.a], running[payment.b])
        assert abs(payment.paid) == min(abs(payment.scored), least)
        assert payment.paid * payment.scored >= 0
        running[payment.a] += payment.paid
        running[payment.b] -= payment.paid
        assert min(running.values()) >= 0
    assert dict(settled.stacks) == running
    assert list(settled.stacks) == list(stacks)
    assert sum(running.values()) == sum(stacks.values())


@pytest.mark.rule("OFC-21")
@given(st.integers(1, 10), st.sets(st.integers(1, 10), min_size=2, max_size=4))
def test_seats_settle_clockwise_from_the_left_of_the_button(button: int, seats: set[int]) -> None:
    clockwise = [(button + step - 1) % 10 + 1 for step in range(1, 11)]
    present = [seat for seat in clockwise if seat in seats]
    assert list(settlement_order(button, seats)) == list(combinations(present, 2))
    if button in seats:
        assert present[-1] == button


@given(cases())
def test_how_pairs_are_named_changes_nothing(case: Case) -> None:
    button, stacks, scored = case
    turned = [PairScored(b, a, -won) for a, b, won in reversed(scored)]
    assert settle(button, stacks, turned) == settle(button, stacks, scored)
