"""Exactly two hole cards and three of the board (OMA-1), for arrays of hands or boards."""

from functools import reduce
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pokerfloor.ranking.batch.by_sum import Places, sum_batch
from pokerfloor.ranking.batch.keys import CARD_KEYS, FLUSH, SUIT_START, Keys, Strengths
from pokerfloor.ranking.system import WRONG_NUMBER_OF_CARDS, RankingError, RankingSystem

_CHUNK: Final = 4_096  # boards at a time, each with all choices of three cards
_RANK_BITS: Final = np.array([1 << (card >> 2) for card in range(52)], np.int64)


def two_hole_cards_batch(system: RankingSystem, hole: Places, board: Places) -> Strengths:
    """Return the strengths of hole cards with boards of five cards, both given card by card.

    Raises RankingError like `SumBatch.strengths`. The caller ensures that all cards of a hand and
    its board are different. Raises ValueError for a system without a table.
    """
    batch = sum_batch(system)
    if len(hole) < 2 or len(board) < 3:
        reason = (
            f"{system.name} takes two of {len(hole)} hole and three of {len(board)} board cards"
        )
        raise RankingError(WRONG_NUMBER_OF_CARDS, reason, ())
    batch.read(hole)
    batch.read(board)
    arrays = [np.atleast_1d(np.asarray(place)) for place in (*hole, *board)]
    hands = max(len(array) for array in arrays)
    assert all(len(array) in (1, hands) for array in arrays), "all places must have the same length"
    out = np.empty(hands, np.int32)
    for start in range(0, hands, _CHUNK):
        chunk = [array if len(array) == 1 else array[start : start + _CHUNK] for array in arrays]
        size = min(_CHUNK, hands - start)
        out[start : start + size] = _chunk(system, chunk[: len(hole)], chunk[len(hole) :])
    return out


def _chunk(
    system: RankingSystem, hole: list[NDArray[np.integer]], board: list[NDArray[np.integer]]
) -> Strengths:
    """Return the best of all pairs with all threes, for each hand of the longest array."""
    batch = sum_batch(system)
    dense, by_flush = batch.dense[5], batch.by_flush
    keys, bits = _choices(board, 3)
    keys += SUIT_START
    best: list[Strengths] = []
    for pair in combinations(hole, 2):
        pair_keys, pair_bits = _choices(list(pair), 2)
        totals = keys + pair_keys
        strengths = dense.look_up(totals)
        if by_flush.size:
            flush = (totals & FLUSH) != 0
            if flush.any():
                held = (bits | pair_bits)[flush]
                strengths[flush] = by_flush[held]
        best.append(strengths.max(axis=0))
    return reduce(np.maximum, best)


def _choices(cards: list[NDArray[np.integer]], size: int) -> tuple[Keys, NDArray[np.int64]]:
    """Return the keys and rank bits of every choice of `size` cards, shaped (choices, hands)."""
    keys = np.broadcast_arrays(*[CARD_KEYS[card] for card in cards])
    bits = np.broadcast_arrays(*[_RANK_BITS[card] for card in cards])
    return (
        np.stack([reduce(np.add, some) for some in combinations(keys, size)]),
        np.stack([reduce(np.bitwise_or, some) for some in combinations(bits, size)]),
    )
