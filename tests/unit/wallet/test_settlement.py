"""Taking tables' logs into the book; on every store."""

from __future__ import annotations

import pytest

from floor_wallet.domain import EntryKind, cash, escrow
from floor_wallet.store.questions import (
    AuditTable,
    BalanceOf,
    HandsFrom,
    LineFilter,
    StatementOf,
    StoppedTables,
    TableById,
    UnpublishedEvents,
)
from pokerfloor.api.common.v1 import money_pb2
from pokerfloor.api.events.v1 import table_events_pb2
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.api.wallet.v1 import events_pb2
from tests.support.wallet.ledger import Ledger
from tests.support.wallet.table_log import (
    MAX_RAKE,
    Event,
    TableLog,
    ended,
    left,
    minor,
    noise,
    opened,
    points_ended,
    released,
    settings,
    taken,
    voided,
)


async def seated(ledger: Ledger, table_id: str = "t1", first_seq: int = 1) -> TableLog:
    """Ann and Bob with 1,000 each; the log has two steps."""
    log = TableLog(table_id)
    players = ("ann", "bob")
    if await ledger.store.ask(BalanceOf("ann", "EUR")) is None:
        await ledger.rich(*players)
    await ledger.register(table_id)
    for player in players:
        await ledger.reserve(f"{table_id}/{player}", player, 1_000, table_id=table_id)
    steps = [
        log.step(opened()),
        log.step(*(taken(player, 1_000, f"{table_id}/{player}") for player in players)),
    ]
    assert (await ledger.take(steps, table_id, first_seq)).stopped == ()
    return log


async def facts(ledger: Ledger) -> list[events_pb2.LedgerEvent]:
    return [
        events_pb2.LedgerEvent.FromString(event.payload)
        for event in await ledger.store.ask(UnpublishedEvents(999))
    ]


async def test_a_hand_is_one_entry(ledger: Ledger) -> None:
    log = await seated(ledger)
    result = ended(1, {"ann": (1_000, 1_380), "bob": (1_000, 600)}, rake=20)
    taken_in = await ledger.take([log.step(noise()), log.step(result)], first_seq=3)
    assert (taken_in.hands, taken_in.stopped) == (1, ())
    assert await ledger.totals() == {
        "PLAYER_CASH": 98_000,
        "SEAT_ESCROW": 1_980,
        "RAKE": 20,
        "HOUSE": -100_000,
    }
    (hand,) = await ledger.store.ask(HandsFrom("t1", 1, 10))
    assert (hand.hand_no, hand.rake_minor, hand.table_seq, hand.voided) == (1, 20, 4, False)
    lines = await ledger.store.ask(
        StatementOf(escrow("t1", "ann", "EUR"), 0, 9, LineFilter(EntryKind.HAND))
    )
    assert lines is not None
    (line,) = lines.lines
    assert (line.entry_no, line.amount_minor, line.hand_no) == (hand.entry_no, 380, 1)
    audit = await ledger.store.ask(AuditTable("t1"))
    assert audit is not None
    assert audit.escrow == (("ann", 1_380), ("bob", 600))
    assert (audit.rake_minor, audit.hands_settled, audit.table.table_seq) == (20, 1, 4)


async def test_hands_that_move_nothing_are_recorded(ledger: Ledger) -> None:
    log = await seated(ledger)
    even = ended(2, {"ann": (1_000, 1_000), "bob": (1_000, 1_000)})
    await ledger.take([log.step(voided(1)), log.step(even)], first_seq=3)
    hands = await ledger.store.ask(HandsFrom("t1", 1, 10))
    assert [(h.hand_no, h.entry_no, h.voided) for h in hands] == [(1, 0, True), (2, 0, False)]
    settled = [f.hand_settled for f in await facts(ledger) if f.HasField("hand_settled")]
    assert [(f.hand_no, f.entry_no) for f in settled] == [(1, 0), (2, 0)]


