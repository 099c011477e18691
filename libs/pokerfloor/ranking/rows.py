"""Rows of three and of five cards on one scale, for the order of an open-face layout (RNK-4)."""

from collections.abc import Sequence

from pokerfloor.cards import Card
from pokerfloor.ranking.high52 import high_strength
from pokerfloor.ranking.system import WRONG_NUMBER_OF_CARDS, RankingError
from pokerfloor.ranking.top3 import TOP3


def row_order_key(cards: Sequence[Card]) -> int:
    """Return a key by which rows of three and five cards compare; a higher row has a higher key.

    Both systems use the same ladder and write a missing card as rank 0, so their strengths are this
    key already: at equal kind and ranks, the row with more cards is higher. Raises RankingError.
    """
    if len(cards) == 3:
        return TOP3.strength(cards)
    if len(cards) == 5:
        return high_strength(cards)
    reason = f"a row has 3 or 5 cards, not {len(cards)}"
    raise RankingError(WRONG_NUMBER_OF_CARDS, reason, tuple(cards))
