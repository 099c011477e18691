"""What the shuffler refuses: each gets its code, changes nothing, and leaves a trace."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Awaitable
from typing import Any

import grpc
import pytest
import pytest_asyncio

from floor_shuffler.domain.refs import Place
from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.common.v1 import errors_pb2 as codes
from pokerfloor.api.common.v1.identity_pb2 import ROLE_PLAYER
from pokerfloor.api.events.v1 import hand_events_pb2 as hand_pb2
from pokerfloor.api.shuffler.v1 import shuffler_pb2
from pokerfloor.servicekit import error_name
from tests.support import dev_identities
from tests.support.shuffler import made_steps as made
from tests.support.shuffler.shuffler_floor import (
    Floor,
    Table,
    dealt_hand,
    denied,
    floor_of_one,
    last_refusal,
    refused,
)

pytestmark = [pytest.mark.integration, pytest.mark.asyncio(loop_scope="module")]

DENIED = grpc.StatusCode.PERMISSION_DENIED
PRECONDITION = grpc.StatusCode.FAILED_PRECONDITION
INVALID = grpc.StatusCode.INVALID_ARGUMENT


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def floor(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Floor]:
    async with floor_of_one(tmp_path_factory.mktemp("refusals")) as running:
        yield running


async def test_the_table_asks_for_a_hole_card_before_the_showdown(floor: Floor) -> None:
    table, _, _ = await dealt_hand(floor)
    hole = [made.own(1, 1)]
    # The dealing step justifies the deal and no opening.
    request = table.cards_request(table.steps[-1], hole)
    event = await denied(table, table.stub.RevealCards(request), codes.ERROR_CODE_NOT_JUSTIFIED)
    assert event.asked_by == "service:table"
    assert list(event.places) == list(request.places)
    assert event.deck == table.deck
    assert event.cause == table.steps[-1]
    assert (event.call, event.error.code) == ("RevealCards", codes.ERROR_CODE_NOT_JUSTIFIED)
    # A board card that is due justifies no hole card.
    cause, board = await table.flop(2)
    for asked in (hole, [*board, *hole]):
        request = table.cards_request(cause, asked)
        await denied(table, table.stub.RevealCards(request), codes.ERROR_CODE_NOT_JUSTIFIED)


async def test_the_table_asks_for_the_hands_of_a_showdown(floor: Floor) -> None:
    table, _, _ = await dealt_hand(floor)
    cause, places = await table.showdown(1, 2)
    request = table.cards_request(cause, places)
    await denied(table, table.stub.RevealCards(request), codes.ERROR_CODE_NOT_JUSTIFIED)
    for name in ("showdown", "scoring"):
        request = table.cards_request(cause, [made.own(1, 3)], epoch=0)
        call = floor.service(name).RevealCards(request)
        event = await denied(table, call, codes.ERROR_CODE_NOT_JUSTIFIED)
        assert event.asked_by == f"service:{name}"


REASONS = sorted(set(hand_pb2.RevealReason.values()) - {0})
KINDS = {
    "own": made.own(1, 1),
    "board": made.board(1)[0],
    "burn": made.burn(1),
    "mid": Place(cards_pb2.PLACE_KIND_COMMUNITY, 0, 1),
}
MAY_OPEN = {
    ("table", "BOARD"): {"board", "mid"},
    ("table", "ALL_IN"): {"own"},
    ("showdown", "SHOWDOWN"): {"own"},
    ("table", "UP_CARD"): {"own", "mid"},
    ("table", "OWNER_SHOWS"): {"own"},
    ("table", "PLACEMENT"): {"own"},
    ("scoring", "SCORING"): {"own"},
}


async def test_who_may_open_what_for_which_reason(floor: Floor) -> None:
    """The whole table of askers, reasons and kinds of places."""
    table = floor.table()
    alice, bob = floor.player("alice"), floor.player("bob")
    await table.open_hand(alice, bob)
    await table.write(made.dealt(KINDS.values(), 0))
    stubs = {name: floor.service(name) for name in ("table", "showdown", "scoring")}
    for reason in REASONS:
        due = made.due(reason, KINDS.values())
        cause = await table.write(made.laid_out(1, 1), due, sender="alice")
        name = hand_pb2.RevealReason.Name(reason).removeprefix("REVEAL_REASON_")
        for asker, (kind, place) in itertools.product(stubs, KINDS.items()):
            epoch = 1 if asker == "table" else 0
            call = stubs[asker].RevealCards(table.cards_request(cause, [place], epoch))
            if kind in MAY_OPEN.get((asker, name), ()):
                assert len((await call).cards) == 1
            else:
                error, status = await refused(call)
                assert (error.code, status) == (codes.ERROR_CODE_NOT_JUSTIFIED, DENIED)
                assert (await last_refusal(table)).asked_by == f"service:{asker}"


@pytest.mark.parametrize("kind", ["cards_revealed", "elsewhere"])
async def test_no_card_is_told_under_an_event_that_somebody_else_wrote(
    floor: Floor, kind: str
) -> None:
    """A process with the broker's password writes in advance what the shuffler will write."""
    rehearsal, _, _ = await dealt_hand(floor)
    hand = made.hole_cards(1, 2)
    due = made.due(hand_pb2.REVEAL_REASON_ALL_IN, hand)
    cause = await rehearsal.write(due)
    await rehearsal.stub.RevealCards(rehearsal.cards_request(cause, hand))
    event_id = (await rehearsal.events())[-1].event_id

    victim, _, _ = await dealt_hand(floor)
    cause = await victim.write(due)
    await floor.nats.append(
        f"floor.shuffler.{victim.table_id}.{kind}",
        b"nothing to see here",
        expected_last_seq=0,
        msg_id=event_id.replace(rehearsal.table_id, victim.table_id),
    )
    error, _ = await refused(victim.stub.RevealCards(victim.cards_request(cause, hand)))
    assert (error.code, error.reason) == (
        codes.ERROR_CODE_UNAVAILABLE,
        "somebody else writes to the shuffler's stream",
    )


