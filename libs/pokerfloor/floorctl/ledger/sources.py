"""Where an audit reads the tables' logs, the settled hands and the published facts."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

import grpc.aio
from google.protobuf.message import DecodeError

from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.api.table.v1 import table_pb2, table_pb2_grpc
from pokerfloor.api.wallet.v1 import events_pb2, wallet_pb2, wallet_pb2_grpc
from pokerfloor.floorctl.ledger.expected_entries import ExpectedEntry, TableMoney
from pokerfloor.floorctl.ledger.reading import BrokenBook
from pokerfloor.rpc import error_of
from pokerfloor.tablelog import TABLE_LOG, table_of_subject

if TYPE_CHECKING:  # of the extra `services`: only an audit with --nats needs it
    from pokerfloor.servicekit import FloorNats, StoredMessage

_STEPS: Final = 500
_TABLES: Final = 200
_HANDS: Final = 1000
_HASH: Final = 32
# Hashes are kept in pieces of this many.
_CHUNK: Final = 1024
_MOST_TWICE: Final = 1000
_LEDGER_STREAM: Final = "FLOOR_LEDGER"
_ENTRY_FACTS: Final = "floor.ledger.*.entry_posted"


class Logs(Protocol):
    """The logs of all tables, each read once from its beginning."""

    async def tables(self) -> list[str]:
        """Return the tables that have a log."""
        ...

    async def next(self, table_id: str) -> ExpectedEntry | None:
        """Return what a table's log demands next, None when it says no more."""
        ...

    @property
    def unread(self) -> Mapping[str, str]:
        """Why logs cannot be read, by table."""
        ...

    def money(self) -> Iterator[TableMoney]:
        """Return what was read of each table so far."""
        ...


@dataclass(slots=True)
class _Table:
    """How far a table is read; `expected` are entries read and not asked for yet."""

    money: TableMoney
    expected: deque[ExpectedEntry] = field(default_factory=deque)
    over: bool = False


class TableServiceLogs:
    """Logs as the table service shows them. Holds a page of each table."""

    def __init__(self, stub: table_pb2_grpc.TableServiceAsyncStub) -> None:
        self._stub = stub
        self._read: dict[str, _Table] = {}
        self.unread: dict[str, str] = {}

    async def tables(self) -> list[str]:
        """Return the tables that the service owns."""
        found: list[str] = []
        token = ""
        while True:
            request = table_pb2.ListTablesRequest(page_size=_TABLES, page_token=token)
            page = await self._stub.ListTables(request)
            found += [table.table_id for table in page.tables]
            token = page.next_page_token
            if not token:
                return found

    async def next(self, table_id: str) -> ExpectedEntry | None:
        """Return what a table's log demands next."""
        table = self._read.setdefault(table_id, _Table(TableMoney(table_id)))
        while not table.expected and not table.over:
            table.over = not await self._page(table)
        return table.expected.popleft() if table.expected else None

    def money(self) -> Iterator[TableMoney]:
        """Return what was read of each table so far."""
        return (table.money for table in self._read.values())

    async def _page(self, table: _Table) -> bool:
        """Read a page; False at the log's end."""
        money = table.money
        request = table_pb2.ReadLogRequest(
            table_id=money.table_id, from_table_seq=money.table_seq + 1, page_size=_STEPS
        )
        try:
            steps = (await self._stub.ReadLog(request)).steps
        except grpc.aio.AioRpcError as failure:
            self.unread[money.table_id] = error_of(failure).reason
            return False
        for step in steps:
            table.expected.extend(money.read(step))
        return bool(steps)


