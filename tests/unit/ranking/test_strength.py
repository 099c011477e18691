"""What a strength is made of, bit by bit, and what is read back from it."""

from itertools import pairwise

import pytest

from pokerfloor.cards import parse_cards
from pokerfloor.ranking import (
    BADUGI,
    HIGH52,
    LOW8,
    LOW_27,
    NO_LOW,
    RANKINGS,
    TOP3,
    Category,
    RankingSystem,
    category_of,
    name_of,
    ranks_of,
)
from pokerfloor.ranking.strength import base_of, is_of_low, pack_ranks


def strength(name: str, cards: str) -> int:
    return RANKINGS[name].strength(parse_cards(cards))


@pytest.mark.parametrize("name", sorted(RANKINGS))
def test_a_hand_that_is_known_to_be_good_has_the_same_strength_unchecked(name: str) -> None:
    system = RANKINGS[name]
    for size in system.sizes:
        for first in range(4):
            # Of many ranks and all suits, with a joker where there is one.
            held = system.deck.cards[::-1][first::5][:size]
            assert len(held) == size
            assert system.unchecked(held) == system.strength(held)


# Place on the ladder (4 bits), low ranks better (1), kind (5), five ranks (4 each), natural (1).
@pytest.mark.rule("RNK-1", "RNK-3", "RNK-6", "LOW-1")
@pytest.mark.parametrize(
    ("name", "cards", "bits"),
    [
        ("high52", "7c5d4h3s2c", "0000 0 00000 0111 0101 0100 0011 0010 0"),
        ("high52", "QdQc9h8s7d", "0001 0 00001 1100 1001 1000 0111 0000 0"),
        ("high52", "QdQcJsJhAs", "0010 0 00010 1100 1011 1110 0000 0000 0"),
        ("high52", "9d9c9sAdKs", "0011 0 00011 1001 1110 1101 0000 0000 0"),
        ("high52", "5s4h3c2dAs", "0100 0 00100 0101 0000 0000 0000 0000 0"),
        ("high52", "AdJd9d4d3d", "0101 0 00101 1110 1011 1001 0100 0011 0"),
        ("high52", "AsAdAcKhKd", "0110 0 00110 1110 1101 0000 0000 0000 0"),
        ("high52", "6s6h6d6cTs", "0111 0 00111 0110 1010 0000 0000 0000 0"),
        ("high52", "9h8h7h6h5h", "1000 0 01000 1001 0000 0000 0000 0000 0"),
        ("high52", "AsKsQsJsTs", "1001 0 01001 1110 0000 0000 0000 0000 0"),
        ("short36", "9h8h7h6hAh", "1000 0 01000 1001 0001 0000 0000 0000 0"),
        ("short36", "AdJd9d8d7d", "0110 0 00101 1110 1011 1001 1000 0111 0"),
        ("short36_trips", "9d9c9sAdKs", "0100 0 00011 1001 1110 1101 0000 0000 0"),
        ("top3", "QsKdQc", "0001 0 00001 1100 1101 0000 0000 0000 0"),
        ("joker_wild", "AsAdAcAhXr", "1001 0 01010 1110 0000 0000 0000 0000 0"),
        ("joker_wild_natural", "6s6h6d6cTs", "0111 0 00111 0110 1010 0000 0000 0000 1"),
        ("joker_wild_natural", "6s6h6dXrTs", "0111 0 00111 0110 1010 0000 0000 0000 0"),
        # In lows an ace is 1, and each rank stands as 15 less it.
        ("low8", "5c4d3h2sAs", "0101 1 01100 1010 1011 1100 1101 1110 0"),
        ("low_a5", "2c2d3h4s5s", "0100 1 00001 1101 1010 1011 1100 0000 0"),
        ("low_27", "7c5d4h3s2c", "1000 1 01100 1000 1010 1011 1100 1101 0"),
        ("badugi", "As2d3c4h", "0011 1 10000 1011 1100 1101 1110 0000 0"),
        ("badugi", "As2s3c4c", "0001 1 01110 1100 1110 0000 0000 0000 0"),
        ("exposed", "7d7s", "0001 0 00001 0111 0000 0000 0000 0000 0"),
        ("exposed_a5", "7dAs", "0101 1 01100 1000 1110 0000 0000 0000 0"),
    ],
)
def test_the_bits_of_a_strength(name: str, cards: str, bits: str) -> None:
    assert f"{strength(name, cards):031b}" == bits.replace(" ", "")


