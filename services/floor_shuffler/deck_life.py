"""CreateDeck, CommitDeck, CloseDeck: how a deck comes and goes."""

from __future__ import annotations

from contextlib import aclosing
from hashlib import sha256

from floor_shuffler import checks
from floor_shuffler.deck import (
    COMPOSITIONS,
    OPEN,
    SEALED,
    SETTLED,
    VOID,
    Cause,
    Deck,
    not_justified,
)
from floor_shuffler.desk import Asked, Desk, deck_ref, step_ref, unknown_deck, wrong_state
from floor_shuffler.generator import DeckSource
from floor_shuffler.metrics import DECKS, DECKS_UNCLOSED
from floor_shuffler.reshuffles import Reshuffles
from floor_shuffler.steps import HAND, DeckBegin, DeckEnd, LogBook, begins, ends
from floor_shuffler.store import TableRow
from floor_shuffler.table_log import StoredStep
from pokerfloor.api.common.v1 import cards_pb2, errors_pb2
from pokerfloor.api.internal.shuffler.v1 import dealing_pb2
from pokerfloor.api.shuffler.v1 import events_pb2, shuffler_pb2
from pokerfloor.fairness import DeckId
from pokerfloor.servicekit import FloorError, get_logger

_log = get_logger("shuffler.decks")


