"""Compositions of decks."""

from dataclasses import FrozenInstanceError

import pytest

from pokerfloor.cards import (
    DECKS,
    SHORT,
    STANDARD,
    STANDARD_ONE_JOKER,
    STANDARD_TWO_JOKERS,
    Deck,
    cards_text,
    parse_card,
)


def test_names_are_stable() -> None:
    assert DECKS == {
        "standard52": STANDARD,
        "short36": SHORT,
        "joker53": STANDARD_ONE_JOKER,
        "joker54": STANDARD_TWO_JOKERS,
    }
    assert all(deck.name == name for name, deck in DECKS.items())


def test_sizes() -> None:
    assert {name: len(deck) for name, deck in DECKS.items()} == {
        "standard52": 52,
        "short36": 36,
        "joker53": 53,
        "joker54": 54,
    }


def test_members() -> None:
    assert STANDARD.cards == tuple(range(52))
    assert cards_text(SHORT.cards[:5]) == "6c6d6h6s7c"
    assert parse_card("5s") not in SHORT
    assert parse_card("6c") in SHORT
    assert cards_text(STANDARD_ONE_JOKER.cards[-2:]) == "AsXr"
    assert cards_text(STANDARD_TWO_JOKERS.cards[-2:]) == "XrXb"
    assert "As" not in STANDARD
    assert -1 not in STANDARD_TWO_JOKERS


def test_a_deck_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        STANDARD.name = "other"  # type: ignore[misc]  # the assignment is what is tested
    with pytest.raises(TypeError):
        DECKS["mine"] = STANDARD  # type: ignore[index]  # the assignment is what is tested


@pytest.mark.parametrize("cards", [(1, 1), (2, 1)])
def test_a_composition_names_each_card_once_in_order(cards: tuple[int, ...]) -> None:
    with pytest.raises(AssertionError):
        Deck("bad", cards)
