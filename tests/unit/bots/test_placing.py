"""What bots do only in OFC and Scoop."""

from __future__ import annotations

from random import Random

from pokerfloor.api.settings.v1 import settings_pb2 as pb
from pokerfloor.bots import choose_rows
from pokerfloor.cards import parse_cards
from pokerfloor.client import Placement
from pokerfloor.games.placement import LayoutRow


def test_a_bot_lays_out_all_its_cards() -> None:
    room = {LayoutRow.TOP: 2, LayoutRow.MIDDLE: 2, LayoutRow.BOTTOM: 2}
    cards = parse_cards("AsAdKcKd2h2c9s")
    seven = Placement(0, tuple(range(1, 8)), cards, 6, room, {}, moves=False, hidden=True)
    rows = choose_rows(pb.GameSettings(game="scoop"), seven, parse_cards("Ah3d4s"), Random(1))
    assert rows.count(LayoutRow.DISCARD) == 1
    assert [card for card, row in zip(cards, rows, strict=True) if row is LayoutRow.TOP] == [
        *parse_cards("AsAd")
    ]
    game = pb.GameSettings(game="ofc")
    game.ofc.mode = pb.OFC_MODE_JOKER
    open_room = {LayoutRow.TOP: 3, LayoutRow.MIDDLE: 5, LayoutRow.BOTTOM: 5}
    five = Placement(0, (1, 2, 3, 4, 5), cards[:5], 5, open_room, {}, moves=True, hidden=False)
    assert LayoutRow.DISCARD not in choose_rows(game, five, (), Random(1))
