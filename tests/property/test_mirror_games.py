"""The client's mirror in every game: what views add up to is what a snapshot says."""

from __future__ import annotations

import pytest

from floor_table.domain import Audience, Table, snapshot, step_view
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.table.v1.table_pb2 import VIEW_KIND_PLAYER, VIEW_KIND_SPECTATOR
from pokerfloor.client import TableMirror
from pokerfloor.client.mirror_state import HandMirror
from tests.support.audience import audience_of
from tests.support.evening import Evening
from tests.support.game_tables import GAME_TABLES
from tests.support.mixed_tables import MIXED_TABLES
from tests.support.regulars import Regulars

_LOOKERS = ("", "player1", "player2")
TABLES = {**GAME_TABLES, **MIXED_TABLES}


class Mirrors:
    """Mirrors that follow a table view by view, held against new ones made from snapshots."""

    def __init__(self) -> None:
        self._following: dict[str, TableMirror] = {}

    def __call__(self, step: Step, before: Table, after: Table) -> None:
        for looker in _LOOKERS:
            mirror = self._following.get(looker)
            if mirror is None:
                mirror = self._following[looker] = TableMirror(after.table_id, looker)
                mirror.take_snapshot(snapshot(after, _audience(looker, after)))
                continue
            mirror.take_step(step_view(step, after, _audience(looker, before, after)))
            anew = TableMirror(after.table_id, looker)
            anew.take_snapshot(snapshot(after, _audience(looker, after)))
            assert _values(mirror) == _values(anew), step


def _audience(looker: str, *tables: Table) -> Audience:
    return audience_of(VIEW_KIND_PLAYER if looker else VIEW_KIND_SPECTATOR, looker, *tables)


def _values(mirror: TableMirror) -> tuple[object, ...]:
    stacks = {seat.seat: (seat.player_id, seat.stack) for seat in mirror.seats.values()}
    asked = mirror.your_turn is not None
    return (
        stacks,
        mirror.button,
        mirror.carried_pot,
        sorted(mirror.bomb_votes),
        asked,
        mirror.game_choice,
        mirror.next_game,
        mirror.asks_game,
        _hand_values(mirror.hand),
        dict(mirror.deck.roots) if mirror.deck is not None and mirror.hand is not None else {},
    )


def _hand_values(hand: HandMirror | None) -> tuple[object, ...]:
    if hand is None:
        return ()
    seats = [
        (seat.seat, seat.bet, seat.folded, seat.all_in, sorted(seat.places), seat.changed)
        for seat in hand.seats.values()
    ]
    return (hand.hand_no, seats, hand.pot, hand.faces, hand.game.game, hand.game.boards)


@pytest.mark.parametrize("name", TABLES)
def test_views_add_up_to_the_snapshot(name: str) -> None:
    evening = Evening(TABLES[name](), 4, watch=Mirrors())
    players = Regulars(evening, 6)
    for player in players.names[:4]:
        evening.sit(player, buy_in=evening.table.rules.least_buy_in)
    players.evening_of(90)
