"""In what order the places of rows of all kinds are dealt (HLD-1, DBL-1, STD-1, MAT-1)."""

from dataclasses import replace

import pytest

from pokerfloor.games import (
    GAMES,
    Deal,
    DealTo,
    GameRow,
    PlacesDealt,
    check_row,
    seat_place,
)
from tests.support.games.scenario import Scenario, antes, table

UP, DOWN = Deal(DealTo.SEAT_UP, 1), Deal(DealTo.SEAT_DOWN, 1)
STUD, MATA = GAMES["stud7"], GAMES["mata_ases"]


def first_street(row: GameRow, *deals: Deal) -> GameRow:
    changed = replace(
        row, id="test", streets=(replace(row.streets[0], deals=deals), *row.streets[1:])
    )
    assert check_row(changed) is None
    return changed


def dealt(played: Scenario) -> list[str]:
    """The places of each deal so far."""
    return [" ".join(map(str, event.places)) for event in played.of(PlacesDealt)]


@pytest.mark.rule("STD-1", "HLD-1")
def test_several_deals_of_one_street_number_on() -> None:
    row = first_street(STUD, DOWN, UP, DOWN)
    setup = table(
        100, 100, 100, game=row, structure=row.structures[0], forced=antes(1, 3), big_bet_minor=4
    )
    assert dealt(Scenario(setup))[0] == "s1.1 s2.1 s3.1 s1.2 s2.2 s3.2 s1.3 s2.3 s3.3"


@pytest.mark.rule("MAT-1")
def test_community_cards_may_be_dealt_before_those_of_seats() -> None:
    row = first_street(MATA, Deal(DealTo.COMMUNITY, 3), UP, DOWN)
    played = Scenario(table(100, 100, game=row, forced=antes(2, 2)))
    assert dealt(played)[0] == "com.1 com.2 com.3 s1.1 s2.1 s1.2 s2.2"


@pytest.mark.rule("SWP-1", "DBL-1")
def test_who_has_swapped_holds_hole_cards_only_whatever_the_boards_are_called() -> None:
    played = Scenario(table(100, 100, 100, game=GAMES["swap_holdem_double"]))
    played.play("c s1 c k")
    assert dealt(played)[-1] == "burn.1 b0.1 b0.2 b0.3 b1.1 b1.2 b1.3"
    assert played.hand.state.hole_places(1) == (seat_place(1, 2), seat_place(1, 3))
    assert [len(board) for board in played.hand.state.cards.boards] == [3, 3]


@pytest.mark.rule("HLD-1")
def test_seats_that_have_folded_are_dealt_no_more() -> None:
    setup = table(
        *[100] * 3, game=STUD, structure=STUD.structures[0], forced=antes(1, 3), big_bet_minor=4
    )
    hole = {1: "2c3cKd4h", 2: "9h9dTc", 3: "AhAd4c5c"}
    played = Scenario(setup, hole)
    assert played.seat == 1, "seat 3 has brought it in"
    played.play("f c")
    assert dealt(played)[1] == "burn.1 s2.4 s3.4"
