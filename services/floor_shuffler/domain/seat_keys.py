"""Which keys a seat's cards are sealed to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from floor_shuffler.domain.events import seat_key_registered
from floor_shuffler.domain.refusals import not_justified
from floor_shuffler.domain.steps import StoredStep, seated_by
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.events.v1.table_events_pb2 import KeyReason
from pokerfloor.api.shuffler.v1 import events_pb2
from pokerfloor.fairness import fingerprint
from pokerfloor.refusal import Refusal

MAX_LIVE_KEYS: Final = 2


@dataclass(frozen=True, slots=True)
class SeatKeys:
    """A seat's live keys, oldest first, and the player they were bound to.

    seated_at: number of the step that seated the player
    registrations: how many keys were ever registered for this seat
    """

    table_id: str
    seat: int
    player_id: str
    seated_at: int
    registrations: int = 0
    keys: tuple[bytes, ...] = ()

    def live_for(self, player_id: str) -> tuple[bytes, ...]:
        """Return the live keys if this player sits here, else none."""
        return self.keys if self.player_id == player_id else ()


class Registration(NamedTuple):
    """A seat's keys with one registered; the event is None when the key was live before."""

    seat: SeatKeys
    event: events_pb2.ShufflerEvent | None


def sitting_of(
    player_id: str, table_id: str, seat: int, stored: StoredStep, known: SeatKeys | None
) -> SeatKeys | Refusal:
    """Return the seat's keys as they are for this player: none yet if another sat there."""
    seated, seated_at = seated_by(stored.step, seat), stored.cause.table_seq
    if seated is None:
        return not_justified("the step seats nobody in this seat")
    if seated != player_id:
        reason = "another player was seated there"
        return Refusal(errors_pb2.ERROR_CODE_NOT_YOURS, reason, "player_token")
    if known is None:
        return SeatKeys(table_id, seat, player_id, seated_at)
    if seated_at < known.seated_at:
        return not_justified("somebody was seated there since")
    if seated_at > known.seated_at:
        # A new sitting: the keys of the one before are dead, whoever sat there.
        return SeatKeys(table_id, seat, player_id, seated_at, known.registrations)
    return known


def register(seat: SeatKeys, key: bytes, reason: KeyReason.ValueType) -> Registration:
    """Make a key live.

    A seat has two live keys: a third takes the place of the oldest, since a player who comes back
    from a third device must not be kept from the cards by the first.
    """
    if key in seat.keys:
        return Registration(seat, None)
    keys = (*seat.keys, key)
    replaced = keys[:-MAX_LIVE_KEYS]
    event = events_pb2.SeatKeyRegistered(
        seat=seat.seat,
        player_id=seat.player_id,
        fingerprint=fingerprint(key),
        reason=reason,
        replaced_fingerprint=fingerprint(replaced[0]) if replaced else b"",
    )
    count = seat.registrations + 1
    registered = replace(seat, registrations=count, keys=keys[-MAX_LIVE_KEYS:])
    return Registration(registered, seat_key_registered(seat.table_id, count, event))
