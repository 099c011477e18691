"""`floorctl deal --bomb`: everybody posts, and the first betting is on the flop (BMB-1)."""

from __future__ import annotations

import pytest

from pokerfloor.floorctl.main import main

Capture = pytest.CaptureFixture[str]


@pytest.mark.rule("BMB-1", "BMB-2")
@pytest.mark.parametrize("game", ["holdem", "omaha5_hilo", "omaha4_double"])
def test_a_bomb_pot(capsys: Capture, game: str) -> None:
    assert main(["deal", game, "--bomb", "7", "--seats", "3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    before, after = lines[: lines.index("flop")], lines[lines.index("flop") :]
    assert [line for line in before if "bomb 7" in line] == [
        f"  seat {seat}: bomb 7" for seat in (1, 2, 3)
    ]
    assert "  in the pots: 21" in before
    assert not [line for line in before if "blind" in line or "check" in line]
    assert next(line for line in after if ": check" in line or ": bet" in line).startswith(
        "  seat 1"
    )
    assert sum(int(line.split(": ")[1]) for line in lines[-3:]) == 0


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("stud7 --bomb 5", "BAD_FORCED_BETS: "),
        ("draw5 --bomb 5", "five-card draw with two jokers is not played as a bomb pot"),
        ("holdem --bomb 0", "BAD_FORCED_BETS: "),
        ("holdem --bomb -5", "BAD_FORCED_BETS: "),
    ],
)
def test_what_is_no_bomb_pot(capsys: Capture, words: str, reason: str) -> None:
    assert main(["deal", *words.split()]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert reason in err
    assert err.count("\n") == 1
