from __future__ import annotations

import pytest

from floor_showdown.rank import rank
from pokerfloor.api.common.v1 import cards_pb2, errors_pb2
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.showdown.v1 import showdown_pb2
from pokerfloor.cards import parse_cards, to_wire
from pokerfloor.ranking import RANKINGS
from pokerfloor.servicekit import FloorError
from pokerfloor.tablelog import SYSTEM_CODE

BAD_CARDS = errors_pb2.ERROR_CODE_BAD_CARDS


def asked(system: str, cards: str, *codes: int) -> showdown_pb2.RankRequest:
    messages = [cards_pb2.Card(code=to_wire(card)) for card in parse_cards(cards)]
    return showdown_pb2.RankRequest(
        system=SYSTEM_CODE.get(system, hand_events_pb2.RankingSystem.ValueType(0)),
        cards=[*messages, *[cards_pb2.Card(code=code) for code in codes]],
    )


def refused(request: showdown_pb2.RankRequest) -> tuple[int, str]:
    with pytest.raises(FloorError) as caught:
        rank(request)
    return caught.value.code, caught.value.field


@pytest.mark.rule("RNK-6")
def test_a_hand_is_named_with_the_cards_that_play() -> None:
    hand = rank(asked("high52", "AsAdAcKdKhQcQd"))
    assert (hand.system, hand.category) == (
        hand_events_pb2.RANKING_SYSTEM_HIGH52,
        hand_events_pb2.HAND_CATEGORY_FULL_HOUSE,
    )
    assert hand.name == "full house, aces over kings"
    assert [card.code - 1 for card in hand.cards] == list(parse_cards("AsAdAcKhKd"))
    assert hand.strength > rank(asked("high52", "AsAdKdKhQc")).strength


@pytest.mark.rule("RNK-6")
@pytest.mark.parametrize("system", sorted(RANKINGS))
def test_every_system_can_be_asked(system: str) -> None:
    cards = "AsKdQh9c8c7d2s"[: 2 * RANKINGS[system].sizes[0]]
    assert rank(asked(system, cards)).system == SYSTEM_CODE[system]


@pytest.mark.parametrize("system", ["", "low9", "HIGH52", "x" * 10_000])
def test_unknown_systems(system: str) -> None:
    assert refused(asked(system, "AsKdQh9c8c")) == (errors_pb2.ERROR_CODE_UNKNOWN_GAME, "system")


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (asked("high52", ""), "cards"),
        (asked("high52", "AsKdQh9c"), "cards"),
        (asked("high52", "AsKdQh9c8c7d2s3d"), "cards"),
        (asked("top3", "AsKdQh9c"), "cards"),
        (asked("high52", "AsKdQhAs8c"), "cards[3]"),
        (asked("high52", "AsKd??9c8c"), "cards[2]"),
        (asked("high52", "AsKdQh9cXr"), "cards[4]"),
        (asked("high52", "AsKdQh9c", 55), "cards[4]"),
        (asked("high52", "AsKd", 2**32 - 1, 0, 0), "cards[2]"),
    ],
)
def test_cards_that_cannot_be_ranked(request_: showdown_pb2.RankRequest, field: str) -> None:
    assert refused(request_) == (BAD_CARDS, field)
