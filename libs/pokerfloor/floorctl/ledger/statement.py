"""An account's statement, line by line."""

from __future__ import annotations

import argparse
from typing import Final

from pokerfloor.api.wallet.v1 import wallet_pb2, wallet_pb2_grpc
from pokerfloor.floorctl.arguments import ArgumentError
from pokerfloor.floorctl.ledger.notation import (
    columns,
    entry_word,
    money,
    read_account,
    read_entry_kind,
    when,
)
from pokerfloor.floorctl.ledger.reports import currencies, instant, print_json

_MOST_LINES: Final = 100_000
_PAGE: Final = 500


async def run(wallet: wallet_pb2_grpc.WalletServiceAsyncStub, args: argparse.Namespace) -> int:
    """Print some lines, and how to go on where more follow."""
    if not 1 <= args.limit <= _MOST_LINES:
        raise ArgumentError("INVALID_FIELD", f"--limit is 1 to {_MOST_LINES}")
    code = args.currency or await _only_currency(wallet)
    request = wallet_pb2.GetStatementRequest(
        account=read_account(args.account, code),
        page_token=args.after,
        kind=read_entry_kind(args.kind) if args.kind else wallet_pb2.ENTRY_KIND_UNSPECIFIED,
        table_id=args.table,
        from_ms=instant(args.from_),
        to_ms=instant(args.to),
    )
    found = await _lines(wallet, request, args.limit)
    if args.json:
        print_json(found)
        return 0
    head = ("line", "posted", "what", "table", "hand", "amount", "balance", "entry", "reference")
    rows = [_row(line, found.exponent) for line in found.lines]
    for text in columns(head, rows, left=4):
        print(text)
    print(f"balance {money(found.balance_minor, found.exponent)} {code}")
    if found.next_page_token:
        print(f"more: --after {found.next_page_token}")
    return 0


async def _only_currency(wallet: wallet_pb2_grpc.WalletServiceAsyncStub) -> str:
    codes = await currencies(wallet)
    if len(codes) != 1:
        raise ArgumentError("INVALID_FIELD", f"name a --currency of {', '.join(codes) or 'none'}")
    return codes[0]


async def _lines(
    wallet: wallet_pb2_grpc.WalletServiceAsyncStub,
    request: wallet_pb2.GetStatementRequest,
    limit: int,
) -> wallet_pb2.GetStatementResponse:
    """Give up to `limit` lines as one page."""
    request.page_size = min(limit, _PAGE)
    found = await wallet.GetStatement(request)
    while found.next_page_token and len(found.lines) < limit:
        request.page_token = found.next_page_token
        request.page_size = min(limit - len(found.lines), _PAGE)
        page = await wallet.GetStatement(request)
        found.lines.extend(page.lines)
        found.next_page_token = page.next_page_token
        found.balance_minor = page.balance_minor
    return found


def _row(line: wallet_pb2.StatementLine, exponent: int) -> tuple[str, ...]:
    return (
        f"{line.version}",
        when(line.at_ms),
        entry_word(line.kind),
        line.table_id,
        f"{line.hand_no}" if line.hand_no else "",
        money(line.amount_minor, exponent),
        money(line.balance_minor, exponent),
        f"{line.entry_no}",
        line.reference,
    )
