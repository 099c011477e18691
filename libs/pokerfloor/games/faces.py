"""Check that faces can occur together in one hand."""

from collections.abc import Sequence
from typing import Final

from pokerfloor.cards import DECKS, Card

# Plain sets, for set operations.
_MEMBERS: Final = {name: frozenset(deck.cards) for name, deck in DECKS.items()}


def faces_problem(deck: str, faces: Sequence[Card]) -> str:
    """Return what is wrong with these faces at different places of one hand, or "".

    `deck` is the name of the deck. The text never names a card.
    """
    different = set(faces)
    if len(different) != len(faces):
        return "a card is at two places"
    if not different <= _MEMBERS[deck]:
        return "a card is not in the deck"
    return ""
