"""Text of cards."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerfloor.cards import (
    BLACK_JOKER,
    RANKS,
    RED_JOKER,
    SUITS,
    UNKNOWN,
    CardError,
    card_text,
    cards_text,
    is_joker,
    parse_card,
    parse_cards,
    rank_of,
    suit_of,
)

ANY_CARD = st.integers(UNKNOWN, BLACK_JOKER)


def test_numbers_are_rank_times_four_plus_suit() -> None:
    for rank, rank_letter in enumerate(RANKS):
        for suit, suit_letter in enumerate(SUITS):
            card = rank * 4 + suit
            assert parse_card(rank_letter + suit_letter) == card
            assert card_text(card) == rank_letter + suit_letter
            assert (rank_of(card), suit_of(card)) == (rank, suit)


def test_known_numbers() -> None:
    assert [parse_card(text) for text in ("2c", "2s", "Ac", "As")] == [0, 3, 48, 51]
    assert parse_cards("XrXb??") == (RED_JOKER, BLACK_JOKER, UNKNOWN) == (52, 53, -1)


def test_spaces_between_cards_are_optional() -> None:
    assert parse_cards("AsKd??") == parse_cards(" As Kd  ?? ") == (51, 45, -1)
    assert parse_cards("") == parse_cards("  ") == ()


def test_a_repeated_card_is_the_callers_business() -> None:
    assert parse_cards("????AsAs") == (-1, -1, 51, 51)


@given(st.lists(ANY_CARD))
def test_text_reads_back(cards: list[int]) -> None:
    assert list(parse_cards(cards_text(cards))) == cards
    assert list(parse_cards(" ".join(map(card_text, cards)))) == cards


GOOD_TEXT = re.compile(r" *(([2-9TJQKA][cdhs]|X[rb]|\?\?) *)*")


@given(st.text(alphabet="23456789TJQKAcdhsXrb? 1xZ", max_size=8))
def test_nothing_but_the_exact_spelling_is_read(text: str) -> None:
    if GOOD_TEXT.fullmatch(text):
        assert cards_text(parse_cards(text)) == text.replace(" ", "")
        return
    with pytest.raises(CardError) as caught:
        parse_cards(text)
    assert caught.value.text == text
    # All before the offset is good but for a rank that waits for its suit.
    offset = caught.value.offset
    assert any(GOOD_TEXT.fullmatch(text[:end]) for end in (offset, offset - 1))


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ("10h", 0),
        ("as", 0),
        ("AS", 1),
        ("Ax", 1),
        ("A", 0),
        ("AsK", 2),
        ("As Kd 1c", 6),
        ("As,Kd", 2),
        ("A s", 1),
        ("?s", 1),
        ("Xs", 1),
        ("Ar", 1),
        ("As\tKd", 2),
    ],
)
def test_the_error_points_at_the_place(text: str, offset: int) -> None:
    with pytest.raises(CardError) as caught:
        parse_cards(text)
    assert (caught.value.text, caught.value.offset) == (text, offset)
    assert repr(text) in str(caught.value)
    assert f"offset {offset}" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "offset"), [("", 0), (" As", 0), ("As ", 2), ("AsKd", 2), ("1s", 0), ("Ac\n", 2)]
)
def test_one_card_means_one(text: str, offset: int) -> None:
    with pytest.raises(CardError) as caught:
        parse_card(text)
    assert caught.value.offset == offset


@pytest.mark.parametrize("number", [-2, 54, 99])
def test_other_numbers_have_no_text(number: int) -> None:
    with pytest.raises(CardError, match=str(number)):
        card_text(number)


@pytest.mark.parametrize("card", [UNKNOWN, RED_JOKER, BLACK_JOKER, 54, -2])
def test_only_the_52_have_rank_and_suit(card: int) -> None:
    with pytest.raises(CardError):
        rank_of(card)
    with pytest.raises(CardError):
        suit_of(card)


def test_jokers() -> None:
    assert [card for card in range(UNKNOWN, 54) if is_joker(card)] == [RED_JOKER, BLACK_JOKER]
