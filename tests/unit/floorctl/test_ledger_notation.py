"""Accounts, amounts and times of the ledger in words, and as hledger reads them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerfloor.api.wallet.v1 import wallet_pb2 as pb
from pokerfloor.floorctl.arguments import ArgumentError
from pokerfloor.floorctl.ledger.export import commodity, journal_account
from pokerfloor.floorctl.ledger.notation import (
    account_name,
    columns,
    entry_word,
    money,
    owner_of,
    read_account,
    read_entry_kind,
    read_instant,
    when,
)

KINDS = [kind for kind in pb.AccountKind.values() if kind]
OWNERS = st.text(max_size=20)


@pytest.mark.parametrize(
    ("name", "kind", "owner"),
    [
        ("cash/ann", pb.ACCOUNT_KIND_PLAYER_CASH, "ann"),
        ("escrow/main-1/ann", pb.ACCOUNT_KIND_SEAT_ESCROW, "main-1/ann"),
        ("pot/main-1", pb.ACCOUNT_KIND_TABLE_POT, "main-1"),
        ("rake/", pb.ACCOUNT_KIND_RAKE, ""),
        ("house", pb.ACCOUNT_KIND_HOUSE, ""),
    ],
)
def test_names_of_accounts(name: str, kind: int, owner: str) -> None:
    assert account_name(kind, owner) == name
    read = read_account(name, "EUR")
    assert (read.kind, owner_of(read), read.currency) == (kind, owner, "EUR")


@given(st.sampled_from(KINDS), OWNERS)
def test_every_account_has_a_name_that_is_read_back(kind: int, owner: str) -> None:
    if kind == pb.ACCOUNT_KIND_SEAT_ESCROW and "/" not in owner:
        owner = f"main-1/{owner}"
    read = read_account(account_name(kind, owner), "EUR")
    assert (read.kind, owner_of(read)) == (kind, owner)


@given(st.sets(st.tuples(st.sampled_from(KINDS), OWNERS), max_size=20))
def test_no_two_accounts_are_one_to_hledger(places: set[tuple[int, str]]) -> None:
    names = {journal_account(*place) for place in places}
    assert len(names) == len(places)
    for name in names:
        assert name.isascii()
        assert not set(name) & set(" ;()[]|\"'\n\t")


@given(st.integers(-(2**53), 2**53), st.integers(0, 8))
def test_amounts_are_exact(amount: int, exponent: int) -> None:
    written = money(amount, exponent, thousands="")
    assert int(written.replace(".", "")) == amount
    assert len(written.partition(".")[2]) == exponent
    assert money(amount, exponent).replace(",", "") == written


def test_kinds_of_entries() -> None:
    assert entry_word(pb.ENTRY_KIND_BUY_IN) == "buy-in"
    assert entry_word(99) == "kind-99"
    assert read_entry_kind("cash-out") == pb.ENTRY_KIND_CASH_OUT
    with pytest.raises(ArgumentError, match="none of deposit, withdrawal"):
        read_entry_kind("unspecified")


def test_instants() -> None:
    noon = round(datetime(2026, 11, 30, 12, tzinfo=UTC).timestamp() * 1000)
    assert read_instant("2026-11-30T12:00") == noon
    assert read_instant("2026-11-30T13:00+01:00") == noon
    assert when(noon + 7) == "2026-11-30T12:00:00.007Z"
    for text in ("noon", "1969-01-01"):
        with pytest.raises(ArgumentError):
            read_instant(text)


def test_columns_and_commodities() -> None:
    assert columns(("a", "b"), [("x", "1"), ("long", "100")]) == [
        "a       b",
        "x       1",
        "long  100",
    ]
    assert (commodity("EUR"), commodity("BTC8")) == ("EUR", '"BTC8"')