@pytest.mark.rule("MAT-6")
async def test_a_carried_pot_waits_at_the_table(ledger: Ledger) -> None:
    log = await seated(ledger)
    carried = ended(1, {"ann": (1_000, 900), "bob": (1_000, 900)}, carried_out=200)
    won = ended(2, {"ann": (900, 1_090), "bob": (900, 900)}, carried_in=200, rake=10)
    await ledger.take([log.step(carried)], first_seq=3)
    audit = await ledger.store.ask(AuditTable("t1"))
    assert audit is not None
    assert (audit.pot_minor, audit.escrow) == (200, (("ann", 900), ("bob", 900)))
    assert (await ledger.take([log.step(won)], first_seq=4)).stopped == ()
    audit = await ledger.store.ask(AuditTable("t1"))
    assert audit is not None
    assert (audit.pot_minor, audit.rake_minor) == (0, 10)


@pytest.mark.rule("MAT-6")
@pytest.mark.parametrize(("carried_in", "carried_out"), [(199, 0), (201, 0), (1, 1)])
async def test_a_carried_pot_goes_on_whole(
    ledger: Ledger, carried_in: int, carried_out: int
) -> None:
    log = await seated(ledger)
    carried = ended(1, {"ann": (1_000, 900), "bob": (1_000, 900)}, carried_out=200)
    won = carried_in - carried_out
    stacks = {"ann": (900, 900 + won), "bob": (900, 900)}
    part = ended(2, stacks, carried_in=carried_in, carried_out=carried_out)
    found = await ledger.take([log.step(carried), log.step(part)], first_seq=3)
    assert f"{carried_in} is carried in, the table's pot holds 200" in found.stopped[0][1]


@pytest.mark.rule("MAT-6")
async def test_a_carried_pot_may_grow_and_wait(ledger: Ledger) -> None:
    log = await seated(ledger)
    pairs = [
        ended(1, {"ann": (1_000, 900), "bob": (1_000, 900)}, carried_out=200),
        ended(2, {"ann": (900, 850), "bob": (900, 850)}, carried_in=200, carried_out=300),
        # None of those it belongs to was dealt in: it stays where it is.
        ended(3, {"ann": (850, 860), "bob": (850, 840)}),
        ended(4, {"ann": (860, 1_150), "bob": (840, 840)}, carried_in=300, rake=10),
    ]
    found = await ledger.take([log.step(pair) for pair in pairs], first_seq=3)
    assert (found.hands, found.stopped) == (4, ())
    audit = await ledger.store.ask(AuditTable("t1"))
    assert audit is not None
    assert (audit.pot_minor, audit.rake_minor) == (0, 10)


def closed(shares: dict[str, int], suspense: int = 0) -> Event:
    pot = table_events_pb2.CarriedPotClosed(
        shares=[
            table_events_pb2.SeatShare(seat=seat, player_id=player, amount=minor(amount))
            for seat, (player, amount) in enumerate(shares.items(), 1)
        ]
    )
    if suspense:
        pot.suspense.CopyFrom(minor(suspense))
    return Event(carried_pot_closed=pot)


@pytest.mark.rule("MAT-7")
async def test_a_carried_pot_is_shared_out_when_the_table_closes(ledger: Ledger) -> None:
    log = await seated(ledger)
    carried = ended(1, {"ann": (1_000, 900), "bob": (1_000, 900)}, carried_out=200)
    await ledger.take([log.step(carried)], first_seq=3)
    out = log.step(closed({"ann": 101, "bob": 99}), left("ann", 1_001), left("bob", 999))
    assert (await ledger.take([out], first_seq=4)).stopped == ()
    audit = await ledger.store.ask(AuditTable("t1"))
    assert audit is not None
    assert (audit.pot_minor, audit.escrow) == (0, ())
    assert await ledger.totals() == {"PLAYER_CASH": 100_000, "HOUSE": -100_000}


@pytest.mark.rule("MAT-7")
async def test_a_carried_pot_that_is_nobodys_goes_to_suspense(ledger: Ledger) -> None:
    log = await seated(ledger)
    carried = ended(1, {"ann": (1_000, 900), "bob": (1_000, 900)}, carried_out=200)
    await ledger.take([log.step(carried)], first_seq=3)
    out = log.step(left("ann", 900), left("bob", 900), closed({}, suspense=200))
    assert (await ledger.take([out], first_seq=4)).stopped == ()
    totals = await ledger.totals()
    assert (totals["SUSPENSE"], totals["PLAYER_CASH"]) == (200, 99_800)


