"""Settings of the showdown service."""

from pydantic import Field

from pokerfloor.servicekit import ServiceSettings


class ShowdownSettings(ServiceSettings):
    """Beyond the settings of every service: where the shuffler is, and how long it may take.

    `token_file` must be set: hands are revealed with the service's own identity.
    """

    shuffler_address: str = Field(default="127.0.0.1:14222", min_length=1)
    # One attempt to have hands revealed; a slow one is given up and made again.
    reveal_attempt_ms: int = Field(default=1_000, ge=10, le=60_000)
    # Reading the log and all attempts together, if the caller's own deadline does not come first.
    reveal_timeout_ms: int = Field(default=4_000, ge=10, le=60_000)
    # Reading the log and counting equities, under the same condition.
    equity_timeout_ms: int = Field(default=8_000, ge=10, le=60_000)
    # Equities of each kind (of hands at tables, of named cards) that may be under way at once; one
    # is counted at a time.
    equity_queue: int = Field(default=16, ge=1, le=1_000)
