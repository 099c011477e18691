from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.ports import free_port

_BINARY = Path(sys.executable).parent / "nats-server"
_START_S = 10.0
_STOP_S = 5.0


class NatsServer:
    """A real nats-server with JetStream and `sync_interval: always`, on one port and one store."""

    def __init__(self, folder: Path, extra_config: str = "", jetstream: str = "") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.port = free_port()
        self.url = f"nats://127.0.0.1:{self.port}"
        self._config = folder / "nats.conf"
        self._log = folder / "nats.log"
        self._process: subprocess.Popen[bytes] | None = None
        self._config.write_text(
            f'listen: "127.0.0.1:{self.port}"\n'
            f'jetstream {{ store_dir: "{folder / "store"}"; sync_interval: always; {jetstream} }}\n'
            f"{extra_config}\n",
            encoding="utf-8",
        )

    def start(self) -> None:
        assert self._process is None, "the server runs"
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [str(_BINARY), "-c", str(self._config)], stdout=log, stderr=log
            )
        deadline = time.monotonic() + _START_S
        while not self._answers():
            assert self._process.poll() is None, f"nats-server ended: {self._log.read_text()}"
            assert time.monotonic() < deadline, "nats-server does not answer"
            time.sleep(0.01)

    def kill9(self) -> None:
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def restart(self) -> None:
        """Start again after `kill9` or `stop`: same port, same store."""
        self.start()

    def freeze(self) -> None:
        """Stop the process without ending it: connections stay open and nobody answers."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def _end(self, number: signal.Signals) -> None:
        if self._process is None:
            return
        self._process.send_signal(number)
        self._process.send_signal(signal.SIGCONT)
        try:
            self._process.wait(_STOP_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(_STOP_S)
        self._process = None

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=0.2) as probe:
                probe.settimeout(0.5)
                return probe.recv(4) == b"INFO"
        except OSError:
            return False


@contextmanager
def nats_server(folder: Path, extra_config: str = "") -> Iterator[NatsServer]:
    """A server that runs while the block does; its store is under `folder`."""
    server = NatsServer(folder, extra_config)
    server.start()
    try:
        yield server
    finally:
        server.kill9()
