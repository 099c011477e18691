"""The cards of a placement hand: which places are dealt, to be revealed, and known."""

from pokerfloor.cards import Card
from pokerfloor.games.events import CardsRevealed, PlacesDealt, RevealOrdered, RevealReason
from pokerfloor.games.placement.plan import Plan
from pokerfloor.games.places import DeckIndex, Place, PlaceKind


class DealtPlaces:
    """Places in dealing order with their deck indexes; faces only of revealed cards.

    places: the deck index of every place dealt
    next_index: the deck index that is dealt next
    aside, aside_next, aside_end: the seat with reserved cards, the first of the deck; the index
        that it is dealt next; the end of the reserved indexes (OFC-32)
    pending, reveal_reason: places to be revealed next to everybody; the reason of the last reveal
    faces, lies_at: the revealed cards, by place and by card
    board: the board's faces in slot order
    """

    __slots__ = (
        "aside",
        "aside_end",
        "aside_next",
        "board",
        "faces",
        "lies_at",
        "next_index",
        "pending",
        "places",
        "reveal_reason",
        "size",
    )

    def __init__(self, size: int, plan: Plan) -> None:
        self.size = size
        self.aside = plan.aside
        self.aside_next = 0
        self.aside_end = self.next_index = plan.reserved
        self.places: dict[Place, DeckIndex] = {}
        self.pending: tuple[Place, ...] = ()
        self.reveal_reason: RevealReason | None = None
        self.faces: dict[Place, Card] = {}
        self.lies_at: dict[Card, Place] = {}
        self.board: list[Card] = []

    def copy(self) -> "DealtPlaces":
        """Return an independent copy."""
        twin = object.__new__(DealtPlaces)
        for name in DealtPlaces.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.places = self.places.copy()
        twin.faces = self.faces.copy()
        twin.lies_at = self.lies_at.copy()
        twin.board = self.board.copy()
        return twin

    def index_for(self, seat: int | None) -> int:
        """Return the next deck index for a seat, or for the board (None)."""
        return self.aside_next if seat is not None and seat == self.aside else self.next_index

    def deal(self, event: PlacesDealt) -> None:
        """Record dealt places: no gap in the deck, no place twice.

        Reserved cards go to their seat, and that seat gets no others.
        """
        places, generation, first = event
        assert generation == 0, "cards of another generation"
        assert places, "a deal of no cards"
        end = first + len(places)
        aside = [
            place for place in places if place.kind is PlaceKind.SEAT and self._is_aside(place)
        ]
        if aside:
            assert len(aside) == len(places), "reserved cards dealt to others"
            assert first == self.aside_next, f"deck index {first}, expected {self.aside_next}"
            assert end <= self.aside_end, "more cards dealt than are reserved"
            self.aside_next = end
        else:
            assert first == self.next_index, f"deck index {first}, expected {self.next_index}"
            assert end <= self.size, "more cards dealt than the deck has"
            self.next_index = end
        before = len(self.places)
        for index, place in enumerate(places, first):
            self.places[place] = DeckIndex(generation, index)
        assert len(self.places) == before + len(places), "a place was dealt twice"

    def _is_aside(self, place: Place) -> bool:
        return place.owner == self.aside

    def order_reveal(self, event: RevealOrdered) -> None:
        """Record places to be revealed, each once in the hand."""
        assert not self.pending, "cards are still pending"
        assert event.places, "a reveal of no places"
        assert self.places.keys() >= set(event.places), "reveal of a place that is not dealt"
        assert len(set(event.places)) == len(event.places), "a place named twice"
        assert self.faces.keys().isdisjoint(event.places), "reveal of a revealed place"
        self.reveal_reason = event.reason
        self.pending = event.places

    def reveal(self, event: CardsRevealed) -> None:
        """Record the faces of pending places: no card at two places, board cards in order."""
        revealed = {place for place, _ in event.cards}
        left = tuple([place for place in self.pending if place not in revealed])
        assert len(left) + len(event.cards) == len(self.pending), (
            "a card revealed that is not pending"
        )
        self.pending = left
        for place, card in event.cards:
            assert self.lies_at.setdefault(card, place) == place, "a card at two places"
            self.faces[place] = card
            if place.kind is PlaceKind.BOARD:
                assert place.slot == len(self.board) + 1, "board cards out of order"
                self.board.append(card)

    def canonical(self) -> tuple[object, ...]:
        """Return everything as plain values."""
        return (
            self.next_index,
            self.aside_next,
            tuple([(*place, index.index) for place, index in self.places.items()]),
            self.pending,
            self.reveal_reason or "",
            tuple([(*place, card) for place, card in self.faces.items()]),
        )
