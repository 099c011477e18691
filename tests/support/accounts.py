"""Accounts of the wallet by kind and owner, as people write them."""

from __future__ import annotations

from typing import Final

from pokerfloor.api.wallet.v1 import wallet_pb2

_FIELD: Final[dict[int, str]] = {
    wallet_pb2.ACCOUNT_KIND_TABLE_POT: "table_id",
    wallet_pb2.ACCOUNT_KIND_TOURNAMENT_POOL: "table_id",
    wallet_pb2.ACCOUNT_KIND_RAKE: "room_id",
    wallet_pb2.ACCOUNT_KIND_TIPS: "room_id",
}


def account(kind: int, owner: str = "", currency: str = "EUR") -> wallet_pb2.Account:
    """The account of a kind and owner; an escrow's owner is "<table>/<player>"."""
    message = wallet_pb2.Account(kind=wallet_pb2.AccountKind.ValueType(kind), currency=currency)
    if kind == wallet_pb2.ACCOUNT_KIND_SEAT_ESCROW:
        message.escrow.table_id, _, message.escrow.player_id = owner.partition("/")
    elif owner:
        setattr(message, _FIELD.get(kind, "player_id"), owner)
    return message