@pytest.mark.rule("SHW-3")
async def test_only_the_owners_command_shows_a_card(floor: Floor) -> None:
    table, _, _ = await dealt_hand(floor)
    shows, mine = hand_pb2.REVEAL_REASON_OWNER_SHOWS, [made.own(1, 2)]
    for sender in ("", "bob", "service:table"):
        cause = await table.write(made.due(shows, mine), sender=sender)
        call = table.stub.RevealCards(table.cards_request(cause, mine))
        event = await denied(table, call, codes.ERROR_CODE_NOT_JUSTIFIED)
        assert "only its owner's command shows a card" in event.error.reason
    cause = await table.write(made.due(shows, mine), sender="alice")
    assert len((await table.stub.RevealCards(table.cards_request(cause, mine))).cards) == 1


async def test_the_cards_of_a_seat_that_folded_stay_down(floor: Floor) -> None:
    """Whatever a later step of the same hand says is due."""
    table, alice, bob = await dealt_hand(floor)
    hands = made.hole_cards(1, 2)
    early = await table.write(made.due(hand_pb2.REVEAL_REASON_ALL_IN, hands))
    await table.write(made.folded(2))
    all_in = await table.write(made.due(hand_pb2.REVEAL_REASON_ALL_IN, hands))
    shows = await table.write(
        made.due(hand_pb2.REVEAL_REASON_OWNER_SHOWS, [made.own(2, 1)]), sender="bob"
    )
    showdown, _ = await table.showdown(1, 2)
    askers = {
        "table": ((all_in, hands), (shows, [made.own(2, 1)])),
        "showdown": ((showdown, hands),),
    }
    for name, asked in askers.items():
        for cause, places in asked:
            request = table.cards_request(cause, places, epoch=1 if name == "table" else 0)
            call = floor.service(name).RevealCards(request)
            event = await denied(table, call, codes.ERROR_CODE_NOT_JUSTIFIED)
            assert "a seat that is asked for has folded" in event.error.reason
    # What was due before the fold is opened.
    await table.stub.RevealCards(table.cards_request(early, hands))
    # The next hand begins with everybody in it.
    await table.stub.CloseDeck(table.close_request(await table.end()))
    await table.open_hand(alice, bob)
    await table.stub.DealCards(table.deal_request(await table.deal(alice, bob)))
    again = await table.write(made.due(hand_pb2.REVEAL_REASON_ALL_IN, hands))
    assert len((await table.stub.RevealCards(table.cards_request(again, hands))).cards) == 4


