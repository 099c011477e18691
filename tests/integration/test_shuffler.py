"""A hand at a real shuffler: who gets which card, what stands on the stream, what survives."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from floor_shuffler.domain.refs import Place
from pokerfloor.api.common.v1 import errors_pb2 as codes
from pokerfloor.api.events.v1 import hand_events_pb2 as hand_pb2
from pokerfloor.api.events.v1 import table_events_pb2
from pokerfloor.api.internal.shuffler.v1 import dealing_pb2
from pokerfloor.api.shuffler.v1 import shuffler_pb2
from pokerfloor.fairness import BOX_BYTES, SealedCard, fingerprint
from tests.support.shuffler import made_steps as made
from tests.support.shuffler.shuffler_floor import (
    Floor,
    Player,
    Table,
    floor_of_one,
    proved,
    refused,
)

pytestmark = [pytest.mark.integration, pytest.mark.asyncio(loop_scope="module")]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def floor(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Floor]:
    async with floor_of_one(tmp_path_factory.mktemp("shuffler")) as running:
        yield running


def cards_of(player: Player, answer: dealing_pb2.DealCardsResponse, seat: int) -> list[SealedCard]:
    boxes = next(each.boxes for each in answer.seats if each.seat == seat)
    mine = [box for box in boxes if box.key_fingerprint == fingerprint(player.public_key)]
    return [player.open(box) for box in mine]


async def two_seated(floor: Floor) -> tuple[Table, Player, Player]:
    table = floor.table()
    alice, bob = floor.player("alice"), floor.player("bob")
    await table.seat(alice, bob)
    return table, alice, bob


async def test_a_whole_hand(floor: Floor) -> None:
    table, alice, bob = await two_seated(floor)
    root = await table.open_hand(alice, bob)
    assert len(root) == 32

    answer = await table.stub.DealCards(table.deal_request(await table.deal(alice, bob)))
    assert [each.seat for each in answer.seats] == [1, 2]
    own = [*cards_of(alice, answer, 1), *cards_of(bob, answer, 2)]
    assert [card.index for card in own] == [0, 2, 1, 3]
    assert [tuple(card.place) for card in own] == [(1, 1, 1), (1, 1, 2), (1, 2, 1), (1, 2, 2)]
    assert {card.hand_no for card in own} == {1}
    assert all(card.proves(root, table.deck_id) for card in own)
    assert {len(box.ciphertext) for each in answer.seats for box in each.boxes} == {BOX_BYTES}

    cause, places = await table.flop(2)
    board = (await table.stub.RevealCards(table.cards_request(cause, places))).cards
    assert [card.proof.deck_index.index for card in board] == [5, 6, 7]
    assert all(proved(root, table.deck_id, card) for card in board)

    cause, places = await table.showdown(1, 2)
    request = table.cards_request(cause, places, epoch=0)
    shown = (await floor.service("showdown").RevealCards(request)).cards
    assert all(proved(root, table.deck_id, card) for card in shown)
    faces = {tuple(card.place): card.card for card in own}
    assert {(c.place.kind, c.place.owner, c.place.slot): c.card.code - 1 for c in shown} == faces
    assert len({c.card.code for c in [*board, *shown]}) == 7

    await table.stub.CloseDeck(table.close_request(await table.end()))
    public = await table.stub.GetDeck(shuffler_pb2.GetDeckRequest(deck=table.deck))
    assert public.state == shuffler_pb2.DECK_STATE_SETTLED
    assert list(public.roots) == [root]
    # Own cards went to the showdown only; what it showed is not the shuffler's to say.
    assert [place.revealed for place in public.dealt] == [False] * 5 + [True] * 3

    record = await floor.auditor().ReadDeckRecord(
        shuffler_pb2.ReadDeckRecordRequest(deck=table.deck, reason="dispute 12")
    )
    (generation,) = record.generations
    assert sorted(card.code for card in generation.cards) == list(range(1, 53))
    for card in own:
        assert generation.cards[card.index].code == card.card + 1
        assert generation.salts[card.index] == card.salt

    assert await table.kinds() == [
        "seat_key_registered",
        "seat_key_registered",
        "deck_created",
        "deck_committed",
        "cards_dealt",
        "cards_dealt",  # the flop's burn and board
        "cards_revealed",
        "cards_revealed",
        "deck_closed",
        "deck_record_read",
    ]
    events = await table.events()
    assert [e.cards_revealed.asked_by for e in events if e.HasField("cards_revealed")] == [
        "service:table",
        "service:showdown",
    ]
    assert events[-1].deck_record_read.auditor == "anna"
    assert len({event.event_id for event in events}) == len(events)


async def test_everything_may_be_asked_again(floor: Floor) -> None:
    table, alice, bob = await two_seated(floor)
    root = await table.open_hand(alice, bob)
    opened = table.open_request(table.steps[-1])
    assert (await table.stub.CreateDeck(opened)).state == shuffler_pb2.DECK_STATE_COMMITTED
    assert (await table.stub.CommitDeck(table.seal_request())).root == root

    dealt = table.deal_request(await table.deal(alice, bob))
    first, again = [await table.stub.DealCards(dealt) for _ in range(2)]
    assert cards_of(alice, first, 1) == cards_of(alice, again, 1)
    assert first.seats[0].boxes[0].ciphertext != again.seats[0].boxes[0].ciphertext

    cause, places = await table.flop(2)
    request = table.cards_request(cause, places)
    assert await table.stub.RevealCards(request) == await table.stub.RevealCards(request)
    one = await table.stub.RevealCards(table.cards_request(cause, places[1:2]))
    assert one.cards[0] == (await table.stub.RevealCards(request)).cards[1]

    closing = table.close_request(await table.end())
    await table.stub.CloseDeck(closing)
    await table.stub.CloseDeck(closing)
    assert (await table.stub.CreateDeck(opened)).state == shuffler_pb2.DECK_STATE_SETTLED
    assert (await table.stub.CommitDeck(table.seal_request())).root == root
    assert await table.kinds() == [
        "seat_key_registered",
        "seat_key_registered",
        "deck_created",
        "deck_committed",
        "cards_dealt",
        "cards_resealed",  # the second delivery, one event a seat
        "cards_resealed",
        "cards_dealt",
        "cards_revealed",
        "deck_closed",
    ]


async def test_asked_for_at_once(floor: Floor) -> None:
    table, alice, bob = await two_seated(floor)
    await table.open_hand(alice, bob)
    await table.stub.DealCards(table.deal_request(await table.deal(alice, bob)))
    cause, places = await table.flop(2)
    answers = await asyncio.gather(
        *(table.stub.RevealCards(table.cards_request(cause, places)) for _ in range(20))
    )
    assert len({answer.SerializeToString() for answer in answers}) == 1
    assert (await table.kinds()).count("cards_revealed") == 1


async def test_kill_in_mid_hand(floor: Floor) -> None:
    table, alice, bob = await two_seated(floor)
    root = await table.open_hand(alice, bob)
    dealt = table.deal_request(await table.deal(alice, bob))
    before = await table.stub.DealCards(dealt)
    cause, places = await table.flop(2)
    flop = await table.stub.RevealCards(table.cards_request(cause, places))

    await floor.shuffler.restart()

    assert (await table.stub.CommitDeck(table.seal_request(), wait_for_ready=True)).root == root
    after = await table.stub.DealCards(dealt)  # the keys are known without registering again
    assert cards_of(alice, after, 1) == cards_of(alice, before, 1)
    assert cards_of(bob, after, 2) == cards_of(bob, before, 2)
    assert await table.stub.RevealCards(table.cards_request(cause, places)) == flop
    assert (await table.kinds()).count("cards_revealed") == 1

    turn = made.board(4)
    cause = await table.write(
        made.dealt([made.burn(2), *turn], 8), made.due(hand_pb2.REVEAL_REASON_BOARD, turn)
    )
    opened = await table.stub.RevealCards(table.cards_request(cause, turn))
    assert opened.cards[0].proof.deck_index.index == 9
    assert proved(root, table.deck_id, opened.cards[0])


async def test_kill_between_open_and_seal(floor: Floor) -> None:
    table, alice, bob = await two_seated(floor)
    await table.open_hand(alice, bob, seal=False)
    await floor.shuffler.restart()
    request = table.open_request(table.steps[-1])
    answer = await table.stub.CreateDeck(request, wait_for_ready=True)
    assert answer.state == shuffler_pb2.DECK_STATE_CREATED
    roots = {(await table.stub.CommitDeck(table.seal_request())).root for _ in range(2)}
    assert len(roots) == 1
    assert (await table.kinds()).count("deck_created") == 1


async def test_positions_are_read_from_the_log(floor: Floor) -> None:
    """The table stopped before it asked for anything: the next cause is enough."""
    table, alice, bob = await two_seated(floor)
    root = await table.open_hand(alice, bob)
    dealt = await table.deal(alice, bob)
    await table.write()  # a step without cards
    cause, places = await table.flop(2)
    opened = (await table.stub.RevealCards(table.cards_request(cause, places))).cards
    assert [card.proof.deck_index.index for card in opened] == [5, 6, 7]
    assert all(proved(root, table.deck_id, card) for card in opened)
    answer = await table.stub.DealCards(table.deal_request(dealt))
    assert [card.index for card in cards_of(alice, answer, 1)] == [0, 2]

    table, alice, bob = await two_seated(floor)
    await table.open_hand(alice, bob)
    await table.deal(alice, bob)
    again = await table.stub.ResealCards(table.reseal_request(2))
    assert [bob.open(box).index for box in again.seat.boxes] == [1, 3]


async def test_a_player_who_comes_back(floor: Floor) -> None:
    table, alice, bob = await two_seated(floor)
    await table.open_hand(alice, bob)
    first = await table.stub.DealCards(table.deal_request(await table.deal(alice, bob)))
    keys = [alice]
    for live in (2, 2, 2):  # never more than two, the oldest goes
        back = floor.player("alice")
        answer = await table.stub.RegisterSeatKey(
            table.key_request(1, back, table.steps[0], "returned")
        )
        assert answer.new_key
        assert answer.fingerprint == fingerprint(back.public_key)
        keys = [*keys, back][-live:]
        resealed = (await table.stub.ResealCards(table.reseal_request(1))).seat
        assert resealed.seat == 1
        assert [box.key_fingerprint for box in resealed.boxes] == [
            fingerprint(player.public_key) for _ in range(2) for player in keys
        ]
        for index, box in enumerate(resealed.boxes):
            assert keys[index % live].open(box) == cards_of(alice, first, 1)[index // live]
    again = await table.stub.RegisterSeatKey(table.key_request(1, back, table.steps[0], "returned"))
    assert not again.new_key
    registered = [
        event.seat_key_registered
        for event in await table.events()
        if event.HasField("seat_key_registered")
    ]
    assert [(event.seat, event.player_id, event.reason) for event in registered] == [
        (1, "alice", table_events_pb2.KEY_REASON_SEATED),
        (2, "bob", table_events_pb2.KEY_REASON_SEATED),
        *[(1, "alice", table_events_pb2.KEY_REASON_RETURNED)] * 3,
    ]
    of_alice = [event for event in registered if event.seat == 1]
    assert [event.replaced_fingerprint for event in of_alice] == [
        b"",
        b"",
        of_alice[0].fingerprint,
        of_alice[1].fingerprint,
    ], "the key that had to go is named"
    assert (await table.kinds()).count("cards_resealed") == 3


async def test_a_new_player_never_gets_the_cards_of_the_one_before(floor: Floor) -> None:
    table, alice, bob = await two_seated(floor)
    await table.open_hand(alice, bob)
    dealt = table.deal_request(await table.deal(alice, bob))
    await table.stub.DealCards(dealt)
    carol = floor.player("carol")
    seated = await table.write(made.seated(1, "carol"))
    await table.stub.RegisterSeatKey(table.key_request(1, carol, seated))
    answer = await table.stub.DealCards(dealt)
    assert [len(each.boxes) for each in answer.seats] == [0, 2]

    # In the next hand she has cards, and the keys of the seat's former player are dead.
    await table.stub.CloseDeck(table.close_request(await table.end()))
    await table.open_hand(carol, bob)
    answer = await table.stub.DealCards(table.deal_request(await table.deal(carol, bob)))
    assert len(cards_of(carol, answer, 1)) == 2
    assert [len(each.boxes) for each in answer.seats] == [2, 2]


@pytest.mark.rule("TBL-10")
async def test_the_first_button(floor: Floor) -> None:
    table = floor.table()
    table.deck_no = 1
    places = [Place(made.DRAW, seat, 1) for seat in (2, 5, 7)]
    cause = await table.write(
        made.draw_began(1, 2, 5, 7),
        made.dealt(places, 0),
        made.due(hand_pb2.REVEAL_REASON_BUTTON_DRAW, places),
    )
    request = table.open_request(cause, purpose=shuffler_pb2.DECK_PURPOSE_BUTTON_DRAW)
    await table.stub.CreateDeck(request)
    root = (await table.stub.CommitDeck(table.seal_request())).root
    opened = (await table.stub.RevealCards(table.cards_request(cause, places))).cards
    assert [card.proof.deck_index.index for card in opened] == [0, 1, 2]
    assert all(proved(root, table.deck_id, card) for card in opened)
    await table.stub.CloseDeck(table.close_request(await table.write(made.drawn(5))))

    table.hand_no, table.deck_no = 1, 2
    cause = await table.write(made.hand_began(1, 2, {2: "a", 5: "b"}))
    await table.stub.CreateDeck(table.open_request(cause))


@pytest.mark.rule("MIX-3")
async def test_a_draw_for_a_game(floor: Floor) -> None:
    table = floor.table()
    table.deck_no = 1
    places = [Place(made.GAME, 0, slot) for slot in (1, 2)]
    cause = await table.write(
        made.game_draw_began(1, "holdem", "omaha4", "omaha5"),
        made.dealt(places, 0),
        made.due(hand_pb2.REVEAL_REASON_GAME_DRAW, places),
    )
    button = shuffler_pb2.DECK_PURPOSE_BUTTON_DRAW
    error, _ = await refused(table.stub.CreateDeck(table.open_request(cause, purpose=button)))
    assert error.code == codes.ERROR_CODE_NOT_JUSTIFIED, "the step opens it for something else"
    request = table.open_request(cause, purpose=shuffler_pb2.DECK_PURPOSE_GAME_DRAW)
    await table.stub.CreateDeck(request)
    root = (await table.stub.CommitDeck(table.seal_request())).root
    beyond = [Place(made.GAME, 0, 3)]
    error, _ = await refused(table.stub.RevealCards(table.cards_request(cause, beyond)))
    assert error.code == codes.ERROR_CODE_NOT_JUSTIFIED, "only what the step turns up"
    opened = (await table.stub.RevealCards(table.cards_request(cause, places))).cards
    assert all(proved(root, table.deck_id, card) for card in opened)
    chosen = await table.write(made.game_found("omaha4", "random"))
    await table.stub.CloseDeck(table.close_request(chosen))

    table.hand_no, table.deck_no = 1, 2
    cause = await table.write(made.hand_began(1, 2, {2: "a", 5: "b"}))
    await table.stub.CreateDeck(table.open_request(cause))


@pytest.mark.rule("SHW-3")
async def test_a_winner_who_shows_after_the_hand(floor: Floor) -> None:
    """SHW-3: the deck is put away later than the hand ends, with a step that says nothing."""
    table, alice, bob = await two_seated(floor)
    root = await table.open_hand(alice, bob)
    await table.deal(alice, bob)
    ended = await table.end()
    mine = [made.own(1, 2)]
    shows = await table.write(made.due(hand_pb2.REVEAL_REASON_OWNER_SHOWS, mine), sender="alice")
    (card,) = (await table.stub.RevealCards(table.cards_request(shows, mine))).cards
    assert proved(root, table.deck_id, card)
    put_away = await table.write(hand_no=0)
    await table.stub.CloseDeck(table.close_request(put_away))
    closed = (await table.events())[-1].deck_closed
    assert closed.outcome == shuffler_pb2.DECK_STATE_SETTLED
    assert closed.cause == ended


async def test_all_in_and_scoring(floor: Floor) -> None:
    table, alice, bob = await two_seated(floor)
    root = await table.open_hand(alice, bob)
    await table.deal(alice, bob)
    places = made.hole_cards(1, 2)
    all_in = await table.write(made.due(hand_pb2.REVEAL_REASON_ALL_IN, places))
    opened = (await table.stub.RevealCards(table.cards_request(all_in, places))).cards
    assert all(proved(root, table.deck_id, card) for card in opened)
    scoring = await table.write(made.due(hand_pb2.REVEAL_REASON_SCORING, places))
    request = table.cards_request(scoring, places, epoch=0)
    assert (await floor.service("scoring").RevealCards(request)).cards == opened
    public = await table.stub.GetDeck(shuffler_pb2.GetDeckRequest(deck=table.deck))
    assert all(place.revealed for place in public.dealt)


async def test_nothing_secret_at_rest_or_in_logs(floor: Floor) -> None:
    table, alice, bob = await two_seated(floor)
    await table.open_hand(alice, bob)
    answer = await table.stub.DealCards(table.deal_request(await table.deal(alice, bob)))
    cause, places = await table.showdown(1, 2)
    request = table.cards_request(cause, places, epoch=0)
    await floor.service("showdown").RevealCards(request)
    await table.stub.CloseDeck(table.close_request(await table.end()))
    reading = shuffler_pb2.ReadDeckRecordRequest(deck=table.deck, reason="test")
    record = await floor.auditor().ReadDeckRecord(reading)
    (generation,) = record.generations
    secrets = [*generation.salts]
    secrets += [box.ciphertext for each in answer.seats for box in each.boxes]
    secrets += [bytes(card.code for card in generation.cards)]
    files = [path for path in floor.state_dir.rglob("*") if path.is_file()]
    # The broker's own files too: the log, the shuffler's stream.
    files += [path for path in (floor.folder / "nats").rglob("*") if path.is_file()]
    files.append(floor.shuffler.log)
    assert {path.name for path in files} >= {"decks.sqlite", "record.key", "shuffler.log"}
    for path in files:
        data = path.read_bytes()
        for secret in secrets:
            assert secret not in data, path
            assert secret.hex().encode() not in data, path
            assert repr(secret).encode() not in data, path
    # And the search finds what is there.
    root = generation.root
    assert any(root in path.read_bytes() for path in files)
    log = floor.shuffler.log.read_text()
    assert "RevealedCard" not in log
    assert '"card' not in log


async def test_files_are_their_owners_only(floor: Floor) -> None:
    for name in ("record.key", "decks.sqlite"):
        assert (floor.state_dir / name).stat().st_mode & 0o077 == 0
    assert floor.state_dir.stat().st_mode & 0o077 == 0
    assert len((floor.state_dir / "record.key").read_bytes()) == 32


async def test_a_second_shuffler_on_the_same_records_does_not_start(floor: Floor) -> None:
    from tests.support import ServiceProcess, service_env

    env = service_env("shuffler", floor.folder, floor.identities, floor.broker.url)
    second = ServiceProcess("floor_shuffler", env, floor.folder / "second.log")
    second.spawn()
    try:
        assert await second.exit_code() == 1
    finally:
        second.kill9()
    assert "another shuffler uses" in second.tail()


async def test_quick_enough(floor: Floor) -> None:
    """The way from a hand's opening to its cards, nine seats: a few ms. A smoke test, no bench."""
    table = floor.table()
    players = [floor.player(f"p{seat}") for seat in range(1, 10)]
    await table.seat(*players)
    took: list[float] = []
    for _ in range(15):
        table.hand_no += 1
        table.deck_no += 1
        seats = {seat: player.player_id for seat, player in enumerate(players, 1)}
        opened = await table.write(made.hand_began(table.hand_no, table.deck_no, seats))
        dealt = await table.deal(*players)
        began = time.perf_counter()
        await table.stub.CreateDeck(table.open_request(opened))
        await table.stub.CommitDeck(table.seal_request())
        answer = await table.stub.DealCards(table.deal_request(dealt))
        took.append(time.perf_counter() - began)
        assert sum(len(each.boxes) for each in answer.seats) == 18
        await table.stub.CloseDeck(table.close_request(await table.end()))
    # Ten times what it takes on two busy cores.
    assert statistics.median(took) < 0.1


