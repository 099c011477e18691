"""How decks come and go, and requests that are no requests."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import grpc
import pytest
import pytest_asyncio

from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.common.v1 import errors_pb2 as codes
from pokerfloor.api.events.v1.table_events_pb2 import KEY_REASON_UNSPECIFIED
from pokerfloor.api.internal.shuffler.v1 import dealing_pb2
from pokerfloor.api.shuffler.v1 import shuffler_pb2
from tests.support.shuffler import made_steps as made
from tests.support.shuffler.shuffler_floor import (
    Floor,
    Table,
    dealt_hand,
    denied,
    floor_of_one,
    refused,
)

pytestmark = [pytest.mark.integration, pytest.mark.asyncio(loop_scope="module")]

DENIED = grpc.StatusCode.PERMISSION_DENIED
PRECONDITION = grpc.StatusCode.FAILED_PRECONDITION
INVALID = grpc.StatusCode.INVALID_ARGUMENT


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def floor(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Floor]:
    async with floor_of_one(tmp_path_factory.mktemp("deck-life")) as running:
        yield running


async def test_deck_numbers_have_no_gaps(floor: Floor) -> None:
    table = floor.table()
    alice, bob = floor.player("alice"), floor.player("bob")
    table.deck_no = 1  # the first is number 2: refused
    table.hand_no += 1
    cause = await table.write(made.hand_began(1, 2, {1: "alice", 2: "bob"}))
    table.deck_no = 2
    error, status = await refused(table.stub.CreateDeck(table.open_request(cause)))
    assert (error.code, status) == (codes.ERROR_CODE_DECK_NUMBER_GAP, PRECONDITION)

    table = floor.table()
    await table.open_hand(alice, bob)
    table.hand_no, table.deck_no = 2, 2
    cause = await table.write(made.hand_began(2, 2, {1: "alice", 2: "bob"}))
    error, status = await refused(table.stub.CreateDeck(table.open_request(cause)))
    assert (error.code, status) == (codes.ERROR_CODE_WRONG_DECK_STATE, PRECONDITION)
    assert await table.kinds() == ["deck_created", "deck_committed"]


async def test_the_end_of_a_deck_is_found_in_the_log(floor: Floor) -> None:
    """A table that stopped before CloseDeck: the next CreateDeck ends what the log has ended."""
    table, alice, bob = await dealt_hand(floor)
    await table.end()
    await table.open_hand(alice, bob)
    await table.write(made.voided(2))
    await table.open_hand(alice, bob)
    closed = [e.deck_closed for e in await table.events() if e.HasField("deck_closed")]
    assert [(e.deck.deck_no, e.outcome, e.void_reason) for e in closed] == [
        (1, shuffler_pb2.DECK_STATE_SETTLED, ""),
        (2, shuffler_pb2.DECK_STATE_VOID, "the floor burned down"),
    ]
    assert closed[0].cause.table_seq < closed[1].cause.table_seq


async def test_hands_that_were_voided_before_their_deck_was_made(floor: Floor) -> None:
    table = floor.table()
    alice, bob = floor.player("alice"), floor.player("bob")
    for number in (1, 2):
        table.hand_no = table.deck_no = number
        await table.write(made.hand_began(number, number, {1: "alice", 2: "bob"}))
        await table.write(made.voided(number))
    # The end of one is told by the table, that of the other is found in the log.
    table.deck_no = 1
    closing = table.close_request(table.steps[1], shuffler_pb2.DECK_STATE_VOID, "no shuffler")
    await table.stub.CloseDeck(closing)
    await table.stub.CloseDeck(closing)
    table.deck_no = 2
    await table.open_hand(alice, bob)
    never_made = ["deck_created", "deck_closed"]
    assert await table.kinds() == [*never_made * 2, "deck_created", "deck_committed"]
    public = await table.stub.GetDeck(
        shuffler_pb2.GetDeckRequest(deck=cards_pb2.DeckRef(table_id=table.table_id, deck_no=2))
    )
    assert public.state == shuffler_pb2.DECK_STATE_VOID
    assert not public.roots
    for ref in (1, 2):
        table.deck_no = ref
        error, _ = await refused(table.stub.CommitDeck(table.seal_request()))
        assert error.code == codes.ERROR_CODE_WRONG_DECK_STATE


async def test_a_draw_that_comes_to_nothing(floor: Floor) -> None:
    table = floor.table()
    table.deck_no = 1
    first = await table.write(made.draw_began(1, 1, 2))
    draw = {"purpose": shuffler_pb2.DECK_PURPOSE_BUTTON_DRAW}
    await table.stub.CreateDeck(table.open_request(first, **draw))
    # The step that began it does not end it.
    closing = table.close_request(first, shuffler_pb2.DECK_STATE_VOID, "a better button")
    await denied(table, table.stub.CloseDeck(closing), codes.ERROR_CODE_NOT_JUSTIFIED)
    table.deck_no = 2
    second = await table.write(made.draw_began(2, 1, 3))
    await table.stub.CreateDeck(table.open_request(second, **draw))
    closed = [e.deck_closed for e in await table.events() if e.HasField("deck_closed")]
    assert [(e.deck.deck_no, e.void_reason) for e in closed] == [(1, "another draw began")]


async def test_openings_of_decks_that_differ(floor: Floor) -> None:
    table = floor.table()
    alice, bob = floor.player("alice"), floor.player("bob")
    await table.open_hand(alice, bob)
    cause = table.steps[-1]
    short = cards_pb2.DECK_COMPOSITION_SHORT_36
    error, status = await refused(
        table.stub.CreateDeck(table.open_request(cause, composition=short))
    )
    assert (error.code, status) == (
        codes.ERROR_CODE_ID_REUSED,
        grpc.StatusCode.ALREADY_EXISTS,
    )
    table.hand_no, table.deck_no = 2, 2
    for events in ([], [made.hand_began(2, 3, {})], [made.hand_began(3, 2, {})]):
        wrong = await table.write(*events)
        error, status = await refused(table.stub.CreateDeck(table.open_request(wrong)))
        assert (error.code, status) == (codes.ERROR_CODE_NOT_JUSTIFIED, DENIED)


async def test_a_settled_deck_must_have_been_committed(floor: Floor) -> None:
    table = floor.table()
    await table.open_hand(floor.player("a"), floor.player("b"), seal=False)
    error, _ = await refused(table.stub.CloseDeck(table.close_request(await table.end())))
    assert error.code == codes.ERROR_CODE_WRONG_DECK_STATE


def _bad_requests(table: Table) -> list[tuple[str, Any, str]]:
    """Each call with a request that is wrong in one field, and the field's path."""
    cause = table.steps[-1]
    board = made.board(1)
    good = {
        "CreateDeck": table.open_request(cause),
        "CommitDeck": table.seal_request(),
        "DealCards": table.deal_request(cause),
        "ResealCards": table.reseal_request(1),
        "RevealCards": table.cards_request(cause, board),
        "CloseDeck": table.close_request(cause),
        "GetDeck": shuffler_pb2.GetDeckRequest(deck=table.deck),
    }
    found: list[tuple[str, Any, str]] = []

    def but(call: str, field: str, change: Callable[[Any], object]) -> None:
        request = type(good[call])()
        request.CopyFrom(good[call])
        change(request)
        found.append((call, request, field))

    for call in good:
        but(call, "deck.table_id", lambda r: r.ClearField("deck"))
        but(call, "deck.table_id", lambda r: setattr(r.deck, "table_id", "*.>"))
        but(call, "deck.deck_no", lambda r: setattr(r.deck, "deck_no", 0))
        but(call, "deck.deck_no", lambda r: setattr(r.deck, "deck_no", (1 << 64) - 1))
    for call in ("CreateDeck", "DealCards", "RevealCards", "CloseDeck"):
        but(call, "cause.table_seq", lambda r: r.ClearField("cause"))
        but(call, "cause.stream_seq", lambda r: setattr(r.cause, "stream_seq", 1 << 63))
    but("CreateDeck", "hand_no", lambda r: setattr(r, "hand_no", 0))
    but("CreateDeck", "purpose", lambda r: setattr(r, "purpose", 77))
    but("CreateDeck", "composition", lambda r: setattr(r, "composition", 0))
    draw = shuffler_pb2.DECK_PURPOSE_BUTTON_DRAW
    but("CreateDeck", "hand_no", lambda r: setattr(r, "purpose", draw))
    but("ResealCards", "seat", lambda r: setattr(r, "seat", 0))
    but("ResealCards", "seat", lambda r: setattr(r, "seat", (1 << 32) - 1))
    but("RevealCards", "places", lambda r: r.ClearField("places"))
    but("RevealCards", "places", lambda r: r.places.append(r.places[0]))
    but(
        "RevealCards",
        "places",
        lambda r: r.places.extend(p.message() for p in made.board(*range(2, 70))),
    )
    but("RevealCards", "places[0]", lambda r: setattr(r.places[0], "slot", 0))
    but("RevealCards", "places[0]", lambda r: setattr(r.places[0], "owner", 1 << 20))
    but("RevealCards", "places[0]", lambda r: setattr(r.places[0], "kind", 77))
    but("CloseDeck", "outcome", lambda r: setattr(r, "outcome", shuffler_pb2.DECK_STATE_CREATED))
    but("CloseDeck", "void_reason", lambda r: setattr(r, "void_reason", "why?"))
    but("CloseDeck", "void_reason", lambda r: setattr(r, "outcome", shuffler_pb2.DECK_STATE_VOID))
    return found


