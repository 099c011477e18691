"""What a request must be made of before anything is looked up. All raise FloorError."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from floor_shuffler.deck import COMPOSITIONS, SETTLED, VOID
from floor_shuffler.places import KINDS_OF_PURPOSE, Place
from floor_shuffler.steps import HAND
from pokerfloor.api.common.v1 import cards_pb2, errors_pb2
from pokerfloor.api.internal.shuffler.v1 import dealing_pb2
from pokerfloor.fairness import DeckId
from pokerfloor.servicekit import FloorError

MAX_PLACES: Final = 64
_TABLE_ID: Final = re.compile(r"[a-z0-9-]{1,32}")
# SQLite's and JetStream's numbers are signed or shorter than uint64; nobody counts that far.
_MAX_COUNT: Final = (1 << 53) - 1
_MAX_SEAT: Final = (1 << 16) - 1
_MAX_REASON_CHARS: Final = 200


def table(table_id: str, field: str) -> str:
    """Give a table's id."""
    if not _TABLE_ID.fullmatch(table_id):
        raise invalid("a table's id is 1 to 32 of a-z, 0-9 and -", field)
    return table_id


def deck(ref: cards_pb2.DeckRef) -> DeckId:
    """Give a deck's id."""
    table(ref.table_id, "deck.table_id")
    return DeckId(ref.table_id, count(ref.deck_no, "deck.deck_no"))


def cause(ref: cards_pb2.StepRef) -> cards_pb2.StepRef:
    """Give a step's name, its numbers checked; whether it is stored is another question."""
    count(ref.table_seq, "cause.table_seq")
    count(ref.stream_seq, "cause.stream_seq")
    return ref


def count(number: int, field: str, least: int = 1) -> int:
    """Give a number that counts something."""
    if not least <= number <= _MAX_COUNT:
        raise invalid(f"a number from {least} to 2^53-1 is needed", field)
    return number


def seat(number: int) -> int:
    """Give a seat's number."""
    if not 1 <= number <= _MAX_SEAT:
        raise invalid("seats count from 1", "seat")
    return number


def text(value: str, field: str) -> str:
    """Give a reason for people."""
    if not 0 < len(value) <= _MAX_REASON_CHARS or not value.isprintable():
        raise invalid(f"1 to {_MAX_REASON_CHARS} printable characters are needed", field)
    return value


def places(messages: Iterable[cards_pb2.Place], field: str = "places") -> list[Place]:
    """Give the places asked for: 1 to 64 different ones."""
    found = [Place.of(message) for message in messages]
    if not 0 < len(found) <= MAX_PLACES:
        raise invalid(f"1 to {MAX_PLACES} places are needed", field)
    for index, place in enumerate(found):
        if not place.is_sound:
            raise invalid("not a place", f"{field}[{index}]")
    if len(set(found)) != len(found):
        raise invalid("a place is there twice", field)
    return found


def new_deck(request: dealing_pb2.CreateDeckRequest) -> None:
    """Check what an CreateDeckRequest asks for, beside the deck, the epoch and the cause."""
    if request.purpose not in KINDS_OF_PURPOSE:
        raise invalid("not a purpose of a deck", "purpose")
    if request.composition not in COMPOSITIONS:
        raise invalid("not a composition of a deck", "composition")
    if request.purpose == HAND:
        count(request.hand_no, "hand_no")
    elif request.hand_no:
        raise invalid("a draw belongs to no hand", "hand_no")
    _reshuffle(request)


def _reshuffle(request: dealing_pb2.CreateDeckRequest) -> None:
    if request.generation:
        count(request.generation, "generation")
        if request.purpose != HAND:
            raise invalid("only a hand's deck is shuffled again", "generation")
        places(request.reshuffled, "reshuffled")
    elif request.reshuffled:
        raise invalid("the first generation is the whole deck", "reshuffled")


def closing(request: dealing_pb2.CloseDeckRequest) -> None:
    """Check a CloseDeckRequest's outcome and reason."""
    if request.outcome == VOID:
        text(request.void_reason, "void_reason")
    elif request.outcome != SETTLED:
        raise invalid("a deck ends settled or void", "outcome")
    elif request.void_reason:
        raise invalid("a settled deck has no reason to be void", "void_reason")


def invalid(reason: str, field: str) -> FloorError:
    """Give the refusal of a field."""
    return FloorError(errors_pb2.ERROR_CODE_INVALID_FIELD, reason, field)
