"""Nobody folds, everybody changes all that may be changed, and the deck still suffices (TBL-1)."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from pokerfloor.cards import DECKS
from pokerfloor.games import (
    GAMES,
    NOTHING_CARRIED,
    Act,
    ActKind,
    DeckReshuffled,
    DiscardCards,
    GameRow,
    HandSetup,
    Input,
    PlaceKind,
    PlacesDealt,
    SeatStack,
    Shortage,
    SwapCards,
    WaitAction,
    WaitDiscard,
)
from tests.support.watched_hand import WatchedHand
from tests.support.wild_setups import most_seats, wild_setup


class Greedy(WatchedHand):
    """Everybody stays in and takes as many new cards as the game gives."""

    def _act(self, wait: WaitAction) -> Input:
        seat, turn_no, legal = wait
        if legal.swap_slots:
            return SwapCards(seat, turn_no, legal.swap_slots)
        return Act(seat, turn_no, ActKind.CHECK if legal.can_check else ActKind.CALL)

    def _exchange(self, wait: WaitDiscard) -> Input:
        slots = tuple([place.slot for place in wait.places[: wait.max_discards]])
        return DiscardCards(wait.seat, wait.turn_no, slots)


def _full_table(rng: Random, game: GameRow, *, burn: bool, shortage: Shortage) -> HandSetup:
    setup = wild_setup(rng, game, seats=10)
    settings = replace(
        setup.settings,
        burn=burn,
        seventh_shortage=shortage,
        max_draw=0,
        redeal_when_checked=False,
    )
    seats = tuple([SeatStack(seat, 10**6) for seat in range(1, most_seats(game, burn=burn) + 1)])
    antes = setup.forced[0]._replace(seat=1)
    forced = tuple([antes._replace(seat=seat) for seat, _ in seats])
    if antes.kind.value not in ("ante", "bomb"):
        forced = (antes._replace(seat=1),)
    setup = replace(setup, settings=settings, seats=seats, forced=forced)
    return replace(setup, carried=NOTHING_CARRIED, button=1)


@pytest.mark.rule("TBL-1", "SWP-4", "DRW-5", "STD-6", "DBL-3", "HLD-2", "OMA-2")
@pytest.mark.parametrize("burn", [True, False], ids=["burns", "no burns"])
@pytest.mark.parametrize("shortage", Shortage)
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_with_the_most_seats(game: GameRow, shortage: Shortage, burn: bool) -> None:
    rng = Random(f"{game.id} {burn}")
    for _ in range(2):
        setup = _full_table(rng, game, burn=burn, shortage=shortage)
        hand = Greedy(setup, rng).play()
        dealt = [place for e in hand.events if isinstance(e, PlacesDealt) for place in e.places]
        burned = [place for place in dealt if place.kind is PlaceKind.BURN]
        shuffles = [event for event in hand.events if isinstance(event, DeckReshuffled)]
        assert burn or not burned or shuffles
        assert shuffles or len(dealt) <= len(DECKS[game.deck])


@pytest.mark.rule("DRW-4", "DRW-5")
def test_six_draw_all_five_cards_and_none_gets_an_own_discard_back() -> None:
    for seed in range(20):
        rng = Random(seed)
        setup = _full_table(rng, GAMES["draw5"], burn=True, shortage=Shortage.COMMUNITY)
        assert len(setup.seats) == 6
        hand = Greedy(setup, rng).play()
        card_at = hand.cards.card_at
        shuffles = [event for event in hand.events if isinstance(event, DeckReshuffled)]
        assert shuffles
        for seat, _ in setup.seats:
            held = {card_at[place] for place in card_at if place[:2] == ("s", seat)}
            places = [place for place in card_at if place[:2] == ("s", seat)]
            assert len(held) == len(places) >= 10, "a card of one's own twice"
