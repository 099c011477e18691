"""What a table asks of a hand of either kind, betting or placement."""

from typing import TypeAlias

from pokerfloor.games import (
    Act,
    ActKind,
    ChooseFacing,
    DiscardCards,
    Event,
    Hand,
    Input,
    WaitAction,
    WaitDiscard,
    WaitFacing,
    WaitSplit,
)
from pokerfloor.games import Refusal as HandRefusal
from pokerfloor.games.placement import (
    PlacementEvent,
    PlacementHand,
    PlacementInput,
    PlacementTurn,
    WaitPlacements,
)
from pokerfloor.tablelog import AnyHand

AnyInput: TypeAlias = Input | PlacementInput
AnyEvent: TypeAlias = Event | PlacementEvent
#: The decisions of a seat in a betting game.
Turn: TypeAlias = WaitAction | WaitDiscard | WaitFacing


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


def live_seats(hand: Hand) -> list[int]:
    """Return the seats of a betting hand that have not folded, by position."""
    state = hand.state
    return [seat for seat, gone in zip(state.seats, state.folded, strict=True) if not gone]


def execute(hand: AnyHand, given: AnyInput) -> tuple[AnyEvent, ...] | HandRefusal:
    """Play an input, which must be one of the hand's kind; see `Hand.execute`."""
    if isinstance(hand, PlacementHand):
        return hand.execute(given)  # type: ignore[arg-type]  # asked by who knows the kind of hand
    return hand.execute(given)  # type: ignore[arg-type]  # likewise


def open_turn(hand: AnyHand | None) -> Turn | None:
    """Return the decision that a betting hand waits for, None when it waits for none."""
    wait = hand.waits_for() if hand is not None else None
    return wait if isinstance(wait, WaitAction | WaitDiscard | WaitFacing) else None


def open_split(hand: AnyHand | None) -> WaitSplit | None:
    """Return whom the hand asks whether to split a pot; they answer in any order (MAT-6)."""
    wait = hand.waits_for() if hand is not None else None
    return wait if isinstance(wait, WaitSplit) else None


def open_placements(hand: AnyHand | None) -> tuple[PlacementTurn, ...]:
    """Return the turns of OFC or Scoop that are open, from the left of the button."""
    wait = hand.waits_for() if hand is not None else None
    return wait.turns if isinstance(wait, WaitPlacements) else ()


def without_answer(turn: Turn) -> Input:
    """Return what is done for a seat whose time has run out (CLK-2).

    Check if that is free, else fold; keep all cards, or as many as the game allows; a card comes up
    (MAT-3).
    """
    if isinstance(turn, WaitFacing):
        return ChooseFacing(turn.seat, turn.turn_no, face_down=False)
    if isinstance(turn, WaitDiscard):
        given_up = tuple([place.slot for place in turn.places[: turn.min_discards]])
        return DiscardCards(turn.seat, turn.turn_no, given_up)
    kind = ActKind.CHECK if turn.legal.can_check else ActKind.FOLD
    return Act(turn.seat, turn.turn_no, kind)
