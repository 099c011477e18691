"""What a placement hand may begin with."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pokerfloor.games import Code, InvalidSetupError, SeatStack
from pokerfloor.games.placement import (
    OFC,
    OFC_JOKER,
    PLACEMENT_GAMES,
    SCOOP,
    FantasylandPacket,
    FantasylandSeat,
    PlacementGame,
    PlacementHand,
    PlacementSetup,
    PlacementStreet,
    Shown,
    canonical_setup,
    check_setup,
)
from tests.support.games.placement_table import BOTTOM, DISCARD, MIDDLE, TOP, setup_of


def found(setup: PlacementSetup) -> list[tuple[Code, str]]:
    return [(refusal.code, refusal.field) for refusal in check_setup(setup)]


def reasons(setup: PlacementSetup) -> list[str]:
    return [refusal.reason for refusal in check_setup(setup)]


@pytest.mark.rule("OFC-1", "SCP-1")
@pytest.mark.parametrize(("game", "most"), [(OFC, 3), (OFC_JOKER, 3), (SCOOP, 4)])
def test_seats(game: PlacementGame, most: int) -> None:
    for seats in range(2, most + 1):
        assert check_setup(setup_of(seats, game=game)) == ()
    assert found(setup_of(1, game=game)) == [(Code.BAD_SEATS, "seats")]
    assert reasons(setup_of(most + 1, game=game)) == [
        f"{game.name} is for 2 to {most} seats, not {most + 1}"
    ]


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        ({"seats": (SeatStack(2, 9), SeatStack(1, 9))}, (Code.BAD_SEATS, "seats")),
        ({"seats": (SeatStack(0, 9), SeatStack(2, 9))}, (Code.BAD_SEATS, "seats")),
        ({"seats": (SeatStack(1, 0), SeatStack(2, 9))}, (Code.BAD_SEATS, "seats")),
        ({"button": 3}, (Code.BAD_SEATS, "button")),
        ({"fantasyland": (FantasylandSeat(1, 13),)}, (Code.BAD_FANTASYLAND, "fantasyland")),
        ({"fantasyland": (FantasylandSeat(1, 18),)}, (Code.BAD_FANTASYLAND, "fantasyland")),
        ({"fantasyland": (FantasylandSeat(3, 14),)}, (Code.BAD_FANTASYLAND, "fantasyland")),
        ({"fantasyland": (FantasylandSeat(1, 14),) * 2}, (Code.BAD_FANTASYLAND, "fantasyland")),
        (
            {"game": SCOOP, "fantasyland": (FantasylandSeat(1, 14),)},
            (Code.BAD_FANTASYLAND, "fantasyland"),
        ),
    ],
)
def test_what_is_refused(change: dict[str, Any], refusal: tuple[Code, str]) -> None:
    setup = replace(setup_of(2), **change)
    assert found(setup) == [refusal]
    with pytest.raises(InvalidSetupError) as caught:
        PlacementHand(setup)
    assert caught.value.refusals == check_setup(setup)


@pytest.mark.rule("OFC-34")
def test_the_deck_always_suffices() -> None:
    assert check_setup(setup_of(3, (1, 17), (2, 17), (3, 17))) == ()
    assert check_setup(setup_of(3, (1, 17), (2, 17), (3, 17), game=OFC_JOKER)) == ()
    more = replace(OFC, fantasyland=FantasylandPacket(14, 18))
    assert reasons(setup_of(3, (1, 18), (2, 18), (3, 17), game=more)) == [
        "18 in Fantasyland + 18 in Fantasyland + 17 in Fantasyland = 53 cards, the deck has 52"
    ]
    assert reasons(setup_of(3, (2, 18), (3, 18), game=more)) == [
        "1 x 17 dealt + 18 in Fantasyland + 18 in Fantasyland = 53 cards, the deck has 52"
    ]
    with_jokers = replace(OFC_JOKER, fantasyland=FantasylandPacket(14, 18))
    assert check_setup(setup_of(3, (1, 18), (2, 18), (3, 18), game=with_jokers)) == ()
    crowd = replace(SCOOP, max_seats=7)
    assert reasons(setup_of(7, game=crowd)) == [
        "7 x 7 dealt + 5 board + 3 burned = 57 cards, the deck has 52"
    ]
    assert check_setup(setup_of(6, game=crowd, burn=False)) == ()


@pytest.mark.parametrize(
    "change",
    [
        {"deck": "tarot78"},
        {"rows": ((TOP, 3), (MIDDLE, 5), (DISCARD, 5))},
        {"rows": ((TOP, 3), (TOP, 5), (BOTTOM, 5))},
        {"fill_order": (TOP, MIDDLE)},
        {"rows": ((TOP, 2), (MIDDLE, 5), (BOTTOM, 5))},
        {"fantasyland": FantasylandPacket(12, 14)},
        {"fantasyland": FantasylandPacket(15, 14)},
        {"streets": (PlacementStreet("all", Shown.CONFIRMED, dealt=12, placed=13),)},
        {"streets": (PlacementStreet("all", Shown.UP, dealt=14, placed=13),)},
        {"streets": (PlacementStreet("all", Shown.CONFIRMED, dealt=14, placed=13, board=1),)},
        {"streets": (*OFC.streets, PlacementStreet("more", Shown.TOGETHER))},
        {"streets": (*OFC.streets, PlacementStreet("more", Shown.TOGETHER, dealt=1))},
        {"streets": (*OFC.streets, PlacementStreet("more", Shown.TOGETHER, board=1))},
        {"streets": ()},
    ],
)
def test_games_that_cannot_be_played(change: dict[str, Any]) -> None:
    setup = setup_of(2, game=replace(OFC, **change))
    assert found(setup) == [(Code.BAD_GAME_ROW, "game")]


def test_the_catalogue() -> None:
    assert list(PLACEMENT_GAMES) == ["ofc", "ofc_joker", "scoop"]
    assert [game.dealt_cards() for game in PLACEMENT_GAMES.values()] == [17, 17, 7]
    assert [game.placed() for game in PLACEMENT_GAMES.values()] == [13, 13, 6]
    assert canonical_setup(setup_of(2))[1] == "ofc"
    other = setup_of(2, game=replace(OFC, name="mine"))
    assert PlacementHand(other).digest() != PlacementHand(setup_of(2)).digest()
    assert PlacementHand(setup_of(2)).digest() == PlacementHand(setup_of(2)).digest()
