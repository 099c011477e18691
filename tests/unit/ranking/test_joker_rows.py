"""Rows with jokers: all that they can be, against trying every card for a joker (OFC-35)."""

import random
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement

import pytest

from pokerfloor.cards import cards_text, parse_cards
from pokerfloor.ranking import (
    HIGH52,
    TOP3,
    WRONG_NUMBER_OF_CARDS,
    JokerUse,
    RankingError,
    category_of,
    ranks_of,
    row_hand,
    row_order_key,
    row_strengths,
    row_values,
)

COPIES = JokerUse(own_row_copy=True)
FIVE_ALIKE = JokerUse(five_of_a_kind=True)
BOTH = JokerUse(own_row_copy=True, five_of_a_kind=True)

Seen = tuple[str, tuple[int, ...]]

ROWS = [
    "AsXr2c",
    "XrXb9d",
    "KsKdXr",
    "7s2dXb",
    "AsAdAcXrXb",
    "AsAdAcAhXr",
    "2s3s4s5sXr",
    "TsJsQsXrXb",
    "9s8s2sXrXb",
    "As4d9cKhXr",
    "As4s9sKsXb",
    "5d5c5h5sXr",
    "2s2d7h7cXr",
    "KdQd3c3dXb",
    "As2d3cXrXb",
    "6h7h8hXrXb",
]


def every_row(naturals: list[int], jokers: int, use: JokerUse) -> Iterator[tuple[int, ...]]:
    """The natural cards with all cards that the jokers may stand for."""
    free = [card for card in range(52) if use.own_row_copy or card not in naturals]
    ways = combinations_with_replacement if use.own_row_copy else combinations
    for stand_ins in ways(free, jokers):
        yield (*naturals, *stand_ins)


