from __future__ import annotations

import asyncio
import signal
import socket
import time
import urllib.request
from pathlib import Path

import pytest

from tests.support import (
    NatsServer,
    ServiceProcess,
    dev_identities,
    eventually,
    free_port,
    service_env,
)

pytestmark = pytest.mark.integration


def toy(tmp_path: Path, nats_url: str, **settings: object) -> ServiceProcess:
    env = service_env("toy", tmp_path, dev_identities(tmp_path / "keys"), nats_url, **settings)
    return ServiceProcess("tests.support.toy_service", env, tmp_path / "toy.log")


def read(url: str) -> str:
    with urllib.request.urlopen(url, timeout=5) as page:
        text: str = page.read().decode()
    return text


async def test_serves_and_stops_in_order_on_sigterm(tmp_path: Path, broker: NatsServer) -> None:
    async with toy(tmp_path, broker.url) as process:
        url = f"http://127.0.0.1:{process.metrics_port}/metrics"
        page = await asyncio.to_thread(read, url)
        assert "floor_nats_connected 1.0" in page
        await process.stop(expect=0)
    events = [e for e in process.events() if e in {"started", "draining", "left toy", "stopped"}]
    assert events == ["started", "draining", "left toy", "stopped"]
    assert {line["service"] for line in process.lines()} == {"toy"}


async def test_killed_and_started_again_on_the_same_port(
    tmp_path: Path, broker: NatsServer
) -> None:
    async with toy(tmp_path, broker.url) as process:
        await process.restart()
        assert await process.serving()
        await process.stop()


async def test_logs_that_cannot_be_written_stop_nothing(tmp_path: Path, broker: NatsServer) -> None:
    process = toy(tmp_path, broker.url)
    process.log = Path("/dev/full")
    async with process:
        page = await asyncio.to_thread(read, f"http://127.0.0.1:{process.metrics_port}/metrics")
        lost = [line for line in page.splitlines() if line.startswith("floor_log_lines_lost_total")]
        assert [float(line.split()[1]) > 1 for line in lost] == [True]
        await process.stop(expect=0)


async def test_not_ready_while_the_broker_is_away(tmp_path: Path, broker: NatsServer) -> None:
    async with toy(tmp_path, broker.url) as process:
        broker.kill9()
        async with asyncio.timeout(5):
            while await process.serving():
                pass
        broker.restart()
        await process.until_serving()
        await process.stop()


async def test_a_drain_beyond_the_budget_is_cut(tmp_path: Path, broker: NatsServer) -> None:
    async with toy(tmp_path, broker.url, drain_budget_ms=800, drain_ms=60_000) as process:
        began_s = time.monotonic()
        await process.stop(expect=1)
        assert time.monotonic() - began_s < 2
    assert "drain_cut_short" in process.events()


async def test_a_second_signal_forces(tmp_path: Path, broker: NatsServer) -> None:
    async with toy(tmp_path, broker.url, drain_budget_ms=60_000, drain_ms=60_000) as process:
        process.signal(signal.SIGINT)
        await eventually(lambda: "draining toy" in process.tail())
        process.signal(signal.SIGINT)
        assert await process.exit_code() == 1
    assert {"event": "forced_stop", "reason": "a second signal"}.items() <= (
        process.lines()[-1].items()
    )


@pytest.mark.parametrize("which", ["FLOOR_GRPC_LISTEN", "FLOOR_METRICS_LISTEN"])
async def test_a_port_in_use_is_one_line(tmp_path: Path, broker: NatsServer, which: str) -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        address = f"127.0.0.1:{holder.getsockname()[1]}"
        process = toy(tmp_path, broker.url, **{which.removeprefix("FLOOR_").lower(): address})
        process.spawn()
        assert await process.exit_code() == 1
    last = process.lines()[-1]
    assert last["event"] == "cannot_start"
    assert address in last["reason"]
    assert "exception" not in last


async def test_no_broker_is_one_line(tmp_path: Path) -> None:
    address = f"127.0.0.1:{free_port()}"
    process = toy(tmp_path, f"nats://{address}", nats_wait_ms=200)
    process.spawn()
    assert await process.exit_code() == 1
    (line,) = process.lines()
    assert line["event"] == "cannot_start"
    assert line["reason"] == f"no nats-server answers at {address} within 200 ms"


async def test_a_bad_setting_is_one_line_and_exit_code_2(tmp_path: Path) -> None:
    process = toy(tmp_path, "", drain_budget_ms="soon")
    process.spawn()
    assert await process.exit_code() == 2
    (line,) = process.lines()
    assert line["event"] == "cannot_start"
    assert "FLOOR_DRAIN_BUDGET_MS" in line["reason"]


async def test_a_crash_has_its_traceback_in_one_json_line(
    tmp_path: Path, broker: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOY_CRASH", "1")
    process = toy(tmp_path, broker.url)
    process.spawn()
    assert await process.exit_code() == 1
    last = process.lines()[-1]
    assert last["event"] == "crashed"
    assert "RuntimeError: toy broke" in last["exception"]
