"""OFC and Scoop with real services: lost connections, services killed, scores checked again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from floor_scoring.service import ScoringService
from pokerfloor.api.events.v1 import table_events_pb2
from pokerfloor.api.events.v1.table_events_pb2 import HandBegan
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.scoring.v1 import scoring_pb2
from pokerfloor.client import Turn
from pokerfloor.games.placement import PlacementHand, PointsScored, WaitScoring
from pokerfloor.tablelog import (
    apply_hand_event,
    from_score_response,
    hand_stake_kind,
    open_hand,
    to_scoop_request,
    to_score_request,
    to_settle_request,
)
from tests.support.floor import Floor, whole_floor
from tests.support.points_evening import at_once
from tests.support.points_players import PRICE, PointsPlayers, in_order, points_table

pytestmark = [pytest.mark.integration, pytest.mark.timeout(240)]


@pytest_asyncio.fixture
async def floor(tmp_path: Path) -> AsyncIterator[Floor]:
    """A floor whose first hand of OFC earns Fantasyland; see the planted shuffler."""
    async with whole_floor(tmp_path, "tests.support.planted_shuffler") as running:
        yield running


def opened(steps: list[Step]) -> list[HandBegan]:
    return [
        event.hand_began for step in steps for event in step.events if event.HasField("hand_began")
    ]


def check_scores(steps: list[Step]) -> int:
    """Score every hand of a log again; gives how many there were."""
    service, hand, scored = ScoringService(), None, 0
    game = None
    for step in steps:
        for event in step.events:
            if event.HasField("hand_began"):
                hand, game = open_hand(event.hand_began), event.hand_began.game
                kind = hand_stake_kind(event.hand_began)
            elif event.HasField("hand") and isinstance(hand, PlacementHand):
                told = event.hand.WhichOneof("event")
                wait = hand.waits_for() if told == "points_scored" else None
                folded = apply_hand_event(hand, event.hand, kind)
                if isinstance(folded, PointsScored):
                    assert isinstance(wait, WaitScoring)
                    assert game is not None
                    answer: scoring_pb2.ScoreHandResponse | scoring_pb2.ScoreScoopResponse
                    if game.game == "ofc":
                        ask = to_score_request(wait.request, game.ofc)
                        answer = at_once(service.ScoreHand(ask, None))
                    else:
                        answer = at_once(service.ScoreScoop(to_scoop_request(wait.request), None))
                    settled = at_once(service.Settle(to_settle_request(wait.request, answer), None))
                    again = from_score_response(wait.request, answer, settled)
                    assert (folded.pairs, folded.layouts) == (again.pairs, again.layouts)
                    scored += 1
    return scored


async def assert_money(floor: Floor, players: PointsPlayers) -> None:
    """Play the hand to its end and no more; then every point's price lies where it belongs."""
    await floor.pause(players.table_id)
    await players.stop()
    await floor.assert_books([players.table_id])


@pytest.mark.rule("OFC-41", "OFC-42", "OFC-6")
async def test_a_lost_connection_is_laid_out_for_and_sits_out_after_the_owed_fantasyland(
    floor: Floor,
) -> None:
    await floor.open_table("t-1", points_table("ofc", seats=2, bank_ms=700))
    players = PointsPlayers(floor, "t-1", in_order)

    async def ann_vanishes(name: str, turn: Turn) -> None:
        """Gone at the second street of the first hand, in mid-turn and for good."""
        if name == "ann" and turn.hand_no == 1 and turn.placement and turn.placement.street == 1:
            gone.set()
            await asyncio.Event().wait()

    gone = asyncio.Event()
    players.hook = ann_vanishes
    await players.sit("ann", "bob")
    bob, seat = players.sessions["bob"], players.sessions["ann"].mirror.own_seat
    await players.until(gone.is_set, "ann's second street")
    await players.vanish("ann")
    await players.until(lambda: bob.mirror.seats[seat].sitting_out, "the bank is used up")
    assert bob.mirror.match_no == 1, "in mid-match"
    await players.until(
        lambda: bob.mirror.hand is None and not bob.mirror.match_no, "the match is over"
    )
    steps = await players.steps()
    hands = opened(steps)
    assert len(hands) > 1
    assert {hand.match_no for hand in hands} == {1}
    assert all(len(hand.seats) == 2 for hand in hands), "dealt in until the match is over"
    assert {one.seat: one.cards for one in hands[1].fantasyland} == {seat: 14}, (
        "earned while absent"
    )
    assert check_scores(steps) == len(hands)
    by_time = confirmed_by_time(steps)
    assert set(by_time) == {seat}
    assert len(by_time) == 4 + len(hands) - 1, "four streets, and each Fantasyland in one go"
    reasons = [
        event.sat_out.reason for step in steps for event in step.events if event.HasField("sat_out")
    ]
    assert reasons == [table_events_pb2.SIT_OUT_REASON_DISCONNECTED]
    await asyncio.sleep(0.5)
    assert bob.mirror.hand is None, "now ann sits out, and bob has nobody to play with"
    await players.connect("ann")
    await players.sessions["ann"].sit_in()
    await players.until(lambda: bob.mirror.match_no == 2, "ready again, and a new match")
    await assert_money(floor, players)


