"""What a table asks of a hand of either kind: betting or placement."""

from typing import TypeAlias

from pokerfloor.games import Event, Input, Refusal
from pokerfloor.games.placement import PlacementEvent, PlacementHand, PlacementInput
from pokerfloor.tablelog import AnyHand

AnyInput: TypeAlias = Input | PlacementInput
AnyEvent: TypeAlias = Event | PlacementEvent


def dealt_in(hand: AnyHand, seat: int) -> bool:
    """Tell whether a seat was dealt into a hand."""
    if isinstance(hand, PlacementHand):
        return seat in hand.state.stacks
    return seat in hand.state.index_of


def stack_of(hand: AnyHand, seat: int) -> int:
    """Return what a seat of a hand has behind."""
    if isinstance(hand, PlacementHand):
        return hand.state.stacks[seat]
    return hand.state.stacks[hand.state.index_of[seat]]


def chips_in(hand: AnyHand) -> int:
    """Return all that lies in a hand: stacks, bets and pots. Rake that is taken is outside."""
    if isinstance(hand, PlacementHand):
        return sum(hand.state.stacks.values())
    state = hand.state
    return sum(state.stacks) + sum(state.bets) + state.pot_total


def holds_carried_pot(hand: AnyHand) -> bool:
    """Tell whether a carried pot lies in a hand (MAT-6)."""
    return not isinstance(hand, PlacementHand) and bool(hand.state.carried_in)


def play(hand: AnyHand, given: AnyInput) -> tuple[AnyEvent, ...] | Refusal:
    """Give a hand an input, which must be one of its kind; see `Hand.do`."""
    if isinstance(hand, PlacementHand):
        return hand.execute(given)  # type: ignore[arg-type]  # asked by who knows the kind of hand
    return hand.execute(given)  # type: ignore[arg-type]  # likewise
