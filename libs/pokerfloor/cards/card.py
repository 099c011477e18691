"""A card is a small integer; its text is a rank and a suit: `As Td 7h`, `Xr`, or `??`."""

from collections.abc import Iterable
from typing import Final, TypeAlias

# A plain alias, not a NewType: cards index tables in the hottest loops.
Card: TypeAlias = int

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"

RED_JOKER: Final = 52
BLACK_JOKER: Final = 53
UNKNOWN: Final = -1

_SUITED: Final = tuple(rank + suit for rank in RANKS for suit in SUITS)
_TEXT_OF: Final[dict[int, str]] = {
    **dict(enumerate(_SUITED)),
    RED_JOKER: "Xr",
    BLACK_JOKER: "Xb",
    UNKNOWN: "??",
}
_CARD_OF: Final[dict[str, int]] = {text: card for card, text in _TEXT_OF.items()}


class CardError(ValueError):
    """A text or number that is not a card.

    `text` is the whole input, `offset` the place in it, in characters from 0, where no card could
    be read.
    """

    def __init__(self, text: str, offset: int, problem: str) -> None:
        super().__init__(f"{problem} at offset {offset} of {text!r}")
        self.text = text
        self.offset = offset


def parse_card(text: str) -> Card:
    """Return the card that `text` names, and nothing else.

    Ranks are upper case, suits lower case; ten is `T`. Raises CardError.
    """
    card = _CARD_OF.get(text)
    if card is None:
        _, offset = _read(text, 0)
        raise CardError(text, offset, "more than one card")
    return card


def parse_cards(text: str) -> tuple[Card, ...]:
    """Return the cards that `text` names, in order; spaces between them are optional.

    An empty text has no cards. Duplicates are returned as they are; the caller decides whether they
    are an error (`????` is two unknown cards). Raises CardError.
    """
    cards: list[Card] = []
    offset = 0
    while True:
        while offset < len(text) and text[offset] == " ":
            offset += 1
        if offset == len(text):
            return tuple(cards)
        card, offset = _read(text, offset)
        cards.append(card)


def _read(text: str, offset: int) -> tuple[Card, int]:
    """Return the card at `offset` and the offset after it."""
    pair = text[offset : offset + 2]
    card = _CARD_OF.get(pair)
    if card is not None:
        return card, offset + 2
    if len(pair) < 2:
        raise CardError(text, offset, "a card is cut short" if pair else "no card")
    # Point at the suit if the rank is valid.
    bad = offset + any(known[0] == pair[0] for known in _CARD_OF)
    raise CardError(text, bad, f"{text[bad]!r} is not a {'suit' if bad > offset else 'rank'}")


def card_text(card: Card) -> str:
    """Return the text of a card, which `parse_card` reads back. Raises CardError."""
    text = _TEXT_OF.get(card)
    if text is None:
        raise CardError(str(card), 0, "not a card's number")
    return text


def cards_text(cards: Iterable[Card]) -> str:
    """Return the texts of the cards without spaces. Raises CardError."""
    return "".join(map(card_text, cards))


def rank_of(card: Card) -> int:
    """Return the rank, 0 for a two to 12 for an ace. Raises CardError if it has none."""
    if not 0 <= card < RED_JOKER:
        raise CardError(_TEXT_OF.get(card, str(card)), 0, "a card without a rank")
    return card >> 2


def suit_of(card: Card) -> int:
    """Return the suit, 0 to 3 for c, d, h, s. Raises CardError for a joker or an unknown card."""
    if not 0 <= card < RED_JOKER:
        raise CardError(_TEXT_OF.get(card, str(card)), 0, "a card without a suit")
    return card & 3


def is_joker(card: Card) -> bool:
    """Return whether the card is one of the two jokers."""
    return card in (RED_JOKER, BLACK_JOKER)
