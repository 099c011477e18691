"""The five services of a hand inside the test's own process, each by its real `main`.

What a test may do here and nowhere else: put in the decks, the clock and the ids, read every byte
that the services say to each other, and keep their log lines. Broker, sockets, stores and the
services themselves are the real ones.
"""

from __future__ import annotations

import asyncio
import io
import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, Self
from unittest import mock

import grpc.aio
import structlog
from grpc_health.v1 import (  # type: ignore[import-untyped]  # no stubs published with it
    health_pb2,
    health_pb2_grpc,
)

from floor_scoring import __main__ as scoring_service
from floor_scoring.settings import ScoringSettings
from floor_showdown import __main__ as showdown_service
from floor_showdown.settings import ShowdownSettings
from floor_shuffler import __main__ as shuffler_service
from floor_shuffler.__main__ import Shuffler
from floor_shuffler.generator import DeckSource
from floor_shuffler.settings import ShufflerSettings
from floor_table import main as table_service
from floor_table.settings import TableServiceSettings
from floor_wallet import __main__ as wallet_service
from floor_wallet.settings import WalletSettings
from pokerfloor.servicekit import Stop, configure_logging, connect
from tests.support.broker import NatsServer, nats_server
from tests.support.identities import DevIdentities
from tests.support.ports import free_port

SERVICES: Final = ("shuffler", "wallet", "showdown", "scoring", "table")
_WALLET_CALLS: Final = tuple(
    f"wallet.calls.{name}" for name in ("cashier", "finance", "table_money")
)
_START_S: Final = 20.0
_STOP_MS: Final = 4_000


class SetClock:
    """A wall clock that stands still until the test moves it (ms since 1970)."""

    def __init__(self, at_ms: int) -> None:
        self.at_ms = at_ms

    def __call__(self) -> int:
        return self.at_ms


class Ground:
    """What two floors have in common so that nothing but a deck differs: time, keys, tokens."""

    def __init__(self, folder: Path, start_ms: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.start_ms = start_ms
        self.identities = DevIdentities(folder / "identity")
        self.record_key = folder / "record.key"
        self.record_key.write_bytes(bytes(range(32)))
        self.record_key.chmod(0o600)
        self.token_files = {name: self.identities.service_token_file(name) for name in SERVICES}


class InprocessFloor:
    """A running floor. `heard` holds the calls between services: by name, in order."""

    def __init__(self, ground: Ground, folder: Path, clock: SetClock) -> None:
        self.ground = ground
        self.folder = folder
        self.clock = clock
        self.nats: NatsServer
        self.heard: dict[str, list[tuple[str, bytes]]] = defaultdict(list)
        self.log = io.StringIO()
        # Never those of another floor: a channel may still be waiting to reach it again.
        self._ports = {name: free_port() for name in SERVICES}

    def address(self, name: str) -> str:
        return f"127.0.0.1:{self._ports[name]}"

    def settings(self, name: str) -> dict[str, Any]:
        """What every service is told."""
        return {
            "instance": f"{name}-1",
            "grpc_listen": self.address(name),
            "nats_url": self.nats.url,
            "state_dir": self.folder / name,
            "key_set": self.ground.identities.jwks_path,
            "token_file": self.ground.token_files[name],
            "log_level": "debug",
            "drain_budget_ms": _STOP_MS,
        }

    def connect_as(self, caller: str) -> Callable[..., Any]:
        """Return `connect`, with every message of the channel heard."""
        return lambda *args, **kwargs: _HeardChannel(
            connect(*args, **kwargs), partial(self._hear, caller)
        )

    def _hear(self, caller: str, call: str, message: str, data: bytes) -> None:
        self.heard[f"{caller} calls {call}"].append((message, data))


@asynccontextmanager
async def inprocess_floor(
    ground: Ground, folder: Path, decks: DeckSource
) -> AsyncIterator[InprocessFloor]:
    """Run a fresh floor, with a store of its own, while the block does."""
    floor = InprocessFloor(ground, folder, SetClock(ground.start_ms))
    with (
        nats_server(folder / "nats") as floor.nats,
        _logged_to(floor.log),
        _given(floor, decks),
    ):
        async with AsyncExitStack() as stack:
            for name, serve in _mains(floor).items():
                await stack.enter_async_context(_running(floor.address(name), name, serve))
            yield floor


def _mains(floor: InprocessFloor) -> dict[str, Callable[[Stop], Awaitable[None]]]:
    shuffler = ShufflerSettings(
        **floor.settings("shuffler"), record_key_file=floor.ground.record_key
    )
    wallet = WalletSettings(**floor.settings("wallet"))
    showdown = ShowdownSettings(
        **floor.settings("showdown"), shuffler_address=floor.address("shuffler")
    )
    table = TableServiceSettings(
        **floor.settings("table"),
        shuffler_address=floor.address("shuffler"),
        showdown_address=floor.address("showdown"),
        scoring_address=floor.address("scoring"),
        wallet_address=floor.address("wallet"),
        # Real time must not show: nobody counts as gone, nobody's lease ends.
        disconnect_grace_ms=60_000,
        lease_ttl_ms=60_000,
        commands_burst=10_000,
        # The order of the steps must not hang on how busy the machine is.
        equity_wait_ms=10_000,
    )
    return {
        "shuffler": partial(shuffler_service.main, shuffler),
        "wallet": partial(wallet_service.main, wallet),
        "showdown": partial(showdown_service.main, showdown),
        "scoring": partial(scoring_service.main, ScoringSettings(**floor.settings("scoring"))),
        "table": partial(table_service.main, table),
    }


@contextmanager
def _given(floor: InprocessFloor, decks: DeckSource) -> Iterator[None]:
    """Yield the services the test's decks, clock and ids in place of their own."""
    ids = _Ids()
    instead: dict[str, object] = {
        "floor_shuffler.__main__.Shuffler": partial(Shuffler, deck_source=decks),
        # Alarms look at the test's clock at once, and not when real time has passed.
        "floor_table.runtime.alarm._LONGEST_SLEEP_S": 0.01,
        # One process has one page of metrics; four servers of it would only take time to stop.
        "pokerfloor.servicekit.grpc_server.metrics_server": lambda _listen: mock.Mock(port=0),
        "floor_table.runtime.clients.connect": floor.connect_as("table"),
        "floor_showdown.__main__.connect": floor.connect_as("showdown"),
        **{
            f"floor_{where}.now_ms": floor.clock
            for where in ("shuffler.__main__", "table.main", "wallet.__main__", *_WALLET_CALLS)
        },
        **{
            f"floor_{where}.new_id": partial(ids.next, where)
            for where in (
                "shuffler.event_stream",
                "table.runtime.directory",
                "wallet.open_store",
            )
        },
    }
    with ExitStack() as stack:
        for name, value in instead.items():
            stack.enter_context(mock.patch(name, value))
        yield


class _Ids:
    """Ids of the usual length that count, for each place that makes them."""

    def __init__(self) -> None:
        self._made: dict[str, int] = defaultdict(int)

    def next(self, where: str) -> str:
        self._made[where] += 1
        return f"{where.upper().replace('.', '').replace('_', '')[:16]:0<16}{self._made[where]:010}"


@contextmanager
def _logged_to(lines: io.StringIO) -> Iterator[None]:
    """Have the services' own logging, at debug, written into `lines`."""
    before, root = structlog.get_config(), logging.getLogger()
    handlers, level = root.handlers, root.level
    configure_logging("floor", "in-process", "debug")
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(lines))
    try:
        yield
    finally:
        structlog.configure(**before)
        root.handlers, root.level = handlers, level


