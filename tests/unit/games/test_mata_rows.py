"""What a row with facings, community cards or a qualifier may say."""

from dataclasses import replace
from typing import Any

import pytest

from pokerfloor.games import (
    GAMES,
    BetTier,
    Code,
    Deal,
    DealTo,
    DrawRound,
    Exposed,
    GameRow,
    Half,
    HoleCardUse,
    OddChips,
    Opener,
    PotPart,
    Street,
    check_row,
    row_from_json,
    row_to_json,
)
from tests.support.games.mata_table import MATA
from tests.support.games.scenario import Scenario, table

FIRST, SECOND, THIRD, FOURTH = MATA.streets
LATER = (SECOND, THIRD, FOURTH)
UP, DOWN, EITHER = (Deal(to, 1) for to in (DealTo.SEAT_UP, DealTo.SEAT_DOWN, DealTo.SEAT_EITHER))
COMMUNITY, BOARD = Deal(DealTo.COMMUNITY, 3), Deal(DealTo.BOARD, 1)
LEAST = MATA.parts[0]


def first(*deals: Deal, **change: Any) -> tuple[Street, ...]:
    return (replace(FIRST, deals=deals, **change), *LATER)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({}, None),
        ({"streets": first(UP, DOWN)}, "hole_cards_used"),
        ({"streets": first(UP, DOWN, COMMUNITY, community_up=True)}, "streets"),
        ({"streets": (FIRST, replace(SECOND, community_up=False), THIRD, FOURTH)}, "streets"),
        ({"streets": (FIRST, SECOND, replace(THIRD, community_up=True), FOURTH)}, "streets"),
        ({"streets": (FIRST, SECOND, THIRD, replace(FOURTH, deals=(EITHER, BOARD)))}, "streets"),
        ({"streets": (FIRST, SECOND, THIRD, replace(FOURTH, deals=(COMMUNITY,)))}, "streets"),
        ({"streets": (*MATA.streets, replace(FOURTH, deals=(BOARD,)))}, "streets"),
        (
            {"streets": (FIRST, SECOND, THIRD, replace(FOURTH, deals=(replace(EITHER, count=2),)))},
            "streets",
        ),
        ({"streets": first(UP, EITHER, COMMUNITY)}, "streets"),
        ({"streets": first(UP, UP, COMMUNITY)}, "streets"),
        ({"streets": first(UP, DOWN, DOWN, COMMUNITY)}, "streets"),
        ({"streets": (FIRST, replace(SECOND, deals=(DOWN,)), THIRD, FOURTH)}, "streets"),
        ({"streets": (FIRST, replace(SECOND, opener=Opener.HIGHEST_UP), THIRD, FOURTH)}, "streets"),
        ({"streets": (FIRST, replace(SECOND, swap=True), THIRD, FOURTH)}, "streets"),
        (
            {
                "streets": (
                    FIRST,
                    SECOND,
                    THIRD,
                    replace(FOURTH, draw=DrawRound(0, 1, replaced=True)),
                )
            },
            "streets",
        ),
        ({"exposed": None}, "streets"),
        ({"exposed": Exposed.LOW}, "exposed"),
        ({"hole_cards_used": HoleCardUse.EXACTLY_TWO}, None),
        ({"hole_cards_used": HoleCardUse.ANY}, "hole_cards_used"),
        ({"boards": 2}, "parts"),
        ({"community_last": True}, "community_last"),
        ({"parts": (LEAST, PotPart(Half.LOW, "low_a5"))}, "parts"),
        ({"parts": (replace(LEAST, qualifier="AcAd"),)}, "parts"),
        ({"parts": (replace(LEAST, qualifier=""),)}, None),
        ({"odd_chips": OddChips.BY_CARD}, "parts"),
    ],
)
def test_rows_like_mata_ases(change: dict[str, Any], field: str | None) -> None:
    row = replace(MATA, **{"id": "test", **change})
    refusal = check_row(row)
    assert (refusal.field if refusal else None) == field, refusal
    assert refusal is None or refusal.code is Code.BAD_GAME_ROW
    assert (row_from_json(row_to_json(row)) == row) is (field is None)


@pytest.mark.rule("MAT-1")
def test_the_row_is_a_data_file() -> None:
    assert row_from_json(row_to_json(MATA)) == MATA
    assert GAMES["mata_ases"] is MATA
    assert (MATA.hole_cards(), MATA.board_cards(), MATA.community_cards(), MATA.burns()) == (
        5,
        0,
        3,
        3,
    )


@pytest.mark.rule("MAT-4", "OMA-1")
def test_community_cards_of_another_game() -> None:
    """Hold'em with a hidden flop of community cards, played with all seven cards: data alone."""
    streets = (
        Street(
            "first",
            0,
            (Deal(DealTo.SEAT_DOWN, 2), Deal(DealTo.COMMUNITY, 5)),
            Opener.LEFT_OF_BLINDS,
            BetTier.SMALL,
        ),
        Street("second", 0, (), Opener.LEFT_OF_BUTTON, BetTier.BIG, community_up=True),
    )
    row = GameRow(
        id="hidden",
        name="hidden board",
        deck="standard52",
        max_seats=6,
        boards=1,
        streets=streets,
        hole_cards_used=HoleCardUse.ANY,
        parts=(PotPart(Half.HIGH, "high52"),),
        rake_from_street=1,
    )
    assert check_row(row) is None
    hole = {1: "AcAd", 2: "KcKd"}
    played = Scenario(table(100, 100, game=row), hole, "2c3d4h9sKh").play("c k k k")
    assert played.awards() == [(0, 2, 4)]
    assert [hand.name for shown in played.over.result.shown for hand in shown.ranks] == [
        "pair of aces",
        "three of a kind, kings",
    ]
    short = Scenario(table(100, 100, game=row), hole, "2c3d4h9sKh").play("a c")
    assert short.awards() == [(0, 2, 200)], "revealed in an all-in showdown as well"
