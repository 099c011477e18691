"""From a request to a showdown, with the exact field of what cannot be true.

What is checked here is the message's own shape, so that the error names the field at fault. Whether
the hand really came to this showdown is for the log to say: see `justification`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Never

from pokerfloor.api.common.v1 import cards_pb2, errors_pb2, money_pb2
from pokerfloor.api.internal.showdown.v1 import resolution_pb2
from pokerfloor.cards import DECKS, UNKNOWN, CardError, from_wire
from pokerfloor.games import GameRow, HandSetup, ShowdownRequest, check_setup
from pokerfloor.limits import MAX_COUNT, TABLE_ID_RULE, is_table_id
from pokerfloor.servicekit import FloorError
from pokerfloor.tablelog import (
    LogError,
    StakeKind,
    from_amount,
    from_resolve_request,
    game_row,
    hand_setup,
    hand_stake_kind,
)

_MOST_PLACES: Final = 64  # of one RevealCardsRequest


def read_resolve_request(request: resolution_pb2.ResolveRequest) -> ShowdownRequest:
    """Return the showdown that a request asks for.

    Raises FloorError INVALID_FIELD, UNKNOWN_GAME or BAD_CARDS.
    """
    _check_names(request)
    row = _game(request)
    setup = _setup(request)
    _check_seats(request, setup)
    _check_seat_places(request, row)
    _check_revealed_cards(request, row)
    _check_amounts(request, setup.settings.smallest_chip_minor)
    try:
        return from_resolve_request(request)
    except LogError as error:
        _invalid(error.reason, error.field)


def _check_names(request: resolution_pb2.ResolveRequest) -> None:
    deck, cause, hand = request.deck, request.cause, request.began
    if not is_table_id(deck.table_id):
        _invalid(TABLE_ID_RULE, "deck.table_id")
    if not deck.deck_no:
        _invalid("decks count from 1", "deck.deck_no")
    for name, step in (("cause", cause), ("began_step", request.began_step)):
        if step.table_id != deck.table_id:
            _invalid(f"{name} is a step of another table", f"{name}.table_id")
        if not 1 <= step.table_seq <= MAX_COUNT:
            _invalid("steps count from 1", f"{name}.table_seq")
        if not 1 <= step.stream_seq <= MAX_COUNT:
            _invalid("stream sequences count from 1", f"{name}.stream_seq")
    if not hand.hand_no:
        _invalid("hands count from 1", "began.hand_no")
    if hand.deck_no != deck.deck_no:
        _invalid(f"the hand is played with deck {hand.deck_no}", "began.deck_no")
    if (request.hand.table_id, request.hand.hand_no) != (deck.table_id, hand.hand_no):
        _invalid(f"hand {hand.hand_no} of table {deck.table_id} is meant", "hand")


def _game(request: resolution_pb2.ResolveRequest) -> GameRow:
    try:
        return game_row(request.began.game)
    except LogError as error:
        field = f"began.{error.field}"
        raise FloorError(errors_pb2.ERROR_CODE_UNKNOWN_GAME, error.reason, field) from error


def _setup(request: resolution_pb2.ResolveRequest) -> HandSetup:
    """Return what the hand began with; its seats are a table's at most, each once."""
    try:
        setup = hand_setup(request.began)
    except LogError as error:
        _invalid(error.reason, f"began.{error.field}")
    refusals = check_setup(setup)
    if refusals:  # their fields are the engine's words, not this message's
        _invalid(refusals[0].reason, "began")
    return setup


def _check_seats(request: resolution_pb2.ResolveRequest, setup: HandSetup) -> None:
    if len(request.seats) < 2:
        _invalid("a showdown takes two seats or more", "seats")
    _check_subset(request.seats, [seat for seat, _ in setup.seats], "seats")


def _check_seat_places(request: resolution_pb2.ResolveRequest, row: GameRow) -> None:
    if sorted(entry.seat for entry in request.seat_places) != sorted(request.seats):
        _invalid("the places of each seat of `seats`, once", "seat_places")
    wanted = row.hole_cards() - _community_last(request, row)
    if wanted * len(request.seats) > _MOST_PLACES:
        _invalid(f"more than {_MOST_PLACES} places of seats", "seat_places")
    for index, entry in enumerate(request.seat_places):
        path = f"seat_places[{index}].places"
        if len(entry.places) != wanted:
            _invalid(f"{row.name} deals {wanted} cards to a seat, not {len(entry.places)}", path)
        # Where cards can be drawn or swapped, slots ascend with gaps.
        gaps = row.swaps() or row.draws_from(0)
        last = 0
        for nth, place in enumerate(entry.places):
            own = (place.kind, place.owner) == (cards_pb2.PLACE_KIND_SEAT, entry.seat)
            if not own or place.slot <= last or not (gaps or place.slot == last + 1):
                _invalid(f"not the next card of seat {entry.seat}", f"{path}[{nth}]")
            last = place.slot


