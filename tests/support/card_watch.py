"""Where every card of a hand lies and who knows its face, kept beside the engine from its events.

Stub, burns, hands, discards, muck and board are the deck, at every step and no card twice. A face
is known to everybody only after the rules have opened its place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pokerfloor.cards import Card
from pokerfloor.games import (
    ActionTaken,
    ActKind,
    CardsDrawn,
    CardsRevealed,
    CardsSwapped,
    DeckReshuffled,
    Event,
    HandEnded,
    HandMucked,
    HandRedealt,
    HandSetup,
    HandShown,
    Place,
    PlaceKind,
    PlacesDealt,
    RevealOrdered,
    RevealReason,
    ShowdownBegan,
    StreetBegan,
    TurnBegan,
    seat_place,
)

Reshuffle = Callable[[int, tuple[Card, ...]], Sequence[Card]]


class CardWatch:
    """Feed it every event of a hand whose deck is known."""

    def __init__(self, setup: HandSetup, order: Sequence[Card], reshuffle: Reshuffle) -> None:
        self.setup = setup
        self.deck = sorted(order)
        self.reshuffle = reshuffle
        self.stub = list(order)
        self.generation, self.next_index = 0, 0
        self.card_at: dict[Place, Card] = {}
        self.hands: dict[int, list[Place]] = {seat: [] for seat, _ in setup.seats}
        self.board: list[Place] = []
        self.burns: list[Place] = []
        self.discards: list[Place] = []
        self.muck: list[Place] = []
        self.shuffled_in: set[Place] = set()
        self.position: dict[Place, tuple[int, int]] = {}
        self.discarding: int | None = None
        self.held_before = 0
        # What everybody knows, and what may be turned up next
        self.known: dict[Place, Card] = {}
        self.due: set[Place] = set()
        self.for_showdown: set[Place] = set()
        self.street_no = -1
        self.all_in = self.showdown = self.ended = False
        self.chooses = any(street.asks_facing() for street in setup.game.streets)

    def see(self, event: Event, can_act: int) -> None:
        """`can_act` is how many seats still in have chips behind, by the caller's own book."""
        self._follow(event)
        self._disclose(event, can_act)
        self._check()

    def _follow(self, event: Event) -> None:
        match event:
            case StreetBegan():
                self.street_no, self.discarding = event.street_no, None
            case PlacesDealt():
                self._dealt(event)
            case CardsSwapped() | CardsDrawn():
                self._given_up(event)
            case DeckReshuffled():
                self._reshuffled(event)
            case HandRedealt():
                self._collected()
            case TurnBegan():
                self.discarding = None
            case ActionTaken(kind=ActKind.FOLD):
                self.muck += self.hands.pop(event.seat)
            case _:
                pass

    def _disclose(self, event: Event, can_act: int) -> None:
        match event:
            case RevealOrdered():
                self._opening(event, can_act)
            case CardsRevealed():
                self._revealed(event)
            case ShowdownBegan():
                self.showdown = True
            case HandShown():
                self._shown(event)
            case HandMucked():
                assert event.seat in self.hands
                assert not self.all_in
            case HandEnded():
                self.ended = True
            case _:
                pass

    def check_state(self, faces: Mapping[Place, Card]) -> None:
        """The engine's state holds the faces that all may know, and no other."""
        assert faces == self.known

    # Where the cards lie

    def _check(self) -> None:
        places = [*self.board, *self.burns, *self.discards, *self.muck]
        places += [place for hand in self.hands.values() for place in hand]
        assert len(set(places)) == len(places), "a place in two piles"
        cards = self.stub + [self.card_at[place] for place in places]
        assert sorted(cards) == self.deck, "the piles are not the deck"

    def _dealt(self, event: PlacesDealt) -> None:
        assert event.places
        assert (event.generation, event.first_index) == (self.generation, self.next_index)
        assert len(event.places) <= len(self.stub), "the deck does not suffice"
        for place in event.places:
            assert place not in self.card_at, "a place dealt twice"
            self.card_at[place] = self.stub.pop(0)
            self.position[place] = (self.generation, self.next_index)
            self.next_index += 1
            if place.kind is PlaceKind.SEAT:
                self.hands[place.owner].append(place)  # a KeyError for a seat that has folded
            elif place.kind is PlaceKind.BURN:
                self.burns.append(place)
            else:
                self.board.append(place)
        if len(self.hands.get(self.discarding or 0, ())) == self.held_before:
            self.discarding = None  # all that it gave up is replaced

    def _given_up(self, event: CardsSwapped | CardsDrawn) -> None:
        gone = [seat_place(event.seat, slot) for slot in event.slots]
        self.held_before = len(self.hands[event.seat])
        for place in gone:
            self.hands[event.seat].remove(place)  # a ValueError for a card not held
        self.discards += gone
        draw = self.setup.game.streets[self.street_no].draw
        replaced = draw is not None and draw.replaced and gone
        self.discarding = event.seat if replaced else None

    def _reshuffled(self, event: DeckReshuffled) -> None:
        """DRW-5, STD-6: used-up cards alone, never what the exchanging seat gives up."""
        assert not self.stub, "a reshuffle with cards left"
        assert event.generation == self.generation + 1
        for place in event.places:
            (self.burns if place.kind is PlaceKind.BURN else self.discards).remove(place)
            assert place.kind is PlaceKind.BURN or place.owner != self.discarding
            assert place not in self.known, "a card everybody knows is shuffled in"
        cards = tuple([self.card_at[place] for place in event.places])
        self.stub = list(self.reshuffle(event.generation, cards))
        self.generation, self.next_index = event.generation, 0

    def _collected(self) -> None:
        for seat, hand in self.hands.items():
            self.discards += hand
            self.hands[seat] = []

    # Who knows a face

    def _opening(self, event: RevealOrdered, can_act: int) -> None:
        assert not self.due, "cards still due"
        places = set(event.places)
        assert len(places) == len(event.places)
        assert not places & self.known.keys(), "opened twice"
        living = {place for hand in self.hands.values() for place in hand}
        up_slots = self.setup.game.up_slots()
        streets_left = self.setup.game.streets[self.street_no + 1 :]
        match event.reason:
            case RevealReason.BOARD:
                assert places <= set(self.board)
                dealt = self.setup.game.hole_cards_dealt(self.street_no)
                middle = self.setup.game.community_cards()  # MAT-4: when all have the street's card
                assert not middle or {len(hand) for hand in self.hands.values()} == {dealt}
            case RevealReason.UP_CARD:
                assert places <= living
                hidden = living - self.known.keys() - places
                one_down = all(sum(p.owner == seat for p in hidden) <= 1 for seat in self.hands)
                # Where it may be chosen, each keeps one card down (MAT-3).
                assert one_down if self.chooses else {place.slot for place in places} <= up_slots
            case RevealReason.ALL_IN:  # BET-2
                assert places <= living
                assert can_act <= 1
                assert not any(street.draw or street.asks_facing() for street in streets_left)
                assert self.all_in or places == living - self.known.keys()
                self.all_in = True
            case RevealReason.SHOWDOWN:
                assert not streets_left
                assert len(self.hands) > 1
                assert places == living - self.known.keys()
                self.for_showdown = places
                return
            case RevealReason.CHOSEN:
                assert self.ended
                assert not self.showdown
                assert len(self.hands) == 1
                assert places <= living
        self.due = places

    def _revealed(self, event: CardsRevealed) -> None:
        for place, card in event.cards:
            self.due.remove(place)  # a KeyError for a place that is not due
            assert card == self.card_at[place]
            self.known[place] = card

    def _shown(self, event: HandShown) -> None:
        assert self.showdown
        assert [place for place, _ in event.cards] == self.hands[event.seat]
        for place, card in event.cards:
            assert place in self.for_showdown or place in self.known
            assert card == self.card_at[place]
            self.known[place] = card
