"""Checks before anything is started: each thing that is missing gets one clear line."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

from deploy.local.run_settings import METRICS_PORTS, PORTS, CannotRun, RunSettings
from pokerfloor.rpc import why_assertions_are_off

_PYTHON = (3, 11)


def check_python(version: tuple[int, int]) -> None:
    """Raise CannotRun for a Python that is too old."""
    if version < _PYTHON:
        needed, found = ".".join(map(str, _PYTHON)), ".".join(map(str, version))
        raise CannotRun(f"Python {needed} or newer is needed, this is {found}")


def find_nats_server(folder: Path) -> Path:
    """Return the nats-server beside this Python. Raises CannotRun without one."""
    path = folder / "nats-server"
    if not path.is_file():
        raise CannotRun(
            f"nats-server is missing: no {path}; install the requirements into this environment"
        )
    return path


def check_ports(settings: RunSettings) -> None:
    """Raise CannotRun that names every port of the floor that is in use."""
    wanted = {name: settings.port(name) for name in PORTS}
    wanted |= {f"{name} metrics": settings.metrics_port(name) for name in METRICS_PORTS}
    taken = [f"{port} ({name})" for name, port in wanted.items() if not _is_free(port)]
    if taken:
        ports, verb = ("port", "is") if len(taken) == 1 else ("ports", "are")
        raise CannotRun(
            f"{ports} {', '.join(taken)} on 127.0.0.1 {verb} in use: does another floor run? "
            "PORT_OFFSET moves all ports of this one"
        )


def check_machine(settings: RunSettings) -> Path:
    """Check everything; return the nats-server. Raises CannotRun."""
    check_python(sys.version_info[:2])
    if reason := why_assertions_are_off():
        raise CannotRun(reason)
    nats_server = find_nats_server(Path(sys.executable).parent)
    check_ports(settings)
    return nats_server


def _is_free(port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        # As a server does: a port whose last connections are still in TIME_WAIT is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
