"""Accounts and what each kind may hold."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple


class AccountKind(IntEnum):
    """Kinds of accounts; the numbers are those of floor.wallet.v1.AccountKind."""

    PLAYER_CASH = 1
    SEAT_ESCROW = 2
    TABLE_POT = 3
    RAKE = 4
    TOURNAMENT_POOL = 5
    TIPS = 6
    HOUSE = 7
    SUSPENSE = 8
    RESERVED = 9


#: Kinds whose balance is never below zero; the store holds to it as well.
NEVER_NEGATIVE: Final = frozenset(
    {
        AccountKind.PLAYER_CASH,
        AccountKind.SEAT_ESCROW,
        AccountKind.TABLE_POT,
        AccountKind.TOURNAMENT_POOL,
        AccountKind.TIPS,
        AccountKind.RESERVED,
    }
)


class AccountKey(NamedTuple):
    """Which account; `owner`: the player, "<table_id>/<player_id>", the table, the room, or "".

    Rake and tips belong to a room, a pot and a tournament's pool to a table.
    """

    kind: AccountKind
    owner: str
    currency: str

    @property
    def player_id(self) -> str:
        """The player it belongs to, "" for the house's own accounts."""
        if self.kind in (AccountKind.PLAYER_CASH, AccountKind.RESERVED):
            return self.owner
        if self.kind is AccountKind.SEAT_ESCROW:
            return self.owner.partition("/")[2]
        return ""

    @property
    def table_id(self) -> str:
        """The table it stands at, "" for accounts of no table."""
        if self.kind in (AccountKind.TABLE_POT, AccountKind.TOURNAMENT_POOL):
            return self.owner
        if self.kind is AccountKind.SEAT_ESCROW:
            return self.owner.partition("/")[0]
        return ""


def cash(player_id: str, currency: str) -> AccountKey:
    """Name a player's free money."""
    return AccountKey(AccountKind.PLAYER_CASH, player_id, currency)


def reserved(player_id: str, currency: str) -> AccountKey:
    """Name a player's money held by reservations."""
    return AccountKey(AccountKind.RESERVED, player_id, currency)


def escrow(table_id: str, player_id: str, currency: str) -> AccountKey:
    """Name a player's money at a table."""
    return AccountKey(AccountKind.SEAT_ESCROW, f"{table_id}/{player_id}", currency)


def table_pot(table_id: str, currency: str) -> AccountKey:
    """Name the pot that a table carries from hand to hand."""
    return AccountKey(AccountKind.TABLE_POT, table_id, currency)


def rake(room_id: str, currency: str) -> AccountKey:
    """Name a room's rake."""
    return AccountKey(AccountKind.RAKE, room_id, currency)


def tournament_pool(table_id: str, currency: str) -> AccountKey:
    """Name a tournament's prize pool."""
    return AccountKey(AccountKind.TOURNAMENT_POOL, table_id, currency)


def tips(room_id: str, currency: str) -> AccountKey:
    """Name a room's tips."""
    return AccountKey(AccountKind.TIPS, room_id, currency)


def suspense(currency: str) -> AccountKey:
    """Name what the house has to settle by hand."""
    return AccountKey(AccountKind.SUSPENSE, "", currency)


def house(currency: str) -> AccountKey:
    """Name the other side of deposits and withdrawals."""
    return AccountKey(AccountKind.HOUSE, "", currency)
