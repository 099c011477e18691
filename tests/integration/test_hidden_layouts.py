"""The same hand of Scoop twice, one player's hidden layout changed: nobody else can tell."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.table.v1 import table_pb2
from tests.support.inprocess_floor import Ground
from tests.support.noninterference import differences
from tests.support.planted_decks import PlantedDecks
from tests.support.points_players import points_table
from tests.support.recorded_play import Play, Recording, recorded_play

pytestmark = pytest.mark.integration

# A row for each of the seven slots: 1 to 3, and 4 for the card that is given up.
_ONE = (1, 1, 2, 2, 3, 3, 4)
_OTHERS: Sequence[Sequence[int]] = ((4, 3, 3, 2, 2, 1, 1), (2, 1, 3, 4, 1, 3, 2))
_THINKS_MS = 700
# Whose eyes a layout is for: its owner's, and those who may see what services see.
_MAY_KNOW = {"seat 1", "auditor", "table log"}


async def laid_out(ground: Ground, folder: Path, rows: Sequence[int]) -> Recording:
    """Play a hand until three of four have set; seat 1 so, the others always alike."""
    settings = points_table("scoop", seats=4)
    settings.seating.confirm_ready = False
    async with recorded_play(ground, folder, PlantedDecks(5), settings) as play:
        await play.resume("the-hand")
        seats = play.seats.values()
        for watcher in seats:
            await watcher.until(lambda one=watcher: one.turn() is not None and one.hole_cards(1))  # type: ignore[misc]  # bound in the loop
        before = await play.said()
        for seat in (1, 2, 3):
            await _confirm(play, seat, rows if seat == 1 else _ONE)
        return _since(await play.record(), before)


def _since(recording: Recording, before: dict[str, int]) -> Recording:
    """Return what was said since then.

    Boxes and the flop come side by side, so what was said before has no fixed order. The shuffler
    and the wallet say nothing while players set.
    """
    messages = {
        name: messages[before.get(name, 0) :]
        for name, messages in recording.messages.items()
        if not name.startswith(("floor.shuffler.", "floor.ledger."))
    }
    return Recording(messages, recording.log_lines[before["log lines"] :])


async def _confirm(play: Play, seat: int, rows: Sequence[int]) -> None:
    watcher = play.seats[seat]
    turn = watcher.turn()
    assert turn is not None
    play.floor.clock.at_ms += _THINKS_MS
    placements = [
        hand_events_pb2.SlotPlacement(slot=slot, row=row)  # type: ignore[arg-type]  # a LayoutRow
        for slot, row in zip(turn.placement.slots, rows, strict=True)
    ]
    confirm = table_pb2.ConfirmPlacementCommand(
        hand_no=turn.hand_no, turn_no=turn.turn_no, placements=placements
    )
    await watcher.ask(f"confirm-{seat}", confirm_placement=confirm)
    spectator = play.watcher("spectator")
    await spectator.until(lambda: spectator.events().count("placement_confirmed") == seat)


@pytest.mark.rule("SCP-1", "OFC-32", "DLR-10")
async def test_nobody_else_gets_another_byte(tmp_path: Path) -> None:
    ground = Ground(tmp_path / "ground", int(time.time() * 1000))
    one = await laid_out(ground, tmp_path / "one", _ONE)
    for number, rows in enumerate(_OTHERS):
        other = await laid_out(ground, tmp_path / f"other-{number}", rows)
        found = differences(one, other)
        told = {text.partition(":")[0] for text in found}
        assert told == _MAY_KNOW, found
        assert not [text for text in found if "bytes and" in text], "the lengths tell nothing"
