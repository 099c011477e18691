"""Scripts of a hand's actions that depend on no card."""

from __future__ import annotations

import random
from collections.abc import Callable

from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.table.v1 import view_pb2

#: Gives an action and the total it goes to (0 where there is none).
Moves = Callable[[view_pb2.LegalActions], tuple[hand_events_pb2.ActionKind.ValueType, int]]


def scripted(moves: str) -> Moves:
    """One letter for each turn: f fold, c check or call, r the least bet or raise, a all-in.

    When they are over everybody checks or calls.
    """
    left = list(moves.replace(" ", ""))
    return lambda legal: _move(left.pop(0) if left else "c", legal)


def drawn(seed: str, letters: str = "ffccccccrrr") -> Moves:
    """Turns drawn from these letters by a generator that sees nothing of the hand."""
    generator = random.Random(seed)
    return lambda legal: _move(generator.choice(letters), legal)


def _move(
    letter: str, legal: view_pb2.LegalActions
) -> tuple[hand_events_pb2.ActionKind.ValueType, int]:
    option = legal.bet_option if legal.HasField("bet_option") else legal.raise_option
    raises = legal.HasField("bet_option") or legal.HasField("raise_option")
    if letter == "f" and legal.can_fold:
        return hand_events_pb2.ACTION_KIND_FOLD, 0
    if letter == "a":
        return hand_events_pb2.ACTION_KIND_ALL_IN, 0
    if letter == "r" and raises:
        kind = "BET" if legal.HasField("bet_option") else "RAISE"
        return hand_events_pb2.ActionKind.Value(f"ACTION_KIND_{kind}"), option.min_to.minor
    if legal.can_check:
        return hand_events_pb2.ACTION_KIND_CHECK, 0
    return hand_events_pb2.ACTION_KIND_CALL, 0
