"""Amounts on the wire: which of money, tournament chips and points, and how many."""

from enum import StrEnum
from typing import Final

from pokerfloor.api.common.v1.money_pb2 import Amount, Stake
from pokerfloor.limits import MAX_AMOUNT
from pokerfloor.tablelog.errors import LogError


class StakeKind(StrEnum):
    """What a table counts in; the value is the name of the field in `Amount`."""

    MONEY = "minor"
    TOURNAMENT = "tournament_chips"
    POINTS = "points"


_OF_STAKE: Final = {
    "money": StakeKind.MONEY,
    "tournament": StakeKind.TOURNAMENT,
    "points": StakeKind.POINTS,
}


def stake_kind(stake: Stake) -> StakeKind:
    """Return what a stake counts in. Raises LogError when it is not set."""
    which = stake.WhichOneof("kind")
    if which is None:
        raise LogError("a stake of no kind", "stake.kind")
    return _OF_STAKE[which]


def to_amount(value: int, kind: StakeKind) -> Amount:
    """Return a number as an amount of a kind. Raises LogError above 2^53-1."""
    if not -MAX_AMOUNT <= value <= MAX_AMOUNT:
        raise LogError(f"an amount of {value}")
    if kind is StakeKind.MONEY:
        return Amount(minor=value)
    if kind is StakeKind.TOURNAMENT:
        return Amount(tournament_chips=value)
    return Amount(points=value)


def from_amount(amount: Amount, kind: StakeKind, field: str = "amount") -> int:
    """Return the number in an amount, which must be of a kind. Raises LogError."""
    which = amount.WhichOneof("kind")
    if which != kind.value:
        raise LogError(f"an amount of {which or 'nothing'} where {kind.value} is due", field)
    value: int = getattr(amount, kind.value)
    if not -MAX_AMOUNT <= value <= MAX_AMOUNT:
        raise LogError(f"an amount of {value}", field)
    return value


def kind_of_amount(amount: Amount, field: str = "amount") -> StakeKind:
    """Return what an amount counts in. Raises LogError when it is not set."""
    which = amount.WhichOneof("kind")
    if which is None:
        raise LogError("an amount of no kind", field)
    return StakeKind(which)
