"""The switch in every function that is mutated: it runs as it is, or as one of its mutants.

mutmut's own asks the environment at every call. This one is set once in the life of a process,
before the modules are imported or after, and costs little where millions of hands are ranked.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

Function = Callable[..., Any]
MutantDict = dict[str, Function]  # what the mutated modules call it

_ORIGINAL = "_mutmut_orig"  # its key there


class _Switch:
    """The switch of one function."""

    def __init__(self, module: str, mutants: MutantDict) -> None:
        self._module = module
        self._mutants = mutants
        self.runs: Function = self._decide

    def _decide(self, *args: Any, **kwargs: Any) -> Any:
        """Find out what runs from now on; only now is `mutants` complete, the module imported."""
        self.runs = self._record if _STATE.met is not None else self._chosen()
        return self.runs(*args, **kwargs)

    def _chosen(self) -> Function:
        module, _, name = _STATE.mutant.rpartition(".")
        own = module == self._module and name in self._mutants
        function = self._mutants[name if own else _ORIGINAL]
        # A class method was bound at look-up, but the call passes the class itself.
        return getattr(function, "__func__", function)

    def _record(self, *args: Any, **kwargs: Any) -> Any:
        function = self._chosen()
        assert _STATE.met is not None
        _STATE.met.add(f"{self._module}.{function.__name__.partition('__mutmut_')[0]}")
        return function(*args, **kwargs)


class _State:
    """What the switches are set to, and the switches."""

    def __init__(self) -> None:
        self.mutant = ""
        self.met: set[str] | None = None
        self.switches: list[_Switch] = []


_STATE = _State()


def set_mutant(name: str) -> None:
    """Run this mutant (`pokerfloor.games.pots.x_name__mutmut_1`); the plain functions if ""."""
    _STATE.mutant, _STATE.met = name, None
    for switch in _STATE.switches:
        switch.runs = switch._decide  # noqa: SLF001  one thing in two classes


def record() -> set[str]:
    """Let the functions run as they are; return the set that gets the names of those called."""
    set_mutant("")
    _STATE.met = set()
    return _STATE.met


def wrap_in_switch(
    mutants: MutantDict,
    *,
    is_classmethod: bool = False,  # noqa: ARG001  what mutmut passes
) -> Callable[[Function], Function]:
    """Return the decorator that mutmut puts on a function."""

    def wrap(function: Function) -> Function:
        switch = _Switch(function.__module__, mutants)
        _STATE.switches.append(switch)

        @wraps(function)
        def switched(*args: Any, **kwargs: Any) -> Any:
            return switch.runs(*args, **kwargs)

        return switched

    return wrap
