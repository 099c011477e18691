"""The shuffler inside the test's own process: a deck put in, a disk and a generator that fail."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, cast

import pytest

from floor_shuffler.__main__ import Shuffler
from floor_shuffler.domain.deck import DeckOrder
from floor_shuffler.event_stream import SHUFFLER_STREAM, EventStream
from floor_shuffler.generator import DeckSource, OsGenerator
from floor_shuffler.store import Store
from floor_shuffler.vault import Vault
from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.common.v1 import errors_pb2 as codes
from pokerfloor.api.shuffler.v1 import shuffler_pb2
from pokerfloor.cards import STANDARD, parse_cards
from pokerfloor.fairness import DeckId
from pokerfloor.servicekit import (
    FloorError,
    FloorNats,
    KeySet,
    StreamSpec,
    acting_as,
    now_ms,
)
from pokerfloor.tablelog import TABLE_LOG
from tests.support import DevIdentities, dev_identities, nats_server
from tests.support.shuffler import made_steps as made
from tests.support.shuffler.shuffler_floor import Player, Table

pytestmark = pytest.mark.integration

CONTEXT: Any = None  # no call of the shuffler looks at it


class _Stub:
    """The calls of a shuffler in this process, in the form of a client's."""

    def __init__(self, shuffler: Shuffler) -> None:
        self._shuffler = shuffler

    def __getattr__(self, call: str) -> Callable[[Any], Any]:
        shuffler = self._shuffler
        service = shuffler.dealing if hasattr(shuffler.dealing, call) else shuffler.decks
        return lambda request: getattr(service, call)(request, CONTEXT)


class Room:
    def __init__(self, folder: Path, nats: FloorNats, identities: DevIdentities) -> None:
        self.folder = folder
        self.nats = nats
        self.identities = identities
        self.keys = KeySet.load(identities.jwks_path)
        self.store: Store

    def shuffler(
        self, generator: OsGenerator | None = None, deck_source: DeckSource | None = None
    ) -> Shuffler:
        self.store = Store.open(self.folder / "decks.sqlite", Vault(bytes(range(32))))
        return Shuffler(
            nats=self.nats,
            store=self.store,
            keys=self.keys,
            generator=generator or OsGenerator(),
            instance="in-process",
            now_ms=now_ms,
            deck_source=deck_source,
        )

    def table(self, shuffler: Shuffler) -> Table:
        return Table("t", self.nats, cast("Any", _Stub(shuffler)))

    def acting(self, role: str = "service_table") -> AbstractContextManager[None]:
        token = self.identities.token(f"the {role}", role)
        return acting_as(self.keys.verify(token, now_ms() / 1000))


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    identities = dev_identities(tmp_path / "identities")
    with nats_server(tmp_path / "nats") as broker:
        nats = await FloorNats.connect(broker.url, name="test", wait_ms=5000)
        await nats.ensure_stream(StreamSpec(TABLE_LOG.name, TABLE_LOG.subjects))
        await nats.ensure_stream(SHUFFLER_STREAM)
        yield Room(tmp_path, nats, identities)
        await nats.close()


def planted(first: str) -> DeckSource:
    """A deck that begins with these cards."""
    top = parse_cards(first)

    def make(deck: DeckId, generation: int, cards: tuple[int, ...]) -> DeckOrder:
        rest = tuple(card for card in cards if card not in top)
        salts = tuple(index.to_bytes(32, "big") for index in range(len(cards)))
        return DeckOrder(deck, generation, top + rest, salts)

    return make


async def test_a_deck_put_in(room: Room) -> None:
    shuffler = room.shuffler(deck_source=planted("As Kd Ah Kc 2c 7h 7d 7s"))
    table = room.table(shuffler)
    alice, bob = (Player(room.identities, name) for name in ("alice", "bob"))
    with room.acting():
        root = await table.open_hand(alice, bob)
        dealt = await table.deal(alice, bob)
        await table.stub.DealCards(table.deal_request(dealt))
        cause, places = await table.flop(2)
        board = (await table.stub.RevealCards(table.cards_request(cause, places))).cards
    assert [card.card.code - 1 for card in board] == list(parse_cards("7h 7d 7s"))
    shuffler.close()
    # It is this deck's only: without it the cards are drawn, and every root is another.
    shuffler = room.shuffler()
    table.stub = cast("Any", _Stub(shuffler))
    roots = {root}
    with room.acting():
        for _ in range(3):
            await table.stub.CloseDeck(table.close_request(await table.end()))
            roots.add(await table.open_hand(alice, bob))
    assert len(roots) == 4
    shuffler.close()


