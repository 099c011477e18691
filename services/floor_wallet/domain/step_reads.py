"""What steps of a table's log are known to read of the book."""

from __future__ import annotations

from collections.abc import Sequence

from floor_wallet.domain.facts import Commit, Fact, HandOver, Leave, LogStep, PotClosed, Release
from floor_wallet.domain.reads import Reads


def reads_of_steps(steps: Sequence[LogStep]) -> Reads:
    """Return what steps are known to read: their tables, and the money of the seats they name."""
    reservations: dict[str, None] = {}
    seats: dict[tuple[str, str], None] = {}
    for step in steps:
        for fact in step.facts:
            if isinstance(fact, Commit | Release) and fact.reservation_id:
                reservations[fact.reservation_id] = None
            for player_id in _players_of(fact):
                seats[step.table_id, player_id] = None
    return Reads(
        tables=tuple(dict.fromkeys(step.table_id for step in steps)),
        reservations=tuple(reservations),
        seats=tuple(seats),
    )


def _players_of(fact: Fact) -> list[str]:
    match fact:
        case Commit() | Leave():
            return [fact.player_id]
        case HandOver():
            return [seat.player_id for seat in fact.seats]
        case PotClosed():
            return [player_id for player_id, _ in fact.shares]
    return []
