"""Setups and games of placement at the edge of what can be played, and what is said beyond it."""

from dataclasses import replace
from typing import Any

import pytest

from pokerfloor.games import Code, Refusal, SeatStack
from pokerfloor.games.placement import (
    OFC,
    SCOOP,
    FantasylandPacket,
    PlacementStreet,
    Shown,
    check_setup,
)
from tests.support.games.placement_table import setup_of

FIRST, *LATER = OFC.streets


@pytest.mark.rule("OFC-34")
@pytest.mark.parametrize("packet", [FantasylandPacket(13, 14), FantasylandPacket(14, 14)])
def test_a_packet_may_have_one_size_and_no_card_too_many(packet: FantasylandPacket) -> None:
    assert check_setup(setup_of(2, game=replace(OFC, fantasyland=packet))) == ()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"deck": "tarot78"}, "there is no deck 'tarot78'"),
        (
            {"fantasyland": FantasylandPacket(15, 14)},
            "Fantasyland with 15 to 14 cards for 13 places",
        ),
        (
            {"streets": (*OFC.streets, PlacementStreet("more", Shown.CONFIRMED, dealt=-1))},
            "street 5: 0 of -1 cards placed",
        ),
        (
            {"streets": (*OFC.streets, PlacementStreet("more", Shown.TOGETHER, burns=-1))},
            "street 5: 0 of 0 cards placed",
        ),
        (
            {"streets": (*OFC.streets, PlacementStreet("more", Shown.TOGETHER, board=-1))},
            "street 5: 0 of 0 cards placed",
        ),
        (
            {"streets": (FIRST, replace(LATER[0], burns=1), *LATER[1:])},
            "street 1: board cards need a street on which all set together",
        ),
        (
            {"fantasyland": None, "streets": (FIRST, replace(LATER[0], board=1), *LATER[1:])},
            "street 1: board cards need a street on which all set together",
        ),
    ],
)
def test_what_is_wrong_with_a_game_is_said(change: dict[str, Any], reason: str) -> None:
    refusals = check_setup(setup_of(2, game=replace(OFC, **change)))
    assert refusals == (Refusal(Code.BAD_GAME_ROW, reason, "game"),)


def test_one_point_is_enough_to_play() -> None:
    assert check_setup(replace(setup_of(2), seats=(SeatStack(1, 1), SeatStack(2, 9)))) == ()


@pytest.mark.rule("SCP-1")
def test_the_last_card_of_the_deck_may_be_dealt_and_burned_cards_count() -> None:
    # Six seats of seven cards and five of the board leave five; three are burned.
    game = replace(SCOOP, max_seats=6)
    assert check_setup(setup_of(6, game=game)) == ()
    *streets, last = game.streets
    with_five = replace(game, streets=(*streets, replace(last, burns=last.burns + 2)))
    assert check_setup(setup_of(6, game=with_five)) == ()
    with_six = replace(game, streets=(*streets, replace(last, burns=last.burns + 3)))
    assert check_setup(setup_of(6, game=with_six, burn=False)) == ()
    reason = "6 x 7 dealt + 5 board + 6 burned = 53 cards, the deck has 52"
    assert check_setup(setup_of(6, game=with_six)) == (
        Refusal(Code.DECK_TOO_SMALL, reason, "seats"),
    )
    without_burns = replace(game, max_seats=7, streets=game.streets)
    reason = "7 x 7 dealt + 5 board = 54 cards, the deck has 52"
    assert check_setup(setup_of(7, game=without_burns, burn=False)) == (
        Refusal(Code.DECK_TOO_SMALL, reason, "seats"),
    )
