"""How the questions of finance and of auditors are answered, on both databases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from floor_wallet.domain import AccountKind, EntryKind
from floor_wallet.store import questions as ask
from floor_wallet.store.entry_lines import (
    ENTRY_LINES,
    IN_ORDER,
    account_key,
    account_kind,
    entries_in,
)
from floor_wallet.store.reading import Reading, select, select_first, select_row

_PRIME: Final = 2**31 - 1


def _trial_balance(question: ask.TrialBalanceOf) -> Reading[ask.TrialBalance | None]:
    """Add up the accounts of a currency.

    An instant is an entry: entries never grow older, so what stood then is what stands now less
    what was posted since.
    """
    currency = question.currency
    if not (yield from select("SELECT 1 FROM currencies WHERE code = $1", currency)):
        return None
    entry_no, entry_at_ms = yield from _last_entry(question.at_ms)
    totals = yield from select(
        "SELECT a.kind, CAST(sum(a.balance_minor - coalesce(since.moved, 0)) AS bigint),"
        " count(*) FILTER (WHERE first.entry_no <= $2)"
        " FROM accounts AS a LEFT JOIN"
        " (SELECT account_no, sum(amount_minor) AS moved FROM postings WHERE entry_no > $2"
        " GROUP BY account_no) AS since ON since.account_no = a.account_no"
        " LEFT JOIN postings AS first ON first.account_no = a.account_no AND first.version = 1"
        " WHERE a.currency = $1 GROUP BY a.kind ORDER BY a.kind",
        currency,
        entry_no,
    )
    unbalanced = yield from _unbalanced(entry_no)
    kinds = tuple(ask.KindTotal(account_kind(row[0]), row[1], row[2]) for row in totals)
    return ask.TrialBalance(kinds, entry_no, unbalanced, entry_at_ms)


def _unbalanced(entry_no: int) -> Reading[int]:
    """Count entries up to a number whose postings do not sum to zero.

    Looking at each entry jumps all over the file. One pass in the order in which postings lie
    there does for a sound book: each amount is weighed by its entry's number, modulo a prime, so
    the whole is zero if every entry is, and (but for once in 2^31) only then.
    """
    # The plus keeps SQLite from walking the index of entry numbers.
    (weighed,) = yield from select_row(
        "SELECT CAST(coalesce(sum((amount_minor % CAST($1 AS bigint)) * (entry_no * 48271 % $1)"
        " % $1), 0) AS bigint) FROM postings WHERE +entry_no <= $2",
        _PRIME,
        entry_no,
    )
    if weighed % _PRIME == 0:
        return 0
    (found,) = yield from select_row(
        "SELECT count(*) FROM (SELECT 1 FROM postings WHERE entry_no <= $1 GROUP BY entry_no"
        " HAVING sum(amount_minor) <> 0) AS entry",
        entry_no,
    )
    return int(found)


def _last_entry(at_ms: int | None) -> Reading[tuple[int, int]]:
    """Read number and time of the last entry, or of the last at a time or before: 0, 0 for none.

    Entries never grow older, so it is found by halving, without an index. The first versions had
    a few that did: so it looks at places that stay the same while the book grows, and what stood
    at an instant never changes.
    """
    (high,) = yield from select_row("SELECT coalesce(max(entry_no), 0) FROM entries")
    if at_ms is None:
        return high, (yield from _time_of(high))
    low, step = 0, 1 << int(high).bit_length()
    while step:
        if low + step <= high and (yield from _time_of(low + step)) <= at_ms:
            low += step
        step >>= 1
    return low, (yield from _time_of(low))


def _time_of(entry_no: int) -> Reading[int]:
    """Read when an entry was posted; of one that somebody took out, when the one before was."""
    row = yield from select_first(
        "SELECT at_ms FROM entries WHERE entry_no <= $1 ORDER BY entry_no DESC LIMIT 1", entry_no
    )
    return int(row[0]) if row else 0


def _rake(question: ask.RakeBetween) -> Reading[tuple[ask.RakeLine, ...]]:
    """Add up rake from the hands, and fees from the entries."""
    lines: dict[tuple[str, str, str], ask.RakeLine] = {}
    hands = yield from select(
        "SELECT room_id, game, currency, count(*) FILTER (WHERE NOT voided),"
        " CAST(sum(rake_minor) AS bigint)"
        " FROM hands WHERE at_ms >= $1 AND at_ms < $2"
        " AND (CAST($3 AS text) = '' OR currency = $3) GROUP BY room_id, game, currency",
        question.from_ms,
        question.to_ms,
        question.currency,
    )
    for room_id, game, code, count, rake_minor in hands:
        lines[room_id, game, code] = ask.RakeLine(room_id, game, code, count, rake_minor, 0)
    for room_id, code, fees in (yield from _fees(question)):
        line = lines.get((room_id, "", code), ask.RakeLine(room_id, "", code, 0, 0, 0))
        lines[room_id, "", code] = replace(line, fees_minor=fees)
    return tuple(lines[key] for key in sorted(lines))


def _fees(question: ask.RakeBetween) -> Reading[list[tuple[str, str, int]]]:
    """Read by room and currency what tournaments brought, less what was given back.

    Other entries that are reversed may move rake too: rake taken to the house is no fee.
    """
    first, _ = yield from _last_entry(question.from_ms - 1)
    last, _ = yield from _last_entry(question.to_ms - 1)
    rows = yield from select(
        "SELECT a.owner, a.currency, CAST(sum(p.amount_minor) AS bigint) FROM entries AS e"
        " JOIN postings AS p ON p.entry_no = e.entry_no"
        " JOIN accounts AS a ON a.account_no = p.account_no"
        " WHERE e.entry_no > $1 AND e.entry_no <= $2 AND a.kind = $4"
        " AND (e.kind = $5 OR (SELECT undone.kind FROM entries AS undone WHERE undone.entry_no ="
        " CASE WHEN e.kind = $6 THEN CAST(e.reference AS bigint) END) = $5)"
        " AND (CAST($3 AS text) = '' OR a.currency = $3) GROUP BY a.owner, a.currency",
        first,
        last,
        question.currency,
        int(AccountKind.RAKE),
        int(EntryKind.TOURNAMENT),
        int(EntryKind.REVERSAL),
    )
    return [(row[0], row[1], row[2]) for row in rows]


def _sum_of(kind: AccountKind) -> str:
    return f"CAST(coalesce(sum(a.balance_minor) FILTER (WHERE a.kind = {kind:d}), 0) AS bigint)"


_TABLE_CHIPS: Final = (
    "SELECT coalesce(t.room_id, ''), a.table_id, a.currency,"  # noqa: S608 - constants
    f" count(*) FILTER (WHERE a.kind = {AccountKind.SEAT_ESCROW:d}),"
    f" {_sum_of(AccountKind.SEAT_ESCROW)}, {_sum_of(AccountKind.TABLE_POT)},"
    f" {_sum_of(AccountKind.TOURNAMENT_POOL)}"
    " FROM accounts AS a LEFT JOIN tables AS t ON t.table_id = a.table_id"
    " WHERE a.table_id <> '' AND a.balance_minor > 0"
    " AND (CAST($1 AS text) = '' OR a.currency = $1) GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"
)
_RESERVED: Final = (
    "SELECT currency, CAST(sum(balance_minor) AS bigint) FROM accounts"  # noqa: S608 - constants
    f" WHERE kind = {AccountKind.RESERVED:d} AND (CAST($1 AS text) = '' OR currency = $1)"
    " GROUP BY currency HAVING sum(balance_minor) > 0 ORDER BY currency"
)


def _chips_in_play(question: ask.ChipsInPlayOf) -> Reading[ask.ChipsInPlay]:
    tables = yield from select(_TABLE_CHIPS, question.currency)
    reserved = yield from select(_RESERVED, question.currency)
    entry_no, _ = yield from _last_entry(None)
    return ask.ChipsInPlay(
        tuple(ask.TableChips(*row) for row in tables),
        tuple((row[0], row[1]) for row in reserved),
        entry_no,
    )


def _currencies(_: ask.Currencies) -> Reading[tuple[tuple[str, int], ...]]:
    rows = yield from select("SELECT code, exponent FROM currencies ORDER BY code")
    return tuple((row[0], row[1]) for row in rows)


def _entries(question: ask.EntriesAfter) -> Reading[ask.EntryPage]:
    last_no, _ = yield from _last_entry(None)
    lines = yield from select(
        f"{ENTRY_LINES} WHERE e.entry_no > $1 AND e.entry_no <= $2 {IN_ORDER}",
        question.entry_no,
        question.entry_no + question.limit,
    )
    return ask.EntryPage(tuple(entries_in(lines)), last_no)


def _accounts(question: ask.AccountsAfter) -> Reading[ask.AccountPage]:
    rows = yield from select(
        "SELECT a.account_no, a.kind, a.owner, a.currency, a.version, a.balance_minor, c.exponent"
        " FROM accounts AS a JOIN currencies AS c ON c.code = a.currency"
        " WHERE a.account_no > $1 ORDER BY a.account_no LIMIT $2",
        question.account_no,
        question.limit,
    )
    last_no, _ = yield from _last_entry(None)
    page = tuple(
        ask.AccountStanding(row[0], account_key(row[1], row[2], row[3]), *row[4:]) for row in rows
    )
    return ask.AccountPage(page, last_no)


ANSWERS: Final[Mapping[type[ask.Question[Any]], Callable[[Any], Reading[Any]]]] = {
    ask.TrialBalanceOf: _trial_balance,
    ask.RakeBetween: _rake,
    ask.ChipsInPlayOf: _chips_in_play,
    ask.Currencies: _currencies,
    ask.EntriesAfter: _entries,
    ask.AccountsAfter: _accounts,
}
