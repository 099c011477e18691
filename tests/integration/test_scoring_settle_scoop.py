"""Settlement and Scoop through the wire, and requests that are nearly right."""

from __future__ import annotations

import asyncio
import random
import urllib.request
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, TypeAlias

import grpc
import grpc.aio
import pytest
import pytest_asyncio

from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.scoring.v1 import scoring_pb2, scoring_pb2_grpc
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.servicekit import error_of
from tests.support.scoring.scoring_floor import ScoringFloor, cards, refusal, scoring_floor

pytestmark = pytest.mark.integration

Stub: TypeAlias = "scoring_pb2_grpc.ScoringServiceAsyncStub"  # typed, not there at run time
TOP, MIDDLE, BOTTOM = (
    hand_events_pb2.LAYOUT_ROW_TOP,
    hand_events_pb2.LAYOUT_ROW_MIDDLE,
    hand_events_pb2.LAYOUT_ROW_BOTTOM,
)


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ScoringFloor]:
    with scoring_floor(tmp_path_factory.mktemp("scoring")) as floor:
        yield floor


@pytest_asyncio.fixture
async def table(floor: ScoringFloor) -> AsyncIterator[Stub]:
    async with floor.channel("table", "service_table") as channel:
        yield scoring_pb2_grpc.ScoringServiceStub(channel)


def settling() -> scoring_pb2.SettleRequest:
    """OFC-14's example: seats 1, 2 and the button 3."""
    return scoring_pb2.SettleRequest(
        button=3,
        stacks=[
            scoring_pb2.PointStack(seat=seat, points=points)
            for seat, points in ((1, 5), (2, 10), (3, 135))
        ],
        pairs=[
            hand_events_pb2.PairPoints(seat_a=a, seat_b=b, scored_points=points)
            for a, b, points in ((3, 2, 20), (1, 2, 10), (1, 3, 40))
        ],
    )


@pytest.mark.rule("OFC-14", "OFC-21", "OFC-22", "SCP-5")
async def test_settlement_in_order_and_with_caps(
    table: Stub,
) -> None:
    response = await table.Settle(settling())
    assert [(p.seat_a, p.seat_b, p.scored_points, p.paid_points) for p in response.pairs] == [
        (1, 2, 10, 5),
        (1, 3, 40, 10),
        (2, 3, -20, -5),
    ]
    assert [(one.seat, one.points) for one in response.stacks] == [(1, 20), (2, 0), (3, 130)]
    assert list(response.reasons) == [
        scoring_pb2.PAYMENT_REASON_CAPPED_BY_WINNER,
        scoring_pb2.PAYMENT_REASON_CAPPED_BY_WINNER,
        scoring_pb2.PAYMENT_REASON_CAPPED_BY_PAYER,
    ]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda r: r.stacks.pop(), "pairs[0]"),
        (lambda r: r.pairs.pop(), "pairs"),
        (lambda r: r.pairs.append(r.pairs[0]), "pairs[3]"),
        (lambda r: setattr(r.pairs[1], "seat_a", 7), "pairs[1]"),
        (lambda r: setattr(r.pairs[1], "scored_points", 2**62), "pairs[1]"),
        (lambda r: setattr(r.pairs[1], "paid_points", 3), "pairs[1].paid_points"),
        (lambda r: setattr(r.stacks[2], "points", -1), "stacks[2].points"),
        (lambda r: setattr(r.stacks[2], "seat", 1), "stacks[2].seat"),
        (lambda r: setattr(r, "button", 0), "button"),
    ],
)
async def test_bad_settlements_name_their_field(
    table: Stub, change: Callable[[Any], None], field: str
) -> None:
    request = settling()
    change(request)
    assert await refusal(table.Settle(request)) == ("INVALID_ARGUMENT", "INVALID_FIELD", field)


def scoop_hand(seat: int, first: str, second: str, third: str) -> scoring_pb2.ScoopHand:
    return scoring_pb2.ScoopHand(
        seat=seat, first=cards(first), second=cards(second), third=cards(third)
    )


def scoop() -> scoring_pb2.ScoreScoopRequest:
    hands = [scoop_hand(4, "9c9s", "JcJd", "KcKh"), scoop_hand(6, "Qs7s", "8s8c", "AcAd")]
    return scoring_pb2.ScoreScoopRequest(board=cards("2c5d9hJsKd"), hands=hands)