async def test_fields_out_of_range(floor: Floor) -> None:
    table, alice, _ = await dealt_hand(floor)
    before = await table.kinds()
    for call, request, field in _bad_requests(table):
        error, status = await refused(getattr(table.stub, call)(request))
        assert (error.code, status) == (codes.ERROR_CODE_INVALID_FIELD, INVALID), (call, request)
        assert error.field == field, (call, request)
    key = table.key_request(1, alice, table.steps[0])
    key.reason = KEY_REASON_UNSPECIFIED
    error, _ = await refused(table.stub.RegisterSeatKey(key))
    assert (error.code, error.field) == (codes.ERROR_CODE_INVALID_FIELD, "reason")
    for reason in ("", "a" * 201, "line\nbreak"):
        reading = shuffler_pb2.ReadDeckRecordRequest(deck=table.deck, reason=reason)
        error, _ = await refused(floor.auditor().ReadDeckRecord(reading))
        assert (error.code, error.field) == (codes.ERROR_CODE_INVALID_FIELD, "reason")
    assert await table.kinds() == before


CALLS = [
    f"{service.full_name}/{method.name}"
    for service in (
        shuffler_pb2.DESCRIPTOR.services_by_name["ShufflerService"],
        dealing_pb2.DESCRIPTOR.services_by_name["DealingService"],
    )
    for method in service.methods
]


