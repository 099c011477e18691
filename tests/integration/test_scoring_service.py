"""The scoring service as a process, through the wire."""

from __future__ import annotations

import asyncio
import urllib.request
from collections.abc import AsyncIterator, Iterator
from typing import Any

import grpc
import grpc.aio
import pytest
import pytest_asyncio
from grpc_reflection.v1alpha import (  # type: ignore[import-untyped]  # no stubs published with it
    reflection_pb2,
    reflection_pb2_grpc,
)

from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.scoring.v1 import scoring_pb2, scoring_pb2_grpc
from pokerfloor.api.settings.v1 import settings_pb2
from tests.support import ServiceProcess
from tests.support.scoring.scoring_floor import SERVICE, ScoringFloor, cards, refusal, scoring_floor

pytestmark = pytest.mark.integration

TOP, MIDDLE, BOTTOM = (
    hand_events_pb2.LAYOUT_ROW_TOP,
    hand_events_pb2.LAYOUT_ROW_MIDDLE,
    hand_events_pb2.LAYOUT_ROW_BOTTOM,
)
METHOD = f"{SERVICE}/ScoreHand"
JOKER = settings_pb2.OFC_MODE_JOKER


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ScoringFloor]:
    with scoring_floor(tmp_path_factory.mktemp("scoring")) as floor:
        yield floor


@pytest_asyncio.fixture
async def channel(floor: ScoringFloor) -> AsyncIterator[grpc.aio.Channel]:
    async with floor.channel("anna", "player") as channel:
        yield channel


def layout(seat: int, top: str, middle: str, bottom: str) -> scoring_pb2.Layout:
    return scoring_pb2.Layout(seat=seat, top=cards(top), middle=cards(middle), bottom=cards(bottom))


# OFC-13: a flush, three of a kind and QQ, against a hand that loses every row without a bonus.
ANNA = layout(2, "QsQh2d", "8s8h8d3c4c", "AdJd9d6d3d")
BEN = layout(5, "AsKh7c", "JsJh2s3h5h", "AcAh4s4h6c")
CORA = layout(9, "Kc9c8c", "2h2cTs7s5s", "Jc7h7d5cTc")
DEAD = layout(5, "AsAh7c", "KsKh2s3h5h", "JcJh4s4h6c")


async def score(
    channel: grpc.aio.Channel,
    *layouts: scoring_pb2.Layout,
    mode: settings_pb2.OfcMode.ValueType = settings_pb2.OFC_MODE_UNSPECIFIED,
) -> scoring_pb2.ScoreHandResponse:
    request = scoring_pb2.ScoreHandRequest(
        settings=settings_pb2.OfcSettings(mode=mode), layouts=layouts
    )
    stub = scoring_pb2_grpc.ScoringServiceStub(channel)
    return await stub.ScoreHand(request)


@pytest.mark.rule("OFC-13", "OFC-10", "OFC-12")
@pytest.mark.parametrize(
    "mode",
    [
        settings_pb2.OFC_MODE_UNSPECIFIED,
        settings_pb2.OFC_MODE_REGULAR,
        settings_pb2.OFC_MODE_PROGRESSIVE,
        settings_pb2.OFC_MODE_ULTIMATE,
        settings_pb2.OFC_MODE_JOKER,
    ],
)
async def test_the_worked_example(
    channel: grpc.aio.Channel, mode: settings_pb2.OfcMode.ValueType
) -> None:
    response = await score(channel, ANNA, BEN, mode=mode)
    anna, ben = response.layouts
    assert [(r.row, r.points, r.category, r.rank) for r in anna.royalties] == [
        (TOP, 7, hand_events_pb2.HAND_CATEGORY_ONE_PAIR, 12),
        (MIDDLE, 2, hand_events_pb2.HAND_CATEGORY_THREE_OF_A_KIND, 0),
        (BOTTOM, 4, hand_events_pb2.HAND_CATEGORY_FLUSH, 0),
    ]
    assert (anna.seat, anna.fouled, anna.royalty_points) == (2, False, 13)
    assert (ben.seat, ben.fouled, len(ben.royalties), ben.royalty_points) == (5, False, 0, 0)
    (pair,) = response.pairs
    assert (pair.seat_a, pair.seat_b) == (2, 5)
    assert [(row.row, row.points, row.reason) for row in pair.rows] == [
        (TOP, 1, scoring_pb2.ROW_REASON_HIGHER),
        (MIDDLE, 1, scoring_pb2.ROW_REASON_HIGHER),
        (BOTTOM, 1, scoring_pb2.ROW_REASON_HIGHER),
    ]
    assert (pair.scoop_points, pair.royalty_points, pair.total_points) == (3, 13, 19)
    assert [(total.seat, total.points) for total in response.totals] == [(2, 19), (5, -19)]
    # Every number says why.
    assert anna.royalties[0].text == "pair of queens in the top row brings 7"
    assert pair.rows[2].text == "bottom: flush, ace high beats two pair, aces and fours"
    assert (pair.scoop_reason, pair.royalty_text) == (
        scoring_pb2.SCOOP_REASON_WON,
        "bonuses of 13 against 0",
    )
    earned = response.totals[0]
    assert (earned.fantasyland_cards, earned.fantasyland_stayed) == (14, False)
    assert earned.fantasyland_reason == scoring_pb2.FANTASYLAND_REASON_PAIR
    assert earned.fantasyland_rank == 12
    assert (response.totals[1].fantasyland_cards, response.totals[1].fantasyland_reason) == (
        0,
        scoring_pb2.FANTASYLAND_REASON_NONE,
    )


