"""A service without calls of its own, to test the life of a process: `python -m`."""

from __future__ import annotations

import asyncio
import os

from pokerfloor.servicekit import (
    FloorNats,
    GrpcServer,
    ServiceSettings,
    Stop,
    get_logger,
    run,
    serve,
)


class ToySettings(ServiceSettings):
    drain_ms: int = 0


async def main(settings: ToySettings, stop: Stop) -> None:
    async with FloorNats.open(settings) as nats:
        server = GrpcServer.from_settings(settings, ready=lambda: nats.connected)

        async def drain() -> None:
            get_logger("toy").info("draining toy")
            await asyncio.sleep(settings.drain_ms / 1000)

        if os.environ.get("TOY_CRASH"):
            raise RuntimeError("toy broke")
        await serve(server, settings, stop, drain=drain)
        get_logger("toy").info("left toy")


if __name__ == "__main__":
    run("toy", ToySettings, main)
