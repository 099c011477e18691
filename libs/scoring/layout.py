"""A finished open-face layout: three rows of cards, and what is wrong with one that is not."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from libs.cards import STANDARD, UNKNOWN, Card, card_text, is_joker


class Row(StrEnum):
    """The rows, from the top."""

    TOP = "top"
    MIDDLE = "middle"
    BOTTOM = "bottom"


ROW_SIZES: Final = {Row.TOP: 3, Row.MIDDLE: 5, Row.BOTTOM: 5}

WRONG_NUMBER_OF_CARDS: Final = "wrong_number_of_cards"
CARD_TWICE: Final = "card_twice"
CARD_NOT_IN_DECK: Final = "card_not_in_deck"
JOKER_NOT_ALLOWED: Final = "joker_not_allowed"
WRONG_NUMBER_OF_PLAYERS: Final = "wrong_number_of_players"


class LayoutError(ValueError):
    """Layouts that cannot be scored.

    `code` is one of the constants of this module, `reason` is for people, `field` is the row, card
    or player at fault: `top`, `bottom[2]`, or behind a player's id, `p7.bottom[2]`.
    """

    def __init__(self, code: str, reason: str, field: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.code = code
        self.reason = reason
        self.field = field


@dataclass(frozen=True, slots=True)
class Layout:
    """The cards a player placed in each row, in any order."""

    top: tuple[Card, ...]
    middle: tuple[Card, ...]
    bottom: tuple[Card, ...]

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


def check_layout(layout: Layout) -> None:
    """Raise LayoutError unless the layout is 3, 5 and 5 different cards of the 52."""
    for row, size in ROW_SIZES.items():
        held = len(layout.row(row))
        if held != size:
            raise LayoutError(
                WRONG_NUMBER_OF_CARDS, f"the {row} row takes {size} cards, not {held}", row
            )
    for field, card in layout.places():
        if is_joker(card):
            reason = f"{card_text(card)} is a joker, and no jokers are played here"
            raise LayoutError(JOKER_NOT_ALLOWED, reason, field)
        if card not in STANDARD:
            name = card_text(card) if card == UNKNOWN else f"card number {card}"
            raise LayoutError(CARD_NOT_IN_DECK, f"{name} is no card of {STANDARD.name}", field)
    _check_once(layout.places())


def check_apart(layouts: Mapping[str, Layout]) -> None:
    """Raise LayoutError if a card lies in the layouts of two players. Keys are player ids."""
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
