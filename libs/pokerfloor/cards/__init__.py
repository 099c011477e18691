"""Cards and decks, with their text and wire forms."""

from pokerfloor.cards.card import (
    BLACK_JOKER,
    RANKS,
    RED_JOKER,
    SUITS,
    UNKNOWN,
    Card,
    CardError,
    card_text,
    cards_text,
    is_joker,
    parse_card,
    parse_cards,
    rank_of,
    suit_of,
)
from pokerfloor.cards.deck import (
    DECKS,
    SHORT,
    STANDARD,
    STANDARD_ONE_JOKER,
    STANDARD_TWO_JOKERS,
    Deck,
)
from pokerfloor.cards.wire import from_wire, to_wire

__all__ = [
    "BLACK_JOKER",
    "DECKS",
    "RANKS",
    "RED_JOKER",
    "SHORT",
    "STANDARD",
    "STANDARD_ONE_JOKER",
    "STANDARD_TWO_JOKERS",
    "SUITS",
    "UNKNOWN",
    "Card",
    "CardError",
    "Deck",
    "card_text",
    "cards_text",
    "from_wire",
    "is_joker",
    "parse_card",
    "parse_cards",
    "rank_of",
    "suit_of",
    "to_wire",
]
