"""One changed bit anywhere in a proof or a box is refused."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from nacl.public import PrivateKey

from pokerfloor.cards import STANDARD
from pokerfloor.fairness import (
    DeckId,
    FairnessError,
    SealedCard,
    SealedPlace,
    commit,
    seal,
    unseal,
    verify,
)

DECK = DeckId("main-1", 7)
SALTS = [bytes([index + 1]) * 32 for index in range(52)]
COMMITMENT = commit(DECK, 1, STANDARD.cards, SALTS)
INDEX = 41


def flipped(data: bytes) -> Iterator[bytes]:
    for at in range(len(data)):
        for bit in range(8):
            yield data[:at] + bytes([data[at] ^ (1 << bit)]) + data[at + 1 :]


def test_every_bit_of_root_salt_and_path() -> None:
    root, salt, path = COMMITMENT.root, SALTS[INDEX], COMMITMENT.prove(INDEX)
    assert verify(root, DECK, 1, INDEX, INDEX, salt, path)
    assert not any(verify(bad, DECK, 1, INDEX, INDEX, salt, path) for bad in flipped(root))
    assert not any(verify(root, DECK, 1, INDEX, INDEX, bad, path) for bad in flipped(salt))
    for level, sibling in enumerate(path):
        for bad in flipped(sibling):
            changed = (*path[:level], bad, *path[level + 1 :])
            assert not verify(root, DECK, 1, INDEX, INDEX, salt, changed)


def sealed_card() -> SealedCard:
    place = SealedPlace(1, 3, 2)
    path = COMMITMENT.prove(INDEX)
    return SealedCard(DECK.digest(), 9, place, 1, INDEX, INDEX, SALTS[INDEX], path)


def test_every_bit_of_a_sealed_card() -> None:
    card = sealed_card()
    assert card.proves(COMMITMENT.root, DECK)
    unproved = {"hand_no", "place"}  # these the owner compares with what the table says
    for bad in flipped(card.encode()):
        try:
            read = SealedCard.decode(bad)
        except FairnessError:
            continue  # the version, or a code that is no card
        if read.proves(COMMITMENT.root, DECK):
            changed = {
                name for name in SealedCard.__slots__ if getattr(read, name) != getattr(card, name)
            }
            assert len(changed) == 1
            assert changed <= unproved
        else:
            assert read != card


@pytest.mark.parametrize("bit", [0, 7])
def test_every_byte_of_a_box(bit: int) -> None:
    key = PrivateKey.generate()
    box = seal(sealed_card(), bytes(key.public_key))
    assert unseal(box, bytes(key)) == sealed_card()
    for at in range(len(box)):
        bad = box[:at] + bytes([box[at] ^ (1 << bit)]) + box[at + 1 :]
        with pytest.raises(FairnessError):
            unseal(bad, bytes(key))
