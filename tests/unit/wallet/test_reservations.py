"""Holding money for a seat, and every way that it ends; on every store."""

from __future__ import annotations

from dataclasses import replace

import pytest

from floor_table.domain.reservations import TOP_UP_IN_HAND_MS
from floor_wallet.domain import MAX_MINOR
from floor_wallet.settings import WalletSettings
from floor_wallet.store.questions import BalanceOf, OverdueReservations, TableById
from pokerfloor.api.common.v1 import errors_pb2
from tests.support.wallet.ledger import TERMS, Ledger
from tests.support.wallet.refused import refusal
from tests.support.wallet.table_log import (
    MAX_BUY_IN,
    TableLog,
    added,
    ended,
    left,
    opened,
    released,
    taken,
    top_up_released,
)

HELD = {"PLAYER_CASH": 49_000, "RESERVED": 1_000, "HOUSE": -50_000}
FREE = {"PLAYER_CASH": 50_000, "HOUSE": -50_000}
SEATED = {"PLAYER_CASH": 49_000, "SEAT_ESCROW": 1_000, "HOUSE": -50_000}


async def ready(ledger: Ledger) -> TableLog:
    await ledger.rich("ann")
    await ledger.register()
    return TableLog()


@pytest.mark.rule("TBL-2")
async def test_held_then_committed_by_the_log(ledger: Ledger) -> None:
    log = await ready(ledger)
    assert await ledger.reserve("t1/buyin/2", "ann", 1_000) == 49_000
    assert await ledger.totals() == HELD
    await ledger.take([log.step(opened()), log.step(taken("ann", 1_000, "t1/buyin/2"))])
    assert await ledger.totals() == SEATED
    balance = await ledger.store.ask(BalanceOf("ann", "EUR"))
    assert balance is not None
    assert (balance.reserved_minor, balance.escrow) == (0, (("t1", 1_000),))
    assert await ledger.reserve("t1/buyin/2", "ann", 1_000) == 49_000  # the first answer again
    committed = errors_pb2.ERROR_CODE_RESERVATION_COMMITTED
    assert await refusal(ledger.void("t1/buyin/2")) == committed
    assert await ledger.totals() == SEATED


async def test_given_up_once(ledger: Ledger) -> None:
    await ready(ledger)
    await ledger.reserve("r", "ann", 1_000)
    assert await ledger.void("r", reason="why? " * 200)
    assert await ledger.void("r")
    assert await ledger.totals() == FREE
    gone = errors_pb2.ERROR_CODE_RESERVATION_GONE
    assert await refusal(ledger.reserve("r", "ann", 1_000)) == gone


async def test_a_void_that_comes_first_leaves_a_tombstone(ledger: Ledger) -> None:
    await ready(ledger)
    assert not await ledger.void("r")
    assert not await ledger.void("r")
    rolled_back = errors_pb2.ERROR_CODE_ROLLED_BACK
    assert await refusal(ledger.reserve("r", "ann", 1_000)) == rolled_back
    assert await ledger.totals() == FREE


async def test_released_in_the_log(ledger: Ledger) -> None:
    log = await ready(ledger)
    await ledger.reserve("r", "ann", 1_000)
    steps = [log.step(released("ann", "r"), released("ann", "never-came"), released("ann", ""))]
    assert (await ledger.take(steps)).stopped == ()
    assert await ledger.totals() == FREE
    rolled_back = errors_pb2.ERROR_CODE_ROLLED_BACK
    assert await refusal(ledger.reserve("never-came", "ann", 1_000)) == rolled_back


@pytest.mark.rule("TBL-3")
async def test_top_ups(ledger: Ledger) -> None:
    log = await ready(ledger)
    await ledger.reserve("r", "ann", 1_000)
    await ledger.reserve("u", "ann", 300)
    await ledger.reserve("v", "ann", 200)
    await ledger.take(
        [
            log.step(taken("ann", 1_000, "r")),
            log.step(added("ann", 300, "u"), top_up_released("ann", "v")),
        ]
    )
    assert await ledger.totals() == {
        "PLAYER_CASH": 48_700,
        "SEAT_ESCROW": 1_300,
        "HOUSE": -50_000,
    }


async def test_it_expires_only_when_the_log_is_read_past_it(ledger: Ledger) -> None:
    log = await ready(ledger)
    await ledger.reserve("r", "ann", 1_000, expires_at_ms=20_000)
    ledger.now_ms = 25_000
    assert not await ledger.expire("r")  # grace
    ledger.now_ms = 25_001
    assert not await ledger.expire("r", read_to_seq=1)  # the commit may lie in step 1
    assert [r.reservation_id for r in await ledger.store.ask(OverdueReservations(20_001, 9))] == [
        "r"
    ]
    await ledger.take([log.step(opened())])
    assert await ledger.expire("r", read_to_seq=1)
    assert not await ledger.expire("r", read_to_seq=1)
    assert await ledger.totals() == FREE
    assert await ledger.store.ask(OverdueReservations(20_001, 9)) == ()


