"""The contract keeps what it promises, by walking its descriptors."""

from __future__ import annotations

import importlib
import keyword
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf import json_format, message_factory
from google.protobuf.descriptor import Descriptor, FieldDescriptor, FileDescriptor

from pokerfloor.api.common.v1 import cards_pb2, identity_pb2
from pokerfloor.api.events.v1 import hand_events_pb2, table_events_pb2
from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.api.table.v1 import table_pb2

ROOT = Path(__file__).resolve().parents[2]
PROTOS = ROOT / "protos"
BUF = Path(sys.executable).parent / "buf"


def files() -> list[FileDescriptor]:
    found = []
    for path in sorted(PROTOS.rglob("*.proto")):
        module = ".".join(path.relative_to(PROTOS / "floor").with_suffix("").parts)
        found.append(importlib.import_module(f"pokerfloor.api.{module}_pb2").DESCRIPTOR)
    return found


def messages(file: FileDescriptor) -> Iterator[Descriptor]:
    for message in file.message_types_by_name.values():
        yield message
        yield from message.nested_types


def reachable(message: Descriptor, seen: set[str] | None = None) -> set[str]:
    """Full names of every message that can stand inside one."""
    seen = set() if seen is None else seen
    if message.full_name not in seen:
        seen.add(message.full_name)
        for field in message.fields:
            if field.message_type is not None:
                reachable(field.message_type, seen)
    return seen


def test_every_call_says_who_may_make_it() -> None:
    calls = [
        method
        for file in files()
        for service in file.services_by_name.values()
        for method in service.methods
    ]
    assert len(calls) >= 40
    for method in calls:
        roles = method.GetOptions().Extensions[identity_pb2.access].roles
        assert roles, f"{method.full_name} names no role"


def test_every_event_says_who_sees_it() -> None:
    for message in (hand_events_pb2.HandEvent, table_events_pb2.TableEvent):
        for field in message.DESCRIPTOR.fields:
            audience = field.GetOptions().Extensions[identity_pb2.audience]
            assert audience != identity_pb2.AUDIENCE_UNSPECIFIED, field.full_name


def test_commands_name_slots_and_never_faces() -> None:
    faces = {
        message.DESCRIPTOR.full_name
        for message in (
            cards_pb2.Card,
            cards_pb2.PlacedCard,
            cards_pb2.RevealedCard,
            cards_pb2.SealedBox,
        )
    }
    assert not reachable(table_pb2.TableCommand.DESCRIPTOR) & faces


def test_the_log_holds_no_sealed_box() -> None:
    assert cards_pb2.SealedBox.DESCRIPTOR.full_name not in reachable(step_pb2.Step.DESCRIPTOR)


def test_nothing_is_a_float_or_a_map() -> None:
    for file in files():
        for message in messages(file):
            assert not message.GetOptions().map_entry, message.full_name
            for field in message.fields:
                kinds = (FieldDescriptor.TYPE_FLOAT, FieldDescriptor.TYPE_DOUBLE)
                assert field.type not in kinds, field.full_name


def test_numbers_say_their_unit() -> None:
    """Signed 64-bit numbers are money, times, chips, points or strengths, and are named so."""
    for file in files():
        for message in messages(file):
            for field in message.fields:
                if field.type == FieldDescriptor.TYPE_INT64:
                    named = field.name.endswith(("minor", "_ms", "chips", "points", "strength"))
                    assert named, field.full_name


def page_of(file: FileDescriptor) -> str:
    name = "INTERNAL.md" if file.package.startswith("floor.internal.") else "README.md"
    return (PROTOS / name).read_text(encoding="utf-8")


def built() -> list[FileDescriptor]:
    """Files of what is built; drafts of the rest stand in packages of their own."""
    return [file for file in files() if not file.package.endswith("v1alpha1")]


