"""Scoop Hold'em: rows on a board, the points of the better hand times the row's factor."""

from __future__ import annotations

import random

import pytest

from pokerfloor.cards import parse_cards
from pokerfloor.ranking import HIGH52
from pokerfloor.scoring import (
    CARD_NOT_IN_DECK,
    CARD_TWICE,
    JOKER_NOT_ALLOWED,
    WRONG_NUMBER_OF_CARDS,
    WRONG_NUMBER_OF_PLAYERS,
    LayoutError,
    ScoopLayout,
    ScoopPair,
    score_scoop,
)


def laid(text: str) -> ScoopLayout:
    first, second, third = (parse_cards(row) for row in text.split("/"))
    return ScoopLayout(first, second, third)


def pair_of(board: str, a: str, b: str) -> ScoopPair:
    (pair,) = score_scoop(parse_cards(board), {"a": laid(a), "b": laid(b)}).pairs
    return pair


def rows(pair: ScoopPair) -> list[int]:
    return [row.score.points for row in pair.rows]


# Points by the winner's hand (SCP-3): the board, the better two cards, the worse two.
POINTS = [
    ("2c5d9hJsKd", "As7c", "Qs7d", "high_card", 1),
    ("2c5d9hJsKd", "9c7c", "Qs7d", "one_pair", 1),
    ("2c5d9hJsKd", "9cJc", "Qs7d", "two_pair", 2),
    ("2c5d9hJsKd", "9c9s", "Qs7d", "three_of_a_kind", 3),
    ("8c5d9hJsKd", "TcQc", "As7d", "straight", 4),
    ("2h5h9hJsKd", "Ah3h", "Qs7d", "flush", 5),
    ("2c5d9h9sKd", "9cKc", "Qs7d", "full_house", 6),
    ("2c5d9h9sKd", "9c9d", "Qs7d", "four_of_a_kind", 10),
    ("8h7h9hJsKd", "ThJh", "Qs7d", "straight_flush", 20),
    ("Qh7hKhJh3d", "ThAh", "Qs7d", "royal_flush", 30),
]


@pytest.mark.rule("SCP-3", "SCP-2")
@pytest.mark.parametrize(("board", "better", "worse", "kind", "points"), POINTS)
def test_points_and_factors(board: str, better: str, worse: str, kind: str, points: int) -> None:
    for place, factor in enumerate((5, 3, 1)):
        a, b = ["3s4s", "6s8s"], ["3c4c", "6c8d"]
        a.insert(place, better)
        b.insert(place, worse)
        score = score_scoop(parse_cards(board), {"a": laid("/".join(a)), "b": laid("/".join(b))})
        assert score.hands["a"][place].category == kind
        assert rows(score.pairs[0])[place] == points * factor


@pytest.mark.rule("SCP-3")
def test_a_tied_row_brings_nothing_and_no_scoop() -> None:
    pair = pair_of("2c5d9hJsKd", "9cTc/AsQc/7s6s", "9sTs/Qs8s/7c6c")
    assert rows(pair) == [0, 3, 0]
    assert [row.score.reason.code for row in pair.rows] == ["row_tied", "row_won", "row_tied"]
    assert (pair.scoop.points, pair.total) == (0, 3)


@pytest.mark.rule("SCP-4", "SCP-3")
def test_all_three_rows_bring_thirty_more() -> None:
    pair = pair_of("2c5d9hJsKd", "9c9s/JcJd/KcKh", "Qs7s/8s8c/AcAd")
    assert rows(pair) == [15, 9, 3]
    assert (pair.scoop.points, pair.scoop.reason.code, pair.total) == (30, "scoop_won", 57)
    back = pair_of("2c5d9hJsKd", "Qs7s/8s8c/AcAd", "9c9s/JcJd/KcKh")
    assert (rows(back), back.scoop.points, back.total) == ([-15, -9, -3], -30, -57)
    assert back.scoop.reason.code == "scoop_lost"
    assert pair.rows[0].score.reason.text == (
        "first: three of a kind, nines beats high card, king, 3 x 5 = 15"
    )
    assert back.rows[1].score.reason.text == (
        "second: pair of eights loses to three of a kind, jacks, 3 x 3 = 9"
    )


