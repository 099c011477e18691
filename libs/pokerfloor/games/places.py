"""Places: where a card lies, and which card of the deck lies there, before its face is known."""

from enum import StrEnum
from functools import cache
from typing import Final, NamedTuple


class PlaceKind(StrEnum):
    """The kinds of places; the value is the prefix of the text form.

    A swapped or discarded card keeps its place; its replacement gets the seat's next slot.
    """

    SEAT = "s"  # owner: the seat number; slots from 1 in the order dealt
    BOARD = "b"  # owner: the board, from 0; slots from 1
    COMMUNITY = "com"  # a community card (STD-6, MAT-1); owner: always 0
    BURN = "burn"  # owner: always 0; slots from 1


class Place(NamedTuple):
    """One place of a hand. `slot` counts from 1 inside (kind, owner)."""

    kind: PlaceKind
    owner: int
    slot: int

    def __str__(self) -> str:
        """Return `s3.1`, `b0.2`, `com.1` or `burn.1`."""
        if self.kind in _OF_NOBODY:
            return f"{self.kind.value}.{self.slot}"
        return f"{self.kind.value}{self.owner}.{self.slot}"


class DeckIndex(NamedTuple):
    """Which card of the deck lies at a place.

    `generation` counts the reshuffles in mid-hand, from 0; `index` counts from 0 in dealing order,
    without gaps.
    """

    generation: int
    index: int  # type: ignore[assignment]  # hides tuple.index


BURN_OWNER: Final = 0
_OF_NOBODY: Final = (PlaceKind.BURN, PlaceKind.COMMUNITY)


@cache
def seat_place(seat: int, slot: int) -> Place:
    """Return the place of a card dealt to a seat; the same object each time."""
    return Place(PlaceKind.SEAT, seat, slot)


@cache
def seat_places(seat: int, count: int) -> tuple[Place, ...]:
    """Return the first `count` places of a seat."""
    return tuple([seat_place(seat, slot) for slot in range(1, count + 1)])


@cache
def board_place(board: int, slot: int) -> Place:
    """Return the place of a board card; the same object each time."""
    return Place(PlaceKind.BOARD, board, slot)


@cache
def burn_place(slot: int) -> Place:
    """Return the place of a burned card; the same object each time."""
    return Place(PlaceKind.BURN, BURN_OWNER, slot)


@cache
def community_place(slot: int) -> Place:
    """Return the place of a community card; the same object each time."""
    return Place(PlaceKind.COMMUNITY, 0, slot)


@cache
def community_places(count: int) -> tuple[Place, ...]:
    """Return the first `count` community places."""
    return tuple([community_place(slot) for slot in range(1, count + 1)])


def parse_place(text: str) -> Place:
    """Return the place of a text written by `str(place)`. Raises ValueError for other texts."""
    head, dot, slot = text.rpartition(".")
    if dot and _is_number(slot) and int(slot) > 0:
        if head == PlaceKind.BURN.value:
            return burn_place(int(slot))
        if head == PlaceKind.COMMUNITY.value:
            return community_place(int(slot))
        if head[:1] in (PlaceKind.SEAT.value, PlaceKind.BOARD.value) and _is_number(head[1:]):
            return Place(PlaceKind(head[:1]), int(head[1:]), int(slot))
    raise ValueError(f"{text!r} is not a place such as s3.1, b0.2, com.1 or burn.1")


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and (text == "0" or text[0] != "0")
