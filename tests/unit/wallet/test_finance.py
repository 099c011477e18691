"""What finance and auditors ask; on every store."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from floor_wallet.calls.wallet import WalletServicer
from floor_wallet.domain import AccountKind, EntryKind, cash, house, rake
from floor_wallet.gaming_day import GamingDays
from floor_wallet.store.questions import (
    AccountsAfter,
    AuditBook,
    BalanceOf,
    ChipsInPlay,
    ChipsInPlayOf,
    Currencies,
    EntriesAfter,
    RakeBetween,
    RakeLine,
    TableChips,
    TrialBalanceOf,
)
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.events.v1 import table_events_pb2
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.api.wallet.v1 import wallet_pb2 as pb
from pokerfloor.servicekit import FloorError, now_ms
from tests.support.wallet.ledger import Ledger
from tests.support.wallet.moves import ENTRY, PRIZE, REFUND, ask_and_undo, move, tournament
from tests.support.wallet.table_log import (
    ROOM,
    Event,
    TableLog,
    ended,
    left,
    opened,
    settings,
    taken,
    voided,
)

ANY: Any = None
HOUR = 3_600_000


def begun(hand_no: int, game: str) -> Event:
    return Event(
        hand_began=table_events_pb2.HandBegan(
            hand_no=hand_no, game=settings_pb2.GameSettings(game=game)
        )
    )


async def seated(ledger: Ledger, table_id: str = "t1", room_id: str = ROOM) -> TableLog:
    """Ann and Bob with 1,000 each at a table; each has 50,000 to begin with."""
    for player in ("ann", "bob"):
        if await ledger.store.ask(BalanceOf(player, "EUR")) is None:
            await ledger.rich(player)
    log = TableLog(table_id)
    await take(ledger, log, opened(settings(room_id=room_id)))
    for player in ("ann", "bob"):
        reservation_id = f"{table_id}/{player}"
        expires_at_ms = ledger.now_ms + 30_000
        await ledger.reserve(
            reservation_id, player, 1_000, table_id=table_id, expires_at_ms=expires_at_ms
        )
        await take(ledger, log, taken(player, 1_000, reservation_id))
    return log


async def take(ledger: Ledger, log: TableLog, *events: Event) -> None:
    found = await ledger.take([log.step(*events)], log.table_id, log.table_seq)
    assert found.stopped == ()


async def sums(ledger: Ledger, at_ms: int | None = None) -> dict[str, tuple[int, int]]:
    """By kind, the sum and how many accounts; kinds that never moved left out."""
    found = await ledger.store.ask(TrialBalanceOf("EUR", at_ms))
    assert found is not None
    assert (sum(kind.amount_minor for kind in found.kinds), found.unbalanced_entries) == (0, 0)
    return {
        kind.kind.name: (kind.amount_minor, kind.accounts) for kind in found.kinds if kind.accounts
    }


async def test_the_trial_balance_of_any_instant(ledger: Ledger) -> None:
    await ledger.open("ann")
    opened_only = await ledger.store.ask(TrialBalanceOf("EUR"))
    assert opened_only is not None
    assert [(one.kind, one.accounts) for one in opened_only.kinds] == [(AccountKind.PLAYER_CASH, 0)]
    assert (opened_only.entry_no, opened_only.entry_at_ms) == (0, 0)
    seen: list[tuple[int, dict[str, tuple[int, int]]]] = [(ledger.now_ms, {})]
    for n, player in enumerate(("ann", "bob", "cyd", "ann", "bob")):
        ledger.now_ms += 1_000
        await ledger.open(player)
        await ledger.deposit(player, 100 + n, f"d{n}")
        await ledger.open(player, currency="USD", request_id=f"usd-{n}")
        await ledger.move(EntryKind.DEPOSIT, player, 7, f"usd{n}", currency="USD")
        seen.append((ledger.now_ms, await sums(ledger)))
    assert seen[-1][1] == {"PLAYER_CASH": (510, 3), "HOUSE": (-510, 1)}
    for at_ms, then in seen:
        assert await sums(ledger, at_ms) == then
        assert await sums(ledger, at_ms + 999) == then
    found = await ledger.store.ask(TrialBalanceOf("EUR", seen[2][0]))
    assert found is not None
    assert (found.entry_no, found.entry_at_ms) == (4, seen[2][0])
    assert await ledger.store.ask(TrialBalanceOf("XXX")) is None
    assert await ledger.store.ask(TrialBalanceOf("XXX", 1)) is None


async def test_every_kind_of_account_is_counted(ledger: Ledger) -> None:
    log = await seated(ledger)
    await tournament(ledger, ENTRY, "ann", 400, 40)
    await take(ledger, log, ended(1, {"ann": (1_000, 700), "bob": (1_000, 1_180)}, 20, 0, 100))
    await ledger.reserve("held", "bob", 500)
    assert await sums(ledger) == {
        "PLAYER_CASH": (97_060, 2),
        "SEAT_ESCROW": (1_880, 2),
        "TABLE_POT": (100, 1),
        "RAKE": (60, 1),
        "TOURNAMENT_POOL": (400, 1),
        "HOUSE": (-100_000, 1),
        "RESERVED": (500, 2),
    }


async def test_rake_by_room_game_and_currency(ledger: Ledger) -> None:
    one, two = await seated(ledger), await seated(ledger, "t2", "room-2")
    ledger.now_ms = 50_000
    await take(ledger, one, begun(1, "holdem"))
    await take(ledger, one, ended(1, {"ann": (1_000, 980), "bob": (1_000, 1_000)}, 20))
    await take(ledger, one, begun(2, "omaha4"))
    await take(ledger, one, ended(2, {"ann": (980, 950), "bob": (1_000, 1_000)}, 30))
    ledger.now_ms = 60_000
    await take(ledger, one, begun(3, "holdem"))
    await take(ledger, one, ended(3, {"ann": (950, 945), "bob": (1_000, 1_000)}, 5))
    await take(ledger, one, begun(4, "holdem"))
    await take(ledger, one, voided(4))
    await take(ledger, two, begun(1, "holdem"))
    await take(ledger, two, ended(1, {"ann": (1_000, 1_000), "bob": (1_000, 1_000)}))
    assert await ledger.store.ask(RakeBetween(0, 2**53 - 1)) == (
        RakeLine(ROOM, "holdem", "EUR", 2, 25, 0),
        RakeLine(ROOM, "omaha4", "EUR", 1, 30, 0),
        RakeLine("room-2", "holdem", "EUR", 1, 0, 0),
    )
    assert await ledger.store.ask(RakeBetween(50_001, 60_001, "EUR")) == (
        RakeLine(ROOM, "holdem", "EUR", 1, 5, 0),
        RakeLine("room-2", "holdem", "EUR", 1, 0, 0),
    )
    # From the first instant on, up to the last and not with it.
    assert len(await ledger.store.ask(RakeBetween(50_000, 60_000))) == 2
    assert await ledger.store.ask(RakeBetween(60_001, 70_000)) == ()
    assert await ledger.store.ask(RakeBetween(0, 2**53 - 1, "USD")) == ()


async def test_fees_are_what_tournaments_bring(ledger: Ledger) -> None:
    await seated(ledger)
    await tournament(ledger, ENTRY, "ann", 400, 40, "e1")
    await tournament(ledger, ENTRY, "bob", 400, 40, "e2")
    await tournament(ledger, REFUND, "bob", 400, 40, "r2", of="e2")
    posted = await tournament(ledger, ENTRY, "bob", 100, 7, "e3")
    await tournament(ledger, PRIZE, "ann", 100, 0, "p1")
    assert await ledger.store.ask(RakeBetween(0, 2**53 - 1)) == (
        RakeLine(ROOM, "", "EUR", 0, 0, 47),
    )
    ledger.now_ms += 1
    await ask_and_undo(ledger, posted.entry_no)
    assert await ledger.store.ask(RakeBetween(0, 2**53 - 1)) == (
        RakeLine(ROOM, "", "EUR", 0, 0, 40),
    )
    assert await ledger.store.ask(RakeBetween(ledger.now_ms, 2**53 - 1)) == (
        RakeLine(ROOM, "", "EUR", 0, 0, -7),
    )
    # Rake that is taken to the house, and brought back, is no fee.
    taken_out = await move(ledger, rake(ROOM, "EUR"), house("EUR"), 30)
    await ask_and_undo(ledger, taken_out.entry_no, "u2")
    assert await ledger.store.ask(RakeBetween(0, 2**53 - 1)) == (
        RakeLine(ROOM, "", "EUR", 0, 0, 40),
    )


async def test_chips_in_play(ledger: Ledger) -> None:
    assert await ledger.store.ask(ChipsInPlayOf()) == ChipsInPlay((), (), 0)
    log = await seated(ledger, "t2")
    await seated(ledger)
    await ledger.reserve("held", "ann", 700)
    await take(ledger, log, ended(1, {"ann": (1_000, 0), "bob": (1_000, 1_600)}, 100, 0, 300))
    await tournament(ledger, ENTRY, "bob", 400, 40, table_id="t2")
    found = await ledger.store.ask(ChipsInPlayOf())
    assert found.tables == (
        TableChips(ROOM, "t1", "EUR", 2, 2_000, 0, 0),
        TableChips(ROOM, "t2", "EUR", 1, 1_600, 300, 400),
    )
    assert found.reserved == (("EUR", 700),)
    assert found.entry_no == (await ledger.store.ask(EntriesAfter(0, 1))).last_entry_no
    await take(ledger, log, left("bob", 1_600))
    after = await ledger.store.ask(ChipsInPlayOf("EUR"))
    assert after.tables[1] == TableChips(ROOM, "t2", "EUR", 0, 0, 300, 400)
    assert (await ledger.store.ask(ChipsInPlayOf("USD"))).tables == ()


async def test_entries_and_accounts_by_page(ledger: Ledger) -> None:
    log = await seated(ledger)
    await take(ledger, log, ended(1, {"ann": (1_000, 980), "bob": (1_000, 1_000)}, 20))
    whole = await ledger.store.ask(EntriesAfter(0, 500))
    assert [entry.entry_no for entry in whole.entries] == list(range(1, whole.last_entry_no + 1))
    first, second = (
        await ledger.store.ask(EntriesAfter(0, 3)),
        await ledger.store.ask(EntriesAfter(3, 500)),
    )
    assert first.entries + second.entries == whole.entries
    assert (await ledger.store.ask(EntriesAfter(whole.last_entry_no, 5))).entries == ()
    for entry in whole.entries:
        places = [(p.account.kind, p.account.owner) for p in entry.postings]
        assert places == sorted(places)
    accounts = (await ledger.store.ask(AccountsAfter(0, 500))).accounts
    numbers = [account.account_no for account in accounts]
    assert numbers == sorted(set(numbers))
    pages = (
        await ledger.store.ask(AccountsAfter(0, 2)),
        await ledger.store.ask(AccountsAfter(numbers[1], 500)),
    )
    assert pages[0].accounts + pages[1].accounts == accounts
    standing = {account.key: (account.version, account.balance_minor) for account in accounts}
    assert standing[cash("ann", "EUR")] == (2, 49_000)
    assert {account.exponent for account in accounts} == {2}
    audit = await ledger.store.ask(AuditBook())
    assert (audit.entries, audit.broken_entry_no, audit.reason) == (whole.last_entry_no, 0, "")
    assert audit.head_hash == whole.entries[-1].hash


# --- the calls


def calls(ledger: Ledger, zone: str = "Europe/Berlin") -> Any:
    return WalletServicer(ledger.store, days=GamingDays.of("06:00", zone))


async def code_of(call: Any) -> tuple[int, str]:
    with pytest.raises(FloorError) as refused:
        await call
    return refused.value.code, refused.value.field


INVALID = errors_pb2.ERROR_CODE_INVALID_FIELD


async def test_a_closed_gaming_day(ledger: Ledger) -> None:
    days = GamingDays.of("06:00", "Europe/Berlin")
    begin, end = days.bounds(days.parse("2025-10-25"))  # 25 hours
    assert end - begin == 25 * HOUR
    await ledger.open("ann")
    for n, at_ms in enumerate((begin - 1, begin, end - 1, end)):
        ledger.now_ms = at_ms
        await ledger.deposit("ann", 10**n, f"d{n}")
    wallet = calls(ledger)

    async def cash_on(day: str) -> int:
        request = pb.GetTrialBalanceRequest(currency="EUR", gaming_day=day)
        answer = await wallet.GetTrialBalance(request, ANY)
        assert (answer.total_minor, answer.exponent) == (0, 2)
        return next(
            (k.amount_minor for k in answer.kinds if k.kind == pb.ACCOUNT_KIND_PLAYER_CASH), 0
        )

    assert [await cash_on(f"2025-10-{day}") for day in (23, 24, 25, 26)] == [0, 1, 111, 1_111]
    request = pb.GetTrialBalanceRequest(currency="EUR", at_ms=begin)
    answer = await wallet.GetTrialBalance(request, ANY)
    assert (answer.entry_no, answer.entry_at_ms) == (2, begin)


async def test_trial_balances_that_cannot_be(ledger: Ledger) -> None:
    await ledger.open("ann")
    wallet = calls(ledger)
    today = GamingDays.of("06:00", "Europe/Berlin").day_of(now_ms())
    unknown = errors_pb2.ERROR_CODE_UNKNOWN_ACCOUNT
    cases: list[tuple[dict[str, Any], tuple[int, str]]] = [
        ({"currency": "USD"}, (unknown, "currency")),
        ({"currency": "USD", "at_ms": 5}, (unknown, "currency")),
        ({"currency": "eur"}, (INVALID, "currency")),
        ({"currency": "EUR", "at_ms": now_ms() + HOUR}, (INVALID, "at_ms")),
        ({"currency": "EUR", "at_ms": -1}, (INVALID, "at_ms")),
        ({"currency": "EUR", "at_ms": 5, "gaming_day": "2025-01-01"}, (INVALID, "gaming_day")),
        ({"currency": "EUR", "gaming_day": "1.1.2025"}, (INVALID, "gaming_day")),
        ({"currency": "EUR", "gaming_day": str(today)}, (INVALID, "gaming_day")),
    ]
    for fields, expected in cases:
        call = wallet.GetTrialBalance(pb.GetTrialBalanceRequest(**fields), ANY)
        assert await code_of(call) == expected, fields


async def test_spans_of_rake(ledger: Ledger) -> None:
    ledger.now_ms = now_ms()
    await seated(ledger)
    await tournament(ledger, ENTRY, "ann", 400, 40)
    wallet = calls(ledger)
    today = GamingDays.of("06:00", "Europe/Berlin").day_of(ledger.now_ms)
    answer = await wallet.GetRake(pb.GetRakeRequest(gaming_day=str(today)), ANY)
    assert [(line.fees_minor, line.exponent) for line in answer.lines] == [(40, 2)]
    assert answer.from_ms <= ledger.now_ms < answer.to_ms
    answer = await wallet.GetRake(pb.GetRakeRequest(to_ms=ledger.now_ms), ANY)
    assert (len(answer.lines), answer.from_ms, answer.to_ms) == (0, 0, ledger.now_ms)
    unknown = errors_pb2.ERROR_CODE_UNKNOWN_ACCOUNT
    cases: list[tuple[dict[str, Any], tuple[int, str]]] = [
        ({"currency": "USD"}, (unknown, "currency")),
        ({"from_ms": 5, "to_ms": 4}, (INVALID, "from_ms")),
        ({"from_ms": -5}, (INVALID, "from_ms")),
        ({"to_ms": -5}, (INVALID, "to_ms")),
        ({"gaming_day": str(today), "to_ms": 5}, (INVALID, "gaming_day")),
        ({"gaming_day": "2999-01-01"}, (INVALID, "gaming_day")),
    ]
    for fields, expected in cases:
        assert await code_of(wallet.GetRake(pb.GetRakeRequest(**fields), ANY)) == expected, fields


async def test_chips_and_pages_as_messages(ledger: Ledger) -> None:
    await seated(ledger)
    wallet = calls(ledger)
    chips = await wallet.GetChipsInPlay(pb.GetChipsInPlayRequest(), ANY)
    assert [(t.table_id, t.escrow_minor, t.exponent) for t in chips.tables] == [("t1", 2_000, 2)]
    unknown = errors_pb2.ERROR_CODE_UNKNOWN_ACCOUNT
    call = wallet.GetChipsInPlay(pb.GetChipsInPlayRequest(currency="USD"), ANY)
    assert await code_of(call) == (unknown, "currency")
    page = await wallet.ListEntries(pb.ListEntriesRequest(from_entry_no=1 + 1, page_size=2), ANY)
    assert [entry.entry_no for entry in page.entries] == [2, 3]
    stored = (await ledger.store.ask(EntriesAfter(1, 1))).entries[0]
    assert (page.entries[0].entry_id, page.entries[0].hash) == (stored.draft.entry_id, stored.hash)
    accounts: list[pb.AccountStanding] = []
    after = ""
    while not accounts or after:
        listed = await wallet.ListAccounts(
            pb.ListAccountsRequest(page_token=after, page_size=3), ANY
        )
        accounts += listed.accounts
        after = listed.next_page_token
    assert len(accounts) == len((await ledger.store.ask(AccountsAfter(0, 500))).accounts)
    for bad in (
        wallet.ListEntries(pb.ListEntriesRequest(page_size=501), ANY),
        wallet.ListAccounts(pb.ListAccountsRequest(page_size=501), ANY),
    ):
        assert await code_of(bad) == (INVALID, "page_size")
    answer = await wallet.AuditBook(pb.AuditBookRequest(), ANY)
    assert (answer.broken_entry_no, answer.reason) == (0, "")


async def test_the_currencies(ledger: Ledger) -> None:
    assert await ledger.store.ask(Currencies()) == ()
    for code, exponent in (("USD", 2), ("BTC8", 8), ("JPY", 0)):
        await ledger.open("ann", currency=code, exponent=exponent, request_id=code)
    assert await ledger.store.ask(Currencies()) == (("BTC8", 8), ("JPY", 0), ("USD", 2))
    answer = await calls(ledger).ListCurrencies(pb.ListCurrenciesRequest(), ANY)
    assert [(one.code, one.exponent) for one in answer.currencies] == [
        ("BTC8", 8),
        ("JPY", 0),
        ("USD", 2),
    ]


async def test_one_audit_at_a_time(ledger: Ledger) -> None:
    await seated(ledger)
    wallet = calls(ledger)
    first = asyncio.create_task(wallet.AuditBook(pb.AuditBookRequest(), ANY))
    await asyncio.sleep(0)
    overloaded = (errors_pb2.ERROR_CODE_OVERLOADED, "")
    assert await code_of(wallet.AuditBook(pb.AuditBookRequest(), ANY)) == overloaded
    # One whose caller is gone still runs.
    first.cancel()
    assert await code_of(wallet.AuditBook(pb.AuditBookRequest(), ANY)) == overloaded
    assert wallet._audit is not None
    await wallet._audit
    assert (await wallet.AuditBook(pb.AuditBookRequest(), ANY)).reason == ""
