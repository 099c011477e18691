"""Values of one kind that the book knows, wrote, or guessed to be absent."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

#: What is to be put back when a part of a unit is undone: a dictionary, a key, and what it held.
Undo = list[tuple[dict[Any, Any], Any, Any]]
#: Stands for "it held nothing".
NOTHING = object()


class Shelf(Generic[K, V]):
    """What the rules read and write of one kind, by key; `absent` is what they find for nothing.

    `known` is as the database has it, `written` what this pass of the rules wrote over it. A key
    that is in neither is asked for (`ask`) where the database is at hand; elsewhere it is guessed
    to be absent and noted in `missed`, for somebody to look it up. Of what is known, two
    generations of at most `keep` values each outlive a group; the older one is dropped when the
    younger is full.
    """

    __slots__ = ("_absent", "_keep", "_older", "_undo", "ask", "known", "missed", "written")

    def __init__(self, undo: Undo, absent: V, *, keep: int = 0) -> None:
        self._undo = undo
        self._absent = absent
        self._keep = keep
        self._older: dict[K, V] = {}
        self.ask: Callable[[K], V] | None = None
        self.known: dict[K, V] = {}
        self.written: dict[K, V] = {}
        self.missed: dict[K, None] = {}

    def get(self, key: K) -> V:
        """Give what is written, known or found, else the guess that there is nothing."""
        if key in self.written:
            return self.written[key]
        if key in self.known:
            return self.known[key]
        if key in self._older:
            value = self.known[key] = self._older.pop(key)
            return value
        if self.ask is not None:
            value = self.known[key] = self.ask(key)
            return value
        self.missed[key] = None
        return self._absent

    def put(self, key: K, value: V) -> None:
        """Write a value."""
        self._undo.append((self.written, key, self.written.get(key, NOTHING)))
        self.written[key] = value

    def change(self, key: K, by: V) -> None:
        """Add to what is known, if it is."""
        for values in (self.known, self._older):
            if key in values:
                values[key] += by  # type: ignore[operator]  # of shelves that hold numbers

    def learn(self, found: Mapping[K, V]) -> bool:
        """Take in what the missed keys really hold; tells whether a guess was wrong."""
        wrong = False
        for key in self.missed:
            value = self.known[key] = found.get(key, self._absent)
            wrong = wrong or value != self._absent
        self.missed.clear()
        return wrong

    def learn_more(self, found: Mapping[K, V]) -> None:
        """Take in what nobody asked for yet."""
        self.known.update(found)
        for key in found:
            self.missed.pop(key, None)

    def start_over(self) -> None:
        """Drop what this pass wrote."""
        self.written.clear()

    def keep(self) -> None:
        """Know what was written, for it is committed."""
        self.known.update(self.written)
        self.written.clear()
        if self._keep == 0:
            self.known.clear()
        elif len(self.known) > self._keep:
            self._older, self.known = self.known, {}

    def forget(self) -> None:
        """Drop everything."""
        self._older.clear()
        self.known.clear()
        self.written.clear()
        self.missed.clear()
