"""The settings of a run, from its environment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

# A floor takes one block of ports on 127.0.0.1. PORT_OFFSET moves it: floors whose offsets are
# BLOCK_PORTS or more apart never share a port.
BLOCK_PORTS: Final = 20
_FIRST_PORT: Final = 14_220
PORTS: Final = {
    name: _FIRST_PORT + number
    for number, name in enumerate(("nats", "table", "shuffler", "showdown", "scoring", "wallet"))
}
METRICS_PORTS: Final = {name: port + 10 for name, port in PORTS.items() if name != "nats"}
_MIN_PORT: Final = 1_024
_MAX_PORT: Final = 65_535


class CannotRun(Exception):  # noqa: N818 - a sentence for the person at the terminal
    """The floor cannot be started; the message is one clear line."""


@dataclass(frozen=True, slots=True)
class RunSettings:
    """A run of the floor.

    fresh: remove what the state folder holds first
    hands: how many hands to play in this run before ending with a summary; 0 is no end
    tables, bots: how many; bots are spread over the tables as far as there are seats. None: one
        table of each on the menu, or one of `game`; three bots a table, five with a game
    game: the one game that is played, by name; empty for all of them
    ledger_url, ledger_owner_url: a PostgreSQL database for the ledger; empty for a file
    """

    state: Path
    fresh: bool = False
    hands: int = 0
    tables: int | None = None
    bots: int | None = None
    port_offset: int = 0
    game: str = ""
    ledger_url: str = field(default="", repr=False)
    ledger_owner_url: str = field(default="", repr=False)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str], folder: Path) -> Self:
        """Read STATE, FRESH, HANDS, TABLES, BOTS, GAME, PORT_OFFSET and LEDGER_*. Raises CannotRun.

        Empty is unset, as a Makefile passes what was not given.
        """
        lowest_offset = _MIN_PORT - _FIRST_PORT
        highest_offset = _MAX_PORT - (_FIRST_PORT + BLOCK_PORTS - 1)
        settings = cls(
            state=(folder / (environment.get("STATE") or ".floor")).resolve(),
            fresh=_number(environment, "FRESH", 0, 0, 1) == 1,
            hands=_number(environment, "HANDS", 0, 0, 1_000_000),
            tables=_number(environment, "TABLES", 0, 1, 50) if environment.get("TABLES") else None,
            bots=_number(environment, "BOTS", 0, 0, 500) if environment.get("BOTS") else None,
            game=environment.get("GAME") or "",
            ledger_url=environment.get("LEDGER_URL") or "",
            ledger_owner_url=environment.get("LEDGER_OWNER_URL") or "",
            port_offset=_number(environment, "PORT_OFFSET", 0, lowest_offset, highest_offset),
        )
        if settings.hands and settings.bots is not None and settings.bots < 2:
            raise CannotRun(f"HANDS={settings.hands} needs two bots at least, not {settings.bots}")
        return settings

    def port(self, name: str) -> int:
        """Return the port of nats, or of a service's gRPC."""
        return PORTS[name] + self.port_offset

    def metrics_port(self, name: str) -> int:
        """Return the port of a service's metrics."""
        return METRICS_PORTS[name] + self.port_offset

    def address(self, name: str) -> str:
        """Return "host:port" of nats or of a service."""
        return f"127.0.0.1:{self.port(name)}"


def _number(environment: Mapping[str, str], name: str, default: int, low: int, high: int) -> int:
    text = environment.get(name) or str(default)
    try:
        number = int(text)
    except ValueError:
        raise CannotRun(f"{name}={text} is no whole number") from None
    if not low <= number <= high:
        raise CannotRun(f"{name}={number} is not between {low} and {high}")
    return number
