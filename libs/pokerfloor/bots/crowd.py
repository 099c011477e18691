"""Many bots in one process, until a signal stops them or one of them fails."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any, Final, Self

from pokerfloor.bots.bot import Bot, BotPlan, Pace
from pokerfloor.client import FloorClient, PlayerKeys, ProofFailed

#: The exit code after a card whose proof failed. It makes no sense to start the bots again.
PROOF_FAILED_EXIT: Final = 3


@dataclass(frozen=True, slots=True)
class CrowdPlan:
    """The bots of one process: where the services are, how fast they play, who they are."""

    table_address: str
    wallet_address: str
    pace: Pace
    bots: Sequence[BotPlan]

    @classmethod
    def from_json(cls, plan: Mapping[str, Any]) -> Self:
        """Read what `to_json` gave. Raises TypeError or KeyError for anything else."""
        return cls(
            plan["table_address"],
            plan["wallet_address"],
            Pace(**plan["pace"]),
            [BotPlan(**bot) for bot in plan["bots"]],
        )

    def to_json(self) -> dict[str, Any]:
        """Return the plan as JSON's own types."""
        return asdict(self)


async def run_crowd(plan: CrowdPlan, folder: Path) -> int:
    """Let every bot play until SIGTERM or SIGINT; return the exit code.

    `folder` has a token and a key for each bot: `tokens/<player_id>.token`, `keys/<player_id>.key`.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    lives = [asyncio.create_task(_live(plan, bot, folder), name=bot.name) for bot in plan.bots]
    waiting = asyncio.create_task(stop.wait())
    done, _ = await asyncio.wait({waiting, *lives}, return_when=asyncio.FIRST_COMPLETED)
    for task in (*lives, waiting):
        task.cancel()
    await asyncio.gather(waiting, *lives, return_exceptions=True)
    for life in done - {waiting}:
        failure = life.exception()
        print(f"bot {life.get_name()}: {type(failure).__name__}: {failure}", flush=True)
        return PROOF_FAILED_EXIT if isinstance(failure, ProofFailed) else 1
    return 0


async def _live(plan: CrowdPlan, bot: BotPlan, folder: Path) -> None:
    token = (folder / "tokens" / f"{bot.player_id}.token").read_text(encoding="ascii").strip()
    keys = PlayerKeys.open(folder / "keys" / f"{bot.player_id}.key")
    async with FloorClient(plan.table_address, plan.wallet_address, token, keys) as floor:
        # Drawn from the id, so that a bot has the same character in every run.
        random = Random(bot.player_id)  # noqa: S311 - a bot's character is no secret
        await Bot(floor, bot, plan.pace, random).live()