@pytest.mark.rule("SCP-2", "SCP-3", "SCP-4")
async def test_scoop_s_rows(table: Stub) -> None:
    response = await table.ScoreScoop(scoop())
    (pair,) = response.pairs
    assert [(row.row, row.points, row.reason) for row in pair.rows] == [
        (TOP, 15, scoring_pb2.ROW_REASON_HIGHER),
        (MIDDLE, 9, scoring_pb2.ROW_REASON_HIGHER),
        (BOTTOM, 3, scoring_pb2.ROW_REASON_HIGHER),
    ]
    assert (pair.scoop_points, pair.scoop_reason, pair.total_points) == (
        30,
        scoring_pb2.SCOOP_REASON_WON,
        57,
    )
    assert [(one.seat, one.points) for one in response.totals] == [(4, 57), (6, -57)]
    assert [row.name for row in response.layouts[1].rows] == [
        "high card, king", "pair of eights", "pair of aces",
    ]  # fmt: skip
    request = scoop()
    request.board.pop()
    bad_cards = ("INVALID_ARGUMENT", "BAD_CARDS")
    assert await refusal(table.ScoreScoop(request)) == (*bad_cards, "board")
    request = scoop()
    request.hands[1].third[0].code = cards("Kd")[0].code
    assert await refusal(table.ScoreScoop(request)) == (*bad_cards, "hands[1].third[0]")


async def test_random_requests_are_answered_or_refused(
    table: Stub,
) -> None:
    """Requests near to right ones, with numbers and cards put out of place: never INTERNAL."""
    chance = random.Random(64)
    codes: Counter[tuple[str, int]] = Counter()
    for _ in range(250):
        codes["hand", await code_of(table.ScoreHand(scrambled(layouts(), chance)))] += 1
        codes["settle", await code_of(table.Settle(scrambled(settling(), chance)))] += 1
        codes["scoop", await code_of(table.ScoreScoop(scrambled(scoop(), chance)))] += 1
    assert {code for _, code in codes} == {
        0,
        errors_pb2.ERROR_CODE_INVALID_FIELD,
        errors_pb2.ERROR_CODE_BAD_CARDS,
    }
    assert min(codes[call, 0] for call in ("hand", "settle", "scoop")) > 10


def layouts() -> scoring_pb2.ScoreHandRequest:
    return scoring_pb2.ScoreHandRequest(
        settings=settings_pb2.OfcSettings(mode=settings_pb2.OFC_MODE_JOKER, trips_cards=16),
        layouts=[
            scoring_pb2.Layout(
                seat=2,
                top=cards("QsQh2d"),
                middle=cards("8s8h8d3c4c"),
                bottom=cards("AdXb9d6d3d"),
                fantasyland_cards=14,
            ),
            scoring_pb2.Layout(
                seat=5, top=cards("AsKh7c"), middle=cards("JsJh2s3hXr"), bottom=cards("AcAh4s4h6c")
            ),
        ],
    )


async def code_of(call: grpc.aio.UnaryUnaryCall[Any, Any]) -> int:
    """0 for an answer; a refusal names a field."""
    try:
        await call
    except grpc.aio.AioRpcError as error:
        told = error_of(error)
        return told.code if told.field else -1
    return 0


def scrambled(request: Any, chance: random.Random) -> Any:
    """A few fields anywhere in a message, set to small or extreme numbers; lists cut or doubled."""
    for _ in range(chance.choice([0, 1, 1, 2, 3])):
        message = request
        while True:
            fields = [field for field, _ in message.ListFields()]
            if not fields:
                break
            field = chance.choice(fields)
            inner = getattr(message, field.name)
            if field.message_type is None:
                top = 2**32 - 1 if field.type == field.TYPE_UINT32 else 2**31 - 1
                setattr(message, field.name, chance.choice([0, 1, 2, 14, 53, 54, 55, top]))
                break
            if field.is_repeated:
                if chance.random() < 0.1:
                    inner.append(inner[0]) if chance.random() < 0.5 else inner.pop()
                    break
                message = chance.choice(inner)
            else:
                message = inner
    return request


def metrics_of(floor: ScoringFloor) -> str:
    url = f"http://127.0.0.1:{floor.process.metrics_port}/metrics"
    with urllib.request.urlopen(url, timeout=5) as page:
        text: str = page.read().decode()
    return text


async def test_metrics(floor: ScoringFloor, table: Stub) -> None:
    await table.ScoreScoop(scoop())
    await table.Settle(settling())
    text = await asyncio.to_thread(metrics_of, floor)
    assert 'floor_scoring_hands_total{mode="scoop",players="2"}' in text
    assert 'floor_scoring_settlements_total{reason="capped_by_payer"}' in text
