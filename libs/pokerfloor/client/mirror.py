"""A table as this program knows it, by a snapshot and the views applied to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.events.v1 import hand_events_pb2, table_events_pb2
from pokerfloor.api.table.v1 import table_pb2, view_pb2
from pokerfloor.cards import Card
from pokerfloor.client.mirror_deck import OWN, DeckMirror, PlaceKey, place_text
from pokerfloor.client.mirror_hand import hand_of_view, place_key, result_of
from pokerfloor.client.mirror_hand_events import apply_hand_event
from pokerfloor.client.mirror_state import GameChoice, HandMirror, TableValues, amount_of
from pokerfloor.client.mirror_table import apply_table_event, seat_of_view
from pokerfloor.tablelog import cards_of_game_draw, game_drawn, mixed_game_names

CardCheck = Callable[[DeckMirror, cards_pb2.RevealedCard], None]
"""Raises ProofFailed when a revealed card is not the committed one."""


class ViewGap(Exception):  # noqa: N818 - what happened; the session asks for the missing views
    """A view came that does not follow the last one."""


class TableMirror(TableValues):
    """Seats, stacks, board, pots, whose turn it is, hole cards and the last result.

    Every card that is revealed goes through `check` first; what it raises leaves `take_step` and
    `take_snapshot`, and the mirror must not be used again.
    """

    __slots__ = ("_check",)

    def __init__(self, table_id: str, player_id: str = "", check: CardCheck | None = None) -> None:
        super().__init__(table_id, player_id)
        self._check = check

    @property
    def hole_cards(self) -> tuple[Card, ...]:
        """Hole cards held in the hand in play that are known so far, in order of slots."""
        if self.hand is None:
            return ()
        known = self.hand.own | self.hand.faces
        return tuple(known[place] for place in self._own_places() if place in known)

    @property
    def own_slots(self) -> tuple[int, ...]:
        """The slots of the hole cards held, in the order of `hole_cards` once all are known."""
        return tuple(slot for _, _, slot in self._own_places())

    @property
    def own_cards_complete(self) -> bool:
        """Whether every card dealt to the own seat is known."""
        places = self._own_places()
        return bool(places) and len(self.hole_cards) == len(places)

    @property
    def board(self) -> tuple[Card, ...]:
        """The first board's open cards."""
        return self.hand.board() if self.hand is not None else ()

    @property
    def pot(self) -> int:
        """All that can be won in the hand in play, 0 between hands."""
        return self.hand.pot if self.hand is not None else 0

    @property
    def own_stack(self) -> int:
        """What lies behind at the own seat, 0 without a seat."""
        return self.seats[self.own_seat].stack if self.own_seat else 0

    def take_snapshot(self, snapshot: table_pb2.Snapshot) -> None:
        """Begin again from a whole state. Hole cards known of the same hand are kept."""
        view, before = snapshot.table, self.hand
        self.view_no = snapshot.view_no
        self.settings.CopyFrom(view.settings)
        self.state, self.button, self.hands = view.state, view.button, view.hands
        self.seats = {seat.seat: seat_of_view(seat) for seat in view.seats}
        self.own_seat = self._seat_of_player()
        self.hand = self.your_turn = None
        self.refused_buy_in = self.top_up = None
        self.bomb_votes = set(view.bomb_pot_votes)
        self.carried_pot = amount_of(view.carried_pot)
        self.readiness = {one.seat: one.ready for one in view.readiness}
        self.match_no = view.match_no
        self.game_choice = GameChoice.of(view.game_choice) if view.HasField("game_choice") else None
        self.next_game = view.next_game
        if view.HasField("last_result"):
            self._learn_last_result(view.last_result)
        if not view.HasField("hand"):
            if self.deck is not None and self.deck.hand_no != view.hands:
                self.deck = None  # hands were missed; cards of the last one cannot be checked
            return
        self.hand = hand_of_view(view.hand, self.seats)
        self._take_deck_of(view.hand)
        if before is not None and before.hand_no == self.hand.hand_no:
            self.hand.own = before.own
        self._verify(view.hand.revealed_cards)
        if view.hand.HasField("your_turn"):
            self.your_turn = view.hand.your_turn

    def _take_deck_of(self, hand: view_pb2.HandView) -> None:
        """Read the deck of a snapshot; what is known of it already must be the same."""
        deck = self.deck
        if deck is None or (deck.deck_no, deck.hand_no) != (hand.deck_no, hand.hand_no):
            deck = self.take_deck(hand.deck_no, hand.hand_no, reserves=bool(hand.fantasyland))
        for generation, root in enumerate((hand.root, *hand.later_roots)):
            if root:
                deck.commit(generation, root)
        positions = [
            ((dealt.deck_index.generation, dealt.deck_index.index), place_key(dealt.place))
            for dealt in hand.dealt
        ]
        for position, place in sorted(positions):
            deck.deal(place, position)

    def take_step(self, step: table_pb2.StepView) -> bool:
        """Apply the next view; return False for one that was applied before. Raises ViewGap."""
        if step.view_no <= self.view_no:
            return False
        if step.view_no != self.view_no + 1:
            raise ViewGap(f"view {step.view_no} follows {self.view_no}")
        for event in step.events:
            if event.WhichOneof("event") == "hand":
                self._take_hand_event(event.hand)
            else:
                self._take_table_event(event)
        self.view_no = step.view_no
        self.last_step_at_ms = step.at_ms
        # What is asked between hands stands in `game_choice`; a turn belongs to a hand.
        if step.HasField("your_turn") and self.hand is not None:
            self.your_turn = step.your_turn
        return True

    def learn_own(self, hand_no: int, place: PlaceKey, card: Card) -> None:
        """Remember a hole card of the hand in play."""
        if self.hand is not None and self.hand.hand_no == hand_no:
            self.hand.own[place] = card

    def _own_places(self) -> list[PlaceKey]:
        if self.hand is None or self.own_seat not in self.hand.seats:
            return []
        return self.hand.seats[self.own_seat].places

    def _seat_of_player(self) -> int:
        if not self.player_id:
            return 0
        return next((s.seat for s in self.seats.values() if s.player_id == self.player_id), 0)

    def _learn_last_result(self, ended: hand_events_pb2.HandEnded) -> None:
        if self.last_hand is None or self.last_hand.hand_no != ended.hand_no:
            nothing_seen = HandMirror(ended.hand_no, 0, {})
            self.last_hand = result_of(nothing_seen, self.seats, ended)

    def _verify(self, cards: Iterable[cards_pb2.RevealedCard]) -> None:
        if self._check is None or self.deck is None:
            return
        for card in cards:
            self._check(self.deck, card)

    def _take_table_event(self, event: table_events_pb2.TableEvent) -> None:
        is_draw = self.deck is not None and not self.deck.hand_no
        if event.WhichOneof("event") == "button_drawn" and is_draw:
            self._verify(event.button_drawn.cards)
        elif event.WhichOneof("event") == "game_chosen" and is_draw:
            self._check_game_drawn(event.game_chosen)
        apply_table_event(self, event)

    def _check_game_drawn(self, event: table_events_pb2.GameChosen) -> None:
        """Check that the cards of a draw are the committed ones, and choose that game (MIX-3)."""
        self._verify(event.cards)
        games = mixed_game_names(self.settings.mixed)
        faces = [one.card.code - 1 for one in event.cards]
        whole = len(set(faces)) == len(faces) == cards_of_game_draw(max(1, len(games)))
        if self.deck is not None and (not whole or game_drawn(games, faces) != event.game):
            self.deck.fail("game.1", "the cards that were drawn choose another game")

    def _take_hand_event(self, event: hand_events_pb2.HandEvent) -> None:
        self._follow_deck(event)
        if self.hand is not None:  # else a draw for the button, or for a game
            apply_hand_event(self, self.hand, event)

    def _follow_deck(self, event: hand_events_pb2.HandEvent) -> None:
        if self.deck is None:
            return
        name = event.WhichOneof("event")
        if name == "places_dealt":
            first = event.places_dealt.first
            for offset, place in enumerate(event.places_dealt.places):
                position = (first.generation, first.index + offset)
                self.deck.deal(place_key(place), position)
        elif name == "cards_revealed":
            self._verify(event.cards_revealed.cards)
        elif name == "hand_shown":
            for card in event.hand_shown.cards:
                if (card.place.kind, card.place.owner) != (OWN, event.hand_shown.seat):
                    where = place_text(place_key(card.place))
                    self.deck.fail(where, "it is shown as another seat's card")
            self._verify(event.hand_shown.cards)
