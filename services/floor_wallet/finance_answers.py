"""What the store found of finance and for audits, as messages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

from floor_wallet import answers
from floor_wallet.domain import Entry
from floor_wallet.store import (
    AccountPage,
    BookAudit,
    ChipsInPlay,
    EntryPage,
    RakeLine,
    TrialBalance,
)
from pokerfloor.api.common.v1 import money_pb2
from pokerfloor.api.wallet.v1 import wallet_pb2
from pokerfloor.servicekit import next_token


def trial_balance(found: TrialBalance, exponent: int) -> wallet_pb2.GetTrialBalanceResponse:
    """Show the sums of a currency."""
    return wallet_pb2.GetTrialBalanceResponse(
        kinds=[
            wallet_pb2.KindBalance(
                kind=answers.account_kind(total.kind),
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
    """Show rake and fees of a span; `exponents` by currency."""
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
    """Show the tables' money; `exponents` by currency."""
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
    """Show currencies."""
    return wallet_pb2.ListCurrenciesResponse(
        currencies=[money_pb2.Currency(code=code, exponent=exponent) for code, exponent in found]
    )


def entries(page: EntryPage, reached: int) -> wallet_pb2.ListEntriesResponse:
    """Show a page of entries, which is the span of numbers up to `reached`."""
    return wallet_pb2.ListEntriesResponse(
        entries=[_entry(entry) for entry in page.entries],
        last_entry_no=page.last_entry_no,
        next_page_token=next_token(reached, more=reached < page.last_entry_no),
    )


def accounts(page: AccountPage, limit: int) -> wallet_pb2.ListAccountsResponse:
    """Show a page of at most `limit` accounts; a full one may have another behind it."""
    return wallet_pb2.ListAccountsResponse(
        accounts=[
            wallet_pb2.AccountStanding(
                account=answers.account(found.key),
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
    """Show what an audit found."""
    return wallet_pb2.AuditBookResponse(
        entries=found.entries,
        broken_entry_no=found.broken_entry_no,
        reason=found.reason,
        head_hash=found.head_hash,
    )


def _entry(entry: Entry) -> wallet_pb2.Entry:
    draft = entry.draft
    return wallet_pb2.Entry(
        entry_no=entry.entry_no,
        kind=cast("wallet_pb2.EntryKind.ValueType", int(draft.kind)),
        entry_id=draft.entry_id,
        currency=draft.currency,
        at_ms=draft.at_ms,
        table_id=draft.table_id,
        hand_no=draft.hand_no,
        reference=draft.reference,
        note=draft.note,
        postings=[
            wallet_pb2.Posting(
                account=answers.account(posting.account),
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
