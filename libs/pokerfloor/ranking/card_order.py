"""The order of single cards, where suits break ties of ranks."""

from typing import Final

from pokerfloor.cards import Card, rank_of

_ACES: Final = 12


def card_order(card: Card, *, ace_low: bool = False) -> int:
    """Return a sort key for single cards: by rank, then clubs, diamonds, hearts, spades.

    Used for the bring-in of stud (STD-2; in razz the ace is low) and its odd chips (ODD-1). Raises
    CardError for a card without a rank.
    """
    rank = rank_of(card)
    return card - 52 if ace_low and rank == _ACES else card
