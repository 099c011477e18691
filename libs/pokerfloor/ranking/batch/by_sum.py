"""Hands of five to seven cards, for every system that ranks by sums of keys."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pokerfloor.cards import Card
from pokerfloor.ranking.batch.keys import (
    CARD_KEYS,
    CARDS,
    FLUSH,
    SUIT_START,
    SUITED_BITS,
    Keys,
    Strengths,
    dense_tables,
    flush_suit,
)
from pokerfloor.ranking.system import (
    CARD_NOT_RANKED,
    WRONG_NUMBER_OF_CARDS,
    RankingError,
    RankingSystem,
    check_cards,
)

Places = Sequence[NDArray[np.integer] | Card]
_CHUNK: Final = 16_384  # hands at a time, so that intermediate results stay in the cache


class SumBatch:
    """Arrays of hands under one ranking system."""

    def __init__(self, system: RankingSystem) -> None:
        """Build the dense tables of the system, in some 10 ms. Raises ValueError if it has none.

        `sum_batch` caches them.
        """
        if system.table is None:
            raise ValueError(f"{system.name} has no table for arrays")
        table = system.table()
        self.system: Final = system
        self.dense: Final = dense_tables(table)
        self.by_flush: Final[Strengths] = np.array(table.by_flush, np.int32)

    def strengths(self, places: Places) -> Strengths:
        """Return the strengths of hands with one card per place.

        Raises RankingError for a number of cards or a card that the system does not rank. The
        caller ensures that the cards of a hand are different.
        """
        if len(places) not in self.dense:
            reason = f"{self.system.name} has no table for {len(places)} cards"
            raise RankingError(WRONG_NUMBER_OF_CARDS, reason, ())
        same, varying = self.read(places)
        hands = len(varying[0]) if varying else 1
        out = np.empty(hands, np.int32)
        for start in range(0, hands, _CHUNK):
            chunk = [place[start : start + _CHUNK] for place in varying]
            out[start : start + _CHUNK] = self._chunk(same, chunk)
        return out

    def read(self, places: Places) -> tuple[list[Card], list[NDArray[np.integer]]]:
        """Return the cards common to all hands, and the arrays, validated."""
        same = [int(place) for place in places if np.ndim(place) == 0]
        varying = [np.asarray(place) for place in places if np.ndim(place)]
        assert len({place.shape for place in varying}) <= 1, "all places must have the same length"
        check_cards(same, (len(same),), self.system.deck, self.system.name)
        lowest, highest = self.system.deck.cards[0], self.system.deck.cards[-1]
        for place in varying:
            if place.size and not (lowest <= place.min() and place.max() <= highest):
                wrong = int(place.min() if place.min() < lowest else place.max())
                reason = f"{self.system.name} does not rank card number {wrong}"
                raise RankingError(CARD_NOT_RANKED, reason, (wrong,))
        return same, varying

    def _chunk(self, same: Sequence[Card], varying: Sequence[NDArray[np.integer]]) -> Strengths:
        keys = sum_of_keys(same, varying, SUIT_START)
        strengths = self.dense[len(same) + len(varying)].look_up(keys)
        if self.by_flush.size:
            at = np.flatnonzero(keys & FLUSH)
            if at.size:
                suits = flush_suit(keys[at])
                held = np.zeros(at.size, np.int16)
                for place in varying:
                    held |= SUITED_BITS[suits, place[at]]
                for card in same:
                    held |= SUITED_BITS[suits, card]
                strengths[at] = self.by_flush[held]
        return strengths


def sum_of_keys(
    same: Sequence[Card], varying: Sequence[NDArray[np.integer]], start: int = 0
) -> Keys:
    """Return the sums of the keys of the common cards and of the arrays."""
    constant = start + sum([int(CARD_KEYS[card]) for card in same])
    if not varying:
        return np.array([constant], np.int64)
    keys = CARD_KEYS.take(varying[0], mode="wrap")
    keys += constant
    for place in varying[1:]:
        keys += CARD_KEYS.take(place, mode="wrap")
    return keys


@lru_cache(maxsize=16)  # more than there are systems with tables
def sum_batch(system: RankingSystem) -> SumBatch:
    """Return the cached batch of a system. Raises ValueError if it has no table."""
    return SumBatch(system)


assert len(CARD_KEYS) == CARDS
