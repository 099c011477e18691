from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import grpc.aio
from grpc_health.v1 import (  # type: ignore[import-untyped]  # no stubs published with it
    health_pb2,
    health_pb2_grpc,
)

from tests.support.identities import DevIdentities
from tests.support.ports import free_port

_ROOT = Path(__file__).resolve().parents[2]
# Long logs are read back first, and the machine may be busy.
_START_S = 40.0
_STOP_S = 15.0
_TAIL_CHARS = 4000


def service_env(
    service: str,
    folder: Path,
    identities: DevIdentities,
    nats_url: str = "",
    **settings: object,
) -> dict[str, str]:
    """The environment of a service: state under `folder`, its own token, and further settings.

    `settings` are named as the fields are: `drain_budget_ms=500`.
    """
    values: dict[str, object] = {
        "instance": f"{service}-test",
        "state_dir": folder / service,
        "key_set": identities.jwks_path,
        "log_level": "debug",
        "drain_budget_ms": 5000,
        **settings,
    }
    if f"service_{service}" in _SERVICE_ROLES:
        values.setdefault("token_file", identities.service_token_file(service))
    if nats_url:
        values["nats_url"] = nats_url
    return {f"FLOOR_{name.upper()}": str(value) for name, value in values.items()}


_SERVICE_ROLES = frozenset(
    f"service_{name}"
    for name in ("shuffler", "table", "showdown", "scoring", "wallet", "gateway", "records")
)


class ServiceProcess:
    """A process that serves gRPC: `python -m <module>`, on ports that stay over restarts."""

    def __init__(self, module: str, env: Mapping[str, str], log: Path) -> None:
        self.port = free_port()
        self.metrics_port = free_port()
        self.address = f"127.0.0.1:{self.port}"
        self.log = log
        self._module = module
        self._process: subprocess.Popen[bytes] | None = None
        self._env = {
            "FLOOR_GRPC_LISTEN": self.address,
            "FLOOR_METRICS_LISTEN": f"127.0.0.1:{self.metrics_port}",
            **env,
        }

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_exc: object) -> None:
        self.kill9()

    def spawn(self) -> None:
        """Start without waiting for anything."""
        assert self._process is None, "the process runs"
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("FLOOR_")}
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", self._module],
                cwd=_ROOT,
                env={**inherited, **self._env},
                stdout=log,
                stderr=log,
            )

    async def start(self) -> None:
        """Start and wait until the health service says SERVING."""
        self.spawn()
        await self.until_serving()

    async def until_serving(self) -> None:
        deadline = time.monotonic() + _START_S
        while not await self.serving():
            assert self._process is not None
            code = self._process.poll()
            assert code is None, f"{self._module} ended with {code}:\n{self.tail()}"
            assert time.monotonic() < deadline, f"{self._module} is not serving:\n{self.tail()}"
            await asyncio.sleep(0.02)

    async def serving(self) -> bool:
        async with grpc.aio.insecure_channel(
            self.address, options=[("grpc.use_local_subchannel_pool", 1)]
        ) as channel:
            try:
                answer = await health_pb2_grpc.HealthStub(channel).Check(
                    health_pb2.HealthCheckRequest(), timeout=1
                )
            except grpc.aio.AioRpcError:
                return False
        status: bool = answer.status == health_pb2.HealthCheckResponse.SERVING
        return status

    def signal(self, number: signal.Signals) -> None:
        assert self._process is not None, "the process does not run"
        self._process.send_signal(number)

    def kill9(self) -> None:
        if self._process is None:
            return
        self._process.kill()
        self._process.wait(_STOP_S)
        self._process = None

    async def restart(self) -> None:
        """`kill9`, if it runs, and start again."""
        self.kill9()
        await self.start()

    async def stop(self, expect: int = 0) -> None:
        """SIGTERM, and assert the exit code."""
        self.signal(signal.SIGTERM)
        code = await self.exit_code()
        assert code == expect, f"{self._module} ended with {code}, not {expect}:\n{self.tail()}"

    async def exit_code(self, timeout_s: float = _STOP_S) -> int:
        """Wait until the process ends by itself."""
        assert self._process is not None, "the process does not run"
        deadline = time.monotonic() + timeout_s
        while (code := self._process.poll()) is None:
            assert time.monotonic() < deadline, f"{self._module} does not end:\n{self.tail()}"
            await asyncio.sleep(0.02)
        self._process = None
        return code

    def lines(self) -> list[dict[str, Any]]:
        """The log's lines; every one must be JSON."""
        return [json.loads(line) for line in self.log.read_text(encoding="utf-8").splitlines()]

    def events(self) -> list[str]:
        return [line["event"] for line in self.lines()]

    def tail(self) -> str:
        if not self.log.is_file():  # /dev/full has no end
            return ""
        return self.log.read_text(encoding="utf-8")[-_TAIL_CHARS:]
