"""How an answer is read: the statements that a question needs, whoever runs them.

A reading is a generator: it yields statements and is sent their rows. So every question is answered
by one function for both databases, although one is asked by calls and the other by coroutines.
Statements number their parameters `$1`, `$2`, …
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, NamedTuple, TypeVar

from floor_wallet.store.columns import Row

T = TypeVar("T")

Rows = list[Row]


class Select(NamedTuple):
    """A statement that reads, and its parameters."""

    sql: str
    parameters: tuple[Any, ...] = ()


Reading = Generator[Select, Rows, T]


def select(sql: str, *parameters: Any) -> Reading[Rows]:
    """Read all rows of a statement."""
    return (yield Select(sql, parameters))


def select_first(sql: str, *parameters: Any) -> Reading[Row | None]:
    """Read the first row of a statement; None when there is none."""
    rows = yield Select(sql, parameters)
    return rows[0] if rows else None


def select_row(sql: str, *parameters: Any) -> Reading[Row]:
    """Read the row of a statement that always has one."""
    rows = yield Select(sql, parameters)
    assert rows, "the statement gives a row"
    return rows[0]
