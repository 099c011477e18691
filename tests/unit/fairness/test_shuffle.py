from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import permutations, product

import pytest

from pokerfloor.cards import STANDARD
from pokerfloor.fairness import FairnessCode, FairnessError, shuffle
from pokerfloor.fairness.shuffle import MAX_DRAWS, draw_below


def tape(data: bytes) -> Callable[[int], bytes]:
    """A source that gives these bytes, and fails the test when it is read past its end."""
    rest: Iterator[int] = iter(data)
    return lambda count: bytes([next(rest) for _ in range(count)])


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_every_order_is_equally_likely(size: int) -> None:
    """All ways in which the source can be accepted, each as likely as any other."""
    choices = [range(last + 1) for last in range(size - 1, 0, -1)]
    orders = Counter(shuffle(tuple(range(size)), tape(bytes(drawn))) for drawn in product(*choices))
    assert set(orders) == set(permutations(range(size)))
    assert set(orders.values()) == {1}


@pytest.mark.parametrize("bound", [*range(1, 66), 127, 128, 129, 200, 255, 256])
def test_every_byte_is_accepted_fairly(bound: int) -> None:
    """Over all 256 bytes each number comes equally often; the rest is drawn again."""
    again = bytes([0])
    counts: Counter[int] = Counter()
    rejected = 0
    for byte in range(256):
        used: list[int] = []

        def source(count: int, first: int = byte, used: list[int] = used) -> bytes:
            used.append(count)
            return bytes([first]) if len(used) == 1 else again

        number = draw_below(bound, source)
        assert 0 <= number < bound
        if len(used) == 1:
            counts[number] += 1
        else:
            rejected += 1
    assert set(counts) == set(range(bound))
    assert len(set(counts.values())) == 1, "each number as often as any other"
    assert rejected < 128, "less than one half is drawn again"


def test_rejected_bytes_change_nothing_else() -> None:
    # Of four cards: numbers below 4, 3, 2. Three is too large for the second and drawn again.
    drawn, with_rejected = tape(b"\x01\x02\x00"), tape(b"\x01\x03\xff\x02\x00")
    assert shuffle((7, 8, 9, 10), drawn) == shuffle((7, 8, 9, 10), with_rejected)


def test_known_order() -> None:
    # last=3 takes 1: 0 3 2 1; last=2 takes 0: 2 3 0 1; last=1 takes 1.
    assert shuffle((0, 1, 2, 3), tape(b"\x01\x00\x01")) == (2, 3, 0, 1)


def test_a_broken_source_ends() -> None:
    calls = 0

    def stuck(count: int) -> bytes:
        nonlocal calls
        calls += 1
        return b"\xff" * count

    with pytest.raises(FairnessError) as caught:
        shuffle(tuple(range(53)), stuck)
    assert caught.value.code is FairnessCode.BAD_SOURCE
    assert calls == MAX_DRAWS


@pytest.mark.parametrize("drawn", [b"", b"\x00\x00"])
def test_a_source_of_another_length(drawn: bytes) -> None:
    with pytest.raises(FairnessError) as caught:
        shuffle((1, 2), lambda _count: drawn)
    assert caught.value.code is FairnessCode.BAD_SOURCE


def test_positions_smoke() -> None:
    """Chi-square of a card's position over a fixed tape; 51 degrees of freedom, 99.99 %: 98.4.

    The tape is fixed, so this passes always or never: it is there to catch a mistake.
    """
    source = random.Random(20_240_601).randbytes
    rounds = 5_200
    counts = [[0] * 52 for _ in range(52)]
    for _ in range(rounds):
        for position, card in enumerate(shuffle(STANDARD.cards, source)):
            counts[card][position] += 1
    expected = rounds / 52
    worst = max(sum((seen - expected) ** 2 / expected for seen in row) for row in counts)
    # 52 cards are tested at once, so the cut-off is for 1 in 10,000 each.
    assert worst < 98.4
