"""The scoring service as a process, through the wire."""

from __future__ import annotations

import asyncio
import urllib.request
from collections.abc import AsyncIterator, Awaitable, Iterator
from typing import Any

import grpc
import grpc.aio
import pytest
import pytest_asyncio
from grpc_reflection.v1alpha import (  # type: ignore[import-untyped]  # no stubs published with it
    reflection_pb2,
    reflection_pb2_grpc,
)

from libs.cards import parse_cards, to_wire
from libs.floorapi.floor.common.v1 import cards_pb2
from libs.floorapi.floor.events.v1 import hand_events_pb2
from libs.floorapi.floor.scoring.v1 import scoring_pb2, scoring_pb2_grpc
from libs.floorapi.floor.settings.v1 import settings_pb2
from libs.floorkit import connect, error_name, error_of, fixed_token
from tests.support import DevIdentities, ServiceProcess, dev_identities, service_env

pytestmark = pytest.mark.integration

TOP, MIDDLE, BOTTOM = (
    hand_events_pb2.LAYOUT_ROW_TOP,
    hand_events_pb2.LAYOUT_ROW_MIDDLE,
    hand_events_pb2.LAYOUT_ROW_BOTTOM,
)
METHOD = "/floor.scoring.v1.ScoringService/ScoreHand"


@pytest.fixture(scope="module")
def identities(tmp_path_factory: pytest.TempPathFactory) -> DevIdentities:
    return dev_identities(tmp_path_factory.mktemp("keys"))


@pytest.fixture(scope="module")
def process(
    tmp_path_factory: pytest.TempPathFactory, identities: DevIdentities
) -> Iterator[ServiceProcess]:
    folder = tmp_path_factory.mktemp("scoring")
    env = service_env("scoring", folder, identities, max_message_bytes=4096)
    process = ServiceProcess("services.scoring", env, folder / "scoring.log")
    asyncio.run(process.start())
    yield process
    try:
        asyncio.run(process.stop())
        assert "stopped" in process.events()
    finally:
        process.kill9()


@pytest_asyncio.fixture
async def channel(
    process: ServiceProcess, identities: DevIdentities
) -> AsyncIterator[grpc.aio.Channel]:
    async with connect(process.address, fixed_token(identities.token("anna", "player"))) as channel:
        yield channel


def cards(text: str) -> list[cards_pb2.Card]:
    return [cards_pb2.Card(code=to_wire(card)) for card in parse_cards(text)]


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
    ],
)
async def test_the_worked_example(
    channel: grpc.aio.Channel, mode: settings_pb2.OfcMode.ValueType
) -> None:
    response = await score(channel, ANNA, BEN, mode=mode)
    anna, ben = response.layouts
    assert [(r.row, r.points, r.reason) for r in anna.royalties] == [
        (TOP, 7, "pair_q"),
        (MIDDLE, 2, "three_of_a_kind"),
        (BOTTOM, 4, "flush"),
    ]
    assert (anna.seat, anna.dead, anna.royalty_points) == (2, False, 13)
    assert (ben.seat, ben.dead, len(ben.royalties), ben.royalty_points) == (5, False, 0, 0)
    (pair,) = response.pairs
    assert (pair.seat_a, pair.seat_b) == (2, 5)
    assert [(row.row, row.points, row.reason) for row in pair.rows] == [
        (TOP, 1, "higher"),
        (MIDDLE, 1, "higher"),
        (BOTTOM, 1, "higher"),
    ]
    assert (pair.scoop_points, pair.royalty_points, pair.total_points) == (3, 13, 19)
    assert [(total.seat, total.points) for total in response.totals] == [(2, 19), (5, -19)]


@pytest.mark.rule("OFC-13", "OFC-11", "OFC-5")
async def test_the_worked_example_against_a_dead_hand(channel: grpc.aio.Channel) -> None:
    response = await score(channel, ANNA, DEAD)
    assert [scored.dead for scored in response.layouts] == [False, True]
    # AA on top would bring 9.
    assert not response.layouts[1].royalties
    assert response.layouts[1].royalty_points == 0
    (pair,) = response.pairs
    assert [(row.points, row.reason) for row in pair.rows] == [(1, "dead_hand")] * 3
    assert pair.total_points == 19


@pytest.mark.rule("OFC-11")
async def test_two_dead_hands_score_nothing(channel: grpc.aio.Channel) -> None:
    other = layout(1, "QcQd3s", "JdJs9h8c7d", "TcTd6s6d2c")
    response = await score(channel, other, DEAD)
    assert [scored.dead for scored in response.layouts] == [True, True]
    (pair,) = response.pairs
    assert [(row.points, row.reason) for row in pair.rows] == [(0, "dead_hand")] * 3
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
    assert (bottom.system, bottom.category, bottom.name) == ("high52", "flush", "flush, ace high")
    assert [card.code for card in bottom.cards] == [c.code for c in cards("AdJd9d6d3d")]
    assert response.layouts[0].rows[0].system == "top3"


@pytest.mark.rule("OFC-12")
async def test_three_of_a_kind_on_top(channel: grpc.aio.Channel) -> None:
    anna = layout(1, "2s2h2d", "8s8h8d3c4c", "AdJd9d6d3d")
    ben = layout(2, "6s6hKc", "JsJh4s4h5h", "AcAhTs3h7c")
    response = await score(channel, anna, ben)
    tops = [scored.royalties[0] for scored in response.layouts if scored.royalties]
    assert [(top.points, top.reason) for top in tops] == [(10, "trips_2")]
    assert [scored.dead for scored in response.layouts] == [False, True]


