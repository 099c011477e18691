"""hledger adds the exported book up by itself, and agrees on every balance."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from pokerfloor.api.wallet.v1 import wallet_pb2 as pb
from pokerfloor.floorctl.ledger.export import journal_account
from pokerfloor.floorctl.ledger.notation import owner_of
from tests.support.commands import floorctl
from tests.support.hledger import balances, hledger
from tests.support.postgres import new_database
from tests.support.wallet.ledger_evening import CURRENCIES, Evening
from tests.support.wallet.wallet_floor import WalletFloor, wallet_floor

pytestmark = pytest.mark.integration


async def export(floor: WalletFloor, journal: Path) -> None:
    token = journal.with_suffix(".token")
    token.write_text(floor.identities.token("audit", "auditor"), encoding="ascii")
    where = ("--wallet", floor.wallet.address, "--token-file", str(token))
    assert await floorctl("ledger", "export", *where, "--out", str(journal)) == (0, "", "")


async def standing(floor: WalletFloor) -> dict[tuple[str, str], Decimal]:
    """What the wallet says that each account holds."""
    found = {}
    after = ""
    while True:
        page = await floor.auditor.ListAccounts(
            pb.ListAccountsRequest(page_token=after, page_size=7)
        )
        for account in page.accounts:
            name = journal_account(account.account.kind, owner_of(account.account))
            amount = Decimal(account.balance_minor).scaleb(-account.exponent)
            if amount:
                found[name, account.account.currency] = amount
        after = page.next_page_token
        if not after:
            return found


@pytest.mark.needs("hledger")
@pytest.mark.parametrize("store", ["sqlite", "postgres"])
async def test_hledger_agrees_on_every_balance(tmp_path: Path, store: str) -> None:
    journal = tmp_path / "book.journal"
    settings = {"ledger_url": new_database().ledger_url} if store == "postgres" else {}
    async with wallet_floor(tmp_path, **settings) as floor:
        evening = Evening(floor, 2)
        await evening.begin()
        await evening.go_on(90)
        await export(floor, journal)
        expected = await standing(floor)
        where = ("--wallet", floor.wallet.address, "--token-file", str(tmp_path / "book.token"))
        code, _, said = await floorctl("ledger", "statement", "cash/ann", *where)
        assert (code, "name a --currency of BTC8, EUR, JPY" in said) == (2, True)
        code, told, said = await floorctl("ledger", "trial-balance", *where)
        assert (code, said, told.count("\ntotal ")) == (0, "", 3)
        nats = ("--nats", floor.broker.url)
        code, told, said = await floorctl("ledger", "audit", *where, *nats)
        assert (code, said, told.splitlines()[-1]) == (0, "", "the book is sound")
    assert {code for _, code in expected} == set(CURRENCIES)
    assert balances(journal) == expected
    checked = hledger(journal, "check", "--strict")
    assert (checked.returncode, checked.stderr) == (0, "")
    # It would have noticed: one unit more in one place.
    text = journal.read_text(encoding="utf-8")
    line = next(line for line in text.splitlines() if line.startswith("    player:cash:ann  "))
    for wrong in (line.replace("  1", "  2"), line.replace(" = 1", " = 2")):
        assert wrong != line
        journal.write_text(text.replace(line, wrong, 1), encoding="utf-8")
        assert hledger(journal, "check").returncode != 0
