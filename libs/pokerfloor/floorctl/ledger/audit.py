"""`floorctl ledger audit`: the whole book recomputed, and compared with the tables' logs.

What moves meanwhile gives no false alarm, for it is read in this order: the published facts, the
accounts, how far each table is read, the entries, and the logs last.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

import grpc.aio

from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.table.v1 import table_pb2_grpc
from pokerfloor.api.wallet.v1 import wallet_pb2, wallet_pb2_grpc
from pokerfloor.floorctl.arguments import ArgumentError
from pokerfloor.floorctl.ledger.book import Account, BookCheck, Finding
from pokerfloor.floorctl.ledger.match import OF_THE_LOG, TableMatch, not_its_business
from pokerfloor.floorctl.ledger.notation import account_name
from pokerfloor.floorctl.ledger.reading import (
    CALL_TIMEOUT_MS,
    account_pages,
    entries,
    last_entry_no,
)
from pokerfloor.floorctl.ledger.reversals import ReversalCheck
from pokerfloor.floorctl.ledger.sources import (
    BrokerLogs,
    Logs,
    PublishedHashes,
    SettledHands,
    TableServiceLogs,
)
from pokerfloor.rpc import CannotStart, connect, error_of, file_token

_RECOUNT_S: Final = 3600.0
_NOTED: Final = re.compile(r"([1-9][0-9]{0,15}):([0-9a-f]{64})")
_ESCROW: Final = wallet_pb2.ACCOUNT_KIND_SEAT_ESCROW
_POT: Final = wallet_pb2.ACCOUNT_KIND_TABLE_POT


@dataclass(slots=True)
class Report:
    """What was found; beyond `most` findings only their number is kept."""

    most: int
    findings: list[Finding] = field(default_factory=list)
    wrong: int = 0
    lines: list[str] = field(default_factory=list)

    def add(self, found: Iterable[Finding]) -> None:
        """Take findings."""
        for finding in found:
            self.wrong += 1
            if len(self.findings) < self.most:
                self.findings.append(finding)

    def note(self, *flaws: str) -> None:
        """Take findings that name no entry."""
        self.add(Finding(0, "", flaw) for flaw in flaws)


async def run(wallet: wallet_pb2_grpc.WalletServiceAsyncStub, args: argparse.Namespace) -> int:
    """Audit and print; 0 when everything is sound."""
    report = Report(max(args.most, 1))
    if args.by_wallet:
        await _recount(wallet, report)
    else:
        noted = _noted(args.noted)
        async with _sources(args) as (logs, published):
            await _Audit(wallet, logs, published, noted, report).run()
    if args.json:
        named = [
            {"entry_no": one.entry_no, "entry_id": one.entry_id, "what": one.what}
            for one in report.findings
        ]
        print(json.dumps({"wrong": report.wrong, "findings": named, "about": report.lines}))
        return 1 if report.wrong else 0
    for finding in report.findings:
        print(finding)
    if report.wrong > len(report.findings):
        print(f"and {report.wrong - len(report.findings):,} more")
    for line in report.lines:
        print(line)
    print(f"{report.wrong:,} things are wrong" if report.wrong else "the book is sound")
    return 1 if report.wrong else 0


async def _recount(wallet: wallet_pb2_grpc.WalletServiceAsyncStub, report: Report) -> None:
    found = await wallet.AuditBook(wallet_pb2.AuditBookRequest(), timeout=_RECOUNT_S)
    if found.broken_entry_no or found.reason:
        report.add([Finding(found.broken_entry_no, "", found.reason)])
    report.lines.append(f"{found.entries:,} entries by the wallet's own word")
    report.lines.append(f"the last has the hash {found.head_hash.hex()}")


@asynccontextmanager
async def _sources(args: argparse.Namespace) -> AsyncIterator[tuple[Logs, PublishedHashes | None]]:
    """Open where the logs are read, and read the published facts where there are any."""
    if args.nats is None:
        token = file_token(args.token_file)
        async with connect(args.address, token, timeout_ms=CALL_TIMEOUT_MS) as channel:
            yield TableServiceLogs(table_pb2_grpc.TableServiceStub(channel)), None
        return
    try:
        from nats.errors import Error as NatsError  # noqa: PLC0415  of the extra `services`

        from pokerfloor.servicekit import FloorNats, LogUnavailable  # noqa: PLC0415
    except ModuleNotFoundError as missing:
        reason = f"--nats needs {missing.name}: install poker-floor[services]"
        raise ArgumentError("CANNOT_READ", reason) from missing
    try:
        nats = await FloorNats.connect(args.nats, name="floorctl", wait_ms=5_000)
        try:
            published = PublishedHashes()
            await published.read(nats)
            yield BrokerLogs(nats), published
        finally:
            await nats.close()
    except (LogUnavailable, NatsError) as error:
        raise CannotStart(str(error)) from error


class _Audit:
    """One audit, step by step."""

    def __init__(
        self,
        wallet: wallet_pb2_grpc.WalletServiceAsyncStub,
        logs: Logs,
        published: PublishedHashes | None,
        noted: dict[int, bytes],
        report: Report,
    ) -> None:
        self._wallet = wallet
        self._logs = logs
        self._published = published
        self._noted = noted
        self._report = report
        self._book = BookCheck()
        self._hands = SettledHands(wallet)
        self._undone = ReversalCheck(wallet)
        self._matches: dict[str, TableMatch] = {}
        self._progress: dict[str, wallet_pb2.GetTableProgressResponse] = {}
        self._by_calls = 0

    async def run(self) -> None:
        """Read everything once."""
        async for page in account_pages(self._wallet):
            self._book.take_accounts(page)
        tables = {_table_of(account) for account, _ in self._book.standing()}
        for table_id in sorted({*tables, *await self._logs.tables()} - {""}):
            self._progress[table_id] = await self._progress_of(table_id)
            self._match(table_id)
        last_no = await last_entry_no(self._wallet)
        async for entry in entries(self._wallet, last_no):
            self._report.add(self._book.take(entry))
            self._check_hash(entry)
            await self._check_origin(entry)
        self._report.add(self._book.end(last_no))
        for match in self._matches.values():
            self._report.add(await match.end())
        self._check_held()
        self._check_logs()
        self._check_facts(last_no)
        self._sum_up()

    async def _progress_of(self, table_id: str) -> wallet_pb2.GetTableProgressResponse:
        request = wallet_pb2.GetTableProgressRequest(table_id=table_id)
        try:
            return await self._wallet.GetTableProgress(request)
        except grpc.aio.AioRpcError as failure:
            if error_of(failure).code != errors_pb2.ERROR_CODE_UNKNOWN_TABLE:
                raise
            return wallet_pb2.GetTableProgressResponse()

    def _match(self, table_id: str) -> TableMatch:
        if table_id not in self._matches:
            progress = self._progress.get(table_id)
            taken = progress.table_seq if progress else 0
            self._matches[table_id] = TableMatch(table_id, self._logs, self._hands, taken)
        return self._matches[table_id]

    def _check_hash(self, entry: wallet_pb2.Entry) -> None:
        noted = self._noted.pop(entry.entry_no, None)
        if noted is not None and noted != entry.hash:
            what = f"it has the hash {entry.hash.hex()}, which is not the noted one"
            self._report.add([Finding(entry.entry_no, entry.entry_id, what)])
        if self._published is not None and self._published.differs(entry):
            what = "the wallet published another hash when it was posted"
            self._report.add([Finding(entry.entry_no, entry.entry_id, what)])

    async def _check_origin(self, entry: wallet_pb2.Entry) -> None:
        if entry.kind in OF_THE_LOG:
            self._report.add(await self._match(entry.table_id).take(entry))
        else:
            self._by_calls += 1
            self._report.add(not_its_business(entry))
            self._report.add([flaw async for flaw in self._undone.check(entry)])

    def _check_held(self) -> None:
        """Compare escrows and carried pots with what the logs leave in front of the players."""
        for (kind, owner, code), balance in self._book.standing():
            table_id = _table_of((kind, owner, code))
            match = self._matches.get(table_id)
            if match is None or kind not in (_ESCROW, _POT) or table_id in self._logs.unread:
                continue
            held = match.held.get((kind, owner), 0)
            if balance != held:
                name = f"{account_name(kind, owner)} in {code}"
                self._report.note(f"{name} is at {balance}, by the log it is {held}")

    def _check_logs(self) -> None:
        for table_id, reason in self._logs.unread.items():
            self._report.note(f"the log of {table_id} cannot be read: {reason}")
        hands = {}
        for money in self._logs.money():
            self._report.note(*money.flaws)
            hands[money.table_id] = money.hand_no
        for table_id, progress in self._progress.items():
            if progress.stopped_reason:
                self._report.note(
                    f"the settlement of {table_id} is stopped: {progress.stopped_reason}"
                )
            if table_id not in self._logs.unread and progress.hand_no > hands.get(table_id, 0):
                self._report.note(
                    f"hand {progress.hand_no} of {table_id} is settled, the log has "
                    f"{hands.get(table_id, 0)}"
                )

    def _check_facts(self, last_no: int) -> None:
        for entry_no in sorted(self._noted):
            self._report.note(f"entry {entry_no}, whose hash was noted, is not in the book")
        if self._published is None:
            return
        if self._published.last_no > last_no:
            self._report.note(
                f"entry {self._published.last_no} was published, the book ends at {last_no}"
            )
        for entry_no in sorted(self._published.twice):
            self._report.note(f"entry {entry_no} was published with two hashes")

    def _sum_up(self) -> None:
        book, matches = self._book, self._matches.values()
        for code, total in sorted(book.totals.items()):
            if total:
                self._report.note(f"all entries in {code} sum to {total}")
        codes = ", ".join(sorted(book.exponents)) or "none"
        hands, matched = sum(one.hands for one in matches), sum(one.matched for one in matches)
        self._report.lines += [
            f"{book.entries:,} entries, {book.accounts:,} accounts, currencies: {codes}",
            f"{len(matches):,} tables, {hands:,} hands, {matched:,} entries by their logs",
            f"{self._by_calls:,} entries by calls",
        ]
        if self._published is not None:
            self._report.lines.append(f"{self._published.compared:,} published hashes compared")
        self._report.lines.append(f"head {book.last_no}:{book.last_hash.hex()}")


def _table_of(account: Account) -> str:
    kind, owner, _ = account
    if kind == _ESCROW:
        return owner.partition("/")[0]
    return owner if kind == _POT else ""


def _noted(texts: Iterable[str]) -> dict[int, bytes]:
    """Read hashes that were noted down. Raises ArgumentError."""
    noted = {}
    for text in texts:
        found = _NOTED.fullmatch(text)
        if not found:
            raise ArgumentError("INVALID_FIELD", f"{text!r} is no entry's number and hash, NO:HASH")
        noted[int(found[1])] = bytes.fromhex(found[2])
    return noted
