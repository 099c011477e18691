"""Sessions, the ring they read from, and the hub that holds them."""

from __future__ import annotations

import asyncio

import pytest

from floor_table.domain import apply_step
from floor_table.intake import Pace
from floor_table.runtime.streams import Hub, Session
from floor_table.runtime.view_ring import ViewRing
from floor_table.settings import TableServiceSettings
from pokerfloor.api.common.v1 import cards_pb2, errors_pb2, identity_pb2
from pokerfloor.api.table.v1 import table_pb2
from pokerfloor.servicekit import FloorError, Identity
from tests.support.table.stored_table import START_MS, StoredTable
from tests.support.table.table_floor import PLAYER, SPECTATOR


def identity(name: str = "ann", key: bytes | None = None) -> Identity:
    return Identity(name, frozenset({identity_pb2.ROLE_PLAYER}), key, 0, "token")


def session_of(
    ring: ViewRing, view: int = SPECTATOR, name: str = "ann", key: bytes | None = None
) -> Session:
    return Session(identity(name, key), view, ring, outbox_limit=4, clock=lambda: START_MS)


class Reader:
    """Takes what a session writes, `most` messages and no more."""

    def __init__(self, session: Session, most: int = 1_000) -> None:
        self.updates: list[table_pb2.TableUpdate] = []
        self._room = asyncio.Semaphore(most)
        self.task = asyncio.create_task(session.write(self._take))

    async def _take(self, data: bytes) -> None:
        await self._room.acquire()
        self.updates.append(table_pb2.TableUpdate.FromString(data))

    def more(self, count: int) -> None:
        for _ in range(count):
            self._room.release()

    async def settle(self) -> list[str]:
        for _ in range(50):
            await asyncio.sleep(0)
        return [self.name(update) for update in self.updates]

    @staticmethod
    def name(update: table_pb2.TableUpdate) -> str:
        assert update.server_time_ms == START_MS
        which = update.WhichOneof("update")
        if which == "step":
            return f"step {update.step.view_no}"
        return f"snapshot {update.snapshot.view_no}" if which == "snapshot" else str(which)


async def test_a_reader_that_falls_out_of_the_ring_is_caught_up_by_a_snapshot() -> None:
    stored = StoredTable(ring_steps=8)
    session = session_of(stored.ring)
    session.begin(0)
    reader = Reader(session, most=1)
    assert await reader.settle() == ["snapshot 1"]
    for number in range(20):
        stored.seat(f"p{number}") if number < 1 else stored.command(
            "p0", preferences=table_pb2.PreferencesCommand(always_show=bool(number % 2))
        )
        session.wake()
        await reader.settle()
    # One view was made already and waits for the reader; then the ring has gone on.
    reader.more(100)
    last = stored.ring.last_view_no
    assert (await reader.settle())[1:] == ["step 2", f"snapshot {last}"]
    stored.command("p0", sit_out=table_pb2.SitOutCommand())
    session.wake()
    assert (await reader.settle())[-1] == f"step {last + 1}"
    reader.task.cancel()


async def test_a_reader_that_never_keeps_up_is_dropped() -> None:
    stored = StoredTable(ring_steps=2)
    stored.seat("p0")
    session = session_of(stored.ring)
    session.begin(0)
    reader = Reader(session, most=1)
    for number in range(30):
        stored.command(
            "p0", preferences=table_pb2.PreferencesCommand(always_show=bool(number % 2 == 0))
        )
        session.wake()
        if number % 5 == 4:
            reader.more(1)
        await reader.settle()
    reader.more(100)
    names = await reader.settle()
    assert sum(name.startswith("snapshot") for name in names) == 4
    assert names[-1] == "goodbye"
    assert reader.updates[-1].goodbye.reason == table_pb2.GOODBYE_REASON_TOO_SLOW
    assert reader.task.done()


