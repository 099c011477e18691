"""Random play over random configurations: what must hold in every hand."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerfloor.cards import DECKS
from pokerfloor.games import (
    GAMES,
    HOLDEM,
    ActionTaken,
    Begin,
    BetsCollected,
    CardsRevealed,
    DeckReshuffled,
    Event,
    GameRow,
    Hand,
    HandEnded,
    HandShown,
    HandVoided,
    Input,
    KnownDeck,
    Over,
    Place,
    PlacesDealt,
    Refusal,
    RevealOrdered,
    RevealReason,
    ShowdownBegan,
    Void,
    WaitAction,
    WaitBegin,
    WaitDiscard,
    WaitFacing,
    WaitSplit,
    check_setup,
)
from tests.support.games.random_hands import (
    illegal_acts,
    illegal_changes,
    illegal_choices,
    legal_acts,
    random_act,
    random_input,
    random_setup,
)

seeds = st.integers(0, 2**48)


class Played:
    """A hand played at random, with its events, checked at every step."""

    def __init__(self, seed: int, *, game: GameRow = HOLDEM, closely: bool = False) -> None:
        self.rng = random.Random(seed)
        self.setup = random_setup(self.rng, game)
        assert check_setup(self.setup) == ()
        cards = DECKS[game.deck].cards
        self.deck = KnownDeck(self.rng.sample(cards, len(cards)), reshuffle=_reshuffled)
        self.hand = Hand(self.setup)
        self.events: list[Event] = []
        self.closely = closely
        self.step_ends = [0]
        steps = 0
        while not isinstance(wait := self.hand.waits_for(), Over):
            steps += 1
            assert steps < 2000, "the hand does not end"
            if isinstance(wait, WaitAction):
                self._check_turn(wait)
                given: Input = random_input(wait, self.rng)
            elif isinstance(wait, WaitDiscard):
                self._check_refused(illegal_changes(wait))
                given = random_input(wait, self.rng)
            elif isinstance(wait, WaitFacing | WaitSplit):
                self._check_refused(illegal_choices(wait))
                given = random_input(wait, self.rng)
            elif isinstance(wait, WaitBegin):
                given = Begin()
            else:
                given = self.deck.answer(self.hand, wait)
            self._do(given)

    def _do(self, given: Input) -> None:
        decided = self.hand.decide(given) if self.closely else None
        events = self.hand.execute(given)
        assert not isinstance(events, Refusal), (given, events)
        assert decided is None or decided == events
        self.events += events
        self.step_ends.append(len(self.events))
        state = self.hand.state
        chips = sum(state.stacks) + sum(state.bets) + state.pot_total + state.raked
        carried_out = sum(pot.amount for pot in state.carried)
        brought = sum(stack for _, stack in self.setup.seats)
        assert chips + carried_out == brought + state.carried_in
        assert min(*state.stacks, *state.bets, state.pot_total) >= 0

    def _check_turn(self, wait: WaitAction) -> None:
        state = self.hand.state
        position = state.seats.index(wait.seat)
        assert state.stacks[position] > 0
        assert not state.folded[position]
        if not self.closely:
            return
        self._check_refused(illegal_changes(wait))
        before = self.hand.digest()
        for act in illegal_acts(wait, self.rng):
            assert isinstance(self.hand.execute(act), Refusal), act
        for kind, amount in legal_acts(wait.legal, self.rng):
            act = random_act(wait, self.rng)._replace(kind=kind, amount_to=amount)
            assert self.hand.validate(act) is None, act
            assert not isinstance(self.hand.decide(act), Refusal), act
        assert self.hand.digest() == before

    def _check_refused(self, bad: list[Input]) -> None:
        if not self.closely:
            return
        before = self.hand.digest()
        for wrong in bad:
            assert isinstance(self.hand.execute(wrong), Refusal), wrong
        assert self.hand.digest() == before


def _reshuffled(generation: int, cards: tuple[int, ...]) -> list[int]:
    return random.Random(generation).sample(cards, len(cards))


@pytest.mark.rule("BET-1", "BET-2", "BET-3", "POT-5", "ODD-4")
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@settings(max_examples=40, deadline=None)
@given(seeds)
def test_chips_are_conserved_and_the_fold_is_the_live_state(game: GameRow, seed: int) -> None:
    played = Played(seed, game=game)
    folded = Hand.replay(played.setup, played.events)
    assert folded.digest() == played.hand.digest()
    assert folded == played.hand
    over = played.hand.waits_for()
    assert isinstance(over, Over)
    result = over.result
    carried_out = sum(pot.amount for pot in result.carried)
    assert result.carried_in == played.setup.carried.amount
    nets = sum(seat.net for seat in result.seats)
    assert nets + result.rake.total + carried_out == result.carried_in
    ended = played.events[-1]
    assert isinstance(ended, HandEnded)
    assert (ended.carried_in, ended.carried_out) == (result.carried_in, carried_out)


@pytest.mark.rule("BET-3")
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@settings(max_examples=12, deadline=None)
@given(seeds)
def test_what_is_legal_is_taken_and_what_is_not_changes_nothing(game: GameRow, seed: int) -> None:
    Played(seed, game=game, closely=True)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@settings(max_examples=15, deadline=None)
@given(seeds)
def test_every_prefix_of_the_events_folds_to_a_state_of_its_own(game: GameRow, seed: int) -> None:
    played = Played(seed, game=game)
    digests = [Hand(played.setup).digest()]
    hand = Hand(played.setup)
    for event in played.events:
        hand.apply(event)
        digests.append(hand.digest())
    assert len(set(digests)) == len(digests)
    assert hand == played.hand


@pytest.mark.rule("HLD-1", "HLD-2", "POT-3", "SHW-2", "SHW-3")
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@settings(max_examples=30, deadline=None)
@given(seeds)
def test_no_card_is_at_two_places_and_none_is_opened_without_a_cause(
    game: GameRow, seed: int
) -> None:
    events = Played(seed, game=game).events
    places = [place for e in events if isinstance(e, PlacesDealt) for place in e.places]
    assert len(set(places)) == len(places)
    generation = next_index = 0
    deck_size = len(DECKS[game.deck])
    opened: set[Place] = set()
    up: set[Place] = set()
    folded: set[int] = set()
    faces: dict[Place, int] = {}
    for event in events:
        if isinstance(event, PlacesDealt):
            assert (event.generation, event.first_index) == (generation, next_index)
            next_index += len(event.places)
            assert next_index <= deck_size
        elif isinstance(event, DeckReshuffled):
            assert next_index == deck_size
            assert not set(event.places) & opened
            generation, next_index, deck_size = generation + 1, 0, len(event.places)
        elif isinstance(event, ActionTaken) and event.kind == "fold":
            folded.add(event.seat)
        elif isinstance(event, RevealOrdered):
            assert not {p.owner for p in event.places if p.kind == "s"} & folded
            assert not set(event.places) & opened
            opened |= set(event.places)
            if event.reason is RevealReason.UP_CARD:
                up |= set(event.places)
        elif isinstance(event, CardsRevealed | HandShown):
            assert {place for place, _ in event.cards} <= opened
            faces.update(event.cards)
    assert len(set(faces.values())) == len(faces)
    if not any(isinstance(event, ShowdownBegan) for event in events):
        assert not [place for place in opened - up if place.kind == "s"]


@pytest.mark.rule("DLR-8")
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@settings(max_examples=8, deadline=None)
@given(seeds, st.floats(0, 1))
def test_a_hand_can_be_voided_at_any_step(game: GameRow, seed: int, at: float) -> None:
    played = Played(seed, game=game)
    ends = played.step_ends[:-1]
    hand = Hand.replay(played.setup, played.events[: ends[int(at * (len(ends) - 1))]])
    assert hand.execute(Void("test")) == (HandVoided("test"),)
    assert hand.state.stacks == [stack for _, stack in played.setup.seats]
    over = hand.waits_for()
    assert isinstance(over, Over)
    assert (over.result.carried_in, over.result.carried) == (played.setup.carried.amount, ())


@pytest.mark.rule("POT-1")
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@settings(max_examples=15, deadline=None)
@given(seeds)
def test_pots_are_numbered_and_nested(game: GameRow, seed: int) -> None:
    played = Played(seed, game=game)
    for event in played.events:
        if isinstance(event, BetsCollected):
            assert [pot.no for pot in event.pots] == list(range(len(event.pots)))
            for wide, narrow in zip(event.pots, event.pots[1:], strict=False):
                assert len(narrow.eligible) <= len(wide.eligible)
                if not played.setup.carried.seats:  # a carried pot has eligible seats of its own
                    assert set(narrow.eligible) < set(wide.eligible)
