"""The decision that a hand waits for: whose it is, what is open, and what is done without answer.

The one place where the kinds of decisions are told apart; a new kind of turn begins here.
"""

from typing import TypeAlias

from pokerfloor.api.table.v1 import view_pb2
from pokerfloor.games import (
    Act,
    ActKind,
    ChooseFacing,
    DiscardCards,
    Input,
    WaitAction,
    WaitDiscard,
    WaitFacing,
    WaitSplit,
)
from pokerfloor.tablelog import AnyHand

Turn: TypeAlias = WaitAction | WaitDiscard | WaitFacing


def open_turn(hand: AnyHand) -> Turn | None:
    """Return the decision that a hand waits for, None when it waits for something else."""
    wait = hand.waits_for()
    return wait if isinstance(wait, WaitAction | WaitDiscard | WaitFacing) else None


def open_split(hand: AnyHand) -> WaitSplit | None:
    """Return whom the hand asks whether to split a pot; they answer in any order (MAT-6)."""
    wait = hand.waits_for()
    return wait if isinstance(wait, WaitSplit) else None


def choices(turn: Turn) -> list[view_pb2.ChoiceKind.ValueType]:
    """Return what may be chosen besides betting, in the words of `YourTurn.choices`."""
    if isinstance(turn, WaitDiscard):
        return [view_pb2.CHOICE_KIND_DISCARD]
    if isinstance(turn, WaitFacing):
        return [view_pb2.CHOICE_KIND_FACING]
    return [view_pb2.CHOICE_KIND_SWAP] if turn.legal.swap_slots else []


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