async def test_a_stream_that_is_cut_finishes_its_write_and_begins_no_other() -> None:
    """gRPC can send a status only when no write is under way, so that one must end by itself."""
    stored = StoredTable()
    session = session_of(stored.ring)
    session.begin(0)
    reader = Reader(session, most=0)
    assert await reader.settle() == []
    session.send(table_pb2.TableUpdate(pong=table_pb2.Pong(nonce=1)))
    session.cut()
    await reader.settle()
    assert not reader.task.done(), "the first write goes on"
    reader.more(10)
    assert await reader.settle() == ["snapshot 1"], "and the pong is left unsaid"
    assert reader.task.done()
    idle = session_of(stored.ring)
    idle.begin(0)
    reader = Reader(idle)
    assert await reader.settle() == ["snapshot 1"]
    idle.cut()
    assert await reader.settle() == ["snapshot 1"]
    assert reader.task.done()


async def test_an_outbox_that_is_full_ends_the_stream_without_its_content() -> None:
    stored = StoredTable()
    session = session_of(stored.ring)
    session.begin(0)
    reader = Reader(session, most=0)
    await reader.settle()
    for nonce in range(6):
        session.send(table_pb2.TableUpdate(pong=table_pb2.Pong(nonce=nonce)))
    assert session.ending == table_pb2.GOODBYE_REASON_TOO_SLOW
    reader.more(10)
    assert await reader.settle() == ["snapshot 1", "goodbye"]


async def test_a_goodbye_comes_after_all_that_was_stored() -> None:
    stored = StoredTable()
    session = session_of(stored.ring)
    session.begin(0)
    reader = Reader(session)
    await reader.settle()
    stored.seat("p0")
    session.send(table_pb2.TableUpdate(result=table_pb2.CommandResult(command_id="x")))
    session.end(table_pb2.GOODBYE_REASON_DRAINING)
    session.end(table_pb2.GOODBYE_REASON_OWNER_CHANGED)
    session.send(table_pb2.TableUpdate(pong=table_pb2.Pong()))
    names = await reader.settle()
    assert names == ["snapshot 1", "result", "step 2", "step 3", "goodbye"]
    assert reader.updates[-1].goodbye.reason == table_pb2.GOODBYE_REASON_DRAINING


async def test_every_view_is_the_same_when_it_was_made_late() -> None:
    stored = StoredTable()
    early: dict[tuple[int, int, str], bytes] = {}
    who: list[tuple[int, str]] = [
        (SPECTATOR, ""),
        (PLAYER, "ann"),
        (PLAYER, "bob"),
        (PLAYER, "eve"),
    ]
    for name in ("ann", "bob"):
        before = stored.ring.last_view_no
        stored.seat(name)
        for number in range(before + 1, stored.ring.last_view_no + 1):
            for kind, player in who:
                early[number, kind, player] = stored.ring.view(number, kind, player)
    late = ViewRing(stored.table.__class__("t-1"), 16)
    table = stored.table.__class__("t-1")
    for step in stored.steps:
        table = apply_step(table, step)
        late.push(step, table)
    for (number, kind, player), view in early.items():
        assert late.view(number, kind, player) == view
    # Only the owner sees the reservation, also in the step that ends it.
    views = {
        player: table_pb2.TableUpdate.FromString(late.view(2, kind, player)).step
        for kind, player in who
    }
    assert [bool(views[player].events) for _, player in who] == [False, True, False, False]
    assert {view.view_no for view in views.values()} == {2}


async def test_own_cards_go_to_the_key_that_opens_them() -> None:
    stored = StoredTable()
    key = bytes(range(32))
    session = session_of(stored.ring, PLAYER, key=key)
    session.begin(stored.ring.last_view_no)
    reader = Reader(session)
    place = cards_pb2.Place(kind=cards_pb2.PLACE_KIND_SEAT, owner=1, slot=1)
    other = cards_pb2.SealedBox(place=place, key_fingerprint=bytes(32), ciphertext=b"a")
    mine = cards_pb2.SealedBox(place=place, key_fingerprint=session.key, ciphertext=b"b")
    session.send_cards(table_pb2.HoleCards(hand_no=1, deck_no=2, seat=1, boxes=[other]), whole=True)
    wanted = session.wants_cards
    session.send_cards(
        table_pb2.HoleCards(hand_no=1, deck_no=2, seat=1, boxes=[other, mine]), whole=True
    )
    assert (wanted, session.wants_cards) == (True, False)
    assert await reader.settle() == ["hole_cards"]
    assert list(reader.updates[0].hole_cards.boxes) == [mine]
    reader.task.cancel()


