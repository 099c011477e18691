from __future__ import annotations

import asyncio
import fcntl
import json
import logging
import os
import time
from collections.abc import Iterator

import pytest
import structlog
from prometheus_client import REGISTRY

from pokerfloor.servicekit import (
    Backoff,
    Stop,
    bind_log,
    configure_logging,
    get_logger,
    metrics_server,
    new_id,
    now_ms,
    wait_for_stop,
)
from pokerfloor.servicekit.logs import _Lines


@pytest.fixture
def logs() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    yield
    structlog.reset_defaults()
    root.handlers, root.level = handlers, level


def lines(capfd: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in capfd.readouterr().out.splitlines()]


@pytest.mark.usefixtures("logs")
def test_a_log_line_has_its_context(capfd: pytest.CaptureFixture[str]) -> None:
    configure_logging("table", "table-1", "info")
    log = get_logger("actor")
    with bind_log(table_id="t1", hand_no=7):
        log.info("hand started", pot_minor=100)
        log.debug("not shown")
    log.warning("outside")
    inside, outside = lines(capfd)
    expected = {
        "event": "hand started",
        "level": "info",
        "service": "table",
        "instance": "table-1",
        "component": "actor",
        "table_id": "t1",
        "hand_no": 7,
        "pot_minor": 100,
    }
    assert expected.items() <= inside.items()
    assert "table_id" not in outside


@pytest.mark.usefixtures("logs")
def test_secrets_are_hidden(capfd: pytest.CaptureFixture[str]) -> None:
    configure_logging("table", "table-1", "info")
    jwt_like = "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl"
    log = get_logger("x")
    event = f"said {jwt_like} twice"
    log.info(event, token="abc", header=f"Bearer {jwt_like}")
    log.error("failed", exc_info=ValueError(jwt_like))
    text = json.dumps(lines(capfd))
    assert "abc" not in text
    assert "c2lnbmF0dXJl" not in text


@pytest.mark.usefixtures("logs")
def test_libraries_log_in_the_same_form(capfd: pytest.CaptureFixture[str]) -> None:
    configure_logging("table", "table-1", "info")
    logging.getLogger("lib").warning("slow %s", "disk")
    logging.getLogger("lib").info("chatter")
    (line,) = lines(capfd)
    assert {"event": "slow disk", "level": "warning", "component": "lib"}.items() <= line.items()


def test_a_line_after_a_torn_one_is_whole() -> None:
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    room = fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
    lines = _Lines(writer)
    lost_before = REGISTRY.get_sample_value("floor_log_lines_lost_total") or 0
    lines.info("x" * (room + 100))  # so much goes in, and no more
    lines.info("nor this")
    assert REGISTRY.get_sample_value("floor_log_lines_lost_total") == lost_before + 2
    assert os.read(reader, 2 * room) == b"x" * room
    lines.info("whole")
    lines.info("and whole")
    assert os.read(reader, 2 * room) == b"\nwhole\nand whole\n"
    os.close(reader)
    lines.info("nobody reads")
    assert REGISTRY.get_sample_value("floor_log_lines_lost_total") == lost_before + 3
    os.close(writer)


def test_ids_are_unique_and_sort_by_time() -> None:
    first = new_id()
    time.sleep(0.003)
    later = [new_id() for _ in range(1000)]
    assert all(first < one for one in later)
    assert len(set(later)) == 1000
    assert {len(one) for one in later} == {26}
    assert abs(now_ms() - time.time() * 1000) < 1000


def test_a_back_off_grows_to_its_bound_and_begins_again() -> None:
    backoff = Backoff(10, 80)
    for ceiling in (10, 20, 40, 80, 80, 80):
        drawn = backoff.next_ms()
        assert 1 <= drawn <= ceiling
    backoff.reset()
    assert backoff.next_ms() <= 10


def test_back_offs_differ() -> None:
    drawn = {tuple(Backoff(1000, 1000).next_ms() for _ in range(4)) for _ in range(10)}
    assert len(drawn) > 1


async def test_a_back_off_ends_with_stop() -> None:
    stop = Stop(1000)
    sleeping = asyncio.create_task(Backoff(60_000, 60_000).sleep(stop))
    await asyncio.sleep(0)
    stop.request("enough")
    await asyncio.wait_for(sleeping, 1)


async def test_stop_counts_its_budget_from_the_first_request() -> None:
    stop = Stop(200)
    assert not stop.is_set()
    assert stop.remaining_ms() == 200
    assert not await wait_for_stop(stop, 10)
    stop.request("first")
    stop.request("second")
    await asyncio.sleep(0.05)
    assert stop.reason == "first"
    assert await stop.wait()
    assert await wait_for_stop(stop, 0)
    assert 0 < stop.remaining_ms() <= 160
    await asyncio.sleep(0.2)
    assert stop.remaining_ms() == 0


def test_the_metrics_port_is_free_again_after_closing() -> None:
    first = metrics_server("127.0.0.1:0")
    first.close()
    second = metrics_server(f"127.0.0.1:{first.port}")
    assert second.port == first.port
    second.close()