@pytest.mark.rule("OFC-13", "OFC-11", "OFC-5")
async def test_the_worked_example_against_a_dead_hand(channel: grpc.aio.Channel) -> None:
    response = await score(channel, ANNA, DEAD)
    assert [scored.fouled for scored in response.layouts] == [False, True]
    # AA on top would bring 9.
    assert not response.layouts[1].royalties
    assert response.layouts[1].royalty_points == 0
    assert response.layouts[1].foul_reason == scoring_pb2.FOUL_REASON_TOP_ABOVE_MIDDLE
    assert response.layouts[1].foul_text.startswith("fouled hand: the top row (pair of aces) is")
    assert response.totals[1].fantasyland_reason == scoring_pb2.FANTASYLAND_REASON_FOULED
    (pair,) = response.pairs
    assert [(row.points, row.reason) for row in pair.rows] == [
        (1, scoring_pb2.ROW_REASON_FOULED)
    ] * 3
    assert pair.total_points == 19


@pytest.mark.rule("OFC-11")
async def test_two_dead_hands_score_nothing(channel: grpc.aio.Channel) -> None:
    other = layout(1, "QcQd3s", "JdJs9h8c7d", "TcTd6s6d2c")
    response = await score(channel, other, DEAD)
    assert [scored.fouled for scored in response.layouts] == [True, True]
    (pair,) = response.pairs
    assert [(row.points, row.reason) for row in pair.rows] == [
        (0, scoring_pb2.ROW_REASON_FOULED)
    ] * 3
    assert pair.total_points == 0


@pytest.mark.rule("OFC-10", "RNK-6")
async def test_three_hands_are_three_pairs(channel: grpc.aio.Channel) -> None:
    response = await score(channel, ANNA, BEN, CORA)
    assert [(pair.seat_a, pair.seat_b, pair.total_points) for pair in response.pairs] == [
        (2, 5, 19),
        (2, 9, 19),
        (5, 9, 6),
    ]
    assert [(total.seat, total.points) for total in response.totals] == [
        (2, 38),
        (5, -13),
        (9, -25),
    ]
    bottom = response.layouts[0].rows[2]
    assert (bottom.system, bottom.category, bottom.name) == (
        hand_events_pb2.RANKING_SYSTEM_HIGH52,
        hand_events_pb2.HAND_CATEGORY_FLUSH,
        "flush, ace high",
    )
    assert [card.code for card in bottom.cards] == [c.code for c in cards("AdJd9d6d3d")]
    assert response.layouts[0].rows[0].system == hand_events_pb2.RANKING_SYSTEM_TOP3


@pytest.mark.rule("OFC-12")
async def test_three_of_a_kind_on_top(channel: grpc.aio.Channel) -> None:
    anna = layout(1, "2s2h2d", "8s8h8d3c4c", "AdJd9d6d3d")
    ben = layout(2, "6s6hKc", "JsJh4s4h5h", "AcAhTs3h7c")
    response = await score(channel, anna, ben)
    tops = [scored.royalties[0] for scored in response.layouts if scored.royalties]
    assert [(top.points, top.category, top.rank) for top in tops] == [
        (10, hand_events_pb2.HAND_CATEGORY_THREE_OF_A_KIND, 2)
    ]
    assert [scored.fouled for scored in response.layouts] == [False, True]