def confirmed_by_time(steps: list[Step]) -> list[int]:
    return [
        event.hand.placement_confirmed.seat
        for step in steps
        for event in step.events
        if event.hand.HasField("placement_confirmed") and event.hand.placement_confirmed.by_time
    ]


@pytest.mark.rule("OFC-32", "CLK-5")
async def test_the_table_and_the_scoring_service_are_killed_in_mid_fantasyland(
    floor: Floor,
) -> None:
    await floor.open_table("t-1", points_table("ofc", seats=2))
    players = PointsPlayers(floor, "t-1", in_order)
    asked, go_on = asyncio.Event(), asyncio.Event()

    async def wait_in_fantasyland(name: str, turn: Turn) -> None:
        if name == "ann" and turn.hand_no == 2:
            assert turn.placement is not None
            assert (turn.placement.to_place, len(turn.placement.slots)) == (13, 14)
            asked.set()
            await go_on.wait()

    players.hook = wait_in_fantasyland
    await players.sit("ann", "bob")
    ann = players.sessions["ann"]
    await players.until(asked.is_set, "ann's Fantasyland")
    cards, your_turn = ann.mirror.hole_cards, ann.mirror.your_turn
    assert your_turn is not None
    await floor.services["table"].restart()
    async with await players.clients["ann"].table("t-1") as again:
        await again.wait_for(lambda mirror: mirror.own_cards_complete, 20_000)
        assert again.mirror.hole_cards == cards, "the same cards from the new owner"
        assert again.mirror.your_turn is not None
        assert again.mirror.your_turn.placement == your_turn.placement
    floor.services["scoring"].kill9()
    go_on.set()
    await players.until(
        lambda: ann.mirror.hand is not None and not ann.mirror.hand.turns, "all have laid out"
    )
    await asyncio.sleep(1.0)
    assert ann.mirror.hand is not None, "without scores the hand waits"
    assert ann.mirror.hands == 2
    floor.services["scoring"].spawn()
    await floor.services["scoring"].until_serving()
    await players.until(lambda: ann.mirror.hands > 3, "the hand is scored, and play goes on")
    steps = await players.steps()
    assert {one.seat: one.cards for one in opened(steps)[1].fantasyland} == {1: 14}
    assert check_scores(steps) >= len(opened(steps)) - 1
    await assert_money(floor, players)


@pytest.mark.rule("SCP-1", "SCP-2", "SCP-5")
async def test_scoop_with_three_and_everything_killed_once(floor: Floor) -> None:
    await floor.open_table("t-1", points_table("scoop", seats=4))
    players = PointsPlayers(floor, "t-1")
    plan = ["table", "scoring", "shuffler", "wallet"]
    last_hand = 0
    lock = asyncio.Lock()

    async def kill(_: str, turn: Turn) -> None:
        nonlocal last_hand
        async with lock:
            if plan and turn.hand_no > last_hand:
                last_hand = turn.hand_no
                await floor.services[plan.pop(0)].restart()

    await players.sit("ann", "bob", "cyd")
    players.hook = kill
    ann = players.sessions["ann"]
    await players.until(lambda: not plan and ann.mirror.hands >= last_hand + 2, "six hands", 120)
    steps = await players.steps()
    assert check_scores(steps) >= len(opened(steps)) - 1
    assert all(hand.seats[0].stack.points for hand in opened(steps))
    seats = (await floor.view("t-1")).seats
    assert sum(one.stack.points for one in seats) == 3 * 20_000 // PRICE
    await assert_money(floor, players)
