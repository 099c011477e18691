"""Apply an event to the state of a hand. Nothing else changes a state."""

from typing import Final

from pokerfloor.games.apply_betting import BETTING_APPLIERS
from pokerfloor.games.apply_cards import CARDS_APPLIERS
from pokerfloor.games.apply_ending import ENDING_APPLIERS
from pokerfloor.games.events import (
    Event,
    HandMucked,
    HandShown,
    OpenerAnnounced,
    ShowdownBegan,
    StreetBegan,
    TurnBegan,
)
from pokerfloor.games.state import HandState

_APPLIERS: Final = {**BETTING_APPLIERS, **CARDS_APPLIERS, **ENDING_APPLIERS}


_MOVES_NO_CHIPS: Final = frozenset(
    {StreetBegan, OpenerAnnounced, TurnBegan, ShowdownBegan, HandShown, HandMucked, *CARDS_APPLIERS}
)


def apply(state: HandState, event: Event) -> None:
    """Apply one event. Count all chips after each event that moves any (POT-5).

    An event that is impossible in this hand (chips that do not add up, a place dealt twice, a gap
    in the deck) raises AssertionError; do not use the state after that.
    """
    kind = type(event)
    _APPLIERS[kind](state, event)
    if kind not in _MOVES_NO_CHIPS:
        chips = sum(state.stacks, sum(state.bets, state.pot_total + state.raked))
        assert chips == state.brought, f"{chips} chips after {event}, expected {state.brought}"
    state.journal.append(event)
