"""What is mutated, by which tests, and where no mutant may survive."""

from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]

# Side pots, odd chips, reopening, and everything that ranks.
GUARDED: Final = (
    "libs/pokerfloor/games/pots.py",
    "libs/pokerfloor/games/splitting.py",
    "libs/pokerfloor/games/rake.py",
    "libs/pokerfloor/games/resolve.py",
    "libs/pokerfloor/games/betting_round.py",
    "libs/pokerfloor/games/validate_action.py",
    "libs/pokerfloor/games/legal.py",
    "libs/pokerfloor/ranking/*.py",
)


@dataclass(frozen=True)
class Group:
    """What is mutated together, the tests for each mutant, and more for survivors.

    `not_mutated` names what its modules and tests import besides, to be imported once for all.
    `quick` spares survivors these and the tests that take long, and tries no known equivalent.
    """

    name: str
    folder: str
    tests: tuple[str, ...]
    more_tests: tuple[str, ...] = ()
    not_mutated: tuple[str, ...] = ("pokerfloor.ranking",)
    quick: bool = False

    def modules(self) -> list[str]:
        """Return the modules of the folder, without those that another group has."""
        inner = {other.folder for other in GROUPS if other.folder.startswith(self.folder + "/")}
        files = sorted((ROOT / self.folder).rglob("*.py"))
        paths = [str(path.relative_to(ROOT)) for path in files if path.name != "__init__.py"]
        return [path for path in paths if not is_in(path, inner)]


GROUPS: Final = (
    Group(
        "games",
        "libs/pokerfloor/games",
        ("tests/unit/games",),
        ("tests/property/test_hand_oracle.py", "tests/property/test_hand_random.py"),
    ),
    Group("placement", "libs/pokerfloor/games/placement", ("tests/unit/placement",)),
    Group(
        "ranking",
        "libs/pokerfloor/ranking",
        ("tests/unit/ranking",),
        ("tests/property/test_ranking.py",),
        ("pokerfloor.cards", "numpy"),
    ),
)


def is_in(path: str, wanted: set[str]) -> bool:
    """Return whether a path is one of those wanted, or below one of them."""
    return any(path == one or path.startswith(one + "/") for one in wanted)


@dataclass(frozen=True)
class Mutant:
    """One change: mutmut's name of it, the function it is in, its lines before and after."""

    name: str
    function: str
    was: str
    becomes: str

    @property
    def mangled(self) -> str:
        """What mutmut calls the function."""
        return self.name.partition("__mutmut_")[0]

    @property
    def key(self) -> tuple[str, str, str]:
        """What names it from one run to the next; mutmut's numbers move with every change."""
        return self.function, self.was, self.becomes

    def __str__(self) -> str:
        """Return the change as a diff under the function's name."""
        return f"{self.function}\n  - {self.was}\n  + {self.becomes}"


@dataclass
class Module:
    """What became of the mutants of one module."""

    path: str
    mutants: list[Mutant] = field(default_factory=list)
    uncounted: int = 0
    equivalent: int = 0
    unended: int = 0
    survivors: list[Mutant] = field(default_factory=list)

    @property
    def guarded(self) -> bool:
        """Whether none may survive here."""
        return any(fnmatch(self.path, pattern) for pattern in GUARDED)

    @property
    def dotted(self) -> str:
        """The name it is imported by."""
        return self.path.removeprefix("libs/").removesuffix(".py").replace("/", ".")