def test_kinds_and_ranks_are_read_back_from_any_system() -> None:
    assert (category_of(NO_LOW), ranks_of(NO_LOW), is_of_low(NO_LOW)) == (
        Category.NO_LOW,
        (),
        False,
    )
    for place, kind in enumerate(Category):
        if kind is Category.NO_LOW:
            continue
        for low in (False, True):
            ranks = (5, 4, 3, 2, 1) if low else (14, 10, 3, 2)
            made = base_of(kind, place % 16, low=low) | pack_ranks(ranks, low=low)
            assert (category_of(made), ranks_of(made), is_of_low(made)) == (kind, ranks, low)
            assert made >> 26 == (place % 16 << 1 | low)


def test_no_more_than_five_ranks_are_packed() -> None:
    assert pack_ranks((9, 8, 7, 6, 5, 4)) == pack_ranks((9, 8, 7, 6, 5))
    assert pack_ranks(()) == 0
    assert pack_ranks((2,)) == 2 << 17
    assert pack_ranks((2,), low=True) == 13 << 17


@pytest.mark.rule("RNK-6")
@pytest.mark.parametrize(
    ("system", "cards", "name"),
    [
        (LOW8, "8c4d3h2sAs", "low, 8-4-3-2-A"),
        (LOW8, "9c4d3h2sAs", "no low"),
        (LOW_27, "7c5d4h3s2c", "low, 7-5-4-3-2"),
        (LOW_27, "AcKdQhJsTc", "straight, ten to ace"),
        (LOW_27, "AcKdQhJs9c", "low, A-K-Q-J-9"),
        (LOW_27, "AcKcQcJcTc", "straight flush, ten to ace"),
        (LOW_27, "6c6dQhJs9c", "pair of sixes"),
        (BADUGI, "As2d3c4h", "badugi, 4-3-2-A"),
        (BADUGI, "As2d3c4c", "three-card badugi, 3-2-A"),
        (BADUGI, "As2s3c4c", "two-card badugi, 3-A"),
        (BADUGI, "As2s3s4s", "one-card badugi, A"),
        (TOP3, "2c2s2d", "three of a kind, twos"),
        (HIGH52, "AsKsQsJsTs", "royal flush"),
    ],
)
def test_names(system: RankingSystem, cards: str, name: str) -> None:
    assert name_of(system.strength(parse_cards(cards))) == name


@pytest.mark.rule("RNK-6")
def test_every_rank_has_its_word_and_its_plural() -> None:
    words = {
        "2": ("two", "twos"),
        "3": ("three", "threes"),
        "4": ("four", "fours"),
        "5": ("five", "fives"),
        "6": ("six", "sixes"),
        "7": ("seven", "sevens"),
        "8": ("eight", "eights"),
        "9": ("nine", "nines"),
        "T": ("ten", "tens"),
        "J": ("jack", "jacks"),
        "Q": ("queen", "queens"),
        "K": ("king", "kings"),
        "A": ("ace", "aces"),
    }
    for rank, (one, many) in words.items():
        assert name_of(strength("exposed", f"{rank}s")) == f"high card, {one}"
        assert name_of(strength("exposed", f"{rank}s{rank}c")) == f"pair of {many}"


@pytest.mark.rule("RNK-1", "RNK-2")
def test_straights_from_the_wheel_to_the_royal_flush() -> None:
    wheels = ["5432A", "65432", "76543", "87654", "98765", "T9876", "JT987", "QJT98", "KQJT9"]
    texts = [*wheels, "AKQJT"]
    offsuit = [strength("high52", _suited(text, "sdhcs")) for text in texts]
    flushes = [strength("high52", _suited(text, "ddddd")) for text in texts]
    assert all(a < b for a, b in pairwise([*offsuit, *flushes]))
    assert {category_of(value).value for value in offsuit} == {"straight"}
    assert [category_of(value).value for value in flushes] == [
        *["straight_flush"] * 9,
        "royal_flush",
    ]
    short = [strength("short36", _suited(text, "sdhcs")) for text in ("9876A", *texts[5:])]
    assert all(a < b for a, b in pairwise(short))
    assert name_of(short[0]) == "straight, ace to nine"
    assert name_of(short[1]) == "straight, six to ten"


def _suited(ranks: str, suits: str) -> str:
    return "".join([rank + suit for rank, suit in zip(ranks, suits, strict=True)])