async def test_metrics(floor: Floor) -> None:
    import urllib.request

    def read() -> str:
        url = f"http://127.0.0.1:{floor.shuffler.metrics_port}/metrics"
        with urllib.request.urlopen(url) as answer:
            return str(answer.read().decode())

    table, alice, bob = await two_seated(floor)
    await table.open_hand(alice, bob)
    await table.stub.DealCards(table.deal_request(await table.deal(alice, bob)))
    cause, places = await table.flop(2)
    await table.stub.RevealCards(table.cards_request(cause, places))
    text = await asyncio.to_thread(read)
    for line in (
        'floor_shuffler_decks_total{became="created"}',
        'floor_shuffler_decks_total{became="committed"}',
        'floor_shuffler_cards_revealed_total{reason="board"}',
        "floor_shuffler_generator_healthy 1.0",
        "floor_shuffler_boxes_total",
        "floor_shuffler_store_seconds_count",
    ):
        assert line in text
    assert table.table_id not in text


async def test_stops_when_asked(floor: Floor) -> None:
    table = floor.table()
    root = await table.open_hand(floor.player("a"), floor.player("b"))
    await floor.shuffler.stop()
    await floor.shuffler.start()
    request = shuffler_pb2.GetDeckRequest(deck=table.deck)
    found = await table.stub.GetDeck(request, wait_for_ready=True)
    assert (found.state, list(found.roots)) == (shuffler_pb2.DECK_STATE_COMMITTED, [root])