def seen_as(row: tuple[int, ...], use: JokerUse) -> Seen | None:
    """The kind and the ranks of a row in which cards may be there twice, by rules alone."""
    ranks = sorted([card // 4 + 2 for card in row], reverse=True)
    five_alike = len(set(ranks)) == 1 and len(row) == 5
    suited = len({card % 4 for card in row}) == 1 and len(row) == 5
    if suited and len(set(ranks)) < 5:
        return "flush", tuple(ranks)
    if five_alike:
        return ("poker", (ranks[0],)) if use.five_of_a_kind else None
    if len(set(row)) == len(row):
        strength = row_order_key(row)
    else:  # another card of the same rank makes the same of ranks
        suits: dict[int, int] = {}
        cards = []
        for rank in ranks:
            suits[rank] = suits.get(rank, -1) + 1
            cards.append(4 * (rank - 2) + suits[rank])
        if len({card % 4 for card in cards}) == 1:
            cards[0] ^= 1
        strength = row_order_key(cards)
    return category_of(strength).value, ranks_of(strength)


def all_seen(text: str, use: JokerUse) -> set[Seen]:
    cards = list(parse_cards(text))
    naturals = [card for card in cards if card < 52]
    rows = every_row(naturals, len(cards) - len(naturals), use)
    found = {seen for row in rows if (seen := seen_as(row, use)) is not None}
    ranks = {card // 4 + 2 for card in naturals}
    if use.five_of_a_kind and len(cards) == 5 and len(ranks) == 1:
        found.add(("poker", tuple(ranks)))
    return found


@pytest.mark.rule("OFC-35")
@pytest.mark.parametrize("use", [JokerUse(), COPIES, FIVE_ALIKE, BOTH], ids=str)
@pytest.mark.parametrize("row", ROWS)
def test_a_row_can_be_whatever_some_card_makes_it(row: str, use: JokerUse) -> None:
    strengths = row_strengths(parse_cards(row), use)
    assert list(strengths) == sorted(set(strengths))
    assert {(category_of(s).value, ranks_of(s)) for s in strengths} == all_seen(row, use)


@pytest.mark.rule("OFC-35")
@pytest.mark.parametrize("row", ROWS)
def test_of_the_strengths_not_above_a_bound_the_best_is_taken(row: str) -> None:
    cards = parse_cards(row)
    naturals = [card for card in cards if card < 52]
    strengths = row_strengths(cards)
    for strength in strengths[:: max(1, len(strengths) // 40)]:
        found = row_hand(cards, strength)
        assert found is not None
        assert found.hand.strength == strength
        assert [joker for joker, _ in found.stand_ins] == sorted(set(cards) - set(naturals))
        meant = [card for _, card in found.stand_ins]
        assert len({*naturals, *meant}) == len(cards), "other cards than those of the row"
        whole = (TOP3 if len(cards) == 3 else HIGH52).describe((*naturals, *meant))
        assert found.hand._replace(cards=()) == whole._replace(cards=())
        for_joker = dict(found.stand_ins)
        shown = [for_joker.get(card, card) for card in found.hand.cards]
        assert [card // 4 for card in shown] == [card // 4 for card in whole.cards]
        assert set(found.hand.cards) == set(cards)
    lowest, best = row_hand(cards, strengths[0] - 1), row_hand(cards)
    assert lowest is None
    assert best is not None
    assert best.hand.strength == strengths[-1]


@pytest.mark.rule("OFC-35", "RNK-6")
@pytest.mark.parametrize(
    ("row", "use", "name", "shown", "stand_ins"),
    [
        ("AsXr2c", JokerUse(), "pair of aces", "AsXr2c", "Ah"),
        ("XrXb9d", JokerUse(), "three of a kind, nines", "9dXrXb", "9s9h"),
        ("KsKdXr", JokerUse(), "three of a kind, kings", "KsKdXr", "Kh"),
        ("TsJsQsXrXb", JokerUse(), "royal flush", "XrXbQsJsTs", "AsKs"),
        ("2s3s4s5sXr", JokerUse(), "straight flush, two to six", "Xr5s4s3s2s", "6s"),
        ("As2d3cXrXb", JokerUse(), "straight, ace to five", "XrXb3c2dAs", "5s4s"),
        ("2s2d7h7cXr", JokerUse(), "full house, sevens over twos", "7h7cXr2s2d", "7s"),
        ("AsAdAcAhXr", JokerUse(), "four of a kind, aces", "AsAhAdAcXr", "Ks"),
        ("AsAdAcAhXr", FIVE_ALIKE, "poker, aces", "AsAhAdAcXr", "As"),
        ("As4s9sKsXb", JokerUse(), "flush, ace high", "AsKsXb9s4s", "Qs"),
        ("As4s9sKsXb", COPIES, "flush, ace high", "AsXbKs9s4s", "As"),
        ("5d5c5h5sXr", JokerUse(), "four of a kind, fives", "5s5h5d5cXr", "As"),
    ],
)
def test_the_best_of_a_row_and_what_its_jokers_stand_for(
    row: str, use: JokerUse, name: str, shown: str, stand_ins: str
) -> None:
    found = row_hand(parse_cards(row), None, use)
    assert found is not None
    assert (found.hand.name, cards_text(found.hand.cards)) == (name, shown)
    assert cards_text([card for _, card in found.stand_ins]) == stand_ins
    assert found.hand.system == ("top3" if len(found.hand.cards) == 3 else "high52")


@pytest.mark.rule("OFC-35")
def test_a_joker_that_must_not_make_a_flush_stands_for_another_suit() -> None:
    # Four spades, at most a pair of kings: the joker is a king, but none of spades is free.
    pair = HIGH52.strength(parse_cards("KsKdAs9s4s"))
    found = row_hand(parse_cards("As4s9sKsXb"), pair)
    assert found is not None
    assert (found.hand.name, cards_text([found.stand_ins[0][1]])) == ("pair of kings", "Kh")
    # Ace high without a flush: the queen of spades would make one.
    high = HIGH52.strength(parse_cards("AsKsQd9s4s"))
    ace = row_hand(parse_cards("As4s9sKsXb"), high)
    assert ace is not None
    assert (ace.hand.name, cards_text([ace.stand_ins[0][1]])) == ("high card, ace", "Qh")


@pytest.mark.rule("RNK-4", "RNK-6")
def test_rows_without_jokers_are_what_they_are() -> None:
    rng = random.Random(35)
    for _ in range(400):
        size = rng.choice([3, 5])
        deck = rng.choice([range(52), range(0, 52, 4), range(36, 52)])
        cards = tuple(rng.sample(list(deck), size))
        system = TOP3 if size == 3 else HIGH52
        hand = system.describe(cards)
        found = row_hand(cards)
        assert found is not None
        assert (found.hand, found.stand_ins) == (hand, ())
        assert row_strengths(cards) == (hand.strength,)
        assert row_hand(cards, hand.strength) == found
        assert row_hand(cards, hand.strength - 1) is None


@pytest.mark.parametrize("size", [0, 1, 2, 4, 6])
def test_a_row_has_three_or_five_cards(size: int) -> None:
    cards = tuple(range(size))
    with pytest.raises(RankingError) as caught:
        row_hand(cards)
    assert (caught.value.code, caught.value.cards) == (WRONG_NUMBER_OF_CARDS, cards)
    assert caught.value.reason == f"a row has 3 or 5 cards, not {size}"


@pytest.mark.rule("OFC-35")
def test_all_that_ranks_can_be_names_what_the_jokers_stand_for() -> None:
    aces = row_values((12, 12), 1, JokerUse())
    assert len(aces.strengths) == 13
    assert aces.stand_ins[-1] == (12,)
    assert aces.stand_ins[0] == (0,)
    assert set(aces.suited) == {False}
    suited = row_values((8, 9, 10, 11), 1, JokerUse(), suited=True)
    assert suited.stand_ins[-1] == (12,)
    assert suited.suited[-1]
    assert not suited.suited[0]
