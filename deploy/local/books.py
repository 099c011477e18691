"""Whether the books balance: the tables against the ledger, and the ledger against itself."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field

from deploy.local.desk import Desk
from deploy.local.points_menu import point_price_minor
from pokerfloor.api.table.v1 import table_pb2, view_pb2
from pokerfloor.api.wallet.v1 import wallet_pb2
from pokerfloor.client import amount_of

_SETTLE_WITHIN_S = 30.0


@dataclass(slots=True)
class Books:
    """What an audit found. `differences` has one line for each thing that does not agree."""

    differences: list[str] = field(default_factory=list)
    hands_settled: int = 0
    rake_minor: int = 0
    escrow_minor: int = 0
    entries: int = 0


async def audit(desk: Desk, table_ids: list[str]) -> Books:
    """Wait until the ledger has taken everything in, and compare."""
    books = Books()
    deadline_s = time.monotonic() + _SETTLE_WITHIN_S
    for table_id in table_ids:
        await _audit_table(desk, table_id, books, deadline_s)
    trial = await desk.trial_balance()
    books.entries = trial.entry_no
    books.differences += trial_differences(trial, books)
    return books


async def _audit_table(desk: Desk, table_id: str, books: Books, deadline_s: float) -> None:
    while True:
        ledger = await desk.audit(table_id)
        snapshot = await desk.table(table_id)
        if ledger.table_seq == snapshot.view_no:
            break
        if time.monotonic() > deadline_s:
            books.differences.append(
                f"{table_id}: the ledger has taken in {ledger.table_seq} of "
                f"{snapshot.view_no} steps after {_SETTLE_WITHIN_S:.0f} s"
            )
            break
        await asyncio.sleep(0.1)
    progress = await desk.progress(table_id)
    if progress.stopped_reason:
        books.differences.append(f"{table_id}: settlement stopped: {progress.stopped_reason}")
    books.differences += table_differences(table_id, snapshot, ledger)
    hands = finished_hands(snapshot)
    missing = sorted(set(range(1, hands + 1)) - await desk.settled_hands(table_id, hands))
    if missing:
        shown = ", ".join(map(str, missing[:5])) + (", ..." if len(missing) > 5 else "")
        books.differences.append(f"{table_id}: {len(missing)} hands are not in the ledger: {shown}")
    books.hands_settled += hands - len(missing)
    books.rake_minor += ledger.rake_minor
    books.escrow_minor += ledger.escrow_minor


def finished_hands(snapshot: table_pb2.Snapshot) -> int:
    """Give how many hands of a table are over; they are numbered from 1 without gaps."""
    return snapshot.table.hands - (1 if snapshot.table.HasField("hand") else 0)


def table_differences(
    table_id: str, snapshot: table_pb2.Snapshot, ledger: wallet_pb2.AuditTableResponse
) -> list[str]:
    """Compare stacks and pots with the escrow of the same step, player by player."""
    in_play: dict[str, int] = {}
    unit_minor = point_price_minor(snapshot.table.settings)
    for seat in snapshot.table.seats:
        # A pending seat's buy-in is not at the table before the log says so.
        if seat.state != view_pb2.SEAT_STATE_PENDING and amount_of(seat.stack):
            in_play[seat.player_id] = amount_of(seat.stack) * unit_minor
    in_escrow = {escrow.player_id: escrow.amount_minor for escrow in ledger.escrow}
    hand = snapshot.table.hand
    middle = sum(amount_of(pot.amount) for pot in hand.pots)
    middle += sum(amount_of(seat.bet) for seat in hand.seats)
    found = []
    if snapshot.table.HasField("hand"):
        found.append(
            f"{table_id}: hand {hand.hand_no} is still in play, with {middle} in the middle"
        )
    else:
        for player_id in sorted(in_play.keys() | in_escrow.keys()):
            stack, escrow = in_play.get(player_id, 0), in_escrow.get(player_id, 0)
            if stack != escrow:
                found.append(f"{table_id}: {player_id} has {stack} in front, {escrow} in escrow")
    total = sum(in_play.values()) + middle + amount_of(snapshot.table.carried_pot)
    if total != ledger.escrow_minor + ledger.pot_minor:
        found.append(
            f"{table_id}: stacks and pots are {total}, "
            f"escrow and carried pot {ledger.escrow_minor + ledger.pot_minor}"
        )
    if sum(in_escrow.values()) != ledger.escrow_minor:
        found.append(f"{table_id}: the escrow accounts do not sum to {ledger.escrow_minor}")
    return found


def trial_differences(trial: wallet_pb2.GetTrialBalanceResponse, books: Books) -> list[str]:
    """Check that all accounts sum to zero and agree with what the tables' audits say."""
    found = []
    if trial.total_minor:
        found.append(f"all accounts sum to {trial.total_minor}, not to zero")
    if trial.unbalanced_entries:
        found.append(f"{trial.unbalanced_entries} entries do not sum to zero")
    kinds = {kind.kind: kind.amount_minor for kind in trial.kinds}
    expected = (
        ("escrow", wallet_pb2.ACCOUNT_KIND_SEAT_ESCROW, books.escrow_minor),
        ("rake", wallet_pb2.ACCOUNT_KIND_RAKE, books.rake_minor),
    )
    for name, kind, amount_minor in expected:
        if kinds.get(kind, 0) != amount_minor:
            found.append(
                f"{name} accounts sum to {kinds.get(kind, 0)}, the tables' to {amount_minor}"
            )
    return found
