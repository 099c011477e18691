"""`floorctl rank`, `equity` and `deal`: what they print, and one line for a wrong word."""

from __future__ import annotations

from pathlib import Path

import pytest

from pokerfloor.cards import DECKS
from pokerfloor.floorctl.main import main
from pokerfloor.games import GAMES, row_to_json

Capture = pytest.CaptureFixture[str]


def printed(capsys: Capture, *words: str) -> list[str]:
    assert main(list(words)) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out.splitlines()


def refused(capsys: Capture, *words: str) -> str:
    assert main(list(words)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


def test_rank_names_the_hand_and_the_cards_that_play(capsys: Capture) -> None:
    lines = printed(capsys, "rank", "holdem", "AsKs", "/", "QsJsTs", "2d2c")
    assert len(lines) == 1
    assert lines[0].startswith("high: royal flush; AsKsQsJsTs; high52 ")
    assert printed(capsys, "rank", "holdem", "--own", "As Ks", "--board", "QsJsTs2d2c") == lines
    assert printed(capsys, "rank", "holdem", "AsKs", "QsJsTs2d2c") == lines
    assert "a board of Texas hold'em has 5 cards, not 6" in refused(
        capsys, "rank", "holdem", "AsKsQsJsTs2d2c3c"
    )
    assert "two boards has 2 hole cards, not 5" in refused(
        capsys, "rank", "holdem_double", "AsKsQsJsTs"
    )


def test_rank_takes_two_own_cards_in_omaha_for_each_half_and_board(capsys: Capture) -> None:
    lines = printed(capsys, "rank", "omaha4_hilo_double", "As2sKdKh/3c4d8hKc9c/AcAdQdJdTd")
    assert [line.rsplit("; ", 1)[0] for line in lines] == [
        "board 1, high: three of a kind, kings; KhKdKc9c8h",
        "board 1, low: low, 8-4-3-2-A; 8h4d3c2sAs",
        "board 2, high: straight, ten to ace; AsKhQdJdTd",
        "board 2, low: no low; -",
    ]


@pytest.mark.rule("MAT-5")
def test_rank_takes_one_card_of_the_middle_at_most(capsys: Capture) -> None:
    [line] = printed(capsys, "rank", "mata_ases", "KcQsTd9h8c/AsAhAd")
    assert line.startswith("high: high card, ace; ")
    [line] = printed(capsys, "rank", "mata_ases", "AcQsTd9h8c/AsAh7c")
    assert line.startswith("high: pair of aces; ")
    reason = "BAD_CARDS: a board of Mata Ases has 3 cards, not 4"
    assert reason in refused(capsys, "rank", "mata_ases", "KcQsTd9h8c/AsAhAd2c")


def test_rank_of_a_game_without_a_board(capsys: Capture) -> None:
    assert printed(capsys, "rank", "badugi", "As2d3c4h")[0].startswith("low: badugi, 4-3-2-A;")
    common = printed(capsys, "rank", "stud7", "AsKsQsJs2d2c", "/", "Ts")
    assert common[0].startswith("high: royal flush;")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("holdem AsAs / 2c3c4c", "BAD_CARDS: As is named twice"),
        ("holdem AsKs", "BAD_CARDS: high52 ranks 5 or 6 or 7 cards"),
        ("holdem AsKsQs / 2c3c4c", "BAD_CARDS: a hand of Texas hold'em has 2 hole cards, not 3"),
        ("holdem AsK", "BAD_CARDS: a card is cut short"),
        ("holdem AsKs / 2c3c4c5c6c7c", "BAD_CARDS: a board of Texas hold'em has 5 cards, not 6"),
        ("holdem AsKs / 2c3c4c / 5c6c7c", "BAD_CARDS: boards of Texas hold'em: 1, not 2"),
        ("stud7 AsKsQsJs2d2c3c / Ts", "BAD_CARDS: boards of seven-card stud: 0, not 1"),
        ("short_deck AsKs / 2cKdQd", "BAD_CARDS: 2c is not in the deck"),
        ("holdem", "BAD_CARDS: hole cards are named once"),
        ("holdem AsKs --own AsKs", "BAD_CARDS: hole cards are named once"),
        ("hold_em AsKs", "UNKNOWN_GAME: 'hold_em' is none of holdem, "),
        ("missing.json AsKs", "UNKNOWN_GAME: missing.json: "),
    ],
)
def test_rank_refuses_in_one_line(capsys: Capture, words: str, reason: str) -> None:
    assert f"floorctl rank: {reason}" in refused(capsys, "rank", *words.split())


def test_equity_of_every_half(capsys: Capture) -> None:
    hands = ("AsAh2c3d", "KsKhQcQd")
    lines = printed(capsys, "equity", "omaha4_hilo", *hands, "--board", "KdJcTh9s", "--dead", "8s")
    assert lines[0] == "Omaha hi/lo eight or better: the pot"
    assert lines[3] == "high: all 39 run-outs"
    assert lines[6] == "low: all 39 run-outs, nobody qualifies in 39"
    wins = [int(line.split("wins ")[1].split(" ")[0]) for line in lines[4:6]]
    ties = int(lines[4].split("ties ")[1].split(" ")[0])
    assert sum(wins) + ties == 39