async def test_the_cards_of_a_hand_that_is_over_stay_down(floor: Floor) -> None:
    """Also those of its winner, whom nobody called."""
    three = [floor.player(name) for name in ("alice", "bob", "carol")]

    async def asks(*events: made.Event) -> Awaitable[object]:
        cause = await table.write(*events, made.due(hand_pb2.REVEAL_REASON_ALL_IN, mine))
        return table.stub.RevealCards(table.cards_request(cause, mine))

    mine = made.hole_cards(1)
    for ending in ([made.folded(2), made.folded(3)], [made.ended(1)], [made.voided(1)]):
        table = floor.table()
        await table.open_hand(*three)
        await table.stub.DealCards(table.deal_request(await table.deal(*three)))
        for event in ending:
            await table.write(event)
        refusal = await denied(table, await asks(), codes.ERROR_CODE_NOT_JUSTIFIED)
        assert "the hand is over" in refusal.error.reason
    # The last fold may stand in the very step; while two are in, their hands are opened.
    table = floor.table()
    await table.open_hand(*three)
    await table.stub.DealCards(table.deal_request(await table.deal(*three)))
    await (await asks(made.folded(2)))
    await denied(table, await asks(made.folded(3)), codes.ERROR_CODE_NOT_JUSTIFIED)


async def test_causes_that_are_not_there(floor: Floor) -> None:
    table, alice, bob = await dealt_hand(floor)
    cause, board = await table.flop(2)
    other = floor.table()
    await other.open_hand(alice, bob)
    await other.deal(alice, bob)
    foreign, _ = await other.flop(2)

    def asks(**changes: Any) -> Awaitable[object]:
        named = cards_pb2.StepRef()
        named.CopyFrom(cause)
        for name, value in changes.items():
            setattr(named, name, value)
        return table.stub.RevealCards(table.cards_request(named, board))

    not_found = codes.ERROR_CODE_CAUSE_NOT_FOUND
    await denied(table, asks(table_seq=cause.table_seq + 1), not_found)
    await denied(table, asks(stream_seq=cause.stream_seq - 1), not_found)
    await denied(table, asks(stream_seq=1 << 40), not_found)
    await denied(table, asks(table_id=other.table_id), not_found)
    # A real step of another table, named as one of this table's, and as what it is.
    foreign_numbers = {"table_seq": foreign.table_seq, "stream_seq": foreign.stream_seq}
    await denied(table, asks(**foreign_numbers), not_found)
    await denied(table, asks(**foreign_numbers, table_id=other.table_id), not_found)
    await table.stub.RevealCards(table.cards_request(cause, board))


async def test_a_step_that_lies_about_its_table(floor: Floor) -> None:
    """Bytes on this table's subject that name another table, or are no step at all."""
    table, _, _ = await dealt_hand(floor)
    board = made.board(1)
    events = [made.dealt(board, 4), made.due(hand_pb2.REVEAL_REASON_BOARD, board)]
    step = made.step("another", len(table.steps) + 1, events, hand_no=1)
    liar = await table.store(step)
    call = table.stub.RevealCards(table.cards_request(liar, board))
    await denied(table, call, codes.ERROR_CODE_CAUSE_NOT_FOUND)


async def test_a_step_of_another_hand(floor: Floor) -> None:
    table, alice, bob = await dealt_hand(floor)
    old, board = await table.flop(2)
    await table.stub.RevealCards(table.cards_request(old, board))
    await table.stub.CloseDeck(table.close_request(await table.end()))
    await table.open_hand(alice, bob)
    not_justified = codes.ERROR_CODE_NOT_JUSTIFIED
    await denied(table, table.stub.RevealCards(table.cards_request(old, board)), not_justified)
    await denied(table, table.stub.DealCards(table.deal_request(old)), not_justified)
    for hand_no in (0, 1, 3):
        places = made.hole_cards(1, 2)
        wrong = await table.write(made.dealt(places, 0), hand_no=hand_no)
        await denied(table, table.stub.DealCards(table.deal_request(wrong)), not_justified)


