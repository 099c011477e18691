"""The refusals that a table gives, and those of a hand in the floor's words."""

from collections.abc import Mapping
from typing import Final

from pokerfloor.api.common.v1 import errors_pb2 as pb
from pokerfloor.games import Code
from pokerfloor.games import Refusal as HandRefusal
from pokerfloor.refusal import Refusal

_CODES: Final = {
    Code.NOT_YOUR_TURN: pb.ERROR_CODE_NOT_YOUR_TURN,
    Code.STALE_TURN: pb.ERROR_CODE_STALE_TURN,
    Code.ACTION_NOT_ALLOWED: pb.ERROR_CODE_ACTION_NOT_ALLOWED,
    Code.AMOUNT_TOO_SMALL: pb.ERROR_CODE_AMOUNT_TOO_SMALL,
    Code.AMOUNT_TOO_LARGE: pb.ERROR_CODE_AMOUNT_TOO_LARGE,
    Code.AMOUNT_NOT_EXPECTED: pb.ERROR_CODE_INVALID_FIELD,
    Code.AMOUNT_NOT_A_SIZE: pb.ERROR_CODE_ACTION_NOT_ALLOWED,
    Code.NOT_A_WHOLE_CHIP: pb.ERROR_CODE_NOT_A_WHOLE_CHIP,
    Code.SWAP_NOT_ALLOWED: pb.ERROR_CODE_ACTION_NOT_ALLOWED,
    Code.WRONG_SLOTS: pb.ERROR_CODE_BAD_SLOT,
    Code.UNEXPECTED_INPUT: pb.ERROR_CODE_UNEXPECTED_INPUT,
    Code.HAND_OVER: pb.ERROR_CODE_HAND_OVER,
    Code.ROW_OVERFILLED: pb.ERROR_CODE_BAD_LAYOUT,
    Code.TOO_FEW_PLACED: pb.ERROR_CODE_BAD_LAYOUT,
    Code.WRONG_DISCARDS: pb.ERROR_CODE_BAD_LAYOUT,
    Code.SLOT_NOT_HELD: pb.ERROR_CODE_BAD_SLOT,
    Code.SLOT_TWICE: pb.ERROR_CODE_BAD_SLOT,
    Code.ALREADY_CONFIRMED: pb.ERROR_CODE_STALE_TURN,
    Code.MOVE_NOT_ALLOWED: pb.ERROR_CODE_ACTION_NOT_ALLOWED,
    Code.ALREADY_THERE: pb.ERROR_CODE_ACTION_NOT_ALLOWED,
    Code.WRONG_CARDS: pb.ERROR_CODE_WRONG_CARDS,
    Code.WRONG_RESULT: pb.ERROR_CODE_BAD_SHOWDOWN,
}


def of_hand(refusal: HandRefusal, fields: Mapping[str, str] | None = None) -> Refusal:
    """Return a hand's refusal in the floor's words; `fields` renames the field at fault."""
    code = _CODES.get(refusal.code, pb.ERROR_CODE_INTERNAL)
    return Refusal(code, refusal.reason, (fields or {}).get(refusal.field, refusal.field))


def wrong_state(reason: str) -> Refusal:
    """Refuse what cannot be done at this moment of the table's life."""
    return Refusal(pb.ERROR_CODE_WRONG_STATE, reason)


def unexpected(reason: str) -> Refusal:
    """Refuse an answer that the table does not wait for."""
    return Refusal(pb.ERROR_CODE_UNEXPECTED_INPUT, reason)


def invalid(reason: str, field: str) -> Refusal:
    """Refuse a field that is missing, malformed or out of its range."""
    return Refusal(pb.ERROR_CODE_INVALID_FIELD, reason, field)


def not_allowed(reason: str) -> Refusal:
    """Refuse what this table, hand or player does not allow."""
    return Refusal(pb.ERROR_CODE_ACTION_NOT_ALLOWED, reason)


def too_late(arrived_at_ms: int, ends_ms: int) -> Refusal | None:
    """Refuse what arrived after its time (CLK-4); None when it is in time."""
    if arrived_at_ms <= ends_ms:
        return None
    reason = f"it arrived {arrived_at_ms - ends_ms} ms after its time"
    return Refusal(pb.ERROR_CODE_TOO_LATE, reason)


def not_a_whole_chip(amount: int, chip: int, field: str) -> Refusal:
    """Refuse an amount that cannot be made of the table's chips."""
    reason = f"{amount} is not a whole number of chips of {chip}"
    return Refusal(pb.ERROR_CODE_NOT_A_WHOLE_CHIP, reason, field)
