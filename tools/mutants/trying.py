"""Try mutants, each with the tests that reach it.

The tests are collected once. Then every mutant has a fork of its own, in which the tests that reach
it run until one fails. What ran while the modules were imported (a table, a row of a game) is done
by then: the mutants of such functions are tried in processes that import everything with them.
"""

import gc
import os
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Final, NoReturn

import pytest
from hypothesis import Phase, settings

from tools.mutants.forks import Answer, in_forks
from tools.mutants.groups import ROOT, Group, Mutant
from tools.mutants.switch import record, set_mutant

# Without slow tests, and without what only makes failures readable.
_PYTEST: Final = (
    *("-q", "--tb=native", "--assert=plain", "--capture=no", "-m", "not slow", "--timeout=0"),
    *("-p", "no:cacheprovider", "-p", "no:faulthandler", "--rootdir=."),
)
# Processor time, which a busy machine does not use up; wall time may be so much longer.
_IMPORT_S: Final = 60.0
_WALL: Final = 40
# Tests that take longer run only for what survives all others.
_LONG_S: Final = 0.7
_STEP: Final = 100  # mutants between two lines of progress


@dataclass
class Reach:
    """What the tests do where nothing is changed."""

    took_s: dict[str, float] = field(default_factory=dict)
    by_function: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    at_import: set[str] = field(default_factory=set)


@dataclass
class Tried:
    """What became of mutants; those not here were killed."""

    alive: set[Mutant] = field(default_factory=set)
    unended: set[Mutant] = field(default_factory=set)
    # By function: how many mutants of it fell to a test. It is tried first with the next.
    fell_to: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def note(self, mutant: Mutant, answer: str | None) -> None:
        """Note the test that failed, "" if none did, None if there was no end."""
        if answer is None:
            self.unended.add(mutant)
        elif answer:
            self.fell_to[mutant.mangled][answer] += 1
        else:
            self.alive.add(mutant)

    def add(self, more: "Tried") -> None:
        """Add what became of other mutants."""
        self.alive |= more.alive
        self.unended |= more.unended


class _Progress:
    """Reports progress now and then, on the output that this process began with."""

    def __init__(self, group: Group) -> None:
        self._name = group.name
        self._out = os.dup(1)
        self._started = time.monotonic()

    def say(self, what: str) -> None:
        minutes = (time.monotonic() - self._started) / 60
        os.write(self._out, f"{self._name}: {what}, {minutes:.1f} minutes\n".encode())

    def count(self, done: int, of: int, tried: Tried) -> None:
        if done % _STEP == 0 or done == of:
            self.say(f"{done} of {of} tried, {len(tried.alive)} still alive")


def try_collected(
    group: Group, copy: Path, mutants: Sequence[Mutant], children: int
) -> tuple[Reach, Tried]:
    """Try each mutant whose function does not run at import with the tests that reach it."""

    def work(_: None, answer: Answer) -> NoReturn:
        progress = _Progress(group)
        _enter(copy, copy / "collected.log")
        collected = _Collected(mutants, children, progress)
        collected.reach.at_import = record()
        pytest.main([*_PYTEST, *group.tests], plugins=[collected])
        answer((collected.reach, collected.tried) if collected.done else None)

    [(_, found)] = in_forks([None], work, 1)
    if found is None:
        raise SystemExit(f"the tests of {group.name} fail without a mutant: see {copy}")
    reach, tried = found
    assert isinstance(reach, Reach)
    assert isinstance(tried, Tried)
    return reach, tried


class _Collected:
    """Instead of running the tests collected: tries all mutants in forks."""

    def __init__(self, mutants: Sequence[Mutant], children: int, progress: _Progress) -> None:
        self.reach = Reach()
        self.tried = Tried()
        self.done = False
        self._mutants = mutants
        self._children = children
        self._progress = progress
        self._items: dict[str, pytest.Item] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            return True
        self._items = {item.nodeid: item for item in session.items}
        _build_tables()
        self.reach.at_import = set(self.reach.at_import)
        gc.collect()
        gc.freeze()
        if self._learn_reach():
            took_s = sum(self.reach.took_s.values())
            self._progress.say(f"{len(self._items)} tests, {took_s:.0f} s of them")
            self._try_all()
            self.done = True
        return True

    def _learn_reach(self) -> bool:
        """Run each test by itself, so that it finds no filled cache; return False if one fails."""

        def work(item: pytest.Item, answer: Answer) -> NoReturn:
            stop = _Stop(answer, {})
            item.config.pluginmanager.register(stop)
            met = record()
            started = time.process_time()
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
            answer((met, time.process_time() - started))

        for item, answer in in_forks(self._items.values(), work, self._children):
            if not isinstance(answer, tuple):
                return False
            met, self.reach.took_s[item.nodeid] = answer
            for function in met:
                self.reach.by_function[function].add(item.nodeid)
        return True

    def _try_all(self) -> None:
        mutants = [mutant for mutant in self._mutants if mutant.mangled not in self.reach.at_import]
        done = in_forks(mutants, self._try, self._children)
        for count, (mutant, answer) in enumerate(done, 1):
            self.tried.note(mutant, answer)
            self._progress.count(count, len(mutants), self.tried)

    def _try(self, mutant: Mutant, answer: Answer) -> NoReturn:
        took_s, fell_to = self.reach.took_s, self.tried.fell_to[mutant.mangled]
        reaching = self.reach.by_function.get(mutant.mangled, ())
        quick = [name for name in reaching if took_s[name] < _LONG_S]
        names = sorted(quick, key=lambda name: (-fell_to[name], took_s[name]))
        items = [self._items[name] for name in names]
        set_mutant(mutant.name)
        if items:
            items[0].config.pluginmanager.register(_Stop(answer, took_s))
        _run(items)
        answer("")


