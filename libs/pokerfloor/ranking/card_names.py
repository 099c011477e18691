"""Names of cards for people: "two of clubs"."""

from typing import Final

from pokerfloor.cards import Card, rank_of, suit_of

RANK_NAMES: Final = (
    *("two", "three", "four", "five", "six", "seven", "eight"),
    *("nine", "ten", "jack", "queen", "king", "ace"),
)
_SUIT_NAMES: Final = ("clubs", "diamonds", "hearts", "spades")


def card_name(card: Card) -> str:
    """Return the name of a card other than a joker."""
    return f"{RANK_NAMES[rank_of(card)]} of {_SUIT_NAMES[suit_of(card)]}"
