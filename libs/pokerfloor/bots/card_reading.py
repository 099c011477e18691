"""How a bot reads cards: ranks, low cards, a badugi, and what a made hand is worth to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pokerfloor.cards import Card, rank_of, suit_of
from pokerfloor.ranking import Category

Cards = Sequence[Card]

ACE: Final = 12
FIRST_JOKER: Final = 52
_EIGHT: Final = 6

#: How strong a hand looks whose cards are not known yet.
UNKNOWN_HAND: Final = 0.3
VALUE_OF_CATEGORY: Final = {
    Category.HIGH_CARD: 0.15,
    Category.ONE_PAIR: 0.45,
    Category.TWO_PAIR: 0.7,
    Category.THREE_OF_A_KIND: 0.8,
    Category.STRAIGHT: 0.87,
    Category.FLUSH: 0.91,
    Category.FULL_HOUSE: 0.95,
    Category.FOUR_OF_A_KIND: 0.99,
    Category.STRAIGHT_FLUSH: 1.0,
    Category.ROYAL_FLUSH: 1.0,
    Category.POKER: 1.0,
}


def rank_or_ace(card: Card) -> int:
    """Return the rank of a card, 0 (deuce) to 12 (ace); a joker counts as an ace."""
    return ACE if card >= FIRST_JOKER else rank_of(card)


def low_cards(cards: Cards, *, ace_low: bool) -> list[Card]:
    """Return one card of each rank up to eight, the lowest first."""
    found: dict[int, Card] = {}
    for card in cards:
        if card < FIRST_JOKER:
            found.setdefault(-1 if ace_low and rank_of(card) == ACE else rank_of(card), card)
    return [found[rank] for rank in sorted(found) if rank <= _EIGHT]


def badugi_cards(cards: Cards) -> list[Card]:
    """Return low cards of different ranks and suits, as many as are found in one go."""
    kept: list[Card] = []
    for card in sorted(cards, key=lambda one: (rank_of(one) + 1) % 13):
        if all(rank_of(card) != rank_of(one) and suit_of(card) != suit_of(one) for one in kept):
            kept.append(card)
    return kept
