"""Which own and board cards may play."""

import random
from itertools import combinations

import pytest

from pokerfloor.cards import cards_text, parse_cards
from pokerfloor.ranking import (
    BADUGI,
    CARD_NOT_RANKED,
    CARD_TWICE,
    HIGH52,
    LOW8,
    LOW_27,
    LOW_A5,
    NO_LOW,
    SHORT36,
    WRONG_NUMBER_OF_CARDS,
    RankingError,
    RankingSystem,
    Use,
    choose,
)
from tests.support.ranking.plain_rules import (
    PLAIN_27,
    PLAIN_A5,
    PLAIN_HIGH,
    PLAIN_SHORT,
    assert_same_order,
    plain_low8,
)

PLAIN_FIVE = {
    HIGH52: PLAIN_HIGH.key,
    SHORT36: PLAIN_SHORT.key,
    LOW8: plain_low8,
    LOW_A5: PLAIN_A5.key,
    LOW_27: PLAIN_27.key,
}


def deal(
    rng: random.Random, hole: int, board: int, *, lowest: int = 0, suits: int = 4
) -> tuple[list[int], list[int]]:
    """Hole cards and a board; of few suits, to meet flushes often."""
    deck = [card for card in range(4 * lowest, 52) if card % 4 < suits]
    cards = rng.sample(deck, hole + board)
    return cards[:hole], cards[hole:]


@pytest.mark.rule("OMA-1", "OMA-2", "LOW-2")
@pytest.mark.parametrize("system", list(PLAIN_FIVE), ids=lambda system: system.name)
@pytest.mark.parametrize("hole", [2, 4, 5, 6])
@pytest.mark.parametrize("suits", [2, 4])
def test_two_hole_and_three_of_the_board(system: RankingSystem, hole: int, suits: int) -> None:
    rng = random.Random(hole * suits)
    choice, plain = choose(system, Use.EXACTLY_TWO), PLAIN_FIVE[system]
    pairs = []
    for _ in range(150):
        held, board = deal(rng, hole, 5, lowest=4 if system is SHORT36 else 0, suits=suits)
        hands = [(*a, *b) for a in combinations(held, 2) for b in combinations(board, 3)]
        strength = choice.strength(held, board)
        pairs.append((strength, max(map(plain, hands))))
        shown = choice.describe(held, board)
        assert shown == choice.describe(held[::-1], board[::-1])
        assert shown.strength == strength
        if strength != NO_LOW:
            assert len(set(shown.cards) & set(held)) == 2
            assert len(set(shown.cards) & set(board)) == 3
            equal = [hand for hand in hands if system.strength(hand) == strength]
            highest = max(equal, key=lambda hand: sorted(hand, reverse=True))
            assert shown == system.describe(highest)
    assert_same_order(pairs)