@asynccontextmanager
async def _running(
    address: str, name: str, serve: Callable[[Stop], Awaitable[None]]
) -> AsyncIterator[None]:
    stop = Stop(_STOP_MS)
    life = asyncio.ensure_future(serve(stop))
    try:
        async with asyncio.timeout(_START_S):
            while not await _serving(address):
                assert not life.done(), f"the {name} service ended: {life}"
                await asyncio.sleep(0.01)
        yield
    finally:
        stop.request("the test is over")
        await life


async def _serving(address: str) -> bool:
    options = [("grpc.use_local_subchannel_pool", 1)]
    async with grpc.aio.insecure_channel(address, options=options) as channel:
        try:
            answer = await health_pb2_grpc.HealthStub(channel).Check(
                health_pb2.HealthCheckRequest(), timeout=1
            )
        except grpc.aio.AioRpcError:
            return False
    status: bool = answer.status == health_pb2.HealthCheckResponse.SERVING
    return status


class _HeardChannel:
    """A channel of unary calls whose messages are handed to `hear` as they are on the wire."""

    def __init__(self, inner: Any, hear: Callable[[str, str, bytes], None]) -> None:
        self._inner = inner
        self._hear = hear

    def unary_unary(
        self,
        method: str,
        request_serializer: Callable[[Any], bytes],
        response_deserializer: Callable[[bytes], Any],
        **more: Any,
    ) -> Any:
        call = method.rpartition(".")[2]
        package = method[1:].rpartition("/")[0].rpartition(".")[0]
        name = method.rpartition("/")[2]

        def write(request: Any) -> bytes:
            data = request_serializer(request)
            self._hear(f"{call}, asked", f"{package}.{name}Request", data)
            return data

        def read(data: bytes) -> Any:
            self._hear(f"{call}, answered", f"{package}.{name}Response", data)
            return response_deserializer(data)

        return self._inner.unary_unary(method, write, read, **more)

    async def __aenter__(self) -> Self:
        await self._inner.__aenter__()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._inner.__aexit__(*(exc or (None, None, None)))
