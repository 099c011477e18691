"""Evaluations a second: ours and phevaluator's, in turns on the same hands."""

import random
import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec

from libs.ranking import high7, high_strength, row_order_key

HANDS = 50_000
ROUNDS = 5
SEED = 20_260_101

Hands = Sequence[tuple[int, ...]]


def _spread(rank: Callable[..., object]) -> Callable[[Hands], None]:
    """A pass over the hands that gives the cards one by one."""

    def run(hands: Hands) -> None:
        for hand in hands:
            rank(*hand)

    return run


def _whole(rank: Callable[[tuple[int, ...]], object]) -> Callable[[Hands], None]:
    """A pass over the hands that gives each as a tuple."""

    def run(hands: Hands) -> None:
        for hand in hands:
            rank(hand)

    return run


def _contenders() -> list[tuple[str, int, Callable[[Hands], None]]]:
    found = [
        ("7 cards, high7", 7, _spread(high7)),
        ("7 cards, high_strength", 7, _whole(high_strength)),
        ("6 cards, high_strength", 6, _whole(high_strength)),
        ("5 cards, high_strength", 5, _whole(high_strength)),
        ("3 cards, row_order_key", 3, _whole(row_order_key)),
    ]
    if find_spec("phevaluator") is None:
        print("phevaluator is not installed: our figures only")
        return found
    evaluate_cards = import_module("phevaluator").evaluate_cards

    return [
        *found,
        ("7 cards, phevaluator", 7, _spread(evaluate_cards)),
        ("5 cards, phevaluator", 5, _spread(evaluate_cards)),
    ]


def main() -> int:
    """Print the best of some rounds for each; 1 when phevaluator is faster on seven cards."""
    rng = random.Random(SEED)
    hands = {n: [tuple(rng.sample(range(52), n)) for _ in range(HANDS)] for n in (3, 5, 6, 7)}
    contenders = _contenders()
    best = {name: float("inf") for name, _, _ in contenders}
    for _ in range(ROUNDS):
        for name, size, run in contenders:
            started = time.perf_counter()
            run(hands[size])
            best[name] = min(best[name], time.perf_counter() - started)
    for name, seconds in best.items():
        print(f"{name:26} {HANDS / seconds:12,.0f} hands/s")
    theirs = best.get("7 cards, phevaluator")
    if theirs is None:
        return 0
    ratio = theirs / best["7 cards, high7"]
    print(f"high7 is {ratio:.2f} times as fast as phevaluator's call by card number")
    return 0 if ratio >= 1 else 1


if __name__ == "__main__":
    sys.exit(main())
