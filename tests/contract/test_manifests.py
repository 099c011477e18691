"""The Kubernetes base renders, is valid, and agrees with the code on ports, names, settings."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml

from pokerfloor.servicekit import ServiceSettings
from pokerfloor.tablelog import PUBLIC_EVENTS

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent
SERVICES = sorted(
    path.parent.name.removeprefix("floor_") for path in (ROOT / "services").glob("*/__main__.py")
)


@cache
def rendered() -> str:
    command = [str(BIN / "kubectl"), "kustomize", str(ROOT / "deploy" / "k8s" / "base")]
    return subprocess.run(command, check=True, capture_output=True, timeout=60, text=True).stdout


def manifests() -> list[dict[str, Any]]:
    return [manifest for manifest in yaml.safe_load_all(rendered()) if manifest]


def workload(name: str) -> dict[str, Any]:
    [found] = [
        manifest
        for manifest in manifests()
        if manifest["kind"] in ("Deployment", "StatefulSet")
        and manifest["metadata"]["name"] == name
    ]
    return found


def service(name: str) -> dict[str, Any]:
    [found] = [m for m in manifests() if m["kind"] == "Service" and m["metadata"]["name"] == name]
    return found


def validate(text: str, folder: Path) -> int:
    path = folder / "manifests.yaml"
    path.write_text(text, encoding="utf-8")
    command = [str(BIN / "kubernetes-validate"), "--strict", "-k", "1.34", str(path)]
    return subprocess.run(command, check=False, capture_output=True, timeout=60).returncode


def test_the_base_is_valid_and_a_wrong_field_is_not(tmp_path: Path) -> None:
    assert validate(rendered(), tmp_path) == 0
    assert "readinessProbe" in rendered()
    assert validate(rendered().replace("readinessProbe", "readynessProbe"), tmp_path) != 0


def test_every_service_has_a_workload_and_runs_itself() -> None:
    assert SERVICES == ["scoring", "showdown", "shuffler", "table", "wallet"]
    for name in SERVICES:
        [container] = workload(name)["spec"]["template"]["spec"]["containers"]
        assert container["args"] == [f"floor_{name}"]


@pytest.mark.parametrize("name", SERVICES)
def test_selectors_ports_and_probes_agree(name: str) -> None:
    template = workload(name)["spec"]["template"]
    [container] = template["spec"]["containers"]
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    environment = {entry["name"]: entry.get("value") for entry in container["env"]}
    assert environment["FLOOR_GRPC_LISTEN"] == f"0.0.0.0:{ports['grpc']}"
    for probe in ("startupProbe", "readinessProbe"):
        assert container[probe]["grpc"]["port"] == ports["grpc"]
    labels = template["metadata"]["labels"]
    selector = service(name)["spec"]["selector"]
    assert selector.items() <= labels.items()
    [port] = service(name)["spec"]["ports"]
    assert (port["port"], port["targetPort"]) == (ports["grpc"], "grpc")


@pytest.mark.parametrize("name", SERVICES)
def test_settings_are_those_of_the_code(name: str) -> None:
    [shared] = [m for m in manifests() if m["metadata"]["name"] == "floor-settings"]
    [container] = workload(name)["spec"]["template"]["spec"]["containers"]
    given = set(shared["data"]) | {entry["name"] for entry in container["env"]}
    module = import_module(f"floor_{name}.settings")
    [settings] = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, ServiceSettings)
        and value is not ServiceSettings
    ]
    known = {f"FLOOR_{field.upper()}" for field in settings.model_fields}
    everywhere = set().union(
        *(
            {f"FLOOR_{field.upper()}" for field in value.model_fields}
            for other in SERVICES
            for value in vars(import_module(f"floor_{other}.settings")).values()
            if isinstance(value, type) and issubclass(value, ServiceSettings)
        )
    )
    assert given <= everywhere, given - everywhere
    own = {
        f"FLOOR_{field.upper()}"
        for field in set(settings.model_fields) - set(ServiceSettings.model_fields)
    }
    addresses = {setting for setting in own if setting.endswith("_ADDRESS")}
    assert addresses <= given, f"{name} is not told {addresses - given}"
    assert "FLOOR_KEY_SET" in known & given


def test_addresses_lead_to_the_services() -> None:
    [shared] = [m for m in manifests() if m["metadata"]["name"] == "floor-settings"]
    for setting, value in shared["data"].items():
        if setting.endswith("_ADDRESS"):
            name, port = value.split(":")
            assert service(name)["spec"]["ports"][0]["port"] == int(port)
    host, port = shared["data"]["FLOOR_NATS_URL"].removeprefix("nats://").split(":")
    assert service(host)["spec"]["ports"][0]["port"] == int(port)


def test_the_broker_stops_taking_more_before_its_disk_is_full() -> None:
    [config] = [m for m in manifests() if m["metadata"]["name"].startswith("nats-config")]
    text = config["data"]["nats.conf"]
    bounds = dict(re.findall(r"^\s*(max_\w+_store): (\w+)$", text, re.MULTILINE))
    [claim] = workload("nats")["spec"]["volumeClaimTemplates"]
    volume = claim["spec"]["resources"]["requests"]["storage"]
    [container] = workload("nats")["spec"]["template"]["spec"]["containers"]
    memory = container["resources"]["limits"]["memory"]
    # nats-server's GB and MB are powers of 1024 too. A tenth is left for what is written anew.
    assert _bytes(bounds["max_file_store"]) * 1.1 < _bytes(volume)
    assert PUBLIC_EVENTS.max_bytes < _bytes(bounds["max_memory_store"]) * 4 < _bytes(memory)


def _bytes(text: str) -> int:
    size = text.rstrip("iB")
    return int(size[:-1]) << {"M": 20, "G": 30}[size[-1]]


def test_a_pod_has_longer_to_stop_than_a_drain_takes() -> None:
    [shared] = [m for m in manifests() if m["metadata"]["name"] == "floor-settings"]
    for name in SERVICES:
        grace_s = workload(name)["spec"]["template"]["spec"]["terminationGracePeriodSeconds"]
        assert int(shared["data"]["FLOOR_DRAIN_BUDGET_MS"]) < grace_s * 1000


def test_pods_are_restricted() -> None:
    for manifest in manifests():
        if manifest["kind"] not in ("Deployment", "StatefulSet"):
            continue
        pod = manifest["spec"]["template"]["spec"]
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["automountServiceAccountToken"] is False
        for container in pod["containers"]:
            context = container["securityContext"]
            assert context["readOnlyRootFilesystem"] is True
            assert context["allowPrivilegeEscalation"] is False
            assert context["capabilities"] == {"drop": ["ALL"]}


def test_the_record_key_is_a_secret_of_its_own_and_state_keeps_its_modes() -> None:
    for name in ("shuffler", "wallet"):
        pod = workload(name)["spec"]["template"]["spec"]
        assert pod["securityContext"]["fsGroupChangePolicy"] == "OnRootMismatch"
    pod = workload("shuffler")["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    path = Path(next(e["value"] for e in container["env"] if e["name"] == "FLOOR_RECORD_KEY_FILE"))
    mounts = {mount["mountPath"]: mount for mount in container["volumeMounts"]}
    mount = mounts[str(path.parent)]
    assert mount["readOnly"]
    (secret,) = [v["secret"] for v in pod["volumes"] if v["name"] == mount["name"]]
    assert secret["secretName"] == "floor-shuffler-record-key"
    assert secret["defaultMode"] == 0o400
