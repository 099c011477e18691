"""The ledger against the tables' logs: what a log says once in the book, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Protocol

from pokerfloor.api.wallet.v1 import wallet_pb2
from pokerfloor.floorctl.ledger.book import Finding
from pokerfloor.floorctl.ledger.expected_entries import AccountKey, ExpectedEntry
from pokerfloor.floorctl.ledger.notation import account_key, account_name, entry_word

_CASH: Final = wallet_pb2.ACCOUNT_KIND_PLAYER_CASH
_RESERVED: Final = wallet_pb2.ACCOUNT_KIND_RESERVED
_POOL: Final = wallet_pb2.ACCOUNT_KIND_TOURNAMENT_POOL
_RAKE: Final = wallet_pb2.ACCOUNT_KIND_RAKE
_TIPS: Final = wallet_pb2.ACCOUNT_KIND_TIPS
_HOUSE: Final = wallet_pb2.ACCOUNT_KIND_HOUSE
_SUSPENSE: Final = wallet_pb2.ACCOUNT_KIND_SUSPENSE

#: Entries that only a table's log can cause.
OF_THE_LOG: Final = frozenset(
    {
        wallet_pb2.ENTRY_KIND_BUY_IN,
        wallet_pb2.ENTRY_KIND_TOP_UP,
        wallet_pb2.ENTRY_KIND_HAND,
        wallet_pb2.ENTRY_KIND_CASH_OUT,
        wallet_pb2.ENTRY_KIND_CARRIED_POT,
    }
)
# What the other kinds may move; escrow and carried pots are in none.
_BY_HAND: Final = frozenset({_CASH, _RAKE, _TIPS, _HOUSE, _SUSPENSE})
_MAY_MOVE: Final[dict[int, frozenset[int]]] = {
    wallet_pb2.ENTRY_KIND_DEPOSIT: frozenset({_CASH, _HOUSE}),
    wallet_pb2.ENTRY_KIND_WITHDRAWAL: frozenset({_CASH, _HOUSE}),
    wallet_pb2.ENTRY_KIND_RESERVATION: frozenset({_CASH, _RESERVED}),
    wallet_pb2.ENTRY_KIND_RESERVATION_VOID: frozenset({_CASH, _RESERVED}),
    wallet_pb2.ENTRY_KIND_TOURNAMENT: frozenset({_CASH, _POOL, _RAKE}),
    wallet_pb2.ENTRY_KIND_TRANSFER: _BY_HAND,
    wallet_pb2.ENTRY_KIND_REVERSAL: _BY_HAND | {_POOL},
}


class ExpectedEntries(Protocol):
    """Where the logs are read."""

    async def next(self, table_id: str) -> ExpectedEntry | None:
        """Return what a table's log demands next, None when it says no more."""
        ...

    @property
    def unread(self) -> Mapping[str, str]:
        """Why logs cannot be read, by table."""
        ...


class Hands(Protocol):
    """The wallet's own list of settled hands."""

    async def hand(self, table_id: str, hand_no: int) -> wallet_pb2.SettledHand | None:
        """Return a settled hand, None when it is not in the list."""
        ...


def not_its_business(entry: wallet_pb2.Entry) -> Iterator[Finding]:
    """Yield what an entry that comes from no log moves, though its kind never does."""
    allowed = _MAY_MOVE.get(entry.kind, frozenset())
    for posting in entry.postings:
        if posting.account.kind not in allowed:
            name = account_name(*account_key(posting))
            what = f"an entry of the kind {entry_word(entry.kind)} never moves {name}"
            yield Finding(entry.entry_no, entry.entry_id, what)


