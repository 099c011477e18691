"""What a step of a table's log means to the book; the rest of the log is none of its business."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from floor_wallet.domain.entries import EntryKind
from floor_wallet.domain.tables import TableTerms


@dataclass(frozen=True, slots=True)
class Commit:
    """A reservation is committed; `kind` is BUY_IN or TOP_UP, the amount in minor units."""

    kind: EntryKind
    reservation_id: str
    player_id: str
    amount_minor: int


@dataclass(frozen=True, slots=True)
class Release:
    """A reservation came to nothing."""

    reservation_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class HandBegun:
    """A hand is opened; what is played, by the game's id in the catalogue."""

    game: str


@dataclass(frozen=True, slots=True)
class SeatStacks:
    """A player's stack before and after a hand, and the difference, in the table's unit."""

    player_id: str
    start: int
    end: int
    net: int


@dataclass(frozen=True, slots=True)
class HandOver:
    """A hand's result. Nets, rake and what is carried out less what came in sum to zero.

    Stacks are in the unit that the table plays for: points where `in_points`, else minor units.
    Only money is raked or carried.
    """

    hand_no: int
    seats: tuple[SeatStacks, ...]
    rake_minor: int
    carried_in_minor: int
    carried_out_minor: int
    in_points: bool = False


@dataclass(frozen=True, slots=True)
class HandVoid:
    """A hand that moved nothing."""

    hand_no: int


@dataclass(frozen=True, slots=True)
class Leave:
    """A player's stack goes back to cash, in minor units."""

    player_id: str
    cash_out_minor: int
    cash_out_id: str


@dataclass(frozen=True, slots=True)
class PotClosed:
    """A carried pot is shared out, by player, or goes to suspense (MAT-7); in minor units."""

    shares: tuple[tuple[str, int], ...]
    suspense_minor: int


Fact = TableTerms | Commit | Release | HandBegun | HandOver | HandVoid | Leave | PotClosed


class LogStep(NamedTuple):
    """A step as the book sees it. `fault` says why it cannot be settled, "" when it can."""

    table_id: str
    table_seq: int
    stream_seq: int
    owner_epoch: int
    facts: tuple[Fact, ...]
    fault: str = ""
