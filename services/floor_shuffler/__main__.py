"""`python -m floor_shuffler`: its keys, its records, its streams, its port."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from floor_shuffler.call_frame import CallFrame
from floor_shuffler.dealing_service import DealingService
from floor_shuffler.event_stream import SHUFFLER_STREAM, EventStream
from floor_shuffler.generator import DeckSource, Generator, OsGenerator, WatchedSource
from floor_shuffler.metrics import DECKS_UNCLOSED
from floor_shuffler.settings import LOCK_FILE, STORE_FILE, ShufflerSettings
from floor_shuffler.shuffler_service import ShufflerService
from floor_shuffler.step_reader import StepReader
from floor_shuffler.store import Store, StoreThread
from floor_shuffler.vault import Vault, make_key, read_key
from pokerfloor.api.internal.shuffler.v1.dealing_pb2_grpc import (
    add_DealingServiceServicer_to_server,
)
from pokerfloor.api.shuffler.v1.shuffler_pb2_grpc import add_ShufflerServiceServicer_to_server
from pokerfloor.servicekit import (
    CannotStart,
    FloorNats,
    GrpcServer,
    KeySet,
    Stop,
    StreamSpec,
    get_logger,
    now_ms,
    run,
    serve,
)
from pokerfloor.tablelog import TABLE_LOG

_log = get_logger("shuffler")


class Shuffler:
    """The service put together. The streams of the table log and of its own events exist.

    `deck_source` is for tests in their own process: no setting, no message and no other call in
    this service leads to it.
    """

    def __init__(
        self,
        *,
        nats: FloorNats,
        store: Store,
        keys: KeySet,
        generator: Generator,
        instance: str,
        now_ms: Callable[[], int],
        deck_source: DeckSource | None = None,
    ) -> None:
        events = EventStream(nats, instance, now_ms)
        frame = CallFrame(events)
        self._store = StoreThread(store)
        self._source = WatchedSource(generator, deck_source, events)
        self.decks = ShufflerService(frame, self._store, events)
        self.dealing = DealingService(
            frame=frame,
            store=self._store,
            steps=StepReader(nats),
            events=events,
            source=self._source,
            keys=keys,
            now_ms=now_ms,
        )

    @property
    def healthy(self) -> bool:
        """Whether cards may be dealt."""
        return self._source.healthy

    async def announce(self) -> None:
        """Publish that the generator works, if the last word on the stream was another."""
        await self._source.announce()

    def close(self) -> None:
        """Close the deck records."""
        self._store.close()


async def main(settings: ShufflerSettings, stop: Stop) -> None:
    """Serve until `stop`. Raises CannotStart."""
    with _alone(settings.state_path(LOCK_FILE)):
        store = open_store(settings)
        async with FloorNats.open(settings) as nats:
            await nats.ensure_stream(StreamSpec(TABLE_LOG.name, TABLE_LOG.subjects))
            await nats.ensure_stream(SHUFFLER_STREAM)
            shuffler = Shuffler(
                nats=nats,
                store=store,
                keys=KeySet.load(settings.key_set),
                generator=OsGenerator(),
                instance=settings.instance,
                now_ms=now_ms,
            )
            try:
                await shuffler.announce()
                server = GrpcServer.from_settings(
                    settings, ready=lambda: nats.connected and shuffler.healthy
                )
                server.add(add_ShufflerServiceServicer_to_server, shuffler.decks)
                server.add(add_DealingServiceServicer_to_server, shuffler.dealing)
                await serve(server, settings, stop)
            finally:
                shuffler.close()


def open_store(settings: ShufflerSettings) -> Store:
    """Open the deck records with their keys; make a key where none is there yet, or a new one.

    Raises CannotStart.
    """
    path, key_path = settings.state_path(STORE_FILE), settings.key_path()
    retired = tuple(
        read_key(each, group_may_read=True) for each in settings.retired_record_key_files
    )
    if not key_path.exists():
        if path.exists() and not retired:
            raise CannotStart(f"record key {key_path} is gone, and {path} is under it")
        make_key(key_path)
    given = settings.record_key_file is not None
    vault = Vault(read_key(key_path, group_may_read=given), retired)
    store = Store.open(path, vault)
    unclosed = store.count_unclosed()
    DECKS_UNCLOSED.set(unclosed)
    _log.info("deck_records_opened", key_id=vault.key_id, unclosed=unclosed)
    return store


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Keep a second shuffler away from these records; the lock goes with the process."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise CannotStart(f"another shuffler uses {path.parent}") from error
        yield
    finally:
        os.close(descriptor)


if __name__ == "__main__":
    run("shuffler", ShufflerSettings, main)
