"""The compositions of decks; nothing is shuffled here."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from pokerfloor.cards.card import BLACK_JOKER, RANKS, RED_JOKER, Card


@dataclass(frozen=True, slots=True)
class Deck:
    """A composition: a stable name and its cards in ascending order."""

    name: str
    cards: tuple[Card, ...]
    _members: frozenset[Card] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        assert list(self.cards) == sorted(set(self.cards)), "a deck holds each card once, in order"
        object.__setattr__(self, "_members", frozenset(self.cards))

    def __len__(self) -> int:
        return len(self.cards)

    def __contains__(self, card: object) -> bool:
        return card in self._members


_FIFTY_TWO: Final = tuple(range(52))

STANDARD: Final = Deck("standard52", _FIFTY_TWO)
SHORT: Final = Deck("short36", tuple(range(4 * RANKS.index("6"), 52)))
STANDARD_ONE_JOKER: Final = Deck("joker53", (*_FIFTY_TWO, RED_JOKER))
STANDARD_TWO_JOKERS: Final = Deck("joker54", (*_FIFTY_TWO, RED_JOKER, BLACK_JOKER))

DECKS: Final[Mapping[str, Deck]] = MappingProxyType(
    {deck.name: deck for deck in (STANDARD, SHORT, STANDARD_ONE_JOKER, STANDARD_TWO_JOKERS)}
)
