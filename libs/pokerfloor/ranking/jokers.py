"""Five cards of a deck with up to two jokers (RNK-3).

Four systems: jokers wild (any card) or as bugs (an ace, or a card that completes a straight, a
flush or a straight flush); each with natural hands tying equal hands, or winning such ties.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

from pokerfloor.cards import RED_JOKER, STANDARD_TWO_JOKERS, Card
from pokerfloor.ranking.joker_table import JokerTable
from pokerfloor.ranking.strength import NATURAL
from pokerfloor.ranking.system import RankingSystem, check_cards
from pokerfloor.ranking.tables import KEYS, RANK_HALF

_SIZES: Final = (5,)
_RANKED: Final = frozenset(STANDARD_TWO_JOKERS.cards)
_SUITS_AT: Final = RANK_HALF.bit_length()
# The suit counters, and above them the joker counter, of hands that may be a flush.
_ONE_SUIT: Final = {
    (5 - jokers) << 4 * suit | jokers << 16: jokers for jokers in range(3) for suit in range(4)
}


@cache
def _table(*, bug: bool) -> JokerTable:
    return JokerTable(bug=bug)


class _Jokers:
    """One of the four systems."""

    def __init__(self, name: str, *, bug: bool, natural_wins_ties: bool) -> None:
        self._name = name
        self._bug = bug
        self._for_natural = NATURAL if natural_wins_ties else 0

    def strength(self, cards: Sequence[Card]) -> int:
        """Return the strength of five different cards. Raises RankingError."""
        different = set(cards)
        if len(cards) != 5 or len(different) != 5 or not different <= _RANKED:
            check_cards(cards, _SIZES, STANDARD_TWO_JOKERS, self._name)
        return self.unchecked(cards)

    def unchecked(self, cards: Sequence[Card]) -> int:
        """Return the same; the caller ensures valid cards."""
        table = _table(bug=self._bug)
        total = sum([KEYS[card] for card in cards])
        suits = total >> _SUITS_AT
        jokers = suits >> 16
        if suits in _ONE_SUIT:
            held = sum([1 << (card >> 2) for card in cards if card < RED_JOKER])
            strength = table.by_flush[jokers][held]
        else:
            strength = table.by_ranks[jokers][total & RANK_HALF]
        return strength if jokers else strength | self._for_natural

    def system(self) -> RankingSystem:
        return RankingSystem(self._name, _SIZES, STANDARD_TWO_JOKERS, self.strength, self.unchecked)


JOKER_WILD: Final = _Jokers("joker_wild", bug=False, natural_wins_ties=False).system()
JOKER_BUG: Final = _Jokers("joker_bug", bug=True, natural_wins_ties=False).system()
JOKER_WILD_NATURAL: Final = _Jokers(
    "joker_wild_natural", bug=False, natural_wins_ties=True
).system()
JOKER_BUG_NATURAL: Final = _Jokers("joker_bug_natural", bug=True, natural_wins_ties=True).system()
