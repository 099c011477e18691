"""What can be wrong with a box, a key or what is to be committed."""

from enum import StrEnum


class FairnessCode(StrEnum):
    """Stable codes of FairnessError."""

    BAD_DECK = "bad_deck"  # a deck id, generation, cards or salts that cannot be committed to
    BAD_INDEX = "bad_index"  # an index outside of the deck
    BAD_KEY = "bad_key"  # no X25519 key of 32 bytes, or one that seals nothing
    BAD_BOX = "bad_box"  # a box of another length, made for another key, or changed
    BAD_SEALED_CARD = "bad_sealed_card"  # the box opens, but what is inside is no sealed card
    BAD_SOURCE = "bad_source"  # the source of random bytes does not behave like one


class FairnessError(ValueError):
    """A refusal: `code` for programs, `reason` for people. Never names a card or a salt."""

    def __init__(self, code: FairnessCode, reason: str) -> None:
        super().__init__(f"{code}: {reason}")
        self.code = code
        self.reason = reason
