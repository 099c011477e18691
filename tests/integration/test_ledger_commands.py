"""`floorctl ledger` at a whole floor that plays: reports, statements, and the audit beside play."""

from __future__ import annotations

import asyncio
import json
import random
from pathlib import Path

import pytest

from pokerfloor.client import Turn
from pokerfloor.floorctl.main import main
from tests.support.floor import Floor, holdem_settings, whole_floor
from tests.support.players import Players

pytestmark = pytest.mark.integration

NAMES = ["ann", "bob", "cyd"]


class Desk:
    """The command with the floor's addresses and an auditor's token."""

    def __init__(self, floor: Floor, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self._token = folder / "auditor.token"
        self._token.write_text(floor.identities.token("audit", "auditor"), encoding="ascii")
        self._wallet = floor.services["wallet"].address
        self._table = floor.services["table"].address

    async def ask(self, part: str, *more: str) -> tuple[int, str, str]:
        where = ["--wallet", self._wallet, "--token-file", str(self._token)]
        address = ["--address", self._table] if part == "audit" else []
        code = await asyncio.to_thread(main, ["ledger", part, *where, *address, *more])
        told = self._capsys.readouterr()
        return code, told.out, told.err

    async def told(self, part: str, *more: str) -> list[str]:
        code, told, problems = await self.ask(part, *more)
        assert (code, problems) == (0, "")
        return told.splitlines()


async def test_what_the_desk_reads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chance = random.Random(4)

    async def lively(turn: Turn) -> None:
        raising = turn.legal.raise_ or turn.legal.bet
        # So little that, whatever the shuffler deals, nobody can lose all of it in these hands.
        if chance.random() < 0.5 and raising is not None and raising.min_to <= 300:
            to = raising.min_to
            await (turn.raise_to(to) if turn.legal.raise_ else turn.bet_to(to))
        else:
            await turn.check_or_call()

    settings = holdem_settings()
    settings.rake.rate_bp = 500
    settings.rake.caps.add(players=2, cap_minor=150)
    async with whole_floor(tmp_path) as floor:
        await floor.open_table("main-1", settings)
        desk = Desk(floor, tmp_path, capsys)
        players = await Players.seated(floor, "main-1", NAMES, 20_000)
        playing = asyncio.create_task(players.play(12, lively))
        while not playing.done():
            # The book and the logs move while they are read.
            assert (await desk.told("audit"))[-1] == "the book is sound"
        await playing
        await players.finish(floor)
        await floor.assert_books(["main-1"])
        await _check_reports(desk)
        await _check_statement(desk)
        await _check_refusals(desk)
        floor.services["table"].kill9()
        code, _, problems = await desk.ask("audit")
        assert (code, problems.count("\n")) == (1, 1)
        assert problems.startswith("floorctl ledger audit: UNAVAILABLE: ")


async def _check_reports(desk: Desk) -> None:
    told = await desk.told("trial-balance")
    assert told[0].split() == ["kind", "accounts", "EUR"]
    kinds = {line.split()[0]: line.split()[1:] for line in told}
    assert kinds["house"] == ["1", "-30,000.00"]
    assert kinds["total"] == ["11", "0.00"]
    answer = json.loads("\n".join(await desk.told("trial-balance", "--json")))
    assert (answer["total_minor"], answer["exponent"]) == ("0", 2)
    rake = next(k["amount_minor"] for k in answer["kinds"] if k["kind"] == "ACCOUNT_KIND_RAKE")
    told = await desk.told("rake")
    room, game, code, hands, amount, fees = told[1].split()
    assert (room, game, code, fees) == ("test-room", "holdem", "EUR", "0.00")
    assert int(hands) >= 12
    assert amount.replace(".", "").lstrip("0") == rake
    assert told[2].split()[:2] == ["total", "EUR"]
    assert (await desk.told("rake", "--to", "2020-01-01"))[0].split()[0] == "room"
    told = await desk.told("chips")
    assert told[1].split()[:4] == ["test-room", "main-1", "EUR", "3"]


async def _check_statement(desk: Desk) -> None:
    told = await desk.told("statement", "escrow/main-1/ann", "--limit", "3")
    assert told[1].split()[2:4] == ["buy-in", "main-1"]
    assert told[1].split()[4:6] == ["200.00", "200.00"]
    assert told[-1] == "more: --after 3"
    assert (await desk.told("statement", "escrow/main-1/ann", "--after", "3"))[1].split()[0] == "4"
    hands = await desk.told("statement", "escrow/main-1/ann", "--kind", "hand")
    assert {line.split()[2] for line in hands[1:-1]} == {"hand"}
    none = await desk.told("statement", "cash/ann", "--table", "main-2")
    assert none[-1] == "balance 9,800.00 EUR"
    assert len(none) == 2
    whole = json.loads("\n".join(await desk.told("statement", "house", "--json")))
    assert whole["balance_minor"] == "-3000000"


async def _check_refusals(desk: Desk) -> None:
    for part, more, code, start in (
        ("statement", ["purse/ann"], 2, "UNKNOWN_ACCOUNT: 'purse/ann' does not begin"),
        ("statement", ["cash/nobody"], 1, "UNKNOWN_ACCOUNT: "),
        ("statement", ["cash/ann", "--kind", "gift"], 2, "INVALID_FIELD: 'gift' is none of"),
        ("statement", ["cash/ann", "--from", "noon"], 2, "INVALID_FIELD: 'noon' is no time"),
        ("trial-balance", ["--currency", "USD"], 1, "UNKNOWN_ACCOUNT: "),
        ("trial-balance", ["--day", "2999-01-01"], 1, "INVALID_FIELD: "),
        ("audit", ["--noted", "5"], 2, "INVALID_FIELD: '5' is no entry's number and hash"),
    ):
        found, told, problems = await desk.ask(part, *more)
        assert (found, told, problems.count("\n")) == (code, "", 1), problems
        assert start in problems