@pytest.mark.parametrize("call", CALLS)
async def test_bytes_that_are_no_request(floor: Floor, call: str) -> None:
    """Garbage, too much, no token, a player's token: for each call."""
    auditor = call.endswith("/ReadDeckRecord")
    token = (
        floor.identities.token("anna", "auditor")
        if auditor
        else floor.identities.service_token("table")
    )
    async with grpc.aio.insecure_channel(floor.shuffler.address) as channel:
        method: Any = channel.unary_unary(f"/{call}")

        def send(data: bytes, bearer: str) -> Awaitable[bytes]:
            metadata = (("authorization", f"Bearer {bearer}"),) if bearer else ()
            answer: Awaitable[bytes] = method(data, metadata=metadata, timeout=10)
            return answer

        error, status = await refused(send(b"\xff" * 50, token))
        assert (error.code, status) == (codes.ERROR_CODE_MALFORMED_MESSAGE, INVALID)
        error, status = await refused(send(b"\x00" * 300_000, token))
        assert status == grpc.StatusCode.RESOURCE_EXHAUSTED
        assert error.code == codes.ERROR_CODE_MESSAGE_TOO_LARGE
        error, status = await refused(send(b"", ""))
        assert (error.code, status) == (
            codes.ERROR_CODE_TOKEN_MISSING,
            grpc.StatusCode.UNAUTHENTICATED,
        )
        player = floor.identities.token("alice", "player")
        error, status = await refused(send(b"", player))
        assert (error.code, status) == (codes.ERROR_CODE_ROLE_NOT_ALLOWED, DENIED)
        error, status = await refused(send(b"", token))
        assert error.code == codes.ERROR_CODE_INVALID_FIELD
