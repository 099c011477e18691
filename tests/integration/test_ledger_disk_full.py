"""The ledger's disk is full: what was answered stands, nothing is half done, and then it goes on.

On a disk of its own, for both stores; PostgreSQL's whole server lies there.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest

from floor_wallet.domain import Posted
from floor_wallet.store import LedgerStore, PostgresStore, SqliteStore, StoreUnavailable
from tests.support.eventually import eventually
from tests.support.postgres import PostgresServer
from tests.support.small_disk import SmallDisk, small_disk
from tests.support.wallet.ledger import Ledger

pytestmark = pytest.mark.integration

Open = Callable[[], Awaitable[LedgerStore]]

#: A server and its databases fit, and a ledger.
_DISK_MB: Final = 128
_MOST_DEPOSITS: Final = 5_000


@pytest.fixture
def disk() -> Iterator[SmallDisk]:
    with TemporaryDirectory(prefix="floor-disk-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # the server is another user
        with small_disk(folder / "disk", _DISK_MB) as made:
            yield made


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, disk: SmallDisk) -> Iterator[Open]:
    """Where the ledger is opened."""
    if request.param == "sqlite":
        yield lambda: SqliteStore.open(disk.folder / "ledger.db", ledger_id="book")
        return
    server = PostgresServer(disk.folder)
    try:
        server.start()
        server.make_template()
        url = server.new_database().ledger_url
        yield lambda: PostgresStore.open(url, ledger_id="book")
    finally:
        server.remove()


async def test_nothing_is_lost_and_nothing_half_done(place: Open, disk: SmallDisk) -> None:
    store = await place()
    ledger = Ledger(store)
    await ledger.rich("ann")
    disk.fill()
    answered: dict[str, Posted] = {}
    reason = ""
    while not reason:
        request_id = f"d{len(answered)}"
        try:
            answered[request_id] = await ledger.deposit("ann", 1, request_id)
        except StoreUnavailable as unavailable:
            reason = str(unavailable)
        assert len(answered) < _MOST_DEPOSITS, "the disk is not full"
    assert "No space left" in reason or "disk is full" in reason
    # It can be read meanwhile, and says that it cannot be written.
    assert not store.healthy
    assert await ledger.cash("ann") == 50_000 + len(answered)
    disk.make_room()
    await eventually(lambda: store.healthy)
    for request_id, posted in answered.items():
        assert await ledger.deposit("ann", 1, request_id) == posted
    await ledger.deposit("ann", 1, f"d{len(answered)}")
    assert await ledger.cash("ann") == 50_001 + len(answered)
    await ledger.totals()
    await store.close()
    store = await place()
    assert await Ledger(store).cash("ann") == 50_001 + len(answered)
    await Ledger(store).totals()
    await store.close()
