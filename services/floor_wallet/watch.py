"""The metrics of the whole book, refreshed every now and then."""

from __future__ import annotations

from collections.abc import Callable

from floor_wallet.metrics import (
    BOOK_TOTAL,
    LAG_STEPS,
    OUTBOX_AGE_SECONDS,
    OUTBOX_EVENTS,
    STOPPED_TABLES,
)
from floor_wallet.store import LedgerStore, StoreUnavailable
from floor_wallet.store.questions import BookSummary
from pokerfloor.servicekit import FloorNats, LogUnavailable, StopSignal, get_logger, wait_for_stop
from pokerfloor.tablelog import TABLE_LOG

_log = get_logger("wallet.watch")


async def watch(
    store: LedgerStore,
    nats: FloorNats,
    *,
    followed_to: Callable[[], int],
    now_ms: Callable[[], int],
    poll_ms: int,
    stop: StopSignal,
) -> None:
    """Keep the gauges, until `stop` is set. It also finds out that the store is back."""
    while not await wait_for_stop(stop, poll_ms):
        try:
            summary = await store.ask(BookSummary())
            last_seq = await nats.last_seq(TABLE_LOG.name)
        except (StoreUnavailable, LogUnavailable) as error:
            _log.warning("metrics_stale", reason=str(error))
            continue
        for currency, total in summary.totals:
            BOOK_TOTAL.labels(currency).set(total)
            if total:
                _log.error("book_unbalanced", currency=currency, total_minor=total)
        STOPPED_TABLES.set(summary.stopped_tables)
        OUTBOX_EVENTS.set(summary.outbox_events)
        oldest = summary.oldest_event_at_ms
        OUTBOX_AGE_SECONDS.set(max(0, now_ms() - oldest) / 1000 if oldest is not None else 0)
        LAG_STEPS.set(max(0, last_seq - followed_to()))
