"""Entries undone by two people, once; on every store."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from floor_wallet.domain import EntryKind, Posted, cash, house, rake, suspense, tips
from floor_wallet.store import Refused
from floor_wallet.store.questions import EntriesAfter, LineFilter, StatementOf
from pokerfloor.api.common.v1 import errors_pb2
from tests.support.wallet.ledger import Ledger
from tests.support.wallet.moves import (
    ENTRY,
    PRIZE,
    REFUND,
    ask,
    ask_and_undo,
    entry_facts,
    last_entry,
    move,
    tournament,
    undo,
)
from tests.support.wallet.refused import refusal
from tests.support.wallet.table_log import ROOM, TableLog, ended, left, opened, taken

SECOND = errors_pb2.ERROR_CODE_SECOND_PERSON_NEEDED
NOT_REVERSIBLE = errors_pb2.ERROR_CODE_NOT_REVERSIBLE
UNDONE = errors_pb2.ERROR_CODE_ALREADY_REVERSED
TOO_FEW = errors_pb2.ERROR_CODE_INSUFFICIENT_FUNDS
REUSED = errors_pb2.ERROR_CODE_ID_REUSED
INVALID = errors_pb2.ERROR_CODE_INVALID_FIELD
UNKNOWN_ENTRY = errors_pb2.ERROR_CODE_UNKNOWN_ENTRY


@pytest.mark.rule("DLR-8")
async def test_one_asks_another_does_it(ledger: Ledger) -> None:
    await ledger.rich("ann", amount=5_000)
    await ask(ledger, 1, reason="wrong player")
    ledger.now_ms = 20_000
    assert await undo(ledger, 1, reason="checked the slip") == Posted(2, 0)
    assert await ledger.totals() == {}
    entry = await last_entry(ledger)
    draft = entry.draft
    assert (draft.kind, draft.entry_id, draft.reference) == (EntryKind.REVERSAL, "reverse/1", "1")
    assert draft.note == 'asked by "cashier", reversed by "boss": checked the slip'
    assert {p.account: p.amount_minor for p in entry.postings} == {
        cash("ann", "EUR"): -5_000,
        house("EUR"): 5_000,
    }
    subject, fact = (await entry_facts(ledger))[-1]
    assert subject == "floor.ledger.cash.entry_posted"
    assert (fact.entry_no, EntryKind(fact.kind)) == (2, EntryKind.REVERSAL)


async def test_a_name_cannot_pass_for_two(ledger: Ledger) -> None:
    await ledger.rich("ann", amount=5_000)
    sly = 'cashier", reversed by "boss'
    await ask(ledger, 1, asked_by=sly)
    await undo(ledger, 1, requested_by=sly, caller="eve")
    note = (await last_entry(ledger)).draft.note
    assert note == 'asked by "cashier\\", reversed by \\"boss", reversed by "eve": seen'


async def test_everything_that_people_have_moved(ledger: Ledger) -> None:
    await ledger.rich("ann", "bob", amount=5_000)
    await ledger.register()
    before = await ledger.totals()
    entries = [
        await ledger.deposit("ann", 700, "d1"),
        await ledger.withdraw("bob", 200, "w1"),
        await move(ledger, cash("ann", "EUR"), cash("bob", "EUR"), 40, "m1"),
        await move(ledger, house("EUR"), suspense("EUR"), 9, "m2"),
        await move(ledger, cash("bob", "EUR"), tips(ROOM, "EUR"), 5, "m3"),
        await tournament(ledger, ENTRY, "ann", 1_000, 100),
        await tournament(ledger, PRIZE, "bob", 600, request_id="p1"),
    ]
    told = []
    for posted in reversed(entries):
        undone = await ask_and_undo(ledger, posted.entry_no, f"u{posted.entry_no}")
        told.append(undone.balance_minor)
    # One player's cash; of two players, or none, the account that the money came from.
    assert told == [4_835, 5_660, 4_840, 0, 4_800, 5_000, 5_000]
    assert await ledger.totals() == before
    for posted in entries:
        assert await refusal(undo(ledger, posted.entry_no, "again")) == UNDONE


async def test_the_same_id_answers_as_the_first_time(ledger: Ledger) -> None:
    await ledger.rich("ann", "bob", amount=5_000)
    first = await ask_and_undo(ledger, 1)
    await ledger.deposit("ann", 10, "d1")
    assert await undo(ledger, 1) == first
    assert await ledger.cash("ann") == 10
    assert await refusal(undo(ledger, 1, reason="else")) == REUSED
    assert await refusal(undo(ledger, 2)) == REUSED
    assert await refusal(undo(ledger, 1, requested_by="else")) == REUSED
    # Another id, or another person's, is another try to do it.
    assert await refusal(undo(ledger, 1, "u2")) == UNDONE
    await refusal(ask(ledger, 1, asked_by="other"))
    assert await refusal(undo(ledger, 1, caller="chief")) == UNDONE


async def test_it_takes_two(ledger: Ledger) -> None:
    await ledger.rich("ann", amount=5_000)
    assert await refusal(undo(ledger, 1)) == SECOND  # nobody has asked
    await ask(ledger, 1, asked_by="boss")
    assert await refusal(undo(ledger, 1, requested_by="boss")) == SECOND
    assert await refusal(undo(ledger, 1, requested_by="cashier")) == SECOND
    assert await refusal(undo(ledger, 1, requested_by="")) == SECOND
    # One's own wish stands for another to act on, and hinders nobody else's.
    await ask(ledger, 1)
    assert (await undo(ledger, 1)).balance_minor == 0


async def test_a_wish_is_for_its_entry(ledger: Ledger) -> None:
    await ledger.rich("ann", "bob", amount=5_000)
    await ask(ledger, 2)
    assert await refusal(undo(ledger, 1)) == SECOND


async def test_asking_twice_is_fine_and_a_reason_stands(ledger: Ledger) -> None:
    await ledger.rich("ann", amount=5_000)
    await ask(ledger, 1)
    await ask(ledger, 1)
    assert await refusal(ask(ledger, 1, reason="else")) == REUSED
    await ask(ledger, 1, asked_by="other", reason="else")
    await undo(ledger, 1)
    await ask(ledger, 1)  # a repeat of what was asked in time
    assert await refusal(ask(ledger, 1, asked_by="late")) == UNDONE


async def test_what_is_spent_cannot_be_taken_back(ledger: Ledger) -> None:
    await ledger.rich("ann", "bob", amount=5_000)
    await ledger.register()
    await ledger.reserve("r1", "ann", 1, table_id="t1")
    before = await ledger.totals()
    await ask(ledger, 1)
    assert await refusal(undo(ledger, 1)) == TOO_FEW  # money that is held is not there
    assert await ledger.totals() == before
    await ledger.void("r1")
    assert (await undo(ledger, 1)).balance_minor == 0


async def test_rake_that_is_gone_cannot_be_taken_back(ledger: Ledger) -> None:
    await ledger.rich("ann", amount=5_000)
    into = await move(ledger, house("EUR"), rake(ROOM, "EUR"), 50, "m1")
    await move(ledger, rake(ROOM, "EUR"), suspense("EUR"), 1, "m2")
    assert await refusal(ask_and_undo(ledger, into.entry_no)) == TOO_FEW
    await move(ledger, house("EUR"), rake(ROOM, "EUR"), 1, "m3")
    await undo(ledger, into.entry_no)
    assert await ledger.totals() == {"PLAYER_CASH": 5_000, "SUSPENSE": 1, "HOUSE": -5_001}


async def test_a_refusal_names_a_field_of_the_call(ledger: Ledger) -> None:
    await ledger.rich("ann", amount=5_000)
    await ledger.withdraw("ann", 1, "w1")
    await ask(ledger, 1)
    with pytest.raises(Refused) as caught:
        await undo(ledger, 1)
    assert (caught.value.refusal.field, "holds 4999" in caught.value.refusal.reason) == (
        "entry_no",
        True,
    )


async def test_the_tables_word_stays(ledger: Ledger) -> None:
    await ledger.rich("ann", "bob", "cid")
    await ledger.register()
    for player in ("ann", "bob", "cid"):
        await ledger.reserve(f"r-{player}", player, 1_000)
    log = TableLog()
    seats = [taken(player, 1_000, f"r-{player}") for player in ("ann", "bob")]
    hand = ended(1, {"ann": (1_000, 1_100), "bob": (1_000, 890)}, rake=10)
    steps = [log.step(opened()), log.step(*seats), log.step(hand), log.step(left("ann", 1_100))]
    assert (await ledger.take(steps)).stopped == ()
    await ledger.void("r-cid")
    page = await ledger.store.ask(EntriesAfter(0, 500))
    words = {e.draft.kind: e.entry_no for e in page.entries}
    for kind in (
        EntryKind.RESERVATION,
        EntryKind.RESERVATION_VOID,
        EntryKind.BUY_IN,
        EntryKind.HAND,
        EntryKind.CASH_OUT,
    ):
        assert await refusal(ask(ledger, words[kind])) == NOT_REVERSIBLE
        assert await refusal(undo(ledger, words[kind])) == NOT_REVERSIBLE
    lines = await ledger.store.ask(StatementOf(rake(ROOM, "EUR"), 0, 9, LineFilter()))
    assert lines is not None
    assert lines.balance_minor == 10


async def test_what_undoes_is_final(ledger: Ledger) -> None:
    await ledger.rich("ann", "bob", amount=5_000)
    await ledger.register()
    reversal = await ask_and_undo(ledger, 1)
    await tournament(ledger, ENTRY, "bob", 1_000, 100)
    refund = await tournament(ledger, REFUND, "bob", 1_000, 100, "r1", of="e1")
    for entry_no in (reversal.entry_no, refund.entry_no):
        assert await refusal(ask(ledger, entry_no)) == NOT_REVERSIBLE
        assert await refusal(undo(ledger, entry_no, "u2")) == NOT_REVERSIBLE


BAD_REVERSALS: list[tuple[dict[str, Any], int]] = [
    ({"entry_no": 0}, INVALID),
    ({"entry_no": 2}, UNKNOWN_ENTRY),
    ({"entry_no": 2**53 - 1}, UNKNOWN_ENTRY),
    ({"entry_no": 2**53}, INVALID),
    ({"entry_no": 2**64 - 1}, INVALID),
    ({"reason": ""}, INVALID),
    ({"reason": " "}, INVALID),
    ({"reason": "a\nb"}, INVALID),
    ({"reason": "x" * 129}, INVALID),
    ({"request_id": ""}, errors_pb2.ERROR_CODE_BAD_COMMAND_ID),
    ({"requested_by": "a\x00"}, INVALID),
    ({"requested_by": "x" * 129}, INVALID),
]


async def test_bad_reversals(ledger: Ledger) -> None:
    await ledger.rich("ann", amount=5_000)
    for change, code in BAD_REVERSALS:
        if change.keys() <= {"entry_no", "reason"}:
            assert await refusal(ask(ledger, **({"entry_no": 1} | change))) == code, change
    await ask(ledger, 1)
    for change, code in BAD_REVERSALS:
        assert await refusal(undo(ledger, **({"entry_no": 1} | change))) == code, change
    assert await ledger.cash("ann") == 5_000


async def test_many_at_once_undo_it_once(ledger: Ledger) -> None:
    await ledger.rich("ann", "bob", amount=5_000)
    await ask(ledger, 1)

    async def attempt(n: int) -> int:
        work = undo(ledger, 1, f"u{n % 20}", caller=f"boss-{n % 4}")
        try:
            return (await work).entry_no
        except Refused as refused:
            return -refused.refusal.code

    done = await asyncio.gather(*(attempt(n) for n in range(80)))
    assert set(done) == {-UNDONE, 3}
    assert await ledger.totals() == {"PLAYER_CASH": 5_000, "HOUSE": -5_000}
