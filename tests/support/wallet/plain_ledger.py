"""A ledger as one would write it on a slip of paper: dictionaries, and no thought of crashes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from pokerfloor.api.common.v1 import errors_pb2
from tests.support.wallet.table_log import MAX_BUY_IN

Place = tuple[str, ...]
OK = 0
TOO_FEW = errors_pb2.ERROR_CODE_INSUFFICIENT_FUNDS
REUSED = errors_pb2.ERROR_CODE_ID_REUSED
UNDONE = errors_pb2.ERROR_CODE_ALREADY_REVERSED

MAY_BE_BELOW_ZERO = {"house", "suspense", "rake"}
MAY_BE_UNDONE = {"deposit", "withdraw", "move", "entry", "prize"}


@dataclass
class PlainLedger:
    """Each operation gives OK or the code of its refusal."""

    balances: Counter[Place] = field(default_factory=Counter)
    # What for, and what it moved; the first is number 1.
    entries: list[tuple[str, dict[Place, int]]] = field(default_factory=list)
    # By scope and id: the content, and the number of the entry, 0 for none.
    requests: dict[tuple[str, str], tuple[tuple[object, ...], int]] = field(default_factory=dict)
    # By id: table, player, amount, state.
    reservations: dict[str, tuple[str, str, int, str]] = field(default_factory=dict)
    hands: Counter[str] = field(default_factory=Counter)
    # What a player took away, until the seat has chips again.
    left_with: Counter[tuple[str, str]] = field(default_factory=Counter)
    # Entries that somebody wants undone, and those that were.
    asked: set[tuple[int, str]] = field(default_factory=set)
    undone: set[int] = field(default_factory=set)

    def post(self, kind: str, amounts: dict[Place, int]) -> int:
        amounts = {place: amount for place, amount in amounts.items() if amount}
        for place, amount in amounts.items():
            if place[0] not in MAY_BE_BELOW_ZERO and self.balances[place] + amount < 0:
                return TOO_FEW
        for place, amount in amounts.items():
            self.balances[place] += amount
            if place[0] == "escrow":
                self.left_with[place[1], place[2]] = 0
        if amounts:
            self.entries.append((kind, amounts))
        return OK

    def once(self, scope: str, request_id: str, kind: str, *content: object) -> int | None:
        """None for a new call, OK for a repeat; the answer is noted by `did`."""
        known = self.requests.get((scope, request_id))
        if known is None:
            return None
        return OK if known[0] == (kind, *content) else REUSED

    def did(self, scope: str, request_id: str, *content: object, posted: bool = True) -> int:
        number = len(self.entries) if posted else 0
        self.requests[scope, request_id] = (content, number)
        return OK

    def cash(self, what: str, player: str, amount: int, request_id: str) -> int:
        call = ("desk", request_id, what, player, amount)
        if (known := self.once(*call)) is not None:
            return known
        into = amount if what == "deposit" else -amount
        refused = self.post(what, {("cash", player): into, ("house",): -into})
        return refused or self.did(*call)

    def transfer(self, source: Place, target: Place, amount: int, request_id: str) -> int:
        call = ("desk", request_id, "move", source, target, amount)
        if source == target:
            return errors_pb2.ERROR_CODE_INVALID_FIELD
        if (known := self.once(*call)) is not None:
            return known
        if source == ("rake",) and self.balances[source] < amount:
            return TOO_FEW
        refused = self.post("move", {source: -amount, target: amount})
        return refused or self.did(*call)

    def tournament(
        self, what: str, table: str, player: str, prize: int, fee: int, request_id: str
    ) -> int:
        call = (table, request_id, what, player, prize, fee)
        if (known := self.once(*call)) is not None:
            tombstone = self.requests[table, request_id][1] == 0
            return errors_pb2.ERROR_CODE_ROLLED_BACK if known == OK and tombstone else known
        pool = ("pool", table)
        if what == "entry":
            paid = {("cash", player): -prize - fee, pool: prize, ("rake",): fee}
        else:
            paid = {pool: -prize, ("cash", player): prize}
        return self.post(what, paid) or self.did(*call)

    def refund(
        self, table: str, player: str, prize: int, fee: int, request_id: str, of: str
    ) -> int:
        call = (table, request_id, "refund", player, prize, fee, of)
        entry = (table, of, "entry", player, prize, fee)
        if (known := self.once(*call)) is not None:
            return known
        paid = self.once(*entry)
        if paid is None:
            self.did(*entry, posted=False)
            return self.did(*call, posted=False)
        number = self.requests[table, of][1]
        if paid != OK:
            return paid
        if number == 0 or number in self.undone:
            return UNDONE
        return self.take_back("refund", number) or self.did(*call)

    def ask(self, number: int, person: str) -> int:
        if (number, person) in self.asked:
            return OK
        refused = self.stands(number)
        if not refused:
            self.asked.add((number, person))
        return refused

    def reverse(self, number: int, person: str, other: str, request_id: str) -> int:
        call = (person, request_id, "reverse", number, other)
        if (known := self.once(*call)) is not None:
            return known
        if refused := self.stands(number):
            return refused
        if person == other or (number, other) not in self.asked:
            return errors_pb2.ERROR_CODE_SECOND_PERSON_NEEDED
        return self.take_back("reversal", number) or self.did(*call)

    def stands(self, number: int) -> int:
        if not 0 < number <= len(self.entries):
            return errors_pb2.ERROR_CODE_UNKNOWN_ENTRY
        if self.entries[number - 1][0] not in MAY_BE_UNDONE:
            return errors_pb2.ERROR_CODE_NOT_REVERSIBLE
        return UNDONE if number in self.undone else OK

    def take_back(self, kind: str, number: int) -> int:
        what, amounts = self.entries[number - 1]
        if what == "move" and self.balances[("rake",)] < amounts.get(("rake",), 0):
            return TOO_FEW
        refused = self.post(kind, {place: -amount for place, amount in amounts.items()})
        if not refused:
            self.undone.add(number)
        return refused

    def reserve(self, table: str, player: str, amount: int, reservation_id: str) -> int:
        if reservation_id in self.reservations:
            *content, state = self.reservations[reservation_id]
            if state == "tombstone" and content[0] == table:
                return errors_pb2.ERROR_CODE_ROLLED_BACK
            if content != [table, player, amount]:
                return REUSED
            return errors_pb2.ERROR_CODE_RESERVATION_GONE if state == "void" else OK
        held = sum(
            r[2] for r in self.reservations.values() if r[:2] == (table, player) and r[3] == "held"
        )
        if held + amount > max(MAX_BUY_IN, self.left_with[table, player]):
            return errors_pb2.ERROR_CODE_BUY_IN_OUT_OF_RANGE
        refused = self.post("hold", {("cash", player): -amount, ("reserved", player): amount})
        if not refused:
            self.reservations[reservation_id] = (table, player, amount, "held")
        return refused

    def void(self, table: str, reservation_id: str) -> int:
        if reservation_id not in self.reservations:
            self.reservations[reservation_id] = (table, "", 0, "tombstone")
            return OK
        of, player, amount, state = self.reservations[reservation_id]
        if of != table:
            return REUSED
        if state == "committed":
            return errors_pb2.ERROR_CODE_RESERVATION_COMMITTED
        if state == "held":
            self.post("void", {("reserved", player): -amount, ("cash", player): amount})
            self.reservations[reservation_id] = (of, player, amount, "void")
        return OK

    def commit(self, reservation_id: str) -> None:
        table, player, amount, _ = self.reservations[reservation_id]
        self.post("sit", {("reserved", player): -amount, ("escrow", table, player): amount})
        self.reservations[reservation_id] = (table, player, amount, "committed")

    def hand(self, table: str, loser: str, winner: str, lost: int, rake: int) -> None:
        self.hands[table] += 1
        won = {("escrow", table, winner): lost - rake, ("rake",): rake}
        self.post("hand", {("escrow", table, loser): -lost, **won})

    def leave(self, table: str, player: str) -> int:
        amount = self.balances["escrow", table, player]
        self.post("leave", {("escrow", table, player): -amount, ("cash", player): amount})
        if amount:
            self.left_with[table, player] = amount
        return amount
