"""The cards of a hand: which places are dealt, which are to be revealed, which faces are known."""

from functools import lru_cache
from typing import Final

from pokerfloor.cards import Card
from pokerfloor.games.events import (
    CardsRevealed,
    DeckReshuffled,
    PlacesDealt,
    RevealOrdered,
    RevealReason,
)
from pokerfloor.games.places import DeckIndex, Place, PlaceKind, seat_place

# Looking up an Enum member costs as much as recording a card.
_SEAT: Final = PlaceKind.SEAT
_COMMUNITY: Final = PlaceKind.COMMUNITY
_BOARD: Final = PlaceKind.BOARD
_SHOWDOWN: Final = RevealReason.SHOWDOWN


@lru_cache(maxsize=4096)
def _deck_indexes(generation: int, first: int, count: int) -> tuple[DeckIndex, ...]:
    return tuple([DeckIndex(generation, index) for index in range(first, first + count)])


class DealtCards:
    """Places in dealing order with their deck indexes; faces only of revealed cards.

    places: the deck index of every place dealt
    pending: places to be revealed next to everybody, in order
    reveal_reason: the reason of the last reveal
    faces, lies_at: the revealed cards, by place and by card
    boards: the boards' faces in slot order; a community card lies on the first
    held: by seat, the hole places it still holds, for seats that have given up cards
    given_up: by seat, the hole places that it has given up
    reshuffled: for each generation after the first, the places whose cards it consists of
    """

    __slots__ = (
        "boards",
        "faces",
        "generation",
        "given_up",
        "held",
        "lies_at",
        "next_index",
        "pending",
        "places",
        "reshuffled",
        "reveal_reason",
        "size",
    )

    def __init__(self, boards: int, size: int) -> None:
        self.size = size
        self.held: dict[int, tuple[Place, ...]] = {}
        self.given_up: dict[int, tuple[Place, ...]] = {}
        self.reshuffled: tuple[tuple[Place, ...], ...] = ()
        self.generation = 0
        self.next_index = 0
        self.places: dict[Place, DeckIndex] = {}
        self.pending: tuple[Place, ...] = ()
        self.reveal_reason: RevealReason | None = None
        self.faces: dict[Place, Card] = {}
        self.lies_at: dict[Card, Place] = {}
        self.boards: list[list[Card]] = [[] for _ in range(boards)]

    def copy(self) -> "DealtCards":
        """Return an independent copy."""
        twin = DealtCards(0, self.size)
        twin.held = self.held.copy()
        twin.given_up = self.given_up.copy()
        twin.reshuffled = self.reshuffled
        twin.generation = self.generation
        twin.next_index = self.next_index
        twin.places = self.places.copy()
        twin.pending = self.pending
        twin.reveal_reason = self.reveal_reason
        twin.faces = self.faces.copy()
        twin.lies_at = self.lies_at.copy()
        twin.boards = [board.copy() for board in self.boards]
        return twin

    def deal(self, event: PlacesDealt) -> None:
        """Record dealt places: no gap in the deck, no place twice."""
        places, generation, first = event
        assert generation == self.generation, "cards of another generation"
        assert first == self.next_index, f"deck index {first}, expected {self.next_index}"
        before = len(self.places)
        self.places.update(zip(places, _deck_indexes(generation, first, len(places)), strict=True))
        assert len(self.places) == before + len(places), "a place was dealt twice"
        self.next_index = first + len(places)
        assert self.next_index <= self.size, "more cards dealt than the deck has"
        if self.held:
            for place in places:
                if place.kind is _SEAT and place.owner in self.held:
                    self.held[place.owner] += (place,)

    def left(self) -> int:
        """Return how many cards of the deck are left."""
        return self.size - self.next_index

    def give_up(self, seat: int, slots: tuple[int, ...], held: tuple[Place, ...]) -> None:
        """Record the cards that a seat gives up, out of `held`."""
        places = tuple([seat_place(seat, slot) for slot in slots])
        assert len(set(places)) == len(places), "a card given up twice"
        assert set(places) <= set(held), "a card given up that is not held"
        self.held[seat] = tuple([place for place in held if place not in places])
        self.given_up[seat] = self.given_up.get(seat, ()) + places

    def next_slots(self, seat: int, count: int) -> tuple[Place, ...]:
        """Return the places of the next hole cards of a seat that has given up cards."""
        first = 1 + len(self.held[seat]) + len(self.given_up[seat])
        return tuple([seat_place(seat, slot) for slot in range(first, first + count)])

    def reusable(self, seat: int | None) -> tuple[Place, ...]:
        """Return the places of burned and given-up cards, except those of `seat` (DRW-5)."""
        places = [place for place in self.places if place.kind is PlaceKind.BURN]
        for other, given_up in self.given_up.items():
            if other != seat:
                places += given_up
        again = {place for generation in self.reshuffled for place in generation}
        return tuple([place for place in places if place not in again])

    def reshuffle(self, event: DeckReshuffled) -> None:
        """Record a new generation of the deck, made of burned and given-up cards."""
        assert event.generation == self.generation + 1, "generations out of order"
        assert not self.left(), "a reshuffle with cards left"
        assert event.places, "a reshuffle of no cards"
        assert set(event.places) <= set(self.reusable(None)), "a card in use was reshuffled"
        self.generation = event.generation
        self.next_index = 0
        self.size = len(event.places)
        self.reshuffled += (event.places,)

    def order_reveal(self, event: RevealOrdered) -> None:
        """Record places to be revealed; those for the showdown service stay hidden here."""
        assert not self.pending, "cards are still pending"
        reason, places = event
        assert all(map(self.places.__contains__, places)), "reveal of a place that is not dealt"
        self.reveal_reason = reason
        if reason != _SHOWDOWN:
            self.pending = places

    def reveal(self, event: CardsRevealed) -> None:
        """Record the faces of pending places."""
        revealed = tuple([place for place, _ in event.cards])
        if revealed == self.pending:
            self.pending = ()
        else:
            left = tuple([place for place in self.pending if place not in revealed])
            assert len(left) + len(revealed) == len(self.pending), (
                "a card revealed that is not pending"
            )
            self.pending = left
        self.learn(event.cards)
        for (kind, owner, slot), card in event.cards:
            if kind is _BOARD:
                board = self.boards[owner]
                assert slot == len(board) + 1, "board cards out of order"
                board.append(card)
            elif kind is _COMMUNITY:
                self.boards[0].append(card)

    def learn(self, cards: tuple[tuple[Place, Card], ...]) -> None:
        """Record faces known to everybody: no card at two places, no face changed."""
        face_at, place_of = self.faces.setdefault, self.lies_at.setdefault
        for place, card in cards:
            assert face_at(place, card) == card, "a face changed"
            assert place_of(card, place) == place, "a card at two places"

    def canonical(self) -> tuple[object, ...]:
        """Return everything as plain values; parts that few games have are left out if empty."""
        return (
            self.generation,
            self.next_index,
            tuple([(*place, *index) for place, index in self.places.items()]),
            self.pending,
            self.reveal_reason or "",
            tuple([(*place, card) for place, card in self.faces.items()]),
            *((tuple(self.given_up.items()),) if self.given_up else ()),
            *((self.reshuffled,) if self.reshuffled else ()),
        )
