"""Tables by ranks alone: of which numbers of cards they have strengths."""

from collections import Counter
from itertools import combinations_with_replacement

import pytest

from pokerfloor.cards import parse_cards
from pokerfloor.ranking import LOW_A5
from pokerfloor.ranking.categories import LADDER_LOW_A5, LADDER_SHORT
from pokerfloor.ranking.rank_only import Grouped, RankOnlyTable
from pokerfloor.ranking.tables import KEYS, RANK_HALF, HighTable


def key_of(text: str) -> int:
    return sum([KEYS[card] & RANK_HALF for card in parse_cards(text)])


@pytest.mark.parametrize("sizes", [(2, 3), (4,), (5, 6)])
def test_a_table_is_of_the_numbers_asked_for_and_no_others(sizes: tuple[int, ...]) -> None:
    table = RankOnlyTable(sizes, Grouped(LADDER_LOW_A5, low=True))
    assert tuple(table.by_ranks) == sizes
    assert all(table.by_ranks.values())
    assert all(strength > 0 for each in table.by_ranks.values() for strength in each.values())


@pytest.mark.parametrize("lowest", [0, 4])
def test_a_table_has_no_rank_that_the_deck_has_not(lowest: int) -> None:
    table = HighTable(LADDER_SHORT, (5, 6, 7), lowest)
    for size, strengths in table.by_ranks.items():
        ranks = range(lowest, 13)
        held = combinations_with_replacement(ranks, size)
        assert len(strengths) == sum(max(Counter(each).values()) <= 4 for each in held)


def test_of_six_cards_the_best_five_count() -> None:
    table = RankOnlyTable((5, 6), Grouped(LADDER_LOW_A5, low=True))
    for six in ("As2h3d4c5sKh", "AsAh3d4c5s8h", "KsKhKdKcQsQh"):
        assert table.by_ranks[6][key_of(six)] == LOW_A5.strength(parse_cards(six))
