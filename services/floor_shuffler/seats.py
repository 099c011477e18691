"""RegisterSeatKey: which key a seat's cards are sealed to, proved by the player's own token."""

from __future__ import annotations

from typing import Final

from floor_shuffler import checks
from floor_shuffler.deck import not_justified
from floor_shuffler.desk import Asked, Desk
from floor_shuffler.metrics import KEYS
from floor_shuffler.seat_keys import SeatKeys
from floor_shuffler.steps import seated_by
from floor_shuffler.table_log import StoredStep
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.common.v1.identity_pb2 import ROLE_PLAYER
from pokerfloor.api.events.v1.table_events_pb2 import (
    KEY_REASON_RETURNED,
    KEY_REASON_SEATED,
    KeyReason,
)
from pokerfloor.api.internal.shuffler.v1 import dealing_pb2
from pokerfloor.api.shuffler.v1 import events_pb2
from pokerfloor.fairness import FairnessError, check_public_key, fingerprint
from pokerfloor.servicekit import FloorError, Identity, KeySet

_TOKEN = "player_token"  # noqa: S105 - the name of a field
_REASONS: Final = {KEY_REASON_SEATED: "seated", KEY_REASON_RETURNED: "returned"}
_MS_IN_S = 1000


class Seats:
    """Binds keys to seats."""

    def __init__(self, desk: Desk, keys: KeySet) -> None:
        self._desk = desk
        self._keys = keys

    async def register(
        self, request: dealing_pb2.RegisterSeatKeyRequest
    ) -> dealing_pb2.RegisterSeatKeyResponse:
        """Make the key in the player's token live for the seat that the log gives the player."""
        table_id = checks.table(request.table_id, "table_id")
        seat, ref = checks.seat(request.seat), checks.cause(request.cause)
        if request.reason not in _REASONS:
            raise checks.invalid("it is SEATED or RETURNED", "reason")
        async with self._desk.watched(Asked("RegisterSeatKey", table_id, cause=ref)):
            player = self._player(request.player_token)
            key = _seal_key(player)
            row = await self._desk.store.run(self._desk.store.store.table, table_id)
            await self._desk.check_epoch(table_id, row, request.owner_epoch)
            stored = await self._desk.log.cause(table_id, ref)
            keys = await self._seat_of(player, seat, stored, table_id)
            new_key = key not in keys.keys
            if new_key:
                replaced = keys.register(key)
                await self._record(keys, key, replaced, request.reason)
        return dealing_pb2.RegisterSeatKeyResponse(fingerprint=fingerprint(key), new_key=new_key)

    def _player(self, token: str) -> Identity:
        try:
            player = self._keys.verify(token, self._desk.now_ms() / _MS_IN_S)
        except FloorError as error:
            raise FloorError(error.code, f"the player's token: {error.reason}", _TOKEN) from error
        if not player.has_role(ROLE_PLAYER):
            raise FloorError(
                errors_pb2.ERROR_CODE_ROLE_NOT_ALLOWED, "the token is not a player's", _TOKEN
            )
        return player

    async def _seat_of(
        self, player: Identity, seat: int, stored: StoredStep, table_id: str
    ) -> SeatKeys:
        """Give the seat's keys as they are for this player: none yet if another sat there."""
        seated = seated_by(stored.step, seat)
        if seated is None:
            raise not_justified("the step seats nobody in this seat")
        if seated != player.subject:
            raise FloorError(
                errors_pb2.ERROR_CODE_NOT_YOURS, "another player was seated there", _TOKEN
            )
        found = await self._desk.store.run(self._desk.store.store.seats, table_id, [seat])
        known = found.get(seat)
        seated_at = stored.cause.table_seq
        if known is None:
            return SeatKeys(table_id, seat, player.subject, seated_at)
        if seated_at < known.seated_at:
            raise not_justified("somebody was seated there since")
        if seated_at > known.seated_at:
            # A new sitting: the keys of the one before are dead, whoever sat there.
            return SeatKeys(table_id, seat, player.subject, seated_at, known.registrations)
        return known

    async def _record(
        self, keys: SeatKeys, key: bytes, replaced: bytes, reason: KeyReason.ValueType
    ) -> None:
        event = events_pb2.SeatKeyRegistered(
            seat=keys.seat,
            player_id=keys.player_id,
            fingerprint=fingerprint(key),
            reason=reason,
            replaced_fingerprint=fingerprint(replaced) if replaced else b"",
        )
        await self._desk.events.append(
            events_pb2.ShufflerEvent(seat_key_registered=event),
            f"{keys.table_id}/key/{keys.seat}/{keys.registrations}/{fingerprint(key).hex()}/{_REASONS[reason]}",
            keys.table_id,
        )
        await self._desk.store.run(self._desk.store.store.save_seat, keys)
        KEYS.labels(_REASONS[reason]).inc()


def _seal_key(player: Identity) -> bytes:
    if player.seal_key is None:
        raise FloorError(
            errors_pb2.ERROR_CODE_SEAL_KEY_MISSING, "the token carries no sealing key", _TOKEN
        )
    try:
        check_public_key(player.seal_key)
    except FairnessError as error:
        raise checks.invalid(error.reason, _TOKEN) from error
    return player.seal_key
