"""Ranking systems whose strengths are looked up by the sum of card keys (`tables.py`)."""

from collections.abc import Callable, Sequence
from functools import cached_property

from pokerfloor.cards import Card, Deck
from pokerfloor.ranking.system import RankingSystem, check_cards
from pokerfloor.ranking.tables import CLOSER, KEYS, RANK_HALF, SUIT_START, SUITED_BITS, SumTable

_key_of = KEYS.__getitem__


class SumRanking:
    """A system: a name, the numbers of cards it takes, its deck, and how to build its table.

    The table is built on first use.
    """

    def __init__(
        self, name: str, sizes: tuple[int, ...], deck: Deck, make_table: Callable[[], SumTable]
    ) -> None:
        self._name = name
        self._sizes = sizes
        self._deck = deck
        self._ranked = frozenset(deck.cards)
        self._make_table = make_table

    @cached_property
    def table(self) -> SumTable:
        """The table of strengths."""
        return self._make_table()

    def strength(self, cards: Sequence[Card]) -> int:
        """Return the strength of the best hand in different cards. Raises RankingError."""
        size = len(cards)
        different = set(cards)
        if size not in self._sizes or len(different) != size or not different <= self._ranked:
            check_cards(cards, self._sizes, self._deck, self._name)
        return self.unchecked(cards)

    def unchecked(self, cards: Sequence[Card]) -> int:
        """Return the same; the caller ensures valid cards."""
        total = sum(map(_key_of, cards), SUIT_START)
        table = self.table
        if total & CLOSER and table.by_flush:
            bits = SUITED_BITS[total & CLOSER]
            suited_ranks = 0
            for card in cards:
                suited_ranks |= bits[card]
            return table.by_flush[suited_ranks]
        return table.by_ranks[len(cards)][total & RANK_HALF]

    def system(self) -> RankingSystem:
        """Return the system under its stable name."""
        return RankingSystem(
            self._name,
            self._sizes,
            self._deck,
            self.strength,
            self.unchecked,
            lambda: self.table,
        )
