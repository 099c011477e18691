"""Every row there is has its printed bonus: all tops, all fives, with jokers and without."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from pokerfloor.cards import BLACK_JOKER, RED_JOKER, card_text, parse_cards
from pokerfloor.ranking import (
    HIGH52,
    JokerUse,
    RankedHand,
    category_of,
    row_hand,
    row_order_key,
    row_strengths,
)
from pokerfloor.ranking.batch import sum_batch
from pokerfloor.scoring import Layout, Mode, OfcRules, Row, royalty, score_layout

PAIRS = dict(zip("6789TJQKA", range(1, 10), strict=True))
TRIPS = dict(zip("23456789TJQKA", range(10, 23), strict=True))
JOKERS = (RED_JOKER, BLACK_JOKER)


def hand_of(cards: tuple[int, ...]) -> RankedHand:
    found = row_hand(cards)
    assert found is not None
    return found.hand


def printed_top_bonus(letters: str) -> int:
    """The printed table, read by letters."""
    rank, held = Counter(letters).most_common(1)[0]
    if held == 3:
        return TRIPS[rank]
    return PAIRS.get(rank, 0) if held == 2 else 0


@pytest.mark.rule("OFC-12", "RNK-4")
def test_all_22_100_tops() -> None:
    kinds: Counter[str] = Counter()
    strength_of: dict[str, int] = {}
    for cards in combinations(range(52), 3):
        hand = hand_of(cards)
        letters = "".join(card_text(card)[0] for card in cards)
        assert royalty(Row.TOP, hand).points == printed_top_bonus(letters)
        different = {1: "three_of_a_kind", 2: "one_pair", 3: "high_card"}[len(set(letters))]
        assert hand.category == different
        assert hand.strength == row_order_key(cards)
        # Suits never matter.
        assert strength_of.setdefault("".join(sorted(letters)), hand.strength) == hand.strength
        kinds[hand.category] += 1
    assert kinds == {"three_of_a_kind": 52, "one_pair": 3_744, "high_card": 18_304}
    assert len(set(strength_of.values())) == len(strength_of) == 455


@pytest.mark.rule("OFC-12", "OFC-35")
def test_all_tops_with_jokers() -> None:
    """A joker pairs the higher card, two make three of a kind: nothing below is in the way."""
    tally: Counter[int] = Counter()
    for jokers in ((RED_JOKER,), (BLACK_JOKER,), JOKERS):
        for naturals in combinations(range(52), 3 - len(jokers)):
            letters = "".join(card_text(card)[0] for card in sorted(naturals))
            found = row_hand((*naturals, *jokers))
            assert found is not None
            wanted = printed_top_bonus(letters + letters[-1] * len(jokers))
            assert royalty(Row.TOP, found.hand).points == wanted
            assert {card_text(card)[0] for _, card in found.stand_ins} == {letters[-1]}
            tally[len(jokers)] += 1
    assert tally == {1: 2 * 1_326, 2: 52}


@pytest.mark.rule("OFC-12", "RNK-1")
def test_all_2_598_960_fives_in_both_rows() -> None:
    """Each strength has its bonus by kind; weighed by how many hands have it, the counts add up."""
    strengths, example, count = np.unique(
        sum_batch(HIGH52).strengths(list(_all_fives())), return_index=True, return_counts=True
    )
    assert (len(strengths), int(count.sum())) == (7_462, 2_598_960)
    hands = _all_fives()
    bonuses: dict[Row, Counter[int]] = {Row.MIDDLE: Counter(), Row.BOTTOM: Counter()}
    for index, held in zip(example.tolist(), count.tolist(), strict=True):
        hand = hand_of(tuple(int(place[index]) for place in hands))
        for row, tally in bonuses.items():
            tally[royalty(row, hand).points] += held
    plain = 1_302_540 + 1_098_240 + 123_552
    assert bonuses[Row.BOTTOM] == {
        0: plain + 54_912, 2: 10_200, 4: 5_108, 6: 3_744, 10: 624, 15: 36, 25: 4,
    }  # fmt: skip
    assert bonuses[Row.MIDDLE] == {
        0: plain, 2: 54_912, 4: 10_200, 8: 5_108, 12: 3_744, 20: 624, 30: 36, 50: 4,
    }  # fmt: skip


def _all_fives() -> np.ndarray[Any, Any]:
    return np.fromiter(combinations(range(52), 5), dtype=np.dtype((np.int64, 5))).T


@pytest.mark.rule("OFC-35", "RNK-3")
def test_fives_with_jokers_have_the_exact_counts() -> None:
    """With five of a kind, the best of a row is what jokers wild make of it in RNK-3."""
    use = JokerUse(five_of_a_kind=True)
    kinds: Counter[str] = Counter()
    for jokers, weight in ((1, 2), (2, 1)):
        for naturals in combinations(range(52), 5 - jokers):
            best = row_strengths((*naturals, *JOKERS[:jokers]), use)[-1]
            kinds[category_of(best).replace("royal_flush", "straight_flush")] += weight
    # 54 cards five at a time, less those of 52.
    assert kinds == {
        "poker": 78,
        "straight_flush": 624 - 40,
        "four_of_a_kind": 9_360 - 624,
        "full_house": 9_360 - 3_744,
        "flush": 11_388 - 5_108,
        "straight": 34_704 - 10_200,
        "three_of_a_kind": 232_968 - 54_912,
        "one_pair": 1_437_936 - 1_098_240,
    }


@pytest.mark.rule("OFC-35", "OFC-12")
def test_five_of_a_kind_brings_what_the_royal_flush_does() -> None:
    rules = OfcRules(Mode.JOKER, five_of_a_kind=True)
    bottom = score_layout(
        Layout(
            parse_cards("2c3d4h"), parse_cards("KsKhKdKcXb"), parse_cards("AsAhAdAcXr")
        ),
        rules,
    )  # fmt: skip
    assert [row.royalty.points for row in bottom.rows] == [0, 50, 25]
    assert [row.hand.name for row in bottom.rows[1:]] == ["poker, kings", "poker, aces"]
    without = score_layout(bottom.layout, OfcRules(Mode.JOKER))
    assert [row.royalty.points for row in without.rows] == [0, 20, 10]
