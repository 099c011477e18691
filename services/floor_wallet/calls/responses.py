"""What the rules and the store answer, as messages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, cast

from floor_wallet.domain import AccountKey, AccountKind, Entry, EntryKind, SettledHand, TableRecord
from floor_wallet.store.questions import (
    AccountPage,
    Balance,
    BookAudit,
    ChipsInPlay,
    EntryPage,
    Line,
    RakeLine,
    Statement,
    TableAudit,
    TrialBalance,
)
from pokerfloor.api.common.v1 import money_pb2
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


def progress(table: TableRecord) -> wallet_pb2.GetTableProgressResponse:
    """Return how far a table is settled."""
    return wallet_pb2.GetTableProgressResponse(
        table_seq=table.table_seq, hand_no=table.hand_no, stopped_reason=table.stopped_reason
    )


def balance(player_id: str, found: Balance) -> wallet_pb2.GetBalanceResponse:
    """Return what a player has and what is held."""
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
    """Return an account's name: its owner is in the field of its kind."""
    message = wallet_pb2.Account(kind=account_kind(key.kind), currency=key.currency)
    if key.kind is AccountKind.SEAT_ESCROW:
        message.escrow.table_id, _, message.escrow.player_id = key.owner.partition("/")
    elif key.kind in OWNER_FIELD:
        setattr(message, OWNER_FIELD[key.kind], key.owner)
    return message


def statement(page: Statement, exponent: int) -> wallet_pb2.GetStatementResponse:
    """Return a page of a statement."""
    return wallet_pb2.GetStatementResponse(
        lines=[_line(line) for line in page.lines],
        next_page_token=next_token(page.lines[-1].version, more=True) if page.more else "",
        balance_minor=page.balance_minor,
        exponent=exponent,
    )


def table_audit(audit: TableAudit) -> wallet_pb2.AuditTableResponse:
    """Return what the ledger holds of a table."""
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
    """Return a page of at most `limit` settled hands; a full one may have another behind it."""
    return wallet_pb2.ListSettledHandsResponse(
        hands=[
            wallet_pb2.SettledHand(
                hand_no=hand.hand_no, entry_no=hand.entry_no, rake_minor=hand.rake_minor
            )
            for hand in found
        ],
        next_page_token=next_token(found[-1].hand_no, more=True) if len(found) == limit else "",
    )


def trial_balance(found: TrialBalance, exponent: int) -> wallet_pb2.GetTrialBalanceResponse:
    """Return the sums of a currency."""
    return wallet_pb2.GetTrialBalanceResponse(
        kinds=[
            wallet_pb2.KindBalance(
                kind=account_kind(total.kind),
                amount_minor=total.amount_minor,
                accounts=total.accounts,
            )
            for total in found.kinds
        ],
        total_minor=sum(total.amount_minor for total in found.kinds),
        entry_no=found.entry_no,
        unbalanced_entries=found.unbalanced_entries,
        entry_at_ms=found.entry_at_ms,
        exponent=exponent,
    )


def rake(
    lines: Iterable[RakeLine], from_ms: int, to_ms: int, exponents: Mapping[str, int]
) -> wallet_pb2.GetRakeResponse:
    """Return rake and fees of a span; `exponents` by currency."""
    return wallet_pb2.GetRakeResponse(
        lines=[
            wallet_pb2.RakeLine(
                room_id=line.room_id,
                game=line.game,
                currency=line.currency,
                hands=line.hands,
                rake_minor=line.rake_minor,
                fees_minor=line.fees_minor,
                exponent=exponents[line.currency],
            )
            for line in lines
        ],
        from_ms=from_ms,
        to_ms=to_ms,
    )


def chips_in_play(
    found: ChipsInPlay, exponents: Mapping[str, int]
) -> wallet_pb2.GetChipsInPlayResponse:
    """Return the tables' money; `exponents` by currency."""
    return wallet_pb2.GetChipsInPlayResponse(
        tables=[
            wallet_pb2.TableChips(
                room_id=table.room_id,
                table_id=table.table_id,
                currency=table.currency,
                players=table.players,
                escrow_minor=table.escrow_minor,
                pot_minor=table.pot_minor,
                pool_minor=table.pool_minor,
                exponent=exponents[table.currency],
            )
            for table in found.tables
        ],
        reserved=[
            wallet_pb2.CurrencyAmount(
                currency=currency, amount_minor=amount, exponent=exponents[currency]
            )
            for currency, amount in found.reserved
        ],
        entry_no=found.entry_no,
    )


def currencies(found: Iterable[tuple[str, int]]) -> wallet_pb2.ListCurrenciesResponse:
    """Return currencies."""
    return wallet_pb2.ListCurrenciesResponse(
        currencies=[money_pb2.Currency(code=code, exponent=exponent) for code, exponent in found]
    )


def entries(page: EntryPage, reached: int) -> wallet_pb2.ListEntriesResponse:
    """Return a page of entries, which is the span of numbers up to `reached`."""
    return wallet_pb2.ListEntriesResponse(
        entries=[_entry(entry) for entry in page.entries],
        last_entry_no=page.last_entry_no,
        next_page_token=next_token(reached, more=reached < page.last_entry_no),
    )


def accounts(page: AccountPage, limit: int) -> wallet_pb2.ListAccountsResponse:
    """Return a page of at most `limit` accounts; a full one may have another behind it."""
    return wallet_pb2.ListAccountsResponse(
        accounts=[
            wallet_pb2.AccountStanding(
                account=account(found.key),
                version=found.version,
                balance_minor=found.balance_minor,
                exponent=found.exponent,
            )
            for found in page.accounts
        ],
        next_page_token=next_token(
            page.accounts[-1].account_no if page.accounts else 0, more=len(page.accounts) == limit
        ),
        last_entry_no=page.last_entry_no,
    )


def audit(found: BookAudit) -> wallet_pb2.AuditBookResponse:
    """Return what an audit found."""
    return wallet_pb2.AuditBookResponse(
        entries=found.entries,
        broken_entry_no=found.broken_entry_no,
        reason=found.reason,
        head_hash=found.head_hash,
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


def _entry(entry: Entry) -> wallet_pb2.Entry:
    draft = entry.draft
    return wallet_pb2.Entry(
        entry_no=entry.entry_no,
        kind=_entry_kind(draft.kind),
        entry_id=draft.entry_id,
        currency=draft.currency,
        at_ms=draft.at_ms,
        table_id=draft.table_id,
        hand_no=draft.hand_no,
        reference=draft.reference,
        note=draft.note,
        postings=[
            wallet_pb2.Posting(
                account=account(posting.account),
                amount_minor=posting.amount_minor,
                version=posting.version,
                balance_minor=posting.balance_minor,
            )
            for posting in entry.postings
        ],
        content_hash=entry.content_hash,
        prev_hash=entry.prev_hash,
        hash=entry.hash,
    )
