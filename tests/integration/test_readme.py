"""The README's example does what it says, at the floor that `make run` starts."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from pokerfloor.client import PlayerKeys
from tests.support.local_floor import running_floor
from tests.support.readme import README, ten_lines


@pytest.mark.integration
async def test_ten_lines_sit_a_player_down_and_play_one_hand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = ten_lines()
    assert len([line for line in code.splitlines() if line.strip()]) == 10
    example: dict[str, Any] = {}
    exec(compile(code, str(README), "exec"), example)
    with running_floor(tmp_path / "state", TABLES=1, BOTS=3, HANDS=100_000) as floor:
        await floor.fund("alice", 50_000)
        keys = PlayerKeys.create()
        addresses = floor.settings.address("table"), floor.settings.address("wallet")
        token = floor.player_token("alice", keys)
        cash = await asyncio.wait_for(example["play_one_hand"](*addresses, token, keys), 60)
        assert "pre-flop" in capsys.readouterr().out
        assert 40_000 <= cash <= 110_000  # what was not brought to the table, and what was won
