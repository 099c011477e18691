"""The audit's own reading of logs and books, on pages written by hand."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import pytest

from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.api.wallet.v1 import wallet_pb2 as pb
from pokerfloor.floorctl.ledger.book import GENESIS, BookCheck, content_hash
from pokerfloor.floorctl.ledger.expected_entries import ExpectedEntry, TableMoney
from pokerfloor.floorctl.ledger.match import TableMatch, not_its_business
from tests.support.accounts import account
from tests.support.wallet.table_log import TableLog, ended, left, opened, taken, voided

CASH, ESCROW, HOUSE = (
    pb.ACCOUNT_KIND_PLAYER_CASH,
    pb.ACCOUNT_KIND_SEAT_ESCROW,
    pb.ACCOUNT_KIND_HOUSE,
)
RESERVED, RAKE = pb.ACCOUNT_KIND_RESERVED, pb.ACCOUNT_KIND_RAKE
Moves = Mapping[tuple[int, str], int]


@dataclass
class Pages:
    """A book written by hand, with hashes that fit."""

    last_hash: bytes = GENESIS
    entries: list[pb.Entry] = field(default_factory=list)
    standing: dict[tuple[int, str], tuple[int, int]] = field(default_factory=dict)

    def post(self, kind: int, entry_id: str, moves: Moves, **more: object) -> pb.Entry:
        entry = pb.Entry(
            entry_no=len(self.entries) + 1,
            kind=pb.EntryKind.ValueType(kind),
            entry_id=entry_id,
            currency="EUR",
            at_ms=1_000,
            prev_hash=self.last_hash,
            **more,  # type: ignore[arg-type]  # fields by name
        )
        for (place, owner), amount in sorted(moves.items()):
            version, balance = self.standing.get((place, owner), (0, 0))
            self.standing[place, owner] = (version + 1, balance + amount)
            entry.postings.add(
                account=account(place, owner),
                amount_minor=amount,
                version=version + 1,
                balance_minor=balance + amount,
            )
        entry.content_hash = content_hash(entry)
        entry.hash = hashlib.sha256(entry.prev_hash + entry.content_hash).digest()
        self.last_hash = entry.hash
        self.entries.append(entry)
        return entry

    def accounts(self) -> pb.ListAccountsResponse:
        return pb.ListAccountsResponse(
            accounts=[
                pb.AccountStanding(
                    account=account(kind, owner),
                    version=version,
                    balance_minor=balance,
                    exponent=2,
                )
                for (kind, owner), (version, balance) in self.standing.items()
            ],
            last_entry_no=len(self.entries),
        )


def check(pages: Pages, listed: pb.ListAccountsResponse | None = None) -> list[str]:
    book = BookCheck()
    book.take_accounts(listed or pages.accounts())
    found = [finding for entry in pages.entries for finding in book.take(entry)]
    return [str(finding) for finding in [*found, *book.end(len(pages.entries))]]


def two_deposits() -> Pages:
    pages = Pages()
    for number in (1, 2):
        pages.post(pb.ENTRY_KIND_DEPOSIT, f"d{number}", {(CASH, "ann"): 100, (HOUSE, ""): -100})
    return pages


def test_a_sound_book() -> None:
    assert check(two_deposits()) == []


def test_a_book_that_moved_on_gives_no_alarm() -> None:
    pages = two_deposits()
    listed = pages.accounts()
    pages.post(pb.ENTRY_KIND_DEPOSIT, "d3", {(CASH, "bob"): 5, (HOUSE, ""): -5})
    assert check(pages, listed) == []


def test_accounts_that_do_not_stand_where_they_were_left() -> None:
    pages = two_deposits()
    listed = pages.accounts()
    listed.accounts[0].balance_minor += 1
    assert check(pages, listed) == ["entry 2 (d2): cash/ann stands at 201, it left 200"]
    listed = pages.accounts()
    listed.accounts[0].version += 1
    assert (
        "cash/ann in EUR has 3 postings, but this is its last, number 2" in check(pages, listed)[0]
    )
    del listed.accounts[0]
    what = "entry 1 (d1): the account cash/ann that it moves is not among the accounts"
    assert check(pages, listed) == [what]
    listed = pages.accounts()
    listed.accounts.add(account=account(CASH, "eve"), balance_minor=9)
    assert check(pages, listed) == ["the account cash/eve in EUR has a balance that no entry made"]


def test_entries_that_are_gone() -> None:
    pages = two_deposits()
    pages.post(pb.ENTRY_KIND_DEPOSIT, "d3", {(CASH, "bob"): 5, (HOUSE, ""): -5})
    listed = pages.accounts()
    gone = pages.entries.pop()
    book = BookCheck()
    book.take_accounts(listed)
    assert [str(one) for entry in pages.entries for one in book.take(entry)] == []
    told = [str(finding) for finding in book.end(3)]
    assert told[0] == "entry 3: it is gone"
    assert gone.entry_no == 3
    assert any("cash/bob in EUR has 1 postings, but no entry moves it" in line for line in told)


# --- the log


class Said:
    """ExpectedEntries from steps, and the settled hands, as the sources give them."""

    def __init__(self, log: TableLog, hands: Iterable[pb.SettledHand] = ()) -> None:
        self.money = TableMoney(log.table_id)
        steps = [step_pb2.Step.FromString(data) for data in log.stored]
        self._expected = [expected for step in steps for expected in self.money.read(step)]
        self._hands = {hand.hand_no: hand for hand in hands}
        self.unread: dict[str, str] = {}

    async def next(self, table_id: str) -> ExpectedEntry | None:
        return self._expected.pop(0) if self._expected else None

    async def hand(self, table_id: str, hand_no: int) -> pb.SettledHand | None:
        return self._hands.get(hand_no)


def an_evening() -> TableLog:
    log = TableLog("t1")
    log.step(opened())
    log.step(taken("ann", 1_000, "r1"), taken("bob", 1_000, "r2"))
    log.step(ended(1, {"ann": (1_000, 1_080), "bob": (1_000, 900)}, 20))
    log.step(voided(2))
    log.step(ended(3, {"ann": (1_080, 1_080), "bob": (900, 900)}))
    log.step(left("ann", 1_080, "out-1"))
    return log


def posted(pages: Pages, *, late: bool = False) -> None:
    ann, bob = (ESCROW, "t1/ann"), (ESCROW, "t1/bob")
    held = CASH if late else RESERVED
    more = {"table_id": "t1"}
    pages.post(
        pb.ENTRY_KIND_BUY_IN,
        "commit/r1",
        {ann: 1_000, (held, "ann"): -1_000},
        reference="r1",
        **more,
    )
    pages.post(
        pb.ENTRY_KIND_BUY_IN,
        "commit/r2",
        {bob: 1_000, (held, "bob"): -1_000},
        reference="r2",
        **more,
    )
    hand: Moves = {ann: 80, bob: -100, (RAKE, "room-1"): 20}
    pages.post(pb.ENTRY_KIND_HAND, "hand/t1/1", hand, hand_no=1, **more)
    pages.post(
        pb.ENTRY_KIND_CASH_OUT,
        "cashout/t1/6/ann",
        {ann: -1_080, (CASH, "ann"): 1_080},
        reference="out-1",
        **more,
    )


HANDS = (
    pb.SettledHand(hand_no=1, entry_no=3, rake_minor=20),
    pb.SettledHand(hand_no=2),
    pb.SettledHand(hand_no=3),
)


async def compare(
    pages: Pages, log: TableLog, hands: Iterable[pb.SettledHand] = HANDS, taken_seq: int = 6
) -> list[str]:
    said = Said(log, hands)
    match = TableMatch("t1", said, said, taken_seq)
    found = [finding for entry in pages.entries for finding in await match.take(entry)]
    told = [str(finding) for finding in [*found, *await match.end()]]
    if not told:
        assert match.held[ESCROW, "t1/ann"] == 0
        assert match.held[ESCROW, "t1/bob"] == 900
    return told + said.money.flaws


@pytest.mark.parametrize("late", [False, True])
async def test_what_the_log_says_stands_in_the_ledger(late: bool) -> None:
    pages = Pages()
    posted(pages, late=late)
    assert await compare(pages, an_evening()) == []


async def test_what_is_not_taken_in_yet_is_not_missed() -> None:
    assert await compare_part(2) == []
    assert await compare_part(3) == ["hand 1 of t1, step 3, is not in the ledger"]


async def compare_part(taken_seq: int) -> list[str]:
    pages = Pages()
    posted(pages)
    said = Said(an_evening(), HANDS)
    match = TableMatch("t1", said, said, taken_seq)
    found = [finding for entry in pages.entries[:2] for finding in await match.take(entry)]
    return [str(finding) for finding in [*found, *await match.end()]]


async def test_other_amounts_than_the_log_says() -> None:
    pages = Pages()
    posted(pages)
    log = an_evening()
    step = step_pb2.Step.FromString(log.stored[2])
    step.events[0].hand.hand_ended.seats[0].net.minor += 5
    log.stored[2] = step.SerializeToString()
    told = await compare(pages, log)
    assert told[0] == (
        "entry 3 (hand/t1/1): hand 1 of t1: the log moves escrow/t1/ann by 85, the entry by 80"
    )
    assert any("hand 1 takes ann from 1000 by 85 to 1080" in line for line in told)
    assert any("hand 1 does not sum to zero" in line for line in told)


async def test_what_no_log_says_and_what_is_said_once() -> None:
    pages = Pages()
    posted(pages)
    ann, bob = (ESCROW, "t1/ann"), (ESCROW, "t1/bob")
    pages.post(pb.ENTRY_KIND_HAND, "hand/t1/9", {ann: 7, bob: -7}, table_id="t1", hand_no=9)
    pages.post(pb.ENTRY_KIND_HAND, "hand/t1/1", {ann: 7, bob: -7}, table_id="t1", hand_no=1)
    told = await compare(pages, an_evening())
    assert [line.partition(":")[0] for line in told] == [
        "entry 5 (hand/t1/9)",
        "entry 6 (hand/t1/1)",
    ]


async def test_the_list_of_settled_hands() -> None:
    pages = Pages()
    posted(pages)
    other = (pb.SettledHand(hand_no=1, entry_no=3, rake_minor=2), *HANDS[1:])
    assert "the list of settled hands says 2" in (await compare(pages, an_evening(), other))[0]
    told = await compare(pages, an_evening(), (HANDS[0], HANDS[2]))
    assert told == ["hand 2 of t1 is not among the settled hands"]


async def test_a_log_with_a_hole() -> None:
    pages = Pages()
    posted(pages)
    log = an_evening()
    del log.stored[3]
    told = await compare(pages, log, (HANDS[0], HANDS[2]))
    assert told[0] == "the log of t1 at step 5: step 4 is missing before it"
    assert told[1] == "the log of t1 at step 5: hand 3 ends after hand 1"


async def test_entries_that_move_what_is_none_of_their_business() -> None:
    pages = Pages()
    entry = pages.post(pb.ENTRY_KIND_DEPOSIT, "d1", {(ESCROW, "t1/ann"): 100, (HOUSE, ""): -100})
    assert [str(finding) for finding in not_its_business(entry)] == [
        "entry 1 (d1): an entry of the kind deposit never moves escrow/t1/ann"
    ]
