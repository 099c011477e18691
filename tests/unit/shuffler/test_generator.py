from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from floor_shuffler.generator import OsGenerator, generated_decks
from floor_shuffler.metrics import GENERATOR_HEALTHY
from pokerfloor.api.common.v1 import errors_pb2 as codes
from pokerfloor.cards import STANDARD
from pokerfloor.fairness import DeckId
from pokerfloor.servicekit import FloorError

ID = DeckId("t", 1)


def failed(generator: OsGenerator, use: Callable[[], object]) -> str:
    with pytest.raises(FloorError) as caught:
        use()
    assert caught.value.code == codes.ERROR_CODE_GENERATOR_FAILED
    assert generator.failure
    assert GENERATOR_HEALTHY._value.get() == 0
    with pytest.raises(FloorError):
        generator.random(1)
    return generator.failure


def test_orders_and_salts_are_drawn() -> None:
    make = generated_decks(OsGenerator())
    orders = [make(ID, 0, STANDARD.cards) for _ in range(20)]
    assert GENERATOR_HEALTHY._value.get() == 1
    assert all(sorted(order.cards) == list(STANDARD.cards) for order in orders)
    assert len({order.cards for order in orders}) == 20
    assert len({salt for order in orders for salt in order.salts}) == 20 * 52
    assert {len(salt) for order in orders for salt in order.salts} == {32}


def test_no_entropy() -> None:
    def read(count: int) -> bytes:
        raise OSError(5, "Input/output error", str(count))

    generator = OsGenerator(read)
    assert "Input/output" in failed(generator, lambda: generated_decks(generator)(ID, 0, (1, 2)))


def test_too_few_bytes() -> None:
    generator = OsGenerator(lambda count: os.urandom(count - 1))
    assert "too few" in failed(generator, lambda: generator.random(32))


def test_the_same_block_again() -> None:
    generator = OsGenerator(lambda count: bytes(range(count)))
    generator.random(32)
    assert "repeats" in failed(generator, lambda: generator.random(32))


def test_equal_salts() -> None:
    generator = OsGenerator(lambda count: os.urandom(1) if count == 1 else b"\x07" * count)
    assert "salt" in failed(generator, lambda: generated_decks(generator)(ID, 0, STANDARD.cards))


def test_numbers_that_never_fit() -> None:
    generator = OsGenerator(lambda count: b"\xff" * count)
    make = generated_decks(generator)
    assert "too large" in failed(generator, lambda: make(ID, 0, STANDARD.cards))
