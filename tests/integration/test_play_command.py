"""`floorctl play`: a person's process with a pipe for a keyboard, at tables of a real floor."""

from __future__ import annotations

import asyncio
import random
import re
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio

from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.client import CommandRefused, PlayerKeys, TableSession
from tests.support.floor import CURRENCY, Floor, holdem_settings, whole_floor
from tests.support.game_tables import GAME_TABLES
from tests.support.mixed_tables import MIXED_TABLES
from tests.support.points_evening import points_settings

pytestmark = [pytest.mark.integration, pytest.mark.asyncio(loop_scope="module")]

_LINE_S = 40


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def floor(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Floor]:
    async with whole_floor(tmp_path_factory.mktemp("floor")) as running:
        yield running


class Person:
    """The command as a process: lines in, lines out."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.said: list[str] = []

    def type(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())

    async def reads(self, wanted: str) -> str:
        """Read until a line that matches; returns it."""
        assert self._process.stdout is not None
        while True:
            try:
                raw = await asyncio.wait_for(self._process.stdout.readline(), _LINE_S)
            except TimeoutError:
                raw = b""
            assert raw, f"nothing like {wanted!r} after:\n" + "\n".join(self.said[-40:])
            line = raw.decode().rstrip("\n")
            self.said.append(line)
            if re.search(wanted, line):
                return line

    async def ends(self) -> int:
        """Read to the end; returns the exit code."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        rest = await asyncio.wait_for(self._process.stdout.read(), _LINE_S)
        self.said += rest.decode().splitlines()
        return await asyncio.wait_for(self._process.wait(), _LINE_S)

    def kill(self) -> None:
        if self._process.returncode is None:
            self._process.kill()


