"""The commitment against a second, plain implementation written from the README alone."""

from __future__ import annotations

import hashlib

import pytest

from pokerfloor.cards import BLACK_JOKER, DECKS, RED_JOKER, STANDARD, UNKNOWN, parse_card, to_wire
from pokerfloor.fairness import (
    LEAVES,
    PATH_LENGTH,
    DeckId,
    FairnessCode,
    FairnessError,
    commit,
    verify,
)

DECK = DeckId("main-1", 7)
SALTS = [bytes([index]) * 32 for index in range(54)]


def plain_root(
    table_id: str, deck_no: int, generation: int, codes: list[int], salts: list[bytes]
) -> tuple[bytes, list[bytes]]:
    """The root and the 64 leaves, as README.md says and recursively."""

    def h(*parts: bytes) -> bytes:
        return hashlib.sha256(b"".join(parts)).digest()

    domain = b"floor/deck/v1"
    name = table_id.encode()
    deck = h(b"\x02", domain, bytes([len(name)]), name, deck_no.to_bytes(8, "big"))
    padded = [*zip(codes, salts, strict=True)] + [(0, b"\x00" * 32)] * (64 - len(codes))
    leaves = [
        h(
            b"\x00",
            domain,
            deck,
            generation.to_bytes(4, "big"),
            index.to_bytes(4, "big"),
            bytes([code]),
            salt,
        )
        for index, (code, salt) in enumerate(padded)
    ]

    def node(first: int, count: int) -> bytes:
        if count == 1:
            return leaves[first]
        half = count // 2
        return h(b"\x01", node(first, half), node(first + half, half))

    return node(0, 64), leaves


def test_known_answer() -> None:
    commitment = commit(DECK, 0, STANDARD.cards, SALTS[:52])
    assert commitment.root.hex() == (
        "871dcdae5a3f20a1f57d781ed60dbc2d3010297ef1ed45d8a098a8ef44afe534"
    )
    assert DECK.digest().hex() == (
        "e777d4f47e15859b241a8d5cecc9e49eccfd53b4bda326079e433b04693cdde5"
    )


@pytest.mark.parametrize("name", sorted(DECKS))
@pytest.mark.parametrize("generation", [0, 1, 4_000_000_000])
def test_agrees_with_the_plain_implementation(name: str, generation: int) -> None:
    cards = tuple(reversed(DECKS[name].cards))
    salts = SALTS[: len(cards)]
    root, leaves = plain_root("t-9", 1 << 40, generation, [to_wire(c) for c in cards], salts)
    commitment = commit(DeckId("t-9", 1 << 40), generation, cards, salts)
    assert commitment.root == root
    assert commitment.size == len(cards)
    # The lowest sibling on every path is the neighbouring leaf, padding included.
    for index in range(len(cards)):
        assert commitment.prove(index)[0] == leaves[index ^ 1]


@pytest.mark.parametrize("size", [1, 2, 36, 52, 53, 54])
def test_every_card_is_proved_and_no_other(size: int) -> None:
    cards, salts = tuple(range(size)), SALTS[:size]
    commitment = commit(DECK, 0, cards, salts)
    for index in range(size):
        path = commitment.prove(index)
        assert len(path) == PATH_LENGTH
        proved = [
            card
            for card in range(UNKNOWN, BLACK_JOKER + 2)
            if verify(commitment.root, DECK, 0, index, card, salts[index], path)
        ]
        assert proved == [index]


def test_padding_is_no_card() -> None:
    commitment = commit(DECK, 0, STANDARD.cards, SALTS[:52])
    for index in (-1, 52, LEAVES):
        with pytest.raises(FairnessError) as caught:
            commitment.prove(index)
        assert caught.value.code is FairnessCode.BAD_INDEX
    # The padding's path can be computed by anybody; the unknown card is still refused.
    _, leaves = plain_root("main-1", 7, 0, list(range(1, 53)), SALTS[:52])
    path = [leaves[53]]
    level = leaves
    for up in range(1, PATH_LENGTH):
        level = [
            hashlib.sha256(b"\x01" + left + right).digest()
            for left, right in zip(level[::2], level[1::2], strict=True)
        ]
        path.append(level[(52 >> up) ^ 1])
    assert not verify(commitment.root, DECK, 0, 52, UNKNOWN, bytes(32), path)


