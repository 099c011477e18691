"""The showdown service as a process, through the wire, with a broker that has the log.

The shuffler is a stub over real gRPC.
"""

from __future__ import annotations

import asyncio
import itertools
import re
import socket
import time
import urllib.request
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
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

from libs.cards import parse_cards, to_wire
from libs.floorapi.floor.common.v1 import cards_pb2, errors_pb2
from libs.floorapi.floor.showdown.v1 import showdown_pb2, showdown_pb2_grpc
from libs.floorkit import FloorError, FloorNats, connect, error_name, error_of, fixed_token
from libs.floorlog import table_subject
from libs.games import Void
from tests.support import (
    DevIdentities,
    NatsServer,
    ServiceProcess,
    dev_identities,
    free_port,
    service_env,
)
from tests.unit.showdown.hands import (
    assert_holds_nothing_of,
    awards,
    own,
    shown,
)
from tests.unit.showdown.played import Played, played
from tests.unit.showdown.stub_shuffler import StubShuffler, serving

pytestmark = pytest.mark.integration

RESOLVE = "/floor.showdown.v1.ShowdownService/Resolve"
ATTEMPT_MS = 400


class House:
    """One showdown service for the module, its broker, and the port of its shuffler."""

    def __init__(self, folder: Any) -> None:
        self.identities: DevIdentities = dev_identities(folder / "keys")
        self.nats = NatsServer(folder / "nats")
        self.nats.start()
        self.shuffler_port = free_port()
        self._tables = itertools.count(1)
        env = service_env(
            "showdown",
            folder,
            self.identities,
            self.nats.url,
            shuffler_address=f"127.0.0.1:{self.shuffler_port}",
            opening_attempt_ms=ATTEMPT_MS,
            opening_timeout_ms=6000,
            max_message_bytes=16_384,
        )
        self.process = ServiceProcess("services.showdown", env, folder / "showdown.log")

    async def log(self, hand: Callable[..., Played]) -> Played:
        """Play a hand at a table of its own, and store it."""
        made = hand(table_id=f"main-{next(self._tables)}")
        request = made.request
        nats = await FloorNats.connect(self.nats.url, name="test", wait_ms=5000)
        try:
            last = 0
            for step in made.steps:
                last = await nats.append(
                    table_subject(step.table_id),
                    step.SerializeToString(),
                    expected_last_seq=last,
                    msg_id=f"{step.table_id}/{step.owner_epoch}/{step.table_seq}",
                )
                for ref in (request.opened, request.cause):
                    if ref.table_seq == step.table_seq:
                        ref.stream_seq = last
        finally:
            await nats.close()
        return made

    def shuffler(self, stub: StubShuffler) -> Any:
        return serving(stub, self.identities, self.shuffler_port)

    @asynccontextmanager
    async def client(
        self, *roles: str
    ) -> AsyncIterator[showdown_pb2_grpc.ShowdownServiceAsyncStub]:
        token = self.identities.token("somebody", *roles)
        async with connect(self.process.address, fixed_token(token), timeout_ms=10_000) as channel:
            yield showdown_pb2_grpc.ShowdownServiceStub(channel)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    house = House(tmp_path_factory.mktemp("showdown"))
    asyncio.run(house.process.start())
    yield house
    try:
        asyncio.run(house.process.stop())
        assert "stopped" in house.process.events()
    finally:
        house.process.kill9()
        house.nats.kill9()


@pytest_asyncio.fixture
async def table(house: House) -> AsyncIterator[showdown_pb2_grpc.ShowdownServiceAsyncStub]:
    async with house.client("service_table") as client:
        yield client


@pytest_asyncio.fixture
async def player(house: House) -> AsyncIterator[showdown_pb2_grpc.ShowdownServiceAsyncStub]:
    async with house.client("player") as client:
        yield client


async def refusal(call: Awaitable[object]) -> tuple[str, str, str]:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    error = error_of(caught.value)
    return caught.value.code().name, error_name(error.code), error.field


