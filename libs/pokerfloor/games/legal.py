"""Who acts next, and the legal actions of the seat in turn (BET-1 to BET-3)."""

from typing import Final

from pokerfloor.games.betting_round import NOT_YET
from pokerfloor.games.inputs import ActKind
from pokerfloor.games.rows import Structure
from pokerfloor.games.setup import ForcedKind
from pokerfloor.games.state import NOBODY, HandState
from pokerfloor.games.waits import LegalSet

_make = tuple.__new__  # half the time of calling the class, in the innermost loop
# Looking up an Enum member costs as much as the arithmetic here.
_BET: Final = ActKind.BET
_RAISE: Final = ActKind.RAISE
_CALL: Final = ActKind.CALL
_POT_LIMIT: Final = Structure.POT_LIMIT
_FIXED_LIMIT: Final = Structure.FIXED_LIMIT


def owed(state: HandState, index: int) -> int:
    """Return what a seat must add to stay in, not capped by its own stack (BET-2).

    At most the largest total that an opponent still in has or can put in front.
    """
    front = state.bets[index]
    level = state.round.level
    if front >= level:
        return 0
    return max(0, min(level, _reach_of_others(state, index, level)) - front)


def _reach_of_others(state: HandState, index: int, enough: int) -> int:
    """Return the largest total that an opponent still in has or can put in front.

    Stops as soon as `enough` is reached.
    """
    reach = 0
    folded, bets = state.folded, state.bets
    for other, stack in enumerate(state.stacks):
        total = stack + bets[other]
        if total > reach and other != index and not folded[other]:
            if total >= enough:
                return total
            reach = total
    return reach


def next_to_act(state: HandState, after: int) -> int:
    """Return the index of the next seat to act after `after`, NOBODY at the end of the street."""
    stacks, folded, betting = state.stacks, state.folded, state.round
    acted_full, full_no = betting.acted_full, betting.full_no
    alone = state.can_act <= 1
    for index in state.clockwise[after]:
        if folded[index] or not stacks[index]:
            continue
        if acted_full[index] != full_no and not alone:
            return index
        if state.bets[index] < betting.level and owed(state, index):
            return index
    return NOBODY


def legal_set(state: HandState, index: int) -> LegalSet:
    """Return the legal actions of the seat in turn."""
    betting = state.round
    front, stack, level = state.bets[index], state.stacks[index], betting.level
    everything = front + stack
    reach = _reach_of_others(state, index, level + 1)
    owed_by = 0
    if front < level:
        owed_by = min(level, reach) - front
    low = high = 0
    sizes: tuple[int, ...] = ()
    # A raise needs more than a call, and an opponent who can answer it.
    if everything > level < reach and betting.may_raise(index):
        structure = state.setup.structure
        least = betting.minimum_to()
        low = least if least < everything else everything  # noqa: FURB136 - a quarter of min's time
        if structure is _FIXED_LIMIT:
            high = low
            if betting.upper:
                high = min(betting.upper_to(), everything)
                sizes = (low, high) if low < high else ()
        else:
            high = everything
            if structure is _POT_LIMIT:
                high = min(everything, max(low, _pot_limit(state, front, owed_by)))
    call_by = owed_by if owed_by < stack else stack  # noqa: FURB136 - a quarter of min's time
    can_check = call_by <= 0
    call_to = 0 if can_check else front + call_by
    all_in_as: ActKind | None = None
    all_in_to = 0
    if high == everything:
        all_in_as, all_in_to = (_RAISE if level else _BET), everything
    elif not can_check and not high:
        all_in_as, all_in_to = _CALL, call_to
    return _make(
        LegalSet,
        (
            True,
            can_check,
            0 if can_check else call_by,
            call_to,
            0 if level else low,
            0 if level else high,
            low if level else 0,
            high if level else 0,
            state.chip,
            all_in_as,
            all_in_to,
            sizes,
            _swap_slots(state, index) if state.swap_open else (),
        ),
    )


def _swap_slots(state: HandState, index: int) -> tuple[int, ...]:
    """Return the slots that a seat may swap now: once a hand, before acting (SWP-1)."""
    seat = state.seats[index]
    if seat in state.cards.held or state.round.acted_full[index] != NOT_YET:
        return ()
    return tuple([place.slot for place in state.hole_places(seat)])


def _pot_limit(state: HandState, front: int, pending: int) -> int:
    """Return the pot-limit maximum of a bet or raise; the minimum may be above it (BET-20)."""
    # What is in front, plus the call, plus the pot after that call.
    pot_after_call = state.pot_total + sum(state.bets) + pending
    if state.setup.settings.short_blind_counts_full:
        pot_after_call += _short_of_blinds(state)
    return front + pending + pot_after_call


def _short_of_blinds(state: HandState) -> int:
    """Return by how much the blinds were posted short (BET-21); 0 after the first street."""
    if state.street_no:
        return 0
    short = 0
    for seat, kind, amount in state.setup.forced:
        index = state.index_of[seat]
        if kind in (ForcedKind.SMALL_BLIND, ForcedKind.BIG_BLIND) and not state.stacks[index]:
            short += max(0, amount - state.bets[index])
    return short
