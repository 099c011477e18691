"""A finished open-face layout of three rows, and its validation."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Never

from pokerfloor.cards import DECKS, STANDARD, UNKNOWN, Card, Deck, card_text, is_joker


class Row(StrEnum):
    """The rows, from the top."""

    TOP = "top"
    MIDDLE = "middle"
    BOTTOM = "bottom"


ROW_SIZES: Final = {Row.TOP: 3, Row.MIDDLE: 5, Row.BOTTOM: 5}
FANTASYLAND_SIZES: Final = (14, 15, 16, 17)  # OFC-34

_CARDS_OF: Final = {deck.name: frozenset(deck.cards) for deck in DECKS.values()}

WRONG_NUMBER_OF_CARDS: Final = "wrong_number_of_cards"
CARD_TWICE: Final = "card_twice"
CARD_NOT_IN_DECK: Final = "card_not_in_deck"
JOKER_NOT_ALLOWED: Final = "joker_not_allowed"
WRONG_NUMBER_OF_PLAYERS: Final = "wrong_number_of_players"
WRONG_FANTASYLAND: Final = "wrong_fantasyland"


class LayoutError(ValueError):
    """A layout that cannot be scored.

    `code` is one of the constants of this module, `reason` is for people, `field` is the row, card
    or player at fault: `top`, `bottom[2]`, or with a player id, `p7.bottom[2]`.
    """

    def __init__(self, code: str, reason: str, field: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.code = code
        self.reason = reason
        self.field = field


@dataclass(frozen=True, slots=True)
class Layout:
    """The cards a player placed in each row, in any order.

    `fantasyland_cards` is the number of cards in Fantasyland, 0 outside it (OFC-31).
    """

    top: tuple[Card, ...]
    middle: tuple[Card, ...]
    bottom: tuple[Card, ...]
    fantasyland_cards: int = 0

    def row(self, row: Row) -> tuple[Card, ...]:
        """Return the cards of one row."""
        if row is Row.TOP:
            return self.top
        return self.middle if row is Row.MIDDLE else self.bottom

    def places(self) -> Iterator[tuple[str, Card]]:
        """Yield every card with its field: `top[0]` and so on, from the top."""
        for row in Row:
            for index, card in enumerate(self.row(row)):
                yield f"{row}[{index}]", card


def check_layout(layout: Layout, deck: Deck = STANDARD) -> None:
    """Raise LayoutError unless the layout is 3, 5 and 5 different cards of the deck."""
    top, middle, bottom = layout.top, layout.middle, layout.bottom
    cards = {*top, *middle, *bottom}
    sizes_right = len(top) == 3 and len(middle) == len(bottom) == 5
    if not (sizes_right and len(cards) == 13 and cards <= _CARDS_OF[deck.name]):
        _find_fault(layout, deck)
    if layout.fantasyland_cards and layout.fantasyland_cards not in FANTASYLAND_SIZES:
        reason = f"Fantasyland has 14 to 17 cards, or 0 for none, not {layout.fantasyland_cards}"
        raise LayoutError(WRONG_FANTASYLAND, reason, "fantasyland_cards")


def _find_fault(layout: Layout, deck: Deck) -> Never:
    for row, size in ROW_SIZES.items():
        held = len(layout.row(row))
        if held != size:
            raise LayoutError(
                WRONG_NUMBER_OF_CARDS, f"the {row} row takes {size} cards, not {held}", row
            )
    check_cards(layout.places(), deck)
    raise AssertionError(f"no fault in {layout}")


def check_cards(places: Iterable[tuple[str, Card]], deck: Deck) -> None:
    """Raise LayoutError unless these are different cards of the deck, each with its field."""
    listed = list(places)
    cards = {card for _, card in listed}
    if len(cards) == len(listed) and cards <= _CARDS_OF[deck.name]:
        return
    for field, card in listed:
        if is_joker(card) and card not in deck:
            reason = f"{card_text(card)} is a joker, and this game has none"
            raise LayoutError(JOKER_NOT_ALLOWED, reason, field)
        if card not in deck:
            name = card_text(card) if card == UNKNOWN else f"card number {card}"
            raise LayoutError(CARD_NOT_IN_DECK, f"{name} is not a card of {deck.name}", field)
    _check_once(listed)


def check_apart(layouts: Mapping[str, Layout]) -> None:
    """Raise LayoutError if two layouts have a card in common. Keys are player ids."""
    rows = [row for one in layouts.values() for row in (one.top, one.middle, one.bottom)]
    if len(set().union(*rows)) == sum(map(len, rows)):
        return
    _check_once(
        (f"{player}.{field}", card)
        for player, layout in layouts.items()
        for field, card in layout.places()
    )


def _check_once(places: Iterable[tuple[str, Card]]) -> None:
    seen: dict[Card, str] = {}
    for field, card in places:
        if card in seen:
            reason = f"{card_text(card)} already lies at {seen[card]}"
            raise LayoutError(CARD_TWICE, reason, field)
        seen[card] = field