def rank_request(system: str, cards: str, *codes: int) -> showdown_pb2.RankRequest:
    wire = [*[to_wire(card) for card in parse_cards(cards)], *codes]
    return showdown_pb2.RankRequest(
        system=system, cards=[cards_pb2.Card(code=code) for code in wire]
    )


# Aces are first and win, kings muck, the odd third hand is shown by its owner's wish.
three_way = partial(played, {2: "AsAd", 5: "KsKd", 7: "5h5c"}, always_show=[7], rake_bp=500)


# --- Rank


@pytest.mark.rule("RNK-6")
async def test_ranks_for_anybody(house: House) -> None:
    for role in ("player", "spectator", "operations", "auditor", "service_records"):
        async with house.client(role) as client:
            hand = (await client.Rank(rank_request("high52", "AsAdAcKdKhQcQd"))).hand
            assert (hand.category, hand.name) == ("full_house", "full house, aces over kings")
            assert [card.code - 1 for card in hand.cards] == list(parse_cards("AsAdAcKhKd"))
    async with house.client("service_wallet") as client:
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
    player: showdown_pb2_grpc.ShowdownServiceAsyncStub,
    request_: showdown_pb2.RankRequest,
    code: str,
    field: str,
) -> None:
    assert await refusal(player.Rank(request_)) == ("INVALID_ARGUMENT", code, field)


# --- Resolve


@pytest.mark.rule("SHW-2", "SHW-4")
async def test_shown_hands_come_with_proofs_and_mucked_ones_leave_no_trace(
    house: House, table: showdown_pb2_grpc.ShowdownServiceAsyncStub
) -> None:
    asked = await house.log(three_way)
    async with house.shuffler(StubShuffler(asked)) as shuffler:
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
    house: House, table: showdown_pb2_grpc.ShowdownServiceAsyncStub
) -> None:
    hand = partial(
        played,
        {1: "AsKd", 2: "", 4: "AdKs", 6: "2s2d"},
        stacks={1: 151, 2: 200, 4: 201, 6: 100},
        board_cards="3cTd9hJsQd",
        all_in=True,
        button=1,
    )
    asked = await house.log(hand)
    response = await table.Resolve(asked.request)
    assert shown(response) == [4, 1, 6]
    # The folded seat had posted 1, so that the main pot is odd.
    assert awards(response) == [(1, 4, 51), (1, 1, 51), (0, 4, 151), (0, 1, 150)]


async def test_a_cause_that_is_not_stored(
    house: House, table: showdown_pb2_grpc.ShowdownServiceAsyncStub
) -> None:
    asked, other = await house.log(three_way), await house.log(three_way)
    async with house.shuffler(StubShuffler(asked)) as shuffler:
        for path, change in (
            ("cause", {"table_seq": 1}),
            ("cause", {"stream_seq": -1}),
            ("cause", {"table_seq": -1}),
            ("cause", {"table_seq": 100_000}),
            (
                "cause",
                {"stream_seq": other.request.cause.stream_seq - asked.request.cause.stream_seq},
            ),
            ("cause", {"table_seq": -len(asked.steps)}),
            ("opened", {"table_seq": 1}),
            ("opened", {"stream_seq": 1}),
            ("opened", {"stream_seq": -1}),
            ("opened", {"stream_seq": 1_000_000}),
        ):
            forged = showdown_pb2.ResolveRequest()
            forged.CopyFrom(asked.request)
            ref = getattr(forged, path)
            for name, by in change.items():
                setattr(ref, name, max(1, getattr(ref, name) + by))
            status, code, field = await refusal(table.Resolve(forged))
            assert (status, code) == ("PERMISSION_DENIED", "CAUSE_NOT_FOUND"), (path, change)
            assert field in ("cause", "opened")
        forged.CopyFrom(asked.request)
        forged.deck.table_id = forged.cause.table_id = forged.opened.table_id = "main-0"
        forged.resolution_id = "main-0/17"
        assert await refusal(table.Resolve(forged)) == (
            "PERMISSION_DENIED",
            "CAUSE_NOT_FOUND",
            "opened",
        )
    assert not shuffler.calls


