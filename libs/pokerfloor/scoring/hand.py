"""The score of a hand: every pair of players, the totals, and Fantasyland (OFC-10, OFC-30)."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType
from typing import Final

from pokerfloor.scoring.layout import WRONG_NUMBER_OF_PLAYERS, Layout, LayoutError, check_apart
from pokerfloor.scoring.pair import PairScore, compare_checked
from pokerfloor.scoring.rules import REGULAR, OfcRules
from pokerfloor.scoring.scored import ScoredLayout, score_layout

_PLAYERS: Final = (2, 3)  # OFC-1


@dataclass(frozen=True, slots=True)
class PlayerPair:
    """The score between two players, as seen by `first`."""

    first: str
    second: str
    score: PairScore


@dataclass(frozen=True, slots=True)
class HandScore:
    """The points of a hand, as scored; `settle` decides what is paid of them (OFC-22).

    `layouts` and `totals` are by player id; the totals sum to zero.
    """

    layouts: Mapping[str, ScoredLayout]
    pairs: tuple[PlayerPair, ...]
    totals: Mapping[str, int]


def score_hand(layouts: Mapping[str, Layout], rules: OfcRules = REGULAR) -> HandScore:
    """Return the score of the finished layouts of 2 or 3 players, keyed by player id.

    Pairs come in the order of the mapping. Raises LayoutError; its field begins with the player id.
    """
    if len(layouts) not in _PLAYERS:
        reason = f"2 or 3 players are scored, not {len(layouts)}"
        raise LayoutError(WRONG_NUMBER_OF_PLAYERS, reason, "layouts")
    scored = {player: _score_of(player, layout, rules) for player, layout in layouts.items()}
    check_apart(layouts)
    pairs: list[PlayerPair] = []
    totals = dict.fromkeys(scored, 0)
    for first, second in combinations(scored, 2):
        score = compare_checked(scored[first], scored[second])
        pairs.append(PlayerPair(first, second, score))
        total = score.total
        totals[first] += total
        totals[second] -= total
    assert sum(totals.values()) == 0, "the totals must sum to zero"
    return HandScore(MappingProxyType(scored), tuple(pairs), MappingProxyType(totals))


def _score_of(player: str, layout: Layout, rules: OfcRules) -> ScoredLayout:
    try:
        return score_layout(layout, rules)
    except LayoutError as error:
        raise LayoutError(error.code, error.reason, f"{player}.{error.field}") from error
