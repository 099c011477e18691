"""The showdown service as a process, through the wire, with a broker that has the log.

The shuffler is a stub over real gRPC.
"""

from __future__ import annotations

import asyncio
import re
import socket
import time
import urllib.request
from collections.abc import AsyncIterator, Iterator
from functools import partial
from typing import Any

import grpc
import grpc.aio
import pytest
import pytest_asyncio
from grpc_reflection.v1alpha import (  # type: ignore[import-untyped]  # no stubs published with it
    reflection_pb2,
    reflection_pb2_grpc,
)

from pokerfloor.api.common.v1 import cards_pb2, errors_pb2
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.internal.showdown.v1 import resolution_pb2
from pokerfloor.api.showdown.v1 import showdown_pb2
from pokerfloor.cards import parse_cards, to_wire
from pokerfloor.servicekit import FloorError, connect, fixed_token
from pokerfloor.tablelog import SYSTEM_CODE
from tests.support import (
    ServiceProcess,
    service_env,
)
from tests.support.showdown.hands import (
    assert_holds_nothing_of,
    awards,
    own,
    shown,
)
from tests.support.showdown.played_hands import played
from tests.support.showdown.showdown_floor import ShowdownFloor, refusal, running_floor, three_way
from tests.support.showdown.stub_shuffler import StubShuffler
from tests.support.stubs import ShowdownStub

pytestmark = pytest.mark.integration

RESOLVE = "/floor.internal.showdown.v1.ResolutionService/Resolve"


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ShowdownFloor]:
    with running_floor(tmp_path_factory.mktemp("showdown")) as floor:
        yield floor


@pytest_asyncio.fixture
async def table(floor: ShowdownFloor) -> AsyncIterator[ShowdownStub]:
    async with floor.client("service_table") as client:
        yield client


@pytest_asyncio.fixture
async def player(floor: ShowdownFloor) -> AsyncIterator[ShowdownStub]:
    async with floor.client("player") as client:
        yield client


def rank_request(system: str, cards: str, *codes: int) -> showdown_pb2.RankRequest:
    wire = [*[to_wire(card) for card in parse_cards(cards)], *codes]
    number = SYSTEM_CODE.get(system, hand_events_pb2.RANKING_SYSTEM_UNSPECIFIED)
    return showdown_pb2.RankRequest(
        system=number, cards=[cards_pb2.Card(code=code) for code in wire]
    )


# --- Rank


@pytest.mark.rule("RNK-6")
async def test_ranks_for_anybody(floor: ShowdownFloor) -> None:
    for role in ("player", "spectator", "operations", "auditor", "service_records"):
        async with floor.client(role) as client:
            hand = (await client.Rank(rank_request("high52", "AsAdAcKdKhQcQd"))).hand
            assert (hand.category, hand.name) == (
                hand_events_pb2.HAND_CATEGORY_FULL_HOUSE,
                "full house, aces over kings",
            )
            assert [card.code - 1 for card in hand.cards] == list(parse_cards("AsAdAcKhKd"))
    async with floor.client("service_wallet") as client:
        assert await refusal(client.Rank(rank_request("high52", "AsKdQh9c8c"))) == (
            "PERMISSION_DENIED",
            "ROLE_NOT_ALLOWED",
            "",
        )


@pytest.mark.parametrize(
    ("request_", "code", "field"),
    [
        (rank_request("low9", "AsKdQh9c8c"), "UNKNOWN_GAME", "system"),
        (rank_request("high52", "AsKdQh9c"), "BAD_CARDS", "cards"),
        (rank_request("high52", "AsKdQhAs8c"), "BAD_CARDS", "cards[3]"),
        (rank_request("high52", "AsKdQh9c", 0), "BAD_CARDS", "cards[4]"),
        (rank_request("top3", "AsKdXr"), "BAD_CARDS", "cards[2]"),
        (rank_request("top3", "AsKd", 99), "BAD_CARDS", "cards[2]"),
    ],
)
async def test_cards_that_cannot_be_ranked(
    player: ShowdownStub,
    request_: showdown_pb2.RankRequest,
    code: str,
    field: str,
) -> None:
    assert await refusal(player.Rank(request_)) == ("INVALID_ARGUMENT", code, field)