class BrokerLogs:
    """Logs straight from the broker, read once in the order of the stream.

    The wallet takes them in that order too, so little waits here: what stopped tables were ahead.
    """

    def __init__(self, nats: FloorNats) -> None:
        self._nats = nats
        self._read: dict[str, _Table] = {}
        self._messages: AsyncIterator[StoredMessage] | None = None
        # A broker that cannot be read ends the audit.
        self.unread: dict[str, str] = {}

    async def tables(self) -> list[str]:
        """Return the tables of which the stream holds steps."""
        info = await self._nats.js.stream_info(
            TABLE_LOG.name, subjects_filter=TABLE_LOG.subjects[0]
        )
        return sorted(table_of_subject(subject) for subject in info.state.subjects or {})

    async def next(self, table_id: str) -> ExpectedEntry | None:
        """Return what a table's log demands next; the stream is opened with the first question."""
        if self._messages is None:
            self._messages = self._nats.read_from(TABLE_LOG.name, TABLE_LOG.subjects[0])
        table = self._of(table_id)
        while not table.expected:
            message = await anext(self._messages, None)
            if message is None:
                return None
            step = _step(message)
            read = self._of(table_of_subject(message.subject))
            read.expected.extend(read.money.read(step))
        return table.expected.popleft()

    def money(self) -> Iterator[TableMoney]:
        """Return what was read of each table so far."""
        return (table.money for table in self._read.values())

    def _of(self, table_id: str) -> _Table:
        return self._read.setdefault(table_id, _Table(TableMoney(table_id)))


def _step(message: StoredMessage) -> step_pb2.Step:
    try:
        return step_pb2.Step.FromString(message.data)
    except DecodeError as error:
        raise BrokenBook(f"message {message.seq} of the log is no step") from error


class SettledHands:
    """The wallet's list of settled hands. Holds a page of each table."""

    def __init__(self, wallet: wallet_pb2_grpc.WalletServiceAsyncStub) -> None:
        self._wallet = wallet
        self._pages: dict[str, dict[int, wallet_pb2.SettledHand]] = {}

    async def hand(self, table_id: str, hand_no: int) -> wallet_pb2.SettledHand | None:
        """Return a settled hand, None when it is not in the list."""
        page = self._pages.get(table_id, {})
        if hand_no not in page:
            request = wallet_pb2.ListSettledHandsRequest(
                table_id=table_id, from_hand_no=hand_no, page_size=_HANDS
            )
            found = await self._wallet.ListSettledHands(request)
            page = {hand.hand_no: hand for hand in found.hands}
            self._pages[table_id] = page
        return page.pop(hand_no, None)


class PublishedHashes:
    """The hashes that the wallet published with its entries: 32 bytes an entry in memory.

    What was published first counts: a fact cannot be taken back.
    """

    def __init__(self) -> None:
        self.last_no = 0
        self.compared = 0
        #: Entries that were published with more than one hash.
        self.twice: set[int] = set()
        self._chunks: dict[int, bytearray] = {}

    async def read(self, nats: FloorNats) -> None:
        """Read what is published now."""
        async for message in nats.read_from(_LEDGER_STREAM, _ENTRY_FACTS):
            fact = events_pb2.LedgerEvent.FromString(message.data).entry_posted
            self.last_no = max(self.last_no, fact.entry_no)
            if len(fact.hash) == _HASH:
                self._put(fact.entry_no, fact.hash)

    def differs(self, entry: wallet_pb2.Entry) -> bool:
        """Tell whether an entry's hash was published, and was another."""
        known = self._known(entry.entry_no)
        self.compared += any(known)
        return any(known) and known != entry.hash

    def _known(self, entry_no: int) -> bytes:
        chunk, place = divmod(entry_no, _CHUNK)
        return bytes(self._chunks.get(chunk, b"")[place * _HASH : (place + 1) * _HASH])

    def _put(self, entry_no: int, entry_hash: bytes) -> None:
        known = self._known(entry_no)
        if any(known):
            if known != entry_hash and len(self.twice) < _MOST_TWICE:
                self.twice.add(entry_no)
            return
        number, place = divmod(entry_no, _CHUNK)
        chunk = self._chunks.setdefault(number, bytearray(_CHUNK * _HASH))
        chunk[place * _HASH : (place + 1) * _HASH] = entry_hash
