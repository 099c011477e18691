"""A table as it stands in a list."""

from __future__ import annotations

from floor_table.domain import Table, state_code
from pokerfloor.api.table.v1 import table_pb2

MIXED = "mixed"


def summary_of(table: Table) -> table_pb2.TableSummary:
    """Give a table's line in a list of tables."""
    settings = table.settings
    game = MIXED if settings.WhichOneof("play") == "mixed" else settings.game.game
    return table_pb2.TableSummary(
        table_id=table.table_id,
        name=settings.name,
        game=game,
        stake=settings.stake,
        seats=settings.seats,
        players=len([seat for seat in table.seats.values() if not seat.pending]),
        hands=table.hands,
        state=state_code(table),
    )
