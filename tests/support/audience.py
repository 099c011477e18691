"""Who looks at a table, by name: found from the seats, as the runtime does."""

from floor_table.domain import Audience, Table
from pokerfloor.api.table.v1.table_pb2 import VIEW_KIND_PLAYER, ViewKind


def audience_of(kind: ViewKind.ValueType, player_id: str, *tables: Table) -> Audience:
    """Return who looks, with the seat that the first of `tables` has for the player.

    For the view of a step give the table before it and the one after it, so that who sits down and
    who leaves sees that too. A reserved seat counts.
    """
    if kind == VIEW_KIND_PLAYER:
        for table in tables:
            seat = table.seat_of(player_id)
            if seat is not None:
                return Audience(kind, seat.seat, player_id)
    return Audience(kind)
