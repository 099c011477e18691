"""A ledger as one would write it on a slip of paper: dictionaries, and no thought of crashes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from libs.floorapi.floor.common.v1 import errors_pb2
from tests.unit.wallet.table_log import MAX_BUY_IN

Place = tuple[str, ...]
OK = 0


@dataclass
class PlainLedger:
    """Each operation gives OK or the code of its refusal."""

    balances: Counter[Place] = field(default_factory=Counter)
    requests: dict[str, tuple[str, str, int]] = field(default_factory=dict)
    # By id: table, player, amount, state.
    reservations: dict[str, tuple[str, str, int, str]] = field(default_factory=dict)
    hands: Counter[str] = field(default_factory=Counter)
    # What a player took away, until the seat has chips again.
    left_with: Counter[tuple[str, str]] = field(default_factory=Counter)

    def move(self, amount: int, source: Place, target: Place) -> None:
        self.balances[source] -= amount
        self.balances[target] += amount
        for place in (source, target):
            if place[0] == "escrow" and amount:
                self.left_with[place[1], place[2]] = 0

    def cash(self, what: str, player: str, amount: int, request_id: str) -> int:
        content = (what, player, amount)
        if request_id in self.requests:
            same = self.requests[request_id] == content
            return OK if same else errors_pb2.ERROR_CODE_ID_REUSED
        if what == "withdraw":
            if self.balances["cash", player] < amount:
                return errors_pb2.ERROR_CODE_INSUFFICIENT_FUNDS
            self.move(amount, ("cash", player), ("house",))
        else:
            self.move(amount, ("house",), ("cash", player))
        self.requests[request_id] = content
        return OK

    def reserve(self, table: str, player: str, amount: int, reservation_id: str) -> int:
        if reservation_id in self.reservations:
            *content, state = self.reservations[reservation_id]
            if state == "tombstone" and content[0] == table:
                return errors_pb2.ERROR_CODE_ROLLED_BACK
            if content != [table, player, amount]:
                return errors_pb2.ERROR_CODE_ID_REUSED
            return errors_pb2.ERROR_CODE_RESERVATION_GONE if state == "void" else OK
        held = sum(
            r[2] for r in self.reservations.values() if r[:2] == (table, player) and r[3] == "held"
        )
        if held + amount > MAX_BUY_IN:
            return errors_pb2.ERROR_CODE_BUY_IN_OUT_OF_RANGE
        if self.balances["cash", player] < amount:
            return errors_pb2.ERROR_CODE_INSUFFICIENT_FUNDS
        self.move(amount, ("cash", player), ("reserved", player))
        self.reservations[reservation_id] = (table, player, amount, "held")
        return OK

    def void(self, table: str, reservation_id: str) -> int:
        if reservation_id not in self.reservations:
            self.reservations[reservation_id] = (table, "", 0, "tombstone")
            return OK
        of, player, amount, state = self.reservations[reservation_id]
        if of != table:
            return errors_pb2.ERROR_CODE_ID_REUSED
        if state == "committed":
            return errors_pb2.ERROR_CODE_RESERVATION_COMMITTED
        if state == "held":
            self.move(amount, ("reserved", player), ("cash", player))
            self.reservations[reservation_id] = (of, player, amount, "void")
        return OK

    def commit(self, reservation_id: str) -> None:
        table, player, amount, _ = self.reservations[reservation_id]
        self.move(amount, ("reserved", player), ("escrow", table, player))
        self.reservations[reservation_id] = (table, player, amount, "committed")

    def hand(self, table: str, loser: str, winner: str, lost: int, rake: int) -> None:
        self.hands[table] += 1
        self.move(lost - rake, ("escrow", table, loser), ("escrow", table, winner))
        self.move(rake, ("escrow", table, loser), ("rake",))

    def leave(self, table: str, player: str) -> int:
        amount = self.balances["escrow", table, player]
        self.move(amount, ("escrow", table, player), ("cash", player))
        if amount:
            self.left_with[table, player] = amount
        return amount