@pytest.mark.rule("OMA-1")
@pytest.mark.parametrize("system", [HIGH52, LOW8], ids=lambda system: system.name)
def test_the_highest_cards_play_where_several_would_do(system: RankingSystem) -> None:
    """Hole cards and boards of few ranks: most hands can be made in several ways."""
    rng = random.Random(8)
    choice = choose(system, Use.EXACTLY_TWO)
    for _ in range(300):
        ranks = rng.sample(range(13), 6)
        cards = rng.sample([card for card in range(52) if card // 4 in ranks], 11)
        held, board = cards[:6], cards[6:]
        shown = choice.describe(held, board)
        hands = [(*a, *b) for a in combinations(held, 2) for b in combinations(board, 3)]
        equal = [hand for hand in hands if system.strength(hand) == shown.strength]
        assert shown == system.describe(max(equal, key=lambda hand: sorted(hand, reverse=True)))


@pytest.mark.rule("MAT-5")
@pytest.mark.parametrize("suits", [2, 4])
def test_at_most_one_of_the_board(suits: int) -> None:
    rng = random.Random(suits)
    choice = choose(HIGH52, Use.AT_MOST_ONE_OF_BOARD)
    pairs = []
    for _ in range(1_500):
        hole, board = deal(rng, 5, 3, suits=suits)
        hands = [tuple(hole)]
        hands += [(*four, card) for four in combinations(hole, 4) for card in board]
        pairs.append((choice.strength(hole, board), max(map(PLAIN_HIGH.key, hands))))
        shown = choice.describe(hole, board)
        assert len(set(shown.cards) & set(board)) <= 1
        assert shown.strength == choice.strength(hole, board)
    assert_same_order(pairs)


@pytest.mark.rule("MAT-5")
def test_at_most_one_of_the_board_in_a_system_of_five_cards() -> None:
    choice = choose(LOW_27, Use.AT_MOST_ONE_OF_BOARD)
    hole, board = parse_cards("2s3d4c5hKs"), parse_cards("7sAd7d")
    assert cards_text(choice.describe(hole, board).cards) == "7s5h4c3d2s"
    assert choice.strength(hole, ()) == LOW_27.strength(hole)


@pytest.mark.rule("HLD-4")
def test_any_may_be_the_board_alone() -> None:
    choice = choose(HIGH52, Use.ANY)
    hand = choice.describe(parse_cards("2c3d"), parse_cards("AsKsQsJsTs"))
    assert (hand.name, cards_text(hand.cards)) == ("royal flush", "AsKsQsJsTs")
    assert choice.strength(parse_cards("2c3d"), parse_cards("AsKsQsJsTs")) == hand.strength
    assert choose(BADUGI, Use.ANY).strength(parse_cards("As2d3c4h"), ()) > 0


@pytest.mark.rule("OMA-1")
def test_four_suited_on_the_board_are_no_flush_with_one_own() -> None:
    choice = choose(HIGH52, Use.EXACTLY_TWO)
    board = parse_cards("AsKsQs2s3d")
    assert choice.describe(parse_cards("JsTd9h9c"), board).name == "straight, ten to ace"
    assert choice.describe(parse_cards("JsTs9h9c"), board).name == "royal flush"


@pytest.mark.rule("OMA-1")
def test_trips_in_hand_and_a_full_board() -> None:
    """A board that is a full house, and three of a rank in hand, of which only two may play."""
    choice = choose(HIGH52, Use.EXACTLY_TWO)
    hand = choice.describe(parse_cards("AsAdAhKc"), parse_cards("QsQdQh2c2d"))
    assert (hand.name, cards_text(hand.cards)) == ("full house, queens over aces", "QsQhQdAsAh")


@pytest.mark.rule("OMA-1", "RNK-6")
def test_of_equal_hands_the_one_with_the_higher_suits_from_the_top_is_shown() -> None:
    """The ten or the nine may be the spade of the board, not both."""
    hand = choose(HIGH52, Use.EXACTLY_TWO).describe(
        parse_cards("2c8d9cTd"), parse_cards("9sTsJhQc3h")
    )
    assert cards_text(hand.cards) == "QcJhTs9c8d"


@pytest.mark.rule("LOW-2")
def test_the_low_may_use_other_cards_than_the_high() -> None:
    hole, board = parse_cards("As2sKdKh"), parse_cards("3c4d8hKc9c")
    high, low = choose(HIGH52, Use.EXACTLY_TWO), choose(LOW8, Use.EXACTLY_TWO)
    assert high.describe(hole, board).name == "three of a kind, kings"
    assert cards_text(low.describe(hole, board).cards) == "8h4d3c2sAs"
    assert low.describe(hole, parse_cards("3c4dTh9c9d")).category == "no_low"


@pytest.mark.parametrize(
    ("use", "hole", "board", "code"),
    [
        (Use.EXACTLY_TWO, "As", "2c3c4c", WRONG_NUMBER_OF_CARDS),
        (Use.EXACTLY_TWO, "AsKs", "2c3c", WRONG_NUMBER_OF_CARDS),
        (Use.EXACTLY_TWO, "AsKs", "2c3c4c5c6c7c8c9c", WRONG_NUMBER_OF_CARDS),
        (Use.EXACTLY_TWO, "AsKs", "2c3cAs", CARD_TWICE),
        (Use.EXACTLY_TWO, "AsAs", "2c3c4c", CARD_TWICE),
        (Use.EXACTLY_TWO, "AsXr", "2c3c4c", CARD_NOT_RANKED),
        (Use.EXACTLY_TWO, "AsKs", "2c3c??", CARD_NOT_RANKED),
        (Use.AT_MOST_ONE_OF_BOARD, "AsKsQs", "2c3c4c", WRONG_NUMBER_OF_CARDS),
        (Use.AT_MOST_ONE_OF_BOARD, "AsKsQsJs", "", WRONG_NUMBER_OF_CARDS),
        (Use.AT_MOST_ONE_OF_BOARD, "AsKsQsJs", "As", CARD_TWICE),
        (Use.ANY, "AsKs", "Qs", WRONG_NUMBER_OF_CARDS),
    ],
)
def test_cards_that_make_no_hand_are_refused(use: Use, hole: str, board: str, code: str) -> None:
    choice = choose(HIGH52, use)
    for refuse in (choice.strength, choice.describe):
        with pytest.raises(RankingError) as caught:
            refuse(parse_cards(hole), parse_cards(board))
        assert caught.value.code == code