@pytest.mark.parametrize(
    ("shares", "suspense"), [({"ann": 200}, 1), ({"ann": 199}, 0), ({"ann": 201, "bob": -1}, 0)]
)
async def test_no_more_and_no_less_than_the_pot_is_shared_out(
    ledger: Ledger, shares: dict[str, int], suspense: int
) -> None:
    log = await seated(ledger)
    carried = ended(1, {"ann": (1_000, 900), "bob": (1_000, 900)}, carried_out=200)
    await ledger.take([log.step(carried)], first_seq=3)
    found = await ledger.take([log.step(closed(shares, suspense))], first_seq=4)
    assert len(found.stopped) == 1
    assert "is shared out" in found.stopped[0][1]


@pytest.mark.rule("TBL-4")
async def test_leaving_takes_the_stack_to_cash(ledger: Ledger) -> None:
    log = await seated(ledger)
    lost = ended(1, {"ann": (1_000, 2_000), "bob": (1_000, 0)})
    await ledger.take([log.step(lost), log.step(left("bob", 0), left("ann", 2_000))], first_seq=3)
    assert await ledger.totals() == {"PLAYER_CASH": 100_000, "HOUSE": -100_000}
    assert await ledger.cash("ann") == 51_000
    lines = await ledger.store.ask(
        StatementOf(cash("ann", "EUR"), 0, 9, LineFilter(EntryKind.CASH_OUT))
    )
    assert lines is not None
    assert [(line.amount_minor, line.reference) for line in lines.lines] == [(2_000, "out")]


PAIR = {"ann": (1_000, 1_100), "bob": (1_000, 900)}


def twice_in_it() -> Event:
    event = ended(1, {"ann": (1_000, 1_100), "bob": (1_000, 900)})
    for seat in event.hand.hand_ended.seats:
        seat.player_id = "ann"
    return event


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (ended(1, PAIR, rake=1), "sum to zero"),
        (ended(1, {"ann": (1_000, 1_100)}), "sum to zero"),
        (
            ended(1, {"ann": (1_000, 1_000), "bob": (1_000, 699)}, rake=MAX_RAKE + 1),
            "above the cap",
        ),
        (ended(1, {"ann": (1_000, 1_001), "bob": (1_000, 1_000)}, rake=-1), "above the cap"),
        (ended(1, {"ann": (999, 1_099), "bob": (1_000, 900)}), "the escrow holds 1000"),
        (ended(1, {"ann": (1_000, 2_001), "bob": (1_000, -1)}), "do not add up"),
        (ended(1, {"ann": (1_000, 1_000), "eve": (0, 0), "bob": (1, 1)}), "the escrow holds"),
        (ended(1, {"ann": (1_000, 1_100), "bob": (1_000, 1_000)}, carried_in=100), "holds 0"),
        (ended(1, PAIR, carried_in=100, carried_out=100), "the table's pot holds 0"),
        (ended(1, PAIR, carried_in=-100, carried_out=-100), "negative"),
        (ended(1, {"ann": (2**63 - 1, 2**63 - 1)}), "the escrow holds 1000"),
        (twice_in_it(), "stands twice"),
        (ended(2, PAIR), "hand 2 ends after hand 0"),
        (voided(2), "hand 2 ends after hand 0"),
        (left("ann", 999), "leaves with 999"),
        (left("ann", 1_001), "leaves with 1001"),
        (left("ann", 0), "leaves with 0"),
        (left("ann", -1_000), "leaves with -1000"),
        (left("eve", 1), "leaves with 1"),
        (left("an\x00n", 0), "not printable"),
        (ended(1, {"an\nn": (0, 0)}), "not printable"),
        (taken("ann", 1_000, "r\x00"), "not printable"),
        (released("ann", "r\x00"), "not printable"),
        (taken("ann", 1_000, "nobody's"), "unknown"),
        (taken("ann", 1_000, "t1/ann"), "committed"),
        (opened(settings(room_id="room-2")), "another room_id"),
        (opened(settings(currency="USD")), "another currency"),
    ],
)
async def test_what_cannot_be_settled_stops_its_table_only(
    ledger: Ledger, event: Event, why: str
) -> None:
    log = await seated(ledger)
    before = await ledger.totals()
    # The bad event stands behind a good one in the same step: neither is posted.
    bad = log.step(noise(), event)
    after = log.step(ended(1, PAIR))
    found = await ledger.take([bad, after], first_seq=3)
    ((table_id, reason),) = found.stopped
    assert table_id == "t1"
    assert why in reason
    assert await ledger.totals() == before
    table = await ledger.store.ask(TableById("t1"))
    assert table is not None
    assert (table.table_seq, table.hand_no, table.stopped_reason) == (2, 0, reason)
    assert [t.table_id for t in await ledger.store.ask(StoppedTables())] == ["t1"]
    (stopped,) = [f for f in await facts(ledger) if f.HasField("settlement_stopped")]
    assert stopped.settlement_stopped.table_seq == 3
    # Others go on, and trying again changes nothing and says nothing twice.
    other = await seated(ledger, "t2", first_seq=10)
    assert (await ledger.take([other.step(ended(1, PAIR))], "t2", 12)).hands == 1
    again = await ledger.take([bad, after], first_seq=3, retry=True)
    assert (again.steps, again.stopped) == (0, ())


