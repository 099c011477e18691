"""The deck in use, as the table announced it: what was announced stays so.

Without this a table could commit to one deck while the cards are hidden, and to another, of its
own making, when they are revealed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NoReturn

from pokerfloor.client.errors import ProofFailed

PlaceKey = tuple[int, int, int]
"""A place as (kind, owner, slot), the fields of the message `Place`."""

OWN = 1
"""The kind of a seat's own places (floor.common.v1.PlaceKind)."""

_ROOT_BYTES = 32
_PREFIX = {1: "s", 2: "b", 3: "burn", 4: "com", 5: "draw", 6: "game"}
_WITH_OWNER = frozenset({1, 2, 5})


@dataclass(slots=True)
class DeckMirror:
    """The deck in use: its committed roots by generation, and the index of each place's card.

    `reserves` is set where seats are in Fantasyland, so that indices can be kept for one of them
    (OFC-32). All methods raise ProofFailed for what contradicts what was announced before.
    """

    table_id: str
    deck_no: int
    hand_no: int = 0
    reserves: bool = False
    roots: dict[int, bytes] = field(default_factory=dict)
    positions: dict[PlaceKey, tuple[int, int]] = field(default_factory=dict)
    _lies_there: dict[tuple[int, int], PlaceKey] = field(default_factory=dict)

    def commit(self, generation: int, root: bytes) -> None:
        """Learn the root (32 bytes) of a generation."""
        if len(root) != _ROOT_BYTES:
            self.fail("deck", f"{len(root)} bytes are no root")
        if self.roots.setdefault(generation, root) != root:
            self.fail("deck", f"generation {generation} was committed to with another root")

    def deal(self, place: PlaceKey, position: tuple[int, int]) -> None:
        """Learn where a place's card lies: generation and index; indices follow each other.

        A gap would be cards that somebody was dealt and nobody heard of. With `reserves` one may
        be left after cards of a seat; those are that seat's alone and come in order (OFC-32).
        """
        generation, index = position
        end = max([at for other, at in self._lies_there if other == generation], default=-1) + 1
        if self.positions.setdefault(place, position) != position:
            self.fail(place_text(place), f"it was dealt from position {self.positions[place]}")
        known = position in self._lies_there
        other = self._lies_there.setdefault(position, place)
        if other != place:
            self.fail(place_text(place), f"position {position} is dealt to {place_text(other)}")
        if known or index == end or (self.reserves and self._is_kept_for(place, position, end)):
            return
        self.fail(place_text(place), f"dealt from index {index} where {end} is next")

    def _is_kept_for(self, place: PlaceKey, position: tuple[int, int], end: int) -> bool:
        """Tell whether a position beside the next may be this place's (OFC-32)."""
        generation, index = position
        before = self._lies_there.get((generation, min(index, end) - 1))
        if before is None or before[0] != OWN or place[0] != OWN:
            return False
        if index < end:
            return before[1] == place[1]
        lying = sum(1 for other, _ in self._lies_there if other == generation)
        # This place is among them already: without it, all lie without a gap.
        return before[1] != place[1] and lying - 1 == end

    def fail(self, place: str, why: str) -> NoReturn:
        """Raise ProofFailed about this deck."""
        raise ProofFailed(self.table_id, self.hand_no, self.deck_no, place, why)


def place_text(place: PlaceKey) -> str:
    """Write a place as people do: `s3.1`, `b0.2`, `burn.1`."""
    kind, owner, slot = place
    prefix = _PREFIX.get(kind, f"kind{kind}-")
    return f"{prefix}{owner}.{slot}" if kind in _WITH_OWNER else f"{prefix}.{slot}"
