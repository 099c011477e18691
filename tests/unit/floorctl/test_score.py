"""`floorctl score`: the whole comparison as tables and as JSON, and one line for a wrong word."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pokerfloor.floorctl.main import main

Capture = pytest.CaptureFixture[str]

ANNA = "anna: QsQh2d / 8s8h8d3c4c / AdJd9d6d3d"
BEN = "ben: AsKh7c / JsJh2s3h5h / AcAh4s4h6c"
CORA = "Kc9c8c / 2h2cTs7s5s / Jc7h7d5cTc"


def printed(capsys: Capture, *words: str) -> str:
    assert main(["score", *words]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def document(capsys: Capture, *words: str) -> Any:
    return json.loads(printed(capsys, *words, "--json"))


def refused(capsys: Capture, *words: str) -> str:
    assert main(["score", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err.strip()


@pytest.mark.rule("OFC-13", "OFC-10", "OFC-12", "OFC-30")
def test_the_worked_example_row_by_row(capsys: Capture) -> None:
    lines = printed(capsys, ANNA, BEN).splitlines()
    assert lines == [
        "open-face Chinese Pineapple, regular mode",
        "",
        "anna",
        "  top     QsQh2d      +7  pair of queens (QsQh2d)",
        "  middle  8s8h8d3c4c  +2  three of a kind, eights (8s8h8d4c3c)",
        "  bottom  AdJd9d6d3d  +4  flush, ace high (AdJd9d6d3d)",
        "  bonuses      13",
        "  Fantasyland  14: pair of queens in the top row earns Fantasyland with 14 cards",
        "",
        "ben",
        "  top     AsKh7c      0  high card, ace (AsKh7c)",
        "  middle  JsJh2s3h5h  0  pair of jacks (JsJh5h3h2s)",
        "  bottom  AcAh4s4h6c  0  two pair, aces and fours (AhAc4s4h6c)",
        "  bonuses      0",
        "  Fantasyland  none: high card, ace in the top row is below a pair of queens",
        "",
        "anna against ben",
        "            anna                     ben                       points",
        "  top       pair of queens           high card, ace                +1  won",
        "  middle    three of a kind, eights  pair of jacks                 +1  won",
        "  bottom    flush, ace high          two pair, aces and fours      +1  won",
        "  all rows                                                         +3  all three rows won",
        f"{'  bonuses':64}  +13  bonuses of 13 against 0",
        "  in all                                                          +19",
        "",
        "points",
        "  anna  +19",
        "  ben   -19",
    ]


@pytest.mark.rule("OFC-35")
def test_jokers_say_what_they_stand_for(capsys: Capture) -> None:
    out = printed(
        capsys,
        "--mode",
        "joker",
        "QhQs2d / 5c5d5h9s9d / AhKhXrJh2h",
        "QcXb3d / 7c7d7h6s4d / AsKsTsJs2s",
        "--names",
        "anna, ben",
    )
    assert "open-face Chinese Pineapple, joker mode" in out
    assert "  top     QcXb3d      +7  pair of queens (QcXb3d), Xb is Qs" in out
    assert (
        "  fouled       the middle row (full house, fives over nines) is above the bottom row "
        "(flush, ace high)" in out
    )
    assert "anna  -" in out


@pytest.mark.rule("OFC-20", "OFC-21", "OFC-22")
def test_three_players_and_the_settlement(capsys: Capture) -> None:
    words = (ANNA, BEN, CORA, "--stacks", "5,60,9", "--button", "anna", "--price", "0.50")
    out = printed(capsys, *words)
    settlement = out[out.index("settlement") :].splitlines()
    assert settlement == [
        "settlement, the button is anna",
        "                      scored  paid",
        "  ben from player 3       +6    +6  paid in full",
        "  ben from anna          -19    -5  capped by winner",
        "  player 3 from anna     -19    -3  capped by payer",
        "            before  after  won at 0.50",
        "  anna           5     13         4.00",
        "  ben           60     61         0.50",
        "  player 3       9      0        -4.50",
    ]
    told = document(capsys, *words)["settlement"]
    assert [(one["a"], one["b"], one["paid"]) for one in told["payments"]] == [
        ("ben", "player 3", 6),
        ("ben", "anna", -5),
        ("player 3", "anna", -3),
    ]
    assert (told["button"], told["price"]) == ("anna", "0.50")
    assert told["after"] == {"anna": 13, "ben": 61, "player 3": 0}
    assert told["won"] == {"anna": "4.00", "ben": "0.50", "player 3": "-4.50"}


@pytest.mark.rule("SCP-3", "SCP-4", "SCP-5")
def test_scoop_shows_points_times_factor(capsys: Capture) -> None:
    words = (
        "--scoop", "--board", "2c5d9hJsKd", "9c9s / JcJd / KcKh", "Qs7s / 8s8c / AcAd",
        "--names", "anna,ben", "--stacks", "40,30",
    )  # fmt: skip
    out = printed(capsys, *words)
    assert out.startswith("Scoop Hold'em on 2c5d9hJsKd\n")
    assert [line for line in out.splitlines() if "won" in line or "in all" in line] == [
        "  first     three of a kind, nines  high card, king     +15  won, 3 x 5",
        "  second    three of a kind, jacks  pair of eights       +9  won, 3 x 3",
        "  third     three of a kind, kings  pair of aces         +3  won, 3 x 1",
        "  all rows                                              +30  all three rows won: 30 more",
        "  in all                                                +57",
    ]
    told = document(capsys, *words)
    assert told["pairs"][0]["total"] == 57
    assert [row["factor"] for row in told["pairs"][0]["rows"]] == [5, 3, 1]
    assert told["settlement"]["after"] == {"anna": 70, "ben": 0}


def test_json_has_every_number_with_its_reason(capsys: Capture) -> None:
    told = document(capsys, ANNA, BEN)
    assert (told["game"], told["mode"]) == ("open-face Chinese Pineapple", "regular")
    anna = told["players"][0]
    assert [row["bonus"]["reason"] for row in anna["rows"]] == [
        "royalty_top_one_pair", "royalty_middle_three_of_a_kind", "royalty_bottom_flush",
    ]  # fmt: skip
    assert anna["fantasyland"] == {
        "playing": 0,
        "cards": 14,
        "stayed": False,
        "reason": "fantasyland_pair_q",
        "text": "pair of queens in the top row earns Fantasyland with 14 cards",
    }
    assert anna["fouled"] is None
    (pair,) = told["pairs"]
    assert pair["rows"][0] == {
        "row": "top",
        "points": 1,
        "reason": "row_won",
        "text": "top: pair of queens beats high card, ace",
    }
    assert (pair["scoop"]["points"], pair["bonuses"]["points"], pair["total"]) == (3, 13, 19)
    assert told["totals"] == {"anna": 19, "ben": -19}
    assert "settlement" not in told


@pytest.mark.rule("OFC-33", "OFC-34", "OFC-35")
@pytest.mark.parametrize(
    ("options", "cards"),
    [
        ("--mode regular --fantasyland 16", 14),
        ("--mode progressive --fantasyland 16", 14),
        ("--mode ultimate --fantasyland 16", 16),
        ("--mode joker --fantasyland 16", 16),
        ("--mode joker --joker-base regular --fantasyland 16", 14),
        ("--mode regular", 14),
        ("--mode progressive", 16),
        ("--mode progressive --trips-cards 17", 17),
        ("--mode joker", 17),
    ],
)
def test_one_layout_alone_and_its_fantasyland(capsys: Capture, options: str, cards: int) -> None:
    told = document(capsys, "2s2h2d / 8s8h8d3c4c / AdJd9d6d3d", *options.split())
    assert told["players"][0]["fantasyland"]["cards"] == cards
    assert told["pairs"] == []


def test_the_options_of_fantasyland_and_jokers(capsys: Capture) -> None:
    layout = ("3s4h2d / 8s8h8d3c3d / AhAsAdXrXb", "--mode", "joker")
    staying = (*layout, "--fantasyland", "15")
    assert (
        document(capsys, *staying)["players"][0]["fantasyland"]["reason"] == "stayed_bottom_quads"
    )
    full_house = ("3s4h2d / 8s8h8d3c3d / AhAsAd9c9d", "--fantasyland", "15", "--stay-on-middle")
    assert document(capsys, *full_house, "full_house")["players"][0]["fantasyland"]["cards"] == 14
    assert document(capsys, *full_house, "quads")["players"][0]["fantasyland"]["cards"] == 0
    five = document(capsys, *layout, "--five-of-a-kind")["players"][0]["rows"][2]
    assert (five["hand"], five["jokers"]) == ("poker, aces", {"Xr": "Ac", "Xb": "As"})
    flush = ("3s4h2d / 8s8h8d3c3d / Ah9h7h2hXr", "--mode", "joker", "--own-row-copy")
    assert document(capsys, *flush)["players"][0]["rows"][2]["jokers"] == {"Xr": "Ah"}


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("AsKs",), "BAD_CARDS: player 1: a layout is 3 rows with / between them, not 1"),
        (("a/b/c",), "BAD_CARDS: a card is cut short at offset 0 of 'a'"),
        (("2c3c / 4c5d6h7s9c / TcTdThJsJc",), "WRONG_NUMBER_OF_CARDS: top: the top row takes 3"),
        ((ANNA, ANNA), "BAD_OPTION: two players are called anna"),
        ((ANNA, BEN.replace("7c", "2d")), "CARD_TWICE: ben.top[2]: 2d already lies at anna.top[2]"),
        ((ANNA.replace("Qh", "Xr"),), "JOKER_NOT_ALLOWED: top[1]: Xr is a joker"),
        ((ANNA, "--trips-cards", "9"), "BAD_OPTION: trips_cards: Fantasyland has 14 to 17 cards"),
        (
            (ANNA, BEN, "--fantasyland", "13,0"),
            "WRONG_FANTASYLAND: anna.fantasyland_cards: Fantasyland has 14",
        ),
        (
            (ANNA, BEN, "--fantasyland", "14"),
            "BAD_OPTION: --fantasyland wants one word for each of 2",
        ),
        ((ANNA, BEN, "--names", "x"), "BAD_OPTION: --names wants one word for each of 2"),
        ((ANNA, BEN, "--stacks", "5,x"), "BAD_OPTION: --stacks: '5,x' are no whole numbers"),
        ((ANNA, BEN, "--stacks", "5,-4"), "BAD_OPTION: --stacks: '5,-4' are no whole numbers"),
        ((ANNA, BEN, "--stacks", "5,9" + "9" * 15), "AMOUNT_OUT_OF_RANGE: stacks[2]: seat 2"),
        ((ANNA, "--stacks", "5"), "WRONG_SEATS: stacks: 2 to 4 seats settle, not 1"),
        ((ANNA, BEN, "--price", "5"), "BAD_OPTION: --button and --price are for a hand with"),
        ((ANNA, BEN, "--stacks", "5,5", "--button", "x"), "BAD_OPTION: x with the button is none"),
        ((ANNA, BEN, "--stacks", "5,5", "--price", "x"), "BAD_OPTION: --price: 'x' is no number"),
        ((ANNA, BEN, "--stacks", "5,5", "--price", "0"), "BAD_OPTION: --price: above 0 and up to"),
        ((ANNA, BEN, "--stacks", "5,5", "--price", "NaN"), "BAD_OPTION: --price: "),
        ((ANNA, BEN, "--stacks", "5,5", "--price", "Infinity"), "BAD_OPTION: --price: above 0"),
        ((ANNA, BEN, CORA, "AsKsQs"), "BAD_CARDS: player 4: a layout is 3 rows"),
        ((ANNA, BEN, CORA, ANNA, BEN), "BAD_OPTION: at most 4 layouts, not 5"),
        ((ANNA, BEN, "--board", "2c"), "BAD_OPTION: a board is for --scoop"),
        ((ANNA, BEN, "--scoop"), "BAD_OPTION: Scoop is scored on a --board"),
        (
            (ANNA, BEN, "--scoop", "--board", "2c", "--fantasyland", "0,0"),
            "BAD_OPTION: there is no",
        ),
        ((ANNA, BEN, "--scoop", "--board", "2c"), "WRONG_NUMBER_OF_CARDS: board: a board has 5"),
    ],
)
def test_a_wrong_word_is_named_in_one_line(
    capsys: Capture, words: tuple[str, ...], reason: str
) -> None:
    assert refused(capsys, *words).startswith(f"floorctl score: {reason}")


def test_a_wrong_mode_and_the_help(capsys: Capture) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["score", "--mode", "turbo", ANNA])
    assert caught.value.code == 2
    assert "'regular', 'progressive', 'ultimate', 'joker'" in capsys.readouterr().err
    with pytest.raises(SystemExit) as caught:
        main(["score", "--help"])
    assert caught.value.code == 0
    assert "floorctl score --scoop --board 2c5d9hJsKd" in capsys.readouterr().out


def test_as_the_command_that_is_installed() -> None:
    floorctl = Path(sys.executable).parent / "floorctl"
    words = [str(floorctl), "score", "--mode", "joker", ANNA.replace("Qh", "Xr"), BEN, "--json"]
    done = subprocess.run(words, check=False, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["totals"] == {"anna": 19, "ben": -19}
