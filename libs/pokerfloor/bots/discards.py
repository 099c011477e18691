"""Which cards a bot discards in a draw game. Lively, not good."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

from pokerfloor.bots.card_reading import (
    FIRST_JOKER,
    VALUE_OF_CATEGORY,
    Cards,
    badugi_cards,
    low_cards,
    rank_or_ace,
)
from pokerfloor.cards import Card
from pokerfloor.client import SlotRange
from pokerfloor.games import GameRow, Half
from pokerfloor.ranking import BADUGI, LOW_27, RANKINGS, Category


def choose_discards(
    row: GameRow, own: Cards, slots: Sequence[int], choice: SlotRange, random: Random
) -> tuple[int, ...]:
    """Return the slots of the cards to discard; `slots` are those of `own`, in order.

    When the bot does not know all its cards in time, it discards as few as it may.
    """
    if len(own) != len(slots):
        return choice.slots[: choice.least]
    kept = _kept(row, own)
    worst_first = sorted(
        range(len(own)),
        key=lambda at: (own[at] in kept, -rank_or_ace(own[at]) if _is_low(row) else 0),
    )
    wanted = sum(card not in kept for card in own)
    if wanted and random.random() < 0.1:  # now and then it pretends to hold more
        wanted -= 1
    count = min(max(wanted, choice.least), choice.most)
    return tuple(sorted(slots[at] for at in worst_first[:count]))


def _is_low(row: GameRow) -> bool:
    return row.parts[0].half is Half.LOW


def _kept(row: GameRow, own: Cards) -> list[Card]:
    """Return the cards that the bot keeps."""
    ranking = row.parts[0].ranking
    if ranking == BADUGI.name:
        return badugi_cards(own)
    if _is_low(row):
        return low_cards(own, ace_low=ranking != LOW_27.name)
    if len(own) >= 5:
        made = RANKINGS[ranking].describe(own).category
        if VALUE_OF_CATEGORY[made] >= VALUE_OF_CATEGORY[Category.STRAIGHT]:
            return list(own)
    ranks = Counter(rank_or_ace(card) for card in own)
    best = max(ranks.values())
    if best == 1:
        return sorted(own, key=rank_or_ace)[-2:]
    return [card for card in own if ranks[rank_or_ace(card)] > 1 or card >= FIRST_JOKER]
