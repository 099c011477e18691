"""Publishing the facts that were committed with their entries."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter
from typing import Final

from floor_wallet.store import LedgerStore, Refused, StoreUnavailable
from floor_wallet.store.interface import AGAIN_MAX_MS
from floor_wallet.store.questions import LastEventId, OutboxEvent, UnpublishedEvents
from pokerfloor.servicekit import (
    Backoff,
    CannotStart,
    FloorNats,
    LogUnavailable,
    StopSignal,
    StreamSpec,
    WrongSequence,
    get_logger,
    wait_for_stop,
)

LEDGER_STREAM: Final = StreamSpec(
    name="FLOOR_LEDGER",
    subjects=("floor.ledger.>",),
    description="Facts of the ledger: entries posted, hands settled, settlements stopped.",
)

_MAX_AT_ONCE: Final = 512
_MAX_SUBJECTS_AT_ONCE: Final = 16
_MAX_SUBJECTS_KNOWN: Final = 10_000
_POLL_MS: Final = 50

_log = get_logger("wallet.outbox")


class OutboxRelay:
    """Appends facts to FLOOR_LEDGER in their order by subject, and takes them out once stored.

    A fact that was stored just before a crash is found as its subject's last message, so it is
    not stored again, however long the wallet was away.
    """

    def __init__(self, nats: FloorNats, store: LedgerStore) -> None:
        self._nats = nats
        self._store = store
        # By subject: the stream's number and the id of its last message.
        self._last: OrderedDict[str, tuple[int, str]] = OrderedDict()

    async def run(self, stop: StopSignal) -> None:
        """Relay until `stop` is set."""
        backoff = Backoff(_POLL_MS, AGAIN_MAX_MS)
        while not stop.is_set():
            try:
                found = await self._relay_some()
                backoff.reset()
            except (LogUnavailable, WrongSequence, StoreUnavailable, Refused) as error:
                _log.warning("facts_wait", reason=str(error))
                self._last.clear()
                await backoff.sleep(stop)
                continue
            if not found:
                await wait_for_stop(stop, _POLL_MS)

    async def _relay_some(self) -> bool:
        """Publish what waits; return whether there was anything. What failed is left for later."""
        events = await self._store.ask(UnpublishedEvents(_MAX_AT_ONCE))
        in_order = sorted(events, key=attrgetter("subject", "outbox_no"))
        by_subject = [list(group) for _, group in groupby(in_order, key=attrgetter("subject"))]
        slots = asyncio.Semaphore(_MAX_SUBJECTS_AT_ONCE)
        stored: list[int] = []
        outcomes = await asyncio.gather(
            *(self._publish(group, slots, stored) for group in by_subject), return_exceptions=True
        )
        if stored:
            await self._store.execute(lambda book: book.delete_events(stored))
        for outcome in outcomes:
            if isinstance(outcome, BaseException):
                raise outcome
        return bool(events)

    async def _publish(
        self, events: Sequence[OutboxEvent], slots: asyncio.Semaphore, stored: list[int]
    ) -> None:
        subject = events[0].subject
        async with slots:
            last_seq, last_id = await self._last_of(subject)
            for event in events:
                if not _is_stored(event.event_id, last_id):
                    last_seq = await self._nats.append(
                        subject, event.payload, expected_last_seq=last_seq, msg_id=event.event_id
                    )
                    self._remember(subject, last_seq, event.event_id)
                stored.append(event.outbox_no)

    async def _last_of(self, subject: str) -> tuple[int, str]:
        known = self._last.get(subject)
        if known is None:
            message = await self._nats.last_message(LEDGER_STREAM.name, subject)
            known = (message.seq, message.msg_id) if message else (0, "")
        return known

    def _remember(self, subject: str, seq: int, event_id: str) -> None:
        self._last[subject] = (seq, event_id)
        self._last.move_to_end(subject)
        if len(self._last) > _MAX_SUBJECTS_KNOWN:
            self._last.popitem(last=False)


async def check_facts(nats: FloorNats, store: LedgerStore) -> None:
    """Make sure that the facts on the broker are this ledger's. Raises CannotStart.

    A ledger that lost its file, or is back from a backup, knows nothing of money that others were
    informed of, and would give its next facts numbers that are taken.
    """
    last_seq = await nats.last_seq(LEDGER_STREAM.name)
    message = await nats.message_at(LEDGER_STREAM.name, last_seq)
    if message is None:
        return
    own, _, newest = (await store.ask(LastEventId())).rpartition("-")
    ledger, _, number = message.msg_id.rpartition("-")
    if ledger != own:
        raise CannotStart(
            f"the ledger is {own}, but stream {LEDGER_STREAM.name} holds the facts of {ledger}: "
            "bring its file back, or delete the stream to begin a new book"
        )
    if int(number) > int(newest):
        raise CannotStart(
            f"the ledger has {int(newest)} facts, but stream {LEDGER_STREAM.name} holds number "
            f"{int(number)}: the file is older than what was published"
        )


def _is_stored(event_id: str, last_id: str) -> bool:
    """Return whether a fact is the subject's last message or came before it.

    Ids of one ledger are "<ledger>-<number>", published in the order of their numbers.
    """
    ledger, _, number = event_id.rpartition("-")
    last_ledger, _, last_number = last_id.rpartition("-")
    return ledger == last_ledger and int(number) <= int(last_number)
