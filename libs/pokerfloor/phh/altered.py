"""Which amount of a record may be wrong, when it is legal and yet ends with other stacks."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import islice
from typing import Final

from pokerfloor.phh.actions import Action, Verb
from pokerfloor.phh.document import Document

_MOST_TRIES: Final = 400  # replays of one record


def corrections(
    document: Document, off: Iterable[Fraction], agrees: Callable[[Document], bool]
) -> list[tuple[Action, int]]:
    """Return the bets and raises that explain the stacks, each with the total that it should be.

    `off` is by how much each final stack is off. One amount changed by one of these must make the
    record agree; several may, where the same chips could have gone in on another street.
    """
    steps = sorted({abs(int(one)) for one in off if one and one.denominator == 1})
    changes = (
        (action, action.amount + change)
        for action in document.actions
        if action.verb is Verb.RAISE_TO
        for step in steps
        for change in (-step, step)
        if action.amount + change > 0
    )
    return [
        (action, amount)
        for action, amount in islice(changes, _MOST_TRIES)
        if agrees(_with(document, action, amount))
    ]


def _with(document: Document, action: Action, amount: int) -> Document:
    changed = dataclasses.replace(action, amount=amount)
    actions = tuple([changed if other is action else other for other in document.actions])
    return dataclasses.replace(document, actions=actions)