# --- Resolve


@pytest.mark.rule("SHW-2", "SHW-4")
async def test_shown_hands_come_with_proofs_and_mucked_ones_leave_no_trace(
    floor: ShowdownFloor, table: ShowdownStub
) -> None:
    asked = await floor.log(three_way)
    async with floor.shuffler(StubShuffler(asked)) as shuffler:
        response = await table.Resolve(asked.request)
        again = await table.Resolve(asked.request)
    assert shown(response) == [2, -5, 7]
    assert list(response.steps[0].shown.cards) == [asked.opened(own(2, k)) for k in (1, 2)]
    assert list(response.steps[2].shown.cards) == [asked.opened(own(7, k)) for k in (1, 2)]
    assert_holds_nothing_of(response, asked, 5)
    assert (awards(response), response.rake.total.minor) == ([(0, 2, 86)], 4)
    assert again.SerializeToString() == response.SerializeToString()
    # Its own identity and the table's cause, for all hidden places at once.
    assert shuffler.callers == ["service:showdown"] * 2
    assert shuffler.calls[0].cause == asked.request.cause
    assert shuffler.calls[0].owner_epoch == 0
    assert list(shuffler.calls[0].places) == [own(s, k) for s in (2, 5, 7) for k in (1, 2)]


@pytest.mark.rule("BET-2", "SHW-2", "POT-3", "POT-4", "ODD-1")
async def test_all_in_hands_lie_open_and_need_no_shuffler(
    floor: ShowdownFloor, table: ShowdownStub
) -> None:
    hand = partial(
        played,
        {1: "AsKd", 2: "", 4: "AdKs", 6: "2s2d"},
        stacks={1: 151, 2: 200, 4: 201, 6: 100},
        board_cards="3cTd9hJsQd",
        all_in=True,
        button=1,
    )
    asked = await floor.log(hand)
    response = await table.Resolve(asked.request)
    assert shown(response) == [4, 1, 6]
    # The folded seat had posted 1, so that the main pot is odd.
    assert awards(response) == [(1, 4, 51), (1, 1, 51), (0, 4, 151), (0, 1, 150)]


@pytest.mark.parametrize(
    ("said", "status", "code"),
    [
        (errors_pb2.ERROR_CODE_NOT_JUSTIFIED, "PERMISSION_DENIED", "NOT_JUSTIFIED"),
        (errors_pb2.ERROR_CODE_WRONG_DECK_STATE, "FAILED_PRECONDITION", "WRONG_DECK_STATE"),
        (errors_pb2.ERROR_CODE_OVERLOADED, "RESOURCE_EXHAUSTED", "OVERLOADED"),
        # Between the two services; the table's own token is fine.
        (errors_pb2.ERROR_CODE_TOKEN_EXPIRED, "INTERNAL", "INTERNAL"),
        (errors_pb2.ERROR_CODE_INVALID_FIELD, "INTERNAL", "INTERNAL"),
    ],
)
async def test_what_the_shuffler_says(
    floor: ShowdownFloor,
    table: ShowdownStub,
    said: int,
    status: str,
    code: str,
) -> None:
    asked = await floor.log(three_way)
    stub = StubShuffler(asked, answers=[FloorError(said, "no", "places[1]")])
    async with floor.shuffler(stub):
        found = await refusal(table.Resolve(asked.request))
    assert found[:2] == (status, code)
    assert not found[2].startswith("places")
    assert len(stub.calls) == 1


async def test_a_shuffler_that_is_away_or_slow_is_asked_again(
    floor: ShowdownFloor, table: ShowdownStub
) -> None:
    asked = await floor.log(three_way)
    away = FloorError(errors_pb2.ERROR_CODE_UNAVAILABLE, "starting")
    async with floor.shuffler(StubShuffler(asked, answers=[away, 30.0, away])) as stub:
        response = await table.Resolve(asked.request)
    assert shown(response) == [2, -5, 7]
    assert len(stub.calls) == 4


