"""Leases in a KV bucket: they keep two owners from overlapping, and promise no more than that.

A lease can be read for some seconds after it expired, and its holder can be asleep when it does.
What protects the log is the sequence of each append, and the epoch that goes with it.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Final, Self, TypeVar

from nats.js.api import KeyValueConfig, StorageType
from nats.js.errors import (
    BucketNotFoundError,
    KeyDeletedError,
    KeyNotFoundError,
    KeyWrongLastSequenceError,
)
from nats.js.kv import KeyValue

from pokerfloor.servicekit.nats_connection import NatsConnection

T = TypeVar("T")

_TIMEOUT_MS: Final = 2_000
# Somebody holds it, or held it when the client tried and not any more when it looked who.
_NOT_CREATED: Final = (KeyWrongLastSequenceError, KeyNotFoundError, KeyDeletedError)


class Leases:
    """The leases of one bucket, as one holder sees them."""

    def __init__(self, connection: NatsConnection, bucket: KeyValue, holder: str) -> None:
        self._connection = connection
        self._bucket = bucket
        self._holder = holder
        self._held: dict[str, int] = {}

    @classmethod
    async def open(
        cls, connection: NatsConnection, bucket: str, *, holder: str, ttl_ms: int
    ) -> Self:
        """Open the bucket, making it if need be; a lease that is not renewed ends by its TTL.

        The TTL is the bucket's: a key's own TTL would be lost with its first renewal.
        """
        assert ttl_ms >= 100, "the broker's shortest time to live is 100 ms"
        assert holder, "a lease needs the name of its holder"
        deadline_s = time.monotonic() + 5 * _TIMEOUT_MS / 1000
        config = KeyValueConfig(
            bucket=bucket, ttl=ttl_ms / 1000, history=1, storage=StorageType.FILE
        )
        try:
            found = await connection.ask(lambda: connection.js.key_value(bucket), deadline_s)
        except BucketNotFoundError:
            found = await connection.ask(lambda: connection.js.create_key_value(config), deadline_s)
        return cls(connection, found, holder)

    async def acquire(self, key: str) -> int | None:
        """Take the lease; gives its epoch, which grows with every taking, or None if it is held.

        The same holder gets its own lease back at once, with a new epoch. Raises LogUnavailable.
        """
        value = self._holder.encode()
        try:
            revision: int | None = await self._ask(lambda: self._bucket.create(key, value))
        except _NOT_CREATED:
            revision = await self._reclaim(key, value)
        if revision is not None:
            self._held[key] = revision
        return revision

    async def renew(self, key: str) -> bool:
        """Hold the lease for another TTL; False when it is lost. Raises LogUnavailable."""
        revision = self._held.get(key)
        if revision is None:
            return False
        value = self._holder.encode()
        try:
            self._held[key] = await self._ask(
                lambda: self._bucket.update(key, value, last=revision)
            )
        except KeyWrongLastSequenceError:
            # Also after a renewal whose answer was lost; then it is still ours.
            again = await self._reclaim(key, value)
            if again is None:
                self._held.pop(key, None)
                return False
            self._held[key] = again
        return True

    async def release(self, key: str) -> None:
        """Give the lease back, if it is still held. Raises LogUnavailable."""
        revision = self._held.pop(key, None)
        if revision is None:
            return
        try:
            await self._ask(lambda: self._bucket.delete(key, last=revision))
        except KeyWrongLastSequenceError:
            return  # another's by now

    async def holder_of(self, key: str) -> str | None:
        """Return who holds the lease, None for nobody. Raises LogUnavailable."""
        entry = await self._entry(key)
        return None if entry is None else entry[0]

    async def _reclaim(self, key: str, value: bytes) -> int | None:
        entry = await self._entry(key)
        try:
            if entry is None:  # expired or released in between
                return await self._ask(lambda: self._bucket.create(key, value))
            holder, revision = entry
            if holder != self._holder:
                return None
            return await self._ask(lambda: self._bucket.update(key, value, last=revision))
        except _NOT_CREATED:
            return None  # somebody was faster

    async def _entry(self, key: str) -> tuple[str, int] | None:
        try:
            entry = await self._ask(lambda: self._bucket.get(key))
        except (KeyNotFoundError, KeyDeletedError):
            return None
        assert entry.revision is not None, "a stored key has a revision"
        return (entry.value or b"").decode(), entry.revision

    async def _ask(self, question: Callable[[], Awaitable[T]]) -> T:
        return await self._connection.ask(question, time.monotonic() + _TIMEOUT_MS / 1000)
