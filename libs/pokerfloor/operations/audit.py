"""An audit of a floor: tables against the ledger, and the ledger against itself."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.api.table.v1 import table_pb2, view_pb2
from pokerfloor.api.wallet.v1 import wallet_pb2
from pokerfloor.client import amount_of
from pokerfloor.operations.staff_client import StaffClient

_SETTLE_WITHIN_S: Final = 30.0


@dataclass(slots=True)
class AuditReport:
    """What an audit found. `differences` has one line for each thing that does not agree."""

    differences: list[str] = field(default_factory=list)
    hands_settled: int = 0
    rake_minor: int = 0
    escrow_minor: int = 0
    entries: int = 0


async def audit_floor(staff: StaffClient, table_ids: Iterable[str]) -> AuditReport:
    """Wait until the ledger has read the tables' logs to the end, and compare.

    The tables must be between hands, and no other tables may have been played.
    """
    report = AuditReport()
    deadline_s = time.monotonic() + _SETTLE_WITHIN_S
    for table_id in table_ids:
        await _audit_table(staff, table_id, report, deadline_s)
    trial = await staff.trial_balance()
    report.entries = trial.entry_no
    report.differences += trial_differences(trial, report)
    return report


async def _audit_table(
    staff: StaffClient, table_id: str, report: AuditReport, deadline_s: float
) -> None:
    while True:
        ledger = await staff.table_audit(table_id)
        snapshot = await staff.table(table_id)
        if ledger.table_seq == snapshot.view_no:
            break
        if time.monotonic() > deadline_s:
            report.differences.append(
                f"{table_id}: the ledger has read {ledger.table_seq} of "
                f"{snapshot.view_no} steps after {_SETTLE_WITHIN_S:.0f} s"
            )
            break
        await asyncio.sleep(0.1)
    progress = await staff.settlement(table_id)
    if progress.stopped_reason:
        report.differences.append(f"{table_id}: settlement stopped: {progress.stopped_reason}")
    report.differences += table_differences(table_id, snapshot, ledger)
    hands = finished_hands(snapshot)
    missing = sorted(set(range(1, hands + 1)) - await staff.settled_hands(table_id, hands))
    if missing:
        shown = ", ".join(map(str, missing[:5])) + (", ..." if len(missing) > 5 else "")
        report.differences.append(
            f"{table_id}: {len(missing)} hands are not in the ledger: {shown}"
        )
    report.hands_settled += hands - len(missing)
    report.rake_minor += ledger.rake_minor
    report.escrow_minor += ledger.escrow_minor


def finished_hands(snapshot: table_pb2.Snapshot) -> int:
    """Return how many hands of a table are over; they are numbered from 1 without gaps."""
    return snapshot.table.hands - (1 if snapshot.table.HasField("hand") else 0)


def table_differences(
    table_id: str, snapshot: table_pb2.Snapshot, ledger: wallet_pb2.AuditTableResponse
) -> list[str]:
    """Compare stacks and pots with the escrow of the same step, player by player."""
    in_play: dict[str, int] = {}
    unit_minor = unit_price_minor(snapshot.table.settings)
    for seat in snapshot.table.seats:
        # A pending seat's buy-in is not at the table before the log says so.
        if seat.state != view_pb2.SEAT_STATE_PENDING and amount_of(seat.stack):
            in_play[seat.player_id] = amount_of(seat.stack) * unit_minor
    in_escrow = {escrow.player_id: escrow.amount_minor for escrow in ledger.escrow}
    hand = snapshot.table.hand
    pot_total = sum(amount_of(pot.amount) for pot in hand.pots)
    pot_total += sum(amount_of(seat.bet) for seat in hand.seats)
    found = []
    if snapshot.table.HasField("hand"):
        found.append(
            f"{table_id}: hand {hand.hand_no} is still in play, with {pot_total} in the pot"
        )
    else:
        for player_id in sorted(in_play.keys() | in_escrow.keys()):
            stack, escrow = in_play.get(player_id, 0), in_escrow.get(player_id, 0)
            if stack != escrow:
                found.append(f"{table_id}: {player_id} has {stack} in front, {escrow} in escrow")
    total = sum(in_play.values()) + pot_total + amount_of(snapshot.table.carried_pot)
    if total != ledger.escrow_minor + ledger.pot_minor:
        found.append(
            f"{table_id}: stacks and pots are {total}, "
            f"escrow and carried pot {ledger.escrow_minor + ledger.pot_minor}"
        )
    if sum(in_escrow.values()) != ledger.escrow_minor:
        found.append(f"{table_id}: the escrow accounts do not sum to {ledger.escrow_minor}")
    return found


def trial_differences(trial: wallet_pb2.GetTrialBalanceResponse, report: AuditReport) -> list[str]:
    """Check that all accounts sum to zero and agree with what the tables' audits say."""
    found = []
    if trial.total_minor:
        found.append(f"all accounts sum to {trial.total_minor}, not to zero")
    if trial.unbalanced_entries:
        found.append(f"{trial.unbalanced_entries} entries do not sum to zero")
    kinds = {kind.kind: kind.amount_minor for kind in trial.kinds}
    expected = (
        ("escrow", wallet_pb2.ACCOUNT_KIND_SEAT_ESCROW, report.escrow_minor),
        ("rake", wallet_pb2.ACCOUNT_KIND_RAKE, report.rake_minor),
    )
    for name, kind, amount_minor in expected:
        if kinds.get(kind, 0) != amount_minor:
            found.append(
                f"{name} accounts sum to {kinds.get(kind, 0)}, the tables' to {amount_minor}"
            )
    return found


def unit_price_minor(settings: settings_pb2.TableSettings) -> int:
    """Return what one unit of a table's stacks is worth: a point's price; 1 at a cash table."""
    return settings.stake.points.point_price_minor or 1