@asynccontextmanager
async def person(floor: Floor, folder: Path, table: str, *options: str) -> AsyncIterator[Person]:
    keys = PlayerKeys.open(folder / "alice.key")
    token = folder / "alice.token"
    token.write_text(floor.identities.token("alice", "player", seal_key=keys.public_key))
    own = ("--token-file", str(token), "--key-file", str(folder / "alice.key"))
    process = await asyncio.create_subprocess_exec(
        Path(sys.executable).with_name("floorctl"),
        *("play", table, "--address", floor.services["table"].address),
        *("--wallet", floor.services["wallet"].address, "--name", "Alice"),
        *(() if "--state" in options else own),
        *options,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    alice = Person(process)
    try:
        yield alice
    finally:
        alice.kill()
        await process.wait()


@asynccontextmanager
async def opponents(floor: Floor, table: str, *names: str) -> AsyncIterator[None]:
    """Players who check and call everything, and choose what nobody's answer would choose."""

    async def play(session: TableSession) -> None:
        async for turn in session.turns():
            try:
                if turn.discard or turn.asks_facing or turn.asks_split or turn.placement:
                    await turn.check_or_fold()
                else:
                    await turn.check_or_call()
            except CommandRefused:
                continue

    async def be_ready(session: TableSession) -> None:
        while True:
            await session.wait_for(lambda mirror: mirror.asks_ready, None)
            await session.say_ready()
            await session.wait_for(lambda mirror: not mirror.asks_ready, None)

    tasks: list[asyncio.Task[None]] = []
    for name in names:
        session = await (await floor.player(name)).table(table)
        await session.sit_down(session.mirror.settings.buy_in.min_minor * 2, post_to_enter=True)
        tasks += [asyncio.create_task(play(session)), asyncio.create_task(be_ready(session))]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


def any_answer(chance: random.Random) -> Callable[[str, list[str]], str]:
    """A person who types something of what is offered in a "your turn" line."""

    def answer(offered: str, said: list[str]) -> str:
        keys: list[str] = re.findall(r"(?:: |, )([a-z]) ", offered)
        if "d discard" in offered:
            cards = next(line for line in reversed(said) if "your cards:" in line)
            slots: list[str] = re.findall(r"(\d+) \S\S", cards)
            return "d " + " ".join(slots[: chance.randint(1, 2)])
        if "s swap" in offered and chance.random() < 0.5:
            swappable: list[str] = re.findall(r"of (\d+)", offered)
            return f"s {swappable[0]}"
        wanted = [key for key in keys if key in "kcbrudyn"] or keys
        return chance.choice(wanted)

    return answer


async def test_a_person_plays_holdem_by_lines_and_leaves_with_the_chips(
    floor: Floor, tmp_path: Path
) -> None:
    await floor.open_table("typed", holdem_settings())
    await floor.player("alice", cash_minor=50_000)
    async with (
        opponents(floor, "typed", "bob", "cyd"),
        person(floor, tmp_path, "typed", "--buy-in", "40") as alice,
    ):
        await alice.reads(r"^you sit at seat \d with 40\.00 EUR")
        alice.type("nonsense")
        await alice.reads(r"'nonsense' is (no word|not possible)")
        alice.type("?")
        await alice.reads("in your turn")
        for _ in range(3):
            turn = await alice.reads("^your turn: ")
            assert re.search(r"\d+ s, then 30 s of your time bank$", turn)
            cards = next(line for line in reversed(alice.said) if "your cards:" in line)
            assert re.search(r"your cards: 1 [2-9TJQKA][cdhs]  2 [2-9TJQKA][cdhs]$", cards)
            alice.type("r 9999")
            await alice.reads("(to .* not 9,999.00|no bet or raise)")
            alice.type("k" if "k check" in turn else "c")
            await alice.reads(r"^  Alice \(you\) (checks|calls)")
        alice.type("t")
        await alice.reads(r"^\* seat \d Alice")
        alice.type("topup 5")
        alice.type("leave")
        await alice.reads("leaving when the hand is over")
        assert await alice.ends() == 0
        assert any(re.match(r"Alice \(you\) leaves with \d+\.\d\d EUR", one) for one in alice.said)
        assert any(one.startswith("in your wallet: ") for one in alice.said)
        assert any(line.startswith("  cards proved so far: ") for line in alice.said)
        assert any(re.match(r"  the deck is committed: [0-9a-f]{16}", line) for line in alice.said)
        assert not [line for line in alice.said if "Traceback" in line]
    balance = await floor.client("alice").balance(CURRENCY)
    assert balance.tables.keys() <= {"typed"}


@pytest.mark.parametrize(
    ("game", "wanted"),
    [
        ("draw5_options", ["discard", "your cards: 1 "]),
        ("swap_holdem", ["swap"]),
        ("mata_ases", ["the next card"]),
    ],
)
async def test_a_person_plays_other_games_to_the_end_of_the_input(
    floor: Floor, tmp_path: Path, game: str, wanted: list[str]
) -> None:
    table = game.replace("_", "-")
    settings: settings_pb2.TableSettings = GAME_TABLES[game]()
    settings.clock.base_ms = 20_000
    await floor.open_table(table, settings)
    await floor.player("alice", cash_minor=50_000)
    answer = any_answer(random.Random(3))
    async with (
        opponents(floor, table, f"bob-{game[:4]}", f"cyd-{game[:4]}"),
        person(floor, tmp_path, table) as alice,
    ):
        turns = 0
        while turns < 40 and not all(
            any(word in line for line in alice.said if line.startswith(("your turn", "  your")))
            for word in wanted
        ):
            turn = await alice.reads("^your turn: ")
            alice.type(answer(turn, alice.said))
            turns += 1
        assert await alice.ends() == 0
        assert turns < 40, "\n".join(alice.said[-60:])
        assert alice.said[-1].startswith(("in your wallet", "on their way"))
        assert not [line for line in alice.said if line.startswith("refused: ")]


@pytest.mark.rule("MIX-3")
async def test_a_person_chooses_the_next_game(floor: Floor, tmp_path: Path) -> None:
    settings: settings_pb2.TableSettings = MIXED_TABLES["mixed_choice"]()
    settings.clock.base_ms = 20_000
    await floor.open_table("choice", settings)
    await floor.player("alice", cash_minor=50_000)
    async with opponents(floor, "choice", "bob-mix"), person(floor, tmp_path, "choice") as alice:
        # Bob says nothing, so his game is drawn; that hand alice gives up.
        while "(you)" not in (line := await alice.reads("chooses the next game|^your turn: ")):
            alice.type("fold" if line.startswith("your turn") else "table")
        assert "holdem, omaha4, omaha5, omaha6 (game ID)" in line
        alice.type("game omaha5")
        await alice.reads(r"^the next game is omaha5 \(choice\)")
        await alice.reads("omaha5, 2 players")
        assert await alice.ends() == 0


@pytest.mark.parametrize("game", ["ofc", "scoop"])
async def test_a_person_lays_cards_out(floor: Floor, tmp_path: Path, game: str) -> None:
    await floor.open_table(game, points_settings(game, ready=True))
    await floor.player("alice", cash_minor=50_000)
    async with (
        opponents(floor, game, f"bob-{game}"),
        person(floor, tmp_path, game, "--hands", "1") as alice,
    ):
        await alice.reads("asked to be ready")
        alice.type("ready")
        for street in range(5 if game == "ofc" else 1):
            turn = await alice.reads("^your turn: lay")
            if street == 0 and game == "ofc":
                alice.type("move 1 b")
                await alice.reads("card 1 lies in bottom")
            cards, given_up = int(re.findall(r"lay (\d)", turn)[0]), "with 1 x" in turn
            rows = {row: int(room) for row, room in _rooms(alice.said)}
            free = [row[0] for row in rows for _ in range(rows[row])]
            alice.type(f"lay {'x' * cards}")
            await alice.reads("discarded")
            alice.type("lay " + "".join(free[: cards - given_up]) + "x" * given_up)
            await alice.reads(r"\(you\) has set the cards")
        assert await alice.ends() == 0
        assert any(" against " in line for line in alice.said), "the points are told"


def _rooms(said: list[str]) -> list[tuple[str, str]]:
    """The rows of the last turn that was shown, with what they take."""
    rooms = [re.match(r"  (top|middle|bottom): .* \(takes (\d) more\)", line) for line in said]
    return [(found[1], found[2]) for found in rooms if found][-3:]


async def test_a_floor_of_this_machine_gives_a_token_and_play_money(floor: Floor) -> None:
    await floor.open_table("local", holdem_settings())
    cashier = floor.folder / "tokens" / "cashier.token"
    cashier.parent.mkdir()
    cashier.write_text(floor.identities.token("till", "cashier"))
    options = ("--state", str(floor.folder), "--player", "dora", "--deposit", "30", "--hands", "1")
    async with (
        opponents(floor, "local", "eva"),
        person(floor, floor.folder, "local", *options) as dora,
    ):
        await dora.reads("^you sit at seat 2 with 20.00 EUR")
        while "k check" not in await dora.reads("^your turn: "):
            dora.type("c")
        dora.type("k")
        await dora.reads(r"\(you\) checks")
        assert await dora.ends() == 0
    assert dora.said[-1].startswith(("in your wallet", "on their way"))
    assert (floor.folder / "keys" / "dora.key").stat().st_mode & 0o777 == 0o600


async def test_what_cannot_be_done_is_a_line_and_a_code(floor: Floor, tmp_path: Path) -> None:
    async with person(floor, tmp_path, "nowhere") as alice:
        assert await alice.ends() == 1
        assert "nowhere" in alice.said[-1]
    await floor.open_table("poor", holdem_settings())
    async with person(floor, tmp_path, "poor", "--buy-in", "99999") as alice:
        assert await alice.ends() == 1
    async with person(floor, tmp_path, "poor", "--buy-in", "much") as alice:
        assert await alice.ends() == 2
        assert "is no amount" in alice.said[-1]
    other = PlayerKeys.create()
    token = tmp_path / "other.token"
    token.write_text(floor.identities.token("alice", "player", seal_key=other.public_key))
    async with person(floor, tmp_path, "poor", "--token-file", str(token)) as alice:
        assert await alice.ends() == 2
        assert "another sealing key" in alice.said[-1]
