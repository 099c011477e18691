"""Questions of finance and audit. Each is answered from one snapshot; most walk many rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from floor_wallet.domain import AccountKey, AccountKind, EntryKind
from floor_wallet.store.entry_lines import account_key, account_kind
from floor_wallet.store.interface import (
    AccountPage,
    AccountStanding,
    BookAudit,
    ChipsInPlay,
    EntryPage,
    KindTotal,
    RakeLine,
    TableChips,
    TrialBalance,
)
from floor_wallet.store.sqlite.entries import entries_of
from floor_wallet.store.sqlite.reader import Question
from floor_wallet.store.verify import Standing, audit

_PRIME: Final = 2**31 - 1


def trial_balance(currency: str, at_ms: int | None) -> Question[TrialBalance | None]:
    """Ask for the sums of a currency, and for entries that do not balance.

    An instant is an entry: entries never grow older, so what stood then is what stands now less
    what was posted since.
    """

    def ask(connection: sqlite3.Connection) -> TrialBalance | None:
        known = connection.execute("SELECT 1 FROM currencies WHERE code = ?", (currency,))
        if not known.fetchone():
            return None
        entry_no, entry_at_ms = _last_entry(connection, at_ms)
        since = dict(
            connection.execute(
                "SELECT account_no, sum(amount_minor) FROM postings WHERE entry_no > ?"
                " GROUP BY account_no",
                (entry_no,),
            ).fetchall()
        )
        totals: dict[AccountKind, list[int]] = {}
        for account_no, kind, balance, first_entry_no in connection.execute(
            "SELECT account_no, kind, balance_minor, (SELECT entry_no FROM postings"
            " WHERE postings.account_no = accounts.account_no AND version = 1)"
            " FROM accounts WHERE currency = ?",
            (currency,),
        ):
            total = totals.setdefault(account_kind(kind), [0, 0])
            total[0] += balance - since.get(account_no, 0)
            total[1] += first_entry_no is not None and first_entry_no <= entry_no
        unbalanced = _unbalanced(connection, entry_no)
        kinds = tuple(KindTotal(kind, *totals[kind]) for kind in sorted(totals))
        return TrialBalance(kinds, entry_no, unbalanced, entry_at_ms)

    return ask


def rake(from_ms: int, to_ms: int, currency: str) -> Question[tuple[RakeLine, ...]]:
    """Ask for rake by room, game and currency, from the hands, and for fees from the entries."""

    def ask(connection: sqlite3.Connection) -> tuple[RakeLine, ...]:
        lines: dict[tuple[str, str, str], RakeLine] = {}
        for row in connection.execute(
            "SELECT room_id, game, currency, sum(voided = 0), sum(rake_minor) FROM hands"
            " WHERE at_ms >= ?1 AND at_ms < ?2 AND (?3 = '' OR currency = ?3)"
            " GROUP BY room_id, game, currency",
            (from_ms, to_ms, currency),
        ):
            lines[row[:3]] = RakeLine(row[0], row[1], row[2], row[3], row[4], 0)
        for room_id, code, fees in _fees(connection, from_ms, to_ms, currency):
            line = lines.get((room_id, "", code), RakeLine(room_id, "", code, 0, 0, 0))
            lines[room_id, "", code] = replace(line, fees_minor=fees)
        return tuple(lines[key] for key in sorted(lines))

    return ask


def chips_in_play(currency: str) -> Question[ChipsInPlay]:
    """Ask for the money at the tables, and on its way there."""

    def ask(connection: sqlite3.Connection) -> ChipsInPlay:
        found = connection.execute(
            "SELECT coalesce(t.room_id, ''), a.table_id, a.currency, sum(a.kind = 2),"
            " sum(iif(a.kind = 2, balance_minor, 0)), sum(iif(a.kind = 3, balance_minor, 0)),"
            " sum(iif(a.kind = 5, balance_minor, 0))"
            " FROM accounts AS a LEFT JOIN tables AS t USING (table_id)"
            " WHERE a.table_id <> '' AND a.balance_minor > 0 AND (?1 = '' OR a.currency = ?1)"
            " GROUP BY 1, 2, 3 ORDER BY 1, 2, 3",
            (currency,),
        ).fetchall()
        reserved = connection.execute(
            "SELECT currency, sum(balance_minor) FROM accounts"
            " WHERE kind = 9 AND (?1 = '' OR currency = ?1)"
            " GROUP BY currency HAVING sum(balance_minor) > 0 ORDER BY currency",
            (currency,),
        ).fetchall()
        entry_no, _ = _last_entry(connection, None)
        tables = tuple(TableChips(*row) for row in found)
        return ChipsInPlay(tables, tuple((row[0], row[1]) for row in reserved), entry_no)

    return ask


def currencies(connection: sqlite3.Connection) -> tuple[tuple[str, int], ...]:
    """Ask for the currencies."""
    found = connection.execute("SELECT code, exponent FROM currencies ORDER BY code")
    return tuple((row[0], row[1]) for row in found)


def entries(after_entry_no: int, limit: int) -> Question[EntryPage]:
    """Ask for entries in order."""

    def ask(connection: sqlite3.Connection) -> EntryPage:
        last_no, _ = _last_entry(connection, None)
        page = tuple(entries_of(connection, after_entry_no, after_entry_no + limit))
        return EntryPage(page, last_no)

    return ask


def accounts(after_account_no: int, limit: int) -> Question[AccountPage]:
    """Ask for accounts in the order they were opened."""

    def ask(connection: sqlite3.Connection) -> AccountPage:
        found = connection.execute(
            "SELECT account_no, kind, owner, currency, version, balance_minor, exponent"
            " FROM accounts JOIN currencies ON code = currency"
            " WHERE account_no > ? ORDER BY account_no LIMIT ?",
            (after_account_no, limit),
        ).fetchall()
        last_no, _ = _last_entry(connection, None)
        page = tuple(
            AccountStanding(row[0], account_key(row[1], row[2], row[3]), *row[4:]) for row in found
        )
        return AccountPage(page, last_no)

    return ask


def audit_book(connection: sqlite3.Connection) -> BookAudit:
    """Recompute the whole book."""
    last_no, _ = _last_entry(connection, None)
    return audit(entries_of(connection, 0, last_no), last_no, _standings(connection))


def _standings(connection: sqlite3.Connection) -> Iterator[tuple[AccountKey, Standing]]:
    for row in connection.execute(
        "SELECT kind, owner, currency, version, balance_minor FROM accounts"
    ):
        yield account_key(row[0], row[1], row[2]), (row[3], row[4])


def _unbalanced(connection: sqlite3.Connection, entry_no: int) -> int:
    """Count entries up to a number whose postings do not sum to zero.

    Looking at each entry jumps all over the file. One pass in the order in which postings lie
    there does for a sound book: each amount is weighed by its entry's number, modulo a prime, so
    the whole is zero if every entry is, and (but for once in 2^31) only then.
    """
    (weighed,) = connection.execute(
        "SELECT coalesce(sum((amount_minor % ?1) * (entry_no * 48271 % ?1) % ?1), 0)"
        " FROM postings WHERE +entry_no <= ?2",
        (_PRIME, entry_no),
    ).fetchone()
    if weighed % _PRIME == 0:
        return 0
    found = connection.execute(
        "SELECT count(*) FROM (SELECT 1 FROM postings WHERE entry_no <= ? GROUP BY entry_no"
        " HAVING sum(amount_minor) <> 0)",
        (entry_no,),
    ).fetchone()
    return int(found[0])


def _last_entry(connection: sqlite3.Connection, at_ms: int | None) -> tuple[int, int]:
    """Give number and time of the last entry, or of the last at a time or before: 0, 0 for none.

    Entries never grow older, so it is found by halving, without an index. The first versions had
    a few that did: so it looks at places that stay the same while the book grows, and what stood
    at an instant never changes.
    """
    (high,) = connection.execute("SELECT coalesce(max(entry_no), 0) FROM entries").fetchone()
    if at_ms is None:
        return high, _time_of(connection, high)
    low, step = 0, 1 << int(high).bit_length()
    while step:
        if low + step <= high and _time_of(connection, low + step) <= at_ms:
            low += step
        step >>= 1
    return low, _time_of(connection, low)


def _time_of(connection: sqlite3.Connection, entry_no: int) -> int:
    """Give when an entry was posted; of one that somebody took out, when the one before was."""
    row = connection.execute(
        "SELECT at_ms FROM entries WHERE entry_no <= ? ORDER BY entry_no DESC LIMIT 1", (entry_no,)
    ).fetchone()
    return int(row[0]) if row else 0


def _fees(
    connection: sqlite3.Connection, from_ms: int, to_ms: int, currency: str
) -> list[tuple[str, str, int]]:
    """Give by room and currency what tournaments brought, less what was given back.

    Other entries that are reversed may move rake too: rake taken to the house is no fee.
    """
    first, _ = _last_entry(connection, from_ms - 1)
    last, _ = _last_entry(connection, to_ms - 1)
    return connection.execute(
        "SELECT a.owner, a.currency, sum(p.amount_minor) FROM entries AS e"
        " JOIN postings AS p USING (entry_no) JOIN accounts AS a USING (account_no)"
        " WHERE e.entry_no > ?1 AND e.entry_no <= ?2 AND a.kind = ?4"
        " AND (?3 = '' OR a.currency = ?3) AND (e.kind = ?5 OR e.kind = ?6"
        " AND (SELECT kind FROM entries AS undone"
        " WHERE undone.entry_no = CAST(e.reference AS INTEGER)) = ?5)"
        " GROUP BY a.owner, a.currency",
        (first, last, currency, AccountKind.RAKE, EntryKind.TOURNAMENT, EntryKind.REVERSAL),
    ).fetchall()
