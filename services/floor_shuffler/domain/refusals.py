"""The shuffler's refusals."""

from __future__ import annotations

from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.fairness import DeckId
from pokerfloor.refusal import Refusal


def not_justified(reason: str, field: str = "cause") -> Refusal:
    """Refuse what the stored step does not justify."""
    return Refusal(errors_pb2.ERROR_CODE_NOT_JUSTIFIED, reason, field)


def wrong_state(reason: str) -> Refusal:
    """Refuse what a deck's state does not allow."""
    return Refusal(errors_pb2.ERROR_CODE_WRONG_DECK_STATE, reason, "deck")


def uncommitted() -> Refusal:
    """Refuse cards of a generation whose root is not public yet."""
    return wrong_state("the deck was shuffled again, and that is not committed yet")


def unknown_deck(deck: DeckId) -> Refusal:
    """Refuse a deck that was never created."""
    reason = f"there is no deck {deck.deck_no} of table {deck.table_id}"
    return Refusal(errors_pb2.ERROR_CODE_UNKNOWN_DECK, reason, "deck")


def id_reused(reason: str) -> Refusal:
    """Refuse a deck that was created with other content."""
    return Refusal(errors_pb2.ERROR_CODE_ID_REUSED, reason, "deck")


def number_gap(last_deck_no: int) -> Refusal:
    """Refuse a deck number that is not the table's next."""
    reason = f"the table's last deck is {last_deck_no}"
    return Refusal(errors_pb2.ERROR_CODE_DECK_NUMBER_GAP, reason, "deck.deck_no")
