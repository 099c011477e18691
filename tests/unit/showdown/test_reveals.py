from __future__ import annotations

import asyncio
import time

import pytest

from floor_showdown.shuffler_calls import Revealer
from pokerfloor.api.common.v1 import cards_pb2, errors_pb2
from pokerfloor.api.internal.shuffler.v1 import dealing_pb2
from pokerfloor.servicekit import FloorError
from tests.support.showdown.hands import own

DECK = cards_pb2.DeckRef(table_id="main-1", deck_no=18)
CAUSE = cards_pb2.StepRef(table_id="main-1", table_seq=400, stream_seq=9001)
PLACES = [own(1, 1), own(1, 2)]


def opened(*codes: int) -> dealing_pb2.RevealCardsResponse:
    return dealing_pb2.RevealCardsResponse(
        cards=[
            cards_pb2.RevealedCard(place=place, card=cards_pb2.Card(code=code))
            for place, code in zip(PLACES, codes, strict=False)
        ]
    )


async def test_no_places_are_no_call() -> None:
    async def never(
        _request: dealing_pb2.RevealCardsRequest, **_: float
    ) -> dealing_pb2.RevealCardsResponse:
        raise AssertionError("asked for nothing")

    assert await Revealer(never, 100).reveal(DECK, CAUSE, [], 1) == ()


async def test_asks_for_the_places_with_the_cause_and_no_epoch() -> None:
    asked: list[tuple[dealing_pb2.RevealCardsRequest, float]] = []

    async def answer(
        request: dealing_pb2.RevealCardsRequest, **options: float
    ) -> dealing_pb2.RevealCardsResponse:
        asked.append((request, options["timeout"]))
        return opened(5, 6)

    cards = await Revealer(answer, 100).reveal(DECK, CAUSE, PLACES, 1)
    assert [card.card.code for card in cards] == [5, 6]
    ((request, timeout_s),) = asked
    assert request == dealing_pb2.RevealCardsRequest(deck=DECK, places=PLACES, cause=CAUSE)
    assert timeout_s == pytest.approx(0.1)


@pytest.mark.parametrize(
    "answer",
    [
        dealing_pb2.RevealCardsResponse(),
        opened(5),
        opened(5, 55),
        dealing_pb2.RevealCardsResponse(cards=reversed(opened(5, 6).cards)),
        dealing_pb2.RevealCardsResponse(cards=[*opened(5, 6).cards, *opened(7).cards]),
    ],
    ids=["none", "too few", "no card", "other order", "too many"],
)
async def test_an_answer_to_another_question_is_refused(
    answer: dealing_pb2.RevealCardsResponse,
) -> None:
    async def say(
        _request: dealing_pb2.RevealCardsRequest, **_: float
    ) -> dealing_pb2.RevealCardsResponse:
        return answer

    with pytest.raises(FloorError) as caught:
        await Revealer(say, 100).reveal(DECK, CAUSE, PLACES, 1)
    assert caught.value.code == errors_pb2.ERROR_CODE_INTERNAL


async def test_no_time_left_is_no_call() -> None:
    async def never(
        _request: dealing_pb2.RevealCardsRequest, **_: float
    ) -> dealing_pb2.RevealCardsResponse:
        raise AssertionError("asked after the deadline")

    began_s = time.monotonic()
    with pytest.raises(FloorError) as caught:
        await Revealer(never, 100).reveal(DECK, CAUSE, PLACES, -0.02)
    assert caught.value.code == errors_pb2.ERROR_CODE_UNAVAILABLE
    assert time.monotonic() - began_s < 0.5


async def test_a_caller_that_leaves_takes_its_call_along() -> None:
    left = asyncio.Event()

    async def hang(
        _request: dealing_pb2.RevealCardsRequest, **_: float
    ) -> dealing_pb2.RevealCardsResponse:
        try:
            await asyncio.sleep(30)
        finally:
            left.set()
        return opened(5, 6)

    task = asyncio.create_task(Revealer(hang, 100).reveal(DECK, CAUSE, PLACES, 30))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert left.is_set()
