"""Which keys a seat's cards are sealed to. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from pokerfloor.fairness import fingerprint

MAX_LIVE_KEYS: Final = 2


@dataclass(slots=True)
class SeatKeys:
    """A seat's live keys, oldest first, and the player they were bound to.

    seated_at: number of the step that seated the player
    registrations: how many keys were ever registered for this seat
    """

    table_id: str
    seat: int
    player_id: str
    seated_at: int
    registrations: int = 0
    keys: list[bytes] = field(default_factory=list)

    def register(self, key: bytes) -> bytes:
        """Make a key live that is not yet; give the one whose place it took, empty for none.

        A seat has two live keys: a third takes the place of the oldest, since a player who comes
        back from a third device must not be kept from the cards by the first.
        """
        assert key not in self.keys, "the key is live already"
        keys = [*self.keys, key]
        replaced = keys.pop(0) if len(keys) > MAX_LIVE_KEYS else b""
        self.keys = keys
        self.registrations += 1
        return replaced

    def live_for(self, player_id: str) -> list[bytes]:
        """Give the live keys if this player sits here, else none."""
        return self.keys if self.player_id == player_id else []

    def fingerprints(self) -> list[bytes]:
        """Give the live keys' SHA-256."""
        return [fingerprint(key) for key in self.keys]
