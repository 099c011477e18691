"""A choice, part by part: the rule of use, and strengths with and without a check."""

import pytest

from pokerfloor.cards import parse_cards
from pokerfloor.ranking import (
    CARD_NOT_RANKED,
    CARD_TWICE,
    EXPOSED,
    HIGH52,
    LOW8,
    LOW_27,
    WRONG_NUMBER_OF_CARDS,
    RankingError,
    RankingSystem,
    Use,
    choose,
)
from pokerfloor.ranking.two_hole_cards import TwoHoleCards


@pytest.mark.rule("HLD-4", "OMA-1", "MAT-5")
@pytest.mark.parametrize(
    ("system", "use", "hole", "board", "best"),
    [
        (HIGH52, Use.ANY, "As2d", "KsQsJsTs3c", "AsKsQsJsTs"),
        (HIGH52, Use.EXACTLY_TWO, "As2d", "KsQsJsTs3c", "As2dKsQsJs"),
        (LOW8, Use.EXACTLY_TWO, "As2dKcKd", "3s4s8dTs3c", "As2d3s4s8d"),
        (LOW_27, Use.EXACTLY_TWO, "7s5d", "2s3s4dTs3c", "7s5d2s3s4d"),
        (HIGH52, Use.AT_MOST_ONE_OF_BOARD, "AsKsQs2d2c", "JsTs3c", "AsKs2d2cQs"),
    ],
)
def test_a_choice_ranks_the_best_hand_with_and_without_a_check(
    system: RankingSystem, use: Use, hole: str, board: str, best: str
) -> None:
    choice = choose(system, use)
    assert (choice.use, choice.system) == (use, system)
    strength = system.strength(parse_cards(best))
    assert choice.strength(parse_cards(hole), parse_cards(board)) == strength
    assert choice.unchecked(parse_cards(hole), parse_cards(board)) == strength
    playing = choice.playing(parse_cards(hole), parse_cards(board), strength)
    assert sorted(playing) == sorted(parse_cards(best))
    hand = choice.describe(parse_cards(hole), parse_cards(board))
    assert hand == system.hand(strength, playing)


def refused(use: Use, system: RankingSystem, hole: str, board: str) -> RankingError:
    with pytest.raises(RankingError) as caught:
        choose(system, use).strength(parse_cards(hole), parse_cards(board))
    return caught.value


ELEVEN = "AsKsQsJsTs9s8s7s6s5s4s"
EIGHT = "AhKhQhJhTh9h8h7h"


@pytest.mark.rule("OMA-1", "MAT-5")
@pytest.mark.parametrize(
    ("use", "system", "hole", "board"),
    [
        (Use.EXACTLY_TWO, LOW_27, "As", "2c3c4c"),
        (Use.EXACTLY_TWO, LOW_27, "AsKs", "2c3c"),
        (Use.EXACTLY_TWO, LOW_27, ELEVEN, "2c3c4c"),
        (Use.EXACTLY_TWO, LOW_27, "AsKs", EIGHT),
        (Use.AT_MOST_ONE_OF_BOARD, HIGH52, "AsKsQs", "2c3c4c"),
        (Use.AT_MOST_ONE_OF_BOARD, HIGH52, "AsKsQsJs", ""),
        (Use.AT_MOST_ONE_OF_BOARD, HIGH52, ELEVEN, "2c"),
        (Use.AT_MOST_ONE_OF_BOARD, HIGH52, "AsKsQsJs", EIGHT),
    ],
)
def test_too_few_and_too_many_cards_are_told(
    use: Use, system: RankingSystem, hole: str, board: str
) -> None:
    error = refused(use, system, hole, board)
    assert (error.code, error.cards) == (WRONG_NUMBER_OF_CARDS, parse_cards(hole + board))
    counts = f"{len(hole) // 2} hole cards and {len(board) // 2} of a board"
    assert error.reason == f"{system.name} finds no hand in {counts}"


@pytest.mark.rule("OMA-1", "MAT-5")
@pytest.mark.parametrize("use", [Use.EXACTLY_TWO, Use.AT_MOST_ONE_OF_BOARD])
def test_a_card_of_another_deck_is_told_by_the_systems_name(use: Use) -> None:
    error = refused(use, LOW_27, "AsKsQsXr", "2c3c4c")
    assert (error.code, error.cards) == (CARD_NOT_RANKED, parse_cards("Xr"))
    assert error.reason == "low_27 does not rank Xr"


