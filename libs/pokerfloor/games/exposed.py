"""The exposed cards of the seats, and who opens a street by them (STD-2, STD-3, MAT-2)."""

from functools import lru_cache
from typing import Final

from pokerfloor.cards import rank_of
from pokerfloor.games.rows import Exposed, Opener
from pokerfloor.games.setup import FirstTie
from pokerfloor.games.state import HandState
from pokerfloor.ranking import (
    card_name,
    card_order,
    exposed_strengths,
    name_of,
)

# Looking up an Enum member costs as much as the comparisons here.
_BRING_IN: Final = Opener.BRING_IN
_BEST_EXPOSED: Final = Opener.BEST_EXPOSED
_BY_EXPOSED: Final = frozenset({_BRING_IN, Opener.HIGHEST_UP, _BEST_EXPOSED})
_LOW: Final = Exposed.LOW


def opens_by_exposed(state: HandState) -> bool:
    """Return whether exposed cards decide who opens this street."""
    return state.street.opener in _BY_EXPOSED


def opener_by_exposed(state: HandState) -> tuple[int, str]:
    """Return the index of the seat that opens the street, and why, in words (STD-3).

    If the seat with the deciding card or hand is all-in, it is the next seat that can act.
    """
    opener = state.street.opener
    low = state.setup.game.exposed is _LOW
    if opener is _BEST_EXPOSED:
        wanted, strength = _best_exposed(state)
        why = _why_hand(strength, low)
    else:
        wanted = _worst_up(state) if opener is _BRING_IN else _highest_up(state)
        lowest = opener is _BRING_IN and not low
        card = card_name(state.up_cards(wanted)[0])
        why = f"{'lowest' if lowest else 'highest'} card, {card}"
    if state.stacks[wanted] and not state.folded[wanted]:
        return wanted, why
    return _next_able(state, wanted), f"next to seat {state.seats[wanted]}, which is all-in: {why}"


@lru_cache(maxsize=4096)  # there are about 2,400 strengths of exposed hands
def _why_hand(strength: int, low: bool) -> str:
    hand = name_of(strength)
    return f"lowest hand, {hand.removeprefix('low, ')}" if low else f"highest hand, {hand}"


def best_exposed(state: HandState) -> int:
    """Return the index of the seat with the best exposed hand; ties go from the button."""
    return _best_exposed(state)[0]


def _best_exposed(state: HandState) -> tuple[int, int]:
    """Return that index with the strength. A community card counts for everybody (STD-6).

    The result is reused until another card is revealed or a seat folds.
    """
    index, strength, faces, seats = state.best_exposed
    if (faces, seats) == (len(state.cards.faces), state.in_hand):
        return index, strength
    index, strength = _find_best_exposed(state)
    state.best_exposed = (index, strength, len(state.cards.faces), state.in_hand)
    return index, strength


def _find_best_exposed(state: HandState) -> tuple[int, int]:
    folded = state.folded
    living = [p for p in state.from_button if not folded[p]]
    hands = [state.up_cards(p) for p in living]
    if state.community_dealt:
        hands = [[*hand, *state.cards.boards[0]] for hand in hands]
    strengths = exposed_strengths(hands, low=state.setup.game.exposed is _LOW)
    best = max(strengths)
    return living[strengths.index(best)], best


def _worst_up(state: HandState) -> int:
    """Return the index of the seat that brings it in: the worst up card (STD-2).

    Suits break ties. In razz the highest card is the worst, and the ace is low.
    """
    low = state.setup.game.exposed is _LOW
    order = {p: card_order(state.up_cards(p)[0], ace_low=low) for p in state.from_button}
    return max(order, key=order.__getitem__) if low else min(order, key=order.__getitem__)


def _highest_up(state: HandState) -> int:
    """Return the index of the seat with the highest up card by rank (MAT-2).

    `first_tie` breaks ties: to the right of the button is against the direction of play; the button
    itself comes last.
    """
    order = state.from_button
    if state.setup.settings.first_tie is FirstTie.RIGHT_OF_BUTTON:
        on_button = state.seats[order[-1]] == state.setup.button
        others = order[:-1] if on_button else order
        order = (*others[::-1], *order[len(others) :])
    return max(order, key=lambda p: rank_of(state.up_cards(p)[0]))


def _next_able(state: HandState, index: int) -> int:
    """Return the next index clockwise whose seat can still bet."""
    clockwise = state.clockwise[index]
    return next(p for p in clockwise if state.stacks[p] and not state.folded[p])
