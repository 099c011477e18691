"""The shuffler as a process, with planted decks: `python -m tests.support.planted_shuffler`.

The first deck of a table is a draw in which the last seat gets the button. The second gives seat 1
of two queens on top, and seat 2 nothing, when both lay their cards out in order. All other decks
are shuffled by their numbers, so that a run can be played again.
"""

from __future__ import annotations

from functools import partial
from unittest import mock

from floor_shuffler import __main__ as shuffler_service
from floor_shuffler.__main__ import Shuffler
from floor_shuffler.domain.deck import DeckOrder
from floor_shuffler.settings import ShufflerSettings
from pokerfloor.cards import Card
from pokerfloor.fairness import DeckId
from pokerfloor.servicekit import run
from tests.support.planted_decks import PlantedDecks
from tests.support.points_evening import NOTHING, QUEENS_ON_TOP, stacked_cards

_OTHERS = PlantedDecks(seed=7)


def decks(deck: DeckId, generation: int, cards: tuple[Card, ...]) -> DeckOrder:
    order = tuple(sorted(cards))
    if deck.deck_no == 2:
        order = stacked_cards(order, (1, 2), {1: QUEENS_ON_TOP, 2: NOTHING})
    elif deck.deck_no > 2:
        return _OTHERS(deck, generation, cards)
    return DeckOrder(deck, 0, order, _OTHERS.salts(deck.deck_no, len(order)))


if __name__ == "__main__":
    with mock.patch.object(shuffler_service, "Shuffler", partial(Shuffler, deck_source=decks)):
        run("shuffler", ShufflerSettings, shuffler_service.main)
