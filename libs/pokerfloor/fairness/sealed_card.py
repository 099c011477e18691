"""A card for its player only: fixed-length bytes in a libsodium sealed box.

README.md specifies the format byte by byte.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from hmac import compare_digest
from struct import Struct
from typing import Final, NamedTuple, Self

from nacl.bindings import (
    crypto_box_seal,
    crypto_box_seal_open,
    crypto_box_SEALBYTES,
    crypto_scalarmult,
    crypto_scalarmult_base,
)
from nacl.exceptions import CryptoError

from pokerfloor.cards import BLACK_JOKER, Card, from_wire, to_wire
from pokerfloor.fairness.commitment import HASH_BYTES, PATH_LENGTH, SALT_BYTES, DeckId, verify
from pokerfloor.fairness.errors import FairnessCode, FairnessError

KEY_BYTES: Final = 32
_ANY_SCALAR: Final = bytes(range(1, KEY_BYTES + 1))

_VERSION: Final = 1
# version, deck digest, hand, place (kind, owner, slot), generation, index, card, salt, path
_FORM: Final = Struct(f">B{HASH_BYTES}sQBHHIIB{SALT_BYTES}s{PATH_LENGTH * HASH_BYTES}s")
BOX_BYTES: Final = _FORM.size + crypto_box_SEALBYTES

assert BOX_BYTES == 327, "all boxes must have the same length"


class SealedPlace(NamedTuple):
    """A place with its wire numbers (`floor.common.v1.Place`)."""

    kind: int
    owner: int
    slot: int


@dataclass(frozen=True, slots=True)
class SealedCard:
    """The content of a box: a card, its place, and the proof of its commitment.

    deck_digest: `DeckId.digest()` of its deck
    hand_no: the hand number at the table, from 1; 0 for draws
    generation, index: the deck index of the card
    salt, path: its proof, see `pokerfloor.fairness.verify`
    """

    deck_digest: bytes
    hand_no: int
    place: SealedPlace
    generation: int
    index: int
    # Secrets never appear in a log line or a traceback.
    card: Card = field(repr=False)
    salt: bytes = field(repr=False)
    path: tuple[bytes, ...] = field(repr=False)

    def proves(self, root: bytes, deck: DeckId) -> bool:
        """Return whether this card was committed to by `root`, as a card of `deck`.

        The player compares hand and place with those dealt by the table.
        """
        if not compare_digest(self.deck_digest, deck.digest()):
            return False
        return verify(root, deck, self.generation, self.index, self.card, self.salt, self.path)

    def encode(self) -> bytes:
        """Return the 279 bytes that `decode` reads back."""
        assert len(self.deck_digest) == HASH_BYTES, "a deck's digest is 32 bytes"
        assert len(self.salt) == SALT_BYTES, "a salt is 32 bytes"
        assert [len(part) for part in self.path] == [HASH_BYTES] * PATH_LENGTH, (
            "a path has a hash per level"
        )
        assert 0 <= self.card <= BLACK_JOKER, "only a known card is sealed"
        return _FORM.pack(
            _VERSION,
            self.deck_digest,
            self.hand_no,
            *self.place,
            self.generation,
            self.index,
            to_wire(self.card),
            self.salt,
            b"".join(self.path),
        )

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """Return the card encoded by `encode`. Raises FairnessError BAD_SEALED_CARD."""
        if len(data) != _FORM.size:
            raise _bad_card(f"{len(data)} bytes are not a sealed card")
        version, digest, hand_no, kind, owner, slot, generation, index, code, salt, path = (
            _FORM.unpack(data)
        )
        if version != _VERSION:
            raise _bad_card(f"version {version} of a sealed card is unknown")
        if not 0 < code <= BLACK_JOKER + 1:
            raise _bad_card("the sealed card is unknown")
        siblings = tuple([path[at : at + HASH_BYTES] for at in range(0, len(path), HASH_BYTES)])
        place = SealedPlace(kind, owner, slot)
        return cls(digest, hand_no, place, generation, index, from_wire(code), salt, siblings)


def fingerprint(public_key: bytes) -> bytes:
    """Return the SHA-256 of a public key, its name in events and boxes. Raises BAD_KEY."""
    _check_key(public_key)
    return sha256(public_key).digest()


def check_public_key(public_key: bytes) -> None:
    """Raise FairnessError BAD_KEY for a key that is unusable for sealing.

    That is a key of another length, or a point of low order: everybody could open its boxes (RFC
    7748, section 6.1).
    """
    _check_key(public_key)
    try:
        crypto_scalarmult(_ANY_SCALAR, public_key)
    except (CryptoError, RuntimeError) as error:
        raise FairnessError(FairnessCode.BAD_KEY, "the key is unusable for sealing") from error


def seal(card: SealedCard, public_key: bytes) -> bytes:
    """Seal a card to an X25519 public key (32 bytes). Return 327 bytes.

    This is the only impure function here: libsodium draws the ephemeral key of the box from the
    operating system. As an argument it could be reused, which would break both boxes. Raises
    FairnessError BAD_KEY for a key that is unusable for sealing.
    """
    _check_key(public_key)
    try:
        box = bytes(crypto_box_seal(card.encode(), public_key))
    except (CryptoError, RuntimeError) as error:
        raise FairnessError(FairnessCode.BAD_KEY, "the key is unusable for sealing") from error
    assert len(box) == BOX_BYTES, "the length of a box must reveal nothing"
    return box


def unseal(box: bytes, private_key: bytes) -> SealedCard:
    """Open a box with the matching X25519 private key (32 bytes).

    Raises FairnessError BAD_KEY, BAD_BOX, or BAD_SEALED_CARD.
    """
    _check_key(private_key)
    if len(box) != BOX_BYTES:
        raise FairnessError(FairnessCode.BAD_BOX, f"{len(box)} bytes are not a sealed card box")
    try:
        public_key = crypto_scalarmult_base(private_key)
        plain = bytes(crypto_box_seal_open(box, public_key, private_key))
    except (CryptoError, RuntimeError) as error:
        raise FairnessError(
            FairnessCode.BAD_BOX, "the box is for another key or was altered"
        ) from error
    return SealedCard.decode(plain)


def _check_key(key: bytes) -> None:
    if len(key) != KEY_BYTES:
        raise FairnessError(FairnessCode.BAD_KEY, f"{len(key)} bytes are not an X25519 key")


def _bad_card(reason: str) -> FairnessError:
    return FairnessError(FairnessCode.BAD_SEALED_CARD, reason)