async def test_a_step_that_is_missing_between(
    house: House, table: showdown_pb2_grpc.ShowdownServiceAsyncStub
) -> None:
    def torn(**given: Any) -> Played:
        hand = three_way(**given)
        return replace(hand, steps=[*hand.steps[:2], *hand.steps[3:]])

    asked = await house.log(torn)
    async with house.shuffler(StubShuffler(asked)) as shuffler:
        found = await refusal(table.Resolve(asked.request))
        assert found == ("PERMISSION_DENIED", "CAUSE_NOT_FOUND", "cause")
    assert not shuffler.calls


@pytest.mark.rule("SHW-2")
async def test_a_table_cannot_have_mucked_hands_by_asking_once_more(
    house: House, table: showdown_pb2_grpc.ShowdownServiceAsyncStub
) -> None:
    def always_show_all(request: showdown_pb2.ResolveRequest) -> None:
        request.hand.always_show[:] = [2, 5, 7]

    def all_exposed(request: showdown_pb2.ResolveRequest) -> None:
        request.all_in = True

    def another_board(request: showdown_pb2.ResolveRequest) -> None:
        request.open_cards[0].card.code = to_wire(parse_cards("Kc")[0])

    def other_pots(request: showdown_pb2.ResolveRequest) -> None:
        request.pots[0].seats[:] = [5, 7]

    asked = await house.log(three_way)
    async with house.shuffler(StubShuffler(asked)) as shuffler:
        assert shown(await table.Resolve(asked.request)) == [2, -5, 7]
        for lie, field in (
            (always_show_all, "hand"),
            (all_exposed, "all_in"),
            (another_board, "open_cards"),
            (other_pots, "pots"),
        ):
            forged = showdown_pb2.ResolveRequest()
            forged.CopyFrom(asked.request)
            lie(forged)
            assert await refusal(table.Resolve(forged)) == (
                "PERMISSION_DENIED",
                "NOT_JUSTIFIED",
                field,
            )
        assert shown(await table.Resolve(asked.request)) == [2, -5, 7]
    assert len(shuffler.calls) == 2


async def test_a_hand_that_is_over(
    house: House, table: showdown_pb2_grpc.ShowdownServiceAsyncStub
) -> None:
    asked = await house.log(lambda **given: three_way(**given).then(Void("misdeal")))
    async with house.shuffler(StubShuffler(asked)) as shuffler:
        found = await refusal(table.Resolve(asked.request))
        assert found == ("PERMISSION_DENIED", "NOT_JUSTIFIED", "cause")
    assert not shuffler.calls


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
    house: House,
    table: showdown_pb2_grpc.ShowdownServiceAsyncStub,
    said: int,
    status: str,
    code: str,
) -> None:
    asked = await house.log(three_way)
    stub = StubShuffler(asked, answers=[FloorError(said, "no", "places[1]")])
    async with house.shuffler(stub):
        found = await refusal(table.Resolve(asked.request))
    assert found[:2] == (status, code)
    assert not found[2].startswith("places")
    assert len(stub.calls) == 1


async def test_a_shuffler_that_is_away_or_slow_is_asked_again(
    house: House, table: showdown_pb2_grpc.ShowdownServiceAsyncStub
) -> None:
    asked = await house.log(three_way)
    away = FloorError(errors_pb2.ERROR_CODE_UNAVAILABLE, "starting")
    async with house.shuffler(StubShuffler(asked, answers=[away, 30.0, away])) as stub:
        response = await table.Resolve(asked.request)
    assert shown(response) == [2, -5, 7]
    assert len(stub.calls) == 4


