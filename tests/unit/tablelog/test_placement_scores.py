"""Scores by way of the scoring service's own calls, and answers that do not belong together."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from floor_scoring.service import ScoringService
from pokerfloor.api.events.v1.hand_events_pb2 import PairPoints as PairMessage
from pokerfloor.api.scoring.v1 import scoring_pb2 as pb
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.games.placement import OFC_JOKER, SCOOP, PlacementSetup, Scored, ScoringRequest
from pokerfloor.tablelog import (
    LogError,
    from_score_response,
    to_scoop_request,
    to_score_request,
    to_settle_request,
)
from tests.support.games.placement_table import Played, score, setup_of

SERVICE = ScoringService()


def laid_out(setup: PlacementSetup, seed: int) -> Played:
    hand = Played(setup, seed)
    hand.lay_out_all()
    return hand


def mode_of(request: ScoringRequest) -> settings_pb2.OfcSettings:
    joker = request.game is OFC_JOKER
    return settings_pb2.OfcSettings(
        mode=settings_pb2.OFC_MODE_JOKER if joker else settings_pb2.OFC_MODE_REGULAR
    )


async def answers(
    request: ScoringRequest,
) -> tuple[pb.ScoreHandResponse | pb.ScoreScoopResponse, pb.SettleResponse]:
    scored: pb.ScoreHandResponse | pb.ScoreScoopResponse
    if request.game is SCOOP:
        scored = await SERVICE.ScoreScoop(to_scoop_request(request), None)
    else:
        scored = await SERVICE.ScoreHand(to_score_request(request, mode_of(request)), None)
    return scored, await SERVICE.Settle(to_settle_request(request, scored), None)


@pytest.mark.rule("OFC-10", "OFC-21", "OFC-22", "SCP-5")
@pytest.mark.parametrize(
    "setup",
    [
        setup_of(2),
        setup_of(3, button=1, stacks=(3, 50, 7)),
        setup_of(3, (1, 15), button=2),
        setup_of(3, (1, 17), (2, 14), game=OFC_JOKER),
        setup_of(2, game=SCOOP),
        setup_of(4, game=SCOOP, button=2, stacks=(10, 20, 30, 40)),
    ],
)
async def test_what_the_service_says_is_what_the_hand_takes(setup: PlacementSetup) -> None:
    for seed in range(5):
        hand = laid_out(setup, seed)
        request = hand.request
        result = from_score_response(request, *await answers(request))
        assert result == score(request)
        hand.execute(Scored(result))
        assert sum(hand.hand.state.stacks.values()) == sum(stack for _, stack in setup.seats)


def test_only_open_faces_are_asked_about() -> None:
    """The questions hold the thirteen cards of each layout and nothing else of the deck."""
    hand = laid_out(setup_of(2, (1, 17)), 1)
    message = to_score_request(hand.request, settings_pb2.OfcSettings())
    asked = [
        card.code - 1
        for layout in message.layouts
        for row in (layout.top, layout.middle, layout.bottom)
        for card in row
    ]
    assert sorted(asked) == sorted(hand.hand.state.cards.faces.values())
    assert [layout.fantasyland_cards for layout in message.layouts] == [17, 0]


def another_score(scored: pb.ScoreHandResponse, settled: pb.SettleResponse) -> None:
    scored.pairs[0].total_points += 1
    del settled


def another_settlement(scored: pb.ScoreHandResponse, settled: pb.SettleResponse) -> None:
    settled.pairs[0].scored_points += 1
    del scored


def a_pair_of_others(scored: pb.ScoreHandResponse, settled: pb.SettleResponse) -> None:
    settled.pairs.append(PairMessage(seat_a=4, seat_b=5))
    del scored


def a_seat_less(scored: pb.ScoreHandResponse, settled: pb.SettleResponse) -> None:
    del scored.layouts[0], settled


def a_total_less(scored: pb.ScoreHandResponse, settled: pb.SettleResponse) -> None:
    del scored.totals[0], settled


def a_hand_of_no_kind(scored: pb.ScoreHandResponse, settled: pb.SettleResponse) -> None:
    scored.layouts[0].rows[1].category = 99  # type: ignore[assignment]  # no category
    del settled


@pytest.mark.parametrize(
    ("spoil", "field"),
    [
        (another_score, "pairs"),
        (another_settlement, "pairs"),
        (a_pair_of_others, "pairs"),
        (a_seat_less, "layouts"),
        (a_total_less, "totals"),
        (a_hand_of_no_kind, "layouts.rows.category"),
    ],
)
async def test_answers_that_do_not_belong_together(
    spoil: Callable[[pb.ScoreHandResponse, pb.SettleResponse], None], field: str
) -> None:
    request = laid_out(setup_of(3), 3).request
    scored, settled = await answers(request)
    assert isinstance(scored, pb.ScoreHandResponse)
    spoil(scored, settled)
    with pytest.raises(LogError) as caught:
        from_score_response(request, scored, settled)
    assert caught.value.field == field
