"""The interface of ranking systems: a number to compare by, and the hand in words (RNK-6)."""

from collections.abc import Callable, Collection, Container, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from pokerfloor.cards import UNKNOWN, Card, Deck, card_text
from pokerfloor.ranking.arrange import making_of, playing_cards
from pokerfloor.ranking.categories import Category
from pokerfloor.ranking.tables import SumTable

WRONG_NUMBER_OF_CARDS: Final = "wrong_number_of_cards"
CARD_NOT_RANKED: Final = "card_not_ranked"
CARD_TWICE: Final = "card_twice"

_make = tuple.__new__  # half the time of calling the class


class RankingError(ValueError):
    """Cards that a ranking system cannot rank.

    `code` is one of the constants of this module, `reason` is for people, `cards` are at fault.
    """

    def __init__(self, code: str, reason: str, cards: tuple[Card, ...]) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason
        self.cards = cards


class RankedHand(NamedTuple):
    """A ranked hand.

    `strength` is higher for better hands and comparable only within `system`. `name` is for people.
    `cards` are the cards that play, most important first.
    """

    system: str
    category: Category
    strength: int
    name: str
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class RankingSystem:
    """A way to rank hands, with a stable name.

    `sizes` are the numbers of cards it takes, `deck` has the cards it ranks. `strength` raises
    RankingError; `unchecked` is faster, and the caller ensures a valid number of different cards of
    the deck. `table` returns the table of a system that ranks by sums of keys only, for the fast
    paths; None if there is none. `playing` returns the cards that make a strength found in them.
    """

    name: str
    sizes: tuple[int, ...]
    deck: Deck
    strength: Callable[[Sequence[Card]], int]
    unchecked: Callable[[Sequence[Card]], int]
    table: Callable[[], SumTable] | None = None
    playing: Callable[[Sequence[Card], int], tuple[Card, ...]] = playing_cards

    def describe(self, cards: Sequence[Card]) -> RankedHand:
        """Return the best hand of different cards. Raises RankingError."""
        strength = self.strength(cards)
        return self.hand(strength, self.playing(cards, strength))

    def hand(self, strength: int, playing: tuple[Card, ...]) -> RankedHand:
        """Return the hand of a strength with its name; `playing` are its cards."""
        making = making_of(strength)
        return _make(RankedHand, (self.name, making.kind, strength, making.name, playing))


def check_cards(
    cards: Sequence[Card], sizes: Collection[int], ranked: Container[Card], system: str
) -> None:
    """Raise RankingError unless these are different ranked cards in a valid number."""
    if (
        len(cards) in sizes
        and len(set(cards)) == len(cards)
        and all(map(ranked.__contains__, cards))
    ):
        return
    if len(cards) not in sizes:
        wanted = " or ".join(map(str, sizes))
        reason = f"{system} ranks {wanted} cards, not {len(cards)}"
        raise RankingError(WRONG_NUMBER_OF_CARDS, reason, tuple(cards))
    strange = tuple(card for card in cards if card not in ranked)
    if strange:
        named = ", ".join(_text(card) for card in strange)
        raise RankingError(CARD_NOT_RANKED, f"{system} does not rank {named}", strange)
    repeated = tuple(sorted({card for card in cards if cards.count(card) > 1}))
    if repeated:
        named = ", ".join(map(card_text, repeated))
        raise RankingError(CARD_TWICE, f"{named} more than once in one hand", repeated)


def _text(card: Card) -> str:
    return card_text(card) if UNKNOWN <= card <= 53 else f"card number {card}"
