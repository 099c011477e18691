"""An order of cards from random bytes, every order as likely as any other."""

from collections.abc import Callable, Sequence
from typing import Final

from pokerfloor.cards import Card
from pokerfloor.fairness.errors import FairnessCode, FairnessError

#: Gives exactly as many random bytes as it is asked for.
RandomBytes = Callable[[int], bytes]

# A good source rejects less than one half of the draws, so this many in a row come once in 2^128
# numbers: it is the source that is broken then, and a hang would hide that.
MAX_DRAWS: Final = 128
_MAX_BELOW: Final = 256


def shuffle(cards: Sequence[Card], source: RandomBytes) -> tuple[Card, ...]:
    """Give the cards in an order drawn from `source`: Fisher and Yates, in Durstenfeld's form.

    The whole deck is shuffled, from the last card down (Knuth, The Art of Computer Programming 2,
    algorithm 3.4.2 P). Raises FairnessError BAD_SOURCE.
    """
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        chosen = draw_below(last + 1, source)
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


def draw_below(bound: int, source: RandomBytes) -> int:
    """Give a number from 0 to `bound` - 1 (bound 1 to 256), each as likely as any other.

    One byte a draw, cut to the bits of the largest number and drawn again if it is too large: a
    remainder would make small numbers likelier. Raises FairnessError BAD_SOURCE when that happens
    128 times in a row, or when the source gives another number of bytes than asked for.
    """
    assert 0 < bound <= _MAX_BELOW, "one byte gives a number below 256"
    mask = (1 << (bound - 1).bit_length()) - 1
    for _ in range(MAX_DRAWS):
        drawn = source(1)
        if len(drawn) != 1:
            raise FairnessError(FairnessCode.BAD_SOURCE, "the source gave too few or many bytes")
        number = drawn[0] & mask
        if number < bound:
            return number
    raise FairnessError(FairnessCode.BAD_SOURCE, f"{MAX_DRAWS} draws in a row were too large")