async def test_a_commit_beats_the_expiry(ledger: Ledger) -> None:
    log = await ready(ledger)
    await ledger.reserve("r", "ann", 1_000, expires_at_ms=20_000)
    ledger.now_ms = 99_000
    await ledger.take([log.step(taken("ann", 1_000, "r"))])
    assert not await ledger.expire("r", read_to_seq=1)
    assert await ledger.totals() == SEATED


async def expired(ledger: Ledger) -> TableLog:
    log = await ready(ledger)
    await ledger.reserve("r", "ann", 1_000, expires_at_ms=20_000)
    ledger.now_ms = 25_001
    assert await ledger.expire("r")
    assert await ledger.totals() == FREE
    return log


@pytest.mark.rule("TBL-2")
async def test_a_commit_stored_after_the_expiry_is_paid_from_cash(ledger: Ledger) -> None:
    """The table decided in time, then the broker was away: the append came late."""
    log = await expired(ledger)
    gone = errors_pb2.ERROR_CODE_RESERVATION_GONE
    assert await refusal(ledger.reserve("r", "ann", 1_000, expires_at_ms=20_000)) == gone
    assert (await ledger.take([log.step(taken("ann", 1_000, "r"))])).stopped == ()
    assert await ledger.totals() == SEATED
    assert not await ledger.expire("r")
    committed = errors_pb2.ERROR_CODE_RESERVATION_COMMITTED
    assert await refusal(ledger.void("r")) == committed
    assert (await ledger.take([log.step(left("ann", 1_000))], first_seq=2)).stopped == ()
    assert await ledger.totals() == FREE


async def test_a_late_commit_without_cash_stops_until_the_cash_is_there(ledger: Ledger) -> None:
    log = await expired(ledger)
    await ledger.withdraw("ann", 49_001, "out")
    late = log.step(taken("ann", 1_000, "r"))
    ((_, why),) = (await ledger.take([late])).stopped
    assert "after it expired, and ann has 999 of its 1000 left" in why
    await ledger.deposit("ann", 1, "in")
    assert (await ledger.take([late], retry=True)).stopped == ()
    assert await ledger.totals() == {"SEAT_ESCROW": 1_000, "HOUSE": -1_000}


@pytest.mark.parametrize("by_log", [True, False])
async def test_what_is_given_up_after_the_expiry_cannot_be_committed(
    ledger: Ledger, *, by_log: bool
) -> None:
    log = await expired(ledger)
    if by_log:
        assert (await ledger.take([log.step(released("ann", "r"))])).stopped == ()
    else:
        assert await ledger.void("r")
    assert await ledger.void("r")
    assert await ledger.totals() == FREE
    ((_, why),) = (
        await ledger.take([log.step(taken("ann", 1_000, "r"))], first_seq=log.table_seq)
    ).stopped
    assert "it is voided" in why
    assert await ledger.totals() == FREE


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"amount": 0}, errors_pb2.ERROR_CODE_AMOUNT_OUT_OF_RANGE),
        ({"amount": MAX_MINOR + 1}, errors_pb2.ERROR_CODE_AMOUNT_OUT_OF_RANGE),
        ({"amount": MAX_BUY_IN + 1}, errors_pb2.ERROR_CODE_BUY_IN_OUT_OF_RANGE),
        ({"player": "bob"}, errors_pb2.ERROR_CODE_UNKNOWN_ACCOUNT),
        ({"player": "a/b"}, errors_pb2.ERROR_CODE_INVALID_FIELD),
        ({"currency": "USD"}, errors_pb2.ERROR_CODE_CURRENCY_MISMATCH),
        ({"table_id": "t2"}, errors_pb2.ERROR_CODE_TABLE_NOT_REGISTERED),
        ({"table_id": "T 2"}, errors_pb2.ERROR_CODE_INVALID_FIELD),
        ({"epoch": 0}, errors_pb2.ERROR_CODE_STALE_EPOCH),
        ({"expires_at_ms": 10_000}, errors_pb2.ERROR_CODE_RESERVATION_GONE),
        ({"expires_at_ms": 610_001}, errors_pb2.ERROR_CODE_INVALID_FIELD),
        ({"expires_at_ms": 2**53}, errors_pb2.ERROR_CODE_INVALID_FIELD),
        ({"reservation_id": ""}, errors_pb2.ERROR_CODE_BAD_COMMAND_ID),
    ],
)
async def test_bad_reservations(ledger: Ledger, change: dict[str, object], code: int) -> None:
    await ready(ledger)
    asked: dict[str, object] = {"reservation_id": "r", "player": "ann", "amount": 1_000, **change}
    assert await refusal(ledger.reserve(**asked)) == code  # type: ignore[arg-type]  # by name
    assert await ledger.totals() == FREE