async def test_without_a_shuffler_the_callers_deadline_holds(
    floor: ShowdownFloor, table: ShowdownStub
) -> None:
    asked = await floor.log(three_way)
    began_s = time.monotonic()
    found = await refusal(table.Resolve(asked.request, timeout=0.6))
    assert found == ("UNAVAILABLE", "UNAVAILABLE", "")
    assert 0.3 < time.monotonic() - began_s < 1.5
    # One that takes connections and says nothing.
    with socket.create_server(("127.0.0.1", floor.shuffler_port)):
        found = await refusal(table.Resolve(asked.request, timeout=0.6))
        assert found == ("UNAVAILABLE", "UNAVAILABLE", "")
    # And it is found again when it is back.
    async with floor.shuffler(StubShuffler(asked)):
        assert shown(await table.Resolve(asked.request)) == [2, -5, 7]


async def test_cards_that_do_not_fit_are_the_houses_fault(
    floor: ShowdownFloor, table: ShowdownStub
) -> None:
    asked = await floor.log(three_way)
    good = [asked.opened(own(s, k)) for s in (2, 5, 7) for k in (1, 2)]
    twice = [*good[:5], cards_pb2.RevealedCard(place=good[5].place, card=good[0].card)]
    unknown = [*good[:5], cards_pb2.RevealedCard(place=good[5].place)]
    async with floor.shuffler(StubShuffler(asked, answers=[twice, unknown, good[::-1]])):
        bad = ("INTERNAL", "BAD_SHOWDOWN", "")
        assert await refusal(table.Resolve(asked.request)) == bad
        assert await refusal(table.Resolve(asked.request)) == bad
        assert await refusal(table.Resolve(asked.request)) == ("INTERNAL", "INTERNAL", "")


async def test_requests_that_are_not_whole_ask_nobody(
    floor: ShowdownFloor, table: ShowdownStub
) -> None:
    asked = await floor.log(three_way)
    bad = resolution_pb2.ResolveRequest()
    async with floor.shuffler(StubShuffler(asked)) as shuffler:
        assert await refusal(table.Resolve(bad)) == (
            "INVALID_ARGUMENT",
            "INVALID_FIELD",
            "deck.table_id",
        )
        bad.CopyFrom(asked.request)
        bad.revealed_cards[3].card.code = 53
        assert await refusal(table.Resolve(bad)) == (
            "INVALID_ARGUMENT",
            "BAD_CARDS",
            "revealed_cards[3].card",
        )
        bad.CopyFrom(asked.request)
        bad.began.game.game = "omaha9"
        assert await refusal(table.Resolve(bad)) == (
            "INVALID_ARGUMENT",
            "UNKNOWN_GAME",
            "began.game.game",
        )
        bad.CopyFrom(asked.request)
        bad.pots[0].amount.minor += 1
        assert await refusal(table.Resolve(bad)) == (
            "INVALID_ARGUMENT",
            "INVALID_FIELD",
            "contributions",
        )
    assert not shuffler.calls


async def test_only_the_table_resolves(floor: ShowdownFloor) -> None:
    refused = ("PERMISSION_DENIED", "ROLE_NOT_ALLOWED", "")
    asked = await floor.log(three_way)
    async with floor.shuffler(StubShuffler(asked)) as shuffler:
        for role in ("player", "operations", "auditor", "service_showdown", "service_gateway"):
            async with floor.client(role) as client:
                assert await refusal(client.Resolve(asked.request)) == refused
        async with grpc.aio.insecure_channel(floor.process.address) as bare:
            stub = ShowdownStub(bare)
            assert await refusal(stub.Resolve(asked.request)) == (
                "UNAUTHENTICATED",
                "TOKEN_MISSING",
                "",
            )
    assert not shuffler.calls


