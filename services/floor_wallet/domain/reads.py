"""What a unit of work is known to read of the book before it runs, as far as its command says.

A store on a server loads this for all units of a group with a few statements. It is a hint: what is
missing here is looked up when the rules ask for it, each key by a round trip of its own.
"""

from __future__ import annotations

from typing import NamedTuple

from floor_wallet.domain.accounts import AccountKey


class Reads(NamedTuple):
    """Keys of the book by kind."""

    #: Records of commands, by scope and id.
    commands: tuple[tuple[str, str], ...] = ()
    accounts: tuple[AccountKey, ...] = ()
    tables: tuple[str, ...] = ()
    #: With the cash and the reserved money of their players.
    reservations: tuple[str, ...] = ()
    #: What is held for a player at a table, by table and player.
    held: tuple[tuple[str, str], ...] = ()
    #: Escrows whose last cash-out is asked for.
    cash_outs: tuple[AccountKey, ...] = ()
    #: Seats by table and player: escrow, cash and reserved money in the table's currency.
    seats: tuple[tuple[str, str], ...] = ()
