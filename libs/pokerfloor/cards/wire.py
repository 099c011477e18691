"""A card on the wire is its number plus one: 1 to 54, and 0 for the unknown card.

So a missing protobuf field reads as "unknown", never as the two of clubs.
"""

from pokerfloor.cards.card import BLACK_JOKER, UNKNOWN, Card, CardError


def to_wire(card: Card) -> int:
    """Return the wire code of a card. Raises CardError for any other number."""
    if not UNKNOWN <= card <= BLACK_JOKER:
        raise CardError(str(card), 0, "not a card's number")
    return card + 1


def from_wire(code: int) -> Card:
    """Return the card of a wire code. Raises CardError for a code outside 0 to 54."""
    if not 0 <= code <= BLACK_JOKER + 1:
        raise CardError(str(code), 0, "not a card's wire code")
    return code - 1
