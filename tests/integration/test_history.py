"""Hands of a running floor, written as PHH, replay to the same stacks."""

from __future__ import annotations

import asyncio
import random
import sys
from pathlib import Path

import pytest

from pokerfloor.client import Turn
from pokerfloor.floorctl.main import main
from tests.support.floor import holdem_settings, whole_floor
from tests.support.players import Players

HANDS = 25


async def floorctl(*args: str) -> tuple[int, str]:
    """Run the command as a person does; its exit code and what it says on standard error."""
    command = Path(sys.executable).with_name("floorctl")
    process = await asyncio.create_subprocess_exec(
        command, *args, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
    )
    _, said = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode is not None
    return process.returncode, said.decode()


@pytest.mark.integration
@pytest.mark.rule("SHW-4")
async def test_what_was_played_replays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chance = random.Random(9)

    async def lively(turn: Turn) -> None:
        legal = turn.legal
        roll = chance.random()
        raising = legal.raise_ or legal.bet
        if roll < 0.25 and raising is not None:
            to = raising.nearest(raising.min_to + chance.choice([0, 37, 150]))
            await (turn.raise_to(to) if legal.raise_ else turn.bet_to(to))
        elif roll < 0.35 and not legal.check:
            await turn.fold()
        else:
            await turn.check_or_call()

    settings = holdem_settings()
    settings.rake.rate_bp = 500
    settings.rake.caps.add(players=2, cap_minor=150)
    double = holdem_settings()
    double.game.boards = 2
    async with whole_floor(tmp_path) as floor:
        for table_id, wanted in (("t-1", settings), ("t-2", double)):
            await floor.open_table(table_id, wanted)
            names = [f"{name}-{table_id}" for name in ("ann", "bob", "cyd", "dan")]
            players = await Players.seated(floor, table_id, names, 20_000)
            await players.play(HANDS, lively)
            await players.finish(floor)
        await floor.assert_books(["t-1", "t-2"])
        token = tmp_path / "operator.token"
        token.write_text(floor.identities.token("ops", "operations"))
        arguments = ["--address", floor.services["table"].address, "--token-file", str(token)]
        assert await floorctl("history", *arguments, "--out", str(tmp_path / "out")) == (0, "")
        code, said = await floorctl("history", "no-such-table", *arguments)
        assert code == 1
        assert said.startswith("floorctl history: ")
        assert "Traceback" not in said
        hands = sum([(await floor.view(table_id)).hands for table_id in ("t-1", "t-2")])
    assert main(["replay", str(tmp_path / "out")]) == 0
    assert f"{hands:,} hands: {hands:,} agree, 0 differ" in capsys.readouterr().out
    assert 'variant = "_holdem_double"' in (tmp_path / "out" / "t-2.phhs").read_text()
    written = (tmp_path / "out" / "t-1.phhs").read_text()
    line = next(line for line in written.splitlines() if line.startswith("finishing_stacks"))
    first = line.split("[")[1].split(",")[0]
    altered = written.replace(line, line.replace(first, f"{float(first) + 1:.2f}", 1), 1)
    (tmp_path / "altered.phhs").write_text(altered)
    assert main(["replay", str(tmp_path / "altered.phhs")]) == 1
