"""The settings of the wallet."""

from __future__ import annotations

from typing import Self

from pydantic import Field, SecretStr, model_validator

from floor_wallet.gaming_day import GamingDays
from floor_wallet.store.interface import USUAL_LIMITS
from floor_wallet.store.postgres.connection import STATEMENT_TIMEOUT_MS
from floor_wallet.store.postgres.store import READERS
from pokerfloor.servicekit import ServiceSettings


class WalletSettings(ServiceSettings):
    """Settings of the wallet, beside those of every service."""

    #: The ledger's database, `postgresql://user:password@host/database` with the service's own
    #: role; empty is SQLite in `state_dir`.
    ledger_url: SecretStr = SecretStr("")
    #: The same as the schema's owner, who makes it and brings it up to date at the start; empty
    #: when that is done already.
    ledger_owner_url: SecretStr = SecretStr("")
    #: A statement in that database takes no longer, nor does waiting for another wallet's.
    ledger_timeout_ms: int = Field(default=STATEMENT_TIMEOUT_MS, ge=100, le=600_000)
    #: Questions that are asked of it at a time.
    ledger_readers: int = Field(default=READERS, ge=1, le=64)
    #: Units of work that may wait for the writer, and that are committed together.
    max_waiting: int = Field(default=USUAL_LIMITS.max_waiting, ge=16, le=1_000_000)
    max_group: int = Field(default=USUAL_LIMITS.max_group, ge=1, le=10_000)
    #: Steps of the log committed together.
    max_batch_steps: int = Field(default=2048, ge=1, le=10_000)
    #: Longest time that money is held for a seat. A table asks for up to ten minutes by its own
    #: clock (a top-up in a hand), which may be ahead of this one.
    max_hold_ms: int = Field(default=900_000, ge=1_000, le=86_400_000)
    #: A reservation is given up this long after it expired.
    expiry_grace_ms: int = Field(default=5_000, ge=0, le=3_600_000)
    #: How often expired reservations are looked for.
    expiry_poll_ms: int = Field(default=1_000, ge=10, le=600_000)
    #: How often the metrics of the whole book are refreshed.
    summary_poll_ms: int = Field(default=2_000, ge=100, le=600_000)
    #: When a gaming day begins, by the clock of an IANA time zone.
    gaming_day_cut_over: str = "06:00"
    gaming_day_zone: str = "UTC"

    @model_validator(mode="after")
    def _gaming_days_can_be_told(self) -> Self:
        GamingDays.of(self.gaming_day_cut_over, self.gaming_day_zone)
        return self

    @property
    def gaming_days(self) -> GamingDays:
        """The casino's gaming days."""
        return GamingDays.of(self.gaming_day_cut_over, self.gaming_day_zone)