async def test_garbage_and_too_many_bytes(floor: ShowdownFloor) -> None:
    token = floor.identities.token("table", "service_table")
    async with connect(floor.process.address, fixed_token(token)) as channel:
        raw: Any = channel.unary_unary(RESOLVE)
        garbage = await refusal(raw(b"\xff\xff\xff garbage"))
        assert garbage == ("INVALID_ARGUMENT", "MALFORMED_MESSAGE", "")
        for size in (20_000, 1_000_000):
            status, code, _ = await refusal(raw(b"\0" * size))
            assert (status, code) == ("RESOURCE_EXHAUSTED", "MESSAGE_TOO_LARGE")


# --- what it tells about itself


async def test_no_log_line_tells_a_card(floor: ShowdownFloor, table: ShowdownStub) -> None:
    asked = await floor.log(three_way)
    async with floor.shuffler(StubShuffler(asked)):
        await table.Resolve(asked.request)
    await table.Rank(rank_request("high52", "AsKdQh9c8c"))
    await refusal(table.Rank(rank_request("high52", "AsKdQhAs8c")))
    lines = floor.process.lines()
    always = {"event", "component", "request_id", "level", "at", "service", "instance"}
    hand = {"table_id", "hand_no", "table_seq"}
    told = {
        "call_done": {"method", "code", "ms"},
        "showdown_resolved": {*hand, "kind", "shown", "mucked"},
        "shuffler_unreachable": {*hand, "reason"},
        "shuffler_refused": {*hand, "reason", "code", "field"},
        "shuffler_answer_unfit": {*hand, "asked"},
        "bad_showdown": {*hand, "reason"},
        "showdown_unjustified": {*hand, "reason", "field"},
    }
    for line in lines:
        if line["event"] in told:
            assert set(line) - always <= told[line["event"]]
    assert {"call_done", "showdown_resolved"} <= {line["event"] for line in lines}
    text = floor.process.log.read_text(encoding="utf-8")
    assert not re.search(r"\b([2-9TJQKA][cdhs]|aces|kings|pair of)\b", text)


def metrics_of(process: ServiceProcess) -> str:
    url = f"http://127.0.0.1:{process.metrics_port}/metrics"
    with urllib.request.urlopen(url, timeout=5) as page:
        text: str = page.read().decode()
    return text


async def test_metrics_and_reflection(floor: ShowdownFloor, table: ShowdownStub) -> None:
    asked = await floor.log(three_way)
    async with floor.shuffler(StubShuffler(asked)):
        await table.Resolve(asked.request)
    await table.Rank(rank_request("top3", "AsKdQh"))
    text = await asyncio.to_thread(metrics_of, floor.process)
    for sample in (
        'floor_showdown_ranks_total{system="top3"}',
        'floor_showdown_resolved_total{game="holdem",kind="showdown"}',
        'floor_showdown_hands_total{end="mucked"}',
        'floor_showdown_reveal_seconds_count{outcome="revealed"}',
        "floor_showdown_log_seconds_count",
        f'floor_grpc_call_seconds_count{{method="{RESOLVE}"}}',
    ):
        assert sample in text
    async with grpc.aio.insecure_channel(floor.process.address) as bare:
        call = reflection_pb2_grpc.ServerReflectionStub(bare).ServerReflectionInfo(
            iter([reflection_pb2.ServerReflectionRequest(list_services="")])
        )
        async for answer in call:
            names = {found.name for found in answer.list_services_response.service}
            assert "floor.showdown.v1.ShowdownService" in names


async def test_it_does_not_start_without_its_own_identity(
    floor: ShowdownFloor, tmp_path: Any
) -> None:
    env = service_env("nobody", tmp_path, floor.identities, shuffler_address="127.0.0.1:1")
    process = ServiceProcess("floor_showdown", env, tmp_path / "nobody.log")
    process.spawn()
    assert await process.exit_code() == 1
    assert "token_file is not set" in process.tail()
