"""Reading cards that a caller names."""

from collections.abc import Iterable

from pokerfloor.api.common.v1 import cards_pb2, errors_pb2
from pokerfloor.cards import Card, CardError, from_wire
from pokerfloor.servicekit import FloorError


def read_cards(cards: Iterable[cards_pb2.Card], path: str) -> tuple[Card, ...]:
    """Return the cards of a field. Raises FloorError BAD_CARDS with the card at fault."""
    return tuple([_read_card(card, f"{path}[{index}]") for index, card in enumerate(cards)])


def _read_card(card: cards_pb2.Card, field: str) -> Card:
    try:
        return from_wire(card.code)
    except CardError as error:
        reason = f"there is no card of code {card.code}"
        raise FloorError(errors_pb2.ERROR_CODE_BAD_CARDS, reason, field) from error
