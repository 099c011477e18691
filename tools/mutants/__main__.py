"""Mutation testing of the rules (what `make mutants` runs): a changed rule must fail some test.

mutmut makes small changes, one at a time, in a copy of the project under `build/mutants`. The tests
that reach each of them are run here, until one of them fails:

- Functions behind `@cache` are mutated too: in the copy they are wrapped below, not decorated, and
  no test finds a cache that another has filled.
- What runs while modules are imported (it makes tables and rows) runs before a mutant is switched
  on. The mutants of such functions are tried in processes that import everything with them.
- What survives the quick tests meets the slow ones and the property tests.
- One that does not end is tried again alone with more time; then it counts as killed.
- A mutant that only changes the words of a sentence for people, what an assertion says, or zip's
  `strict` (which never fires where lengths are equal by construction), does not count.
- `equivalent.toml` beside this file lists mutants that change nothing anyone can see, and why.

Not mutated: what stands outside functions, properties, `__init__.py`.

Prints a table by module, then every survivor. Returns 1 when one survives in a module that is
guarded, or when an entry of `equivalent.toml` fits no mutant left alive any more.
"""

import argparse
import json
import time
from dataclasses import replace
from typing import Final

from tools.mutants.changes import read_module
from tools.mutants.copying import WORK, make_copy
from tools.mutants.groups import GROUPS, ROOT, Module, is_in
from tools.mutants.survivors import Key, find_survivors, read_equivalents, retry_survivors

_LAST: Final = WORK / "survivors.json"


def main() -> int:
    """Run for the modules named, or all; return the exit code."""
    parser = argparse.ArgumentParser(prog="mutants", description="Mutation testing of the rules")
    parser.add_argument(
        "modules", nargs="*", help="such as libs/pokerfloor/games/pots.py; all if none"
    )
    parser.add_argument("--children", type=int, default=2, help="how many tests run at once")
    parser.add_argument("--quick", action="store_true", help="no long tests, no known equivalents")
    parser.add_argument("--again", action="store_true", help="only what survived the last time")
    options = parser.parse_args()
    wanted = {str((ROOT / path).resolve().relative_to(ROOT)) for path in options.modules}
    equivalents = read_equivalents()
    last = _read_last() if options.again else None
    met: set[Key] = set()
    modules: list[Module] = []
    started = time.monotonic()
    for known in GROUPS:
        group = replace(known, quick=options.quick)
        paths = [path for path in group.modules() if not wanted or is_in(path, wanted)]
        if last is not None:
            paths = [path for path in paths if path in last]
        if not paths:
            continue
        copy = make_copy(group, paths, options.children)
        of_group = [read_module(copy, path) for path in paths]
        for module in of_group:
            if last is not None:
                keys = last[module.path]
                module.mutants = [mutant for mutant in module.mutants if mutant.key in keys]
        met |= (find_survivors if last is None else retry_survivors)(
            group, copy, of_group, options.children, equivalents
        )
        modules += of_group
    _write_last(modules)
    stale: list[Key] = []
    if last is None:
        names = tuple([module.dotted + "." for module in modules])
        stale = [key for key in sorted(equivalents - met) if key[0].startswith(names)]
    _print_report(modules, stale, time.monotonic() - started)
    return 1 if stale or any(module.guarded and module.survivors for module in modules) else 0


def _read_last() -> dict[str, set[Key]]:
    """Return the survivors of the last run, by the path of the module."""
    last = json.loads(_LAST.read_text(encoding="utf-8"))
    return {path: {(was[0], was[1], was[2]) for was in keys} for path, keys in last.items()}


def _write_last(modules: list[Module]) -> None:
    """Write down what survives; what is known of modules not run now stays."""
    last = json.loads(_LAST.read_text(encoding="utf-8")) if _LAST.exists() else {}
    for module in modules:
        last.pop(module.path, None)
        if module.survivors:
            last[module.path] = [mutant.key for mutant in module.survivors]
    _LAST.write_text(json.dumps(last, indent=1), encoding="utf-8")


def _print_report(modules: list[Module], stale: list[Key], took_s: float) -> None:
    counted = [module for module in modules if module.mutants]
    total = Module("all")
    for module in counted:
        total.mutants += module.mutants
        total.uncounted += module.uncounted
        total.equivalent += module.equivalent
        total.unended += module.unended
        total.survivors += module.survivors
    print(f"\n{'module':42}{'mutants':>9}{'killed':>9}{'equal':>7}{'survived':>10}{'share':>8}")
    for module in [*counted, total]:
        survived, mutants = len(module.survivors), len(module.mutants)
        killed = mutants - module.equivalent - survived
        share = f"{survived / mutants:.1%}" if mutants else "-"
        mark = "*" if module.guarded else " "
        print(
            f"{module.path:41}{mark}{mutants:9}{killed:9}{module.equivalent:7}"
            f"{survived:10}{share:>8}"
        )
    print("\n* guarded: none may survive.", end=" ")
    print(f"{total.unended} were killed for never ending.", end=" ")
    print(f"{total.uncounted} more change only words or zip's strict.")
    print(f"Took {took_s / 60:.1f} minutes.")
    for mutant in total.survivors:
        print(f"\n{mutant}")
    for function, was, becomes in stale:
        print(f"\nlisted as equivalent, but there is no such survivor: {function}")
        print(f"  - {was}\n  + {becomes}")


if __name__ == "__main__":
    raise SystemExit(main())
