"""The fold: the one way in which an event changes the state of a hand."""

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
    """Fold one event in. Chips are counted after each that moves any (POT-5).

    An event that cannot be true of this hand (chips that do not add up, a place dealt twice, a gap
    in the deck) fails an assertion, and the state must not be used again.
    """
    kind = type(event)
    _APPLIERS[kind](state, event)
    if kind not in _MOVES_NO_CHIPS:
        chips = sum(state.stacks, sum(state.bets, state.pot_total + state.raked))
        assert chips == state.brought, f"{chips} chips after {event}, {state.brought} were brought"
    state.journal.append(event)
