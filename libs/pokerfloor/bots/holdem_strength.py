"""How strong a hold'em hand looks to a bot, from 0 to 1."""

from __future__ import annotations

from collections.abc import Sequence

from pokerfloor.bots.card_reading import ACE, UNKNOWN_HAND, VALUE_OF_CATEGORY
from pokerfloor.cards import Card, rank_of, suit_of
from pokerfloor.ranking import Category, category_of, high_strength


def holdem_strength(hole_cards: Sequence[Card], board: Sequence[Card]) -> float:
    """Return how strong a hand looks; UNKNOWN_HAND while the hole cards are not known."""
    if len(hole_cards) != 2:
        return UNKNOWN_HAND
    if len(board) < 3:
        return _before_the_flop(hole_cards)
    return max(_made_hand(hole_cards, board), _drawing_hand(hole_cards, board))


def _before_the_flop(hole_cards: Sequence[Card]) -> float:
    high, low = sorted((rank_of(card) for card in hole_cards), reverse=True)
    if high == low:
        return 0.55 + 0.45 * high / ACE
    gap = high - low
    value = 0.1 + 0.4 * high / ACE + 0.2 * low / ACE
    if suit_of(hole_cards[0]) == suit_of(hole_cards[1]):
        value += 0.08
    return value + (0.08 if gap == 1 else 0.04 if gap == 2 else 0.0)


def _made_hand(hole_cards: Sequence[Card], board: Sequence[Card]) -> float:
    category = category_of(high_strength((*hole_cards, *board)))
    value = VALUE_OF_CATEGORY[category]
    highest = max(rank_of(card) for card in board)
    if category is Category.ONE_PAIR:
        pairs = {rank_of(card) for card in hole_cards} & {rank_of(card) for card in board}
        pocket = rank_of(hole_cards[0]) == rank_of(hole_cards[1])
        if not pairs and not pocket:
            return 0.2  # the pair lies on the board, for everyone
        paired = rank_of(hole_cards[0]) if pocket else max(pairs)
        return value + (0.2 if paired >= highest else 0.0)
    if len(board) == 5 and high_strength(board) == high_strength((*hole_cards, *board)):
        return 0.3  # the board plays
    return value + (0.08 if max(rank_of(card) for card in hole_cards) > highest else 0.0)


def _drawing_hand(hole_cards: Sequence[Card], board: Sequence[Card]) -> float:
    if len(board) == 5:
        return 0.0
    cards = (*hole_cards, *board)
    suits = [suit_of(card) for card in cards]
    if any(suits.count(suit) == 4 for suit in {suit_of(card) for card in hole_cards}):
        return 0.55
    ranks = {rank_of(card) for card in cards}
    if any({low, low + 1, low + 2, low + 3} <= ranks for low in range(ACE - 3)):
        return 0.45
    return 0.0