async def test_without_a_shuffler_the_callers_deadline_holds(
    house: House, table: showdown_pb2_grpc.ShowdownServiceAsyncStub
) -> None:
    asked = await house.log(three_way)
    began_s = time.monotonic()
    found = await refusal(table.Resolve(asked.request, timeout=0.6))
    assert found == ("UNAVAILABLE", "UNAVAILABLE", "")
    assert 0.3 < time.monotonic() - began_s < 1.5
    # One that takes connections and says nothing.
    with socket.create_server(("127.0.0.1", house.shuffler_port)):
        found = await refusal(table.Resolve(asked.request, timeout=0.6))
        assert found == ("UNAVAILABLE", "UNAVAILABLE", "")
    # And it is found again when it is back.
    async with house.shuffler(StubShuffler(asked)):
        assert shown(await table.Resolve(asked.request)) == [2, -5, 7]


async def test_cards_that_do_not_fit_are_the_houses_fault(
    house: House, table: showdown_pb2_grpc.ShowdownServiceAsyncStub
) -> None:
    asked = await house.log(three_way)
    good = [asked.opened(own(s, k)) for s in (2, 5, 7) for k in (1, 2)]
    twice = [*good[:5], cards_pb2.OpenedCard(place=good[5].place, card=good[0].card)]
    unknown = [*good[:5], cards_pb2.OpenedCard(place=good[5].place)]
    async with house.shuffler(StubShuffler(asked, answers=[twice, unknown, good[::-1]])):
        bad = ("INTERNAL", "BAD_SHOWDOWN", "")
        assert await refusal(table.Resolve(asked.request)) == bad
        assert await refusal(table.Resolve(asked.request)) == bad
        assert await refusal(table.Resolve(asked.request)) == ("INTERNAL", "INTERNAL", "")


async def test_requests_that_are_not_whole_ask_nobody(
    house: House, table: showdown_pb2_grpc.ShowdownServiceAsyncStub
) -> None:
    asked = await house.log(three_way)
    bad = showdown_pb2.ResolveRequest()
    async with house.shuffler(StubShuffler(asked)) as shuffler:
        assert await refusal(table.Resolve(bad)) == (
            "INVALID_ARGUMENT",
            "INVALID_FIELD",
            "deck.table_id",
        )
        bad.CopyFrom(asked.request)
        bad.open_cards[3].card.code = 53
        assert await refusal(table.Resolve(bad)) == (
            "INVALID_ARGUMENT",
            "BAD_CARDS",
            "open_cards[3].card",
        )
        bad.CopyFrom(asked.request)
        bad.hand.game.game = "omaha9"
        assert await refusal(table.Resolve(bad)) == (
            "INVALID_ARGUMENT",
            "UNKNOWN_GAME",
            "hand.game.game",
        )
        bad.CopyFrom(asked.request)
        bad.pots[0].amount.minor += 1
        assert await refusal(table.Resolve(bad)) == (
            "INVALID_ARGUMENT",
            "INVALID_FIELD",
            "contributions",
        )
    assert not shuffler.calls


async def test_only_the_table_resolves(house: House) -> None:
    refused = ("PERMISSION_DENIED", "ROLE_NOT_ALLOWED", "")
    asked = await house.log(three_way)
    async with house.shuffler(StubShuffler(asked)) as shuffler:
        for role in ("player", "operations", "auditor", "service_showdown", "service_gateway"):
            async with house.client(role) as client:
                assert await refusal(client.Resolve(asked.request)) == refused
        async with grpc.aio.insecure_channel(house.process.address) as bare:
            stub = showdown_pb2_grpc.ShowdownServiceStub(bare)
            assert await refusal(stub.Resolve(asked.request)) == (
                "UNAUTHENTICATED",
                "TOKEN_MISSING",
                "",
            )
    assert not shuffler.calls


async def test_garbage_and_too_many_bytes(house: House) -> None:
    token = house.identities.token("table", "service_table")
    async with connect(house.process.address, fixed_token(token)) as channel:
        raw: Any = channel.unary_unary(RESOLVE)
        garbage = await refusal(raw(b"\xff\xff\xff garbage"))
        assert garbage == ("INVALID_ARGUMENT", "MALFORMED_MESSAGE", "")
        for size in (20_000, 1_000_000):
            status, code, _ = await refusal(raw(b"\0" * size))
            assert (status, code) == ("RESOURCE_EXHAUSTED", "MESSAGE_TOO_LARGE")


