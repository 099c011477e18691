"""The broker as services know it."""

from __future__ import annotations

from pokerfloor.servicekit.nats_bus import NatsBus
from pokerfloor.servicekit.nats_lease import Leases
from pokerfloor.servicekit.nats_log import NatsLog


class FloorNats(NatsLog, NatsBus):
    """One connection: the log, the bus and the leases."""

    async def leases(self, bucket: str, *, holder: str, ttl_ms: int = 5_000) -> Leases:
        """Open the leases of a bucket for one holder; see `Leases`. Raises LogUnavailable."""
        return await Leases.open(self, bucket, holder=holder, ttl_ms=ttl_ms)
