"""The possible hands of open-face rows with jokers (OFC-35).

A row has natural cards and up to two jokers, each of which stands for a card. Without a flush only
ranks matter, and any ranks are possible without one, as there is always another suit. A flush is
possible if all natural cards of a five-card row have one suit. All strengths are on the scale of
`row_order_key`, so rows of three and five cards compare.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, pairwise
from typing import Final, NamedTuple

from pokerfloor.cards import RED_JOKER, Card
from pokerfloor.ranking.categories import LADDER_52, Category
from pokerfloor.ranking.high52 import HIGH52
from pokerfloor.ranking.strength import base_of, pack_ranks
from pokerfloor.ranking.system import RankingSystem
from pokerfloor.ranking.tables import SumTable
from pokerfloor.ranking.top3 import TOP3

_RANKS: Final = range(13)
_FIVE: Final = 5
_FLUSH: Final = base_of(Category.FLUSH, LADDER_52.index(Category.FLUSH))
# Above the royal flush, as in RNK-3 above the straight flush.
_FIVE_OF_A_KIND: Final = base_of(Category.POKER, len(LADDER_52))


class JokerUse(NamedTuple):
    """The two options for jokers of OFC-35."""

    own_row_copy: bool = False
    five_of_a_kind: bool = False


class RowValues(NamedTuple):
    """The possible strengths of a row, from the lowest up, and what makes each.

    `stand_ins` are the ranks (0 is the two) that the jokers stand for, the highest first. `suited`:
    they stand for cards of the suit of the natural cards.
    """

    strengths: tuple[int, ...]
    stand_ins: tuple[tuple[int, ...], ...]
    suited: tuple[bool, ...]


def row_system(size: int) -> RankingSystem:
    """Return the ranking system of a row of three or five cards."""
    return TOP3 if size == 3 else HIGH52


@lru_cache(maxsize=16_384)  # there are about 11,000 rows for one use of jokers
def row_values(
    ranks: tuple[int, ...], jokers: int, use: JokerUse, *, suited: bool = False
) -> RowValues:
    """Return the possible hands of natural cards of these ranks and jokers.

    Ranks are in order (0 is the two); three or five cards in all. `suited`: all natural cards have
    one suit, which matters for five.
    """
    size = len(ranks) + jokers
    table = row_table(size)
    flush_possible = suited and size == _FIVE
    found: list[tuple[int, tuple[int, ...], bool]] = []
    if jokers or not flush_possible:
        for stand_ins in combinations_with_replacement(reversed(_RANKS), jokers):
            strength = _by_ranks(table, (*ranks, *stand_ins), use)
            if strength:
                found.append((strength, stand_ins, False))
    if flush_possible:
        found += [
            (_by_suit(table, (*ranks, *stand_ins)), stand_ins, True)
            for stand_ins in _suited_stand_ins(ranks, jokers, use)
        ]
    found.sort()
    strengths, stand_ins_of, suits = zip(*found, strict=True)
    assert all(a < b for a, b in pairwise(strengths)), "one way to each"
    return RowValues(strengths, stand_ins_of, suits)


def row_table(size: int) -> SumTable:
    """Return the table of a row of three or five cards."""
    get_table = row_system(size).table
    assert get_table is not None
    return get_table()


def _by_ranks(table: SumTable, ranks: Sequence[int], use: JokerUse) -> int:
    """Return the strength of three or five ranks without a flush, 0 if impossible."""
    key = sum([1 << 3 * rank for rank in ranks])
    strength = table.by_ranks[len(ranks)].get(key, 0)
    if strength or not use.five_of_a_kind:
        return strength
    return _FIVE_OF_A_KIND | pack_ranks((ranks[0] + 2,))


def _by_suit(table: SumTable, ranks: Sequence[int]) -> int:
    different = set(ranks)
    if len(different) == _FIVE:
        return table.by_flush[sum([1 << rank for rank in different])]
    # A joker copies a card of its own row: a flush with a rank twice.
    return _FLUSH | pack_ranks(sorted([rank + 2 for rank in ranks], reverse=True))


def _suited_stand_ins(
    ranks: Sequence[int], jokers: int, use: JokerUse
) -> Iterable[tuple[int, ...]]:
    if use.own_row_copy:
        return combinations_with_replacement(reversed(_RANKS), jokers)
    return combinations([rank for rank in reversed(_RANKS) if rank not in ranks], jokers)


def values_of_row(cards: Sequence[Card], use: JokerUse) -> tuple[list[Card], RowValues]:
    """Return the natural cards of a row of three or five cards, and its possible hands."""
    naturals = [card for card in cards if card < RED_JOKER]
    suited = len(cards) == _FIVE and len({card & 3 for card in naturals}) == 1
    ranks = tuple(sorted([card >> 2 for card in naturals]))
    return naturals, row_values(ranks, len(cards) - len(naturals), use, suited=suited)


def stand_in_cards(naturals: Sequence[Card], ranks: Sequence[int], *, suited: bool) -> list[Card]:
    """Return a card for each rank that a joker stands for, in the suit of the naturals or others.

    Takes the highest possible suit, so that the result is deterministic.
    """
    first = naturals[0] & 3
    if suited:
        return [rank << 2 | first for rank in ranks]
    one_suit = len(naturals) + len(ranks) == _FIVE and len({card & 3 for card in naturals}) == 1
    shunned = first if one_suit else None
    found: list[Card] = []
    for rank in ranks:
        for card in (rank << 2 | 3, rank << 2 | 2, rank << 2 | 1, rank << 2):
            if card & 3 != shunned and card not in naturals and card not in found:
                break
        else:
            card = rank << 2 | 3  # five of a kind: the suits are used up
        found.append(card)
    return found
