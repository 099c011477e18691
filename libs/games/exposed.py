"""What lies open before the seats, and who opens a street by it (STD-2, STD-3, MAT-2)."""

from libs.cards import rank_of
from libs.games.rows import Exposed, Opener
from libs.games.setup import FirstTie
from libs.games.state import HandState
from libs.ranking import (
    card_name,
    card_order,
    exposed_strengths,
    name_of,
)


def opens_by_exposed(state: HandState) -> bool:
    """Tell whether what lies open says who begins this street."""
    if state.setup.game.exposed is None:
        return False
    opener = state.setup.game.streets[state.street_no].opener
    return opener in (Opener.BRING_IN, Opener.HIGHEST_UP, Opener.BEST_EXPOSED)


def opener_by_exposed(state: HandState) -> tuple[int, str]:
    """Return the position that begins the street, and why, for people (STD-3).

    It is the next that can act where the one with the card or the hand is all-in.
    """
    opener = state.setup.game.streets[state.street_no].opener
    low = state.setup.game.exposed is Exposed.LOW
    if opener is Opener.BEST_EXPOSED:
        wanted, strength = _best_exposed(state)
        hand = name_of(strength)
        why = f"lowest hand, {hand.removeprefix('low, ')}" if low else f"highest hand, {hand}"
    else:
        wanted = _worst_up(state) if opener is Opener.BRING_IN else _highest_up(state)
        lowest = opener is Opener.BRING_IN and not low
        card = card_name(state.up_cards(wanted)[0])
        why = f"{'lowest' if lowest else 'highest'} card, {card}"
    position = _first_able(state, wanted)
    if position != wanted:
        why = f"next to seat {state.seats[wanted]}, which is all-in: {why}"
    return position, why


def best_exposed(state: HandState) -> int:
    """Return the position with the best exposed hand; of equal ones the first from the button."""
    return _best_exposed(state)[0]


def _best_exposed(state: HandState) -> tuple[int, int]:
    """Return that position with the strength. A common card counts for everybody (STD-6)."""
    low = state.setup.game.exposed is Exposed.LOW
    living = [p for p in state.from_button if not state.folded[p]]
    common = state.cards.boards[0] if state.common else ()
    hands = [[*state.up_cards(p), *common] for p in living]
    strengths = exposed_strengths(hands, low=low)
    best = max(strengths)
    return living[strengths.index(best)], best


def _worst_up(state: HandState) -> int:
    """Return the position that brings it in: the worst up card (STD-2).

    Equal ranks compare by suit. In razz the highest card is the worst, and the ace is low.
    """
    low = state.setup.game.exposed is Exposed.LOW
    order = {p: card_order(state.up_cards(p)[0], ace_low=low) for p in state.from_button}
    return max(order, key=order.__getitem__) if low else min(order, key=order.__getitem__)


def _highest_up(state: HandState) -> int:
    """Return the position with the highest up card by rank; a tie goes by the table (MAT-2).

    From the button to its right means away from the direction of play, the button itself last.
    """
    order = state.from_button
    if state.setup.settings.first_tie is FirstTie.RIGHT_OF_BUTTON:
        on_button = state.seats[order[-1]] == state.setup.button
        others = order[:-1] if on_button else order
        order = (*others[::-1], *order[len(others) :])
    return max(order, key=lambda p: rank_of(state.up_cards(p)[0]))


def _first_able(state: HandState, position: int) -> int:
    """Return the first position from this one clockwise that can still bet."""
    clockwise = (position, *state.clockwise[position])
    return next(p for p in clockwise if state.stacks[p] and not state.folded[p])
