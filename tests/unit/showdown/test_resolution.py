"""Showdowns resolved in one process; the shuffler is a function that opens what it is asked for."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from floor_showdown.read_resolve_request import read_resolve_request
from floor_showdown.resolution_service import assert_paid_in_full, resolve_justified
from floor_showdown.shuffler_calls import RevealCall, Revealer
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.internal.showdown.v1 import resolution_pb2
from pokerfloor.api.internal.shuffler.v1 import dealing_pb2
from pokerfloor.cards import cards_text
from pokerfloor.games import Award, Half, ShowdownResult, resolve
from tests.support.showdown.hands import (
    Showdown,
    assert_holds_nothing_of,
    awards,
    own,
    showdown,
    shown,
)


async def resolved_by(asked: Showdown, reveal_cards: RevealCall) -> resolution_pb2.ResolveResponse:
    """The answer as if the log had said the same: these showdowns come from no hand.

    What the log does not justify is tested in test_justification, with hands that were played.
    """
    read = read_resolve_request(asked.request)
    return await resolve_justified(read, asked.request, Revealer(reveal_cards, 1000), 5)


async def resolved(asked: Showdown) -> resolution_pb2.ResolveResponse:
    async def open_cards(
        request: dealing_pb2.RevealCardsRequest, **options: float
    ) -> dealing_pb2.RevealCardsResponse:
        assert options["timeout"] > 0
        return dealing_pb2.RevealCardsResponse(cards=[asked.opened(p) for p in request.places])

    return await resolved_by(asked, open_cards)


@pytest.mark.rule("SHW-2", "SHW-4", "RNK-6")
async def test_beaten_hands_muck_and_leave_no_trace() -> None:
    asked = showdown({1: "AsAd", 2: "KsKd", 3: "AhAc"}, [(90, (1, 2, 3))])
    response = await resolved(asked)
    assert (response.hand.table_id, response.hand.hand_no) == ("main-1", 17)
    assert shown(response) == [1, -2, 3]
    first = response.steps[0].shown
    assert list(first.cards) == [asked.opened(own(1, 1)), asked.opened(own(1, 2))]
    (rank,) = first.ranks
    assert (rank.board, rank.half) == (0, hand_events_pb2.POT_HALF_HIGH)
    assert (rank.hand.system, rank.hand.name) == (
        hand_events_pb2.RANKING_SYSTEM_HIGH52,
        "pair of aces",
    )
    assert cards_text(card.code - 1 for card in rank.hand.cards) == "AsAdQdJs9h"
    assert_holds_nothing_of(response, asked, 2)
    with pytest.raises(AssertionError):
        assert_holds_nothing_of(response, asked, 3)


@pytest.mark.rule("SHW-2")
async def test_always_show_and_losers_that_show() -> None:
    hands, pots = {1: "AsAd", 2: "KsKd", 3: "5h5c"}, [(90, (1, 2, 3))]
    assert shown(await resolved(showdown(hands, pots, always_show=[3]))) == [1, -2, 3]
    assert shown(await resolved(showdown(hands, pots, muck=False))) == [1, 2, 3]


@pytest.mark.rule("SHW-1", "SHW-2")
async def test_the_order_of_showing_decides_who_must_show() -> None:
    hands, pots = {1: "AsAd", 2: "KsKd", 3: "5h5c"}, [(90, (1, 2, 3))]
    assert shown(await resolved(showdown(hands, pots, order=[3, 2, 1]))) == [3, 2, 1]
    assert shown(await resolved(showdown(hands, pots, order=[2, 3, 1]))) == [2, -3, 1]


@pytest.mark.rule("BET-2", "SHW-2")
async def test_hands_exposed_at_an_all_in_are_not_opened_again() -> None:
    asked = showdown({1: "AsAd", 2: "KsKd"}, [(90, (1, 2))], all_in=True, exposed=(1, 2), muck=True)

    async def never(
        _request: dealing_pb2.RevealCardsRequest, **_: float
    ) -> dealing_pb2.RevealCardsResponse:
        raise AssertionError("all hands are public")

    response = await resolved_by(asked, never)
    assert shown(response) == [1, 2]
    assert not any(card.HasField("proof") for step in response.steps for card in step.shown.cards)
    assert awards(response) == [(0, 1, 90)]


async def test_only_hidden_cards_of_a_half_open_hand_are_asked_for() -> None:
    asked = showdown({1: "AsAd", 2: "KsKd"}, [(90, (1, 2))], exposed=(1,))
    del asked.request.revealed_cards[-1]
    response = await resolved(asked)
    assert [card.HasField("proof") for card in response.steps[0].shown.cards] == [False, True]


@pytest.mark.rule("ODD-1", "ODD-4", "SHW-4")
async def test_odd_chips_go_left_of_the_button() -> None:
    hands = {2: "AsKd", 5: "AdKs", 9: "AhKc"}
    asked = showdown(hands, [(101, (2, 5, 9))], button=5)
    assert sorted(awards(await resolved(asked))) == [(0, 2, 34), (0, 5, 33), (0, 9, 34)]
    asked = showdown(hands, [(500, (2, 5, 9))], button=9, chip=25)
    assert sorted(awards(await resolved(asked))) == [(0, 2, 175), (0, 5, 175), (0, 9, 150)]


@pytest.mark.rule("POT-3", "POT-4", "SHW-4")
async def test_the_last_side_pot_is_paid_first() -> None:
    asked = showdown(
        {1: "AsAd", 2: "KsKd", 3: "QsQh", 4: "5h5c"},
        [(400, (1, 2, 3, 4)), (150, (2, 3, 4)), (60, (3, 4)), (25, (4,))],
    )
    response = await resolved(asked)
    assert awards(response) == [(3, 4, 25), (2, 3, 60), (1, 3, 150), (0, 3, 400)]
    assert [award.uncontested for award in response.awards] == [True, False, False, False]
    # Queens make three of a kind; kings and aces come after them and muck or show by order.
    assert shown(response) == [1, 2, 3, -4]


@pytest.mark.rule("POT-4", "ODD-1")
async def test_each_pot_has_odd_chips_of_its_own() -> None:
    asked = showdown({1: "AsKd", 2: "AdKs", 3: "AhKc"}, [(91, (1, 2, 3)), (31, (2, 3))], button=1)
    assert awards(await resolved(asked)) == [
        (1, 2, 16), (1, 3, 15), (0, 2, 31), (0, 3, 30), (0, 1, 30),
    ]  # fmt: skip


@pytest.mark.rule("POT-10", "POT-11", "ODD-4")
async def test_the_rake_is_told_by_pot_and_by_seat() -> None:
    asked = showdown({1: "AsAd", 2: "KsKd"}, [(300, (1, 2)), (50, (1,))], folded=(4,), rake_bp=500)
    response = await resolved(asked)
    assert response.rake.total.minor == 17
    assert [(r.pot_no, r.amount.minor) for r in response.rake.by_pot] == [(0, 15), (1, 2)]
    assert [(r.seat, r.amount.minor) for r in response.rake.by_seat] == [(1, 17), (2, 0), (4, 0)]
    assert awards(response) == [(1, 1, 48), (0, 1, 285)]


DECK = st.permutations(range(52)).map(lambda deck: [cards_text([card]) for card in deck])


@pytest.mark.rule("SHW-2", "ODD-4", "POT-4")
@settings(deadline=None)  # tables of ranks are made when they are first wanted
@given(deck=DECK, data=st.data(), muck=st.booleans(), chip=st.sampled_from([1, 5, 25]))
def test_any_showdown_is_paid_in_full_and_hides_what_is_mucked(
    deck: list[str], data: st.DataObject, muck: bool, chip: int
) -> None:
    seats = sorted(data.draw(st.sets(st.integers(1, 10), min_size=2, max_size=6)))
    hands = {seat: deck[2 * k] + deck[2 * k + 1] for k, seat in enumerate(seats)}
    amounts = data.draw(st.lists(st.integers(1, 999), min_size=1, max_size=len(seats)))
    pots = [(amount * chip, tuple(seats[k:])) for k, amount in enumerate(amounts)]
    asked = showdown(
        hands,
        pots,
        board_cards="".join(deck[20:25]),
        order=data.draw(st.permutations(seats)),
        button=data.draw(st.integers(1, 10)),
        chip=chip,
        muck=muck,
        rake_bp=data.draw(st.sampled_from([0, 250, 1000])),
    )
    response = asyncio.run(resolved(asked))
    assert [abs(seat) for seat in shown(response)] == list(asked.request.seats)
    for seat in shown(response):
        if seat < 0:
            assert muck
            assert_holds_nothing_of(response, asked, -seat)
    paid = sum(amount for _, _, amount in awards(response))
    assert paid + response.rake.total.minor == sum(amount for amount, _ in pots)
    assert asyncio.run(resolved(asked)) == response
    numbers = [pot for pot, _, _ in awards(response)]
    assert numbers == sorted(numbers, reverse=True)


@pytest.mark.rule("ODD-4")
async def test_awards_that_do_not_add_up_never_leave() -> None:
    asked = showdown({1: "AsAd", 2: "KsKd"}, [(90, (1, 2))])
    read = read_resolve_request(asked.request)
    faces = {
        place: asked.cards[place.owner, place.slot] - 1
        for entry in read.seats
        for place in entry.places
    }
    result = resolve(read, faces)
    assert isinstance(result, ShowdownResult)
    assert_paid_in_full(read, result)
    for amount in (89, 91):
        wrong = result._replace(awards=(Award(0, 0, Half.HIGH, 1, amount),))
        with pytest.raises(AssertionError, match="what the pots hold"):
            assert_paid_in_full(read, wrong)