def _build_tables() -> None:
    """Build the ranking tables once, or every fork would; as if at import."""
    from pokerfloor.ranking import RANKINGS  # noqa: PLC0415  those of the copy

    for system in RANKINGS.values():
        if system.table:
            system.table()
        elif len(system.deck) > 52:
            system.strength(system.deck.cards[-5:])


class _Stop:
    """Answers with the first test that fails, and ends tests that run too long."""

    def __init__(
        self,
        answer: Answer,
        took_s: Mapping[str, float],
        first: Mapping[str, int] | None = None,
        patience: int = 1,
        *,
        long: bool | None = None,
    ) -> None:
        self._answer = answer
        self._took_s = took_s
        self._first = first or {}
        self._patience = patience
        self._long = long

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self, nodeid: str) -> None:
        _limit(self._patience * (5 * self._took_s.get(nodeid, 10.0) + 3))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._answer(report.nodeid)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        def key(item: pytest.Item) -> tuple[int, float]:
            return -self._first.get(item.nodeid, 0), self._took_s.get(item.nodeid, 0)

        if self._long is not None:
            default = _LONG_S if self._long else 0
            items[:] = [
                item
                for item in items
                if (self._took_s.get(item.nodeid, default) >= _LONG_S) is self._long
            ]
        items.sort(key=key)


def try_imported(
    group: Group,
    copy: Path,
    mutants: Collection[Mutant],
    took_s: Mapping[str, float],
    children: int,
    patience: int = 1,
    *,
    long: bool | None = None,
) -> Tried:
    """Try mutants in forks that import the modules with the mutant switched on.

    With the tests that take long, those that do not, or all (None).
    """
    if not mutants:
        return Tried()
    tests = group.tests if long is False else (*group.tests, *group.more_tests)

    def work(_: None, answer: Answer) -> NoReturn:
        progress = _Progress(group)
        _enter(copy, copy / "imported.log")
        uncollected = _Uncollected(group, mutants, took_s, children, patience, long, progress)
        pytest.main([*_PYTEST, *tests], plugins=[uncollected])
        answer(uncollected.tried)

    [(_, tried)] = in_forks([None], work, 1)
    assert isinstance(tried, Tried), f"see {copy}"
    return tried


class _Uncollected:
    """Instead of collecting the tests: tries mutants in forks that collect and run them."""

    def __init__(
        self,
        group: Group,
        mutants: Collection[Mutant],
        took_s: Mapping[str, float],
        children: int,
        patience: int,
        long: bool | None,
        progress: _Progress,
    ) -> None:
        self.tried = Tried()
        self._progress = progress
        self._group = group
        self._mutants = sorted(mutants, key=lambda mutant: mutant.name)
        self._took_s = took_s
        self._children = children
        self._patience = patience
        self._long = long

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> bool:
        for name in self._group.not_mutated:
            import_module(name)
        if "pokerfloor.ranking" in self._group.not_mutated:
            _build_tables()
        mutated = {mutant.name.rpartition(".")[0] for mutant in self._mutants}
        assert not mutated & set(sys.modules), "imported without their mutants"
        gc.collect()
        gc.freeze()
        done = in_forks(self._mutants, partial(self._try, session), self._children)
        for count, (mutant, answer) in enumerate(done, 1):
            self.tried.note(mutant, answer)
            self._progress.count(count, len(self._mutants), self.tried)
        return True

    def _try(self, session: pytest.Session, mutant: Mutant, answer: Answer) -> NoReturn:
        set_mutant(mutant.name)
        _limit(self._patience * _IMPORT_S)
        fell_to = self.tried.fell_to[mutant.mangled]
        # First the test that killed the last one: its module alone is collected quickly.
        for likely in [name for name, _ in fell_to.most_common(1) if "::" in name]:
            stop = _Stop(answer, self._took_s, {}, self._patience)
            session.config.pluginmanager.register(stop)
            with suppress(pytest.UsageError):
                _run(session.perform_collect([likely]))
            session.config.pluginmanager.unregister(stop)
        stop = _Stop(answer, self._took_s, fell_to, self._patience, long=self._long)
        session.config.pluginmanager.register(stop)
        items = session.perform_collect()
        if session.testsfailed:
            answer("import")
        _run(items)
        answer("")


def _run(items: Sequence[pytest.Item | pytest.Collector]) -> None:
    for no, item in enumerate(items, 1):
        following = items[no] if no < len(items) else None
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)


def _limit(seconds: float) -> None:
    """End this process after so much processor time from now, or much more wall time."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, seconds * _WALL)


def _enter(copy: Path, log: Path) -> None:
    """Make this process one that works in the copy, and writes to the log."""
    os.chdir(copy)
    sys.path[:] = [str(copy), *[path for path in sys.path if Path(path).resolve() != ROOT]]
    sys.dont_write_bytecode = False  # compiled modules make the later processes start faster
    with log.open("ab") as out:
        os.dup2(out.fileno(), 1)
        os.dup2(out.fileno(), 2)
    # The same examples each time; no time is spent on shrinking failures.
    settings.register_profile(
        "mutants",
        settings.get_profile("ci"),
        phases=(Phase.explicit, Phase.generate),
        report_multiple_bugs=False,
    )
    settings.load_profile("mutants")