@pytest.mark.rule("OMA-1", "MAT-5")
@pytest.mark.parametrize(
    ("use", "system", "hole", "board", "best"),
    [
        (Use.EXACTLY_TWO, LOW_27, "7s5d", "2s3s4d", "7s5d2s3s4d"),
        (Use.EXACTLY_TWO, LOW_27, "7s5dAsKsQsJsTs9s8s6s", "2s3s4d", "7s5d2s3s4d"),
        (Use.EXACTLY_TWO, LOW_27, "7s5d", "2s3s4dAhKhQhJh", "7s5d2s3s4d"),
        (Use.AT_MOST_ONE_OF_BOARD, HIGH52, "2c3d4h5s", "As", "5s4h3d2cAs"),
        (Use.AT_MOST_ONE_OF_BOARD, HIGH52, "2c3d4h5s7c8d9hJs", "6sKd", "5s6s7c8d9h"),
        (Use.AT_MOST_ONE_OF_BOARD, HIGH52, "2c3d4h5s7c8d9hJsKdKc", "Kh2hAsQsTdJd6d", "7c8d9hTdJs"),
    ],
)
def test_as_few_and_as_many_cards_as_may_be(
    use: Use, system: RankingSystem, hole: str, board: str, best: str
) -> None:
    strength = choose(system, use).strength(parse_cards(hole), parse_cards(board))
    assert strength == system.strength(parse_cards(best))


@pytest.mark.rule("RNK-5")
@pytest.mark.parametrize("cards", ["As", "AsAd", "AsAdAc", "9s8s7s6s", "9s8s7s6s5s", "AsAdKcKh2s"])
def test_exposed_hands_are_ranked_alike_with_and_without_a_check(cards: str) -> None:
    held = parse_cards(cards)
    assert EXPOSED.unchecked(held) == EXPOSED.strength(held)


@pytest.mark.rule("OMA-1")
@pytest.mark.parametrize(
    ("hole", "board", "fewest", "most", "at_fault"),
    [
        ("As", "2c3c4c", 2, 10, "As"),
        (ELEVEN, "2c3c4c", 2, 10, ELEVEN),
        ("AsKs", "2c3c", 3, 7, "2c3c"),
        ("AsKs", EIGHT, 3, 7, EIGHT),
    ],
)
def test_two_and_three_are_taken_of_so_many_and_no_more(
    hole: str, board: str, fewest: int, most: int, at_fault: str
) -> None:
    error = refused(Use.EXACTLY_TWO, HIGH52, hole, board)
    assert (error.code, error.cards) == (WRONG_NUMBER_OF_CARDS, parse_cards(at_fault))
    counts = f"{fewest} of {fewest} to {most} cards, not of {len(error.cards)}"
    assert error.reason == f"high52 takes {counts}"


@pytest.mark.rule("OMA-1")
def test_ten_hole_cards_and_seven_of_the_board_are_not_too_many() -> None:
    hole, board = parse_cards(ELEVEN[:-2]), parse_cards(EIGHT[:-2])
    strength = choose(HIGH52, Use.EXACTLY_TWO).strength(hole, board)
    assert strength == HIGH52.strength(parse_cards("AsKsQhJhTh"))


@pytest.mark.rule("OMA-1")
@pytest.mark.parametrize(
    ("hole", "board", "code", "reason"),
    [
        ("AsXr", "2c3c4c", CARD_NOT_RANKED, "high52 does not rank Xr"),
        ("AsKs", "2c3cXb", CARD_NOT_RANKED, "high52 does not rank Xb"),
        ("AsKs", "2c3cAs", CARD_TWICE, "As more than once in one hand"),
    ],
)
def test_cards_that_two_and_three_cannot_be_taken_of(
    hole: str, board: str, code: str, reason: str
) -> None:
    error = refused(Use.EXACTLY_TWO, HIGH52, hole, board)
    assert (error.code, error.reason) == (code, reason)


def test_what_is_kept_of_hole_cards_and_boards_has_a_limit() -> None:
    assert HIGH52.table is not None
    fast = TwoHoleCards(HIGH52, HIGH52.table())
    for kept in (fast._hole, fast._board):
        assert (kept.cache_info().maxsize or 0) in range(1, 10_000)
