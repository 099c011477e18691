"""What a group reads and writes of one kind: its writes, over what is known, over the database."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

#: What is to be put back when a part of a unit is undone: a dictionary, a key, and what it held.
Undo = list[tuple[dict[Any, Any], Any, Any]]
#: Stands for "it held nothing".
NOTHING = object()


class Overlay(Generic[K, V]):
    """Values of one kind by key; `absent` is what stands for nothing.

    `known` is as the database has it, `written` what this group wrote over it. A key that is in
    neither is looked up. Of what is known, two generations of at most `keep` values each outlive a
    group; the older one is dropped when the younger is full.
    """

    __slots__ = ("_keep", "_look_up", "_older", "_undo", "absent", "known", "written")

    def __init__(self, undo: Undo, look_up: Callable[[K], V], absent: V, *, keep: int = 0) -> None:
        self._undo = undo
        self._look_up = look_up
        self._keep = keep
        self._older: dict[K, V] = {}
        self.absent = absent
        self.known: dict[K, V] = {}
        self.written: dict[K, V] = {}

    def get(self, key: K) -> V:
        """Return what is written, known, or found in the database."""
        if key in self.written:
            return self.written[key]
        if key in self.known:
            return self.known[key]
        value = self._older.pop(key) if key in self._older else self._look_up(key)
        self.known[key] = value
        return value

    def peek(self, key: K) -> V:
        """Return what is known of the database, without looking anything up."""
        return self.known.get(key, self._older.get(key, self.absent))

    def put(self, key: K, value: V) -> None:
        """Write a value."""
        self._undo.append((self.written, key, self.written.get(key, NOTHING)))
        self.written[key] = value

    def unknown(self, keys: Iterable[K]) -> list[K]:
        """Return those of the keys that would have to be looked up, each once."""
        known, older = self.known, self._older
        return [key for key in dict.fromkeys(keys) if key not in known and key not in older]

    def learn(self, keys: Iterable[K], found: Mapping[K, V]) -> None:
        """Know what the database holds for these keys."""
        for key in keys:
            self.known[key] = found.get(key, self.absent)

    def change(self, key: K, by: V) -> None:
        """Add to what is known, if it is."""
        for values in (self.known, self._older):
            if key in values:
                values[key] += by  # type: ignore[operator]  # of overlays that hold numbers

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
