"""Evaluations a second: ours and phevaluator's, in turns on the same hands, and by arrays."""

import random
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec

import numpy as np

from pokerfloor.ranking import (
    BADUGI,
    HIGH52,
    JOKER_BUG,
    LOW8,
    LOW_27,
    LOW_A5,
    RANKINGS,
    SHORT36,
    Use,
    choose,
    high7,
    high_strength,
    row_order_key,
)
from pokerfloor.ranking.batch import SumBatch, two_hole_cards_batch

HANDS = 50_000
ARRAY_HANDS = 1_000_000
ROUNDS = 5
SEED = 20_260_101
BATCH_TARGET = 15_000_000

Hands = Sequence[tuple[int, ...]]
Run = Callable[[Hands], None]


def _spread(rank: Callable[..., object]) -> Run:
    """A pass over the hands that gives the cards one by one."""

    def run(hands: Hands) -> None:
        for hand in hands:
            rank(*hand)

    return run


def _whole(rank: Callable[[tuple[int, ...]], object]) -> Run:
    """A pass over the hands that gives each as a tuple."""

    def run(hands: Hands) -> None:
        for hand in hands:
            rank(hand)

    return run


def _omaha(own: int) -> Run:
    """A pass over hands of a new board and new own cards each time."""
    rank = choose(HIGH52, Use.EXACTLY_TWO).strength

    def run(hands: Hands) -> None:
        for hand in hands:
            rank(hand[5 : 5 + own], hand[:5])

    return run


def _shared_board(own: int) -> Run:
    """The same, nine hands to a board, as at a full table."""
    rank = choose(HIGH52, Use.EXACTLY_TWO).strength

    def run(hands: Hands) -> None:
        for hand in hands:
            for start in range(0, 9 * own, own):
                rank(hand[5 + start : 5 + start + own], hand[:5])

    return run


def _contenders() -> list[tuple[str, int, int, Run]]:
    """Each with the number of cards dealt, and how many hands are ranked of them."""
    found = [
        ("7 cards, high7", 7, 1, _spread(high7)),
        ("7 cards, high_strength", 7, 1, _whole(high_strength)),
        ("6 cards, high_strength", 6, 1, _whole(high_strength)),
        ("5 cards, high_strength", 5, 1, _whole(high_strength)),
        ("3 cards, row_order_key", 3, 1, _whole(row_order_key)),
        ("7 cards, low8", 7, 1, _whole(LOW8.strength)),
        ("7 cards, low_a5", 7, 1, _whole(LOW_A5.strength)),
        ("5 cards, low_27", 5, 1, _whole(LOW_27.strength)),
        ("5 cards, joker_bug", 5, 1, _whole(JOKER_BUG.strength)),
        ("4 cards, badugi", 4, 1, _whole(BADUGI.strength)),
        ("Omaha 4, new boards", 9, 1, _omaha(4)),
        ("Omaha 5, new boards", 10, 1, _omaha(5)),
        ("Omaha 6, new boards", 11, 1, _omaha(6)),
        ("Omaha 4, nine a board", 41, 9, _shared_board(4)),
    ]
    if find_spec("phevaluator") is None:
        print("phevaluator is not installed: our figures only")
        return found
    peer = import_module("phevaluator")
    found += [
        ("7 cards, phevaluator", 7, 1, _spread(peer.evaluate_cards)),
        ("5 cards, phevaluator", 5, 1, _spread(peer.evaluate_cards)),
    ]
    if hasattr(peer, "evaluate_omaha_cards"):
        found.append(("Omaha 4, phevaluator", 9, 1, _spread(peer.evaluate_omaha_cards)))
    return found


def _scalar() -> float | None:
    """Print the rates of single calls; return how many times phevaluator's we do on seven."""
    rng = random.Random(SEED)
    contenders = _contenders()
    hands = {
        size: [tuple(rng.sample(range(52), size)) for _ in range(HANDS // ranked)]
        for _, size, ranked, _ in contenders
    }
    best = {name: float("inf") for name, *_ in contenders}
    for _ in range(ROUNDS):
        for name, size, ranked, run in contenders:
            started = time.perf_counter()
            run(hands[size])
            took = time.perf_counter() - started
            best[name] = min(best[name], took / len(hands[size]) / ranked)
    for name, seconds in best.items():
        print(f"{name:28} {1 / seconds:12,.0f} hands/s")
    theirs = best.get("7 cards, phevaluator")
    return theirs and theirs / best["7 cards, high7"]


def _best_of(run: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(ROUNDS):
        started = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - started)
    return best


def _arrays() -> float:
    """Print the rates by arrays; return that of random seven-card high hands."""
    rng = np.random.default_rng(SEED)
    order = np.argsort(rng.random((ARRAY_HANDS, 52), np.float32), axis=1)[:, :11]
    cards = np.ascontiguousarray(order.astype(np.uint8).T)
    short = np.argsort(rng.random((ARRAY_HANDS, 36), np.float32), axis=1)[:, :7]
    short_cards = np.ascontiguousarray((short + 16).astype(np.uint8).T)
    rates: dict[str, float] = {}
    for name, system, hands in (
        ("7 cards, high52", HIGH52, cards[:7]),
        ("5 cards, high52", HIGH52, cards[:5]),
        ("7 cards, short36", SHORT36, short_cards),
        ("7 cards, low8", LOW8, cards[:7]),
    ):
        rank = partial(SumBatch(system).strengths, list(hands))
        rates[name] = ARRAY_HANDS / _best_of(rank)
    few = list(cards[:, : ARRAY_HANDS // 10])
    for own in (4, 5, 6):
        for name, system in (("", HIGH52), (" low8", LOW8)):
            rank = partial(two_hole_cards_batch, system, few[:own], few[6:11])
            rates[f"Omaha {own}{name}"] = len(few[0]) / _best_of(rank)
    for name, rate in rates.items():
        print(f"arrays: {name:20} {rate:12,.0f} hands/s")
    return rates["7 cards, high52"]


def _first_calls() -> None:
    """Print how long each system takes for its first hand: that is when tables are made."""
    for name, system in RANKINGS.items():
        started = time.perf_counter()
        system.strength(system.deck.cards[: system.sizes[-1]])
        print(f"first call: {name:18} {1000 * (time.perf_counter() - started):8.1f} ms")


def main() -> int:
    """Print it all; 1 when phevaluator is faster on seven cards, or arrays miss their target."""
    _first_calls()
    ratio = _scalar()
    rate = _arrays()
    print(f"arrays of random seven-card hands: target {BATCH_TARGET:,}, {rate:,.0f} a second")
    if ratio is None:
        return int(rate < BATCH_TARGET)
    print(f"high7 is {ratio:.2f} times as fast as phevaluator's call by card number")
    return int(ratio < 1 or rate < BATCH_TARGET)


if __name__ == "__main__":
    sys.exit(main())
