"""Reservations that nobody committed in time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby

from floor_wallet.domain import ExpireReservation, Reservation, expire
from floor_wallet.metrics import EXPIRED
from floor_wallet.store import LedgerStore, Refused, StoreUnavailable
from floor_wallet.store.questions import OverdueReservations
from pokerfloor.servicekit import FloorNats, LogUnavailable, StopSignal, get_logger, wait_for_stop
from pokerfloor.tablelog import TABLE_LOG, table_subject

_MAX_AT_ONCE = 256

_log = get_logger("wallet.expiry")


class Expiry:
    """Gives expired reservations up, but never one whose commit may lie unread in the log.

    A table logs no commit after the expiry. So the table's last step is looked up when the grace
    is over, and the money goes back only after the follower has taken that step in.
    """

    def __init__(
        self,
        nats: FloorNats,
        store: LedgerStore,
        *,
        grace_ms: int,
        poll_ms: int,
        now_ms: Callable[[], int],
    ) -> None:
        self._nats = nats
        self._store = store
        self._grace_ms = grace_ms
        self._poll_ms = poll_ms
        self._now_ms = now_ms

    async def run(self, stop: StopSignal) -> None:
        """Look every now and then, until `stop` is set."""
        while not await wait_for_stop(stop, self._poll_ms):
            try:
                await self._look()
            except (LogUnavailable, StoreUnavailable, Refused) as error:
                _log.warning("expiry_waits", reason=str(error))

    async def _look(self) -> None:
        """Go through all of them: those of a stopped table wait, and must not hide the others."""
        before_ms = self._now_ms() - self._grace_ms
        last: Reservation | None = None
        while page := await self._store.ask(OverdueReservations(before_ms, _MAX_AT_ONCE, last)):
            await self._look_at(page)
            last = page[-1]

    async def _look_at(self, overdue: Sequence[Reservation]) -> None:
        by_table = sorted(overdue, key=lambda reservation: reservation.table_id)
        for table_id, reservations in groupby(by_table, key=lambda one: one.table_id):
            last = await self._nats.last_message(TABLE_LOG.name, table_subject(table_id))
            await self._give_up(list(reservations), last.seq if last else 0)

    async def _give_up(self, reservations: Sequence[Reservation], read_to_seq: int) -> None:
        for reservation in reservations:
            command = ExpireReservation(reservation.reservation_id, read_to_seq)
            work = partial(expire, command, at_ms=self._now_ms(), grace_ms=self._grace_ms)
            if await self._store.execute(work, command.reads):
                EXPIRED.inc()
                _log.info(
                    "reservation_expired",
                    table_id=reservation.table_id,
                    reservation_id=reservation.reservation_id,
                )
