"""Hands of every game twice, with two hidden cards exchanged: nobody can tell the plays apart.

At each table a hand is played to its end, and two cards are exchanged that nobody was shown; then
one is left in the middle, and two cards are exchanged that are still down: own ones of two seats, a
card that was given up, one still to come. `make noninterference` does it at every game, many times.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final
from unittest import mock

import pytest

from floor_table.domain import public_events, step_view
from floor_table.runtime import metrics as table_metrics
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.table.v1 import table_pb2
from pokerfloor.cards import to_wire
from pokerfloor.servicekit import get_logger
from tests.support.blind_scripts import Blind
from tests.support.evening import names as events_of
from tests.support.every_table import EVERY_TABLE
from tests.support.exchanged_cards import (
    FantasylandDecks,
    Pair,
    assert_owners_alone_know,
    exchanged_decks,
    known_hands,
)
from tests.support.inprocess_floor import Ground
from tests.support.noninterference import differences
from tests.support.planted_decks import PlantedDecks
from tests.support.recorded_games import NAMES, Decks, RecordedFloor, dice, recorded_floor

pytestmark = pytest.mark.integration

_ROUNDS: Final = int(os.environ.get("FLOOR_NONINTERFERENCE_HANDS", "0")) // 5
_LONGEST: Final = 18

#: One of each kind of thing that is hidden.
KINDS: Final = (
    "swap_holdem_river_double",  # cards that were swapped
    "stud7_hilo",  # down cards beside up cards
    "draw27_triple",  # cards that were exchanged
    "mata_ases",  # cards that came down by choice
    "omaha5_hilo_double",  # two boards still to come
    "pineapple",  # a card that is thrown away
    "bomb_every_hand",
    "ofc_ultimate",  # discards, and a whole hand in Fantasyland
    "scoop",  # hidden layouts
)

Pairs = dict[str, dict[int, Pair]]


async def play(
    ground: Ground, folder: Path, decks: Decks, names: Sequence[str], seed: int
) -> RecordedFloor:
    """Play a whole hand at each table, and a part of one; the same for the same seed."""
    async with recorded_floor(ground, folder, decks) as floor:
        for name in names:
            settings = EVERY_TABLE[name]()
            table = floor.table(table_id_of(name))
            await table.sit_down(settings, min(settings.seats, len(NAMES)))
            fantasyland = name.startswith("ofc")
            whole = Blind(dice("whole", seed, name), "cccccrf", set_in_order=fantasyland)
            await table.hand(whole)
            generator = dice("part", seed, name)
            await table.hand(Blind(generator, "cccccccr"), generator.randint(1, _LONGEST))
        await floor.record()
    return floor


def table_id_of(name: str) -> str:
    return name.replace("_", "-")


def decks_of(names: Sequence[str], seed: int) -> Decks:
    return Decks(
        {
            table_id_of(name): (FantasylandDecks if name.startswith("ofc") else PlantedDecks)(seed)
            for name in names
        }
    )


async def twice(ground: Ground, folder: Path, names: Sequence[str], seed: int) -> tuple[Pairs, int]:
    """Play; exchange two cards of each hand and play again; nothing else may differ.

    Gives the pairs, and how many sealed boxes told their owners of the exchange.
    """
    one = await play(ground, folder / "one", decks_of(names, seed), names, seed)
    pairs: Pairs = {}
    for table_id, table in one.tables_played.items():
        pairs[table_id] = {
            known.deck_no: known.pair(dice("pair", seed, table_id, known.hand_no))
            for known in known_hands(table, one.decks)
        }
        assert len(pairs[table_id]) == 2
    other = await play(ground, folder / "other", exchanged_decks(one.decks, pairs), names, seed)
    found = differences(one.recording, other.recording)
    assert found == [], "\n".join([*found, str(pairs)])
    return pairs, assert_owners_alone_know(one, other, pairs)


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return Ground(tmp_path / "ground", int(time.time() * 1000))


@pytest.mark.timeout(120)
@pytest.mark.rule("DLR-10", "SHW-2", "DRW-4", "SWP-3", "MAT-3", "STD-1", "OFC-32", "SCP-1")
async def test_each_kind_of_hidden_card(ground: Ground, tmp_path: Path) -> None:
    pairs, boxes = await twice(ground, tmp_path, KINDS, seed=1)
    assert boxes, "no box holds an exchanged card"
    told = [pair.what for of_table in pairs.values() for pair in of_table.values()]
    assert sum(what.count("own of seat") == 2 for what in told) >= len(KINDS) // 2, told


@pytest.mark.slow
@pytest.mark.skipif(not _ROUNDS, reason="make noninterference")
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("name", EVERY_TABLE)
async def test_every_game(ground: Ground, tmp_path: Path, name: str) -> None:
    boxes = 0
    for seed in range(2, 2 + _ROUNDS):
        _, told = await twice(ground, tmp_path / str(seed), [name], seed)
        boxes += told
    assert boxes, "no box holds an exchanged card"


# --- the comparison sees what it has to see

#: A table of each kind, the event with which a card is told there, and which card: the first own
#: one, or the last of the deck.
LEAKS: Final = {
    "swap-holdem-river-double": ("cards_swapped", 0),
    "draw27-triple": ("cards_drawn", 0),
    "mata-ases": ("facing_chosen", -1),
    "stud7-hilo": ("action_taken", 0),
    "scoop": ("placement_confirmed", 0),
}


class Leaks:
    """Tells a hidden card's code in another way at each of the tables."""

    def __init__(self, decks: Decks) -> None:
        self._decks = decks
        self.told: set[str] = set()

    def code(self, step: Step) -> int:
        """Return the code of the card that is told with this step, 0 for none."""
        kind, index = LEAKS[step.table_id]
        if kind not in events_of(step):
            return 0
        self.told.add(step.table_id)
        made = self._decks.made[step.table_id, 2, 0]
        return to_wire(made.cards[index])

    def view(self, step: Step, after: Any, audience: Any) -> table_pb2.StepView:
        view, code = step_view(step, after, audience), self.code(step)
        if not code:
            return view
        match step.table_id, audience.kind:
            case "swap-holdem-river-double", table_pb2.VIEW_KIND_TERMINAL:
                view.at_ms += code  # the same length, another content
            case "draw27-triple", _ if audience.seat == 2:
                view.MergeFromString(b"\xfa\x7f\x01" + bytes([code]))  # a field nobody knows
            case "mata-ases", table_pb2.VIEW_KIND_SPECTATOR:
                view.MergeFromString(b"\xfa\x7f" + bytes([code]) + bytes(code))
        return view

    def events(self, step: Step) -> Any:
        events, code = public_events(step), self.code(step)
        if step.table_id == "scoop" and code:
            get_logger("leak").debug("published", code=code)
            table_metrics.HOUSE_FAULTS.inc(code)
        twice = step.table_id == "stud7-hilo" and code % 2
        return [*events, *events[:1]] if twice else events


