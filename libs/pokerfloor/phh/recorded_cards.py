"""The cards that a record has named so far, and the places where they lie."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from pokerfloor.cards import UNKNOWN, Card, cards_text
from pokerfloor.games import Place, PlaceKind, seat_place
from pokerfloor.phh.actions import Action
from pokerfloor.phh.outcomes import DiffersError, named

_OWN: Final = PlaceKind.SEAT


class RecordedCards:
    """Grows with the record. A card that the record leaves open is UNKNOWN.

    own: by own place, the cards that were dealt there
    shared: cards for everybody that have not been revealed so far, in order
    """

    __slots__ = ("own", "shared")

    def __init__(self) -> None:
        self.own: dict[Place, Card] = {}
        self.shared: list[Card] = []

    def deal(self, action: Action, dealt: Collection[Place]) -> None:
        """Note cards dealt to a seat: they lie at its next places, up or down by the street.

        With them the seat has all own places that are among those `dealt`. Raises DiffersError.
        """
        seat, cards = action.player, action.cards or ()
        first = 1 + sum(place.owner == seat for place in self.own)
        for slot, card in enumerate(cards, start=first):
            self.own[seat_place(seat, slot)] = card
        wanted = sum(place == seat_place(seat, place.slot) for place in dealt) - first + 1
        if len(cards) != wanted:
            raise DiffersError(f"{named(action)}: {wanted} cards are dealt to a seat")

    def reveal(self, places: Sequence[Place]) -> tuple[Card, ...] | None:
        """Return the faces of places that are due; None as long as not all of them are named."""
        shared = [place for place in places if place.kind is not _OWN]
        if len(shared) > len(self.shared):
            return None
        faces = self.own | dict(zip(shared, self.shared, strict=False))
        if not faces.keys() >= set(places):
            return None
        del self.shared[: len(shared)]
        return tuple([faces[place] for place in places])

    def find(self, action: Action, held: tuple[Place, ...], cards: tuple[Card, ...]) -> list[Place]:
        """Return where named cards lie among those held; a place not known so far takes the rest.

        Cards are named in any order, and some may be unknown. Raises DiffersError.
        """
        left = list(held)
        found: list[Place] = []
        strange: list[Card] = []
        for card in cards:
            place = next((p for p in left if self.own.get(p, UNKNOWN) == card), None)
            if place is None:
                strange.append(card)
            else:
                left.remove(place)
                found.append(place)
        hidden = [place for place in left if self.own.get(place, UNKNOWN) == UNKNOWN]
        for card in strange:
            if hidden:
                place = hidden.pop(0)
                self.own[place] = card
                found.append(place)
            elif card != UNKNOWN:
                if len(cards) < len(held):
                    raise DiffersError(f"{named(action)}: {cards_text((card,))} is not held")
                other = next(p for p in left if self.own[p] not in cards)
                dealt, named_card = cards_text((self.own[other],)), cards_text((card,))
                raise DiffersError(f"{named(action)}: {dealt} was dealt there, not {named_card}")
            else:
                found.append(left.pop(0))
        return found

    def check_all_revealed(self) -> None:
        """Make sure that every card for everybody was due. Raises DiffersError."""
        if self.shared:
            raise DiffersError(f"the board cards {cards_text(self.shared)} are never due")
