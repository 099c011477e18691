"""What a hand may not begin with, sentence by sentence, and what it may at the very edge."""

from dataclasses import replace
from typing import Any

import pytest

from pokerfloor.games import (
    GAMES,
    Carried,
    Code,
    ForcedBet,
    ForcedKind,
    GameRow,
    RakeCap,
    RakeRule,
    SeatStack,
    SecondRoundFirst,
    Structure,
    check_setup,
)
from tests.support.games.scenario import antes, table

FIXED = Structure.FIXED_LIMIT
HOLDEM, STUD, DRAW, MATA = (GAMES[name] for name in ("holdem", "stud7", "draw5", "mata_ases"))
SMALL, BIG, ANTE = ForcedKind.SMALL_BLIND, ForcedKind.BIG_BLIND, ForcedKind.ANTE
BLINDS = (ForcedBet(2, SMALL, 5), ForcedBet(1, BIG, 10))


def problems(
    game: GameRow = HOLDEM, /, *, structure: Structure = Structure.NO_LIMIT, **change: Any
) -> list[tuple[Code, str, str | None]]:
    """What is wrong with a table of two of 100 in chips of 5, blinds 5 and 10, so changed."""
    fields = {
        name: change.pop(name)
        for name in ("seats", "button", "forced", "carried")
        if name in change
    }
    exposed = game.exposed is not None
    setup = table(
        100,
        100,
        game=game,
        structure=structure,
        forced=antes(5, 2) if exposed else BLINDS,
        big=10,
        **{"smallest_chip_minor": 5, "big_bet_minor": 20, **change},
    )
    return [tuple(refusal) for refusal in check_setup(replace(setup, **fields))]  # type: ignore[misc]  # three fields


@pytest.mark.parametrize(
    ("game", "change", "field", "reason"),
    [
        (HOLDEM, {"smallest_chip_minor": 0}, "smallest_chip_minor", "the smallest chip is 0"),
        (HOLDEM, {"smallest_chip_minor": -1}, "smallest_chip_minor", "the smallest chip is -1"),
        (HOLDEM, {"min_bet_minor": 0}, "min_bet_minor", "0 is no bet in chips of 5"),
        (HOLDEM, {"min_bet_minor": 12}, "min_bet_minor", "12 is no bet in chips of 5"),
        (
            HOLDEM,
            {"structure": FIXED, "big_bet_minor": 22},
            "big_bet_minor",
            "22 is no bet in chips of 5",
        ),
        (
            HOLDEM,
            {"structure": FIXED, "big_bet_minor": 5},
            "big_bet_minor",
            "the big bet is 5, less than the small bet",
        ),
        (HOLDEM, {"structure": FIXED, "raise_cap": 0}, "raise_cap", "a cap of 0 raises"),
        (HOLDEM, {"bring_in_minor": -5}, "bring_in_minor", "a bring-in of -5, in chips of 5"),
        (HOLDEM, {"bring_in_minor": 15}, "bring_in_minor", "a bring-in of 15, in chips of 5"),
        (HOLDEM, {"bring_in_minor": 7}, "bring_in_minor", "a bring-in of 7, in chips of 5"),
        (
            HOLDEM,
            {"rake": RakeRule(-1)},
            "rake.rate_bp",
            "a rake of -1 basis points",
        ),
        (
            HOLDEM,
            {"rake": RakeRule(10_001)},
            "rake.rate_bp",
            "a rake of 10001 basis points",
        ),
        (
            HOLDEM,
            {"rake": RakeRule(1, (RakeCap(3, 5), RakeCap(3, 10)))},
            "rake.caps",
            "rake caps ascend by players and are not negative",
        ),
        (
            HOLDEM,
            {"rake": RakeRule(1, (RakeCap(2, -1),))},
            "rake.caps",
            "rake caps ascend by players and are not negative",
        ),
        (
            DRAW,
            {"max_draw": 6},
            "max_draw",
            "at most 6 cards drawn in five-card draw with two jokers",
        ),
        (
            DRAW,
            {"max_draw": -1},
            "max_draw",
            "at most -1 cards drawn in five-card draw with two jokers",
        ),
        (HOLDEM, {"max_draw": 1}, "max_draw", "Texas hold'em has no draw"),
        (
            HOLDEM,
            {"second_round_first": SecondRoundFirst.LEFT_OF_BUTTON},
            "second_round_first",
            "Texas hold'em has no draw",
        ),
    ],
)
def test_settings(game: GameRow, change: dict[str, Any], field: str, reason: str) -> None:
    assert problems(game, **change) == [(Code.BAD_SETTINGS, reason, f"settings.{field}")]


