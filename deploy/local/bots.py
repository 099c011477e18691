"""All bots, as one process: `python -m deploy.local.bots <folder>/bots.json`.

They are players like any others: a token and a key each, and nothing but `pokerfloor.client`.
Exit codes: 0 stopped as asked, 3 when a card's proof failed.
"""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from pathlib import Path
from random import Random
from typing import Any

import uvloop

from deploy.local.bot_life import Bot, BotPlan, Pace
from pokerfloor.client import FloorClient, PlayerKeys, ProofFailed

PROOF_FAILED_EXIT = 3


async def run_bots(plan: dict[str, Any], folder: Path) -> int:
    """Let every bot of the plan live until a signal; gives the exit code."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    pace = Pace(**plan["pace"])
    lives = []
    for entry in plan["bots"]:
        bot_plan = BotPlan(**entry)
        lives.append(asyncio.create_task(_life(plan, bot_plan, pace, folder), name=bot_plan.name))
    waiting = asyncio.create_task(stop.wait())
    done, _ = await asyncio.wait({waiting, *lives}, return_when=asyncio.FIRST_COMPLETED)
    for life in (*lives, waiting):
        life.cancel()
    await asyncio.gather(waiting, *lives, return_exceptions=True)
    for life in done - {waiting}:
        failure = life.exception()
        print(f"bot {life.get_name()}: {type(failure).__name__}: {failure}", flush=True)
        return PROOF_FAILED_EXIT if isinstance(failure, ProofFailed) else 1
    return 0


async def _life(plan: dict[str, Any], bot: BotPlan, pace: Pace, folder: Path) -> None:
    token = (folder / "tokens" / f"{bot.player_id}.token").read_text(encoding="ascii").strip()
    keys = PlayerKeys.open(folder / "keys" / f"{bot.player_id}.key")
    async with FloorClient(plan["table_address"], plan["wallet_address"], token, keys) as floor:
        # Characters are drawn from the name, so that a bot is the same person at each run.
        character_source = Random(bot.player_id)  # noqa: S311 - a bot's temper is no secret
        await Bot(floor, bot, pace, character_source).live()


def main() -> int:
    """Read the plan and run."""
    plan_path = Path(sys.argv[1])
    plan = json.loads(plan_path.read_text(encoding="utf-8"))
    return int(uvloop.run(run_bots(plan, plan_path.parent)))


if __name__ == "__main__":
    raise SystemExit(main())
