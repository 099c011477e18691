"""Shuffle cards with random bytes; every order is equally likely."""

from collections.abc import Callable, Sequence
from typing import Final

from pokerfloor.cards import Card
from pokerfloor.fairness.errors import FairnessCode, FairnessError

#: Returns exactly the requested number of random bytes.
RandomBytes = Callable[[int], bytes]

# With a good source less than half of the draws are rejected, so this many in a row happen once in
# 2^128 numbers. Then the source is broken, and a hang would hide that.
MAX_DRAWS: Final = 128
_MAX_BELOW: Final = 256


def shuffle(cards: Sequence[Card], source: RandomBytes) -> tuple[Card, ...]:
    """Return the cards in an order drawn from `source`: Fisher-Yates in Durstenfeld's form.

    The whole deck is shuffled, from the last card down (Knuth, The Art of Computer Programming 2,
    algorithm 3.4.2 P). Raises FairnessError BAD_SOURCE.
    """
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        chosen = draw_below(last + 1, source)
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


def draw_below(bound: int, source: RandomBytes) -> int:
    """Return a number from 0 to `bound` - 1 (bound 1 to 256), all equally likely.

    Draw one byte, cut it to the bits of the largest number, and draw again if it is too large; a
    remainder would favour small numbers. Raises FairnessError BAD_SOURCE if that happens 128 times
    in a row, or if the source returns a wrong number of bytes.
    """
    assert 0 < bound <= _MAX_BELOW, "one byte is a number below 256"
    mask = (1 << (bound - 1).bit_length()) - 1
    for _ in range(MAX_DRAWS):
        drawn = source(1)
        if len(drawn) != 1:
            raise FairnessError(
                FairnessCode.BAD_SOURCE, "the source returned a wrong number of bytes"
            )
        number = drawn[0] & mask
        if number < bound:
            return number
    raise FairnessError(FairnessCode.BAD_SOURCE, f"{MAX_DRAWS} draws in a row were too large")