async def test_a_step_is_all_or_nothing(ledger: Ledger) -> None:
    log = await seated(ledger)
    both = log.step(ended(1, PAIR), left("ann", 5))
    await ledger.take([both], first_seq=3)
    assert await ledger.store.ask(HandsFrom("t1", 1, 10)) == ()
    audit = await ledger.store.ask(AuditTable("t1"))
    assert audit is not None
    assert audit.escrow == (("ann", 1_000), ("bob", 1_000))


async def test_a_table_that_is_registered_later_goes_on_when_tried_again(ledger: Ledger) -> None:
    await ledger.rich("ann")
    log = TableLog()
    steps = [log.step(noise()), log.step(voided(1))]
    found = await ledger.take(steps)
    assert "not registered" in found.stopped[0][1]
    await ledger.register()
    again = await ledger.take(steps, retry=True)
    assert (again.steps, again.hands) == (1, 1)
    table = await ledger.store.ask(TableById("t1"))
    assert table is not None
    assert (table.table_seq, table.stopped_reason) == (2, "")


async def test_twice_is_once_and_a_gap_stops(ledger: Ledger) -> None:
    log = await seated(ledger)
    hand = log.step(ended(1, PAIR))
    await ledger.take([hand, hand], first_seq=3)
    await ledger.take(log.stored)
    before = await ledger.totals()
    log.step(noise())
    found = await ledger.take([log.step(noise())], first_seq=5)
    assert found.stopped == (("t1", "step 5: step 4 is missing before 5"),)
    assert (await ledger.take(log.stored, retry=True)).steps == 2
    assert await ledger.totals() == before


async def test_an_older_epoch_in_the_log_stops(ledger: Ledger) -> None:
    log = await seated(ledger)
    log.owner_epoch = 4
    newer = log.step(noise())
    log.owner_epoch = 3
    found = await ledger.take([newer, log.step(noise())], first_seq=3)
    assert found.stopped == (("t1", "step 4: epoch 3 after epoch 4"),)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\xff\xff\xff", "no step"),
        (TableLog("t9").step(), "lies on the subject of t1"),
        (b"", "schema version 0"),
    ],
)
async def test_bytes_that_are_no_step_of_the_table(ledger: Ledger, data: bytes, why: str) -> None:
    log = await seated(ledger)
    found = await ledger.take([data, log.step(noise())], first_seq=3)
    assert why in found.stopped[0][1]
    assert found.steps == 0


async def test_other_stakes_than_money_are_not_supported_yet(ledger: Ledger) -> None:
    of = settings()
    of.stake.tournament.code = "EUR"
    found = await ledger.take([TableLog().step(opened(of))])
    assert "play for tournament are not supported" in found.stopped[0][1]
    chips = ended(1, {})
    chips.hand.hand_ended.rake.CopyFrom(money_pb2.Amount(tournament_chips=5))
    found = await ledger.take([TableLog("t2").step(chips)], "t2")
    assert "where minor is played for" in found.stopped[0][1]


