"""Validate betting actions (BET-1, BET-3)."""

from typing import Final

from pokerfloor.games.events import ActionTaken
from pokerfloor.games.inputs import Act, ActKind
from pokerfloor.games.refusal import Code, Refusal
from pokerfloor.games.state import HandState
from pokerfloor.games.waits import LegalSet

_make = tuple.__new__  # half the time of calling the class, in the innermost loop
# Looking up an Enum member costs as much as the comparisons here.
_CHECK: Final = ActKind.CHECK
_CALL: Final = ActKind.CALL
_BET: Final = ActKind.BET
_RAISE: Final = ActKind.RAISE
_ALL_IN: Final = ActKind.ALL_IN


def validate_action(state: HandState, legal: LegalSet, act: Act) -> tuple[ActionTaken] | Refusal:
    """Return the event of an action, or why it is refused. A seat must be in turn."""
    seat, turn_no, kind, amount_to = act
    index = state.turn
    if seat != state.seats[index]:
        reason = f"it is the turn of seat {state.seats[index]}, not of seat {seat}"
        return Refusal(Code.NOT_YOUR_TURN, reason, "seat")
    if turn_no != state.turn_no:
        reason = f"this is turn {state.turn_no}, the action answers turn {turn_no}"
        return Refusal(Code.STALE_TURN, reason, "turn_no")
    front = state.bets[index]
    if kind == _CHECK and legal.can_check and not amount_to:  # the most common action, for speed
        to = front
    else:
        meant = _validate_kind(state, legal, kind, amount_to)
        if isinstance(meant, Refusal):
            return meant
        kind, to = meant
    by = to - front
    return (_make(ActionTaken, (seat, turn_no, kind, to, by, by == state.stacks[index])),)


def _validate_kind(
    state: HandState, legal: LegalSet, kind: ActKind, amount_to: int
) -> tuple[ActKind, int] | Refusal:
    """Return the resolved action and the total it puts in front of the seat."""
    if kind in (_BET, _RAISE):
        return _validate_amount(legal, kind, amount_to) or (kind, amount_to)
    if kind == _CALL:
        if not legal.call_by:
            return _not_allowed("no call: nothing is owed")
        if amount_to not in (0, legal.call_to):
            return _no_amount(f"a call makes it {legal.call_to}, not {amount_to}")
        return kind, legal.call_to
    if amount_to:
        return _no_amount(f"{_word(kind)} takes no amount, but {amount_to} was given")
    if kind == _ALL_IN:
        return (legal.all_in_as, legal.all_in_to) if legal.all_in_as else _no_all_in(state, legal)
    if kind == _CHECK and not legal.can_check:
        return _not_allowed(f"no check: {legal.call_by} is owed")
    return kind, state.bets[state.turn]


def _validate_amount(legal: LegalSet, kind: ActKind, amount_to: int) -> Refusal | None:
    if kind == _BET:
        low, high, other = legal.bet_min, legal.bet_max, legal.raise_max
    else:
        low, high, other = legal.raise_min, legal.raise_max, legal.bet_max
    if not high:
        if other:
            there_is = "nobody has bet" if kind == _RAISE else "there is a bet"
            return _not_allowed(f"no {_word(kind)}: {there_is} on this street")
        return _not_allowed(f"no {_word(kind)} is open to this seat in this turn")
    if amount_to < low:
        reason = f"a {_word(kind)} must make it at least {low}, not {amount_to}"
        return Refusal(Code.AMOUNT_TOO_SMALL, reason, "amount_to")
    if amount_to > high:
        reason = f"a {_word(kind)} can make it at most {high}, not {amount_to}"
        return Refusal(Code.AMOUNT_TOO_LARGE, reason, "amount_to")
    if legal.sizes_to and amount_to not in legal.sizes_to:
        reason = f"a {_word(kind)} makes it {low} or {high}, not {amount_to}"
        return Refusal(Code.AMOUNT_NOT_A_SIZE, reason, "amount_to")
    if amount_to % legal.step:
        reason = f"{amount_to} is not a whole number of chips of {legal.step}"
        return Refusal(Code.NOT_A_WHOLE_CHIP, reason, "amount_to")
    return None


def _no_all_in(state: HandState, legal: LegalSet) -> Refusal:
    high = legal.bet_max or legal.raise_max
    if high:
        everything = state.bets[state.turn] + state.stacks[state.turn]
        reason = f"all-in would make it {everything}, at most {high} is allowed"
        return Refusal(Code.AMOUNT_TOO_LARGE, reason, "kind")
    return _not_allowed("no all-in: nothing is owed and no raise is open to this seat")


def _no_amount(reason: str) -> Refusal:
    return Refusal(Code.AMOUNT_NOT_EXPECTED, reason, "amount_to")


def _not_allowed(reason: str) -> Refusal:
    return Refusal(Code.ACTION_NOT_ALLOWED, reason, "kind")


def _word(kind: ActKind) -> str:
    return str(kind).replace("_", "-")
