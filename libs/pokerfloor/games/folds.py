"""The fold: the one way in which an event changes the state of a hand."""

from typing import Final

from pokerfloor.games.events import (
    Event,
    HandMucked,
    HandShown,
    OpenerAnnounced,
    ShowdownBegan,
    StreetBegan,
    TurnBegan,
)
from pokerfloor.games.fold_betting import BETTING_FOLDS
from pokerfloor.games.fold_cards import CARDS_FOLDS
from pokerfloor.games.fold_ending import ENDING_FOLDS
from pokerfloor.games.state import HandState

_FOLDS: Final = {**BETTING_FOLDS, **CARDS_FOLDS, **ENDING_FOLDS}


_MOVES_NO_CHIPS: Final = frozenset(
    {StreetBegan, OpenerAnnounced, TurnBegan, ShowdownBegan, HandShown, HandMucked, *CARDS_FOLDS}
)


def apply(state: HandState, event: Event) -> None:
    """Fold one event in. Chips are counted after each that moves any (POT-5).

    An event that cannot be true of this hand (chips that do not add up, a place dealt twice, a gap
    in the deck) fails an assertion, and the state must not be used again.
    """
    kind = type(event)
    _FOLDS[kind](state, event)
    if kind not in _MOVES_NO_CHIPS:
        chips = sum(state.stacks, sum(state.bets, state.middle + state.raked))
        assert chips == state.brought, f"{chips} chips after {event}, {state.brought} were brought"
    state.journal.append(event)