def test_equity_from_samples_can_be_had_again(capsys: Capture) -> None:
    words = ("equity", "holdem", "AsAh", "KsKh", "--max-runouts", "9", "--samples", "2000")
    lines = printed(capsys, *words)
    assert " +- " in lines[1]
    assert lines[3] == "high: 2,000 samples"
    assert printed(capsys, *words) == lines
    assert printed(capsys, *words, "--seed", "2") != lines


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("holdem AsAh As2h", "BAD_CARDS: As is named twice"),
        ("holdem AsAh KsKz", "BAD_CARDS: 'z' is not a suit"),
        ("holdem AsAh", "BAD_HANDS: "),
        ("razz AsAh KsKh", "UNKNOWN_GAME: razz has no board"),
        ("nothing AsAh KsKh", "UNKNOWN_GAME: 'nothing' is none of"),
        ("holdem AsAh KsKh --samples 0", "BAD_LIMIT: samples is 1 to"),
    ],
)
def test_equity_refuses_in_one_line(capsys: Capture, words: str, reason: str) -> None:
    assert f"floorctl equity: {reason}" in refused(capsys, "equity", *words.split())


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_deal_tells_a_hand_of_every_game(capsys: Capture, game_id: str) -> None:
    game = GAMES[game_id]
    seats = [
        number
        for number in range(2, game.max_seats + 1)
        if game.cards_needed(number, burn=True) <= len(DECKS[game.deck])
    ]
    streets: set[str] = set()
    for number in (seats[0], seats[-1]):
        for seed in range(3):
            words = ("deal", game_id, "--seats", str(number), "--seed", str(seed))
            lines = printed(capsys, *words)
            nets = [int(line.split(": ")[1]) for line in lines[-number:]]
            carried = [int(line.split()[0]) for line in lines if "are carried" in line]
            assert sum(nets) + sum(carried) == 0
            assert printed(capsys, *words) == lines
            streets |= set(lines)
    assert {street.name for street in game.streets} <= streets


def test_deal_says_which_cards_lie_face_up(capsys: Capture) -> None:
    lines = printed(capsys, "deal", "stud7", "--seats", "3", "--seed", "4")
    third = lines[lines.index("third street") : lines.index("fourth street")]
    assert [line for line in third if "is dealt" in line or "face up" in line] == [
        "  seat 1 is dealt: 5sKh4d",
        "  seat 2 is dealt: 6s8d3d",
        "  seat 3 is dealt: 3h9h3c",
        "  face up: seat 1 4d, seat 2 3d, seat 3 3c",
    ]
    seventh = lines[lines.index("seventh street") :]
    assert not any("face up" in line for line in seventh)


def test_deal_with_short_stacks_has_side_pots(capsys: Capture) -> None:
    words = ("deal", "holdem", "--stacks", "1,17,60,200", "--seed")
    lines = [line for seed in range(1, 9) for line in printed(capsys, *words, str(seed))]
    assert "Texas hold'em, no_limit, 4 seats, button on 4" in lines
    assert "  seat 1 wins 4 of pot 1" in lines
    assert any(line.startswith("  all in, hands face up: seat 1 ") for line in lines)
    assert any(line.startswith("  in the pots: 4 + ") for line in lines)


def test_deal_of_a_row_in_a_file(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "row.json"
    path.write_text(row_to_json(GAMES["omaha4"]).replace('"omaha4"', '"mine"'), encoding="utf-8")
    lines = printed(capsys, "deal", str(path), "--structure", "fixed_limit", "--seats", "2")
    assert lines[0] == "Omaha, fixed_limit, 2 seats, button on 2"
    path.write_text("{}", encoding="utf-8")
    assert "UNKNOWN_GAME" in refused(capsys, "deal", str(path))


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("holdem --seats 1", "BAD_SEATS: 2 to 10 seats, not 1"),
        ("holdem --seats 11", "BAD_SEATS: 2 to 10 seats, not 11"),
        ("holdem --seats -5", "BAD_SEATS: 2 to 10 seats, not -5"),
        ("holdem --stacks 5", "BAD_SEATS: 2 to 10 seats, not 1"),
        ("holdem --stacks 5,6 --seats 3", "BAD_STACKS: 2 stacks for 3 seats"),
        ("holdem --stacks 5,six", "BAD_STACKS: '5,six' is no list of numbers"),
        ("holdem --stacks 5,0", "BAD_STACKS: a stack is 1 to 1000000, not 0"),
        ("holdem --stacks 5,1000001", "BAD_STACKS: a stack is 1 to 1000000, not 1000001"),
        ("omaha6 --seats 9", "DECK_TOO_SMALL: "),
        ("stud7 --structure no_limit", "BAD_SETTINGS: "),
        ("nothing", "UNKNOWN_GAME: "),
    ],
)
def test_deal_refuses_in_one_line(capsys: Capture, words: str, reason: str) -> None:
    assert f"floorctl deal: {reason}" in refused(capsys, "deal", *words.split())
