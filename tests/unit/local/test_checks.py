"""What keeps the floor from starting is said in one line that names it."""

import socket
from pathlib import Path

import pytest

from deploy.local.checks import check_ports, check_python, find_nats_server
from deploy.local.run_settings import (
    BLOCK_PORTS,
    METRICS_PORTS,
    PORTS,
    CannotRun,
    RunSettings,
)
from tests.support import free_port


def test_a_missing_nats_server_is_named(tmp_path: Path) -> None:
    with pytest.raises(CannotRun, match=r"nats-server is missing: no .*/nats-server") as refused:
        find_nats_server(tmp_path)
    assert "\n" not in str(refused.value)


def test_an_old_python_is_refused() -> None:
    check_python((3, 11))
    with pytest.raises(CannotRun, match=r"Python 3\.11 or newer is needed, this is 3\.9"):
        check_python((3, 9))


def test_a_port_in_use_is_named_with_its_service(tmp_path: Path) -> None:
    offset = free_offset()
    settings = RunSettings(state=tmp_path, port_offset=offset)
    check_ports(settings)
    server = socket.create_server(("127.0.0.1", settings.port("wallet")))
    with server, pytest.raises(CannotRun) as refused:
        check_ports(settings)
    port = PORTS["wallet"] + offset
    assert str(refused.value).startswith(f"port {port} (wallet) on 127.0.0.1 is in use")
    assert "\n" not in str(refused.value)


def test_every_port_in_use_is_named(tmp_path: Path) -> None:
    offset = free_offset()
    settings = RunSettings(state=tmp_path, port_offset=offset)
    nats, metrics = settings.port("nats"), settings.metrics_port("table")
    servers = [socket.create_server(("127.0.0.1", port)) for port in (nats, metrics)]
    with servers[0], servers[1], pytest.raises(CannotRun) as refused:
        check_ports(settings)
    assert f"ports {nats} (nats), {metrics} (table metrics)" in str(refused.value)


def free_offset() -> int:
    """An offset at which every port of a floor is free now."""
    wanted = [*PORTS.values(), *METRICS_PORTS.values()]
    for _ in range(50):
        offset = free_port() - PORTS["nats"]
        if max(wanted) + offset > 65_535:
            continue
        try:
            check_ports(RunSettings(state=Path(), port_offset=offset))
        except CannotRun:
            continue
        return offset
    raise AssertionError("no free ports on this machine")


def ports_of(settings: RunSettings) -> set[int]:
    ports = [settings.port(name) for name in PORTS]
    ports += [settings.metrics_port(name) for name in METRICS_PORTS]
    assert len(set(ports)) == len(ports) == 11
    return set(ports)


@pytest.mark.parametrize("apart", [BLOCK_PORTS, 21, 50, 99, 100, 101, 1_000, -BLOCK_PORTS, -100])
@pytest.mark.parametrize("offset", [0, 1, 777])
def test_floors_with_offsets_a_block_apart_share_no_port(
    offset: int, apart: int, tmp_path: Path
) -> None:
    one, other = (
        ports_of(RunSettings.from_environment({"PORT_OFFSET": str(number)}, tmp_path))
        for number in (offset, offset + apart)
    )
    assert not one & other
    assert BLOCK_PORTS <= 20  # what the README promises


def test_a_floor_fits_into_its_block(tmp_path: Path) -> None:
    ports = ports_of(RunSettings(state=tmp_path))
    assert max(ports) - min(ports) < BLOCK_PORTS


@pytest.mark.parametrize("edge", [-13_196, 51_296])
def test_every_offset_that_is_taken_gives_real_ports(edge: int, tmp_path: Path) -> None:
    ports = ports_of(RunSettings.from_environment({"PORT_OFFSET": str(edge)}, tmp_path))
    assert min(ports) >= 1_024
    assert max(ports) <= 65_535
    beyond = edge + (1 if edge > 0 else -1)
    with pytest.raises(CannotRun, match=f"PORT_OFFSET={beyond} is not between"):
        RunSettings.from_environment({"PORT_OFFSET": str(beyond)}, tmp_path)


def test_settings_come_from_the_environment(tmp_path: Path) -> None:
    environment = {"HANDS": "200", "FRESH": "1", "STATE": "here", "PORT_OFFSET": "100", "BOTS": ""}
    settings = RunSettings.from_environment(environment, tmp_path)
    assert settings.state == tmp_path / "here"
    assert (settings.hands, settings.fresh, settings.bots, settings.tables) == (
        200,
        True,
        None,
        None,
    )
    one_game = RunSettings.from_environment({"GAME": "omaha6_double", "TABLES": "2"}, tmp_path)
    assert (one_game.game, one_game.tables) == ("omaha6_double", 2)
    assert settings.address("table") == "127.0.0.1:14321"
    default = RunSettings.from_environment({}, tmp_path)
    assert (default.hands, default.fresh, default.state) == (0, False, tmp_path / ".floor")


@pytest.mark.parametrize(
    ("name", "value", "line"),
    [
        ("HANDS", "many", "HANDS=many is no whole number"),
        ("HANDS", "-1", "HANDS=-1 is not between 0 and"),
        ("TABLES", "0", "TABLES=0 is not between 1 and"),
        ("PORT_OFFSET", "60000", "PORT_OFFSET=60000 is not between"),
    ],
)
def test_a_bad_setting_is_named(name: str, value: str, line: str, tmp_path: Path) -> None:
    with pytest.raises(CannotRun, match=line):
        RunSettings.from_environment({name: value}, tmp_path)


def test_hands_need_players(tmp_path: Path) -> None:
    RunSettings.from_environment({"HANDS": "5", "BOTS": "2"}, tmp_path)
    RunSettings.from_environment({"BOTS": "0"}, tmp_path)
    with pytest.raises(CannotRun, match="HANDS=5 needs two bots at least, not 1"):
        RunSettings.from_environment({"HANDS": "5", "BOTS": "1"}, tmp_path)
