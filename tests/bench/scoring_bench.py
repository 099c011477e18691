"""Hands scored a second for three players, and how long a layout with two jokers takes."""

import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence

from floor_scoring.answer import answer_hand
from pokerfloor.ranking import row_order_key
from pokerfloor.scoring import Layout, Mode, OfcRules, Standing, hint, score_hand, score_layout

HANDS = 3_000
LAYOUTS = 5_000
HINTS = 200
ROUNDS = 5
SEATS = (1, 2, 3)
SEED = 20_261_130
HANDS_TARGET = 10_000
JOKERS_TARGET_US = 1_000

Hand = dict[str, Layout]


def _layout(cards: Sequence[int]) -> Layout:
    """Three rows, the better five below, as players lay them; the top may still kill the hand."""
    upper, lower = tuple(cards[3:8]), tuple(cards[8:13])
    natural = max(upper) < 52 and max(lower) < 52
    if natural and row_order_key(upper) > row_order_key(lower):
        upper, lower = lower, upper
    return Layout(tuple(cards[:3]), upper, lower)


def _hands(chance: random.Random, cards: int, players: int = 3) -> list[Hand]:
    found = []
    for _ in range(HANDS):
        deck = chance.sample(range(cards), cards)
        found.append({f"p{at}": _layout(deck[13 * at : 13 * at + 13]) for at in range(players)})
    return found


def _best(run: Callable[[], object]) -> float:
    """Seconds of the processor, the best of some rounds."""
    times = []
    for _ in range(ROUNDS):
        started = time.process_time()
        run()
        times.append(time.process_time() - started)
    return min(times)


def _hands_a_second(name: str, hands: Sequence[Hand], rules: OfcRules) -> float:
    def score() -> None:
        for hand in hands:
            score_hand(hand, rules)

    def answer() -> None:
        for hand in hands:
            answer_hand(score_hand(hand, rules), SEATS).SerializeToString()

    rate = len(hands) / _best(score)
    print(f"{name:44} {rate:12,.0f} hands/s, target {HANDS_TARGET:,}")
    answers = len(hands) / _best(answer)
    print(f"{'  and written as the answer of the call':44} {answers:12,.0f} hands/s")
    return rate


def _two_jokers(chance: random.Random) -> list[Layout]:
    found = []
    for _ in range(LAYOUTS):
        cards = [*chance.sample(range(52), 11), 52, 53]
        chance.shuffle(cards)
        found.append(_layout(cards))
    return found


def _microseconds(layouts: Sequence[Layout], rules: OfcRules) -> list[float]:
    times = []
    for layout in layouts:
        started = time.process_time_ns()
        score_layout(layout, rules)
        times.append((time.process_time_ns() - started) / 1000)
    return times


def _hints(chance: random.Random, rules: OfcRules) -> None:
    """How long a hint takes after the first street, and before the last."""
    for laid in (5, 11):
        times = []
        for _ in range(HINTS):
            deck = chance.sample(rules.deck.cards, len(rules.deck))
            rows = [tuple(deck[:1]), tuple(deck[1:3]), tuple(deck[3:5])]
            if laid > 5:
                rows = [tuple(deck[:2]), tuple(deck[2:6]), tuple(deck[6:11])]
            started = time.process_time()
            told = hint(Layout(rows[0], rows[1], rows[2]), deck[laid:], rules)
            times.append(1000 * (time.process_time() - started))
            assert told.standing in Standing
        name = f"hint with {laid} cards laid, {rules.mode}"
        print(f"{name:44} {statistics.median(times):12.2f} ms median")


def main() -> int:
    """Print the rates; 1 when one misses its target."""
    chance = random.Random(SEED)
    joker = OfcRules(Mode.JOKER)
    rates = [
        _hands_a_second("three players, 52 cards", _hands(chance, 52), OfcRules()),
        _hands_a_second("three players, 54 cards with two jokers", _hands(chance, 54), joker),
    ]
    times = _microseconds(_two_jokers(chance), joker)
    median, worst = statistics.median(times), max(times)
    print(
        f"{'a layout with two jokers':44} {median:12,.1f} us median, {worst:,.0f} us at most, "
        f"target {JOKERS_TARGET_US:,} us median"
    )
    for rules in (OfcRules(), joker):
        _hints(chance, rules)
    return int(min(rates) < HANDS_TARGET or median >= JOKERS_TARGET_US)


if __name__ == "__main__":
    sys.exit(main())