class DeckLife:
    """Makes, commits and ends decks; numbers without gaps, each with an end in the log."""

    def __init__(self, desk: Desk, source: DeckSource) -> None:
        self._desk = desk
        self._source = source
        self._reshuffles = Reshuffles(desk, source)

    async def open(self, request: dealing_pb2.CreateDeckRequest) -> dealing_pb2.CreateDeckResponse:
        """Make the table's next deck; a repeat answers what the deck has become."""
        deck = checks.deck(request.deck)
        checks.new_deck(request)
        ref = checks.cause(request.cause)
        async with self._desk.at(deck.table_id):
            row, found = await self._desk.books(deck)
            await self._desk.check_epoch(deck.table_id, row, request.owner_epoch)
            if request.generation:
                return await self._reshuffles.open(deck, found, request)
            if found is not None:
                return _opened_before(found, request)
            stored = await self._desk.log.cause(deck.table_id, ref)
            begin = _begin_of(stored, deck, request)
            await self._end_earlier(row, deck, stored)
            made = Deck(
                id=deck,
                hand_no=begin.hand_no,
                purpose=begin.purpose,
                composition=request.composition,
                opened_by=stored.cause,
                players=dict(begin.players),
                reserves=begin.reserves,
                generations=(self._source(deck, 0, COMPOSITIONS[request.composition].cards),),
            )
            await self._add(made)
            DECKS.labels("opened").inc()
            DECKS_UNCLOSED.inc()
            return dealing_pb2.CreateDeckResponse(state=OPEN)

    async def seal(self, request: dealing_pb2.CommitDeckRequest) -> dealing_pb2.CommitDeckResponse:
        """Make the root public; a repeat gives the same root."""
        deck = checks.deck(request.deck)
        async with self._desk.at(deck.table_id):
            row, found = await self._desk.books(deck)
            await self._desk.check_epoch(deck.table_id, row, request.owner_epoch)
            if found is None:
                raise unknown_deck(deck)
            if found.sealed_generations < len(found.generations) or not found.generations:
                if found.closed:
                    raise wrong_state("the deck ended before it was committed")
                await self._seal(found)
            order = found.order
            return dealing_pb2.CommitDeckResponse(
                root=order.commitment.root, generation=order.generation, size=len(order.cards)
            )

    async def close(self, request: dealing_pb2.CloseDeckRequest) -> None:
        """End a deck as the log ends its hand; a repeat changes nothing."""
        deck = checks.deck(request.deck)
        checks.closing(request)
        ref = checks.cause(request.cause)
        async with self._desk.watched(Asked("CloseDeck", deck.table_id, deck, cause=ref)):
            row, found = await self._desk.books(deck)
            await self._desk.check_epoch(deck.table_id, row, request.owner_epoch)
            if found is not None and found.closed:
                if found.state != request.outcome:
                    raise wrong_state("the deck has ended otherwise")
                return
            stored = await self._desk.log.cause(deck.table_id, ref)
            if found is None:
                if request.outcome != VOID or deck.deck_no <= row.last_deck_no:
                    raise unknown_deck(deck)
                await self._end_earlier(row, DeckId(deck.table_id, deck.deck_no + 1), stored)
                return
            if request.outcome == SETTLED and not found.sealed:
                raise wrong_state("a deck that was never committed cannot be settled")
            ended_by = await self._end_of(found, request.outcome, stored)
            await self._close(found, request.outcome, request.void_reason, ended_by)

    async def _end_of(
        self, deck: Deck, outcome: shuffler_pb2.DeckState.ValueType, stored: StoredStep
    ) -> Cause:
        """Find the step that ended the deck's hand in this way, at or before the one named.

        A hand that was won without a showdown is put away some seconds after it ended, when its
        winner can show no more (SHW-3): then the step named is a later one. Raises FloorError
        NOT_JUSTIFIED.
        """
        later = stored.cause.table_seq > deck.opened_by.table_seq
        if later and any(_is_end_of(deck, end, outcome) for end in ends(stored.step)):
            return stored.cause
        ended = (await self._read_log(deck, stored, deck.id.table_id)).ended.get(deck.id.deck_no)
        if ended is None or ended[0].outcome != outcome:
            raise not_justified("the log does not end the deck's hand in this way")
        return ended[1]

    async def _seal(self, deck: Deck) -> None:
        order = deck.order
        event = events_pb2.DeckCommitted(
            deck=deck_ref(deck.id), generation=order.generation, root=order.commitment.root
        )
        await self._desk.events.append(
            events_pb2.ShufflerEvent(deck_committed=event),
            f"{deck.id.table_id}/{deck.id.deck_no}/sealed/{order.generation}",
            deck.id.table_id,
        )
        deck.sealed_generations, deck.state = len(deck.generations), SEALED
        await self._save(deck)
        DECKS.labels("sealed").inc()

    async def _close(
        self,
        deck: Deck,
        outcome: shuffler_pb2.DeckState.ValueType,
        void_reason: str,
        cause: Cause,
    ) -> None:
        event = events_pb2.DeckClosed(
            deck=deck_ref(deck.id),
            outcome=outcome,
            void_reason=void_reason,
            cause=step_ref(deck.id.table_id, cause),
        )
        why = f"/{sha256(void_reason.encode()).hexdigest()[:16]}" if void_reason else ""
        await self._desk.events.append(
            events_pb2.ShufflerEvent(deck_closed=event),
            f"{deck.id.table_id}/{deck.id.deck_no}/closed/{cause.table_seq}/{outcome}{why}",
            deck.id.table_id,
        )
        deck.state, deck.void_reason = outcome, void_reason
        await self._save(deck)
        DECKS.labels("settled" if outcome == SETTLED else "void").inc()
        DECKS_UNCLOSED.dec()

    async def _add(self, deck: Deck) -> None:
        event = events_pb2.DeckCreated(
            deck=deck_ref(deck.id),
            hand_no=deck.hand_no,
            purpose=deck.purpose,
            composition=deck.composition,
            generation=0,
        )
        await self._desk.events.append(
            events_pb2.ShufflerEvent(deck_created=event),
            f"{deck.id.table_id}/{deck.id.deck_no}/opened/{deck.opened_by.table_seq}/{deck.composition}",
            deck.id.table_id,
        )
        await self._desk.store.run(self._desk.store.store.add_deck, deck)

    async def _save(self, deck: Deck) -> None:
        await self._desk.store.run(self._desk.store.store.save_deck, deck)

    async def _end_earlier(self, row: TableRow, new: DeckId, stored: StoredStep) -> None:
        """End what the log has ended before the deck `new`, so that numbers have no gaps.

        A table can stop, or find no shuffler, between the end of a hand and its CloseDeck; and a
        hand can be voided before its deck was ever asked for. Raises FloorError
        WRONG_DECK_STATE when the deck before has not ended, and DECK_NUMBER_GAP.
        """
        last = await self._last_deck(row, new.table_id)
        unclosed = last is not None and not last.closed
        if new.deck_no == row.last_deck_no + 1 and not unclosed:
            return
        if new.deck_no <= row.last_deck_no:
            raise _gap(row)
        book = await self._read_log(last, stored, new.table_id)
        if last is not None and unclosed:
            ended = book.ended.get(last.id.deck_no)
            if ended is None or (ended[0].outcome == SETTLED and not last.sealed):
                raise wrong_state("the hand of the deck before has not ended")
            end, cause = ended
            await self._close(last, end.outcome, end.reason, cause)
        for deck_no in range(row.last_deck_no + 1, new.deck_no):
            await self._note_never_made(DeckId(new.table_id, deck_no), book, row)

    async def _read_log(self, last: Deck | None, upto: StoredStep, table_id: str) -> LogBook:
        """Read which decks the log opened and ended since the last one was opened."""
        book = LogBook()
        first = 1 if last is None else last.opened_by.stream_seq
        async with aclosing(self._desk.log.steps(table_id, first, upto.cause.stream_seq)) as steps:
            async for step, cause in steps:
                book.read(step, cause)
        return book

    async def _note_never_made(self, deck: DeckId, book: LogBook, row: TableRow) -> None:
        """Give a number to a deck that was never asked for, if the log has its hand as void."""
        begun, ended = book.begun.get(deck.deck_no), book.ended.get(deck.deck_no)
        if begun is None or ended is None or ended[0].outcome != VOID:
            raise _gap(row)
        (begin, opened_by), (end, cause) = begun, ended
        never = Deck(
            id=deck,
            hand_no=begin.hand_no,
            purpose=begin.purpose,
            composition=cards_pb2.DECK_COMPOSITION_UNSPECIFIED,
            opened_by=opened_by,
            players=dict(begin.players),
            generations=(),
        )
        await self._add(never)
        DECKS_UNCLOSED.inc()
        await self._close(never, VOID, end.reason, cause)
        _log.warning("a deck was never made", table_id=deck.table_id, deck_no=deck.deck_no)

    async def _last_deck(self, row: TableRow, table_id: str) -> Deck | None:
        if not row.last_deck_no:
            return None
        _, last = await self._desk.books(DeckId(table_id, row.last_deck_no))
        assert last is not None, "the last deck's number is stored together with the deck"
        return last


