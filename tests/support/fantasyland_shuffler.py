"""The shuffler as a process: `python -m tests.support.fantasyland_shuffler`.

At tables whose id begins with "ofc-" the first of two players to be dealt to gets queens on top
when both lay their cards out in order, so that Fantasyland is earned in every other hand or so. The
rest of those decks, every salt, and all decks of other tables are the generator's: a deck that was
made anew would be another one.
"""

from __future__ import annotations

from functools import partial
from unittest import mock

from floor_shuffler import __main__ as shuffler_service
from floor_shuffler.__main__ import Shuffler
from floor_shuffler.domain.deck import DeckOrder
from floor_shuffler.generator import OsGenerator, generated_decks
from floor_shuffler.settings import ShufflerSettings
from pokerfloor.cards import Card
from pokerfloor.fairness import DeckId
from pokerfloor.servicekit import run
from tests.support.points_evening import NOTHING, QUEENS_ON_TOP, stacked_cards

_generated = generated_decks(OsGenerator())


def decks(deck: DeckId, generation: int, cards: tuple[Card, ...]) -> DeckOrder:
    """Return the decks that the module says."""
    made = _generated(deck, generation, cards)
    if not deck.table_id.startswith("ofc-") or deck.deck_no == 1:
        return made
    order = stacked_cards(made.cards, (1, 2), {1: QUEENS_ON_TOP, 2: NOTHING})
    return DeckOrder(deck, generation, order, made.salts)


if __name__ == "__main__":
    with mock.patch.object(shuffler_service, "Shuffler", partial(Shuffler, deck_source=decks)):
        run("shuffler", ShufflerSettings, shuffler_service.main)
