"""A hand played at random while books kept beside the engine check every event of it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from pokerfloor.cards import DECKS, Card
from pokerfloor.games import (
    Act,
    ActKind,
    AnswerSplit,
    Begin,
    BetReturned,
    BetsCollected,
    ChooseFacing,
    DiscardCards,
    Event,
    Hand,
    HandRedealt,
    HandSetup,
    Input,
    KnownDeck,
    Opener,
    OpenerAnnounced,
    Over,
    Refusal,
    Resolved,
    Reveal,
    RevealOrdered,
    RevealReason,
    ShowCards,
    ShowdownBegan,
    SplitTimeUp,
    StreetBegan,
    SwapCards,
    TurnBegan,
    WaitAction,
    WaitBegin,
    WaitCards,
    WaitDiscard,
    WaitFacing,
    WaitShowdown,
    WaitSplit,
)
from tests.support.bad_inputs import bad_inputs, bad_results, good_acts
from tests.support.betting_oracle import SlowBetting
from tests.support.card_watch import CardWatch
from tests.support.chip_book import ChipBook

_CLOSES = (BetReturned, BetsCollected, StreetBegan, ShowdownBegan, HandRedealt)
_MOST_STEPS = 3000


def reshuffled(generation: int, cards: tuple[Card, ...]) -> list[Card]:
    return Random(generation).sample(cards, len(cards))


class WatchedHand:
    """Plays one hand to its end.

    `closely` is the share of steps at which everything legal and illegal is tried. `oracle`: every
    turn and legal set is found again by the slow betting. `thrifty`: who bets mostly bets little.
    """

    def __init__(
        self,
        setup: HandSetup,
        rng: Random,
        *,
        closely: float = 0.0,
        oracle: bool = False,
        thrifty: bool = False,
    ) -> None:
        self.setup, self.rng, self.closely = setup, rng, closely
        cards = DECKS[setup.game.deck].cards
        self.order = rng.sample(cards, len(cards))
        numbers = [seat for seat, _ in setup.seats]
        shy = [seat for seat in numbers if rng.random() < 0.3]
        self.deck = KnownDeck(self.order, shy, reshuffled)
        self.chips = ChipBook(setup)
        self.cards = CardWatch(setup, self.order, reshuffled)
        self.betting = SlowBetting(setup) if oracle else None
        self.closed = False
        self.mood = _thrifty if thrifty else rng.choice(_MOODS)
        self.thrift = 8 if thrifty else 1
        self.hand, self.replayed = Hand(setup), Hand(setup)
        self.events: list[Event] = []
        self.ends: list[int] = [0]
        self.turns = 0

    def play(self) -> WatchedHand:
        for _ in range(_MOST_STEPS):
            wait = self.hand.waits_for()
            if self.rng.random() < self.closely:
                self._try_everything()
            if isinstance(wait, Over):
                self._show_something()
                self._check_end()
                return self
            self._do(self._choose())
        raise AssertionError("the hand does not end")

    def _do(self, given: Input) -> None:
        events = self.hand.execute(given)
        assert not isinstance(events, Refusal), (given, events)
        for event in events:
            self._see(event)
        self.events += events
        self.ends.append(len(self.events))
        assert self.replayed.canonical() == self.hand.canonical(), (
            "the replay is not the live state"
        )

    def _see(self, event: Event) -> None:
        if self.betting is not None:
            self._see_betting(self.betting, event)
        self.chips.see(event)
        able = [seat for seat in self.chips.in_hand if self.chips.stack[seat]]
        self.cards.see(event, len(able))
        self.replayed.apply(event)
        state = self.replayed.state
        assert dict(zip(state.seats, state.stacks, strict=True)) == self.chips.stack
        assert dict(zip(state.seats, state.bets, strict=True)) == self.chips.front
        assert state.pot_total == self.chips.pot_total
        self.cards.check_state(state.cards.faces)

    def _see_betting(self, betting: SlowBetting, event: Event) -> None:
        """A street's betting closes when the oracle has nobody left to ask, and not before."""
        opens_all = isinstance(event, RevealOrdered) and event.reason is RevealReason.ALL_IN
        closing = isinstance(event, _CLOSES) or opens_all
        if closing and not self.closed and betting.street_no >= 0 and len(betting.in_hand) > 1:
            assert betting.choosing() or betting.next_seat() is None, "a turn was left out"
            self.closed = True
        if isinstance(event, TurnBegan):
            due = betting.next_choice() if betting.choosing() else betting.next_seat()
            assert event.seat == due, f"the turn is seat {due}'s"
        elif isinstance(event, OpenerAnnounced):
            street = self.setup.game.streets[betting.street_no]
            brings_in = street.opener is Opener.BRING_IN
            assert event.seat == (betting.bring_in_seat() if brings_in else betting.next_seat())
        elif isinstance(event, ShowdownBegan):
            assert event.order == betting.show_order(event.pots), "the order of showing"
        betting.see(event)
        if isinstance(event, StreetBegan | HandRedealt | TurnBegan):
            self.closed = False

    # What the players do

    def _choose(self) -> Input:
        wait = self.hand.waits_for()
        if isinstance(wait, WaitBegin):
            return Begin()
        if isinstance(wait, WaitAction):
            return self._act(wait)
        if isinstance(wait, WaitDiscard):
            return self._exchange(wait)
        if isinstance(wait, WaitFacing):
            return ChooseFacing(wait.seat, wait.turn_no, face_down=self.rng.random() < 0.5)
        if isinstance(wait, WaitSplit):
            seat, agrees = self.rng.choice(wait.seats), self.rng.random() < 0.9
            return SplitTimeUp() if self.rng.random() < 0.1 else AnswerSplit(seat, agrees)
        assert isinstance(wait, WaitCards | WaitShowdown)
        given = self.deck.answer(self.hand, wait)
        if isinstance(given, Resolved) and isinstance(wait, WaitShowdown) and self.closely:
            self._try_results(wait, given)
        if isinstance(given, Reveal) and len(given.cards) > 1 and self.rng.random() < 0.2:
            return Reveal(given.cards[: self.rng.randint(1, len(given.cards))])
        return given

    def _act(self, wait: WaitAction) -> Input:
        self.turns += 1
        seat, turn_no, legal = wait
        if self.betting is not None:
            assert legal == self.betting.legal(seat), "the legal set"
        slots = legal.swap_slots
        if slots and self.rng.random() < 0.4:
            return SwapCards(
                seat, turn_no, tuple(self.rng.sample(slots, self.rng.randint(1, len(slots))))
            )
        acts = good_acts(legal, self.rng)
        least = legal.bet_min or legal.raise_min
        weights = [
            self.mood(kind) * (self.thrift if amount == least else 1) for kind, amount in acts
        ]
        [(kind, amount)] = self.rng.choices(acts, weights)
        return Act(seat, turn_no, kind, amount)

    def _exchange(self, wait: WaitDiscard) -> Input:
        count = self.rng.choice(
            [
                wait.min_discards,
                wait.max_discards,
                self.rng.randint(wait.min_discards, wait.max_discards),
            ]
        )
        gone = self.rng.sample(wait.places, count)
        return DiscardCards(wait.seat, wait.turn_no, tuple([place.slot for place in gone]))

    def _show_something(self) -> None:
        """SHW-3: whoever won without a showdown shows a card, now and then."""
        wait = self.hand.waits_for()
        assert isinstance(wait, Over)
        winners = {award.seat for award in wait.result.awards}
        if self.hand.state.showdown_order or len(winners) != 1 or self.rng.random() < 0.5:
            return
        [seat] = winners
        places = self.hand.state.hole_places(seat)
        hidden = [place for place in places if place not in self.hand.state.cards.faces]
        if hidden:
            some = tuple(self.rng.sample(hidden, self.rng.randint(1, len(hidden))))
            self._do(ShowCards(seat, some))
            self._do(Reveal(self.deck.faces(self.hand, some)))

    # What is tried at a step

    def _try_everything(self) -> None:
        before = self.hand.digest()
        for given, code in bad_inputs(self.hand, self.rng):
            refusal = self.hand.execute(given)
            assert isinstance(refusal, Refusal), (given, refusal)
            assert refusal.code is code, (given, refusal)
            assert refusal.reason
            assert self.hand.validate(given) == refusal
        wait = self.hand.waits_for()
        if isinstance(wait, WaitAction):
            for kind, amount in good_acts(wait.legal, self.rng):
                act = Act(wait.seat, wait.turn_no, kind, amount)
                assert self.hand.validate(act) is None, act
                assert not isinstance(self.hand.decide(act), Refusal), act
            for slot in wait.legal.swap_slots:
                assert self.hand.validate(SwapCards(wait.seat, wait.turn_no, (slot,))) is None
        assert self.hand.digest() == before, "a refused input changed something"

    def _try_results(self, wait: WaitShowdown, given: Resolved) -> None:
        before = self.hand.digest()
        for result in bad_results(wait, given.result, self.rng):
            refusal = self.hand.execute(Resolved(result))
            assert isinstance(refusal, Refusal), result
            assert refusal.code == "WRONG_RESULT"
        assert self.hand.digest() == before

    def _check_end(self) -> None:
        assert self.chips.ended
        positions = self.cards.position
        assert {p: tuple(self.hand.deck_index(p)) for p in positions} == positions
        mucked = {place.owner for place in self.cards.muck}
        for place in self.cards.known:
            up = place.slot in self.setup.game.up_slots() or self.cards.chooses
            assert place.owner not in mucked or place.kind != "s" or up, "a folded card is known"
        assert Hand.replay(self.setup, self.events).digest() == self.hand.digest()


def _calm(kind: ActKind) -> float:
    return {ActKind.FOLD: 0.3, ActKind.ALL_IN: 0.05}.get(kind, 1.0)


def _wild(kind: ActKind) -> float:
    return {ActKind.FOLD: 0.15, ActKind.CHECK: 0.5, ActKind.RAISE: 2.0}.get(kind, 1.0)


def _patient(kind: ActKind) -> float:
    return {ActKind.CHECK: 6.0, ActKind.CALL: 3.0}.get(kind, 0.1)


def _thrifty(kind: ActKind) -> float:
    return {ActKind.FOLD: 0.05, ActKind.ALL_IN: 0.1, ActKind.RAISE: 0.3, ActKind.BET: 0.3}.get(
        kind, 1.0
    )


def _tight(kind: ActKind) -> float:
    return {ActKind.FOLD: 2.0, ActKind.ALL_IN: 0.3}.get(kind, 1.0)


_MOODS: list[Callable[[ActKind], float]] = [_calm, _calm, _wild, _patient, _tight]
