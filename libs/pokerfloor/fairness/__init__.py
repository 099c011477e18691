"""Deck commitments, sealed cards and an unbiased shuffle, which make a hand verifiable."""

from pokerfloor.fairness.commitment import (
    LEAVES,
    PATH_LENGTH,
    SALT_BYTES,
    Commitment,
    DeckId,
    commit,
    verify,
)
from pokerfloor.fairness.errors import FairnessCode, FairnessError
from pokerfloor.fairness.sealed_card import (
    BOX_BYTES,
    KEY_BYTES,
    SealedCard,
    SealedPlace,
    check_public_key,
    fingerprint,
    seal,
    unseal,
)
from pokerfloor.fairness.shuffle import RandomBytes, shuffle

__all__ = [
    "BOX_BYTES",
    "KEY_BYTES",
    "LEAVES",
    "PATH_LENGTH",
    "SALT_BYTES",
    "Commitment",
    "DeckId",
    "FairnessCode",
    "FairnessError",
    "RandomBytes",
    "SealedCard",
    "SealedPlace",
    "check_public_key",
    "commit",
    "fingerprint",
    "seal",
    "shuffle",
    "unseal",
    "verify",
]