def hub_of(stored: StoredTable, **settings: object) -> tuple[Hub, list[None]]:
    changes: list[None] = []
    values = TableServiceSettings(key_set="keys", **settings)  # type: ignore[arg-type]  # a path is a text
    hub = Hub(stored.ring, values, clock=lambda: START_MS, on_change=lambda: changes.append(None))
    return hub, changes


async def test_a_table_takes_only_so_many_streams() -> None:
    stored = StoredTable()
    hub, _ = hub_of(stored, streams_per_table=5, streams_per_player=2)
    attach = table_pb2.AttachCommand(table_id="t-1", view=PLAYER)
    watch = table_pb2.AttachCommand(table_id="t-1", view=SPECTATOR)
    hub.attach(identity("ann"), attach)
    second = hub.attach(identity("ann"), attach)
    with pytest.raises(FloorError) as caught:
        hub.attach(identity("ann"), attach)
    assert caught.value.code == errors_pb2.ERROR_CODE_OVERLOADED
    hub.attach(identity("ann"), watch)
    hub.detach(second)
    hub.detach(second)
    for name in ("bob", "cyd", "dan"):
        hub.attach(identity(name), attach)
    with pytest.raises(FloorError) as caught:
        hub.attach(identity("eve"), watch)
    assert caught.value.code == errors_pb2.ERROR_CODE_OVERLOADED
    assert len(hub) == 5


async def test_nobody_takes_the_players_streams_by_watching() -> None:
    stored = StoredTable()
    hub, _ = hub_of(stored, streams_per_table=5, streams_per_watcher=2)
    watch = table_pb2.AttachCommand(table_id="t-1", view=SPECTATOR)
    first = hub.attach(identity("eve"), watch)
    hub.attach(identity("eve"), watch)
    for _ in range(2):
        with pytest.raises(FloorError) as caught:
            hub.attach(identity("eve"), watch)
        assert caught.value.code == errors_pb2.ERROR_CODE_OVERLOADED
    # Others are not concerned, nor is a seat of the same subject.
    attach = table_pb2.AttachCommand(table_id="t-1", view=PLAYER)
    hub.attach(identity("eve"), attach)
    hub.attach(identity("ann"), watch)
    hub.detach(first)
    hub.detach(first)
    hub.attach(identity("eve"), watch)
    with pytest.raises(FloorError):
        hub.attach(identity("eve"), watch)


async def test_a_player_who_is_back_at_once_was_never_gone() -> None:
    hub, changes = hub_of(StoredTable(), disconnect_grace_ms=50)
    attach = table_pb2.AttachCommand(table_id="t-1", view=PLAYER)
    first = hub.attach(identity("ann"), attach)
    hub.detach(first)
    assert hub.connected("ann")
    again = hub.attach(identity("ann"), attach)
    seen = len(changes)
    await asyncio.sleep(0.1)
    assert hub.connected("ann")
    assert len(changes) == seen
    hub.detach(again)
    await asyncio.sleep(0.1)
    assert not hub.connected("ann")
    assert len(changes) == seen + 1


def test_a_pace_gives_a_burst_and_then_its_rate() -> None:
    now_s = [10.0]
    pace = Pace(per_s=100, burst=3, clock_s=lambda: now_s[0])
    assert [pace.allows() for _ in range(4)] == [True, True, True, False]
    now_s[0] += 0.025
    assert [pace.allows() for _ in range(4)] == [True, True, False, False]
    now_s[0] += 100
    assert [pace.allows() for _ in range(4)] == [True, True, True, False]
