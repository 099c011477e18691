"""How good cards look to a bot in any game, and which of them it gives up. Lively, not good."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Final

from pokerfloor.cards import Card, rank_of, suit_of
from pokerfloor.client import SlotRange
from pokerfloor.games import GameRow, Half, PotPart
from pokerfloor.ranking import BADUGI, LOW_27, RANKINGS, Category, RankingError, Use, choose

Cards = Sequence[Card]

_ACE: Final = 12
_FIRST_JOKER: Final = 52
UNKNOWN_HAND: Final = 0.3

VALUE_OF_KIND: Final = {
    Category.HIGH_CARD: 0.15,
    Category.ONE_PAIR: 0.45,
    Category.TWO_PAIR: 0.7,
    Category.THREE_OF_A_KIND: 0.8,
    Category.STRAIGHT: 0.87,
    Category.FLUSH: 0.91,
    Category.FULL_HOUSE: 0.95,
    Category.FOUR_OF_A_KIND: 0.99,
    Category.STRAIGHT_FLUSH: 1.0,
    Category.ROYAL_FLUSH: 1.0,
    Category.POKER: 1.0,
}
# By how many low cards of different ranks, or of a badugi, there are.
_VALUE_OF_LOW_CARDS: Final = (0.1, 0.15, 0.2, 0.35, 0.6, 0.9)
_VALUE_OF_BADUGI: Final = (0.1, 0.15, 0.25, 0.5, 0.9)


def strength(row: GameRow, own: Cards, boards: Sequence[Cards], middle: Cards) -> float:
    """Give how good a hand looks, from 0 to 1: the mean over boards and halves of the pot."""
    if not own:
        return UNKNOWN_HAND
    values = [
        _part_strength(row, part, own, (*board, *middle)) for board in boards for part in row.parts
    ]
    return sum(values) / len(values)


def _part_strength(row: GameRow, part: PotPart, own: Cards, shared: Cards) -> float:
    if part.ranking == BADUGI.name:
        return _VALUE_OF_BADUGI[len(_badugi(own))]
    if part.half is Half.LOW:
        usable = (*own, *shared)
        ace_low = part.ranking != LOW_27.name
        return _VALUE_OF_LOW_CARDS[min(5, len(_low_cards(usable, ace_low=ace_low)))]
    try:
        hand = choose(RANKINGS[part.ranking], Use(row.hole_cards_used)).describe(own, shared)
    except RankingError:  # too few cards for a whole hand yet
        return _promise(own)
    return VALUE_OF_KIND[hand.category]


def _promise(own: Cards) -> float:
    """Give what the first cards promise: pairs, high cards, one suit."""
    ranks = Counter(_rank(card) for card in own)
    most = max(ranks.values())
    high = max(ranks) / _ACE
    if most >= 3:
        return 0.9
    if most == 2:
        paired = max(rank for rank, count in ranks.items() if count == 2)
        return 0.5 + 0.35 * paired / _ACE
    suited = max(Counter(suit_of(card) for card in own).values()) >= min(3, len(own))
    return 0.15 + 0.3 * high + (0.1 if suited else 0.0)


def _rank(card: Card) -> int:
    return _ACE if card >= _FIRST_JOKER else rank_of(card)


def _low_cards(cards: Cards, *, ace_low: bool) -> list[Card]:
    """Give cards of different ranks up to eight, one of each, the lowest first."""
    found: dict[int, Card] = {}
    for card in cards:
        if card < _FIRST_JOKER:
            found.setdefault(-1 if ace_low and rank_of(card) == _ACE else rank_of(card), card)
    eight = 6
    return [found[rank] for rank in sorted(found) if rank <= eight]


def _badugi(cards: Cards) -> list[Card]:
    """Give low cards of different ranks and suits, as many as are found in one go."""
    kept: list[Card] = []
    for card in sorted(cards, key=lambda one: (rank_of(one) + 1) % 13):
        if all(rank_of(card) != rank_of(one) and suit_of(card) != suit_of(one) for one in kept):
            kept.append(card)
    return kept


def cards_to_give_up(
    row: GameRow, own: Cards, slots: Sequence[int], choice: SlotRange, random: Random
) -> tuple[int, ...]:
    """Give the slots of the cards that a bot exchanges; `slots` are those of `own`, in order."""
    if len(own) != len(slots):  # not all of them are known in time
        return choice.slots[: choice.least]
    kept = _kept(row, own)
    worst_first = sorted(
        range(len(own)), key=lambda at: (own[at] in kept, -_rank(own[at]) if _is_low(row) else 0)
    )
    wanted = sum(card not in kept for card in own)
    if wanted and random.random() < 0.1:  # now and then it pretends to hold more
        wanted -= 1
    count = min(max(wanted, choice.least), choice.most)
    return tuple(sorted(slots[at] for at in worst_first[:count]))


def _is_low(row: GameRow) -> bool:
    return row.parts[0].half is Half.LOW


def _kept(row: GameRow, own: Cards) -> list[Card]:
    """Give the cards that a bot goes on with."""
    ranking = row.parts[0].ranking
    if ranking == BADUGI.name:
        return _badugi(own)
    if _is_low(row):
        return _low_cards(own, ace_low=ranking != LOW_27.name)
    if len(own) >= 5:
        made = RANKINGS[ranking].describe(own).category
        if VALUE_OF_KIND[made] >= VALUE_OF_KIND[Category.STRAIGHT]:
            return list(own)
    ranks = Counter(_rank(card) for card in own)
    best = max(ranks.values())
    if best == 1:
        return sorted(own, key=_rank)[-2:]
    return [card for card in own if ranks[_rank(card)] > 1 or card >= _FIRST_JOKER]
