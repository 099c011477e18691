"""Any sequence of placements, moves and time-outs ends in a scored hand, in Fantasyland too."""

from __future__ import annotations

import random
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerfloor.api.events.v1.hand_events_pb2 import HandEvent
from pokerfloor.games import CardsRevealed, HandEnded, PlacesDealt, Refusal, Reveal, WaitCards
from pokerfloor.games.placement import (
    OFC,
    OFC_JOKER,
    SCOOP,
    ConfirmPlacement,
    FantasylandHeadsUp,
    MovePlacement,
    PlacementEvent,
    PlacementHand,
    PlacementInput,
    PlacementSetup,
    PlacementTimeUp,
    Scored,
    SlotRow,
    WaitPlacements,
    WaitScoring,
    faces_at,
)
from pokerfloor.tablelog import (
    HandContext,
    StakeKind,
    apply_hand_event,
    read_hand_event,
    write_hand_event,
)
from tests.support.games.placement_table import (
    DISCARD,
    any_confirmation,
    any_input,
    score,
    setup_of,
    shuffled,
)

_HEADS_UP = tuple(FantasylandHeadsUp)


@st.composite
def ofc_setups(draw: st.DrawFn) -> PlacementSetup:
    seats = draw(st.integers(2, 3))
    in_fantasyland = draw(st.sets(st.integers(1, seats)))
    return setup_of(
        seats,
        *[(seat, draw(st.integers(14, 17))) for seat in sorted(in_fantasyland)],
        game=draw(st.sampled_from((OFC, OFC_JOKER))),
        button=draw(st.integers(1, seats)),
        heads_up=draw(st.sampled_from(_HEADS_UP)),
        stacks=draw(st.lists(st.integers(1, 120), min_size=seats, max_size=seats)),
    )


@st.composite
def scoop_setups(draw: st.DrawFn) -> PlacementSetup:
    seats = draw(st.integers(2, 4))
    stacks = draw(st.lists(st.integers(1, 120), min_size=seats, max_size=seats))
    button = draw(st.integers(1, seats))
    return setup_of(seats, game=SCOOP, button=button, stacks=stacks, burn=draw(st.booleans()))


def every_combination() -> list[PlacementSetup]:
    """2 and 3 players, each Fantasyland combination, both options, both decks; Scoop 2 to 4."""
    games: list[PlacementSetup] = []
    for game, seats, option in product((OFC, OFC_JOKER), (2, 3), _HEADS_UP):
        for chosen in product((0, 14, 17), repeat=seats):
            fantasyland = [(seat, cards) for seat, cards in enumerate(chosen, 1) if cards]
            games.append(setup_of(seats, *fantasyland, game=game, heads_up=option))
    games += [setup_of(seats, game=SCOOP) for seats in (2, 3, 4)]
    return games


def wrong_inputs(wait: WaitPlacements, rng: random.Random) -> list[PlacementInput]:
    """Inputs that are never good, made of good ones."""
    turn = rng.choice(wait.turns)
    good = any_confirmation(turn, rng)
    slot = rng.choice(good.placements).slot
    return [
        PlacementTimeUp(turn.seat, turn.turn_no + 1),
        PlacementTimeUp(turn.seat + 5, turn.turn_no),
        ConfirmPlacement(turn.seat, turn.turn_no, good.placements[:-1]),
        ConfirmPlacement(turn.seat, turn.turn_no, (*good.placements, SlotRow(slot, DISCARD))),
        ConfirmPlacement(turn.seat, turn.turn_no, (SlotRow(40, DISCARD), *good.placements[1:])),
        MovePlacement(turn.seat, turn.turn_no, slot, DISCARD),
    ]