def test_the_pages_tell_every_call_and_event_subject() -> None:
    readme = (PROTOS / "README.md").read_text(encoding="utf-8")
    for file in built():
        for service in file.services_by_name.values():
            for method in service.methods:
                assert f"`{service.name}/{method.name}`" in page_of(file), method.full_name
        if not file.package.startswith("floor.internal."):
            assert f"`{file.package}`" in readme, file.package
    for subject in ("floor.public.", "floor.shuffler.", "floor.ledger.", "floor.log.table."):
        assert f"`{subject}" in readme


def test_the_examples_of_calls_are_messages() -> None:
    tried = 0
    for file in built():
        for service in file.services_by_name.values():
            for method in service.methods:
                row = re.search(
                    rf"`{service.name}/{method.name}` .*\| `(.*)` \|$", page_of(file), re.MULTILINE
                )
                if row is None:
                    assert method.name == "Attach", f"{method.full_name} has no example"
                    continue
                request = message_factory.GetMessageClass(method.input_type)()
                json_format.Parse(row[1], request)
                tried += 1
    assert tried >= 45


def test_no_public_package_needs_an_internal_one_or_a_draft() -> None:
    for file in built():
        if file.package.startswith("floor.internal."):
            continue
        needed = [other.package for other in file.dependencies]
        strange = [name for name in needed if "internal" in name or name.endswith("v1alpha1")]
        assert not strange, f"{file.name} needs {strange}"


# Of Go, TypeScript, Java and C#, one a line.
_OTHERS = Path(__file__).with_name("keywords.txt").read_text(encoding="ascii").split()
KEYWORDS = frozenset(keyword.kwlist) | frozenset(_OTHERS)


def test_no_field_is_named_by_a_keyword() -> None:
    """`event`, a keyword of C# alone, is allowed: its properties are written Event."""
    for file in files():
        for message in messages(file):
            for field in message.fields:
                assert field.name not in KEYWORDS, field.full_name


def test_times_are_what_their_type_says() -> None:
    """An instant is a signed 64-bit number, a duration an unsigned 32-bit one."""
    for file in files():
        for message in messages(file):
            for field in message.fields:
                if field.name.endswith("_ms"):
                    kinds = (FieldDescriptor.TYPE_INT64, FieldDescriptor.TYPE_UINT32)
                    assert field.type in kinds, field.full_name


@pytest.mark.parametrize(
    ("find", "replace"),
    [
        ("int64 buy_in_minor = 2;", "int64 buy_in_cents = 2;"),
        ("int64 buy_in_minor = 2;", "int32 buy_in_minor = 2;"),
        ("rpc PauseTable(PauseTableRequest)", "rpc StopTable(PauseTableRequest)"),
        ("LeaveCommand leave = 5;", "LeaveCommand leave = 55;"),
    ],
)
def test_a_breaking_change_is_found(tmp_path: Path, find: str, replace: str) -> None:
    changed = tmp_path / "protos"
    shutil.copytree(PROTOS, changed)
    path = changed / "floor" / "table" / "v1" / "table.proto"
    text = path.read_text(encoding="utf-8")
    assert find in text
    path.write_text(text.replace(find, replace), encoding="utf-8")
    command = [str(BUF), "breaking", str(changed), "--against", str(PROTOS)]
    done = subprocess.run(command, check=False, capture_output=True, timeout=60)
    assert done.returncode == 100, done.stderr.decode()
    path.write_text(text + "\n// A new message.\nmessage Added {}\n", encoding="utf-8")
    assert subprocess.run(command, check=False, capture_output=True, timeout=60).returncode == 0


def test_the_published_contract_is_this_one(tmp_path: Path) -> None:
    """What was added has to be published, too, or it could be changed later: see the Makefile."""
    image = tmp_path / "v1.binpb"
    command = [str(BUF), "build", str(PROTOS), "--exclude-source-info", "-o", str(image)]
    subprocess.run(command, check=True, timeout=60)
    assert image.read_bytes() == (PROTOS / "v1.binpb").read_bytes(), "run make proto-baseline"
