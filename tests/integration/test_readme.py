"""The README's example does what it says, against a real floor."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from pokerfloor.client import PlayerKeys
from tests.support.floor import whole_floor
from tests.support.players import Players

README = Path(__file__).resolve().parents[2] / "README.md"
_EXAMPLE = re.compile(
    r"<!-- example: sit down and play one hand -->\n```python\n(.*?)```", re.DOTALL
)


@pytest.mark.integration
async def test_ten_lines_sit_a_player_down_and_play_one_hand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    [code] = _EXAMPLE.findall(README.read_text(encoding="utf-8"))
    assert len([line for line in code.splitlines() if line.strip()]) == 10
    example: dict[str, Any] = {}
    exec(compile(code, str(README), "exec"), example)
    async with whole_floor(tmp_path) as floor:
        await floor.open_table("main-1")
        others = await Players.seated(floor, "main-1", ["ann", "bob"])
        playing = asyncio.create_task(others.play(hands=1_000))
        await floor.player("alice", 50_000)
        keys = PlayerKeys.create()
        token = floor.identities.token("alice", "player", seal_key=keys.public_key)
        addresses = floor.services["table"].address, floor.services["wallet"].address
        playing_one = example["play_one_hand"](*addresses, token, keys)
        cash = await asyncio.wait_for(playing_one, 60)
        playing.cancel()
        assert "pre-flop" in capsys.readouterr().out
        assert 0 <= cash <= 70_000