def test_the_structure_is_one_of_the_game() -> None:
    assert problems(MATA, structure=FIXED) == [
        (Code.BAD_SETTINGS, "Mata Ases is played no_limit, not fixed_limit", "structure")
    ]
    omaha = replace(GAMES["omaha4"], id="test", structures=(Structure.POT_LIMIT, FIXED))
    [(_, reason, _)] = problems(omaha)
    assert reason == "Omaha is played pot_limit, fixed_limit, not no_limit"


def seats(*pairs: tuple[int, int]) -> tuple[SeatStack, ...]:
    return tuple([SeatStack(*pair) for pair in pairs])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            {"seats": seats((2, 100), (1, 100))},
            "seat numbers ascend, each once: [2, 1]",
        ),
        (
            {"seats": seats((1, 100), (2, 100), (2, 100))},
            "seat numbers ascend, each once: [1, 2, 2]",
        ),
        (
            {"seats": seats((-1, 100), (1, 100), (2, 100))},
            "seat numbers ascend, each once: [-1, 1, 2]",
        ),
        (
            {"seats": seats((1, 100), (2, 0))},
            "seat 2 has 0, which is no stack in chips of 5",
        ),
        (
            {"seats": seats((1, 103), (2, 100))},
            "seat 1 has 103, which is no stack in chips of 5",
        ),
    ],
)
def test_seats(change: dict[str, Any], reason: str) -> None:
    assert problems(HOLDEM, **change) == [(Code.BAD_SEATS, reason, "seats")]


@pytest.mark.rule("TBL-1")
def test_how_many_seats() -> None:
    eleven = seats(*[(seat, 100) for seat in range(1, 12)])
    assert problems(HOLDEM, seats=eleven) == [
        (Code.BAD_SEATS, "Texas hold'em is for 2 to 10 seats, not 11", "seats")
    ]
    alone = problems(HOLDEM, seats=seats((1, 100)), forced=BLINDS[1:])
    assert alone == [(Code.BAD_SEATS, "Texas hold'em is for 2 to 10 seats, not 1", "seats")]
    nobody = problems(HOLDEM, seats=(), forced=())
    assert nobody[0] == (Code.BAD_SEATS, "Texas hold'em is for 2 to 10 seats, not 0", "seats")
    assert problems(HOLDEM, button=-1) == [(Code.BAD_SEATS, "a button on seat -1", "button")]
    nine = seats(*[(seat, 100) for seat in range(1, 10)])
    many = problems(GAMES["omaha5"], seats=nine)
    assert many == [
        (
            Code.DECK_TOO_SMALL,
            "9 x 5 hole + 5 board + 3 burned = 53 cards, the deck has 52",
            "seats",
        )
    ]


@pytest.mark.parametrize(
    ("game", "forced", "reason"),
    [
        (HOLDEM, (ForcedBet(3, BIG, 10),), "a big_blind of 10 by seat 3, in chips of 5"),
        (HOLDEM, (ForcedBet(1, BIG, 0),), "a big_blind of 0 by seat 1, in chips of 5"),
        (HOLDEM, (ForcedBet(1, BIG, 12),), "a big_blind of 12 by seat 1, in chips of 5"),
        (HOLDEM, (ForcedBet(1, BIG, 10), ForcedBet(2, BIG, 10)), "more than one big_blind"),
        (HOLDEM, (ForcedBet(1, SMALL, 5), ForcedBet(2, SMALL, 5)), "more than one small_blind"),
        (
            HOLDEM,
            tuple([ForcedBet(seat, ForcedKind.ANTE_FOR_ALL, 10) for seat in (1, 2)]),
            "more than one ante_for_all",
        ),
        (
            HOLDEM,
            (*BLINDS, *[ForcedBet(1, ForcedKind.POST, 10)] * 2),
            "a seat posts the same forced bet twice",
        ),
        (HOLDEM, (), "nobody posts anything, so there is nothing to play for"),
        (STUD, (*antes(5, 2), *BLINDS[1:]), "seven-card stud has antes and no blinds"),
        (
            STUD,
            (*antes(5, 2), ForcedBet(1, ForcedKind.BRING_IN, 5)),
            "a bring-in is posted once the up cards lie, not before the deal",
        ),
        (HOLDEM, antes(5, 1), "antes are posted by every seat dealt in, all alike"),
        (
            HOLDEM,
            (ForcedBet(1, ANTE, 5), ForcedBet(2, ANTE, 10)),
            "antes are posted by every seat dealt in, all alike",
        ),
        (
            HOLDEM,
            antes(5, 1, ForcedKind.BOMB),
            "bombs are posted by every seat dealt in, all alike",
        ),
        (
            HOLDEM,
            (*antes(5, 2, ForcedKind.BOMB), *antes(5, 2)),
            "a bomb pot has no blinds and no antes",
        ),
        (
            DRAW,
            antes(5, 2, ForcedKind.BOMB),
            "five-card draw with two jokers is not played as a bomb pot",
        ),
    ],
)
def test_forced_bets(game: GameRow, forced: tuple[ForcedBet, ...], reason: str) -> None:
    structure = game.structures[0]
    found = problems(game, structure=structure, forced=forced)
    assert found == [(Code.BAD_FORCED_BETS, reason, "forced")]


