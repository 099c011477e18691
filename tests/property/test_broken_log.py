"""Bytes of a hand's log changed at random: what cannot be read or be true is refused, by name."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from google.protobuf.message import DecodeError

from pokerfloor.api.events.v1.hand_events_pb2 import HandEvent
from pokerfloor.games import GAMES, Hand
from pokerfloor.tablelog import HandContext, LogError, StakeKind, read_hand_event, write_hand_event
from tests.support.watched_hand import WatchedHand
from tests.support.wild_setups import wild_setup


@pytest.mark.parametrize(
    "hands", [pytest.param(150, id="some"), pytest.param(5000, id="many", marks=pytest.mark.slow)]
)
def test_a_changed_event_is_another_or_is_refused(hands: int) -> None:
    ways: Counter[str] = Counter()
    games = list(GAMES.values())
    for number in range(hands):
        rng = Random(f"broken {number}")
        played = WatchedHand(wild_setup(rng, rng.choice(games)), rng).play()
        players = {seat: f"p{seat}" for seat, _ in played.setup.seats}
        context = HandContext(1, StakeKind.MONEY, players)
        hand = Hand(played.setup)
        for event in played.events:
            stored = write_hand_event(event, context).SerializeToString(deterministic=True)
            ways[_way(hand, _changed(stored, rng))] += 1
            hand.apply(event)
    assert set(ways) == {"no message", "no event", "not true", "another event"}


def _changed(stored: bytes, rng: Random) -> bytes:
    data = bytearray(stored)
    for _ in range(rng.randint(1, 2)):
        data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data)


def _way(hand: Hand, stored: bytes) -> str:
    """What comes of it; any other error than these is a failure of the test."""
    try:
        event = read_hand_event(HandEvent.FromString(stored), hand, StakeKind.MONEY)
    except DecodeError:
        return "no message"
    except LogError as error:
        return "no event" if error.reason and error.field else "an error without a name"
    twin = hand.copy()
    try:
        twin.apply(event)
    except (AssertionError, LookupError):
        return "not true"
    state = twin.state
    chips = sum(state.stacks) + sum(state.bets) + state.pot_total + state.raked
    assert chips == state.brought
    return "another event"
