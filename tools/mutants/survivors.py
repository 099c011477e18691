"""Which mutants survive."""

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tools.mutants.copying import WORK
from tools.mutants.groups import Group, Module, Mutant
from tools.mutants.trying import Tried, try_collected, try_imported

_EQUIVALENT: Final = Path(__file__).with_name("equivalent.toml")
_PATIENCE: Final = 4  # times as long for what did not end

Key = tuple[str, str, str]


def read_equivalents() -> set[Key]:
    """Return the keys of the mutants that change nothing anyone can see."""
    listed = tomllib.loads(_EQUIVALENT.read_text(encoding="utf-8"))["equivalent"]
    return {(entry["function"], entry["was"], entry["becomes"]) for entry in listed}


def find_survivors(
    group: Group, copy: Path, modules: list[Module], children: int, equivalents: set[Key]
) -> set[Key]:
    """Note in the modules what became of their mutants; return which of `equivalents` were met."""
    mutants = _to_try(group, modules, equivalents)
    reach, found = try_collected(group, copy, mutants, children)
    _took_path(group).write_text(json.dumps(reach.took_s, indent=1), encoding="utf-8")
    built = [mutant for mutant in mutants if mutant.mangled in reach.at_import]
    _say(group, f"{len(built)} are of functions that run while modules are imported")
    found.add(try_imported(group, copy, built, reach.took_s, children, long=False))
    return _sum_up(group, copy, modules, found, reach.took_s, children, equivalents)


def retry_survivors(
    group: Group, copy: Path, modules: list[Module], children: int, equivalents: set[Key]
) -> set[Key]:
    """Do the same with mutants that have survived; tests written since then run first."""
    mutants = _to_try(group, modules, equivalents)
    took_s: dict[str, float] = json.loads(_took_path(group).read_text(encoding="utf-8"))
    found = try_imported(group, copy, mutants, took_s, children, long=False)
    return _sum_up(group, copy, modules, found, took_s, children, equivalents)


def _to_try(group: Group, modules: list[Module], equivalents: set[Key]) -> list[Mutant]:
    """Return the mutants, in a quick run without those known to be equivalent."""
    mutants = [mutant for module in modules for mutant in module.mutants]
    return [mutant for mutant in mutants if not group.quick or mutant.key not in equivalents]


def _sum_up(
    group: Group,
    copy: Path,
    modules: list[Module],
    found: Tried,
    took_s: Mapping[str, float],
    children: int,
    equivalents: set[Key],
) -> set[Key]:
    """Try once more what is left; note in the modules what became of their mutants."""
    # Known equivalents need no long tests.
    left = [mutant for mutant in found.alive if mutant.key not in equivalents]
    if not group.quick:
        _say(group, f"{len(left)} are left, and see the long tests")
        found.alive.difference_update(left)
        found.add(try_imported(group, copy, left, took_s, children, long=True))
    # What did not end may have been slowed down by others: try it alone, with more time.
    unended, found.unended = found.unended, set()
    _say(group, f"{len(unended)} did not end, and are tried again alone")
    found.add(try_imported(group, copy, unended, took_s, 1, _PATIENCE))
    met: set[Key] = set()
    for module in modules:
        module.unended = sum(mutant in found.unended for mutant in module.mutants)
        for mutant in module.mutants:
            known = mutant.key in equivalents
            if mutant not in found.alive and not (known and group.quick):
                continue
            if known:
                met.add(mutant.key)
                module.equivalent += 1
            else:
                module.survivors.append(mutant)
    return met


def _took_path(group: Group) -> Path:
    """Return where the times of the tests are kept for `retry_survivors`."""
    return WORK / f"{group.name}-took.json"


def _say(group: Group, what: str) -> None:
    print(f"{group.name}: {what}", flush=True)
