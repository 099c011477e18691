"""Placement hands with all cards known: simulations, bots, tests."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from pokerfloor.cards import Card
from pokerfloor.games.inputs import Begin, Reveal
from pokerfloor.games.placement.events import PlacementEvent
from pokerfloor.games.placement.hand import PlacementHand
from pokerfloor.games.placement.inputs import (
    ConfirmPlacement,
    MovePlacement,
    PlacementInput,
    PlacementTimeUp,
    Scored,
    ScoringResult,
)
from pokerfloor.games.placement.waits import ScoringRequest, WaitPlacements
from pokerfloor.games.places import Place
from pokerfloor.games.refusal import Refusal, RefusedError
from pokerfloor.games.waits import Over, WaitBegin, WaitCards

Placing: TypeAlias = Callable[
    [WaitPlacements, PlacementHand], MovePlacement | ConfirmPlacement | PlacementTimeUp
]
Scoring: TypeAlias = Callable[[ScoringRequest], ScoringResult]


def faces_at(
    hand: PlacementHand, cards: Sequence[Card], places: Iterable[Place]
) -> tuple[tuple[Place, Card], ...]:
    """Return the faces at dealt places; `cards` is the deck in dealing order."""
    return tuple([(place, cards[hand.deck_index(place).index]) for place in places])


def set_by_time(wait: WaitPlacements, _hand: PlacementHand) -> PlacementTimeUp:
    """Let the time of the first turn run out (OFC-42, SCP-6)."""
    turn = wait.turns[0]
    return PlacementTimeUp(turn.seat, turn.turn_no)


def play_out(
    hand: PlacementHand,
    cards: Sequence[Card],
    place: Placing,
    score: Scoring,
    watch: Callable[[PlacementEvent], None] | None = None,
) -> Over:
    """Play a hand to its end, with `cards` in dealing order, and return its result.

    `place` chooses the next input among the open turns, `score` scores the hand. `watch`, if given,
    is called with every event after it was applied. Raises RefusedError if an input is refused.
    """
    while True:
        wait = hand.waits_for()
        given: PlacementInput
        if isinstance(wait, Over):
            return wait
        if isinstance(wait, WaitBegin):
            given = Begin()
        elif isinstance(wait, WaitCards):
            given = Reveal(faces_at(hand, cards, wait.places))
        elif isinstance(wait, WaitPlacements):
            given = place(wait, hand)
        else:
            given = Scored(score(wait.request))
        events = hand.execute(given)
        if isinstance(events, Refusal):
            raise RefusedError(events, given)
        if watch is not None:
            for event in events:
                watch(event)