@pytest.mark.rule("SCP-3")
def test_the_winner_s_points_count_and_not_the_loser_s() -> None:
    pair = pair_of("2h5h9hJsKd", "9c9s/3c4c/7s8s", "AhQh/3d4d/7c8c")
    assert rows(pair) == [-25, 0, 0]


@pytest.mark.rule("SCP-2")
def test_rows_need_not_be_in_order_and_the_board_may_play() -> None:
    score = score_scoop(
        parse_cards("AsKsQsJsTs"), {"a": laid("AhAd/3d4d/2c7h"), "b": laid("2d3c/KhKd/QhQd")}
    )
    assert {hand.name for hands in score.hands.values() for hand in hands} == {"royal flush"}
    assert dict(score.totals) == {"a": 0, "b": 0}


@pytest.mark.rule("SCP-1", "SCP-3")
def test_four_players_are_six_pairs() -> None:
    chance = random.Random(4)
    for _ in range(300):
        deck = chance.sample(range(52), 52)
        board = deck[:5]
        hands = {
            f"p{seat}": ScoopLayout(*[tuple(deck[at : at + 2]) for at in range(at, at + 6, 2)])
            for seat, at in enumerate(range(5, 29, 6))
        }
        score = score_scoop(board, hands)
        assert [(pair.first, pair.second) for pair in score.pairs] == [
            ("p0", "p1"), ("p0", "p2"), ("p0", "p3"), ("p1", "p2"), ("p1", "p3"), ("p2", "p3"),
        ]  # fmt: skip
        assert sum(score.totals.values()) == 0
        for pair in score.pairs:
            mine, theirs = (
                [HIGH52.strength((*row, *board)) for row in hands[player].rows]
                for player in (pair.first, pair.second)
            )
            signs = [(a > b) - (a < b) for a, b in zip(mine, theirs, strict=True)]
            assert [(p > 0) - (p < 0) for p in rows(pair)] == signs
            assert pair.scoop.points == (30 * signs[0] if abs(sum(signs)) == 3 else 0)


@pytest.mark.rule("SCP-1", "SCP-2")
@pytest.mark.parametrize(
    ("board", "hands", "code", "field"),
    [
        ("2c5d9hJs", ("AsAh/3d4d/2s7h", "2d3c/KhKd/QhQd"), WRONG_NUMBER_OF_CARDS, "board"),
        ("2c5d9hJsKd", (), WRONG_NUMBER_OF_PLAYERS, "layouts"),
        ("2c5d9hJsKd", ("AsAh/3d4d/2s7h",), WRONG_NUMBER_OF_PLAYERS, "layouts"),
        ("2c5d9hJsKd", ("AsAh/3d4d/2s7h",) * 5, WRONG_NUMBER_OF_PLAYERS, "layouts"),
        ("2c5d9hJsKd", ("AsAh/3d/2s7h", "2d3c/KhKc/QhQd"), WRONG_NUMBER_OF_CARDS, "p0.second"),
        ("2c5d9hJsKd", ("AsAh/3d4d/2s7h", "2d3c/KhKc/Qh2c"), CARD_TWICE, "p1.third[1]"),
        ("2c5d9hJsKd", ("AsAh/3d4d/2s7h", "2d3c/KhKd/QhQd"), CARD_TWICE, "p1.second[1]"),
        ("2c5d9hJsKd", ("AsAh/3d4d/2s7h", "As3c/KhKc/QhQd"), CARD_TWICE, "p1.first[0]"),
        ("2c5d9hJsXr", ("AsAh/3d4d/2s7h", "2d3c/KhKc/QhQd"), JOKER_NOT_ALLOWED, "board[4]"),
        ("2c5d9hJsKd", ("As??/3d4d/2s7h", "2d3c/KhKc/QhQd"), CARD_NOT_IN_DECK, "p0.first[1]"),
    ],
)
def test_what_cannot_be_scored(board: str, hands: tuple[str, ...], code: str, field: str) -> None:
    with pytest.raises(LayoutError) as caught:
        score_scoop(parse_cards(board), {f"p{at}": laid(text) for at, text in enumerate(hands)})
    assert (caught.value.code, caught.value.field) == (code, field)
