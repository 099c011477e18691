"""Recorded logs of tables: gzip over steps as they are stored, each after its length (4 bytes)."""

from __future__ import annotations

import gzip
import json
import struct
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from pokerfloor.api.history.v1.step_pb2 import Step

FOLDER: Final = Path(__file__).resolve().parents[1] / "fixtures" / "log"
MOST_BYTES: Final = 150_000
_LENGTH: Final = struct.Struct(">I")


def write_fixture(path: Path, steps: Iterable[Step]) -> dict[str, object]:
    """Write a new fixture (`<name>.steps.gz`) and what it holds (`<name>.json`); gives the latter.

    Refuses to write over one that is there: a recorded log is never recorded again.
    """
    facts = path.with_name(path.name.removesuffix(".steps.gz") + ".json")
    if path.exists() or facts.exists():
        raise FileExistsError(f"{path.name} is recorded already; give the new one another name")
    stored = list(steps)
    parts: list[bytes] = []
    for step in stored:
        data = step.SerializeToString(deterministic=True)
        parts += [_LENGTH.pack(len(data)), data]
    packed = gzip.compress(b"".join(parts), compresslevel=9, mtime=0)
    if len(packed) > MOST_BYTES:
        raise ValueError(f"{len(packed)} bytes, more than {MOST_BYTES}: record fewer hands")
    held = facts_of(stored)
    path.write_bytes(packed)
    facts.write_text(json.dumps(held, indent=2) + "\n", encoding="utf-8")
    return held


def read_fixture(path: Path) -> list[Step]:
    """Read the steps of a fixture."""
    data = gzip.decompress(path.read_bytes())
    steps: list[Step] = []
    at = 0
    while at < len(data):
        (length,) = _LENGTH.unpack_from(data, at)
        at += _LENGTH.size
        steps.append(Step.FromString(data[at : at + length]))
        at += length
    assert at == len(data), "the last step is cut off"
    return steps


def facts_of(steps: list[Step]) -> dict[str, object]:
    """Tell what a log holds: its events by kind, and the digest it ends with."""
    kinds = Counter(kind_of(event) for step in steps for event in step.events)
    return {
        "table_id": steps[0].table_id,
        "steps": len(steps),
        "hands": kinds["hand_began"],
        "rules_version": steps[-1].rules_version,
        "last_digest": steps[-1].state_digest.hex(),
        "events": dict(sorted(kinds.items())),
    }


def kind_of(event: object) -> str:
    """Name an event's kind; a hand's events as `hand.<kind>`."""
    which = event.WhichOneof("event")  # type: ignore[attr-defined]  # a TableEvent
    if which != "hand":
        return str(which)
    return f"hand.{event.hand.WhichOneof('event')}"  # type: ignore[attr-defined]  # a TableEvent
