"""Counting equities off the event loop: a bounded number at a time, each a bounded piece of work.

Cards that a caller names pass through here, so nothing is logged but how it went.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from math import comb
from typing import Final, NamedTuple

from floor_showdown.metrics import EQUITIES, EQUITY_SECONDS
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.cards import DECKS, Card
from pokerfloor.equity import MOST_HANDS, MOST_RUNOUTS, Equity, EquityRefusal, equity
from pokerfloor.games import GameRow, Half, HoleCardUse
from pokerfloor.servicekit import FloorError, get_logger

# Hands ranked for one question, in hands of a game that ranks all cards at once: hold'em is counted
# whole with any number of players. It is a second or so of one core.
_MOST_WORK: Final = 4_500_000
# Two own cards of four with three of the board: so much more work than seven cards.
_WORK_OF_TWO_OWN: Final = 5
_QUICK_WORK: Final = 100_000
DEFAULT_SAMPLES: Final = 100_000

_log = get_logger("showdown.equity")


class Question(NamedTuple):
    """Whose equities, on which boards.

    `quick` is a small part of the work that may be done else: some tens of milliseconds.
    """

    game: GameRow
    hands: tuple[tuple[Card, ...], ...]
    boards: tuple[tuple[Card, ...], ...] = ()
    dead: tuple[Card, ...] = ()
    samples: int = DEFAULT_SAMPLES
    quick: bool = False


class Counting:
    """One thread that counts, and a few questions that may wait for it.

    numpy does the work and lets the event loop run meanwhile.
    """

    def __init__(self, kind: str, *, most_waiting: int) -> None:
        self._kind = kind
        self._most_waiting = most_waiting
        self._waiting = 0
        self._thread = ThreadPoolExecutor(1, f"equity-{kind}")

    async def equity(self, question: Question, budget_s: float) -> Equity | EquityRefusal:
        """Return the answer. The same question has the same one, also where it is sampled.

        Raises FloorError: OVERLOADED when too many wait, UNAVAILABLE when `budget_s` is over. What
        is begun is finished (it is bounded), and counts as waiting until then.
        """
        if self._waiting >= self._most_waiting:
            EQUITIES.labels(self._kind, "overloaded").inc()
            reason = "too many equities are being counted, try again later"
            raise FloorError(errors_pb2.ERROR_CODE_OVERLOADED, reason)
        began_s = time.monotonic()
        work = self._thread.submit(_count, question)
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
            _log.error("equities failed", kind=type(failure).__name__)
            raise FloorError(
                errors_pb2.ERROR_CODE_INTERNAL, "the equities could not be counted"
            ) from None
        EQUITIES.labels(self._kind, _how(answer)).inc()
        EQUITY_SECONDS.labels(self._kind).observe(time.monotonic() - began_s)
        return answer

    def close(self) -> None:
        """Take nothing more in; what is begun ends by itself."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _done(self) -> None:
        self._waiting -= 1


def to_equity_shown(answer: Equity, seats: Sequence[int]) -> hand_events_pb2.EquityShown:
    """Return the message of an answer whose hands are those of `seats`, in their order."""
    shown = hand_events_pb2.EquityShown(exact=answer.exact)
    for seat, hand in zip(seats, answer.hands, strict=True):
        by_half = dict(hand.by_half)
        low = round(by_half.get(Half.LOW, 0) * 1_000_000)
        shown.seats.add(
            seat=seat,
            high_ppm=hand.share_ppm - low,
            low_ppm=low,
            error_ppm=hand.standard_error_ppm,
        )
    return shown


def _count(question: Question) -> Equity | EquityRefusal:
    work = _QUICK_WORK if question.quick else _MOST_WORK
    most = _most_runouts(question.game, len(question.hands), work)
    seed = sha256(repr(question).encode()).digest()
    source = random.Random(seed)  # noqa: S311 - a sample that is the same again, not a secret
    return equity(
        question.game,
        question.hands,
        question.boards,
        question.dead,
        max_runouts=most,
        samples=max(1, min(question.samples, most)),
        samples_source=source.randbytes,
    )


def _most_runouts(game: GameRow, hands: int, work: int) -> int:
    """Return how many run-outs may be looked at for each board."""
    each = _WORK_OF_TWO_OWN if game.hole_cards_used is HoleCardUse.EXACTLY_TWO else 1
    rankings = each * max(1, min(hands, MOST_HANDS)) * game.boards * len(game.parts)
    most = min(work // rankings, MOST_RUNOUTS)
    assert most >= 1, "a question is some work only"
    return min(most, comb(len(DECKS[game.deck]), max(1, game.board_cards())))


def _how(answer: Equity | EquityRefusal) -> str:
    if isinstance(answer, EquityRefusal):
        return "refused"
    return "exact" if answer.exact else "sampled"
