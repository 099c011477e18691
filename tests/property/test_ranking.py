"""Properties of strengths that hold for all cards."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerfloor.ranking import (
    BADUGI,
    HIGH52,
    RANKINGS,
    TOP3,
    Category,
    RankingError,
    RankingSystem,
    category_of,
    high_strength,
    name_of,
    row_order_key,
)
from tests.support.ranking.plain_ranking import plain_key

SHUFFLED = st.permutations(range(52))
SIZES = st.sampled_from([5, 6, 7])


@pytest.mark.rule("RNK-6")
@given(SHUFFLED, SIZES)
def test_the_cards_that_play_are_held_and_make_the_strength(deck: list[int], size: int) -> None:
    held = deck[:size]
    hand = HIGH52.describe(held)
    assert len(set(hand.cards)) == 5
    assert set(hand.cards) <= set(held)
    alone = HIGH52.describe(hand.cards)
    assert alone == hand


@pytest.mark.rule("RNK-1")
@given(SHUFFLED, SIZES, st.permutations(range(4)))
def test_order_and_names_of_suits_do_not_matter(
    deck: list[int], size: int, suits: list[int]
) -> None:
    held = deck[:size]
    renamed = [card - card % 4 + suits[card % 4] for card in sorted(held)]
    assert high_strength(renamed) == high_strength(held)


@pytest.mark.rule("RNK-1")
@given(SHUFFLED, st.sampled_from([5, 6]))
def test_another_card_never_weakens_a_hand(deck: list[int], size: int) -> None:
    assert high_strength(deck[: size + 1]) >= high_strength(deck[:size])


# Few ranks, so that rows of three and of five often agree in kind and first ranks.
FEW_RANKS = st.permutations([rank * 4 + suit for rank in (3, 9, 10, 12) for suit in range(4)])


@pytest.mark.rule("RNK-4")
@given(st.one_of(SHUFFLED, FEW_RANKS))
def test_rows_of_three_and_five_compare_rank_by_rank(deck: list[int]) -> None:
    three, five = deck[:3], deck[3:8]
    assert (row_order_key(three) < row_order_key(five)) == (plain_key(three) < plain_key(five))
    assert row_order_key(three) != row_order_key(five)
    assert row_order_key(three) == TOP3.strength(three)


SYSTEMS = st.sampled_from(sorted(RANKINGS))


@given(st.lists(st.integers(-3, 56), max_size=9), SYSTEMS)
def test_every_input_is_ranked_or_refused(cards: list[int], name: str) -> None:
    system = RANKINGS[name]
    good = (
        len(cards) in system.sizes
        and len(set(cards)) == len(cards)
        and all(card in system.deck for card in cards)
    )
    if good:
        assert system.describe(cards).strength == system.strength(cards)
        assert system.unchecked(cards) == system.strength(cards)
        assert system.describe(cards).name == name_of(system.strength(cards))
        return
    for refuse in (system.strength, system.describe):
        with pytest.raises(RankingError):
            refuse(cards)


@st.composite
def hands(draw: st.DrawFn) -> tuple[RankingSystem, list[int]]:
    """A system and different cards that it ranks."""
    system = RANKINGS[draw(SYSTEMS)]
    size = draw(st.sampled_from(system.sizes))
    cards = st.lists(st.sampled_from(system.deck.cards), min_size=size, max_size=size, unique=True)
    return system, draw(cards)


@pytest.mark.rule("RNK-6")
@given(hands(), st.randoms(use_true_random=False))
def test_every_system_shows_cards_held_that_make_the_strength(
    given_hand: tuple[RankingSystem, list[int]], random: Random
) -> None:
    system, held = given_hand
    hand = system.describe(held)
    assert (hand.system, hand.category) == (system.name, category_of(hand.strength))
    assert len(set(hand.cards)) == len(hand.cards) <= min(5, len(held))
    assert set(hand.cards) <= set(held)
    random.shuffle(held)
    assert system.describe(held) == hand
    if len(hand.cards) in system.sizes:
        assert system.describe(hand.cards) == hand
    else:
        assert hand.category is Category.NO_LOW or system is BADUGI


@given(hands(), st.permutations(range(4)))
def test_in_no_system_do_the_names_of_suits_matter(
    given_hand: tuple[RankingSystem, list[int]], suits: list[int]
) -> None:
    system, held = given_hand
    renamed = [card if card > 51 else card - card % 4 + suits[card % 4] for card in held]
    assert system.strength(renamed) == system.strength(held)