@pytest.mark.rule("OFC-33", "OFC-34")
async def test_fantasyland_by_settings(channel: grpc.aio.Channel) -> None:
    anna = layout(1, "KsKh2d", "8s8h8d3c4c", "AdJd9d6d3d")
    ben = layout(2, "6s6hKc", "JsJh4s4h5h", "TcTdTs5c5d")
    ben.fantasyland_cards = 16
    stub = scoring_pb2_grpc.ScoringServiceStub(channel)

    async def earned(**settings: Any) -> list[tuple[int, bool, int]]:
        request = scoring_pb2.ScoreHandRequest(
            settings=settings_pb2.OfcSettings(**settings), layouts=[anna, ben]
        )
        totals = (await stub.ScoreHand(request)).totals
        return [
            (one.fantasyland_cards, one.fantasyland_stayed, one.fantasyland_reason)
            for one in totals
        ]

    entered = scoring_pb2.FANTASYLAND_REASON_PAIR
    missed = (0, False, scoring_pb2.FANTASYLAND_REASON_NOT_RENEWED)
    assert await earned() == [(14, False, entered), missed]
    for mode in (settings_pb2.OFC_MODE_PROGRESSIVE, settings_pb2.OFC_MODE_ULTIMATE, JOKER):
        assert await earned(mode=mode) == [(15, False, entered), missed]
    del ben.bottom[:]
    ben.bottom.extend(cards("TcTdTsTh9s"))
    for mode, kept in ((settings_pb2.OFC_MODE_PROGRESSIVE, 14), (JOKER, 16)):
        staying = (kept, True, scoring_pb2.FANTASYLAND_REASON_STAYED_BOTTOM_QUADS)
        assert await earned(mode=mode) == [(15, False, entered), staying]


@pytest.mark.rule("OFC-35", "RNK-6")
async def test_joker_mode_names_what_each_joker_stands_for(channel: grpc.aio.Channel) -> None:
    anna = layout(1, "QhKcXr", "QcQd9h8h7h", "AcAdAhXb9c")
    ben = layout(2, "AsKh7c", "JsJh2s3h5h", "Ts9s4s4h6c")
    response = await score(channel, anna, ben, mode=JOKER)
    scored = response.layouts[0]
    told = [(one.row, one.joker.code, one.stands_for.code) for one in scored.jokers]
    assert told == [
        (TOP, *[card.code for card in cards("XrAs")]),
        (BOTTOM, *[card.code for card in cards("XbAs")]),
    ]
    assert [row.name for row in scored.rows] == [
        "high card, ace", "pair of queens", "four of a kind, aces",
    ]  # fmt: skip
    assert [card.code for card in scored.rows[0].cards] == [c.code for c in cards("XrKcQh")]
    assert [card.code for card in scored.rows[2].cards] == [c.code for c in cards("AhAdAcXb9c")]
    assert response.layouts[1].fouled


def whole() -> scoring_pb2.ScoreHandRequest:
    return scoring_pb2.ScoreHandRequest(layouts=[ANNA, BEN])


def with_code(code: int) -> scoring_pb2.ScoreHandRequest:
    request = whole()
    request.layouts[1].middle[3].code = code
    return request


def in_mode(*content: int) -> scoring_pb2.ScoreHandRequest:
    settings = settings_pb2.OfcSettings.FromString(bytes(content))
    return scoring_pb2.ScoreHandRequest(layouts=[ANNA, BEN], settings=settings)


def of(*layouts: scoring_pb2.Layout) -> scoring_pb2.ScoreHandRequest:
    return scoring_pb2.ScoreHandRequest(layouts=layouts)


SHORT_ROW = layout(5, "AsKh7c", "JsJh2s3h", "AcAh4s4h6c")
LONG_ROW = layout(5, "AsKh7c9h", "JsJh2s3h5h", "AcAh4s4h6c")
NO_SEAT = layout(0, "AsKh7c", "JsJh2s3h5h", "AcAh4s4h6c")
FANTASYLAND = scoring_pb2.Layout(seat=5, top=BEN.top, fantasyland_cards=3)


@pytest.mark.parametrize(
    ("request_", "code", "field"),
    [
        pytest.param(of(), "INVALID_FIELD", "layouts", id="none"),
        pytest.param(of(ANNA), "INVALID_FIELD", "layouts", id="one"),
        pytest.param(of(ANNA, BEN, CORA, DEAD), "INVALID_FIELD", "layouts", id="four"),
        pytest.param(of(ANNA, NO_SEAT), "INVALID_FIELD", "layouts[1].seat", id="no seat"),
        pytest.param(of(BEN, DEAD), "INVALID_FIELD", "layouts[1].seat", id="seat twice"),
        pytest.param(
            of(ANNA, FANTASYLAND), "INVALID_FIELD", "layouts[1].fantasyland_cards", id="fantasyland"
        ),
        pytest.param(of(ANNA, SHORT_ROW), "BAD_CARDS", "layouts[1].middle", id="short row"),
        pytest.param(of(ANNA, LONG_ROW), "BAD_CARDS", "layouts[1].top", id="long row"),
        pytest.param(with_code(0), "BAD_CARDS", "layouts[1].middle[3]", id="unknown card"),
        pytest.param(with_code(53), "BAD_CARDS", "layouts[1].middle[3]", id="joker"),
        pytest.param(with_code(2**32 - 1), "BAD_CARDS", "layouts[1].middle[3]", id="no card"),
        pytest.param(
            with_code(BEN.top[0].code), "BAD_CARDS", "layouts[1].middle[3]", id="twice in one"
        ),
        pytest.param(
            with_code(ANNA.top[0].code), "BAD_CARDS", "layouts[1].middle[3]", id="twice in two"
        ),
        pytest.param(in_mode(8, 77), "INVALID_FIELD", "settings.mode", id="no mode"),
        pytest.param(in_mode(32, 9), "INVALID_FIELD", "settings.trips_cards", id="trips"),
        pytest.param(in_mode(40, 4), "INVALID_FIELD", "settings.joker_base", id="base"),
    ],
)
async def test_bad_requests_name_their_field(
    channel: grpc.aio.Channel, request_: scoring_pb2.ScoreHandRequest, code: str, field: str
) -> None:
    stub = scoring_pb2_grpc.ScoringServiceStub(channel)
    assert await refusal(stub.ScoreHand(request_)) == ("INVALID_ARGUMENT", code, field)


