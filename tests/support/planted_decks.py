"""Decks and keys that a test puts in: the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from hashlib import sha256

from nacl.public import PrivateKey

from floor_shuffler.domain.deck import DeckOrder
from pokerfloor.cards import Card
from pokerfloor.fairness import DeckId


class PlantedDecks:
    """A deck and salts for each number, the same for the same seed, but for two cards exchanged.

    A salt belongs to a place in the deck, so exchanging two cards changes two faces and no salt.
    """

    def __init__(self, seed: int, swaps: Mapping[int, tuple[int, int]] | None = None) -> None:
        self.seed = seed
        self.swaps = dict(swaps or {})

    def order(self, deck_no: int, cards: Sequence[Card]) -> tuple[Card, ...]:
        order = sorted(cards)
        random.Random(f"{self.seed}/{deck_no}").shuffle(order)
        if deck_no in self.swaps:
            one, other = self.swaps[deck_no]
            order[one], order[other] = order[other], order[one]
        return tuple(order)

    def salts(self, deck_no: int, count: int) -> tuple[bytes, ...]:
        return tuple(
            sha256(f"salt {self.seed}/{deck_no}/{index}".encode()).digest()
            for index in range(count)
        )

    def again(self, deck_no: int, generation: int, cards: Sequence[Card]) -> tuple[Card, ...]:
        """The order of a later generation: where a card goes depends on where it lay alone."""
        order = list(cards)
        random.Random(f"{self.seed}/{deck_no}/{generation}").shuffle(order)
        return tuple(order)

    def __call__(self, deck: DeckId, generation: int, cards: tuple[Card, ...]) -> DeckOrder:
        if not generation:
            salts = self.salts(deck.deck_no, len(cards))
            return DeckOrder(deck, 0, self.order(deck.deck_no, cards), salts)
        order = self.again(deck.deck_no, generation, cards)
        seeds = [f"{self.seed}/{deck.deck_no}/{generation}/{at}" for at in range(len(cards))]
        salts = tuple([sha256(f"salt {seed}".encode()).digest() for seed in seeds])
        return DeckOrder(deck, generation, order, salts)


def private_key(name: str) -> PrivateKey:
    """A player's key, always the same."""
    return PrivateKey(sha256(f"the key of {name}".encode()).digest())
