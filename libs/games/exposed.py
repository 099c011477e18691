"""What lies open before the seats, and who opens a street by it (STD-2, STD-3)."""

from typing import Final

from libs.games.rows import Exposed
from libs.games.state import HandState
from libs.ranking import EXPOSED, EXPOSED_A5, RankingSystem, card_order

_SYSTEMS: Final[dict[Exposed, RankingSystem]] = {
    Exposed.HIGH: EXPOSED,
    Exposed.LOW: EXPOSED_A5,
}


def best_exposed(state: HandState) -> int:
    """Return the position with the best exposed hand; of equal ones the first from the button.

    A common card counts for everybody, and then the five are ranked as a hand (STD-6).
    """
    assert state.setup.game.exposed is not None
    system = _SYSTEMS[state.setup.game.exposed]
    common = state.cards.boards[0]
    living = [p for p in state.from_button if not state.folded[p]]
    return max(living, key=lambda p: system.strength([*state.up_cards(p), *common]))


def bring_in_position(state: HandState) -> int:
    """Return the position that brings it in: the worst up card, or the next that can (STD-2).

    Equal ranks compare by suit. In razz the highest card is the worst, and the ace is low.
    """
    assert state.setup.game.exposed is not None
    low = state.setup.game.exposed is Exposed.LOW
    order = {p: card_order(state.up_cards(p)[0], ace_low=low) for p in state.from_button}
    worst = max(order, key=order.__getitem__) if low else min(order, key=order.__getitem__)
    count = len(state.seats)
    clockwise = [(worst + step) % count for step in range(count)]
    return next(position for position in clockwise if state.stacks[position])