async def test_places_that_were_not_dealt(floor: Floor) -> None:
    table, _, _ = await dealt_hand(floor)
    turn = made.board(4)
    cause = await table.write(made.due(hand_pb2.REVEAL_REASON_BOARD, turn))
    call = table.stub.RevealCards(table.cards_request(cause, turn))
    await denied(table, call, codes.ERROR_CODE_NOT_JUSTIFIED)


@pytest.mark.parametrize(
    ("places", "first", "generation"),
    [
        (made.board(1, 2), 3, 0),  # an index again
        (made.board(1, 2), 5, 0),  # an index left out
        (made.board(1, 1), 4, 0),  # a place twice
        ([made.own(1, 1)], 4, 0),  # a place that has a card
        ([made.own(3, 1)], 4, 0),  # a seat that is not dealt in
        ([Place(made.DRAW, 1, 1)], 4, 0),  # no place of a hand
        ([Place(9, 1, 1)], 4, 0),  # type: ignore[arg-type]  # no kind of place
        (made.board(*range(1, 60)), 4, 0),  # more cards than the deck has
        (made.board(1), 0, 1),  # a generation that is not there
    ],
)
async def test_deals_that_do_not_add_up(
    floor: Floor, places: list[Place], first: int, generation: int
) -> None:
    table, _, _ = await dealt_hand(floor)
    due = [place for place in places if place.kind in (made.BOARD, made.OWN)][:1]
    cause = await table.write(
        made.dealt(places, first, generation), made.due(hand_pb2.REVEAL_REASON_BOARD, due)
    )
    call = table.stub.DealCards(table.deal_request(cause))
    await denied(table, call, codes.ERROR_CODE_NOT_JUSTIFIED)
    asked = due or made.board(1)
    await denied(
        table,
        table.stub.RevealCards(table.cards_request(cause, asked)),
        codes.ERROR_CODE_NOT_JUSTIFIED,
    )


async def test_of_two_steps_that_deal_differently_the_first_counts(floor: Floor) -> None:
    """Whichever of them the table names, and whether or not one was asked for before."""
    not_justified = codes.ERROR_CODE_NOT_JUSTIFIED
    for ask_before in (False, True):
        table = floor.table()
        alice, bob = floor.player("alice"), floor.player("bob")
        await table.seat(alice, bob)
        await table.open_hand(alice, bob)
        first = await table.deal(alice, bob)
        if ask_before:
            await table.stub.DealCards(table.deal_request(first))
        else:
            await table.write()
        swapped = await table.write(made.dealt(made.hole_cards(2, 1), 0))
        await denied_keeping_the_deal(table, table.stub.DealCards(table.deal_request(swapped)))
        flop = made.board(1, 2, 3)
        cause = await table.write(made.dealt(flop, 0), made.due(hand_pb2.REVEAL_REASON_BOARD, flop))
        error, _ = await refused(table.stub.RevealCards(table.cards_request(cause, flop)))
        assert error.code == not_justified
        answer = await table.stub.DealCards(table.deal_request(first))
        boxes = {each.seat: each.boxes for each in answer.seats}
        assert [alice.open(box).index for box in boxes[1]] == [0, 2]
        assert [bob.open(box).index for box in boxes[2]] == [1, 3]


async def denied_keeping_the_deal(table: Table, call: Awaitable[object]) -> None:
    """The call is refused; what the log dealt first may have come to the stream before."""
    error, _ = await refused(call)
    assert error.code == codes.ERROR_CODE_NOT_JUSTIFIED
    dealt = [event.cards_dealt for event in await table.events() if event.HasField("cards_dealt")]
    assert [each.deck_index.index for event in dealt for each in event.dealt] == [0, 1, 2, 3]
    places = [(each.place.owner, each.place.slot) for event in dealt for each in event.dealt]
    assert places == [(1, 1), (2, 1), (1, 2), (2, 2)]
    assert (await table.kinds())[-1] == "reveal_refused"


