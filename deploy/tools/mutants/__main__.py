"""Mutation testing of the rules (what `make mutants` runs): some test must see a rule bent.

mutmut makes small changes, one at a time, in a copy of the project under `build/mutants`, and runs
the tests that reach each of them. What is added to it here:

- Functions behind `@cache` are mutated too: in the copy they are wrapped below, not decorated, and
  every run of the tests begins with empty caches.
- A mutant that nothing kills is tried again in a process of its own and with the property tests: a
  table made at import was made before mutmut switched the mutant on.
- A mutant that only changes the words of a sentence for people, what an assertion says, or zip's
  `strict` (which never fires where lengths are equal by construction), does not count.
- `equivalent.toml` beside this file lists mutants that change nothing anyone can see, and why.

Prints a table by module, then every survivor. Returns 1 when one survives in a module that is
guarded, or when an entry of `equivalent.toml` fits no mutant left alive any more.
"""

import argparse
import time
from dataclasses import replace

from deploy.tools.mutants.copying import make_copy, run_mutmut
from deploy.tools.mutants.groups import GROUPS, ROOT, Module, is_in
from deploy.tools.mutants.judging import judge, read_equivalents


def main() -> int:
    """Run for the modules named, or all; returns the exit code."""
    parser = argparse.ArgumentParser(prog="mutants", description="Mutation testing of the rules")
    parser.add_argument("modules", nargs="*", help="paths such as libs/games/pots.py; all if none")
    parser.add_argument("--children", type=int, default=2, help="how many tests run at once")
    parser.add_argument("--quick", action="store_true", help="survivors see no property tests")
    options = parser.parse_args()
    wanted = {str((ROOT / path).resolve().relative_to(ROOT)) for path in options.modules}
    equivalents = read_equivalents()
    met: set[tuple[str, str, str]] = set()
    modules: list[Module] = []
    started = time.monotonic()
    for known in GROUPS:
        group = replace(known, more_tests=()) if options.quick else known
        paths = [path for path in group.modules() if not wanted or is_in(path, wanted)]
        if paths:
            tree = run_mutmut(make_copy(group, paths), options.children)
            of_group, met_here = judge(group, tree, paths, options.children, equivalents)
            modules += of_group
            met |= met_here
    stale = [
        key
        for key in sorted(equivalents - met)
        if any(key[0].startswith(module.dotted + ".") for module in modules)
    ]
    _print_report(modules, stale, time.monotonic() - started)
    return 1 if stale or any(module.guarded and module.survivors for module in modules) else 0


def _print_report(modules: list[Module], stale: list[tuple[str, str, str]], took_s: float) -> None:
    counted = [module for module in modules if module.mutants]
    total = Module("all")
    for module in counted:
        total.mutants += module.mutants
        total.uncounted += module.uncounted
        total.equivalent += module.equivalent
        total.survivors += module.survivors
    print(f"\n{'module':42}{'mutants':>9}{'killed':>9}{'equal':>7}{'survived':>10}{'share':>8}")
    for module in [*counted, total]:
        survived = len(module.survivors)
        killed = module.mutants - module.equivalent - survived
        share = f"{survived / module.mutants:.1%}" if module.mutants else "-"
        mark = "*" if module.guarded else " "
        print(
            f"{module.path:41}{mark}{module.mutants:9}{killed:9}{module.equivalent:7}"
            f"{survived:10}{share:>8}"
        )
    print("\n* guarded: none may survive.", end=" ")
    print(f"{total.uncounted} more change only words or zip's strict.")
    print(f"Took {took_s / 60:.1f} minutes.")
    for mutant in total.survivors:
        print(f"\n{mutant}")
    for function, was, becomes in stale:
        print(f"\nlisted as equivalent, but there is no such survivor: {function}")
        print(f"  - {was}\n  + {becomes}")


if __name__ == "__main__":
    raise SystemExit(main())