def test_another_deck_generation_or_index_is_refused() -> None:
    commitment = commit(DECK, 3, STANDARD.cards, SALTS[:52])
    card, salt, path = parse_card("7h"), SALTS[22], commitment.prove(22)
    assert verify(commitment.root, DECK, 3, 22, card, salt, path)
    assert not verify(commitment.root, DeckId("main-1", 8), 3, 22, card, salt, path)
    assert not verify(commitment.root, DeckId("main-2", 7), 3, 22, card, salt, path)
    for generation in (2, 4, -1, 1 << 32):
        assert not verify(commitment.root, DECK, generation, 22, card, salt, path)
    for index in (*range(22), *range(23, LEAVES), -1, LEAVES, 22 + LEAVES):
        assert not verify(commitment.root, DECK, 3, index, card, salt, path)


def test_parts_of_another_length_are_refused() -> None:
    commitment = commit(DECK, 0, STANDARD.cards, SALTS[:52])
    root, salt, path = commitment.root, SALTS[5], commitment.prove(5)
    assert verify(root, DECK, 0, 5, 5, salt, path)
    assert not verify(root[:-1], DECK, 0, 5, 5, salt, path)
    assert not verify(root + b"\x00", DECK, 0, 5, 5, salt, path)
    assert not verify(root, DECK, 0, 5, 5, salt[:-1], path)
    assert not verify(root, DECK, 0, 5, 5, salt + b"\x00", path)
    assert not verify(root, DECK, 0, 5, 5, salt, path[:-1])
    assert not verify(root, DECK, 0, 5, 5, salt, (*path, bytes(32)))
    assert not verify(root, DECK, 0, 5, 5, salt, (*path[:-1], path[-1] + b"\x00"))
    assert not verify(b"", DECK, 0, 5, 5, b"", ())


@pytest.mark.parametrize(
    ("generation", "cards", "salts"),
    [
        (-1, (1, 2), SALTS[:2]),
        (1 << 32, (1, 2), SALTS[:2]),
        (0, (), []),
        (0, (1, 2), SALTS[:1]),
        (0, (1, 1), SALTS[:2]),
        (0, (1, UNKNOWN), SALTS[:2]),
        (0, (1, BLACK_JOKER + 1), SALTS[:2]),
        (0, (1, RED_JOKER), [SALTS[0], b"short"]),
        (0, (1, RED_JOKER), [SALTS[0], SALTS[0]]),
        (0, tuple(range(65)), SALTS * 2),
    ],
)
def test_what_cannot_be_committed_to(
    generation: int, cards: tuple[int, ...], salts: list[bytes]
) -> None:
    with pytest.raises(FairnessError) as caught:
        commit(DECK, generation, cards, salts)
    assert caught.value.code is FairnessCode.BAD_DECK


@pytest.mark.parametrize(("table_id", "deck_no"), [("", 1), ("é", 1), ("a" * 256, 1), ("a", 0)])
def test_bad_deck_ids(table_id: str, deck_no: int) -> None:
    with pytest.raises(FairnessError) as caught:
        DeckId(table_id, deck_no)
    assert caught.value.code is FairnessCode.BAD_DECK


def test_table_and_number_cannot_be_mixed_up() -> None:
    # Without the length of the name, "t" 0x31... and "t1" could give the same bytes.
    digests = {DeckId(name, number).digest() for name in ("t", "t1", "t11") for number in (1, 11)}
    assert len(digests) == 6


def test_repr_tells_nothing() -> None:
    commitment = commit(DECK, 0, STANDARD.cards, SALTS[:52])
    assert str(commitment.prove(3)[0]) not in repr(commitment)
    assert len(repr(commitment)) < 200
