"""Ports for servers that a test starts and may start again.

They lie below the range from which the kernel gives ports to outgoing connections, and each test
process has a part of its own: a port that is free now stays free until its server comes back.
"""

from __future__ import annotations

import fcntl
import os
import socket
import tempfile
from functools import cache
from itertools import count
from pathlib import Path
from typing import Final

_FIRST: Final = 20_000
_A_PROCESS: Final = 500
PROCESSES: Final = 24
_counter: Final = count()


@cache
def process_number() -> int:
    """The number of this test process; a lock that ends with the process keeps it ours."""
    for number in range(PROCESSES):
        path = Path(tempfile.gettempdir()) / f"floor-test-ports-{number}.lock"
        lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            continue
        return number
    raise AssertionError(f"{PROCESSES} test processes run already")


def free_port() -> int:
    """A TCP port that nobody listens on, and that this process has not handed out lately."""
    for _ in range(_A_PROCESS):
        port = _FIRST + process_number() * _A_PROCESS + next(_counter) % _A_PROCESS
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("no port is free")