class TableMatch:
    """One table's entries against its log, in their order.

    Holds what the log says and the ledger has not shown yet; in a sound book that is nothing.
    """

    def __init__(
        self, table_id: str, expected: ExpectedEntries, hands: Hands, taken_seq: int
    ) -> None:
        """Match up to `taken_seq` at least: the wallet had read it before its entries were read."""
        self.table_id = table_id
        self.taken_seq = taken_seq
        self.matched = 0
        self.hands = 0
        #: What escrows and pot hold by the log, after what was matched.
        self.held: dict[AccountKey, int] = {}
        self._expected = expected
        self._hands = hands
        self._waiting: dict[str, ExpectedEntry] = {}

    async def take(self, entry: wallet_pb2.Entry) -> list[Finding]:
        """Match the next entry of the table."""
        found: list[Finding] = []
        expected = self._waiting.pop(entry.entry_id, None) or await self._find(
            entry.entry_id, found
        )
        if expected is None and self.table_id in self._expected.unread:
            return found
        if expected is None:
            what = f"the log of {self.table_id or 'no table'} does not say it, or said it once"
            return [*found, Finding(entry.entry_no, entry.entry_id, what)]
        self.matched += 1
        self.held.update(expected.after)
        found += [
            Finding(entry.entry_no, entry.entry_id, f"{expected.what}: {what}")
            for what in _differences(expected, entry)
        ]
        if expected.hand_no:
            found += await self._check_hand(expected, entry.entry_no)
        return found

    async def end(self) -> list[Finding]:
        """Return what the wallet has read and not posted."""
        found: list[Finding] = []
        while (expected := await self._expected.next(self.table_id)) is not None:
            if expected.table_seq > self.taken_seq:
                break
            if expected.entry_id:
                self._waiting[expected.entry_id] = expected
            else:
                found += await self._check_hand(expected, 0)
        found += [
            Finding(0, "", f"{expected.what}, step {expected.table_seq}, is not in the ledger")
            for expected in self._waiting.values()
            if expected.table_seq <= self.taken_seq
        ]
        return found

    async def _find(self, entry_id: str, found: list[Finding]) -> ExpectedEntry | None:
        """Read on in the log until it demands the entry."""
        while (expected := await self._expected.next(self.table_id)) is not None:
            if expected.entry_id == entry_id:
                return expected
            if expected.entry_id:
                self._waiting[expected.entry_id] = expected
            else:
                found += await self._check_hand(expected, 0)
        return None

    async def _check_hand(self, expected: ExpectedEntry, entry_no: int) -> list[Finding]:
        """Compare a hand with the wallet's list, which the rake is added up from."""
        if expected.table_seq > self.taken_seq and not entry_no:
            return []
        self.hands += 1
        hand = await self._hands.hand(self.table_id, expected.hand_no)
        if hand is None:
            return [
                Finding(
                    entry_no, expected.entry_id, f"{expected.what} is not among the settled hands"
                )
            ]
        if (hand.entry_no, hand.rake_minor) == (entry_no, expected.rake_minor):
            return []
        what = (
            f"{expected.what} has the rake {expected.rake_minor} and this entry, "
            f"the list of settled hands says {hand.rake_minor} and entry {hand.entry_no}"
        )
        return [Finding(entry_no, expected.entry_id, what)]


def _differences(expected: ExpectedEntry, entry: wallet_pb2.Entry) -> Iterator[str]:
    posted = {account_key(posting): posting for posting in entry.postings}
    wanted = dict(expected.movements)
    for kind, player in expected.movements:
        # A reservation that expired before its commit was read is paid from cash.
        if kind == _RESERVED and (_CASH, player) in posted:
            wanted[_CASH, player] = wanted.pop((_RESERVED, player))
    for place in sorted({*wanted, *posted}):
        says, has = wanted.get(place, 0), posted[place].amount_minor if place in posted else 0
        if says != has:
            yield f"the log moves {account_name(*place)} by {says}, the entry by {has}"
    for place, held in expected.after.items():
        if place in posted and posted[place].balance_minor != held:
            balance = posted[place].balance_minor
            yield f"{account_name(*place)} holds {held} by the log and {balance} by the entry"
    envelope = (
        ("kind", expected.kind, entry.kind),
        ("currency", expected.currency, entry.currency),
        ("hand", expected.hand_no, entry.hand_no),
        ("reference", expected.reference, entry.reference),
    )
    for name, by_log, by_entry in envelope:
        if by_log != by_entry:
            yield f"the {name} is {by_log!r} by the log and {by_entry!r} by the entry"