async def test_equities_are_not_there_yet(
    table: showdown_pb2_grpc.ShowdownServiceAsyncStub,
    player: showdown_pb2_grpc.ShowdownServiceAsyncStub,
) -> None:
    refused = ("UNIMPLEMENTED", "NOT_SUPPORTED", "")
    assert await refusal(table.GetHandEquity(showdown_pb2.GetHandEquityRequest())) == refused
    assert await refusal(player.ComputeEquity(showdown_pb2.ComputeEquityRequest())) == refused


# --- what it tells about itself


async def test_no_log_line_tells_a_card(
    house: House, table: showdown_pb2_grpc.ShowdownServiceAsyncStub
) -> None:
    asked = await house.log(three_way)
    async with house.shuffler(StubShuffler(asked)):
        await table.Resolve(asked.request)
    await table.Rank(rank_request("high52", "AsKdQh9c8c"))
    await refusal(table.Rank(rank_request("high52", "AsKdQhAs8c")))
    lines = house.process.lines()
    always = {"event", "component", "request_id", "level", "at", "service", "instance"}
    hand = {"table_id", "hand_no", "table_seq"}
    told = {
        "call": {"method", "code", "ms"},
        "resolved": {*hand, "kind", "shown", "mucked"},
        "shuffler not reached": {*hand, "reason"},
        "shuffler refused": {*hand, "reason", "code", "field"},
        "shuffler answered other places or no cards": {*hand, "asked"},
        "cards do not fit together": {*hand, "reason"},
        "a showdown that the log does not justify": {*hand, "reason", "field"},
    }
    for line in lines:
        if line["event"] in told:
            assert set(line) - always <= told[line["event"]]
    assert {"call", "resolved"} <= {line["event"] for line in lines}
    text = house.process.log.read_text(encoding="utf-8")
    assert not re.search(r"\b([2-9TJQKA][cdhs]|aces|kings|pair of)\b", text)


def metrics_of(process: ServiceProcess) -> str:
    url = f"http://127.0.0.1:{process.metrics_port}/metrics"
    with urllib.request.urlopen(url, timeout=5) as page:
        text: str = page.read().decode()
    return text


async def test_metrics_and_reflection(
    house: House, table: showdown_pb2_grpc.ShowdownServiceAsyncStub
) -> None:
    asked = await house.log(three_way)
    async with house.shuffler(StubShuffler(asked)):
        await table.Resolve(asked.request)
    await table.Rank(rank_request("top3", "AsKdQh"))
    text = await asyncio.to_thread(metrics_of, house.process)
    for sample in (
        'floor_showdown_ranks_total{system="top3"}',
        'floor_showdown_resolved_total{game="holdem",kind="showdown"}',
        'floor_showdown_hands_total{end="mucked"}',
        'floor_showdown_opening_seconds_count{outcome="opened"}',
        "floor_showdown_log_seconds_count",
        f'floor_grpc_call_seconds_count{{method="{RESOLVE}"}}',
    ):
        assert sample in text
    async with grpc.aio.insecure_channel(house.process.address) as bare:
        call = reflection_pb2_grpc.ServerReflectionStub(bare).ServerReflectionInfo(
            iter([reflection_pb2.ServerReflectionRequest(list_services="")])
        )
        async for answer in call:
            names = {found.name for found in answer.list_services_response.service}
            assert "floor.showdown.v1.ShowdownService" in names


async def test_it_does_not_start_without_its_own_identity(house: House, tmp_path: Any) -> None:
    env = service_env("nobody", tmp_path, house.identities, shuffler_address="127.0.0.1:1")
    process = ServiceProcess("services.showdown", env, tmp_path / "nobody.log")
    process.spawn()
    assert await process.exit_code() == 1
    assert "token_file is not set" in process.tail()
