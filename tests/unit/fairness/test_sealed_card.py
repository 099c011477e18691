from __future__ import annotations

import os
import struct

import nacl.exceptions
import pytest
from nacl.public import PrivateKey, SealedBox

from pokerfloor.cards import BLACK_JOKER, STANDARD_TWO_JOKERS, card_text
from pokerfloor.fairness import (
    BOX_BYTES,
    DeckId,
    FairnessCode,
    FairnessError,
    SealedCard,
    SealedPlace,
    check_public_key,
    commit,
    fingerprint,
    seal,
    unseal,
)

DECK = DeckId("main-1", 7)
SALTS = [bytes([index + 1]) * 32 for index in range(54)]
COMMITMENT = commit(DECK, 0, STANDARD_TWO_JOKERS.cards, SALTS)


def sealed_card(index: int = 51) -> SealedCard:
    return SealedCard(
        DECK.digest(),
        12,
        SealedPlace(1, 3, 2),
        0,
        index,
        index,
        SALTS[index],
        COMMITMENT.prove(index),
    )


def test_known_bytes() -> None:
    expected = (
        b"\x01"
        + bytes.fromhex("e777d4f47e15859b241a8d5cecc9e49eccfd53b4bda326079e433b04693cdde5")
        + struct.pack(">QBHHIIB", 12, 1, 3, 2, 0, 51, 52)
        + bytes([52]) * 32
        + b"".join(COMMITMENT.prove(51))
    )
    assert len(expected) == 279
    assert sealed_card().encode() == expected
    assert SealedCard.decode(expected) == sealed_card()


def test_any_libsodium_opens_it() -> None:
    key = PrivateKey.generate()
    box = seal(sealed_card(), bytes(key.public_key))
    assert SealedBox(key).decrypt(box) == sealed_card().encode()


def test_length_tells_nothing() -> None:
    key = PrivateKey.generate()
    lengths = {len(seal(sealed_card(index), bytes(key.public_key))) for index in range(54)}
    assert lengths == {BOX_BYTES}
    other = SealedCard(
        DeckId("t", 1 << 60).digest(),
        (1 << 53) - 1,
        SealedPlace(6, 65_535, 65_535),
        9,
        63,
        BLACK_JOKER,
        SALTS[0],
        COMMITMENT.prove(0),
    )
    assert len(seal(other, bytes(key.public_key))) == BOX_BYTES


def test_two_boxes_of_one_card_differ() -> None:
    key = bytes(PrivateKey.generate().public_key)
    assert seal(sealed_card(), key) != seal(sealed_card(), key)


def test_only_the_owner_opens_it() -> None:
    key, other = PrivateKey.generate(), PrivateKey.generate()
    box = seal(sealed_card(), bytes(key.public_key))
    assert unseal(box, bytes(key)) == sealed_card()
    with pytest.raises(FairnessError) as caught:
        unseal(box, bytes(other))
    assert caught.value.code is FairnessCode.BAD_BOX


@pytest.mark.parametrize("length", [0, 1, 47, 48, BOX_BYTES - 1, BOX_BYTES + 1, 100_000])
def test_garbage_of_any_length(length: int) -> None:
    with pytest.raises(FairnessError) as caught:
        unseal(os.urandom(length), bytes(PrivateKey.generate()))
    assert caught.value.code is FairnessCode.BAD_BOX


def test_garbage_inside_a_good_box() -> None:
    key = PrivateKey.generate()
    for plain in (bytes(279), b"\x02" + sealed_card().encode()[1:]):
        with pytest.raises(FairnessError) as caught:
            unseal(SealedBox(key.public_key).encrypt(plain), bytes(key))
        assert caught.value.code is FairnessCode.BAD_SEALED_CARD
    encoded = sealed_card().encode()
    for code in (0, 55, 255):
        with pytest.raises(FairnessError) as caught:
            SealedCard.decode(encoded[:54] + bytes([code]) + encoded[55:])
        assert caught.value.code is FairnessCode.BAD_SEALED_CARD


@pytest.mark.parametrize("key", [b"", b"\x01" * 31, b"\x01" * 33])
def test_no_key(key: bytes) -> None:
    for use in (
        lambda: fingerprint(key),
        lambda: check_public_key(key),
        lambda: seal(sealed_card(), key),
        lambda: unseal(bytes(BOX_BYTES), key),
    ):
        with pytest.raises(FairnessError) as caught:
            use()
        assert caught.value.code is FairnessCode.BAD_KEY


# Points of small order (RFC 7748, section 6.1): every box to them could be opened by everybody.
LOW_ORDER = [
    bytes(32),
    b"\x01" + bytes(31),
    bytes.fromhex("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"),
    bytes.fromhex("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
]


@pytest.mark.parametrize("key", LOW_ORDER)
def test_keys_that_seal_nothing(key: bytes) -> None:
    for use in (lambda: check_public_key(key), lambda: seal(sealed_card(), key)):
        with pytest.raises(FairnessError) as caught:
            use()
        assert caught.value.code is FairnessCode.BAD_KEY


def test_a_good_key_passes() -> None:
    check_public_key(bytes(PrivateKey.generate().public_key))


def test_repr_tells_nothing() -> None:
    text = repr(sealed_card(37)) + str(sealed_card(37))
    assert "card=" not in text
    assert "salt" not in text
    assert "path" not in text
    assert card_text(37) not in text


def test_errors_of_libsodium_do_not_escape() -> None:
    assert issubclass(FairnessError, ValueError)
    assert not issubclass(FairnessError, nacl.exceptions.CryptoError)
