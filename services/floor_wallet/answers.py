"""What the store found, as messages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from floor_wallet.domain import EntryKind, Posted, SettledHand, TableState
from floor_wallet.store import Balance, Line, Statement, TableAudit
from pokerfloor.api.wallet.v1 import wallet_pb2


def progress(table: TableState) -> wallet_pb2.GetTableProgressResponse:
    """Say how far a table is settled."""
    return wallet_pb2.GetTableProgressResponse(
        table_seq=table.table_seq, hand_no=table.hand_no, stopped_reason=table.stopped_reason
    )


def balance(player_id: str, found: Balance) -> wallet_pb2.GetBalanceResponse:
    """Say what a player has and what is held."""
    return wallet_pb2.GetBalanceResponse(
        cash_minor=found.cash_minor,
        reserved_minor=found.reserved_minor,
        in_play_minor=sum(amount for _, amount in found.escrow),
        tables=[
            wallet_pb2.EscrowBalance(table_id=table_id, player_id=player_id, amount_minor=amount)
            for table_id, amount in found.escrow
        ],
        holds=[
            wallet_pb2.Hold(
                reservation_id=held.reservation_id,
                table_id=held.table_id,
                amount_minor=held.amount_minor,
                expires_at_ms=held.expires_at_ms,
            )
            for held in found.holds
        ],
    )


def posted(answer: Posted) -> wallet_pb2.PostingResponse:
    """Tell what a call has posted."""
    return wallet_pb2.PostingResponse(entry_no=answer.entry_no, balance_minor=answer.balance_minor)


def statement(page: Statement, exponent: int) -> wallet_pb2.GetStatementResponse:
    """Show a page of a statement."""
    return wallet_pb2.GetStatementResponse(
        lines=[_line(line) for line in page.lines],
        next_after_version=page.lines[-1].version if page.more else 0,
        balance_minor=page.balance_minor,
        exponent=exponent,
    )


def table_audit(audit: TableAudit) -> wallet_pb2.AuditTableResponse:
    """Show what the ledger holds of a table."""
    return wallet_pb2.AuditTableResponse(
        escrow=[
            wallet_pb2.EscrowBalance(
                table_id=audit.table.table_id, player_id=player_id, amount_minor=amount
            )
            for player_id, amount in audit.escrow
        ],
        escrow_minor=sum(amount for _, amount in audit.escrow),
        pot_minor=audit.pot_minor,
        rake_minor=audit.rake_minor,
        hands_settled=audit.hands_settled,
        table_seq=audit.table.table_seq,
    )


def hands(found: Iterable[SettledHand]) -> wallet_pb2.FindHandsResponse:
    """Show settled hands."""
    return wallet_pb2.FindHandsResponse(
        hands=[
            wallet_pb2.SettledHand(
                hand_no=hand.hand_no, entry_no=hand.entry_no, rake_minor=hand.rake_minor
            )
            for hand in found
        ]
    )


def _line(line: Line) -> wallet_pb2.StatementLine:
    return wallet_pb2.StatementLine(
        version=line.version,
        entry_no=line.entry_no,
        kind=_entry_kind(line.kind),
        amount_minor=line.amount_minor,
        balance_minor=line.balance_minor,
        at_ms=line.at_ms,
        table_id=line.table_id,
        hand_no=line.hand_no,
        reference=line.reference,
    )


def _entry_kind(kind: EntryKind) -> wallet_pb2.EntryKind.ValueType:
    return cast("wallet_pb2.EntryKind.ValueType", int(kind))
