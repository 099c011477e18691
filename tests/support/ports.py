"""Ports for servers that a test starts and may start again.

They lie below the range from which the kernel gives ports to outgoing connections, and each test
process has its own part: a port that is free now stays free until its server comes back.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from itertools import cycle
from typing import Final

_FIRST: Final = 20_000
_A_PROCESS: Final = 1_000
_PROCESSES: Final = 12


def _candidates() -> Iterator[int]:
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    part = int(worker.removeprefix("gw")) + 1 if worker else os.getpid() % 5 + 6
    first = _FIRST + part % _PROCESSES * _A_PROCESS
    return cycle(range(first, first + _A_PROCESS))


_ports: Final = _candidates()


def free_port() -> int:
    """A TCP port that nobody listens on, and that this process has not handed out lately."""
    for _ in range(_A_PROCESS):
        port = next(_ports)
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("no port is free")
