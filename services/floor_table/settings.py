"""The settings of the table service, beside those of every service."""

from __future__ import annotations

from pydantic import Field

from pokerfloor.servicekit import ServiceSettings


class TableServiceSettings(ServiceSettings):
    """Each field is `FLOOR_<FIELD>` in the environment or the field's own name in the file."""

    shuffler_address: str = "127.0.0.1:14222"
    showdown_address: str = "127.0.0.1:14223"
    scoring_address: str = "127.0.0.1:14224"
    wallet_address: str = "127.0.0.1:14225"
    # One stream a table that somebody shows, so more than servicekit's own default.
    max_concurrent_streams: int = Field(default=4096, ge=1, le=100_000)

    # Commands that may wait at one table; the next is answered OVERLOADED.
    queue_limit: int = Field(default=256, ge=1, le=100_000)
    # Steps of one table kept in memory, to resume streams from.
    ring_steps: int = Field(default=512, ge=8, le=100_000)
    streams_per_table: int = Field(default=2_000, ge=1, le=100_000)
    streams_per_player: int = Field(default=4, ge=1, le=64)
    # Of one subject at one table, in all views but a player's own.
    streams_per_watcher: int = Field(default=16, ge=1, le=100_000)
    # Answers that may wait for one stream; views are not kept for a stream but read from the ring.
    outbox_limit: int = Field(default=256, ge=4, le=10_000)
    commands_per_s: float = Field(default=50.0, gt=0, le=10_000)
    commands_burst: int = Field(default=100, ge=1, le=10_000)
    # A stream whose one message is not taken within this time is dropped.
    slow_client_ms: int = Field(default=5_000, ge=100, le=600_000)
    # How long a stream that comes has to name its table.
    attach_wait_ms: int = Field(default=10_000, ge=100, le=600_000)
    # A seat counts as disconnected when its last stream has been gone for this long.
    disconnect_grace_ms: int = Field(default=1_000, ge=0, le=60_000)

    # Hands that may be unsettled before a table pauses by itself.
    unsettled_limit: int = Field(default=20, ge=1, le=1_000)
    lease_ttl_ms: int = Field(default=5_000, ge=500, le=60_000)
    # How often tables without an owner are looked for.
    scan_ms: int = Field(default=2_000, ge=100, le=600_000)
    append_timeout_ms: int = Field(default=2_000, ge=100, le=60_000)
    effect_timeout_ms: int = Field(default=2_000, ge=50, le=60_000)
    # At an all-in showdown: the longest time for which a board card waits for the equities of the
    # open hands. 0: it does not wait, and they are shown when they come before the hand is over.
    equity_wait_ms: int = Field(default=250, ge=0, le=10_000)
    max_tables: int = Field(default=2_000, ge=1, le=100_000)
