"""`floorctl ledger export`: the book as an hledger journal that asserts each balance."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TextIO
from urllib.parse import quote

from pokerfloor.api.wallet.v1 import wallet_pb2, wallet_pb2_grpc
from pokerfloor.floorctl.ledger.notation import account_key, entry_word, money, owner_of, when
from pokerfloor.floorctl.ledger.reading import BrokenBook, account_pages, entries

_PREFIX: Final[dict[int, str]] = {
    wallet_pb2.ACCOUNT_KIND_PLAYER_CASH: "player:cash",
    wallet_pb2.ACCOUNT_KIND_RESERVED: "player:reserved",
    wallet_pb2.ACCOUNT_KIND_SEAT_ESCROW: "table:escrow",
    wallet_pb2.ACCOUNT_KIND_TABLE_POT: "table:pot",
    wallet_pb2.ACCOUNT_KIND_TOURNAMENT_POOL: "table:pool",
    wallet_pb2.ACCOUNT_KIND_RAKE: "rake",
    wallet_pb2.ACCOUNT_KIND_TIPS: "tips",
    wallet_pb2.ACCOUNT_KIND_HOUSE: "house",
    wallet_pb2.ACCOUNT_KIND_SUSPENSE: "suspense",
}
_OF_THE_HOUSE: Final = (wallet_pb2.ACCOUNT_KIND_HOUSE, wallet_pb2.ACCOUNT_KIND_SUSPENSE)
# What "" is written as: `quote` never gives it.
_NOBODY: Final = "%"


async def run(wallet: wallet_pb2_grpc.WalletServiceAsyncStub, args: argparse.Namespace) -> int:
    """Write the journal; a file appears when it is whole."""
    with _opened(args.out) as out:
        out.write("decimal-mark .\n")
        found = await wallet.ListCurrencies(wallet_pb2.ListCurrenciesRequest())
        exponents = {currency.code: currency.exponent for currency in found.currencies}
        for code, exponent in exponents.items():
            out.write(f"commodity {_sample(exponent)} {commodity(code)}\n")
        last_no = 0
        async for page in account_pages(wallet):
            last_no = page.last_entry_no
            for standing in page.accounts:
                account = standing.account
                out.write(f"account {journal_account(account.kind, owner_of(account))}\n")
        day = ""
        async for entry in entries(wallet, last_no):
            # Books of the first releases may hold entries of a clock that was set back; hledger
            # asserts balances in the order of dates.
            day = max(day, when(entry.at_ms)[:10])
            if entry.currency not in exponents:
                raise BrokenBook(
                    f"entry {entry.entry_no} is in {entry.currency}, which is not known"
                )
            out.write(_transaction(entry, day, exponents[entry.currency]))
    return 0


def journal_account(kind: int, owner: str) -> str:
    """Name an account for hledger: table:escrow:main-1:ann.

    Whatever a name holds that hledger would read as its own is written as in a URL.
    """
    prefix = _PREFIX.get(kind, f"kind-{kind}")
    if kind in _OF_THE_HOUSE and not owner:
        return prefix
    parts = owner.split("/") if kind == wallet_pb2.ACCOUNT_KIND_SEAT_ESCROW else [owner]
    return ":".join([prefix, *(quote(part, safe="@+") or _NOBODY for part in parts)])


def commodity(code: str) -> str:
    """Write a currency's code; hledger wants one with digits in quotes."""
    return code if code.isalpha() else f'"{code}"'


def _sample(exponent: int) -> str:
    """Write an amount that shows how many decimals there are; hledger wants the mark always."""
    sample = money(1000 * 10**exponent, exponent, thousands="")
    return sample if exponent else f"{sample}."


def _transaction(entry: wallet_pb2.Entry, day: str, exponent: int) -> str:
    code = commodity(entry.currency)
    about = [entry_word(entry.kind), entry.table_id, f"{entry.hand_no or ''}"]
    lines = [f"{day} ({entry.entry_no}) {' '.join(word for word in about if word)}"]
    remarks = (
        ("id", entry.entry_id),
        ("at", when(entry.at_ms)),
        ("reference", entry.reference),
        ("note", entry.note),
        ("hash", entry.hash.hex()),
    )
    lines += [f"    ; {name}: {_one_line(text)}" for name, text in remarks if text]
    for posting in entry.postings:
        account = journal_account(*account_key(posting))
        amount = money(posting.amount_minor, exponent, thousands="")
        balance = money(posting.balance_minor, exponent, thousands="")
        lines.append(f"    {account}  {amount} {code} = {balance} {code}")
    return "\n" + "\n".join(lines) + "\n"


def _one_line(text: str) -> str:
    return "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in text)


@contextmanager
def _opened(path: Path | None) -> Iterator[TextIO]:
    if path is None:
        yield sys.stdout
        return
    part = path.with_name(path.name + ".part")
    try:
        with part.open("w", encoding="utf-8") as out:
            yield out
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