class Run:
    """A hand that is played by chance, decided and applied as a table does it."""

    def __init__(self, setup: PlacementSetup, seed: int) -> None:
        self.rng = random.Random(seed)
        self.cards = shuffled(setup.game, seed)
        self.hand, begun = PlacementHand.begin(setup)
        self.events: list[PlacementEvent] = list(begun)

    def play(self) -> None:
        """Play to the end; a hand that took too many inputs would be one that does not end."""
        for _ in range(400):
            wait = self.hand.waits_for()
            if isinstance(wait, WaitPlacements):
                for wrong in wrong_inputs(wait, self.rng):
                    self._refuse(wrong)
                self._do(any_input(wait, self.rng))
            elif isinstance(wait, WaitCards):
                self._do(Reveal(faces_at(self.hand, self.cards, wait.places)))
            elif isinstance(wait, WaitScoring):
                result = score(wait.request)
                self._refuse(Scored(result._replace(pairs=result.pairs[1:])))
                self._do(Scored(result))
            else:
                return
        raise AssertionError("a hand without an end")

    def _do(self, given: PlacementInput) -> None:
        decided = self.hand.decide(given)
        assert not isinstance(decided, Refusal), decided
        twin = self.hand.copy()
        for event in decided:
            twin.apply(event)
        assert self.hand.execute(given) == decided
        assert twin.digest() == self.hand.digest()
        self.events += decided

    def _refuse(self, given: PlacementInput) -> None:
        before = self.hand.digest()
        assert isinstance(self.hand.execute(given), Refusal)
        assert self.hand.digest() == before


def check_played(run: Run) -> None:
    setup, hand, events = run.hand.setup, run.hand, run.events
    assert isinstance(events[-1], HandEnded)
    assert sum(result.net for result in events[-1].seats) == 0
    assert all(result.end >= 0 for result in events[-1].seats)
    score = hand.state.score
    assert score is not None
    assert len(score.layouts) == len(setup.seats)
    for pair in score.pairs:
        assert abs(pair.paid) <= abs(pair.scored)
    positions = list(hand.state.cards.places.values())
    assert len(set(positions)) == len(positions)
    indexes = sorted(position.index for position in positions)
    assert indexes == list(range(len(indexes)))  # every gap has been filled
    dealt = [place for event in events if isinstance(event, PlacesDealt) for place in event.places]
    assert len(set(dealt)) == len(dealt)
    turned = [card for event in events if isinstance(event, CardsRevealed) for card in event.cards]
    assert len({place for place, _ in turned}) == len({card for _, card in turned}) == len(turned)
    for layout in hand.state.layouts.values():
        assert len(layout.placed) == setup.game.placed()
        assert not set(layout.discards) & hand.state.cards.faces.keys()


def check_codec(run: Run) -> None:
    """There and back through bytes is the same, event by event."""
    setup, points = run.hand.setup, StakeKind.POINTS
    context = HandContext(setup.hand_no, points, {seat: f"p{seat}" for seat, _ in setup.seats})
    again, by_log = PlacementHand(setup), PlacementHand(setup)
    for event in run.events:
        content = write_hand_event(event, context).SerializeToString(deterministic=True)
        assert read_hand_event(HandEvent.FromString(content), again, points) == event
        again.apply(event)
        apply_hand_event(by_log, HandEvent.FromString(content), points)
    assert again.digest() == by_log.digest() == run.hand.digest()


@pytest.mark.rule("OFC-1", "OFC-2", "OFC-22", "OFC-31", "OFC-32")
@settings(max_examples=60, deadline=None)
@given(ofc_setups(), st.integers(0, 2**32))
def test_ofc(setup: PlacementSetup, seed: int) -> None:
    run = Run(setup, seed)
    run.play()
    check_played(run)
    assert PlacementHand.replay(setup, run.events).digest() == run.hand.digest()


@pytest.mark.rule("SCP-1", "SCP-2", "SCP-5")
@settings(max_examples=30, deadline=None)
@given(scoop_setups(), st.integers(0, 2**32))
def test_scoop(setup: PlacementSetup, seed: int) -> None:
    run = Run(setup, seed)
    run.play()
    check_played(run)
    assert PlacementHand.replay(setup, run.events).digest() == run.hand.digest()


@pytest.mark.rule("OFC-31", "OFC-32")
def test_every_combination_through_the_codec() -> None:
    for seed, setup in enumerate(every_combination()):
        run = Run(setup, seed)
        run.play()
        check_played(run)
        check_codec(run)