async def refusal(call: Awaitable[object]) -> tuple[str, str, str]:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    error = error_of(caught.value)
    return caught.value.code().name, error_name(error.code), error.field


def whole() -> scoring_pb2.ScoreHandRequest:
    return scoring_pb2.ScoreHandRequest(layouts=[ANNA, BEN])


def with_code(code: int) -> scoring_pb2.ScoreHandRequest:
    request = whole()
    request.layouts[1].middle[3].code = code
    return request


def in_mode(mode: int) -> scoring_pb2.ScoreHandRequest:
    settings = settings_pb2.OfcSettings.FromString(bytes((0x08, mode)))
    return scoring_pb2.ScoreHandRequest(layouts=[ANNA, BEN], settings=settings)


def of(*layouts: scoring_pb2.Layout) -> scoring_pb2.ScoreHandRequest:
    return scoring_pb2.ScoreHandRequest(layouts=layouts)


SHORT_ROW = layout(5, "AsKh7c", "JsJh2s3h", "AcAh4s4h6c")
LONG_ROW = layout(5, "AsKh7c9h", "JsJh2s3h5h", "AcAh4s4h6c")
NO_SEAT = layout(0, "AsKh7c", "JsJh2s3h5h", "AcAh4s4h6c")
FANTASY = scoring_pb2.Layout(seat=5, top=BEN.top, fantasy_cards=3)


@pytest.mark.parametrize(
    ("request_", "code", "field"),
    [
        pytest.param(of(), "INVALID_FIELD", "layouts", id="none"),
        pytest.param(of(ANNA), "INVALID_FIELD", "layouts", id="one"),
        pytest.param(of(ANNA, BEN, CORA, DEAD), "INVALID_FIELD", "layouts", id="four"),
        pytest.param(of(ANNA, NO_SEAT), "INVALID_FIELD", "layouts[1].seat", id="no seat"),
        pytest.param(of(BEN, DEAD), "INVALID_FIELD", "layouts[1].seat", id="seat twice"),
        pytest.param(of(ANNA, FANTASY), "INVALID_FIELD", "layouts[1].fantasy_cards", id="fantasy"),
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
        pytest.param(in_mode(4), "NOT_SUPPORTED", "settings.mode", id="joker mode"),
        pytest.param(in_mode(77), "INVALID_FIELD", "settings.mode", id="no mode"),
    ],
)
async def test_bad_requests_name_their_field(
    channel: grpc.aio.Channel, request_: scoring_pb2.ScoreHandRequest, code: str, field: str
) -> None:
    status = "UNIMPLEMENTED" if code == "NOT_SUPPORTED" else "INVALID_ARGUMENT"
    stub = scoring_pb2_grpc.ScoringServiceStub(channel)
    assert await refusal(stub.ScoreHand(request_)) == (status, code, field)


async def test_what_is_not_there_yet(process: ServiceProcess, identities: DevIdentities) -> None:
    token = identities.token("omar", "operations")
    async with connect(process.address, fixed_token(token)) as channel:
        stub = scoring_pb2_grpc.ScoringServiceStub(channel)
        for call in (
            stub.Settle(scoring_pb2.SettleRequest()),
            stub.ScoreScoop(scoring_pb2.ScoreScoopRequest()),
        ):
            assert await refusal(call) == ("UNIMPLEMENTED", "NOT_SUPPORTED", "")


async def test_roles(process: ServiceProcess, identities: DevIdentities) -> None:
    refused = ("PERMISSION_DENIED", "ROLE_NOT_ALLOWED", "")
    for role in ("spectator", "cashier", "service_showdown"):
        async with connect(process.address, fixed_token(identities.token("x", role))) as channel:
            stub = scoring_pb2_grpc.ScoringServiceStub(channel)
            assert await refusal(stub.ScoreHand(whole())) == refused
    async with connect(process.address, fixed_token(identities.token("p", "player"))) as channel:
        stub = scoring_pb2_grpc.ScoringServiceStub(channel)
        assert await refusal(stub.Settle(scoring_pb2.SettleRequest())) == refused
    async with grpc.aio.insecure_channel(process.address) as bare:
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
    # Far beyond what the service reads at all.
    status, code, _ = await refusal(raw(b"\0" * 1_000_000))
    assert (status, code) == ("RESOURCE_EXHAUSTED", "MESSAGE_TOO_LARGE")


async def test_logs_hold_no_card(process: ServiceProcess, channel: grpc.aio.Channel) -> None:
    await score(channel, ANNA, BEN)
    await refusal(scoring_pb2_grpc.ScoringServiceStub(channel).ScoreHand(with_code(53)))
    calls = [line for line in process.lines() if line["event"] == "call"]
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


async def test_metrics_and_reflection(process: ServiceProcess, channel: grpc.aio.Channel) -> None:
    await score(channel, ANNA, DEAD)
    text = await asyncio.to_thread(metrics_of, process)
    assert 'floor_scoring_hands_total{mode="regular",players="2"}' in text
    assert 'floor_scoring_layouts_total{state="dead"}' in text
    assert f'floor_grpc_call_seconds_count{{method="{METHOD}"}}' in text
    async with grpc.aio.insecure_channel(process.address) as bare:
        call = reflection_pb2_grpc.ServerReflectionStub(bare).ServerReflectionInfo(
            iter([reflection_pb2.ServerReflectionRequest(list_services="")])
        )
        async for answer in call:
            names = {found.name for found in answer.list_services_response.service}
            assert "floor.scoring.v1.ScoringService" in names
