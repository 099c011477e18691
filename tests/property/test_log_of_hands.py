"""Hands of every game through the log: what is written and read again folds to the same state."""

from __future__ import annotations

from random import Random

import pytest

from pokerfloor.api.events.v1.hand_events_pb2 import HandEvent
from pokerfloor.games import GAMES, GameRow, Hand
from pokerfloor.tablelog import HandContext, StakeKind, read_hand_event, write_hand_event
from tests.support.watched_hand import WatchedHand
from tests.support.wild_setups import wild_setup


@pytest.mark.parametrize(
    "hands", [pytest.param(3, id="some"), pytest.param(200, id="many", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("row", GAMES.values(), ids=GAMES)
def test_what_is_read_again_is_what_was_played(row: GameRow, hands: int) -> None:
    for number in range(hands):
        rng = Random(f"log {row.id} {number}")
        played = WatchedHand(wild_setup(rng, row), rng).play()
        players = {seat: f"p{seat}" for seat, _ in played.setup.seats}
        context = HandContext(played.setup.hand_no, StakeKind.MONEY, players)
        again = Hand(played.setup)
        for event in played.events:
            stored = write_hand_event(event, context).SerializeToString(deterministic=True)
            read = read_hand_event(HandEvent.FromString(stored), again, StakeKind.MONEY)
            assert read == event
            again.apply(read)
        assert again.digest() == played.hand.digest()
        assert again.waits_for() == played.hand.waits_for()