@pytest.mark.rule("DRW-3")
def test_cards_are_dealt_again_only_among_antes() -> None:
    again = (
        Code.BAD_FORCED_BETS,
        "cards are dealt again only in a game with antes and no blinds",
        "forced",
    )
    assert problems(DRAW, redeal_when_checked=True) == [again]
    assert problems(DRAW, redeal_when_checked=True, forced=(*antes(5, 2), *BLINDS)) == [again]
    assert problems(DRAW, redeal_when_checked=True, forced=antes(5, 2)) == []


@pytest.mark.rule("MAT-6", "MAT-7")
@pytest.mark.parametrize(
    ("game", "carried", "reasons"),
    [
        (MATA, Carried(0), []),
        (MATA, Carried(5), []),
        (MATA, Carried(5, (1, 2)), []),
        (MATA, Carried(5, (2,)), []),
        (HOLDEM, Carried(0), []),
        (HOLDEM, Carried(5), ["no pot is carried in Texas hold'em"]),
        (MATA, Carried(-5), ["a carried pot of -5, in chips of 5"]),
        (MATA, Carried(3), ["a carried pot of 3, in chips of 5"]),
        (
            MATA,
            Carried(5, (1, 3)),
            ["a carried pot for seats (1, 3): those dealt in, ascending, each once"],
        ),
        (
            MATA,
            Carried(5, (2, 1)),
            ["a carried pot for seats (2, 1): those dealt in, ascending, each once"],
        ),
        (
            MATA,
            Carried(5, (1, 1)),
            ["a carried pot for seats (1, 1): those dealt in, ascending, each once"],
        ),
        (MATA, Carried(0, (1,)), ["seats that can win a carried pot of nothing"]),
    ],
)
def test_carried_pots(game: GameRow, carried: Carried, reasons: list[str]) -> None:
    found = problems(game, carried=carried)
    assert found == [(Code.BAD_CARRIED_POT, reason, "carried") for reason in reasons]


def test_a_row_that_cannot_be_played_is_all_that_is_said() -> None:
    bad = replace(HOLDEM, id="test", boards=3)
    assert problems(bad, button=-1) == [
        (Code.BAD_GAME_ROW, "game 'test': one or two boards, not 3", "boards")
    ]


@pytest.mark.parametrize(
    ("game", "change"),
    [
        (HOLDEM, {}),
        (HOLDEM, {"structure": FIXED}),
        (HOLDEM, {"structure": FIXED, "big_bet_minor": 10, "raise_cap": 1}),
        (HOLDEM, {"big_bet_minor": 0, "raise_cap": 0}),
        (HOLDEM, {"smallest_chip_minor": 1}),
        (HOLDEM, {"smallest_chip_minor": 1, "min_bet_minor": 1, "bring_in_minor": 1}),
        (HOLDEM, {"min_bet_minor": 5}),
        (HOLDEM, {"bring_in_minor": 5}),
        (HOLDEM, {"bring_in_minor": 10}),
        (HOLDEM, {"rake": RakeRule(10_000, (RakeCap(2, 0), RakeCap(3, 5)))}),
        (HOLDEM, {"button": 0}),
        (HOLDEM, {"seats": seats((0, 5), (1, 100), (2, 100))}),
        (HOLDEM, {"forced": BLINDS[:1]}),
        (HOLDEM, {"forced": antes(5, 2)}),
        (HOLDEM, {"forced": antes(5, 2, ForcedKind.BOMB)}),
        (HOLDEM, {"forced": (*BLINDS, ForcedBet(1, ForcedKind.ANTE_FOR_ALL, 10))}),
        (DRAW, {"max_draw": 5}),
        (DRAW, {"max_draw": 1, "second_round_first": SecondRoundFirst.LEFT_OF_BUTTON}),
        (STUD, {"structure": FIXED}),
    ],
)
def test_what_is_good_at_the_edge(game: GameRow, change: dict[str, Any]) -> None:
    assert problems(game, **change) == []


def test_all_that_is_wrong_is_said_at_once() -> None:
    found = problems(HOLDEM, min_bet_minor=3, rake=RakeRule(-1), bring_in_minor=4, max_draw=1)
    assert [field for _, _, field in found] == [
        "settings.min_bet_minor",
        "settings.bring_in_minor",
        "settings.rake.rate_bp",
        "settings.max_draw",
    ]
    more = problems(HOLDEM, button=-1, forced=(), carried=Carried(5))
    assert [code for code, _, _ in more] == [
        Code.BAD_SEATS,
        Code.BAD_FORCED_BETS,
        Code.BAD_CARRIED_POT,
    ]
