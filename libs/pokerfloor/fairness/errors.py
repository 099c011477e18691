"""Errors of commitments, sealed cards and shuffles."""

from enum import StrEnum


class FairnessCode(StrEnum):
    """Stable codes of FairnessError."""

    BAD_DECK = "bad_deck"  # an invalid deck id, generation, cards or salts
    BAD_INDEX = "bad_index"  # an index outside the deck
    BAD_KEY = "bad_key"  # not a 32-byte X25519 key, or unusable for sealing
    BAD_BOX = "bad_box"  # a box of another length, for another key, or altered
    BAD_SEALED_CARD = "bad_sealed_card"  # the box opens but does not hold a sealed card
    BAD_SOURCE = "bad_source"  # a misbehaving source of random bytes


class FairnessError(ValueError):
    """`code` is for programs, `reason` for people. Neither names a card or a salt."""

    def __init__(self, code: FairnessCode, reason: str) -> None:
        super().__init__(f"{code}: {reason}")
        self.code = code
        self.reason = reason