async def test_the_disk_fails_after_the_event(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """The event is stored, the record is not: asked again, there is one event and one answer."""
    shuffler = room.shuffler()
    table = room.table(shuffler)
    players = [Player(room.identities, name) for name in ("alice", "bob")]

    class Disk:
        full = False

    def failing(save: Callable[[Store, Any], None]) -> Callable[[Store, Any], None]:
        def save_or_fail(store: Store, deck: Any) -> None:
            if Disk.full:
                raise sqlite3.OperationalError("database or disk is full")
            save(store, deck)

        return save_or_fail

    for name in ("add_deck", "save_deck"):
        monkeypatch.setattr(Store, name, failing(getattr(Store, name)))

    async def twice(call: Callable[[], Any]) -> Any:
        Disk.full = True
        with pytest.raises(FloorError) as caught:
            await call()
        assert caught.value.code == codes.ERROR_CODE_UNAVAILABLE
        Disk.full = False
        return await call()

    with room.acting():
        table.hand_no = table.deck_no = 1
        opened = await table.write(made.hand_began(1, 1, {1: "alice", 2: "bob"}))
        await twice(lambda: table.stub.CreateDeck(table.open_request(opened)))
        root = (await twice(lambda: table.stub.CommitDeck(table.seal_request()))).root
        dealt = await table.deal(*players)
        await twice(lambda: table.stub.DealCards(table.deal_request(dealt)))
        cause, places = await table.flop(2)
        await twice(lambda: table.stub.RevealCards(table.cards_request(cause, places)))
        ended = await table.end()
        await twice(lambda: table.stub.CloseDeck(table.close_request(ended)))
        got = await table.stub.GetDeck(shuffler_pb2.GetDeckRequest(deck=table.deck))
    assert list(got.roots) == [root]
    assert await table.kinds() == [
        "deck_created",
        "deck_committed",
        "cards_dealt",
        "cards_dealt",
        "cards_revealed",
        "deck_closed",
    ]
    shuffler.close()


async def test_a_generator_that_fails(room: Room) -> None:
    class Entropy:
        works = True

    def read(count: int) -> bytes:
        return os.urandom(count) if Entropy.works else b"\x00" * count

    shuffler = room.shuffler(OsGenerator(read))
    table = room.table(shuffler)
    table.hand_no = table.deck_no = 1
    opened = await table.write(made.hand_began(1, 1, {1: "a", 2: "b"}))
    Entropy.works = False
    was_healthy = shuffler.healthy
    assert was_healthy
    with room.acting():
        for _ in range(2):
            with pytest.raises(FloorError) as caught:
                await table.stub.CreateDeck(table.open_request(opened))
            assert caught.value.code == codes.ERROR_CODE_GENERATOR_FAILED
        assert not shuffler.healthy
        # Once failed, never trusted again in this process.
        Entropy.works = True
        with pytest.raises(FloorError):
            await table.stub.CreateDeck(table.open_request(opened))
        with pytest.raises(FloorError) as caught:
            await table.stub.GetDeck(shuffler_pb2.GetDeckRequest(deck=table.deck))
    assert caught.value.code == codes.ERROR_CODE_UNKNOWN_DECK
    assert await table.kinds() == []
    alarm = await EventStream(room.nats, "test", lambda: 0).last("", "generator_alarm")
    assert alarm is not None
    assert not alarm.generator_alarm.healthy
    assert "salt" in alarm.generator_alarm.reason
    shuffler.close()

    shuffler = room.shuffler()
    await shuffler.announce()
    await shuffler.announce()
    alarms = [
        message async for message in room.nats.read_from("FLOOR_SHUFFLER", "floor.shuffler._.*")
    ]
    assert len(alarms) == 2
    shuffler.close()


async def test_a_record_that_was_changed(room: Room) -> None:
    """Somebody with the file, but not the key, exchanges two records: nothing is dealt."""
    shuffler = room.shuffler()
    table = room.table(shuffler)
    players = [Player(room.identities, name) for name in ("alice", "bob")]
    with room.acting():
        await table.open_hand(*players)
        await table.stub.CloseDeck(table.close_request(await table.end()))
        await table.open_hand(*players)
        dealt = await table.deal(*players)
    shuffler.close()
    with sqlite3.connect(room.folder / "decks.sqlite") as file:
        secret = "(SELECT secret FROM decks WHERE deck_no = 1)"
        file.execute(f"UPDATE decks SET secret = {secret} WHERE deck_no = 2")
    file.close()
    shuffler = room.shuffler()
    table.stub = cast("Any", _Stub(shuffler))
    with room.acting(), pytest.raises(FloorError) as caught:
        await table.stub.DealCards(table.deal_request(dealt))
    assert caught.value.code == codes.ERROR_CODE_UNAVAILABLE
    shuffler.close()


async def test_every_composition(room: Room) -> None:
    shuffler = room.shuffler()
    table = room.table(shuffler)
    players = [Player(room.identities, name) for name in ("alice", "bob")]
    sizes = {
        cards_pb2.DECK_COMPOSITION_STANDARD_52: len(STANDARD),
        cards_pb2.DECK_COMPOSITION_SHORT_36: 36,
        cards_pb2.DECK_COMPOSITION_JOKER_53: 53,
        cards_pb2.DECK_COMPOSITION_JOKER_54: 54,
    }
    for composition, size in sizes.items():
        table.hand_no += 1
        table.deck_no += 1
        seats = {1: players[0].player_id, 2: players[1].player_id}
        opened = await table.write(made.hand_began(table.hand_no, table.deck_no, seats))
        with room.acting():
            await table.stub.CreateDeck(table.open_request(opened, composition=composition))
            assert (await table.stub.CommitDeck(table.seal_request())).size == size
            await table.stub.CloseDeck(table.close_request(await table.end()))
        with room.acting("auditor"):
            record = await table.stub.ReadDeckRecord(
                shuffler_pb2.ReadDeckRecordRequest(deck=table.deck, reason="test")
            )
        assert len({card.code for card in record.generations[0].cards}) == size
    shuffler.close()
