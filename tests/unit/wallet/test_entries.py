"""An entry is checked, numbered, balanced and chained before any store sees it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

import pytest

from floor_wallet.domain import (
    GENESIS,
    MAX_MINOR,
    NEVER_NEGATIVE,
    AccountKey,
    AccountKind,
    AccountState,
    Draft,
    Entry,
    EntryKind,
    Head,
    Refusal,
    cash,
    escrow,
    house,
    rake,
    reserved,
    seal,
    table_pot,
)
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.wallet.v1 import wallet_pb2

ANN, BOB, HOUSE = cash("ann", "EUR"), cash("bob", "EUR"), house("EUR")


class Balances:
    def __init__(self, **cash_by_player: int) -> None:
        self.states = {
            cash(player, "EUR"): AccountState(amount, 3)
            for player, amount in cash_by_player.items()
        }

    def head(self) -> Head:
        return Head(7, b"h" * 32)

    def account(self, key: AccountKey) -> AccountState | None:
        return self.states.get(key)


def draft(*movements: tuple[AccountKey, int]) -> Draft:
    return Draft(EntryKind.DEPOSIT, "id", "EUR", 99, movements, reference="r", note="n")


def sealed(draft: Draft, balances: Balances) -> Entry:
    entry = seal(draft, balances)
    assert isinstance(entry, Entry)
    return entry


def test_numbers_versions_balances_and_hashes() -> None:
    entry = sealed(draft((ANN, 40), (HOUSE, -40)), Balances(ann=60))
    assert entry.entry_no == 8
    assert [(p.version, p.balance_minor) for p in entry.postings] == [(4, 100), (1, -40)]
    assert (entry.amount_minor, entry.balance_of(ANN)) == (40, 100)
    content = [
        8,
        1,
        "id",
        "EUR",
        99,
        "",
        0,
        "r",
        "n",
        [[1, "ann", 40, 4, 100], [7, "", -40, 1, -40]],
    ]
    digest = hashlib.sha256(json.dumps(content, separators=(",", ":")).encode()).digest()
    assert entry.content_hash == digest
    assert entry.prev_hash == b"h" * 32
    assert entry.hash == hashlib.sha256(b"h" * 32 + digest).digest()


def test_the_order_of_postings_does_not_change_the_hash() -> None:
    book = Balances(ann=60)
    one = sealed(draft((ANN, 40), (HOUSE, -40)), book)
    other = sealed(draft((HOUSE, -40), (ANN, 40)), book)
    assert one.hash == other.hash
    assert sealed(replace(draft((ANN, 40), (HOUSE, -40)), note="x"), book).hash != one.hash


@pytest.mark.parametrize(
    ("movements", "code"),
    [
        ((), errors_pb2.ERROR_CODE_NOT_BALANCED),
        (((ANN, 5),), errors_pb2.ERROR_CODE_NOT_BALANCED),
        (((ANN, 5), (HOUSE, -4)), errors_pb2.ERROR_CODE_NOT_BALANCED),
        (((ANN, 5), (ANN, -5)), errors_pb2.ERROR_CODE_NOT_BALANCED),
        (((ANN, 0), (HOUSE, 0)), errors_pb2.ERROR_CODE_AMOUNT_OUT_OF_RANGE),
        (((ANN, 2**53), (HOUSE, -(2**53))), errors_pb2.ERROR_CODE_AMOUNT_OUT_OF_RANGE),
        (((ANN, MAX_MINOR), (HOUSE, -MAX_MINOR)), errors_pb2.ERROR_CODE_AMOUNT_OUT_OF_RANGE),
        (((BOB, -1), (HOUSE, 1)), errors_pb2.ERROR_CODE_INSUFFICIENT_FUNDS),
        (((ANN, -61), (HOUSE, 61)), errors_pb2.ERROR_CODE_INSUFFICIENT_FUNDS),
        (((ANN, 5), (house("USD"), -5)), errors_pb2.ERROR_CODE_CURRENCY_MISMATCH),
    ],
)
def test_what_no_entry_may_be(movements: tuple[tuple[AccountKey, int], ...], code: int) -> None:
    refused = seal(draft(*movements), Balances(ann=60))
    assert isinstance(refused, Refusal)
    assert refused.code == code


def test_which_accounts_may_go_below_zero() -> None:
    for kind in AccountKind:
        movements = ((AccountKey(kind, "x/y", "EUR"), -1), (ANN, 1))
        if kind in NEVER_NEGATIVE:
            assert isinstance(seal(draft(*movements), Balances()), Refusal)
        else:
            assert sealed(draft(*movements), Balances()).postings[0].balance_minor == -1


def test_kinds_are_those_of_the_proto() -> None:
    for kind in AccountKind:
        assert wallet_pb2.AccountKind.Name(kind) == f"ACCOUNT_KIND_{kind.name}"  # type: ignore[arg-type]  # numbers are equal
    for entry_kind in EntryKind:
        assert wallet_pb2.EntryKind.Name(entry_kind) == f"ENTRY_KIND_{entry_kind.name}"  # type: ignore[arg-type]  # numbers are equal
    assert len(wallet_pb2.AccountKind.values()) == len(AccountKind) + 1
    assert len(wallet_pb2.EntryKind.values()) == len(EntryKind) + 1


def test_whose_an_account_is() -> None:
    owners = {
        cash("ann", "EUR"): ("ann", ""),
        reserved("ann", "EUR"): ("ann", ""),
        escrow("t1", "ann", "EUR"): ("ann", "t1"),
        table_pot("t1", "EUR"): ("", "t1"),
        rake("room", "EUR"): ("", ""),
        HOUSE: ("", ""),
    }
    for account, (player, table) in owners.items():
        assert (account.player_id, account.table_id) == (player, table)
    assert bytes(32) == GENESIS
