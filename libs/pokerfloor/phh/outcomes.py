"""How a replay went, and how results are compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Final

from pokerfloor.phh.actions import Action
from pokerfloor.phh.document import Document

HALF_CHIP: Final = Fraction(1, 2)


class Outcome(StrEnum):
    """How a replay went."""

    AGREES = "agrees"  # legal, and the recorded result is ours
    LEGAL = "legal"  # legal; the file records no result, or stops in mid-hand
    DIFFERS = "differs"  # an action is refused, or a result is another
    NOT_PLAYED = "not played"  # a game that this floor does not have


@dataclass(frozen=True, slots=True)
class Replay:
    """The outcome; `problem` names the action or the seat where it differs.

    `off` is by how much each final stack is off, where that is what differs.
    """

    outcome: Outcome
    problem: str = ""
    half_chips: bool = False
    folds_left_out: int = 0
    off: tuple[Fraction, ...] = field(default=(), repr=False)


class DiffersError(Exception):
    """The record and the engine part here."""


def named(action: Action) -> str:
    """Return how an action is named in a problem."""
    return f"action {action.number} {action.text!r}"


def compare_all(
    what: str, ours: Sequence[Fraction], recorded: Sequence[Fraction], document: Document
) -> Replay:
    """Compare amounts player by player; up to half a chip each, where the totals are equal."""
    off = [
        (seat, mine - theirs)
        for seat, (mine, theirs) in enumerate(zip(ours, recorded, strict=True), 1)
    ]
    wrong = [seat for seat, difference in off if difference]
    if not wrong:
        return Replay(Outcome.AGREES)
    halves = all(abs(difference) <= HALF_CHIP for _, difference in off)
    if halves and sum(ours) == sum(recorded):
        return Replay(Outcome.AGREES, half_chips=True)
    seat = wrong[0]
    mine, theirs = amount_text(ours[seat - 1], document), amount_text(recorded[seat - 1], document)
    differences = tuple([difference for _, difference in off])
    return Replay(Outcome.DIFFERS, f"p{seat}: {what} {mine}, recorded is {theirs}", off=differences)


def amount_text(amount: Fraction | int, document: Document) -> str:
    """Return an amount in the file's unit."""
    value = Fraction(amount) / document.scale
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.2f}"
