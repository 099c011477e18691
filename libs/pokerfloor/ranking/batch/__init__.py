"""Many hands at once, as numpy arrays.

Hands are given card by card: a sequence with one entry for each card of a hand, an array of card
numbers (any integer type; uint8 is fastest) or one number for all hands. The strengths are those of
the scalar calls, as an int32 array.
"""

from pokerfloor.ranking.batch.by_sum import SumBatch, sum_batch
from pokerfloor.ranking.batch.two_hole_cards import two_hole_cards_batch

__all__ = ["SumBatch", "sum_batch", "two_hole_cards_batch"]
