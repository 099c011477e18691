"""Run-outs, the cards that may still come to a board, as arrays: all with weights, or a sample."""

from collections.abc import Callable, Sequence
from itertools import groupby, pairwise
from math import factorial
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokerfloor.cards import Card

# Returns the number of bytes it is called with: `random.Random(seed).randbytes`, or similar.
SamplesSource: TypeAlias = Callable[[int], bytes]

_SUITS: Final = range(4)
_RANK_BITS: Final = 13
_WORD: Final = np.dtype("<u4")


class Runouts(NamedTuple):
    """Run-outs: an array for each card to come. The sum of `weights` is the number of run-outs."""

    places: tuple[NDArray[np.uint8], ...]
    weights: NDArray[np.int64]


def all_runouts(unseen: Sequence[Card], size: int, kept_apart: Sequence[Sequence[Card]]) -> Runouts:
    """Return every run-out of `size` unseen cards, equivalent ones only once.

    Suits are interchangeable if exchanging them changes neither the sets `kept_apart` (each hand,
    the board) nor the unseen cards. Of equivalent run-outs one is kept, weighted by their number.
    No ranking system distinguishes suits.
    """
    cards = np.array(unseen, np.uint8)
    places = tuple([cards[index] for index in _combinations(len(cards), size)])
    alike = _like_suits([*kept_apart, unseen])
    if not size or all(len(suits) == 1 for suits in alike):
        return Runouts(places, np.ones(len(places[0]) if places else 1, np.int64))
    return _one_of_each(places, alike)


def _combinations(cards: int, size: int) -> list[NDArray[np.uint8]]:
    """Return the indexes of every choice of `size` cards, ascending in each choice."""
    if not size:
        return []
    chosen = [np.arange(cards, dtype=np.uint8)]
    for _ in range(size - 1):
        last = chosen[-1].astype(np.int64)
        follow = cards - 1 - last
        ends = np.cumsum(follow)
        begins_at = np.repeat(last + 1 - (ends - follow), follow)
        begins_at += np.arange(len(begins_at))
        chosen = [np.repeat(index, follow) for index in chosen]
        chosen.append(begins_at.astype(np.uint8))
    return chosen


def _like_suits(kept_apart: Sequence[Sequence[Card]]) -> list[list[int]]:
    """Return the suits, grouped by which are interchangeable in all sets."""
    ranks = [[{card >> 2 for card in cards if card & 3 == suit} for suit in _SUITS]
             for cards in kept_apart]  # fmt: skip
    alike: list[list[int]] = []
    for suit in _SUITS:
        for suits in alike:
            if all(by_suit[suit] == by_suit[suits[0]] for by_suit in ranks):
                suits.append(suit)
                break
        else:
            alike.append([suit])
    return alike


def _one_of_each(places: tuple[NDArray[np.uint8], ...], alike: list[list[int]]) -> Runouts:
    """Keep the run-outs in which equivalent suits hold rank sets in descending order."""
    bits = np.array([1 << (_RANK_BITS * (card & 3) + (card >> 2)) for card in range(52)], np.int64)
    held = bits.take(places[0])
    for place in places[1:]:
        held += bits.take(place)
    for first, second in _neighbours(alike):
        keep = np.flatnonzero(_ranks_in(held, first) >= _ranks_in(held, second))
        held = held[keep]
        places = tuple([place[keep] for place in places])
    weights = np.ones(len(held), np.int64)
    for suits in alike:
        weights *= _arrangements([_ranks_in(held, suit) for suit in suits])
    return Runouts(places, weights)


def _neighbours(alike: list[list[int]]) -> list[tuple[int, int]]:
    return [pair for suits in alike for pair in pairwise(suits)]


def _ranks_in(held: NDArray[np.int64], suit: int) -> NDArray[np.int64]:
    return held >> _RANK_BITS * suit & ((1 << _RANK_BITS) - 1)


def _arrangements(ranks: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Return in how many ways descending rank sets can be assigned to as many suits."""
    equal = np.zeros(len(ranks[0]), np.int64)
    for n, (higher, lower) in enumerate(pairwise(ranks)):
        equal |= (higher == lower).astype(np.int64) << n
    ways = [_ways(pattern, len(ranks)) for pattern in range(1 << (len(ranks) - 1))]
    return np.array(ways, np.int64).take(equal)


def _ways(equal: int, suits: int) -> int:
    """Return the same for a pattern: bit n is set if set n equals the next one."""
    runs = [0]
    for n in range(suits - 1):
        runs.append(runs[-1] + (not equal >> n & 1))
    ways = factorial(suits)
    for _, run in groupby(runs):
        ways //= factorial(len(list(run)))
    return ways


def sampled_runouts(
    unseen: Sequence[Card], size: int, samples: int, source: SamplesSource
) -> Runouts:
    """Return run-outs drawn from the source, each of `size` different cards.

    The nth card of a run-out has the index word * left >> 32 among the cards left, for one 32-bit
    word of the source. The bias is below one in 2 ** 26, far below the error of a sample.
    """
    data = source(samples * size * _WORD.itemsize)
    assert len(data) == samples * size * _WORD.itemsize, (
        "the source must return as many bytes as requested"
    )
    words = np.frombuffer(data, _WORD).reshape(size, samples).astype(np.uint64)
    taken: NDArray[np.uint64] = np.empty((0, samples), np.uint64)
    places: list[NDArray[np.uint8]] = []
    cards = np.array(unseen, np.uint8)
    for nth in range(size):
        at = words[nth] * np.uint64(len(unseen) - nth) >> np.uint64(32)
        for earlier in taken:  # ascending: step over each card that is gone
            at += at >= earlier
        places.append(cards[at])
        taken = np.sort(np.vstack([taken, at]), axis=0)
    return Runouts(tuple(places), np.ones(samples, np.int64))
