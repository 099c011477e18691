"""How strong a hand looks to a bot, from 0 to 1, in any game. Lively, not good."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from pokerfloor.bots.card_reading import (
    ACE,
    UNKNOWN_HAND,
    VALUE_OF_CATEGORY,
    Cards,
    badugi_cards,
    low_cards,
    rank_or_ace,
)
from pokerfloor.bots.holdem_strength import holdem_strength
from pokerfloor.cards import is_joker, suit_of
from pokerfloor.games import HOLDEM, GameRow, Half, PotPart
from pokerfloor.ranking import BADUGI, LOW_27, RANKINGS, RankingError, Use, choose

# By how many low cards of different ranks, or of a badugi, there are.
_VALUE_OF_LOW_CARDS: Final = (0.1, 0.15, 0.2, 0.35, 0.6, 0.9)
_VALUE_OF_BADUGI: Final = (0.1, 0.15, 0.25, 0.5, 0.9)


def hand_strength(
    row: GameRow, own: Cards, boards: Sequence[Cards], community: Cards = ()
) -> float:
    """Return how strong a hand looks, from 0 to 1: the mean over boards and halves of the pot.

    `community` are the cards for everyone that lie on no board. UNKNOWN_HAND without own cards.
    """
    if row.id == HOLDEM.id:
        return holdem_strength(own, boards[0])
    if not own:
        return UNKNOWN_HAND
    values = [
        _part_strength(row, part, own, (*board, *community))
        for board in boards
        for part in row.parts
    ]
    return sum(values) / len(values)


def _part_strength(row: GameRow, part: PotPart, own: Cards, shared: Cards) -> float:
    if part.ranking == BADUGI.name:
        return _VALUE_OF_BADUGI[len(badugi_cards(own))]
    if part.half is Half.LOW:
        usable = (*own, *shared)
        ace_low = part.ranking != LOW_27.name
        return _VALUE_OF_LOW_CARDS[min(5, len(low_cards(usable, ace_low=ace_low)))]
    try:
        hand = choose(RANKINGS[part.ranking], Use(row.hole_cards_used)).describe(own, shared)
    except RankingError:  # too few cards for a whole hand yet
        return _early_strength(own)
    return VALUE_OF_CATEGORY[hand.category]


def _early_strength(own: Cards) -> float:
    """Return how strong the first cards look: pairs, high cards, one suit. A joker has no suit."""
    ranks = Counter(rank_or_ace(card) for card in own)
    most = max(ranks.values())
    high = max(ranks) / ACE
    if most >= 3:
        return 0.9
    if most == 2:
        paired = max(rank for rank, count in ranks.items() if count == 2)
        return 0.5 + 0.35 * paired / ACE
    suits = Counter(suit_of(card) for card in own if not is_joker(card))
    suited = max(suits.values(), default=0) >= min(3, len(own))
    return 0.15 + 0.3 * high + (0.1 if suited else 0.0)
