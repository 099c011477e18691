"""The best hand of a row of an open-face layout not above a bound (OFC-35, RNK-4)."""

from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from pokerfloor.cards import RED_JOKER, Card
from pokerfloor.ranking.categories import Category
from pokerfloor.ranking.joker_rows import (
    JokerUse,
    row_system,
    row_table,
    stand_in_cards,
    values_of_row,
)
from pokerfloor.ranking.strength import ACE, category_of, ranks_of
from pokerfloor.ranking.system import WRONG_NUMBER_OF_CARDS, RankedHand, RankingError
from pokerfloor.ranking.tables import CLOSER, KEYS, RANK_HALF, SUIT_START, SUITED_BITS
from pokerfloor.ranking.words import hand_name

_NO_OPTION: Final = JokerUse()
_FIVE: Final = 5
_TABLE_OF: Final = {size: row_table(size) for size in (3, _FIVE)}
_SYSTEM_OF: Final = {size: row_system(size).name for size in _TABLE_OF}


class RowHand(NamedTuple):
    """The hand of a row, and each of its jokers with the card that it stands for."""

    hand: RankedHand
    stand_ins: tuple[tuple[Card, Card], ...] = ()


def row_hand(
    cards: Sequence[Card], at_most: int | None = None, use: JokerUse = _NO_OPTION
) -> RowHand | None:
    """Return the best hand of a row of three or five cards not above a strength, or None.

    Strengths are on the scale of `row_order_key`. A joker takes the place of the card it stands
    for. The caller ensures different cards of a deck with up to two jokers. Raises RankingError for
    another number of cards.
    """
    size = len(cards)
    if size not in _TABLE_OF:
        reason = f"a row has 3 or 5 cards, not {size}"
        raise RankingError(WRONG_NUMBER_OF_CARDS, reason, tuple(cards))
    table = _TABLE_OF[size]
    total = sum([KEYS[card] for card in cards], SUIT_START)
    closer = total & CLOSER
    if not closer:
        strength = table.by_ranks[size][total & RANK_HALF]
    elif bits := SUITED_BITS.get(closer):
        strength = table.by_flush[sum([bits[card] for card in cards])]
    else:
        return _with_jokers(cards, at_most, use)
    if at_most is not None and strength > at_most:
        return None
    places, category, name = _told(strength)
    playing = tuple(sorted(cards, key=places.__getitem__))
    return RowHand(RankedHand(_SYSTEM_OF[size], category, strength, name, playing))


def row_strengths(cards: Sequence[Card], use: JokerUse = _NO_OPTION) -> tuple[int, ...]:
    """Return all possible strengths of a row of three or five cards, from the lowest up.

    Without jokers there is one. The caller ensures valid cards, as for `row_hand`.
    """
    return values_of_row(cards, use)[1].strengths


def _with_jokers(cards: Sequence[Card], at_most: int | None, use: JokerUse) -> RowHand | None:
    naturals, values = values_of_row(cards, use)
    strengths = values.strengths
    fitting = len(strengths) if at_most is None else bisect_right(strengths, at_most)
    if not fitting:
        return None
    strength = strengths[fitting - 1]
    suited = values.suited[fitting - 1]
    meant = stand_in_cards(naturals, values.stand_ins[fitting - 1], suited=suited)
    stand_ins = tuple(
        zip([card for card in sorted(cards) if card >= RED_JOKER], meant, strict=True)
    )
    places, category, name = _told(strength)
    # By rank, natural cards first, then by suit.
    order = [(places[card] << 1 & ~7 | 3 - (card & 3), card) for card in naturals]
    order += [(places[card] << 1 & ~7 | 4, joker) for joker, card in stand_ins]
    order.sort()
    playing = tuple([card for _, card in order])
    hand = RankedHand(_SYSTEM_OF[len(cards)], category, strength, name, playing)
    return RowHand(hand, stand_ins)


@lru_cache(maxsize=8192)  # the number of strengths of rows
def _told(strength: int) -> tuple[bytes, Category, str]:
    """Return the card order, the kind and the name of a strength.

    The order is a sort key by card: by rank, then the higher suit first.
    """
    ranks = ranks_of(strength)
    order = [*ranks, *[rank for rank in range(ACE, 1, -1) if rank not in ranks]]
    if ranks == (_FIVE,):  # A-2-3-4-5
        order.remove(ACE)
        order.append(ACE)
    places = [order.index(rank) << 2 | 3 - suit for rank in range(2, 15) for suit in range(4)]
    return bytes(places), category_of(strength), hand_name(strength)
