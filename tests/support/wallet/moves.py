"""Transfers, reversals and a tournament's money by short names, on a ledger of the tests."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from floor_wallet.domain import (
    AccountKey,
    AskReversal,
    Entry,
    Posted,
    PostTournament,
    Reverse,
    TournamentMove,
    Transfer,
    ask_reversal,
    post_tournament,
    reverse,
    transfer,
)
from floor_wallet.store.questions import EntriesAfter, UnpublishedEvents
from pokerfloor.api.wallet.v1 import events_pb2
from tests.support.wallet.ledger import Ledger

ENTRY, PRIZE, REFUND = TournamentMove.ENTRY, TournamentMove.PRIZE, TournamentMove.REFUND


async def move(
    ledger: Ledger,
    source: AccountKey,
    target: AccountKey,
    amount: int,
    request_id: str = "m1",
    *,
    caller: str = "desk",
    reason: str = "asked",
) -> Posted:
    command = Transfer(caller, request_id, source, target, amount, reason)
    return await ledger.run(partial(transfer, command, at_ms=ledger.now_ms))


async def ask(
    ledger: Ledger, entry_no: int, *, asked_by: str = "cashier", reason: str = "mistyped"
) -> None:
    command = AskReversal(asked_by, entry_no, reason)
    await ledger.run(partial(ask_reversal, command, at_ms=ledger.now_ms))


async def undo(
    ledger: Ledger,
    entry_no: int,
    request_id: str = "u1",
    *,
    caller: str = "boss",
    requested_by: str = "cashier",
    reason: str = "seen",
) -> Posted:
    command = Reverse(caller, request_id, entry_no, reason, requested_by)
    return await ledger.run(partial(reverse, command, at_ms=ledger.now_ms))


async def ask_and_undo(ledger: Ledger, entry_no: int, request_id: str = "u1") -> Posted:
    await ask(ledger, entry_no)
    return await undo(ledger, entry_no, request_id)


async def tournament(
    ledger: Ledger,
    what: TournamentMove,
    player: str,
    prize: int,
    fee: int = 0,
    request_id: str = "e1",
    *,
    of: str = "",
    table_id: str = "t1",
    epoch: int = 1,
    currency: str = "EUR",
) -> Posted:
    command = PostTournament(what, request_id, table_id, player, prize, fee, currency, epoch, of)
    return await ledger.run(partial(post_tournament, command, at_ms=ledger.now_ms))


async def last_entry(ledger: Ledger) -> Entry:
    page = await ledger.store.ask(EntriesAfter(0, 500))
    return page.entries[-1]


async def entry_facts(ledger: Ledger) -> Sequence[tuple[str, events_pb2.EntryPosted]]:
    """The facts of entries that wait to be published, each with its subject."""
    found = []
    for event in await ledger.store.ask(UnpublishedEvents(999)):
        fact = events_pb2.LedgerEvent.FromString(event.payload)
        if fact.HasField("entry_posted"):
            found.append((event.subject, fact.entry_posted))
    return found
