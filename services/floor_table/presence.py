"""What is due because of who is attached, or because this process is new to the table.

The domain knows nothing of streams and processes, so these stand beside its dues.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from floor_table.domain import ConnectionIn, DealEffect, Effect, SeatKeyEffect, Table, open_effects
from floor_table.hub import Hub
from floor_table.seatbook import SeatBook, Seated


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
    """Tell the wallet of the table; once in a process's life. No answer."""


@dataclass(frozen=True, slots=True)
class ProgressEffect:
    """Ask the wallet how far the table is settled; once in each round. No answer."""

    round: int


OwnDue = ReturnedKeyEffect | ResealEffect | RegisterEffect | ProgressEffect
AnyDue = Effect | OwnDue


def due_now(
    table: Table,
    hub: Hub,
    book: SeatBook,
    progress_round: int,
    is_done: Callable[[AnyDue], bool],
) -> list[AnyDue]:
    """Give all that is due; `is_done` tells of what is done once whether this process has."""
    if not table.exists:
        return []
    known = open_effects(table)
    found: list[AnyDue] = [
        due
        for due in known
        if not (isinstance(due, SeatKeyEffect) and not hub.keyed(due.player_id))
    ]
    if not table.closed:
        register = RegisterEffect()
        found.append(register)
        if is_done(register):  # the wallet knows nothing of a table before
            found.append(ProgressEffect(progress_round))
    deals = [due for due in known if isinstance(due, DealEffect)]
    all_dealt = all(is_done(due) for due in deals)
    for seated in book:
        if seated.keys:
            found += _of_player(seated, hub)
            if deals and all_dealt and seated.seat in book.dealt_in:
                found += _reseal(seated, hub, deals[0].deck_no)
    return found


def connections(hub: Hub, book: SeatBook, *, patient: bool) -> list[ConnectionIn]:
    """Give the seats whose connection is another than the log says.

    While `patient`, nobody counts as gone: streams come back after a restart.
    """
    found: list[ConnectionIn] = []
    for seated in book:
        here = hub.connected(seated.player_id)
        if here != seated.connected and (here or not patient):
            found.append(ConnectionIn(seated.seat, here))
    return found


def _of_player(seated: Seated, hub: Hub) -> list[AnyDue]:
    """Give the newest key that the player has attached with, if it is not bound to the seat."""
    sessions = hub.keyed(seated.player_id)
    if not sessions:
        return []
    own = sessions[0].key
    if own in seated.keys:
        return []
    return [ReturnedKeyEffect(seated.seat, seated.player_id, own, seated.since_seq)]


def _reseal(seated: Seated, hub: Hub, deck_no: int) -> list[AnyDue]:
    waiting = [
        session
        for session in hub.keyed(seated.player_id)
        if session.wants_cards and session.key in seated.keys
    ]
    return [ResealEffect(seated.seat, seated.player_id, deck_no)] if waiting else []
