"""Every game, every structure, every option, at random: what must hold at each event of each hand.

The books beside the engine (`tests.support.watched_hand`) count the chips, follow every card, know
who may know a face, find each turn and legal set again, and pay the pots a second time.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from pokerfloor.games import (
    GAMES,
    CarriedPotAdded,
    DeckReshuffled,
    Event,
    ForcedBetPosted,
    ForcedKind,
    GameRow,
    HandEnded,
    HandMucked,
    HandRedealt,
    Over,
    PotCarried,
    RakeTaken,
    SplitAnswered,
    Structure,
    check_setup,
    row_from_json,
)
from tests.support.pot_oracle import check_result
from tests.support.watched_hand import WatchedHand
from tests.support.wild_setups import wild_setup

ROWS = Path(__file__).parents[1] / "unit" / "games" / "rows"


def _from_files() -> Iterator[GameRow]:
    for path in sorted(ROWS.glob("*.json")):
        row = row_from_json(path.read_text(encoding="utf-8"))
        assert isinstance(row, GameRow), row
        yield row


ALL = {row.id: row for row in (*GAMES.values(), *_from_files())}
TABLES = [(row, structure) for row in ALL.values() for structure in row.structures]
NAMES = [f"{row.id}-{structure}" for row, structure in TABLES]

# fmt: off
_RULES = (
    "BET-1", "BET-2", "BET-3", "BET-10", "BET-11", "BET-12", "BET-20", "BET-21", "BET-22",
    "BET-30", "BET-31", "BET-33", "POT-1", "POT-2", "POT-3", "POT-4", "POT-5", "POT-10", "POT-11",
    "ODD-1", "ODD-2", "ODD-3", "ODD-4", "LOW-3", "SHW-1", "SHW-2", "SHW-3", "HLD-3", "SHD-2",
    "SHD-3", "SWP-1", "SWP-2", "BMB-1", "BMB-3", "STD-2", "STD-3", "STD-4", "STD-5", "STD-6",
    "DRW-2", "DRW-3", "DRW-4", "DRW-5", "MAT-1", "MAT-2", "MAT-3", "MAT-4", "MAT-5", "MAT-6",
    "MAT-7",
)
# fmt: on


def play(row: GameRow, structure: Structure, seed: str) -> WatchedHand:
    rng = Random(seed)
    seats = rng.choice([2, 10, None, None])
    setup = wild_setup(rng, row, structure, seats)
    assert check_setup(setup) == ()
    hand = WatchedHand(setup, rng, closely=0.06, oracle=True).play()
    over = hand.hand.waits_for()
    assert isinstance(over, Over)
    check_result(setup, hand.events, over.result)
    return hand


@pytest.mark.rule(*_RULES)
@pytest.mark.parametrize(
    "hands", [pytest.param(6, id="some"), pytest.param(400, id="many", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize(("row", "structure"), TABLES, ids=NAMES)
def test_a_hand_keeps_its_books(row: GameRow, structure: Structure, hands: int) -> None:
    for number in range(hands):
        seed = f"{row.id} {structure} {number}"
        try:
            play(row, structure, seed)
        except Exception as error:
            raise AssertionError(f"the hand of seed {seed!r}: {error}") from error


def test_the_random_hands_meet_what_is_rare() -> None:
    """A test of the tests: what seldom happens is played in them, short stacks and all."""
    met: set[object] = set()
    for name in ("holdem", "stud7", "draw5", "mata_ases"):
        row = GAMES[name]
        for number in range(40):
            events = play(row, row.structures[0], f"rare {name} {number}").events
            met |= {type(event) for event in events}
            met |= set(map(_detail, events))
    rare = {RakeTaken, HandMucked, HandRedealt, DeckReshuffled, HandEnded}
    rare |= {CarriedPotAdded, PotCarried, SplitAnswered}
    assert rare <= met
    assert set(ForcedKind) <= met
    assert {"posted short", "posted nothing", "all-in"} <= met


def _detail(event: Event) -> object:
    if isinstance(event, ForcedBetPosted):
        if event.all_in:
            return "posted nothing" if not event.amount else "posted short"
        return event.kind
    return "all-in" if getattr(event, "all_in", False) else None
