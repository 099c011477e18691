"""`floorctl ledger audit` against a wallet whose book was tampered with while it was off."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from floor_wallet.domain import EntryKind
from floor_wallet.outbox import LEDGER_STREAM
from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.api.wallet.v1 import events_pb2
from pokerfloor.floorctl.main import main
from pokerfloor.servicekit import FloorNats, StreamSpec, new_id
from pokerfloor.tablelog import TABLE_LOG
from tests.support.broker import nats_server
from tests.support.wallet.ledger_evening import Evening
from tests.support.wallet.tampering import (
    Change,
    cut_off,
    entry_no_of,
    hash_again,
    last_no,
    move_more,
    opened,
    swap,
)
from tests.support.wallet.wallet_floor import WalletFloor, until, wallet_floor

pytestmark = pytest.mark.integration

Capture = pytest.CaptureFixture[str]


@dataclass
class Book:
    """A wallet with an evening behind it, and its file as it was left."""

    floor: WalletFloor
    folder: Path
    token: Path
    capsys: Capture

    @property
    def file(self) -> Path:
        return self.folder / "wallet" / "ledger.db"

    async def audit(self, *more: str, nats: str = "") -> tuple[int, list[str]]:
        """The command's exit code and lines; it never complains."""
        where = ["--wallet", self.floor.wallet.address, "--token-file", str(self.token)]
        broker = ["--nats", nats or self.floor.broker.url]
        arguments = ["ledger", "audit", *where, *broker, *more]
        code = await asyncio.to_thread(main, arguments)
        told = self.capsys.readouterr()
        assert told.err == ""
        return code, told.out.splitlines()

    async def alter(self, *changes: Change) -> None:
        """Change the file as it was after the evening, and start the wallet with it."""
        self.floor.wallet.kill9()
        kept = self.folder / "kept"
        if not kept.exists():
            shutil.copytree(self.file.parent, kept)
        shutil.rmtree(self.file.parent)
        shutil.copytree(kept, self.file.parent)
        with opened(self.file) as connection:
            for change in changes:
                change(connection)
        await self.floor.wallet.start()
        await self.floor.progress("main-1")  # this process has found the wallet again

    async def finds(self, *more: str, nats: str = "") -> list[str]:
        """What the audit finds wrong."""
        code, told = await self.audit("--most", "500", *more, nats=nats)
        sound = told[-1] == "the book is sound"
        assert (code == 0) == sound
        head = next(i for i, line in enumerate(told) if " entries" in line and line[0].isdigit())
        assert sound == (head == 0), told
        return told[:head]

    def number_of(self, kind: EntryKind, skip: int = 0) -> int:
        with closing(sqlite3.connect(self.file)) as connection:
            return entry_no_of(connection, int(kind), skip)


@asynccontextmanager
async def an_evening(folder: Path, capsys: Capture, seed: int) -> AsyncIterator[Book]:
    async with wallet_floor(folder) as floor:
        evening = Evening(floor, seed)
        await evening.begin()
        await evening.go_on(40)
        token = folder / "auditor.token"
        token.write_text(floor.identities.token("audit", "auditor"), encoding="ascii")
        await until(partial(_all_published, floor))
        yield Book(floor, folder, token, capsys)


async def _all_published(floor: WalletFloor) -> bool:
    file = floor.wallet.log.parent / "wallet" / "ledger.db"
    with closing(sqlite3.connect(file)) as connection:
        return not connection.execute("SELECT count(*) FROM outbox").fetchone()[0]


def sql(text: str, *parameters: object) -> Change:
    return lambda connection: connection.execute(text, parameters)


def with_start(lines: list[str], start: str) -> str:
    """What is found of the entry whose name begins so."""
    return "\n".join(line for line in lines if line.startswith(start))


