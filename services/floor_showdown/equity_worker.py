"""Counting equities off the event loop: a bounded number at a time, each a bounded piece of work.

Cards that a caller names pass through here, so nothing is logged but how it went.
"""

from __future__ import annotations

import asyncio
import random
import time
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from math import comb
from typing import Final, NamedTuple

from floor_showdown.metrics import EQUITIES, EQUITY_SECONDS
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.cards import DECKS, Card
from pokerfloor.equity import MOST_HANDS, MOST_RUNOUTS, Equity, EquityRefusal, equity
from pokerfloor.games import GameRow, HoleCardUse
from pokerfloor.servicekit import FloorError, get_logger

# Hands ranked for one question, in hands of a game that ranks all cards at once: hold'em is counted
# whole with any number of players. It is a second or so of one core.
_MOST_WORK: Final = 4_500_000
# Two hole cards of four with three of the board: so much more work than seven cards.
_WORK_OF_TWO_HOLE: Final = 5
_QUICK_WORK: Final = 100_000
DEFAULT_SAMPLES: Final = 100_000

_log = get_logger("showdown.equity")


class EquityTask(NamedTuple):
    """Whose equities are to be counted, on which boards.

    `quick` is a small part of the work that may be done otherwise: some tens of milliseconds.
    """

    game: GameRow
    hands: tuple[tuple[Card, ...], ...]
    boards: tuple[tuple[Card, ...], ...] = ()
    dead: tuple[Card, ...] = ()
    samples: int = DEFAULT_SAMPLES
    quick: bool = False


class EquityWorker:
    """One thread that counts, and a few tasks that may wait for it.

    numpy does the work and lets the event loop run meanwhile.
    """

    def __init__(self, kind: str, *, most_waiting: int) -> None:
        self._kind = kind
        self._most_waiting = most_waiting
        self._waiting = 0
        self._thread = ThreadPoolExecutor(1, f"equity-{kind}")

    async def count(self, task: EquityTask, budget_s: float) -> Equity | EquityRefusal:
        """Return the answer. The same task has the same one, also where it is sampled.

        Raises FloorError: OVERLOADED when too many wait, UNAVAILABLE when `budget_s` is over. What
        is begun is finished (it is bounded), and counts as waiting until then.
        """
        if self._waiting >= self._most_waiting:
            EQUITIES.labels(self._kind, "overloaded").inc()
            reason = "too many equities are being counted, try again later"
            raise FloorError(errors_pb2.ERROR_CODE_OVERLOADED, reason)
        began_s = time.monotonic()
        work = self._thread.submit(_count, task)
        self._waiting += 1
        loop = asyncio.get_running_loop()
        # Also of one that nobody waits for any more; it may end in a loop that is closing.
        work.add_done_callback(lambda _: loop.is_closed() or loop.call_soon_threadsafe(self._done))
        try:
            async with asyncio.timeout(budget_s):
                answer = await asyncio.wrap_future(work)
        except TimeoutError:
            EQUITIES.labels(self._kind, "late").inc()
            reason = "the equities took too long; try again"
            raise FloorError(errors_pb2.ERROR_CODE_UNAVAILABLE, reason) from None
        except Exception as failure:  # noqa: BLE001 - its text may name cards, so it goes nowhere
            EQUITIES.labels(self._kind, "failed").inc()
            _log.error("equity_failed", kind=type(failure).__name__)
            raise FloorError(
                errors_pb2.ERROR_CODE_INTERNAL, "the equities could not be counted"
            ) from None
        EQUITIES.labels(self._kind, _how(answer)).inc()
        EQUITY_SECONDS.labels(self._kind).observe(time.monotonic() - began_s)
        return answer

    def close(self) -> None:
        """Accept nothing more; what is begun ends by itself."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _done(self) -> None:
        self._waiting -= 1


def _count(task: EquityTask) -> Equity | EquityRefusal:
    work = _QUICK_WORK if task.quick else _MOST_WORK
    most = _most_runouts(task.game, len(task.hands), work)
    seed = sha256(repr(task).encode()).digest()
    source = random.Random(seed)  # noqa: S311 - a sample that is the same again, not a secret
    return equity(
        task.game,
        task.hands,
        task.boards,
        task.dead,
        max_runouts=most,
        samples=max(1, min(task.samples, most)),
        samples_source=source.randbytes,
    )


def _most_runouts(game: GameRow, hands: int, work: int) -> int:
    """Return how many run-outs may be looked at for each board."""
    each = _WORK_OF_TWO_HOLE if game.hole_cards_used is HoleCardUse.EXACTLY_TWO else 1
    rankings = each * max(1, min(hands, MOST_HANDS)) * game.boards * len(game.parts)
    most = min(work // rankings, MOST_RUNOUTS)
    assert most >= 1, "a question is some work only"
    return min(most, comb(len(DECKS[game.deck]), max(1, game.board_cards())))


def _how(answer: Equity | EquityRefusal) -> str:
    if isinstance(answer, EquityRefusal):
        return "refused"
    return "exact" if answer.exact else "sampled"
