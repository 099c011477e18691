"""Effects that follow from who is attached, or from this process being new to the table.

The domain knows nothing of streams and processes, so these stand beside its effects.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from floor_table.domain import (
    ConnectionIn,
    DealEffect,
    Effect,
    SeatKeyEffect,
    Table,
    open_effects,
)
from floor_table.runtime.seal_keys import SealKeys
from floor_table.runtime.streams import Hub


@dataclass(frozen=True, slots=True)
class ReturnedKeyEffect:
    """A seated player attached with another sealing key: register it. Answer: `SeatKeyIn`."""

    seat: int
    player_id: str
    fingerprint: bytes
    cause_seq: int


@dataclass(frozen=True, slots=True)
class ResealEffect:
    """A player of the hand came back: seal the cards again for the stream. No answer."""

    seat: int
    player_id: str
    deck_no: int


@dataclass(frozen=True, slots=True)
class RegisterEffect:
    """Register the table with the wallet; once in a process's life. No answer."""


@dataclass(frozen=True, slots=True)
class ProgressEffect:
    """Ask the wallet how far the table is settled; once in each round. No answer."""

    round: int


AnyEffect: TypeAlias = Effect | ReturnedKeyEffect | ResealEffect | RegisterEffect | ProgressEffect


def effects_now(
    table: Table,
    hub: Hub,
    keys: SealKeys,
    progress_round: int,
    is_done: Callable[[AnyEffect], bool],
) -> list[AnyEffect]:
    """Return all effects; `is_done` tells of what is done once whether this process has."""
    known = open_effects(table)
    found: list[AnyEffect] = [
        one for one in known if not isinstance(one, SeatKeyEffect) or hub.keyed(one.player_id)
    ]
    if not table.closed:
        register = RegisterEffect()
        found.append(register)
        if is_done(register):  # the wallet knows nothing of a table before
            found.append(ProgressEffect(progress_round))
    deals = [one for one in known if isinstance(one, DealEffect)]
    dealt = bool(deals) and all(is_done(one) for one in deals)
    for seat in table.seats.values():
        bound = keys.of(seat.seat)
        sessions = hub.keyed(seat.player_id)
        if not bound or not sessions:
            continue
        newest = sessions[0].key
        if newest not in bound:
            found.append(ReturnedKeyEffect(seat.seat, seat.player_id, newest, seat.taken_seq))
        waits = any(one.wants_cards and one.key in bound for one in sessions)
        if dealt and waits and table.in_hand(seat.seat):
            found.append(ResealEffect(seat.seat, seat.player_id, deals[0].deck_no))
    return found


def connections(table: Table, hub: Hub, *, patient: bool) -> list[ConnectionIn]:
    """Return the seats whose connection is another than the log says.

    While `patient`, nobody counts as gone: streams come back after a restart.
    """
    found: list[ConnectionIn] = []
    for seat in table.seats.values():
        here = hub.connected(seat.player_id)
        if not seat.pending and here != seat.connected and (here or not patient):
            found.append(ConnectionIn(seat.seat, here))
    return found
