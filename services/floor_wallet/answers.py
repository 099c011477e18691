"""What the store found, as messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, cast

from floor_wallet.domain import AccountKey, AccountKind, EntryKind, SettledHand, TableState
from floor_wallet.store import Balance, Line, Statement, TableAudit
from pokerfloor.api.wallet.v1 import wallet_pb2
from pokerfloor.servicekit import next_token

#: The field of an account that says whose it is; an escrow's is a message, the house has none.
OWNER_FIELD: Final[dict[AccountKind, Literal["player_id", "table_id", "room_id"]]] = {
    AccountKind.PLAYER_CASH: "player_id",
    AccountKind.RESERVED: "player_id",
    AccountKind.TABLE_POT: "table_id",
    AccountKind.TOURNAMENT_POOL: "table_id",
    AccountKind.RAKE: "room_id",
    AccountKind.TIPS: "room_id",
}


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


def account(key: AccountKey) -> wallet_pb2.Account:
    """Name an account: whose it is stands in the field of its kind."""
    message = wallet_pb2.Account(kind=account_kind(key.kind), currency=key.currency)
    if key.kind is AccountKind.SEAT_ESCROW:
        message.escrow.table_id, _, message.escrow.player_id = key.owner.partition("/")
    elif key.kind in OWNER_FIELD:
        setattr(message, OWNER_FIELD[key.kind], key.owner)
    return message


def statement(page: Statement, exponent: int) -> wallet_pb2.GetStatementResponse:
    """Show a page of a statement."""
    return wallet_pb2.GetStatementResponse(
        lines=[_line(line) for line in page.lines],
        next_page_token=next_token(page.lines[-1].version, more=True) if page.more else "",
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


def hands(found: Sequence[SettledHand], limit: int) -> wallet_pb2.ListSettledHandsResponse:
    """Show a page of at most `limit` settled hands; a full one may have another behind it."""
    return wallet_pb2.ListSettledHandsResponse(
        hands=[
            wallet_pb2.SettledHand(
                hand_no=hand.hand_no, entry_no=hand.entry_no, rake_minor=hand.rake_minor
            )
            for hand in found
        ],
        next_page_token=next_token(found[-1].hand_no, more=True) if len(found) == limit else "",
    )


def account_kind(kind: AccountKind) -> wallet_pb2.AccountKind.ValueType:
    """Return the kind of an account as messages have it."""
    return cast("wallet_pb2.AccountKind.ValueType", int(kind))


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
