"""A second ranking for every system, slow and obvious, told apart by rules alone.

It shares nothing with the tables: a key is (place of the kind, ranks in order of importance), and
Python's order of tuples is the order of hands.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from math import comb

import numpy as np
from numpy.typing import NDArray

Key = tuple[int, tuple[int, ...]]
NO_LOW: Key = (-1, ())
JOKERS = (52, 53)

HIGH = (
    *("high_card", "one_pair", "two_pair", "three_of_a_kind", "straight", "flush"),
    *("full_house", "four_of_a_kind", "straight_flush", "poker"),
)
SHORT = (
    *("high_card", "one_pair", "two_pair", "three_of_a_kind", "straight", "full_house"),
    *("flush", "four_of_a_kind", "straight_flush"),
)
SHORT_TRIPS = (
    *("high_card", "one_pair", "two_pair", "straight", "three_of_a_kind", "full_house"),
    *("flush", "four_of_a_kind", "straight_flush"),
)
SHAPES = {
    (5,): "poker",
    (4, 1): "four_of_a_kind",
    (4,): "four_of_a_kind",
    (3, 2): "full_house",
    (3, 1, 1): "three_of_a_kind",
    (3, 1): "three_of_a_kind",
    (3,): "three_of_a_kind",
    (2, 2, 1): "two_pair",
    (2, 2): "two_pair",
    (2, 1, 1, 1): "one_pair",
    (2, 1, 1): "one_pair",
    (2, 1): "one_pair",
    (2,): "one_pair",
}


@dataclass(frozen=True)
class Rules:
    """Kinds from the lowest up, the ace's straight at the bottom, whether low ranks are better."""

    kinds: tuple[str, ...]
    bottom_straight: tuple[int, ...] = ()
    low: bool = False
    ace: int = 14
    suits_and_straights: bool = True

    def kind_and_ranks(self, cards: Sequence[int]) -> tuple[str, tuple[int, ...]]:
        """Of one to five cards, none of them a joker."""
        ranks = [self.ace if card // 4 == 12 else card // 4 + 2 for card in cards]
        ranks.sort(reverse=True)
        groups = sorted({(ranks.count(rank), rank) for rank in ranks}, reverse=True)
        shape = tuple(count for count, _ in groups)
        if shape in SHAPES:
            return SHAPES[shape], tuple(rank for _, rank in groups)
        if len(cards) < 5 or not self.suits_and_straights:
            return "high_card", tuple(ranks)
        flush = len({card % 4 for card in cards}) == 1
        if tuple(ranks) == self.bottom_straight:
            return "straight_flush" if flush else "straight", (ranks[1],)
        if ranks[0] - ranks[4] == 4:
            return "straight_flush" if flush else "straight", (ranks[0],)
        return "flush" if flush else "high_card", tuple(ranks)

    def key(self, cards: Sequence[int]) -> Key:
        kind, ranks = self.kind_and_ranks(cards)
        if self.low:
            ranks = tuple(-rank for rank in ranks)
        return self.kinds.index(kind), ranks

    def best(self, cards: Sequence[int]) -> Key:
        return max(self.key(five) for five in combinations(cards, 5))


WHEEL = (14, 5, 4, 3, 2)
PLAIN_HIGH = Rules(HIGH, WHEEL)
PLAIN_SHORT = Rules(SHORT, (14, 9, 8, 7, 6))
PLAIN_SHORT_TRIPS = Rules(SHORT_TRIPS, (14, 9, 8, 7, 6))
PLAIN_A5 = Rules(HIGH[::-1], low=True, ace=1, suits_and_straights=False)
PLAIN_27 = Rules(HIGH[::-1], low=True)


def plain_low8(cards: Sequence[int]) -> Key:
    """The best low of five or more cards, or NO_LOW."""
    found = [NO_LOW]
    for five in combinations(cards, 5):
        ranks = {1 if card // 4 == 12 else card // 4 + 2 for card in five}
        if len(ranks) == 5 and max(ranks) <= 8:
            found.append(PLAIN_A5.key(five))
    return max(found)


def plain_badugi(cards: Sequence[int]) -> tuple[int, tuple[int, ...]]:
    best: tuple[int, tuple[int, ...]] = (0, ())
    for size in range(1, 5):
        for some in combinations(cards, size):
            ranks = sorted({(card // 4 + 1) % 13 for card in some}, reverse=True)
            if len(ranks) == size == len({card % 4 for card in some}):
                best = max(best, (size, tuple(-rank for rank in ranks)))
    return best


def plain_jokers(cards: Sequence[int], *, bug: bool) -> Key:
    """Every card that each joker may stand for is tried."""
    naturals = [card for card in cards if card not in JOKERS]
    jokers = len(cards) - len(naturals)
    free = [card for card in range(52) if card not in naturals]
    found = []
    for stand_ins in combinations(free, jokers):
        key = PLAIN_HIGH.key([*naturals, *stand_ins])
        aces = all(card // 4 == 12 for card in stand_ins)
        if not bug or aces or HIGH[key[0]] in ("straight", "flush", "straight_flush"):
            found.append(key)
    ranks = {card // 4 + 2 for card in naturals}
    if jokers and len(ranks) == 1 and (not bug or ranks == {14}):
        found.append((HIGH.index("poker"), tuple(ranks)))
    return max(found)


def assert_same_order(pairs: Iterable[tuple[int, object]]) -> int:
    """Strengths and keys go up together, equal where the other is. Returns how many differ."""
    strength_of: dict[object, int] = {}
    for strength, key in pairs:
        assert strength_of.setdefault(key, strength) == strength, key
    ascending = [strength_of[key] for key in sorted(strength_of)]  # type: ignore[type-var]  # keys are tuples of numbers
    assert ascending == sorted(set(ascending))
    return len(ascending)


def classes(size: int, lowest: int = 0) -> Iterator[tuple[tuple[int, ...], int]]:
    """One hand of natural cards for each that ranks and one-suitedness tell apart; and how many."""
    for ranks in combinations_with_replacement(range(lowest, 13), size):
        counts = [ranks.count(rank) for rank in set(ranks)]
        if max(counts) > 4:
            continue
        hands = int(np.prod([comb(4, count) for count in counts]))
        suits = [ranks[:place].count(rank) for place, rank in enumerate(ranks)]
        if max(counts) == 1:
            yield tuple(4 * rank for rank in ranks), 4
            hands -= 4
            suits[0] = 1
        yield tuple(4 * rank + suit for rank, suit in zip(ranks, suits, strict=True)), hands


def all_hands(cards: int, size: int) -> NDArray[np.uint8]:
    """Every choice of `size` of the numbers below `cards`, place first, those of low numbers first.

    So the choices among the numbers below any m are the first comb(m, size) columns.
    """
    hands = np.zeros((0, 1), np.uint8)
    for taken in range(size):
        parts = [
            np.vstack([hands[:, : comb(last, taken)], np.full((1, comb(last, taken)), last)])
            for last in range(cards)
        ]
        hands = np.hstack(parts).astype(np.uint8)
    return hands


def tally(strengths: NDArray[np.int32], name_of: Callable[[int], str]) -> dict[str, int]:
    """How many hands of each kind there are."""
    counts: dict[str, int] = {}
    values, hands = np.unique(strengths, return_counts=True)
    for strength, count in zip(values.tolist(), hands.tolist(), strict=True):
        name = name_of(strength)
        counts[name] = counts.get(name, 0) + count
    return counts
