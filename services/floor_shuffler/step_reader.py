"""The table log as the shuffler reads it.

A cause is believed because it is stored, not because it is named.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Final

from floor_shuffler.domain.deck import Deck
from floor_shuffler.domain.refs import Cause
from floor_shuffler.domain.steps import DeckHistory, StoredStep
from floor_shuffler.metrics import LOG_READS
from pokerfloor.api.common.v1 import cards_pb2, errors_pb2
from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.servicekit import FloorError, FloorNats, StoredMessage
from pokerfloor.tablelog import TABLE_LOG, read_step, table_subject

# More steps than any hand, and than any pause between two hands, can have.
_MAX_STEPS: Final = 50_000


class StepReader:
    """Reads the steps that a request or a deck hangs on, by their number in the stream."""

    def __init__(self, nats: FloorNats) -> None:
        self._nats = nats

    async def cause(self, table_id: str, ref: cards_pb2.StepRef) -> StoredStep:
        """Return the step that a request names as its cause.

        Raises FloorError CAUSE_NOT_FOUND unless exactly this step of this table is stored there,
        and LogUnavailable.
        """
        if ref.table_id != table_id:
            raise _not_found("the cause is a step of another table")
        stored = await self._nats.message_at(TABLE_LOG.name, ref.stream_seq)
        step = _step_in(stored, table_id)
        if step is None or step.table_seq != ref.table_seq:
            raise _not_found(
                f"step {ref.table_seq} of table {table_id} is not stored at {ref.stream_seq}"
            )
        return StoredStep(step, Cause.of(ref))

    async def last_epoch(self, table_id: str) -> int:
        """Return the epoch of the table's last step, 0 for none. Raises LogUnavailable."""
        stored = await self._nats.last_message(TABLE_LOG.name, table_subject(table_id))
        step = _step_in(stored, table_id)
        return 0 if step is None else step.owner_epoch

    async def unread(self, deck: Deck, upto: StoredStep) -> Sequence[StoredStep]:
        """Return the steps of the deck's hand up to this one that were not applied to it yet.

        Raises FloorError CAUSE_NOT_FOUND for too many, and LogUnavailable; so do all below.
        """
        # Where it is the stream's very next message there is nothing between.
        if upto.cause.stream_seq <= deck.read_to + 1:
            return [upto]
        return await self._of_deck(deck, deck.unread_from, upto.cause.stream_seq)

    async def newer(self, deck: Deck) -> Sequence[StoredStep]:
        """Return all steps of the deck's hand that were not applied to it yet."""
        return await self._of_deck(deck, deck.unread_from, None)

    async def hand(self, deck: Deck, upto: StoredStep) -> Sequence[StoredStep]:
        """Return the steps of the deck's hand from its beginning up to this one."""
        return await self._of_deck(deck, deck.began.stream_seq, upto.cause.stream_seq)

    async def history(self, table_id: str, last: Deck | None, upto: Cause) -> DeckHistory:
        """Return which decks the log began and ended since the last one began, up to a step."""
        history = DeckHistory()
        first = 1 if last is None else last.began.stream_seq
        async with aclosing(self._steps(table_id, first, upto.stream_seq)) as steps:
            async for stored in steps:
                history.read(stored)
        return history

    async def _of_deck(self, deck: Deck, first: int, last: int | None) -> Sequence[StoredStep]:
        async with aclosing(self._steps(deck.id.table_id, first, last)) as steps:
            return [stored async for stored in steps if deck.has(stored.step)]

    async def _steps(
        self, table_id: str, first_stream_seq: int, last_stream_seq: int | None
    ) -> AsyncGenerator[StoredStep]:
        """Yield the table's steps in order, both ends included; up to the newest for None."""
        LOG_READS.inc()
        count = 0
        reader = self._nats.read_from(TABLE_LOG.name, table_subject(table_id), first_stream_seq)
        async with aclosing(reader) as messages:
            async for stored in messages:
                if last_stream_seq is not None and stored.seq > last_stream_seq:
                    return
                step = _step_in(stored, table_id)
                if step is None:
                    raise _not_found(f"message {stored.seq} of the log is no step of this table")
                yield StoredStep(step, Cause(step.table_seq, stored.seq))
                count += 1
                if count == _MAX_STEPS:
                    raise _not_found(f"the cause is more than {_MAX_STEPS} steps away")


def _step_in(stored: StoredMessage | None, table_id: str) -> step_pb2.Step | None:
    return None if stored is None else read_step(table_id, stored.subject, stored.data)


def _not_found(reason: str) -> FloorError:
    return FloorError(errors_pb2.ERROR_CODE_CAUSE_NOT_FOUND, reason, "cause")