async def test_a_book_that_was_left_alone_is_sound(tmp_path: Path, capsys: Capture) -> None:
    async with an_evening(tmp_path, capsys, 1) as book:
        code, told = await book.audit()
        assert (code, told[-1]) == (0, "the book is sound")
        head = told[-2].removeprefix("head ")
        assert await book.audit("--noted", head) == (0, told)
        assert (await book.audit("--by-wallet"))[1][-1] == "the book is sound"
        fact = events_pb2.EntryPosted(entry_no=1, hash=bytes(range(32)))
        await forge_fact(book.floor.nats, events_pb2.LedgerEvent(entry_posted=fact))
        assert await book.finds() == ["entry 1 was published with two hashes"]
        wrong = head[:-1] + ("0" if head[-1] != "0" else "1")
        assert "which is not the noted one" in (await book.finds("--noted", wrong))[0]


async def test_every_change_to_an_entry_is_named(tmp_path: Path, capsys: Capture) -> None:
    async with an_evening(tmp_path, capsys, 3) as book:
        deposits = [book.number_of(EntryKind.DEPOSIT, skip) for skip in (2, 4)]
        hands = [book.number_of(EntryKind.HAND, skip) for skip in (1, 3, 4)]
        of = "WHERE entry_no = ?"
        first = f"{of} AND account_no = (SELECT max(account_no) FROM postings {of})"
        await book.alter(
            sql(
                f"UPDATE postings SET amount_minor = amount_minor + 1 {first}",
                deposits[0],
                deposits[0],
            ),
            sql(
                f"UPDATE postings SET balance_minor = balance_minor + 1 {first}",
                hands[0],
                hands[0],
            ),
            sql(f"UPDATE entries SET note = 'till 4' {of}", deposits[1]),
            sql(f"UPDATE entries SET at_ms = at_ms - 1 {of}", hands[1]),
            sql(f"UPDATE entries SET kind = 99 {of}", hands[2]),
        )
        found = await book.finds()
        for entry_no in (*deposits, *hands):
            told = with_start(found, f"entry {entry_no} (")
            assert "its content is not what its hash covers" in told, found
        assert "its amounts sum to 1, not to zero" in with_start(found, f"entry {deposits[0]} (")
        by_wallet = await book.finds("--by-wallet")
        assert by_wallet == [f"entry {deposits[0]}: its content is not what its hash covers"]


async def test_accounts_and_whole_entries(tmp_path: Path, capsys: Capture) -> None:
    async with an_evening(tmp_path, capsys, 4) as book:
        first = book.number_of(EntryKind.DEPOSIT)
        anns = "owner = 'ann' AND currency = 'EUR'"
        await book.alter(sql(f"UPDATE accounts SET owner = 'eve' WHERE {anns}"))
        found = await book.finds()
        assert found[0].startswith(f"entry {first} (request/")

        gone = book.number_of(EntryKind.HAND, 2)
        await book.alter(
            sql(f"UPDATE accounts SET balance_minor = balance_minor + 1 WHERE kind = 1 AND {anns}"),
            sql("DELETE FROM entries WHERE entry_no = ?", gone),
            sql("DELETE FROM postings WHERE entry_no = ?", gone),
        )
        found = await book.finds()
        assert f"entry {gone}: it is gone" in found
        assert any("cash/ann stands at" in line for line in found)
        assert any(line.startswith("hand ") and "is not in the ledger" in line for line in found)

        deposit, other = (book.number_of(EntryKind.DEPOSIT, skip) for skip in (5, 8))
        await book.alter(
            partial(swap, entry_no=deposit),
            partial(hash_again, first_no=deposit, last_no=deposit),
            partial(move_more, entry_no=other, more=1_000),
            partial(hash_again, first_no=other, last_no=other),
        )
        found = await book.finds()
        assert found[0].startswith(f"entry {deposit} (")
        told = with_start(found, f"entry {other} (")
        assert "it was changed: the next entry is chained to another hash than it has" in told
        assert "the wallet published another hash" in told


