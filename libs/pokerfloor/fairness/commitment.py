"""The commitment to a deck: a Merkle tree over salted cards, shaped as in RFC 6962, section 2.1.

README.md specifies the format byte by byte. The tree always has 64 leaves, so the length of a proof
reveals nothing. Every leaf has its own salt, so the proof of one card does not help to guess
another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from hmac import compare_digest
from typing import Final

from pokerfloor.cards import BLACK_JOKER, Card, to_wire
from pokerfloor.fairness.errors import FairnessCode, FairnessError

LEAVES: Final = 64
PATH_LENGTH: Final = 6
SALT_BYTES: Final = 32
HASH_BYTES: Final = 32

_DOMAIN: Final = b"floor/deck/v1"
_LEAF: Final = b"\x00" + _DOMAIN
_NODE: Final = b"\x01"
_DECK: Final = b"\x02" + _DOMAIN
_NO_CARD: Final = b"\x00"
_NO_SALT: Final = bytes(SALT_BYTES)
_MAX_TABLE_ID_BYTES: Final = 255

assert 1 << PATH_LENGTH == LEAVES, "a path has one hash per level of the tree"


@dataclass(frozen=True, slots=True)
class DeckId:
    """The identity of a deck: a table id (1 to 255 ASCII characters) and a number from 1.

    Raises FairnessError BAD_DECK for other values.
    """

    table_id: str
    deck_no: int

    def __post_init__(self) -> None:
        if not (self.table_id.isascii() and 0 < len(self.table_id) <= _MAX_TABLE_ID_BYTES):
            raise FairnessError(
                FairnessCode.BAD_DECK, "the table id is not 1 to 255 ASCII characters"
            )
        if not 0 < self.deck_no < 1 << 64:
            raise FairnessError(FairnessCode.BAD_DECK, "the deck number is outside 1 to 2^64")

    def digest(self) -> bytes:
        """Return the 32-byte digest that identifies this deck in leaves and sealed cards."""
        name = self.table_id.encode("ascii")
        number = self.deck_no.to_bytes(8, "big")
        return sha256(b"".join((_DECK, bytes((len(name),)), name, number))).digest()


@dataclass(frozen=True, slots=True)
class Commitment:
    """A committed generation of a deck.

    `root` (32 bytes) is public; a proof is only for those who may see its card.
    """

    root: bytes
    size: int
    _levels: tuple[tuple[bytes, ...], ...] = field(repr=False)

    def prove(self, index: int) -> tuple[bytes, ...]:
        """Return the six sibling hashes from the leaf at `index` to the root.

        Raises FairnessError BAD_INDEX if the deck has no such card.
        """
        if not 0 <= index < self.size:
            raise FairnessError(FairnessCode.BAD_INDEX, f"the deck has no card {index}")
        return tuple([level[(index >> up) ^ 1] for up, level in enumerate(self._levels)])


def commit(
    deck: DeckId, generation: int, cards: Sequence[Card], salts: Sequence[bytes]
) -> Commitment:
    """Commit to the order of `cards`; `salts[i]` are 32 fresh random bytes for `cards[i]`.

    Generation 0 is the deck at the beginning of a hand. Raises FairnessError BAD_DECK.
    """
    _check_deck(generation, cards, salts)
    head = _leaf_head(deck, generation)
    leaves = [
        _leaf(head, index, bytes((to_wire(card),)), salt)
        for index, (card, salt) in enumerate(zip(cards, salts, strict=True))
    ]
    leaves += [_leaf(head, index, _NO_CARD, _NO_SALT) for index in range(len(cards), LEAVES)]
    levels = [tuple(leaves)]
    while len(levels) < PATH_LENGTH:
        levels.append(_parents(levels[-1]))
    (root,) = _parents(levels[-1])
    return Commitment(root, len(cards), tuple(levels))


def verify(
    root: bytes,
    deck: DeckId,
    generation: int,
    index: int,
    card: Card,
    salt: bytes,
    path: Sequence[bytes],
) -> bool:
    """Return whether `root` commits to `card` at `index`. Never raises: wrong input is False.

    An unknown card is never proved: its code marks the padding of the tree.
    """
    if not (0 <= card <= BLACK_JOKER and 0 <= index < LEAVES and 0 <= generation < 1 << 32):
        return False
    if len(root) != HASH_BYTES or len(salt) != SALT_BYTES or len(path) != PATH_LENGTH:
        return False
    node = _leaf(_leaf_head(deck, generation), index, bytes((to_wire(card),)), salt)
    for up, sibling in enumerate(path):
        if len(sibling) != HASH_BYTES:
            return False
        pair = (_NODE, sibling, node) if index >> up & 1 else (_NODE, node, sibling)
        node = sha256(b"".join(pair)).digest()
    return compare_digest(node, root)


def _check_deck(generation: int, cards: Sequence[Card], salts: Sequence[bytes]) -> None:
    if not 0 <= generation < 1 << 32:
        raise FairnessError(FairnessCode.BAD_DECK, "the generation is outside 0 to 2^32")
    if not 0 < len(cards) <= LEAVES or len(salts) != len(cards):
        raise FairnessError(FairnessCode.BAD_DECK, "not 1 to 64 cards with one salt each")
    if not all(0 <= card <= BLACK_JOKER for card in cards) or len(set(cards)) != len(cards):
        raise FairnessError(FairnessCode.BAD_DECK, "a card is unknown or occurs twice")
    if not all(len(salt) == SALT_BYTES for salt in salts):
        raise FairnessError(FairnessCode.BAD_DECK, "a salt is not 32 bytes")
    if len(set(salts)) != len(salts):
        # Equal salts do not happen by chance: the source is broken and the deck could be guessed.
        raise FairnessError(FairnessCode.BAD_DECK, "a salt occurs twice")


def _leaf_head(deck: DeckId, generation: int) -> bytes:
    return b"".join((_LEAF, deck.digest(), generation.to_bytes(4, "big")))


def _leaf(head: bytes, index: int, code: bytes, salt: bytes) -> bytes:
    return sha256(b"".join((head, index.to_bytes(4, "big"), code, salt))).digest()


def _parents(level: tuple[bytes, ...]) -> tuple[bytes, ...]:
    pairs = zip(level[::2], level[1::2], strict=True)
    return tuple([sha256(b"".join((_NODE, left, right))).digest() for left, right in pairs])
