"""What the wallet is told."""

from __future__ import annotations

from pydantic import Field

from libs.floorkit import ServiceSettings


class WalletSettings(ServiceSettings):
    """Settings of the wallet, beside those of every service."""

    #: Units of work that may wait for the writer, and that are committed together.
    max_waiting: int = Field(default=4096, ge=16, le=1_000_000)
    max_group: int = Field(default=256, ge=1, le=10_000)
    #: Steps of the log taken in with one commit.
    max_batch_steps: int = Field(default=512, ge=1, le=10_000)
    #: Longest time that money is held for a seat. A table asks for up to ten minutes by its own
    #: clock (a top-up in a hand), which may be ahead of this one.
    max_hold_ms: int = Field(default=900_000, ge=1_000, le=86_400_000)
    #: A reservation is given up this long after it expired.
    expiry_grace_ms: int = Field(default=5_000, ge=0, le=3_600_000)
    #: How often expired reservations are looked for.
    expiry_poll_ms: int = Field(default=1_000, ge=10, le=600_000)
    #: How often the metrics of the whole book are made anew.
    summary_poll_ms: int = Field(default=2_000, ge=100, le=600_000)
