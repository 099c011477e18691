"""Equities over the wire: of a hand by what the log turned up, and of named cards that leave no
trace."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import grpc
import grpc.aio
import pytest
import pytest_asyncio

from floor_showdown.hand_log import HandLog
from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.api.showdown.v1 import showdown_pb2
from pokerfloor.cards import parse_cards, to_wire
from pokerfloor.servicekit import FloorError, FloorNats, error_name, error_of
from pokerfloor.tablelog import table_subject
from tests.support.showdown.played_hands import Played, played
from tests.support.showdown.showdown_floor import ShowdownFloor, refusal, running_floor
from tests.support.stubs import ShowdownStub

pytestmark = pytest.mark.integration

if TYPE_CHECKING:
    Stub = ShowdownStub
_aces_kings = partial(played, {2: "AsAh", 5: "KsKh", 7: ""}, all_in=True, raise_to=0)


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ShowdownFloor]:
    with running_floor(tmp_path_factory.mktemp("showdown")) as floor:
        yield floor


@pytest_asyncio.fixture
async def table(floor: ShowdownFloor) -> AsyncIterator[Stub]:
    async with floor.client("service_table") as client:
        yield client


@pytest_asyncio.fixture
async def player(floor: ShowdownFloor) -> AsyncIterator[Stub]:
    async with floor.client("player") as client:
        yield client


def _named(
    game: str, *hands: str, boards: Sequence[str] = (), dead: str = "", samples: int = 0
) -> showdown_pb2.ComputeEquityRequest:
    def listed(text: str) -> showdown_pb2.CardList:
        cards = [cards_pb2.Card(code=to_wire(card)) for card in parse_cards(text)]
        return showdown_pb2.CardList(cards=cards)

    return showdown_pb2.ComputeEquityRequest(
        game=game,
        hands=[listed(hand) for hand in hands],
        boards=[listed(board) for board in boards],
        dead=listed(dead),
        max_samples=samples,
    )


def _by_seat(equity: hand_events_pb2.EquityShown) -> dict[int, tuple[int, int]]:
    return {one.seat: (one.high_ppm, one.low_ppm) for one in equity.seats}


def _turned_up(asked: Played, cards: int) -> int:
    """The step that turned up so many cards at once, the latest of them."""
    return max(
        step.table_seq
        for step in asked.steps
        for event in step.events
        if len(event.hand.cards_revealed.cards) == cards
    )


# --- named cards


async def test_named_cards_are_counted(player: Stub) -> None:
    equity = (await player.ComputeEquity(_named("holdem", "AsAh", "KsKh"))).equity
    assert equity.exact
    assert _by_seat(equity) == {1: (826_366, 0), 2: (173_634, 0)}
    hilo = _named("omaha4_hilo", "As2sKdKh", "QcQdJcTc", boards=["3c4dQh"])
    equity = (await player.ComputeEquity(hilo)).equity
    assert equity.exact
    shares = _by_seat(equity)
    assert shares[1][1] > 300_000, "it has the only low there can be"
    assert abs(sum(high + low for high, low in shares.values()) - 1_000_000) <= 2
    double = _named("omaha4_double", "AsAhKsKh", "2c2d7h8h", boards=["AcKd9s", "2s7c3d"])
    shares = _by_seat((await player.ComputeEquity(double)).equity)
    assert shares[1][0] == pytest.approx(500_000, abs=120_000), "a board each"


async def test_a_sample_is_the_same_again_and_says_how_far_off_it_may_be(player: Stub) -> None:
    asked = _named("omaha4", "AsAhKsKh", "2c2d7h8h", samples=20_000)
    first = (await player.ComputeEquity(asked)).equity
    assert not first.exact
    assert 0 < first.seats[0].error_ppm < 10_000
    assert (await player.ComputeEquity(asked)).equity == first
    exact = _named("omaha4", "AsAhKsKh", "2c2d7h8h", boards=["2h3d4c"])
    assert (await player.ComputeEquity(exact)).equity.exact


@pytest.mark.parametrize(
    ("asked", "code", "field"),
    [
        (_named("whist", "AsAh", "KsKh"), "UNKNOWN_GAME", "game"),
        (_named("stud7", "AsAh", "KsKh"), "UNKNOWN_GAME", "game"),
        (_named("ofc", "AsAh", "KsKh"), "UNKNOWN_GAME", "game"),
        (_named("holdem", "AsAh"), "INVALID_FIELD", "hands"),
        (_named("holdem", *["AsAh"] * 11), "INVALID_FIELD", "hands"),
        (_named("holdem", "AsAh", "KsKhQd"), "BAD_CARDS", "hands"),
        (_named("holdem", "AsAh", "AsKh"), "BAD_CARDS", "hands"),
        (_named("holdem", "AsAh", "KsKh", boards=["2c2d", "3c"]), "BAD_CARDS", "boards"),
        (_named("holdem", "AsAh", "KsKh", boards=["2c", "3c", "4c"]), "INVALID_FIELD", "boards"),
        (_named("holdem", "AsAh", "KsKh", dead="As"), "BAD_CARDS", "dead"),
        (_named("holdem", "AsAh", "KsXr"), "BAD_CARDS", "hands"),
        (_named("holdem", "AsAh", "KsKh", samples=1_000_001), "INVALID_FIELD", "max_samples"),
    ],
)
async def test_questions_without_an_answer(
    player: Stub, asked: showdown_pb2.ComputeEquityRequest, code: str, field: str
) -> None:
    assert await refusal(player.ComputeEquity(asked)) == ("INVALID_ARGUMENT", code, field)


async def test_a_code_that_is_no_card(player: Stub) -> None:
    asked = _named("holdem", "AsAh", "KsKh")
    asked.hands[1].cards[0].code = 99
    found = await refusal(player.ComputeEquity(asked))
    assert found == ("INVALID_ARGUMENT", "BAD_CARDS", "hands[1].cards[0]")


async def test_only_so_many_at_once_and_ranking_goes_on(player: Stub) -> None:
    """The loop is free while equities are counted; beyond the queue they are refused at once."""
    asked = _named("holdem", *["AsAh", "KsKh", "QsQh", "JsJh", "2c2d", "3c3d"], samples=500_000)
    calls = [asyncio.ensure_future(player.ComputeEquity(asked)) for _ in range(24)]
    rank = showdown_pb2.RankRequest(
        system=hand_events_pb2.RANKING_SYSTEM_HIGH52, cards=_named("", "AsKdQh9c8c").hands[0].cards
    )
    began_s = asyncio.get_running_loop().time()
    assert (await player.Rank(rank)).hand.category == hand_events_pb2.HAND_CATEGORY_HIGH_CARD
    assert asyncio.get_running_loop().time() - began_s < 1
    codes: list[str] = []
    for call in calls:
        try:
            await call
            codes.append("")
        except grpc.aio.AioRpcError as failure:
            codes.append(error_name(error_of(failure).code))
    assert codes.count("OVERLOADED") == 24 - 16
    assert codes.count("") >= 3, "those in front are answered"
    assert set(codes) <= {"", "OVERLOADED", "UNAVAILABLE"}


async def test_named_cards_are_written_down_nowhere(floor: ShowdownFloor, player: Stub) -> None:
    await player.ComputeEquity(_named("holdem", "AsAh", "KsKh", boards=["2c7d9h"]))
    await refusal(player.ComputeEquity(_named("holdem", "AsAh", "AsKh")))
    text = floor.process.log.read_text(encoding="utf-8")
    assert "ComputeEquity" in text, "that somebody asked may be told"
    assert not re.search(r"\b([2-9TJQKA][cdhs])+\b|aces|kings", text)
    assert '"game"' not in text


# --- a hand at a table


async def test_a_hand_by_what_the_log_turned_up(floor: ShowdownFloor, table: Stub) -> None:
    asked = await floor.log(_aces_kings)
    request = asked.request
    table_id, hand_no = request.deck.table_id, request.hand.hand_no
    exposed = _turned_up(asked, 4)
    before = showdown_pb2.GetHandEquityRequest(
        table_id=table_id, hand_no=hand_no, at_table_seq=exposed, began_step=request.began_step
    )
    equity = (await table.GetHandEquity(before)).equity
    assert equity.exact
    assert equity.table_seq == exposed
    assert _by_seat(equity) == {2: (826_366, 0), 5: (173_634, 0)}
    flop = showdown_pb2.GetHandEquityRequest(
        table_id=table_id, hand_no=hand_no, at_table_seq=_turned_up(asked, 3)
    )
    assert _by_seat((await table.GetHandEquity(flop)).equity)[2][0] > 880_000
    async with floor.client("auditor") as auditor:
        newest = showdown_pb2.GetHandEquityRequest(table_id=table_id, hand_no=hand_no)
        assert _by_seat((await auditor.GetHandEquity(newest)).equity)[2] == (1_000_000, 0)


async def test_hidden_hands_have_no_equities(floor: ShowdownFloor, table: Stub) -> None:
    asked = await floor.log(partial(played, {2: "AsAd", 5: "KsKd"}))
    request = showdown_pb2.GetHandEquityRequest(
        table_id=asked.request.deck.table_id, hand_no=asked.request.hand.hand_no
    )
    assert await refusal(table.GetHandEquity(request)) == ("FAILED_PRECONDITION", "WRONG_STATE", "")
    all_in = await floor.log(_aces_kings)
    too_early = showdown_pb2.GetHandEquityRequest(
        table_id=all_in.request.deck.table_id,
        hand_no=all_in.request.hand.hand_no,
        at_table_seq=_turned_up(all_in, 4) - 1,
    )
    found = await refusal(table.GetHandEquity(too_early))
    assert found == ("FAILED_PRECONDITION", "WRONG_STATE", "")


async def test_hands_steps_and_roles_that_are_not_there(floor: ShowdownFloor, table: Stub) -> None:
    asked = await floor.log(_aces_kings)
    table_id, hand_no = asked.request.deck.table_id, asked.request.hand.hand_no

    def request(**changed: object) -> showdown_pb2.GetHandEquityRequest:
        given = {"table_id": table_id, "hand_no": hand_no, **changed}
        return showdown_pb2.GetHandEquityRequest(**given)  # type: ignore[arg-type]  # by name

    def ref(**changed: object) -> cards_pb2.StepRef:
        made = cards_pb2.StepRef()
        made.CopyFrom(asked.request.began_step)
        for name, value in changed.items():
            setattr(made, name, value)
        return made

    invalid, denied = "INVALID_ARGUMENT", "PERMISSION_DENIED"
    began = "began_step"
    for wrong, expected in (
        (request(table_id="no/table"), (invalid, "INVALID_FIELD", "table_id")),
        (request(hand_no=0), (invalid, "INVALID_FIELD", "hand_no")),
        (request(at_table_seq=2**60), (invalid, "INVALID_FIELD", "at_table_seq")),
        (request(table_id="nowhere"), ("NOT_FOUND", "UNKNOWN_TABLE", "table_id")),
        (request(hand_no=hand_no + 1), ("NOT_FOUND", "UNKNOWN_HAND", "hand_no")),
        (request(hand_no=hand_no - 1), ("NOT_FOUND", "UNKNOWN_HAND", "hand_no")),
        (request(at_table_seq=1), (denied, "CAUSE_NOT_FOUND", "at_table_seq")),
        (request(at_table_seq=9_999), (denied, "CAUSE_NOT_FOUND", "at_table_seq")),
        (
            request(began_step=ref(table_id="other")),
            (invalid, "INVALID_FIELD", f"{began}.table_id"),
        ),
        (
            request(began_step=ref(stream_seq=0)),
            (invalid, "INVALID_FIELD", f"{began}.stream_seq"),
        ),
        (request(began_step=ref(table_seq=1)), (denied, "CAUSE_NOT_FOUND", "began_step")),
        (request(began_step=ref(stream_seq=2**40)), (denied, "CAUSE_NOT_FOUND", "began_step")),
        (
            request(disclosure_reason="curious"),
            (denied, "ROLE_NOT_ALLOWED", "disclosure_reason"),
        ),
    ):
        assert await refusal(table.GetHandEquity(wrong)) == expected, wrong
    async with floor.client("player") as player:
        found = await refusal(player.GetHandEquity(request()))
        assert found == (denied, "ROLE_NOT_ALLOWED", "")
    assert _by_seat((await table.GetHandEquity(request())).equity)


async def test_a_hand_far_back_in_a_long_log_is_found(
    floor: ShowdownFloor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By halving: what is read in a row stays short, also between other tables' steps."""
    near = 8
    monkeypatch.setattr("floor_showdown.hand_log._NEAR", near)
    nats = await FloorNats.connect(floor.nats.url, name="test", wait_ms=5000)
    try:
        last = {"long-1": 0, "long-2": 0}
        for table_seq in range(1, 241):  # six steps a hand, every sixth one between hands
            hand_no, nth = divmod(table_seq - 1, 6)
            for table_id in ("long-1", "long-2"):
                step = step_pb2.Step(table_id=table_id, table_seq=table_seq)
                step.hand_no = 0 if nth == 5 else hand_no + 1
                if nth == 0:
                    step.events.add().hand_began.hand_no = hand_no + 1
                last[table_id] = await nats.append(
                    table_subject(table_id),
                    step.SerializeToString(),
                    expected_last_seq=last[table_id],
                    msg_id=f"{table_id}/1/{table_seq}",
                )
        log = HandLog(nats)
        for hand_no in (1, 2, 17, 39, 40):
            steps = await log.of_hand("long-2", hand_no, 0, None, 5)
            wanted = range(6 * hand_no - 5, 6 * hand_no)
            assert [step.table_seq for step in steps] == list(wanted)
        with pytest.raises(FloorError) as caught:
            await log.of_hand("long-2", 41, 0, None, 5)
        assert error_name(caught.value.code) == "UNKNOWN_HAND"
    finally:
        await nats.close()
