"""A tournament's entries, prizes and refunds; on every store."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from floor_wallet.domain import (
    MAX_MINOR,
    EntryKind,
    Posted,
    house,
    rake,
    tournament_pool,
)
from floor_wallet.store.questions import LineFilter, StatementOf
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
from tests.support.wallet.table_log import ROOM

REUSED = errors_pb2.ERROR_CODE_ID_REUSED
UNDONE = errors_pb2.ERROR_CODE_ALREADY_REVERSED
TOO_FEW = errors_pb2.ERROR_CODE_INSUFFICIENT_FUNDS
INVALID = errors_pb2.ERROR_CODE_INVALID_FIELD
OUT_OF_RANGE = errors_pb2.ERROR_CODE_AMOUNT_OUT_OF_RANGE


async def ready(ledger: Ledger) -> None:
    await ledger.rich("ann", "bob", amount=5_000)
    await ledger.register()


@pytest.mark.rule("TLT-1")
async def test_an_entry_is_prize_part_and_fee(ledger: Ledger) -> None:
    await ready(ledger)
    assert await tournament(ledger, ENTRY, "ann", 1_000, 100) == Posted(3, 3_900)
    assert await ledger.totals() == {
        "PLAYER_CASH": 8_900,
        "TOURNAMENT_POOL": 1_000,
        "RAKE": 100,
        "HOUSE": -10_000,
    }
    fee = await ledger.store.ask(StatementOf(rake(ROOM, "EUR"), 0, 9, LineFilter()))
    assert fee is not None
    assert [(line.table_id, line.amount_minor) for line in fee.lines] == [("t1", 100)]
    entry = await last_entry(ledger)
    assert (entry.draft.kind, entry.draft.table_id) == (EntryKind.TOURNAMENT, "t1")
    assert (entry.draft.reference, entry.draft.note) == ("e1", "entry")
    subject, fact = (await entry_facts(ledger))[-1]
    assert subject == "floor.ledger.t1.entry_posted"
    assert (fact.entry_no, fact.table_id, fact.amount_minor) == (3, "t1", 1_100)


async def test_an_entry_may_have_one_part_only(ledger: Ledger) -> None:
    await ready(ledger)
    await tournament(ledger, ENTRY, "ann", 1_000, 0, "e1")
    await tournament(ledger, ENTRY, "ann", 0, 100, "e2")
    totals = await ledger.totals()
    assert (totals["TOURNAMENT_POOL"], totals["RAKE"]) == (1_000, 100)


@pytest.mark.rule("TLT-5")
async def test_the_pool_is_paid_out_and_no_more(ledger: Ledger) -> None:
    await ready(ledger)
    for player in ("ann", "bob"):
        await tournament(ledger, ENTRY, player, 1_000, 100, f"e-{player}")
    assert await tournament(ledger, PRIZE, "bob", 1_300, request_id="p1") == Posted(5, 5_200)
    assert await refusal(tournament(ledger, PRIZE, "ann", 701, request_id="p2")) == TOO_FEW
    assert await tournament(ledger, PRIZE, "ann", 700, request_id="p2") == Posted(6, 4_600)
    assert await ledger.totals() == {"PLAYER_CASH": 9_800, "RAKE": 200, "HOUSE": -10_000}
    assert await tournament(ledger, PRIZE, "bob", 1_300, request_id="p1") == Posted(5, 5_200)


async def test_pools_are_each_tables_own(ledger: Ledger) -> None:
    await ready(ledger)
    await ledger.register("t2")
    await tournament(ledger, ENTRY, "ann", 1_000)
    # The same id at another table is another call.
    await tournament(ledger, ENTRY, "bob", 300, table_id="t2")
    code = await refusal(tournament(ledger, PRIZE, "bob", 301, request_id="p", table_id="t2"))
    assert code == TOO_FEW


@pytest.mark.rule("TLT-7")
async def test_a_refund_gives_the_entry_back_whole_and_once(ledger: Ledger) -> None:
    await ready(ledger)
    await tournament(ledger, ENTRY, "ann", 1_000, 100)
    first = await tournament(ledger, REFUND, "ann", 1_000, 100, "r1", of="e1")
    assert first == Posted(4, 5_000)
    assert (await last_entry(ledger)).draft.entry_id == "refund/3"
    assert await ledger.totals() == {"PLAYER_CASH": 10_000, "HOUSE": -10_000}
    assert await tournament(ledger, REFUND, "ann", 1_000, 100, "r1", of="e1") == first
    assert await refusal(tournament(ledger, REFUND, "ann", 1_000, 100, "r2", of="e1")) == UNDONE
    # The entry's own call is still answered as the first time, and posts nothing.
    assert await tournament(ledger, ENTRY, "ann", 1_000, 100) == Posted(3, 3_900)
    assert await ledger.cash("ann") == 5_000


async def test_a_refund_of_something_else(ledger: Ledger) -> None:
    await ready(ledger)
    await tournament(ledger, ENTRY, "ann", 1_000, 100)
    for player, prize, fee in (("bob", 1_000, 100), ("ann", 999, 101), ("ann", 1_000, 0)):
        assert (
            await refusal(tournament(ledger, REFUND, player, prize, fee, "r1", of="e1")) == REUSED
        )


async def test_only_entries_are_refunded(ledger: Ledger) -> None:
    await ready(ledger)
    await tournament(ledger, ENTRY, "ann", 1_000)
    await tournament(ledger, PRIZE, "ann", 500, request_id="p1")
    await tournament(ledger, REFUND, "bob", 500, request_id="r1", of="never")
    for of in ("p1", "r1"):
        code = await refusal(tournament(ledger, REFUND, "ann", 500, request_id="r2", of=of))
        assert code == REUSED


async def test_a_refund_that_comes_first_leaves_a_tombstone(ledger: Ledger) -> None:
    await ready(ledger)
    first = await tournament(ledger, REFUND, "ann", 1_000, 100, "r1", of="e1")
    assert first == Posted(0, 5_000)
    back = errors_pb2.ERROR_CODE_ROLLED_BACK
    for _ in range(2):
        assert await refusal(tournament(ledger, ENTRY, "ann", 1_000, 100)) == back
    assert await refusal(tournament(ledger, ENTRY, "ann", 900, 100)) == REUSED
    assert await tournament(ledger, REFUND, "ann", 1_000, 100, "r1", of="e1") == first
    assert await refusal(tournament(ledger, REFUND, "ann", 1_000, 100, "r2", of="e1")) == UNDONE
    assert await ledger.totals() == {"PLAYER_CASH": 10_000, "HOUSE": -10_000}
    # Another entry of the same player is another matter.
    assert (await tournament(ledger, ENTRY, "ann", 1_000, 100, "e2")).balance_minor == 3_900


async def test_a_tombstone_needs_no_account(ledger: Ledger) -> None:
    await ready(ledger)
    assert await tournament(ledger, REFUND, "eve", 5, request_id="r", of="e") == Posted(0, 0)


async def test_a_refund_needs_the_pool(ledger: Ledger) -> None:
    await ready(ledger)
    await tournament(ledger, ENTRY, "ann", 1_000, 100)
    await tournament(ledger, PRIZE, "bob", 1, request_id="p1")
    before = await ledger.totals()
    again = partial(tournament, ledger, REFUND, "ann", 1_000, 100, "r1", of="e1")
    assert await refusal(again()) == TOO_FEW
    assert await ledger.totals() == before
    await tournament(ledger, ENTRY, "bob", 1, request_id="e2")
    await again()


async def test_a_fee_that_the_house_has_taken_is_given_back_all_the_same(ledger: Ledger) -> None:
    await ready(ledger)
    await tournament(ledger, ENTRY, "ann", 1_000, 100)
    await move(ledger, rake(ROOM, "EUR"), house("EUR"), 100)
    await tournament(ledger, REFUND, "ann", 1_000, 100, "r1", of="e1")
    assert await ledger.totals() == {"PLAYER_CASH": 10_000, "RAKE": -100, "HOUSE": -9_900}


async def test_an_entry_goes_back_once_by_refund_or_by_reversal(ledger: Ledger) -> None:
    await ready(ledger)
    await tournament(ledger, ENTRY, "ann", 1_000, 100)
    await tournament(ledger, ENTRY, "bob", 1_000, 100, "e2")
    await tournament(ledger, REFUND, "ann", 1_000, 100, "r1", of="e1")
    assert await refusal(ask_and_undo(ledger, 3)) == UNDONE
    await ask_and_undo(ledger, 4)
    assert await refusal(tournament(ledger, REFUND, "bob", 1_000, 100, "r2", of="e2")) == UNDONE
    assert await ledger.totals() == {"PLAYER_CASH": 10_000, "HOUSE": -10_000}
    assert (await last_entry(ledger)).draft.table_id == "t1"


async def test_a_reversal_asked_for_before_the_refund_comes_too_late(ledger: Ledger) -> None:
    await ready(ledger)
    await tournament(ledger, ENTRY, "ann", 1_000, 100)
    await ask(ledger, 3)
    await tournament(ledger, REFUND, "ann", 1_000, 100, "r1", of="e1")
    assert await refusal(undo(ledger, 3)) == UNDONE
    assert await ledger.totals() == {"PLAYER_CASH": 10_000, "HOUSE": -10_000}


async def test_the_pool_never_goes_below_zero_by_reversals(ledger: Ledger) -> None:
    await ready(ledger)
    await tournament(ledger, ENTRY, "ann", 1_000)
    await tournament(ledger, PRIZE, "bob", 1_000, request_id="p1")
    assert await refusal(ask_and_undo(ledger, 3)) == TOO_FEW
    assert (await ask_and_undo(ledger, 4, "u2")).balance_minor == 5_000  # the prize comes back
    assert (await undo(ledger, 3)).balance_minor == 5_000
    pool = await ledger.store.ask(StatementOf(tournament_pool("t1", "EUR"), 0, 9, LineFilter()))
    assert pool is not None
    assert [line.balance_minor for line in pool.lines] == [1_000, 0, 1_000, 0]


async def test_other_content_under_the_same_id(ledger: Ledger) -> None:
    await ready(ledger)
    await tournament(ledger, ENTRY, "ann", 1_000, 100)
    others = [
        tournament(ledger, ENTRY, "bob", 1_000, 100),
        tournament(ledger, ENTRY, "ann", 999, 100),
        tournament(ledger, ENTRY, "ann", 1_000, 99),
        tournament(ledger, PRIZE, "ann", 1_000),
        tournament(ledger, REFUND, "ann", 1_000, 100, of="e0"),
    ]
    for other in others:
        assert await refusal(other) == REUSED


BAD_CALLS: list[tuple[dict[str, Any], int]] = [
    ({"player": "a/b"}, INVALID),
    ({"player": "eve"}, errors_pb2.ERROR_CODE_UNKNOWN_ACCOUNT),
    ({"prize": -1}, OUT_OF_RANGE),
    ({"prize": 0, "fee": 0}, OUT_OF_RANGE),
    ({"prize": MAX_MINOR + 1}, OUT_OF_RANGE),
    ({"prize": MAX_MINOR, "fee": 1}, OUT_OF_RANGE),
    ({"prize": 2_000, "fee": -1_000}, OUT_OF_RANGE),
    ({"fee": 2**63 - 1}, OUT_OF_RANGE),
    ({"prize": 4_901}, TOO_FEW),
    ({"what": PRIZE}, INVALID),
    ({"what": PRIZE, "fee": 0}, TOO_FEW),
    ({"of": "e9"}, INVALID),
    ({"what": PRIZE, "fee": 0, "of": "e9"}, INVALID),
    ({"what": REFUND}, errors_pb2.ERROR_CODE_BAD_COMMAND_ID),
    ({"what": REFUND, "of": "é"}, errors_pb2.ERROR_CODE_BAD_COMMAND_ID),
    ({"what": REFUND, "of": "e1"}, INVALID),
    ({"request_id": ""}, errors_pb2.ERROR_CODE_BAD_COMMAND_ID),
    ({"table_id": "t9"}, errors_pb2.ERROR_CODE_TABLE_NOT_REGISTERED),
    ({"table_id": "T/9"}, INVALID),
    ({"epoch": 0}, errors_pb2.ERROR_CODE_STALE_EPOCH),
    ({"epoch": 2**64 - 1}, INVALID),
    ({"currency": "USD"}, errors_pb2.ERROR_CODE_CURRENCY_MISMATCH),
    ({"currency": "eur"}, INVALID),
]


async def test_bad_tournament_calls(ledger: Ledger) -> None:
    await ready(ledger)
    for change, code in BAD_CALLS:
        asked: dict[str, Any] = {"what": ENTRY, "player": "ann", "prize": 1_000, "fee": 100}
        assert await refusal(tournament(ledger, **(asked | change))) == code, change
    assert await ledger.totals() == {"PLAYER_CASH": 10_000, "HOUSE": -10_000}


async def test_a_new_owner_repeats_the_old_ones_call(ledger: Ledger) -> None:
    await ready(ledger)
    first = await tournament(ledger, ENTRY, "ann", 1_000, 100)
    assert await tournament(ledger, ENTRY, "ann", 1_000, 100, epoch=4) == first
    stale = errors_pb2.ERROR_CODE_STALE_EPOCH
    for what, of in ((ENTRY, ""), (REFUND, "e1")):
        work = tournament(ledger, what, "ann", 1_000, 100, "r1", of=of, epoch=3)
        assert await refusal(work) == stale