def _community_last(request: resolution_pb2.ResolveRequest, row: GameRow) -> int:
    """Return 1 where a community card replaces the seats' last cards (STD-6), else 0."""
    community = cards_pb2.PLACE_KIND_COMMUNITY
    found = [one for one in request.revealed_cards if one.place.kind == community]
    return int(row.community_last and len(found) > 0)


def _check_revealed_cards(request: resolution_pb2.ResolveRequest, row: GameRow) -> None:
    shared = row.community_cards() + _community_last(request, row)
    due = {_key(place) for place in _board_places(row, shared)}
    may_be_public = {_key(place) for entry in request.seat_places for place in entry.places} | due
    places: set[tuple[int, int, int]] = set()
    faces: set[int] = set()
    for index, placed in enumerate(request.revealed_cards):
        path, key = f"revealed_cards[{index}]", _key(placed.place)
        if key not in may_be_public or key in places:
            _invalid("no place of this showdown, or one that came before", f"{path}.place")
        places.add(key)
        _check_face(placed.card.code, faces, row, f"{path}.card")
        faces.add(placed.card.code)
    if not due <= places:
        wanted = f"{row.boards} board(s) of {row.board_cards()} cards, {shared} community cards"
        _invalid(f"{row.name} has {wanted} at the showdown", "revealed_cards")


def _check_face(code: int, faces: set[int], row: GameRow, field: str) -> None:
    try:
        card = from_wire(code)
    except CardError:
        card = UNKNOWN
    if card not in DECKS[row.deck] or code in faces:
        reason = "a card that is not in the deck, or came before"
        raise FloorError(errors_pb2.ERROR_CODE_BAD_CARDS, reason, field)


def _check_amounts(request: resolution_pb2.ResolveRequest, chip: int) -> None:
    """Check pots and contributions one by one; the codec checks their sums and the rake."""
    kind = hand_stake_kind(request.began)
    if not 1 <= len(request.pots) <= len(request.began.seats):
        _invalid("one pot or more, at most as many as seats", "pots")
    for index, pot in enumerate(request.pots):
        path = f"pots[{index}]"
        if pot.pot_no != index:
            _invalid("pots are numbered from 0, main pot first", f"{path}.pot_no")
        amount = _amount(pot.amount, kind, f"{path}.amount")
        if amount <= 0 or amount % chip:
            _invalid(f"{amount} is no pot in chips of {chip}", f"{path}.amount")
        if not pot.seats:
            _invalid("a pot that nobody can win", f"{path}.seats")
        _check_subset(pot.seats, request.seats, f"{path}.seats")
    for index, share in enumerate(request.contributions):
        path = f"contributions[{index}].amount"
        if _amount(share.amount, kind, path) < 0:
            _invalid("a contribution below zero", path)
    _amount(request.rake, kind, "rake")


def _amount(amount: money_pb2.Amount, kind: StakeKind, field: str) -> int:
    try:
        return from_amount(amount, kind, field)
    except LogError as error:
        _invalid(error.reason, error.field)


def _check_subset(seats: Sequence[int], among: Sequence[int], path: str) -> None:
    for index, seat in enumerate(seats):
        if seat not in among:
            _invalid(f"seat {seat} is not in this showdown", f"{path}[{index}]")
        if seat in seats[:index]:
            _invalid(f"seat {seat} twice", f"{path}[{index}]")


def _board_places(row: GameRow, shared: int) -> Iterator[cards_pb2.Place]:
    for slot in range(1, shared + 1):
        yield cards_pb2.Place(kind=cards_pb2.PLACE_KIND_COMMUNITY, owner=0, slot=slot)
    for board in range(row.boards):
        for slot in range(1, row.board_cards() + 1):
            yield cards_pb2.Place(kind=cards_pb2.PLACE_KIND_BOARD, owner=board, slot=slot)


def _key(place: cards_pb2.Place) -> tuple[int, int, int]:
    return place.kind, place.owner, place.slot


def _invalid(reason: str, field: str) -> Never:
    raise FloorError(errors_pb2.ERROR_CODE_INVALID_FIELD, reason, field)