async def leaked(ground: Ground, folder: Path, decks: Decks) -> tuple[RecordedFloor, set[str]]:
    """Play into a hand at each of these tables, with leaks."""
    leaks = Leaks(decks)
    with (
        mock.patch("floor_table.runtime.view_ring.step_view", leaks.view),
        mock.patch("floor_table.runtime.publisher.public_events", leaks.events),
    ):
        async with recorded_floor(ground, folder, decks) as floor:
            for table_id in LEAKS:
                settings = EVERY_TABLE[table_id.replace("-", "_")]()
                table = floor.table(table_id)
                await table.sit_down(settings, len(NAMES))
                script = Blind(dice("leak", table_id), "c")
                turns = 2 if table_id in ("scoop", "stud7-hilo") else 6
                await table.hand(script, turns)
                assert table.parked
            await floor.record()
    return floor, leaks.told


@pytest.mark.timeout(120)
async def test_a_planted_leak_of_each_kind_is_seen(ground: Ground, tmp_path: Path) -> None:
    """A hidden card's code, told in another way at each table: each is found, and nothing else."""
    names = [table_id.replace("-", "_") for table_id in LEAKS]
    first = decks_of(names, 3)
    one, told = await leaked(ground, tmp_path / "one", first)
    assert told == set(LEAKS)
    pairs = {table_id: {2: odd_and_even(first, table_id)} for table_id in LEAKS}
    other, _ = await leaked(ground, tmp_path / "other", exchanged_decks(first, pairs))
    found = differences(one.recording, other.recording)
    leaks = (
        "swap-holdem-river-double: terminal: message",
        "draw27-triple: seat 2: message",
        "mata-ases: spectator: message",
        "public subjects: ",
        "log lines: ",
        "metrics: ",
    )
    assert [text for text in found if not text.startswith(leaks)] == []
    assert [leak for leak in leaks if not any(text.startswith(leak) for text in found)] == []


def odd_and_even(decks: Decks, table_id: str) -> Pair:
    """Return the card that is told, and one never dealt that has a code of the other kind."""
    order = decks.made[table_id, 2, 0].cards
    index = LEAKS[table_id][1] % len(order)
    stub = next(at for at in range(len(order) - 2, 0, -1) if (order[at] - order[index]) % 2)
    return Pair((index, stub), (order[index], order[stub]), "told and stub")
