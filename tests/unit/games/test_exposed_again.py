"""The best exposed hand is kept until a card or a fold changes it; found anew it is the same."""

import random

import pytest

from pokerfloor.cards import DECKS
from pokerfloor.games import (
    GAMES,
    Act,
    ActKind,
    ForcedBet,
    ForcedKind,
    Hand,
    HandSettings,
    HandSetup,
    KnownDeck,
    SeatStack,
    WaitAction,
    play_out,
)
from pokerfloor.games.exposed import best_exposed
from pokerfloor.games.state import HandState

SEATS = range(1, 8)


def setup_of(game: str) -> HandSetup:
    return HandSetup(
        hand_no=1,
        game=GAMES[game],
        structure=GAMES[game].structures[0],
        settings=HandSettings(smallest_chip_minor=1, min_bet_minor=100, big_bet_minor=200),
        seats=tuple(SeatStack(seat, 5_000) for seat in SEATS),
        button=3,
        forced=tuple(ForcedBet(seat, ForcedKind.ANTE, 10) for seat in SEATS),
    )


def found_anew(state: HandState) -> int:
    """Return what a hand that is made of nothing but its setup and its cards would say."""
    fresh = state.copy()
    fresh.best_exposed = HandState(state.setup).best_exposed
    return best_exposed(fresh)


@pytest.mark.parametrize("game", ["stud7", "stud7_hilo", "razz"])
@pytest.mark.parametrize("seed", range(8))
def test_the_best_exposed_hand_is_the_same_kept_or_found_anew(game: str, seed: int) -> None:
    rng = random.Random(f"{game} {seed}")
    cards = DECKS[GAMES[game].deck].cards
    seen: list[tuple[int, int, int]] = []

    def fold_a_little(wait: WaitAction, hand: Hand) -> Act:
        state = hand.state
        best = best_exposed(state)
        assert best == found_anew(state)
        assert not state.folded[best]
        seen.append((state.street_no, state.in_hand, best))
        if rng.random() < 0.15 and state.in_hand > 2:
            return Act(wait.seat, wait.turn_no, ActKind.FOLD)
        kind = ActKind.CHECK if wait.legal.can_check else ActKind.CALL
        return Act(wait.seat, wait.turn_no, kind)

    play_out(Hand(setup_of(game)), KnownDeck(rng.sample(cards, len(cards))), fold_a_little)
    assert len({(street_no, best) for street_no, _, best in seen}) > 1, "nothing ever changed"