@pytest.mark.rule("TBL-3")
def test_a_top_up_in_a_hand_is_held_though_the_tables_clock_is_ahead() -> None:
    most = WalletSettings.model_fields["max_hold_ms"].default
    assert most >= TOP_UP_IN_HAND_MS + 60_000


async def test_more_than_one_has(ledger: Ledger) -> None:
    await ready(ledger)
    await ledger.withdraw("ann", 49_500, "w")
    few = errors_pb2.ERROR_CODE_INSUFFICIENT_FUNDS
    assert await refusal(ledger.reserve("r", "ann", 501)) == few
    await ledger.reserve("r", "ann", 500)
    assert await refusal(ledger.withdraw("ann", 1, "w2")) == few  # what is held is not free


async def test_the_same_reservation_with_other_content(ledger: Ledger) -> None:
    await ready(ledger)
    await ledger.register("t2")
    await ledger.reserve("r", "ann", 1_000)
    reused = errors_pb2.ERROR_CODE_ID_REUSED
    assert await refusal(ledger.reserve("r", "ann", 1_001)) == reused
    assert await refusal(ledger.reserve("r", "ann", 1_000, expires_at_ms=50_000)) == reused
    assert await refusal(ledger.void("r", table_id="t2")) == reused
    assert await ledger.totals() == HELD


async def test_an_old_owner_is_refused_everything(ledger: Ledger) -> None:
    log = await ready(ledger)
    await ledger.reserve("r", "ann", 1_000, epoch=3)
    stale = errors_pb2.ERROR_CODE_STALE_EPOCH
    assert await refusal(ledger.reserve("r", "ann", 1_000, epoch=2)) == stale
    assert await refusal(ledger.void("r", epoch=2)) == stale
    assert await refusal(ledger.register(epoch=2)) == stale
    # The log is read later than calls are made: its older steps are no old owner's.
    assert (await ledger.take([log.step(opened())])).stopped == ()
    log.owner_epoch = 5
    await ledger.take([log.step()], first_seq=2)
    assert await refusal(ledger.void("r", epoch=4)) == stale
    assert await ledger.void("r", epoch=5)


async def test_holds_count_towards_the_most_that_may_be_bought_in(ledger: Ledger) -> None:
    await ready(ledger)
    await ledger.reserve("r", "ann", 15_000)
    over = errors_pb2.ERROR_CODE_BUY_IN_OUT_OF_RANGE
    assert await refusal(ledger.reserve("s", "ann", 5_001)) == over
    await ledger.reserve("s", "ann", 5_000)


@pytest.mark.rule("TBL-2")
async def test_one_may_come_back_with_what_one_left_with(ledger: Ledger) -> None:
    log = await ready(ledger)
    await ledger.rich("bob")
    await ledger.reserve("r", "ann", 20_000)
    await ledger.reserve("s", "bob", 20_000)
    await ledger.take(
        [
            log.step(taken("ann", 20_000, "r"), taken("bob", 20_000, "s")),
            log.step(ended(1, {"ann": (20_000, 39_900), "bob": (20_000, 0)}, rake=100)),
            log.step(left("ann", 39_900)),
        ]
    )
    over = errors_pb2.ERROR_CODE_BUY_IN_OUT_OF_RANGE
    assert await refusal(ledger.reserve("x", "ann", 39_901)) == over
    assert await ledger.reserve("y", "ann", 39_900) == 30_000


async def test_tables_are_known_by_call_and_by_log(ledger: Ledger) -> None:
    log = TableLog()
    exists = errors_pb2.ERROR_CODE_TABLE_EXISTS
    await ledger.take([log.step(opened())])
    await ledger.rich("ann")
    assert await ledger.reserve("r", "ann", 1_000) == 49_000  # the log alone will do
    assert await refusal(ledger.register(terms=replace(TERMS, room_id="room-2"))) == exists
    assert await refusal(ledger.register(terms=replace(TERMS, currency="USD"))) == exists
    await ledger.register(terms=replace(TERMS, max_buy_in_minor=50))
    over = errors_pb2.ERROR_CODE_BUY_IN_OUT_OF_RANGE
    assert await refusal(ledger.reserve("s", "ann", 51)) == over  # the caller's own word counts


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        (replace(TERMS, room_id="r" * 65), errors_pb2.ERROR_CODE_INVALID_FIELD),
        (replace(TERMS, currency="eur"), errors_pb2.ERROR_CODE_INVALID_FIELD),
        (replace(TERMS, exponent=9), errors_pb2.ERROR_CODE_INVALID_FIELD),
        (replace(TERMS, max_buy_in_minor=-1), errors_pb2.ERROR_CODE_AMOUNT_OUT_OF_RANGE),
        (replace(TERMS, max_rake_minor=2**53), errors_pb2.ERROR_CODE_AMOUNT_OUT_OF_RANGE),
    ],
)
async def test_bad_terms(ledger: Ledger, terms: object, code: int) -> None:
    assert await refusal(ledger.register(terms=terms)) == code  # type: ignore[arg-type]
    assert await ledger.store.ask(TableById("t1")) is None
