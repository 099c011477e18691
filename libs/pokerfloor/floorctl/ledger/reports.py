"""Trial balance, rake and chips in play, as tables."""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from pokerfloor.api.wallet.v1 import wallet_pb2, wallet_pb2_grpc
from pokerfloor.floorctl.ledger.notation import ACCOUNT_WORDS, columns, money, read_instant, when


async def trial_balance(
    wallet: wallet_pb2_grpc.WalletServiceAsyncStub, args: argparse.Namespace
) -> int:
    """Print the sums by kind; 1 when they are not zero."""
    sound = True
    for code in [args.currency] if args.currency else await currencies(wallet):
        request = wallet_pb2.GetTrialBalanceRequest(
            currency=code, gaming_day=args.day or "", at_ms=instant(args.at)
        )
        found = await wallet.GetTrialBalance(request)
        sound &= not found.total_minor and not found.unbalanced_entries
        if args.json:
            print_json(found)
        else:
            _print_trial_balance(code, found)
    return 0 if sound else 1


def _print_trial_balance(code: str, found: wallet_pb2.GetTrialBalanceResponse) -> None:
    rows = [
        (
            ACCOUNT_WORDS.get(kind.kind, f"kind-{kind.kind}"),
            f"{kind.accounts:,}",
            money(kind.amount_minor, found.exponent),
        )
        for kind in found.kinds
    ]
    moved = sum(kind.accounts for kind in found.kinds)
    rows.append(("total", f"{moved:,}", money(found.total_minor, found.exponent)))
    _print_lines(columns(("kind", "accounts", code), rows))
    last = f"as of entry {found.entry_no:,}, {when(found.entry_at_ms)}"
    print(last if found.entry_no else "no entry was posted until then")
    if found.total_minor:
        print(f"WRONG: all accounts sum to {found.total_minor} minor units, not to zero")
    if found.unbalanced_entries:
        print(f"WRONG: {found.unbalanced_entries:,} entries do not sum to zero")


async def rake(wallet: wallet_pb2_grpc.WalletServiceAsyncStub, args: argparse.Namespace) -> int:
    """Print rake and fees of a span of time."""
    request = wallet_pb2.GetRakeRequest(
        currency=args.currency,
        gaming_day=args.day or "",
        from_ms=instant(args.from_),
        to_ms=instant(args.to),
    )
    found = await wallet.GetRake(request)
    if args.json:
        print_json(found)
        return 0
    rows = [
        (
            line.room_id,
            line.game,
            line.currency,
            f"{line.hands:,}",
            *_amounts((line.rake_minor, line.fees_minor), line.exponent),
        )
        for line in found.lines
    ]
    totals = _totals((line.currency, line.rake_minor, line.fees_minor) for line in found.lines)
    exponents = {line.currency: line.exponent for line in found.lines}
    hands: dict[str, int] = defaultdict(int)
    for line in found.lines:
        hands[line.currency] += line.hands
    for code, sums in totals.items():
        rows.append(("total", "", code, f"{hands[code]:,}", *_amounts(sums, exponents[code])))
    _print_lines(columns(("room", "game", "", "hands", "rake", "fees"), rows, left=3))
    print(f"from {when(found.from_ms)} to {when(found.to_ms)}")
    return 0


async def chips(wallet: wallet_pb2_grpc.WalletServiceAsyncStub, args: argparse.Namespace) -> int:
    """Print the tables' money."""
    request = wallet_pb2.GetChipsInPlayRequest(currency=args.currency)
    found = await wallet.GetChipsInPlay(request)
    if args.json:
        print_json(found)
        return 0
    rows = [
        (
            table.room_id,
            table.table_id,
            table.currency,
            f"{table.players:,}",
            *_amounts((table.escrow_minor, table.pot_minor, table.pool_minor), table.exponent),
        )
        for table in found.tables
    ]
    totals = _totals(
        (table.currency, table.escrow_minor, table.pot_minor, table.pool_minor)
        for table in found.tables
    )
    exponents = {table.currency: table.exponent for table in found.tables}
    rows += [
        ("total", "", code, "", *_amounts(sums, exponents[code])) for code, sums in totals.items()
    ]
    head = ("room", "table", "", "players", "escrow", "carried pot", "pool")
    _print_lines(columns(head, rows, left=3))
    for held in found.reserved:
        amount = money(held.amount_minor, held.exponent)
        print(f"on the way to tables: {amount} {held.currency}")
    print(f"as of entry {found.entry_no:,}")
    return 0


async def currencies(wallet: wallet_pb2_grpc.WalletServiceAsyncStub) -> list[str]:
    """Return the codes of the book's currencies."""
    found = await wallet.ListCurrencies(wallet_pb2.ListCurrenciesRequest())
    return [currency.code for currency in found.currencies]


def print_json(found: Message) -> None:
    """Print an answer with all of its fields."""
    fields = MessageToDict(
        found, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    print(json.dumps(fields, indent=2))


def instant(text: str | None) -> int:
    """Read an instant of the command line, 0 for none. Raises ArgumentError."""
    return read_instant(text) if text else 0


def _amounts(amounts: Iterable[int], exponent: int) -> tuple[str, ...]:
    return tuple(money(amount, exponent) for amount in amounts)


def _totals(lines: Iterable[tuple[str, *tuple[int, ...]]]) -> dict[str, list[int]]:
    """Add amounts up by currency."""
    totals: dict[str, list[int]] = {}
    for code, *amounts in lines:
        sums = totals.setdefault(code, [0] * len(amounts))
        for i, amount in enumerate(amounts):
            sums[i] += amount
    return dict(sorted(totals.items()))


def _print_lines(lines: Iterable[str]) -> None:
    for line in lines:
        print(line)
