"""A refusal: the answer to an input that the rules do not allow. It changes nothing."""

from enum import StrEnum
from typing import NamedTuple


class Code(StrEnum):
    """The stable codes of refusals."""

    # Actions (BET-3)
    NOT_YOUR_TURN = "NOT_YOUR_TURN"
    STALE_TURN = "STALE_TURN"
    ACTION_NOT_ALLOWED = "ACTION_NOT_ALLOWED"
    AMOUNT_TOO_SMALL = "AMOUNT_TOO_SMALL"
    AMOUNT_TOO_LARGE = "AMOUNT_TOO_LARGE"
    AMOUNT_NOT_A_SIZE = "AMOUNT_NOT_A_SIZE"
    AMOUNT_NOT_EXPECTED = "AMOUNT_NOT_EXPECTED"
    NOT_A_WHOLE_CHIP = "NOT_A_WHOLE_CHIP"
    # Swap and discard (SWP-1, DRW-4)
    SWAP_NOT_ALLOWED = "SWAP_NOT_ALLOWED"
    WRONG_SLOTS = "WRONG_SLOTS"
    # Placement (OFC-4, SCP-1)
    ROW_OVERFILLED = "ROW_OVERFILLED"
    TOO_FEW_PLACED = "TOO_FEW_PLACED"
    WRONG_DISCARDS = "WRONG_DISCARDS"
    SLOT_NOT_HELD = "SLOT_NOT_HELD"
    SLOT_TWICE = "SLOT_TWICE"
    ALREADY_CONFIRMED = "ALREADY_CONFIRMED"
    MOVE_NOT_ALLOWED = "MOVE_NOT_ALLOWED"
    ALREADY_THERE = "ALREADY_THERE"
    # Any input
    UNEXPECTED_INPUT = "UNEXPECTED_INPUT"
    HAND_OVER = "HAND_OVER"
    # Cards and showdown
    WRONG_CARDS = "WRONG_CARDS"
    WRONG_RESULT = "WRONG_RESULT"
    # Setup and game rows
    BAD_GAME_ROW = "BAD_GAME_ROW"
    BAD_SETTINGS = "BAD_SETTINGS"
    BAD_SEATS = "BAD_SEATS"
    BAD_FORCED_BETS = "BAD_FORCED_BETS"
    BAD_FANTASYLAND = "BAD_FANTASYLAND"
    DECK_TOO_SMALL = "DECK_TOO_SMALL"
    BAD_CARRIED_POT = "BAD_CARRIED_POT"


class Refusal(NamedTuple):
    """Why an input was refused: a stable code, a sentence for people, and the field at fault.

    `field` names the field of the input or setup, or is "" if no single field is at fault.
    """

    code: Code
    reason: str
    field: str = ""


class RefusedError(RuntimeError):
    """A policy's choice or the deck's cards were refused; `refusal` says why."""

    def __init__(self, refusal: Refusal, what: object) -> None:
        super().__init__(f"{refusal.code}: {refusal.reason} ({what})")
        self.refusal = refusal