async def test_stale_and_invented_epochs(floor: Floor) -> None:
    table, alice, bob = await dealt_hand(floor)
    deal = table.deal_request(table.steps[-1])
    table.epoch = 3
    cause, board = await table.flop(2)
    await table.stub.RevealCards(table.cards_request(cause, board))

    public = await table.stub.GetDeck(shuffler_pb2.GetDeckRequest(deck=table.deck))
    seated = table.steps[0]
    for epoch, code, status in (
        (2, codes.ERROR_CODE_STALE_EPOCH, PRECONDITION),
        (0, codes.ERROR_CODE_STALE_EPOCH, PRECONDITION),
        (4, codes.ERROR_CODE_CAUSE_NOT_FOUND, DENIED),  # the log knows no such owner
        ((1 << 64) - 1, codes.ERROR_CODE_CAUSE_NOT_FOUND, DENIED),
    ):
        deal.owner_epoch = table.epoch = epoch
        stub = table.stub
        for call in (
            stub.CreateDeck(table.open_request(table.steps[2])),
            stub.CommitDeck(table.seal_request()),
            stub.DealCards(deal),
            stub.ResealCards(table.reseal_request(1)),
            stub.RevealCards(table.cards_request(cause, board)),
            stub.RegisterSeatKey(table.key_request(1, alice, seated)),
            stub.CloseDeck(table.close_request(cause)),
        ):
            error, got = await refused(call)
            assert (error_name(error.code), got) == (error_name(code), status)
            assert error.field == "owner_epoch"
    assert await table.stub.GetDeck(shuffler_pb2.GetDeckRequest(deck=table.deck)) == public
    # A service that owns no table need not name an epoch, but if it does, it must be the newest.
    table.epoch = 3
    cause, places = await table.showdown(1, 2)
    error, _ = await refused(
        floor.service("showdown").RevealCards(table.cards_request(cause, places, epoch=2))
    )
    assert error.code == codes.ERROR_CODE_STALE_EPOCH
    assert bob.player_id == "bob"


async def test_decks_that_are_not_in_the_right_state(floor: Floor) -> None:
    table = floor.table()
    alice, bob = floor.player("alice"), floor.player("bob")
    await table.seat(alice, bob)
    await table.open_hand(alice, bob, seal=False)
    dealt = table.deal_request(await table.deal(alice, bob))
    cause, board = await table.flop(2)
    opening = table.cards_request(cause, board)
    reading = shuffler_pb2.ReadDeckRecordRequest(deck=table.deck, reason="curious")
    auditor = floor.auditor()

    async def all_refused(code: int, *calls: Awaitable[object]) -> None:
        for call in calls:
            error, _ = await refused(call)
            assert error_name(error.code) == error_name(code)
            assert error_name((await last_refusal(table)).error.code) == error_name(code)

    stub, wrong = table.stub, codes.ERROR_CODE_WRONG_DECK_STATE
    reseal = table.reseal_request(1)
    # Not sealed yet: nothing is dealt, and nothing is settled.
    await all_refused(wrong, stub.DealCards(dealt), stub.RevealCards(opening))
    await all_refused(wrong, stub.ResealCards(reseal), auditor.ReadDeckRecord(reading))
    await table.stub.CommitDeck(table.seal_request())
    await table.stub.DealCards(dealt)
    await all_refused(wrong, auditor.ReadDeckRecord(reading))
    # Ended.
    closing = table.close_request(await table.end())
    early = table.close_request(cause)
    await all_refused(codes.ERROR_CODE_NOT_JUSTIFIED, stub.CloseDeck(early))
    void = table.close_request(table.steps[-1], shuffler_pb2.DECK_STATE_VOID, "a bad beat")
    await all_refused(codes.ERROR_CODE_NOT_JUSTIFIED, stub.CloseDeck(void))
    await stub.CloseDeck(closing)
    await all_refused(wrong, stub.CloseDeck(void), stub.DealCards(dealt))
    await all_refused(wrong, stub.RevealCards(opening), stub.ResealCards(reseal))
    # Never made.
    for request in (dealt, opening, reseal, reading):
        request.deck.deck_no = 99
    unknown = codes.ERROR_CODE_UNKNOWN_DECK
    await all_refused(unknown, stub.DealCards(dealt), stub.RevealCards(opening))
    await all_refused(unknown, stub.ResealCards(reseal), auditor.ReadDeckRecord(reading))


