"""Cards, places and proofs as messages."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from pokerfloor.api.common.v1 import cards_pb2 as pb
from pokerfloor.cards import UNKNOWN, Card, CardError, from_wire, to_wire
from pokerfloor.games import Place, PlaceKind, board_place, burn_place, community_place, seat_place
from pokerfloor.limits import MAX_SEATS
from pokerfloor.tablelog.errors import LogError

NO_PROOFS: Final[Mapping[Place, pb.CardProof]] = {}

_KIND_CODE: Final = {
    PlaceKind.SEAT: pb.PLACE_KIND_SEAT,
    PlaceKind.BOARD: pb.PLACE_KIND_BOARD,
    PlaceKind.BURN: pb.PLACE_KIND_BURN,
    PlaceKind.COMMUNITY: pb.PLACE_KIND_COMMUNITY,
}


def to_card(card: Card) -> pb.Card:
    """Return a face as a message. Raises LogError for a number that is no card."""
    try:
        return pb.Card(code=to_wire(card))
    except CardError as error:
        raise LogError(str(error)) from error


def from_card(message: pb.Card, field: str = "card") -> Card:
    """Return the face in a message; a missing one is UNKNOWN. Raises LogError."""
    try:
        return from_wire(message.code)
    except CardError as error:
        raise LogError(str(error), field) from error


def known_card(message: pb.Card, field: str = "card") -> Card:
    """Return the face in a message that must hold one. Raises LogError."""
    card = from_card(message, field)
    if card == UNKNOWN:
        raise LogError("a face that is not known", field)
    return card


@lru_cache(maxsize=1024)
def shared_place(place: Place) -> pb.Place:
    """Return a place as a message that is shared: for copying into others, never for changing."""
    return pb.Place(kind=_KIND_CODE[place.kind], owner=place.owner, slot=place.slot)


def to_place(place: Place) -> pb.Place:
    """Return a place as a message of its own."""
    message = pb.Place()
    message.CopyFrom(shared_place(place))
    return message


def from_place(message: pb.Place, field: str = "place") -> Place:
    """Return the place in a message. Raises LogError for one that no hand has."""
    kind, owner, slot = message.kind, message.owner, message.slot
    if slot < 1:
        raise LogError("slots count from 1", f"{field}.slot")
    if kind == pb.PLACE_KIND_SEAT and 1 <= owner <= MAX_SEATS:
        return seat_place(owner, slot)
    if kind == pb.PLACE_KIND_BOARD and owner < _MOST_BOARDS:
        return board_place(owner, slot)
    if kind == pb.PLACE_KIND_BURN and not owner:
        return burn_place(slot)
    if kind == pb.PLACE_KIND_COMMUNITY and not owner:
        return community_place(slot)
    raise LogError(f"a place of kind {kind} and owner {owner}", field)


_MOST_BOARDS: Final = 2


def to_places(places: Iterable[Place]) -> list[pb.Place]:
    """Return places as messages that are shared: for copying into others, never for changing."""
    return [shared_place(place) for place in places]


def from_places(messages: Iterable[pb.Place], field: str = "places") -> tuple[Place, ...]:
    """Return the places in messages. Raises LogError."""
    return tuple([from_place(message, field) for message in messages])


def to_revealed(
    cards: Iterable[tuple[Place, Card]], proofs: Mapping[Place, pb.CardProof] = NO_PROOFS
) -> list[pb.RevealedCard]:
    """Return revealed faces, with the proofs there are."""
    return [
        pb.RevealedCard(
            place=shared_place(place), card=pb.Card(code=to_wire(card)), proof=proofs.get(place)
        )
        for place, card in cards
    ]


def from_revealed(
    messages: Iterable[pb.RevealedCard], field: str = "cards"
) -> tuple[tuple[Place, Card], ...]:
    """Return the faces in messages, each of which must be known. Raises LogError."""
    return tuple(
        [
            (from_place(opened.place, f"{field}.place"), known_card(opened.card, f"{field}.card"))
            for opened in messages
        ]
    )


def proofs_of(messages: Iterable[pb.RevealedCard]) -> dict[Place, pb.CardProof]:
    """Return the proofs that stand with faces, by place. Raises LogError."""
    return {from_place(one.place): one.proof for one in messages if one.HasField("proof")}
