"""The production shuffler can be told no deck and no seed: by no setting, message or argument."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

from google.protobuf.descriptor import Descriptor, FieldDescriptor

import floor_shuffler
from floor_shuffler import __main__ as main
from floor_shuffler import generator
from floor_shuffler.__main__ import Shuffler
from floor_shuffler.settings import ShufflerSettings
from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.internal.shuffler.v1 import dealing_pb2
from pokerfloor.api.shuffler.v1 import shuffler_pb2
from pokerfloor.servicekit import ServiceSettings

FOLDER = Path(floor_shuffler.__file__).parent


def _calls(name: str) -> list[tuple[str, ast.Call]]:
    return [
        (path.name, node)
        for path in sorted(FOLDER.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == name
    ]


def test_settings_are_these_and_no_more() -> None:
    """A new setting makes this fail, so that somebody thinks about what it can do to a deck."""
    own = set(ShufflerSettings.model_fields) - set(ServiceSettings.model_fields)
    assert own == {"record_key_file", "retired_record_key_files"}
    assert ShufflerSettings.model_config["extra"] == "forbid"
    for name in ServiceSettings.model_fields:
        assert not {"seed", "deck", "shuffle", "test", "random"} & set(name.split("_"))


def test_main_puts_no_deck_in() -> None:
    ((file, call),) = _calls("Shuffler")
    assert file == "__main__.py"
    assert {keyword.arg for keyword in call.keywords} == {
        "nats",
        "store",
        "keys",
        "generator",
        "instance",
        "now_ms",
    }
    assert not call.args
    # "deck_source" is a parameter of the domain object and of nothing that main passes on.
    assert "deck_source" in inspect.signature(Shuffler).parameters
    assert "deck_source" not in inspect.getsource(main.main)


def test_the_generator_is_the_operating_systems() -> None:
    ((file, call),) = _calls("OsGenerator")
    assert file == "__main__.py"
    assert not call.args
    assert not call.keywords
    default = inspect.signature(generator.OsGenerator).parameters["read"].default
    assert default.__module__ in ("posix", "nt")
    assert default.__name__ == "urandom"


def test_nothing_else_makes_an_order() -> None:
    """Orders come from the generator's decks, and from the records they were stored in."""
    assert {file for file, _ in _calls("DeckOrder")} == {"generator.py", "record.py"}
    assert {file for file, _ in _calls("shuffle")} == {"generator.py"}
    assert {file for file, _ in _calls("generated_decks")} == {"generator.py"}


def test_no_environment_and_no_weak_randomness() -> None:
    for path in FOLDER.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        assert not names & {"environ", "getenv"}, path
        modules = {
            alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.Import)
            for alias in node.names
        } | {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert not modules & {"random", "numpy", "secrets"}, path


def _fields(message: Descriptor, seen: set[str]) -> list[FieldDescriptor]:
    if message.full_name in seen:
        return []
    seen.add(message.full_name)
    found = []
    for each in message.fields:
        found.append(each)
        if each.message_type is not None:
            found += _fields(each.message_type, seen)
    return found


def test_no_request_carries_a_face_or_a_seed() -> None:
    decks = shuffler_pb2.DESCRIPTOR.services_by_name["ShufflerService"]
    dealing = dealing_pb2.DESCRIPTOR.services_by_name["DealingService"]
    for method in (*decks.methods, *dealing.methods):
        for each in _fields(method.input_type, set()):
            assert each.message_type is not cards_pb2.Card.DESCRIPTOR, each.full_name
            assert each.type != FieldDescriptor.TYPE_BYTES, each.full_name
            assert "seed" not in each.name, each.full_name
