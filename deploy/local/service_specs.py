"""How each process of the floor is started: command, environment, log."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from deploy.local.processes import ProcessSpec
from deploy.local.run_settings import RunSettings
from deploy.local.state_folder import StateFolder
from pokerfloor.bots import PROOF_FAILED_EXIT

REPOSITORY = Path(__file__).resolve().parents[2]
# In the order of starting; stopped in the reverse order.
SERVICES = ("shuffler", "wallet", "showdown", "scoring", "table")
_DRAIN_MS = 5_000
# No more than this much of the disk for JetStream.
_MAX_FILE_STORE = "20GB"
_MAX_MEMORY_STORE = "256MB"


def nats_spec(settings: RunSettings, folder: StateFolder, nats_server: Path) -> ProcessSpec:
    """Describe nats-server: JetStream in the state folder, every append synced to disk."""
    store = folder.path / "nats"
    store.mkdir(exist_ok=True, mode=0o700)
    configuration = folder.write_secret(
        "nats.conf",
        f'listen: "{settings.address("nats")}"\n'
        'server_name: "floor-local"\n'
        "jetstream {\n"
        f'  store_dir: "{store}"\n'
        # Quoted: a bare word would be read as a duration.
        '  sync_interval: "always"\n'
        f"  max_file_store: {_MAX_FILE_STORE}\n"
        f"  max_memory_store: {_MAX_MEMORY_STORE}\n"
        "}\n",
    )
    command = (str(nats_server), "-c", str(configuration))
    return ProcessSpec("nats", command, _plain(), folder.log_path("nats"), folder.path)


def service_spec(name: str, settings: RunSettings, folder: StateFolder) -> ProcessSpec:
    """Describe one of the five services."""
    environment = _plain() | {
        "FLOOR_INSTANCE": f"{name}-1",
        "FLOOR_GRPC_LISTEN": settings.address(name),
        "FLOOR_METRICS_LISTEN": f"127.0.0.1:{settings.metrics_port(name)}",
        "FLOOR_NATS_URL": f"nats://{settings.address('nats')}",
        "FLOOR_STATE_DIR": str(folder.path / name),
        "FLOOR_KEY_SET": str(folder.path / "identity" / "jwks.json"),
        "FLOOR_TOKEN_FILE": str(folder.path / "tokens" / f"{name}.token"),
        "FLOOR_DRAIN_BUDGET_MS": str(_DRAIN_MS),
    }
    for other in SERVICES:
        environment[f"FLOOR_{other.upper()}_ADDRESS"] = settings.address(other)
    if name == "wallet":
        environment["FLOOR_LEDGER_URL"] = settings.ledger_url
        environment["FLOOR_LEDGER_OWNER_URL"] = settings.ledger_owner_url
    command = (sys.executable, "-m", f"floor_{name}")
    return ProcessSpec(
        name,
        command,
        environment,
        folder.log_path(name),
        REPOSITORY,
        address=settings.address(name),
    )


def bots_spec(folder: StateFolder, plan: Path) -> ProcessSpec:
    """Describe the process of all bots."""
    command = (sys.executable, "-m", "pokerfloor.bots", str(plan))
    return ProcessSpec(
        "bots",
        command,
        _plain(),
        folder.log_path("bots"),
        REPOSITORY,
        final_exits=frozenset({PROOF_FAILED_EXIT}),
    )


def _plain() -> dict[str, str]:
    """Return the environment without settings meant for other services."""
    kept = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("FLOOR_", "LEDGER_"))  # those hold passwords
    }
    kept["PYTHONUNBUFFERED"] = "1"
    return kept