async def test_a_chain_that_was_written_anew(tmp_path: Path, capsys: Capture) -> None:
    """By itself such a book is sound: what others have seen of it says what was changed."""

    def rewrite(entry_no: int) -> tuple[Change, Change]:
        def again(connection: sqlite3.Connection) -> None:
            hash_again(connection, entry_no, last_no(connection))

        return partial(move_more, entry_no=entry_no, more=3), again

    async with an_evening(tmp_path, capsys, 5) as book:
        hand = book.number_of(EntryKind.HAND, 3)
        deposit = book.number_of(EntryKind.DEPOSIT, 5)
        head = (await book.audit())[1][-2].removeprefix("head ")
        end = int(head.partition(":")[0])
        with nats_server(tmp_path / "other") as other:
            await copy_log(book.floor.nats, other.url, lambda _: False)

            await book.alter(*rewrite(hand))
            assert await book.finds("--by-wallet") == []
            told = with_start(await book.finds(), f"entry {hand} (hand/")
            assert "the wallet published another hash when it was posted" in told
            # Without the published facts, the table's log says it.
            found = await book.finds(nats=other.url)
            assert found[0].startswith(f"entry {hand} (hand/")
            assert "the log moves escrow/" in found[0]

            await book.alter(*rewrite(deposit))
            assert await book.finds("--by-wallet") == []
            assert (await book.finds())[0].startswith(f"entry {deposit} (request/")
            # Without them, only what somebody has noted down does.
            assert await book.finds(nats=other.url) == []
            found = await book.finds("--noted", head, nats=other.url)
            assert len(found) == 1
            assert found[0].startswith(f"entry {end} (")

            await book.alter(partial(cut_off, entry_no=end))
            assert f"entry {end} was published, the book ends at {end - 1}" in await book.finds()
            found = await book.finds("--noted", head, nats=other.url)
            assert f"entry {end}, whose hash was noted, is not in the book" in found


async def test_a_log_that_was_altered(tmp_path: Path, capsys: Capture) -> None:
    async with an_evening(tmp_path, capsys, 6) as book:
        with nats_server(tmp_path / "other") as other:
            where = ["--wallet", book.floor.wallet.address, "--token-file", str(book.token)]
            arguments = ["ledger", "audit", *where, "--nats", other.url]
            assert await asyncio.to_thread(main, arguments) == 1
            problem = capsys.readouterr().err
            assert problem.startswith("floorctl ledger audit: UNAVAILABLE: ")
            assert problem.count("\n") == 1
            table, hand_no = await copy_log(book.floor.nats, other.url, _one_less)
            code, told = await book.audit(nats=other.url)
        assert code == 1
        assert f"hand/{table}/{hand_no}): hand {hand_no} of {table}: the log moves" in told[0]


async def forge_fact(nats: FloorNats, event: events_pb2.LedgerEvent) -> None:
    subject = "floor.ledger.cash.entry_posted"
    last = await nats.last_message(LEDGER_STREAM.name, subject)
    assert last is not None
    await nats.append(
        subject, event.SerializeToString(), expected_last_seq=last.seq, msg_id=new_id()
    )


def _one_less(step: step_pb2.Step) -> bool:
    """Alter a hand that moved money."""
    for event in step.events:
        ended = event.hand.hand_ended
        if event.HasField("hand") and any(seat.net.minor > 1 for seat in ended.seats):
            winner = next(seat for seat in ended.seats if seat.net.minor > 1)
            winner.net.minor -= 1
            winner.end.minor -= 1
            ended.rake.minor += 1
            return True
    return False


async def copy_log(
    source: FloorNats, url: str, change: Callable[[step_pb2.Step], bool]
) -> tuple[str, int]:
    """Store all steps at another broker, one of them altered; gives its table and hand."""
    target = await FloorNats.connect(url, name="copy")
    altered = ("", 0)
    last: dict[str, int] = {}
    await target.ensure_stream(StreamSpec(**TABLE_LOG._asdict()))
    await target.ensure_stream(LEDGER_STREAM)
    async for message in source.read_from(TABLE_LOG.name, TABLE_LOG.subjects[0]):
        step = step_pb2.Step.FromString(message.data)
        if not altered[0] and change(step):
            hand = next(event.hand.hand_ended for event in step.events if event.HasField("hand"))
            altered = (step.table_id, hand.hand_no)
        last[message.subject] = await target.append(
            message.subject,
            step.SerializeToString(deterministic=True),
            expected_last_seq=last.get(message.subject, 0),
            msg_id=new_id(),
        )
    await target.close()
    return altered
