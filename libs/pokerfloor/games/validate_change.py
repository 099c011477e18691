"""Validate swaps, discards and facings (SWP-1, DRW-4, MAT-3)."""

from pokerfloor.games.events import CardsDrawn, CardsSwapped, FacingChosen
from pokerfloor.games.inputs import ChooseFacing, DiscardCards, SwapCards
from pokerfloor.games.refusal import Code, Refusal
from pokerfloor.games.state import HandState
from pokerfloor.games.waits import WaitAction, WaitDiscard, WaitFacing


def validate_swap(state: HandState, wait: WaitAction, given: SwapCards) -> CardsSwapped | Refusal:
    """Return the swap, or why it is refused. A seat must be in turn."""
    refusal = _validate_turn(wait, given)
    if refusal is not None:
        return refusal
    allowed = wait.legal.swap_slots
    if not allowed:
        reason = "no swap: once a hand, before acting, and not on every street"
        return Refusal(Code.SWAP_NOT_ALLOWED, reason)
    refusal = _validate_slots(given.slots, allowed, 1, len(allowed))
    return refusal or CardsSwapped(given.seat, given.slots, state.street_no)


def validate_discard(wait: WaitDiscard, given: DiscardCards) -> CardsDrawn | Refusal:
    """Return the discard, or why it is refused. The hand must wait for one."""
    refusal = _validate_turn(wait, given)
    if refusal is None:
        held = tuple([place.slot for place in wait.places])
        refusal = _validate_slots(given.slots, held, wait.min_discards, wait.max_discards)
    return refusal or CardsDrawn(*given)


def validate_facing(wait: WaitFacing, given: ChooseFacing) -> FacingChosen | Refusal:
    """Return the facing, or why it is refused. The hand must wait for one."""
    return _validate_turn(wait, given) or FacingChosen(*given)


def _validate_turn(
    wait: WaitAction | WaitDiscard | WaitFacing, given: SwapCards | DiscardCards | ChooseFacing
) -> Refusal | None:
    if given.seat != wait.seat:
        reason = f"it is the turn of seat {wait.seat}, not of seat {given.seat}"
        return Refusal(Code.NOT_YOUR_TURN, reason, "seat")
    if given.turn_no != wait.turn_no:
        reason = f"this is turn {wait.turn_no}, not turn {given.turn_no}"
        return Refusal(Code.STALE_TURN, reason, "turn_no")
    return None


def _validate_slots(
    slots: tuple[int, ...], held: tuple[int, ...], least: int, most: int
) -> Refusal | None:
    if not least <= len(slots) <= most:
        how_many = f"{least} to {most}" if least < most else str(least)
        reason = f"{how_many} cards must be given up, not {len(slots)}"
        return Refusal(Code.WRONG_SLOTS, reason, "slots")
    if len(set(slots)) != len(slots) or not set(slots) <= set(held):
        reason = f"slots {held} may be named, each once, not {slots}"
        return Refusal(Code.WRONG_SLOTS, reason, "slots")
    return None