@pytest.mark.parametrize(
    ("rake_bp", "caps", "most"),
    [
        (0, {2: 300}, 0),
        (500, {}, 2**53 - 1),
        (500, {2: 100, 5: 300}, 300),
        (500, {4: 9}, 2**53 - 1),
    ],
)
@pytest.mark.rule("POT-10")
async def test_the_rakes_limit_comes_from_the_log(
    ledger: Ledger, rake_bp: int, caps: dict[int, int], most: int
) -> None:
    of = settings(rake_bp=rake_bp)
    del of.rake.caps[:]
    for players, cap in caps.items():
        of.rake.caps.add(players=players, cap_minor=cap)
    await ledger.take([TableLog().step(opened(of))])
    table = await ledger.store.ask(TableById("t1"))
    assert table is not None
    assert table.max_rake_minor == most


@pytest.mark.rule("OFC-20")
async def test_points_are_money_at_the_tables_price(ledger: Ledger) -> None:
    log = await seated_for_points(ledger)
    result = points_ended(1, {"ann": (100, 110), "bob": (100, 90)})
    assert (await ledger.take([log.step(result)], first_seq=3)).stopped == ()
    assert await escrows(ledger) == {"ann": 1_100, "bob": 900}
    leaves = [log.step(left("ann", 1_100)), log.step(left("bob", 900))]
    assert (await ledger.take(leaves, first_seq=4)).stopped == ()
    assert await ledger.totals() == {"PLAYER_CASH": 100_000, "HOUSE": -100_000}


@pytest.mark.rule("OFC-20")
async def test_points_and_money_never_mix(ledger: Ledger) -> None:
    log = await seated_for_points(ledger)
    money = log.step(ended(1, {"ann": (1_000, 1_100), "bob": (1_000, 900)}))
    found = await ledger.take([money], first_seq=3)
    assert "not in the unit" in found.stopped[0][1]
    for_money = await seated(ledger, "t2", first_seq=10)
    points = for_money.step(points_ended(1, {"ann": (100, 110), "bob": (100, 90)}))
    found = await ledger.take([points], "t2", 12)
    assert "not in the unit" in found.stopped[0][1]
    other_price = TableLog("t3")
    steps = [
        other_price.step(opened(point_settings(10))),
        other_price.step(opened(point_settings(20))),
    ]
    found = await ledger.take(steps, "t3", 20)
    assert "another price of a point" in found.stopped[0][1]


def point_settings(price: int) -> settings_pb2.TableSettings:
    of = settings(rake_bp=0)
    of.stake.points.currency.CopyFrom(of.stake.money)
    of.stake.points.point_price_minor = price
    return of


async def seated_for_points(ledger: Ledger) -> TableLog:
    """Ann and Bob with 100 points each, bought for 10 a point; the log has two steps."""
    log = TableLog("t1")
    await ledger.rich("ann", "bob")
    await ledger.register("t1")
    for player in ("ann", "bob"):
        await ledger.reserve(f"t1/{player}", player, 1_000, table_id="t1")
    seats = [taken(player, 1_000, f"t1/{player}") for player in ("ann", "bob")]
    steps = [log.step(opened(point_settings(10))), log.step(*seats)]
    assert (await ledger.take(steps, "t1", 1)).stopped == ()
    return log


async def escrows(ledger: Ledger) -> dict[str, int]:
    found = {}
    for player in ("ann", "bob"):
        lines = await ledger.store.ask(StatementOf(escrow("t1", player, "EUR"), 0, 9, LineFilter()))
        assert lines is not None
        found[player] = lines.lines[-1].balance_minor
    return found


async def test_every_entry_has_its_fact(ledger: Ledger) -> None:
    log = await seated(ledger)
    await ledger.take([log.step(ended(1, PAIR))], first_seq=3)
    posted = [f.entry_posted for f in await facts(ledger) if f.HasField("entry_posted")]
    assert [f.entry_no for f in posted] == list(range(1, len(posted) + 1))
    subjects = [event.subject for event in await ledger.store.ask(UnpublishedEvents(999))]
    assert subjects[0] == "floor.ledger.cash.entry_posted"
    assert subjects[-2:] == ["floor.ledger.t1.entry_posted", "floor.ledger.t1.hand_settled"]
    first, *rest = await ledger.store.ask(UnpublishedEvents(999))
    await ledger.store.execute(lambda book: book.delete_events([first.outbox_no]))
    assert await ledger.store.ask(UnpublishedEvents(999)) == tuple(rest)
