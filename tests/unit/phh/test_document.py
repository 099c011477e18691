"""Reading PHH documents: what is refused, and with which words."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pokerfloor.cards import UNKNOWN, parse_cards
from pokerfloor.phh import Document, PhhError, read_documents
from pokerfloor.phh.actions import Verb, parse_action

HAND = """
variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [0.5, 1, 0]
min_bet = 1
starting_stacks = [100, 99.25, inf]
actions = ['d dh p1 AsKd', 'd dh p2 ????', 'd dh p3 7h2c', '', '# a remark',
           'p3 cbr 2.50 # opens', 'p1 f', 'p2 f']
finishing_stacks = [99.50, 98.25, 101.5]
_room = 'ours'
"""


def read(text: str) -> Document:
    [(_, document)] = read_documents(text, "hand")
    assert isinstance(document, Document), document
    return document


def test_amounts_become_whole_numbers_of_the_smallest_unit() -> None:
    document = read(HAND)
    assert document.scale == 100
    assert document.blinds == (50, 100, 0)
    assert document.starting_stacks == (10_000, 9_925, None)
    assert document.finishing_stacks == (Fraction(9950), Fraction(9825), Fraction(10150))
    assert document.own == {"_room": "ours"}


def test_comments_and_empty_strings_are_no_actions() -> None:
    document = read(HAND)
    assert [action.number for action in document.actions] == [1, 2, 3, 6, 7, 8]
    raised = document.actions[3]
    assert (raised.verb, raised.player, raised.amount) == (Verb.RAISE_TO, 3, 250)
    assert document.actions[1].cards == (UNKNOWN, UNKNOWN)


def test_half_chips_in_results_do_not_change_the_scale() -> None:
    whole = HAND.replace("0.5, 1, 0", "1, 2, 0").replace("99.25", "99").replace("2.50", "4")
    document = read(whole)
    assert document.scale == 1
    assert document.finishing_stacks == (Fraction(199, 2), Fraction(393, 4), Fraction(203, 2))


def test_a_file_of_many_hands_has_a_label_each_and_one_bad_hand_hides_no_other() -> None:
    good = HAND.replace("\nvariant", "\nvariant", 1)
    text = f"[1]\n{good}\n[2]\nvariant = 'NT'\n[7]\n{good}"
    labels = [(label, isinstance(hand, Document)) for label, hand in read_documents(text, "f")]
    assert labels == [("f[1]", True), ("f[2]", False), ("f[7]", True)]


@pytest.mark.parametrize(
    ("find", "replace", "message"),
    [
        ("variant = 'NT'", "", "variant: missing"),
        ("antes = [0, 0, 0]", "antes = 0", "antes: an array is wanted"),
        ("antes = [0, 0, 0]", "antes = [0, 0, 0, 0]", "antes: at most 3 numbers"),
        ("[100, 99.25, inf]", "[100]", "starting_stacks: 2 to 10 players, not 1"),
        ("[100, 99.25, inf]", "[100, 0, 5]", "starting_stacks: a stack of 0"),
        ("[100, 99.25, inf]", "[100, true, 5]", "amount: a number is wanted"),
        ("[100, 99.25, inf]", "[100, 1.000001, 5]", "amount: amounts with 6 decimals"),
        ("[99.50, 98.25, 101.5]", "[99.50, 98.25]", "finishing_stacks: 3 numbers"),
        ("'p1 f'", "'p4 f'", "action 7 'p4 f': 'p4' is none of p1 to p3"),
        ("'p1 f'", "'p0 f'", "action 7 'p0 f': 'p0' is none"),
        ("'p1 f'", "'p1 f 3'", "action 7 'p1 f 3': 0 arguments"),
        ("'p1 f'", "'p1 fold'", "'fold' is no verb"),
        ("'p1 f'", "'p1'", "an actor and a verb"),
        ("'p1 f'", "7", "action 7 7: a string is wanted"),
        ("'p1 f'", "'p1 cbr -5'", "'-5' is no amount"),
        ("'p1 f'", "'p1 cbr 1e3'", "'1e3' is no amount"),
        ("'p1 f'", "'p1 dh p1 AsKd'", "only the dealer deals"),
        ("AsKd", "AsKx", "action 1"),
    ],
)
def test_what_is_wrong_is_named(find: str, replace: str, message: str) -> None:
    assert find in HAND
    [(_, error)] = read_documents(HAND.replace(find, replace, 1), "hand")
    assert isinstance(error, PhhError)
    assert message in str(error)


@pytest.mark.parametrize("text", ["variant = ", "a = [[[", "\x00"])
def test_no_toml_is_an_error_of_the_file(text: str) -> None:
    with pytest.raises(PhhError, match="file: not TOML"):
        read_documents(text, "file")


def test_shows_and_mucks() -> None:
    shown = parse_action("p1 sm AsKd", 1, 2, 1)
    as_dealt = parse_action("p1 sm -", 1, 2, 1)
    mucked = parse_action("p1 sm", 1, 2, 1)
    assert shown is not None
    assert shown.cards == parse_cards("AsKd")
    assert as_dealt is not None
    assert as_dealt.cards is None
    assert mucked is not None
    assert mucked.cards == ()
