"""Which sealing keys are bound to each seat: what the runtime needs and the table does not keep."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pokerfloor.api.history.v1 import step_pb2

# The shuffler keeps at most two live keys a seat.
_LIVE_KEYS: Final = 2


class SealKeys:
    """Fingerprints by seat, taken from the stored steps as they come."""

    def __init__(self) -> None:
        self._keys: dict[int, tuple[bytes, ...]] = {}

    def of(self, seat: int) -> Sequence[bytes]:
        """Return the fingerprints of a seat's live keys, the newest last."""
        return self._keys.get(seat, ())

    def note(self, step: step_pb2.Step) -> None:
        """Read the next stored step."""
        for event in step.events:
            match event.WhichOneof("event"):
                case "seat_left":
                    self._keys.pop(event.seat_left.seat, None)
                case "seat_key_bound":
                    bound = event.seat_key_bound
                    self._keys[bound.seat] = (*self.of(bound.seat), bound.fingerprint)[-_LIVE_KEYS:]
                case _:
                    pass
