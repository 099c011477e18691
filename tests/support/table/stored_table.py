"""A real table made by its own domain, and its steps as the log would hold them."""

from __future__ import annotations

import hashlib

from floor_table.domain import (
    CommandIn,
    Decision,
    OpenTableIn,
    ReservationIn,
    Table,
    TableInput,
    decide,
)
from floor_table.runtime.seal_keys import SealKeys
from floor_table.runtime.view_ring import ViewRing
from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.api.table.v1 import table_pb2
from tests.support.table.table_floor import holdem

START_MS = 1_700_000_000_000


class StoredTable:
    def __init__(self, ring_steps: int = 16) -> None:
        self.table = Table("t-1")
        self.ring = ViewRing(self.table, ring_steps)
        self.keys = SealKeys()
        self.steps: list[step_pb2.Step] = []
        self.at_ms = START_MS
        self.do(OpenTableIn("operator", "open", bytes(32), holdem(), "here"))

    def do(self, given: TableInput) -> step_pb2.Step:
        self.at_ms += 10
        outcome = decide(self.table, given, self.at_ms)
        assert isinstance(outcome, Decision), outcome
        step, self.table = outcome.step, outcome.after
        self.steps.append(step)
        self.keys.note(step)
        self.ring.push(step, self.table)
        return step

    def command(self, sender: str, **command: object) -> step_pb2.Step:
        number = len(self.steps)
        message = table_pb2.TableCommand(command_id=f"c{number}", **command)  # type: ignore[arg-type]  # fields
        digest = hashlib.sha256(message.SerializeToString()).digest()
        given = CommandIn(sender, message.command_id, digest, message, self.at_ms, True)
        return self.do(given)

    def seat(self, player_id: str) -> int:
        """Sit a player down, the wallet agreeing."""
        sit = table_pb2.SitDownCommand(buy_in_minor=10_000, display_name=player_id)
        reserved = self.command(player_id, sit_down=sit).events[0].seat_reserved
        self.do(ReservationIn(reserved.reservation_id, held=True))
        return reserved.seat
