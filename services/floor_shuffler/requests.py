"""What a request must be made of before anything is looked up. All raise FloorError."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from floor_shuffler.domain.deck import COMPOSITIONS, KINDS_OF_PURPOSE, SETTLED, VOID, DeckSpec
from floor_shuffler.domain.refs import Place
from floor_shuffler.domain.steps import HAND
from pokerfloor.api.common.v1 import cards_pb2, errors_pb2
from pokerfloor.api.common.v1.identity_pb2 import ROLE_PLAYER
from pokerfloor.api.events.v1.table_events_pb2 import (
    KEY_REASON_RETURNED,
    KEY_REASON_SEATED,
    KeyReason,
)
from pokerfloor.api.internal.shuffler.v1 import dealing_pb2
from pokerfloor.fairness import DeckId, FairnessError, check_public_key
from pokerfloor.limits import MAX_COUNT, MAX_REASON_CHARS, TABLE_ID_RULE, is_reason, is_table_id
from pokerfloor.servicekit import FloorError, KeySet

MAX_PLACES: Final = 64
_KEY_REASONS: Final = (KEY_REASON_SEATED, KEY_REASON_RETURNED)
_MAX_SEAT: Final = (1 << 16) - 1
_TOKEN: Final = "player_token"  # noqa: S105 - the name of a field


class PlayerKey(NamedTuple):
    """A player, and the sealing key in the player's own token."""

    player_id: str
    key: bytes


def read_table_id(table_id: str, field: str) -> str:
    """Read a table's id."""
    if not is_table_id(table_id):
        raise _invalid(TABLE_ID_RULE, field)
    return table_id


def read_deck(ref: cards_pb2.DeckRef) -> DeckId:
    """Read a deck's id."""
    table_id = read_table_id(ref.table_id, "deck.table_id")
    return DeckId(table_id, _count(ref.deck_no, "deck.deck_no"))


def read_cause(ref: cards_pb2.StepRef) -> cards_pb2.StepRef:
    """Read a step's name; whether it is stored is another question."""
    _count(ref.table_seq, "cause.table_seq")
    _count(ref.stream_seq, "cause.stream_seq")
    return ref


def read_seat(seat: int) -> int:
    """Read a seat's number."""
    if not 1 <= seat <= _MAX_SEAT:
        raise _invalid("seats count from 1", "seat")
    return seat


def read_reason(reason: str, field: str) -> str:
    """Read a reason for people."""
    if not reason or not is_reason(reason):
        raise _invalid(f"1 to {MAX_REASON_CHARS} printable characters are needed", field)
    return reason


def read_places(messages: Iterable[cards_pb2.Place], field: str) -> tuple[Place, ...]:
    """Read the places asked for: 1 to 64 different ones."""
    places = tuple([Place.of(message) for message in messages])
    if not 0 < len(places) <= MAX_PLACES:
        raise _invalid(f"1 to {MAX_PLACES} places are needed", field)
    for index, place in enumerate(places):
        if not place.is_sound:
            raise _invalid("not a place", f"{field}[{index}]")
    if len(set(places)) != len(places):
        raise _invalid("a place is there twice", field)
    return places


def read_spec(request: dealing_pb2.CreateDeckRequest) -> DeckSpec:
    """Read which deck is asked for."""
    if request.purpose not in KINDS_OF_PURPOSE:
        raise _invalid("not a purpose of a deck", "purpose")
    if request.composition not in COMPOSITIONS:
        raise _invalid("not a composition of a deck", "composition")
    if request.purpose == HAND:
        _count(request.hand_no, "hand_no")
    elif request.hand_no:
        raise _invalid("a draw belongs to no hand", "hand_no")
    return DeckSpec(request.hand_no, request.purpose, request.composition)


def read_reshuffled(request: dealing_pb2.CreateDeckRequest) -> tuple[Place, ...]:
    """Read the places that a later generation is made of, none for a new deck."""
    if request.generation:
        _count(request.generation, "generation")
        if request.purpose != HAND:
            raise _invalid("only a hand's deck is shuffled again", "generation")
        return read_places(request.reshuffled, "reshuffled")
    if request.reshuffled:
        raise _invalid("the first generation is the whole deck", "reshuffled")
    return ()


def check_outcome(request: dealing_pb2.CloseDeckRequest) -> None:
    """Check how a deck is to end, and that a void one has a reason."""
    if request.outcome == VOID:
        read_reason(request.void_reason, "void_reason")
    elif request.outcome != SETTLED:
        raise _invalid("a deck ends settled or void", "outcome")
    elif request.void_reason:
        raise _invalid("a settled deck has no reason to be void", "void_reason")


def read_key_reason(reason: KeyReason.ValueType) -> KeyReason.ValueType:
    """Read why a key is registered."""
    if reason not in _KEY_REASONS:
        raise _invalid("it is SEATED or RETURNED", "reason")
    return reason


def read_player_key(token: str, keys: KeySet, now_s: float) -> PlayerKey:
    """Read a player's own token: it proves the player, and binds the key."""
    try:
        player = keys.verify(token, now_s)
    except FloorError as error:
        raise FloorError(error.code, f"the player's token: {error.reason}", _TOKEN) from error
    if not player.has_role(ROLE_PLAYER):
        reason = "the token is not a player's"
        raise FloorError(errors_pb2.ERROR_CODE_ROLE_NOT_ALLOWED, reason, _TOKEN)
    if player.seal_key is None:
        reason = "the token carries no sealing key"
        raise FloorError(errors_pb2.ERROR_CODE_SEAL_KEY_MISSING, reason, _TOKEN)
    try:
        check_public_key(player.seal_key)
    except FairnessError as error:
        raise _invalid(error.reason, _TOKEN) from error
    return PlayerKey(player.subject, player.seal_key)


def _count(number: int, field: str) -> int:
    if not 1 <= number <= MAX_COUNT:
        raise _invalid("a number from 1 to 2^53-1 is needed", field)
    return number


def _invalid(reason: str, field: str) -> FloorError:
    return FloorError(errors_pb2.ERROR_CODE_INVALID_FIELD, reason, field)
