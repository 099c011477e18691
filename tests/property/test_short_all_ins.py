"""Stacks of a few bets, one all-in after the other: every turn and every legal set found again."""

from __future__ import annotations

from random import Random

import pytest

from pokerfloor.games import GAMES, Structure, check_setup
from tests.support.watched_hand import WatchedHand
from tests.support.wild_setups import short_setup

TABLES = [
    ("holdem", Structure.NO_LIMIT),
    ("holdem", Structure.POT_LIMIT),
    ("holdem", Structure.FIXED_LIMIT),
    ("short_deck", Structure.NO_LIMIT),
    ("stud7", Structure.FIXED_LIMIT),
    ("razz", Structure.FIXED_LIMIT),
    ("draw27_triple", Structure.FIXED_LIMIT),
    ("mata_ases", Structure.NO_LIMIT),
]


@pytest.mark.rule("BET-2", "BET-11", "BET-12", "BET-22", "BET-31", "BET-33", "STD-2", "STD-4")
@pytest.mark.parametrize(
    "hands", [pytest.param(120, id="some"), pytest.param(20_000, id="many", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize(("game", "structure"), TABLES)
def test_who_may_do_what(game: str, structure: Structure, hands: int) -> None:
    for number in range(hands):
        seed = f"{game} {structure} {number}"
        rng = Random(seed)
        setup = short_setup(rng, GAMES[game], structure)
        assert check_setup(setup) == ()
        try:
            WatchedHand(setup, rng, oracle=True, thrifty=True).play()
        except Exception as error:
            raise AssertionError(f"the hand of seed {seed!r}: {error}") from error