def _opened_before(
    deck: Deck, request: dealing_pb2.CreateDeckRequest
) -> dealing_pb2.CreateDeckResponse:
    before = (deck.hand_no, deck.purpose, deck.composition, deck.opened_by)
    cause = Cause(request.cause.table_seq, request.cause.stream_seq)
    if before != (request.hand_no, request.purpose, request.composition, cause):
        raise FloorError(
            errors_pb2.ERROR_CODE_ID_REUSED, "this deck was opened with other content", "deck"
        )
    return dealing_pb2.CreateDeckResponse(state=deck.state)


def _begin_of(
    stored: StoredStep, deck: DeckId, request: dealing_pb2.CreateDeckRequest
) -> DeckBegin:
    for begin in begins(stored.step):
        if begin.deck_no == deck.deck_no:
            if (begin.hand_no, begin.purpose) != (request.hand_no, request.purpose):
                raise not_justified("the step opens this deck for something else")
            return begin
    raise not_justified("the step opens no hand or draw with this deck")


def _is_end_of(deck: Deck, end: DeckEnd, outcome: shuffler_pb2.DeckState.ValueType) -> bool:
    return end.outcome == outcome and end.hand_no == (deck.hand_no if deck.purpose == HAND else 0)


def _gap(row: TableRow) -> FloorError:
    return FloorError(
        errors_pb2.ERROR_CODE_DECK_NUMBER_GAP,
        f"the table's last deck is {row.last_deck_no}",
        "deck.deck_no",
    )