async def test_roles(floor: ScoringFloor) -> None:
    refused = ("PERMISSION_DENIED", "ROLE_NOT_ALLOWED", "")
    for role in ("spectator", "cashier", "service_showdown"):
        async with floor.channel("x", role) as channel:
            stub = scoring_pb2_grpc.ScoringServiceStub(channel)
            assert await refusal(stub.ScoreHand(whole())) == refused
            assert await refusal(stub.ScoreScoop(scoring_pb2.ScoreScoopRequest())) == refused
    async with floor.channel("p", "player") as channel:
        stub = scoring_pb2_grpc.ScoringServiceStub(channel)
        assert await refusal(stub.Settle(scoring_pb2.SettleRequest())) == refused
    async with grpc.aio.insecure_channel(floor.process.address) as bare:
        stub = scoring_pb2_grpc.ScoringServiceStub(bare)
        assert await refusal(stub.ScoreHand(whole())) == (
            "UNAUTHENTICATED",
            "TOKEN_MISSING",
            "",
        )


async def test_garbage_and_too_many_bytes(channel: grpc.aio.Channel) -> None:
    raw: Any = channel.unary_unary(METHOD)
    assert await refusal(raw(b"\xff\xff\xff garbage")) == (
        "INVALID_ARGUMENT",
        "MALFORMED_MESSAGE",
        "",
    )
    assert await refusal(raw(b"\0" * 5000)) == ("RESOURCE_EXHAUSTED", "MESSAGE_TOO_LARGE", "")
    for name in ("Settle", "ScoreScoop"):
        call: Any = channel.unary_unary(f"{SERVICE}/{name}")
        status, code, _ = await refusal(call(b"\xff\xff\xff garbage"))
        assert (status, code) in (
            ("INVALID_ARGUMENT", "MALFORMED_MESSAGE"),
            ("PERMISSION_DENIED", "ROLE_NOT_ALLOWED"),
        )
    # Far beyond what the service reads at all.
    status, code, _ = await refusal(raw(b"\0" * 1_000_000))
    assert (status, code) == ("RESOURCE_EXHAUSTED", "MESSAGE_TOO_LARGE")


async def test_logs_hold_no_card(floor: ScoringFloor, channel: grpc.aio.Channel) -> None:
    await score(channel, ANNA, BEN)
    stub = scoring_pb2_grpc.ScoringServiceStub(channel)
    await refusal(stub.ScoreHand(with_code(53)))
    calls = [line for line in floor.process.lines() if line["event"] == "call_done"]
    assert calls
    for line in calls:
        assert set(line) <= {
            "event", "component", "method", "code", "request_id", "ms", "level", "at", "service",
            "instance",
        }  # fmt: skip


def metrics_of(process: ServiceProcess) -> str:
    url = f"http://127.0.0.1:{process.metrics_port}/metrics"
    with urllib.request.urlopen(url, timeout=5) as page:
        text: str = page.read().decode()
    return text


async def test_metrics_and_reflection(floor: ScoringFloor, channel: grpc.aio.Channel) -> None:
    await score(channel, ANNA, DEAD)
    text = await asyncio.to_thread(metrics_of, floor.process)
    assert 'floor_scoring_hands_total{mode="regular",players="2"}' in text
    assert 'floor_scoring_layouts_total{state="fouled"}' in text
    assert 'floor_scoring_fantasylands_total{by="entering"}' in text
    assert f'floor_grpc_call_seconds_count{{method="{METHOD}"}}' in text
    async with grpc.aio.insecure_channel(floor.process.address) as bare:
        call = reflection_pb2_grpc.ServerReflectionStub(bare).ServerReflectionInfo(
            iter([reflection_pb2.ServerReflectionRequest(list_services="")])
        )
        async for answer in call:
            names = {found.name for found in answer.list_services_response.service}
            assert "floor.scoring.v1.ScoringService" in names
