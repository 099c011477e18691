"""How far the wallet has settled each table's hands, and whether a table has to wait for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from pokerfloor.api.wallet.v1 import events_pb2
from pokerfloor.servicekit import Backoff, FloorNats, LogTruncated, StopSignal, get_logger

LEDGER_STREAM: Final = "FLOOR_LEDGER"
_SETTLED_HANDS: Final = "floor.ledger.*.hand_settled"

_log = get_logger("table.settlement")


class Settled:
    """The last settled hand of one table.

    Until the wallet has said how far it is, only the hands since this process began count.
    """

    def __init__(self, finished: int, limit: int) -> None:
        self._limit = limit
        self._last = finished
        self._known = False

    def note(self, hand_no: int) -> None:
        """Note that this hand and all before it are settled."""
        self._last = max(self._last, hand_no) if self._known else hand_no
        self._known = True

    def should_wait(self, finished: int, *, waits: bool) -> bool:
        """Tell whether the table has to wait; one that waits does so until half are settled."""
        lag = finished - self._last
        return lag > (self._limit // 2 if waits else self._limit)


async def follow_settlements(
    nats: FloorNats,
    stop: StopSignal,
    *,
    settled: Callable[[str, int], None],
    began: Callable[[], None],
) -> None:
    """Report every hand that the wallet settles from now on: (table_id, hand_no).

    The wallet makes the stream; until it is there, this waits. `began` is called when "now" has
    begun: what was settled before is to be asked of the wallet then.
    """
    backoff = Backoff(100, 2_000)
    while not stop.is_set():
        try:
            start_seq = await nats.last_seq(LEDGER_STREAM) + 1
            began()
            async for message in nats.follow(LEDGER_STREAM, _SETTLED_HANDS, start_seq, stop):
                event = events_pb2.LedgerEvent.FromString(message.data)
                settled(event.hand_settled.table_id, event.hand_settled.hand_no)
        except asyncio.CancelledError:
            raise
        except LogTruncated as reason:
            _log.error("ledger_stream_truncated", reason=str(reason))
        except Exception as reason:  # noqa: BLE001 - no stream yet, or no broker: look again
            _log.debug("settlements_unavailable", reason=repr(reason))
        await backoff.sleep(stop)
