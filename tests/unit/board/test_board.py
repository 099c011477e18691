"""What the board says of a hand."""

from pokerfloor.board import last_hand_text, money
from pokerfloor.client import LastHand, Winner


def test_a_winner_is_named_with_the_hand() -> None:
    winners = (Winner(2, "bot-2", "Bela", 12_345, "two pair, kings and tens"),)
    last = LastHand(7, {1: -1, 2: 1}, 0, winners, ())
    assert last_hand_text(last) == "Bela wins 123.45 with two pair, kings and tens"


def test_a_hand_that_was_not_shown_has_no_name() -> None:
    last = LastHand(7, {}, 0, (Winner(2, "bot-2", "", 100, ""),), ())
    assert last_hand_text(last) == "bot-2 wins 1.00"


def test_a_void_hand_says_why() -> None:
    assert last_hand_text(LastHand(7, {}, 0, (), (), "deck lost")) == "hand 7 void: deck lost"
    assert last_hand_text(None) == ""


def test_money_is_in_units_of_a_hundred() -> None:
    assert money(-1_234_567) == "-12,345.67"


def test_points_are_no_money_on_the_board() -> None:
    last = LastHand(1, {1: 5, 2: -5}, 0, (Winner(1, "ann", "Ann", 5, ""),), ())
    assert last_hand_text(last, lambda points: f"{points} points") == "Ann wins 5 points"
