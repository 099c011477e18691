"""Who acts next, and all that a seat in turn may do (BET-1 to BET-3)."""

from typing import Final

from libs.games.inputs import ActKind
from libs.games.setup import Structure
from libs.games.state import NOBODY, HandState
from libs.games.waits import LegalSet

_make = tuple.__new__  # half the time of calling the class, in the innermost loop
# Looking up a member of an Enum costs as much as the arithmetic here.
_BET: Final = ActKind.BET
_RAISE: Final = ActKind.RAISE
_CALL: Final = ActKind.CALL
_NO_LIMIT: Final = Structure.NO_LIMIT
_FIXED_LIMIT: Final = Structure.FIXED_LIMIT


def owed(state: HandState, position: int) -> int:
    """Return what a position must add to stay in, not capped by its own stack (BET-2).

    No more than the largest amount that an opponent still in has put in or can put in.
    """
    front = state.bets[position]
    level = state.round.level
    if front >= level:
        return 0
    return max(0, min(level, _reach_of_others(state, position, level)) - front)


def _reach_of_others(state: HandState, position: int, enough: int) -> int:
    """Return the largest total that an opponent still in has or can put in front.

    Once `enough` is found to be reached, it looks no further.
    """
    reach = 0
    folded, bets = state.folded, state.bets
    for other, stack in enumerate(state.stacks):
        total = stack + bets[other]
        if total > reach and other != position and not folded[other]:
            reach = total
            if reach >= enough:
                break
    return reach


def next_to_act(state: HandState, after: int) -> int:
    """Return the next position clockwise after `after` whose turn it is, NOBODY at street's end."""
    stacks, folded = state.stacks, state.folded
    count = len(stacks)
    acted_full, full_no = state.round.acted_full, state.round.full_no
    alone = state.can_act <= 1
    position = after
    for _ in range(count):
        position = position + 1 if position + 1 < count else 0
        if folded[position] or not stacks[position]:
            continue
        if not alone and acted_full[position] != full_no:
            return position
        if owed(state, position):
            return position
    return NOBODY


def legal_set(state: HandState, position: int) -> LegalSet:
    """Return what the position in turn may do."""
    betting = state.round
    front, stack, level = state.bets[position], state.stacks[position], betting.level
    everything = front + stack
    reach = _reach_of_others(state, position, level + 1)
    due = min(level, reach) - front if front < level else 0
    call_by = min(due, stack)
    low = high = 0
    # A raise is for those who have more than a call, against somebody who could answer it.
    if everything > level < reach and betting.may_raise(position):
        low = min(betting.minimum_to(), everything)
        high = everything
        if state.setup.structure is not _NO_LIMIT:
            high = min(everything, max(low, _most(state, front, due)))
    all_in_as: ActKind | None = None
    all_in_to = 0
    if high == everything:
        all_in_as, all_in_to = (_RAISE if level else _BET), everything
    elif call_by > 0 and not high:
        all_in_as, all_in_to = _CALL, front + call_by
    bet_or_raise = (0, 0, low, high) if level else (low, high, 0, 0)
    call = (False, call_by, front + call_by) if call_by > 0 else (True, 0, 0)
    return _make(LegalSet, (True, *call, *bet_or_raise, state.chip, all_in_as, all_in_to))


def _most(state: HandState, front: int, due: int) -> int:
    """Return what a bet or raise may make it at most, unless the least is more (BET-20, BET-30)."""
    if state.setup.structure is _FIXED_LIMIT:
        return 0
    # What is in front, what is owed, and the pot after that call.
    pot_after_call = state.middle + sum(state.bets) + due
    return front + due + pot_after_call