async def test_keys_that_are_not_the_players(floor: Floor) -> None:
    table = floor.table()
    alice, mallory = floor.player("alice"), floor.player("mallory")
    await table.seat(alice)
    seated, nothing = table.steps[0], await table.write()

    async def registers(
        player_token: str, code: int, cause: cards_pb2.StepRef = seated, seat: int = 1
    ) -> None:
        request = table.key_request(seat, alice, cause)
        request.player_token = player_token
        before = await table.kinds()
        error, _ = await refused(table.stub.RegisterSeatKey(request))
        assert error_name(error.code) == error_name(code)
        assert await table.kinds() == [*before, "reveal_refused"]
        event = await last_refusal(table)
        assert (event.call, error_name(event.error.code)) == ("RegisterSeatKey", error_name(code))
        assert (event.cause, event.asked_by) == (cause, "service:table")
        assert not player_token or player_token not in event.error.reason

    await registers(mallory.token, codes.ERROR_CODE_NOT_YOURS)
    await registers(alice.token, codes.ERROR_CODE_NOT_JUSTIFIED, nothing)
    await registers(alice.token, codes.ERROR_CODE_NOT_JUSTIFIED, seat=2)
    await registers("", codes.ERROR_CODE_TOKEN_MISSING)
    await registers("no token", codes.ERROR_CODE_TOKEN_MISSING)
    forger = dev_identities(floor.folder / "forger")
    forged = forger.token("alice", "player", seal_key=mallory.public_key)
    await registers(forged, codes.ERROR_CODE_TOKEN_INVALID)
    old = floor.identities.issuer.issue(
        "alice", [ROLE_PLAYER], 60, now_s=1_700_000_000, seal_key=alice.public_key
    )
    await registers(old, codes.ERROR_CODE_TOKEN_EXPIRED)
    bare = floor.identities.token("alice", "player")
    await registers(bare, codes.ERROR_CODE_SEAL_KEY_MISSING)
    watcher = floor.identities.token("alice", "spectator", seal_key=alice.public_key)
    await registers(watcher, codes.ERROR_CODE_ROLE_NOT_ALLOWED)
    weak = floor.identities.token("alice", "player", seal_key=bytes(32))
    await registers(weak, codes.ERROR_CODE_INVALID_FIELD)
    # Mallory sits down; Alice's old seat is no longer a reason for anything.
    later = await table.write(made.seated(1, "mallory"))
    await table.stub.RegisterSeatKey(table.key_request(1, mallory, later))
    await registers(alice.token, codes.ERROR_CODE_NOT_JUSTIFIED, seated)
    kinds = await table.kinds()
    assert kinds.count("seat_key_registered") == 2


async def test_a_seat_that_has_no_cards_or_no_key(floor: Floor) -> None:
    table = floor.table()
    alice, bob = floor.player("alice"), floor.player("bob")
    await table.open_hand(alice, bob)
    answer = await table.stub.DealCards(table.deal_request(await table.deal(alice, bob)))
    assert [(each.seat, len(each.boxes)) for each in answer.seats] == [(1, 0), (2, 0)]
    error, status = await refused(table.stub.ResealCards(table.reseal_request(1)))
    assert (error.code, status) == (codes.ERROR_CODE_NO_SEAT_KEY, PRECONDITION)
    error, status = await refused(table.stub.ResealCards(table.reseal_request(3)))
    assert (error.code, status) == (codes.ERROR_CODE_NOT_JUSTIFIED, DENIED)


async def test_without_a_broker_nothing_is_told(floor: Floor) -> None:
    """No event, no face: UNAVAILABLE while the stream cannot be written."""
    table, _, _ = await dealt_hand(floor)
    cause, board = await table.flop(2)
    floor.broker.freeze()
    try:
        error, status = await refused(
            table.stub.RevealCards(table.cards_request(cause, board), timeout=20)
        )
    finally:
        floor.broker.thaw()
    assert (error.code, status) == (codes.ERROR_CODE_UNAVAILABLE, grpc.StatusCode.UNAVAILABLE)
    opened = await table.stub.RevealCards(table.cards_request(cause, board), timeout=20)
    assert len(opened.cards) == 3
