"""The showdown service against a table that asks for anything else than the log says."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from typing import Any

import pytest
import pytest_asyncio

from pokerfloor.api.internal.showdown.v1 import resolution_pb2
from pokerfloor.cards import parse_cards, to_wire
from pokerfloor.games import Void
from tests.support.showdown.hands import shown
from tests.support.showdown.played_hands import Played
from tests.support.showdown.showdown_floor import ShowdownFloor, refusal, running_floor, three_way
from tests.support.showdown.stub_shuffler import StubShuffler
from tests.support.stubs import ShowdownStub

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ShowdownFloor]:
    with running_floor(tmp_path_factory.mktemp("showdown")) as floor:
        yield floor


@pytest_asyncio.fixture
async def table(floor: ShowdownFloor) -> AsyncIterator[ShowdownStub]:
    async with floor.client("service_table") as client:
        yield client


async def test_a_cause_that_is_not_stored(floor: ShowdownFloor, table: ShowdownStub) -> None:
    other, asked = await floor.log(three_way), await floor.log(three_way)
    async with floor.shuffler(StubShuffler(asked)) as shuffler:
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
            ("began_step", {"table_seq": 1}),
            ("began_step", {"stream_seq": 1}),
            ("began_step", {"stream_seq": -1}),
            ("began_step", {"stream_seq": 1_000_000}),
        ):
            forged = resolution_pb2.ResolveRequest()
            forged.CopyFrom(asked.request)
            ref = getattr(forged, path)
            for name, by in change.items():
                setattr(ref, name, max(1, getattr(ref, name) + by))
            status, code, field = await refusal(table.Resolve(forged))
            assert (status, code) == ("PERMISSION_DENIED", "CAUSE_NOT_FOUND"), (path, change)
            assert field in ("cause", "began_step")
        forged.CopyFrom(asked.request)
        forged.deck.table_id = forged.cause.table_id = forged.began_step.table_id = "main-0"
        forged.hand.table_id = "main-0"
        assert await refusal(table.Resolve(forged)) == (
            "PERMISSION_DENIED",
            "CAUSE_NOT_FOUND",
            "began_step",
        )
    assert not shuffler.calls


async def test_a_step_that_is_missing_between(floor: ShowdownFloor, table: ShowdownStub) -> None:
    def torn(**given: Any) -> Played:
        hand = three_way(**given)
        return replace(hand, steps=[*hand.steps[:2], *hand.steps[3:]])

    asked = await floor.log(torn)
    async with floor.shuffler(StubShuffler(asked)) as shuffler:
        found = await refusal(table.Resolve(asked.request))
        assert found == ("PERMISSION_DENIED", "CAUSE_NOT_FOUND", "cause")
    assert not shuffler.calls


@pytest.mark.rule("SHW-2")
async def test_a_table_cannot_have_mucked_hands_by_asking_once_more(
    floor: ShowdownFloor, table: ShowdownStub
) -> None:
    def always_show_all(request: resolution_pb2.ResolveRequest) -> None:
        request.began.always_show[:] = [2, 5, 7]

    def all_exposed(request: resolution_pb2.ResolveRequest) -> None:
        request.all_in = True

    def another_board(request: resolution_pb2.ResolveRequest) -> None:
        request.revealed_cards[0].card.code = to_wire(parse_cards("Kc")[0])

    def other_pots(request: resolution_pb2.ResolveRequest) -> None:
        request.pots[0].seats[:] = [5, 7]

    asked = await floor.log(three_way)
    async with floor.shuffler(StubShuffler(asked)) as shuffler:
        assert shown(await table.Resolve(asked.request)) == [2, -5, 7]
        for lie, field in (
            (always_show_all, "began"),
            (all_exposed, "all_in"),
            (another_board, "revealed_cards"),
            (other_pots, "pots"),
        ):
            forged = resolution_pb2.ResolveRequest()
            forged.CopyFrom(asked.request)
            lie(forged)
            assert await refusal(table.Resolve(forged)) == (
                "PERMISSION_DENIED",
                "NOT_JUSTIFIED",
                field,
            )
        assert shown(await table.Resolve(asked.request)) == [2, -5, 7]
    assert len(shuffler.calls) == 2


async def test_a_hand_that_is_over(floor: ShowdownFloor, table: ShowdownStub) -> None:
    asked = await floor.log(lambda **given: three_way(**given).then(Void("misdeal")))
    async with floor.shuffler(StubShuffler(asked)) as shuffler:
        found = await refusal(table.Resolve(asked.request))
        assert found == ("PERMISSION_DENIED", "NOT_JUSTIFIED", "cause")
    assert not shuffler.calls
