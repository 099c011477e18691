"""The deck in use as this program was told: once told, it stays so.

Without this a table could commit to one deck while the cards are hidden, and to another, of its
own making, when they are turned up.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NoReturn

from libs.client.errors import ProofFailed

PlaceKey = tuple[int, int, int]
"""A place as (kind, owner, slot), the fields of the message `Place`."""

_ROOT_BYTES = 32
_PREFIX = {1: "s", 2: "b", 3: "burn", 4: "mid", 5: "draw", 6: "game"}
_WITH_OWNER = frozenset({1, 2, 5})


@dataclass(slots=True)
class DeckMirror:
    """The deck in use: its committed roots by generation, and the position of each place's card.

    `live` is set for a shoe of physical cards, which commits to nothing: its root is empty. All
    methods raise ProofFailed for what contradicts what was told before.
    """

    table_id: str
    deck_no: int
    hand_no: int = 0
    live: bool = False
    roots: dict[int, bytes] = field(default_factory=dict)
    positions: dict[PlaceKey, tuple[int, int]] = field(default_factory=dict)
    _lies_there: dict[tuple[int, int], PlaceKey] = field(default_factory=dict)

    def commit(self, generation: int, root: bytes) -> None:
        """Learn the root (32 bytes) of a generation."""
        if len(root) != (0 if self.live else _ROOT_BYTES):
            self.fail("deck", f"{len(root)} bytes are no root")
        if self.roots.setdefault(generation, root) != root:
            self.fail("deck", f"generation {generation} was committed to with another root")

    def deal(self, place: PlaceKey, position: tuple[int, int]) -> None:
        """Learn where a place's card lies: generation and index; indices follow each other.

        A gap would be cards that somebody was dealt and nobody was told of.
        """
        generation, index = position
        next_index = sum(1 for other, _ in self.positions.values() if other == generation)
        if self.positions.setdefault(place, position) != position:
            self.fail(place_text(place), f"it was dealt from position {self.positions[place]}")
        other = self._lies_there.setdefault(position, place)
        if other != place:
            self.fail(place_text(place), f"position {position} is dealt to {place_text(other)}")
        if index > next_index:
            self.fail(place_text(place), f"dealt from index {index} where {next_index} is next")

    def fail(self, place: str, why: str) -> NoReturn:
        """Raise ProofFailed about this deck."""
        raise ProofFailed(self.table_id, self.hand_no, self.deck_no, place, why)


def place_text(place: PlaceKey) -> str:
    """Write a place as people do: `s3.1`, `b0.2`, `burn.1`."""
    kind, owner, slot = place
    prefix = _PREFIX.get(kind, f"kind{kind}-")
    return f"{prefix}{owner}.{slot}" if kind in _WITH_OWNER else f"{prefix}.{slot}"
