"""Run-outs: each counted once, and samples in which every one is as likely."""

import random
import struct
from collections import Counter
from itertools import combinations, permutations

import pytest

from pokerfloor.cards import parse_cards
from pokerfloor.equity.runouts import Runouts, all_runouts, sampled_runouts


def chosen(runouts: Runouts) -> list[tuple[int, ...]]:
    return list(zip(*[place.tolist() for place in runouts.places], strict=True))


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_without_like_suits_every_runout_is_there_once(size: int) -> None:
    unseen = parse_cards("2c3c4c5d6d7h8s9s")
    runouts = all_runouts(unseen, size, ())
    assert chosen(runouts) == list(combinations(unseen, size))
    assert set(runouts.weights.tolist()) == {1}


def test_nothing_to_come_is_one_runout() -> None:
    runouts = all_runouts(parse_cards("2c3c"), 0, ())
    assert (runouts.places, runouts.weights.tolist()) == ((), [1])


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_a_weight_is_how_many_runouts_go_over_into_one_another(size: int) -> None:
    """Against all exchanges of suits, one by one: c, d and h are alike, s is apart."""
    unseen = parse_cards("2c2d2h3c3d3h4c4d4h4s5s")
    exchanges = [(*order, 3) for order in permutations(range(3))]
    orbits = Counter(
        min(
            tuple(sorted(card - card % 4 + suits[card % 4] for card in runout))
            for suits in exchanges
        )
        for runout in combinations(unseen, size)
    )
    runouts = all_runouts(unseen, size, ())
    found = {
        min(
            tuple(sorted(card - card % 4 + suits[card % 4] for card in runout))
            for suits in exchanges
        ): weight
        for runout, weight in zip(chosen(runouts), runouts.weights.tolist(), strict=True)
    }
    assert len(found) == len(runouts.weights)
    assert found == orbits


def test_every_ordered_choice_comes_from_as_many_words() -> None:
    unseen = (10, 20, 30, 40)
    step = 1 << 30  # a word for each quarter, and for each third the nearest below its middle
    first = [quarter * step + step // 2 for quarter in range(4)]
    second = [third * (1 << 32) // 3 + step // 2 for third in range(3)]
    pairs = [(a, b) for a in first for b in second]
    words = [a for a, _ in pairs] + [b for _, b in pairs]
    runouts = sampled_runouts(
        unseen, 2, len(pairs), lambda size: struct.pack(f"<{size // 4}I", *words)
    )
    assert sorted(chosen(runouts)) == sorted(permutations(unseen, 2))


def test_samples_of_five_are_different_cards_and_none_is_favoured() -> None:
    unseen = tuple(range(3, 48))
    runouts = sampled_runouts(unseen, 5, 90_000, random.Random(3).randbytes)
    drawn = chosen(runouts)
    assert all(len(set(runout)) == 5 for runout in drawn)
    for nth in range(5):
        counts = Counter(runout[nth] for runout in drawn)
        assert counts.keys() == set(unseen)
        # 2,000 are expected of each card; the deviation is about 44.
        assert all(abs(count - 2000) < 220 for count in counts.values())
