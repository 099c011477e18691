"""Hints for a player about the own layout, finished or not: is it fouled, what is it worth.

They are computed in the player's client from cards it knows; none is ever sent.
"""

from bisect import bisect_right
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from pokerfloor.cards import Card
from pokerfloor.ranking import JokerUse, RankedHand, row_hand, row_strengths
from pokerfloor.scoring.completions import Strengths, completions
from pokerfloor.scoring.fantasyland import Fantasyland, fantasyland_of
from pokerfloor.scoring.layout import (
    ROW_SIZES,
    WRONG_NUMBER_OF_CARDS,
    Layout,
    LayoutError,
    Row,
    check_cards,
)
from pokerfloor.scoring.reason import Points
from pokerfloor.scoring.royalties import royalty
from pokerfloor.scoring.rules import REGULAR, OfcRules


class Standing(StrEnum):
    """Whether a layout can still be valid."""

    FOULED = "fouled"  # whatever comes
    OPEN = "open"  # depends on what comes, and where it is placed
    VALID = "valid"  # whatever comes and wherever it is placed


class RowHint(NamedTuple):
    """A full row: its hand, and its bonus if the layout ends valid."""

    row: Row
    hand: RankedHand
    royalty: Points


@dataclass(frozen=True, slots=True)
class Hint:
    """What is known of a layout so far.

    `rows` are the full rows, from the top. `royalties` are their bonuses and `fantasyland` what
    they earn if the layout ends valid; 0 points and none once it is fouled. A row with jokers may
    still have to be lowered for a row below it that is not full yet.
    """

    standing: Standing
    rows: tuple[RowHint, ...]
    royalties: int
    fantasyland: Fantasyland


def hint(layout: Layout, pool: Collection[Card], rules: OfcRules = REGULAR) -> Hint:
    """Return what is known of a layout, finished or not.

    `pool` are the cards that may still come: all cards the player has not seen, or in Fantasyland
    those left in the hand. `FOULED` and `VALID` are certain. Each row is filled independently, so
    if two rows wait for the same card, an `OPEN` layout may already be fouled or valid. With all
    free places in one row the result is exact. Raises LayoutError.
    """
    _check(layout, pool, rules)
    standing = _standing(layout, pool, rules.joker_use)
    fouled = standing is Standing.FOULED
    rows = _full_rows(layout, rules.joker_use, fouled=fouled)
    hands = {hint.row: hint.hand for hint in rows}
    full = (hands.get(Row.TOP), hands.get(Row.MIDDLE), hands.get(Row.BOTTOM))
    fantasyland = fantasyland_of(full, layout.fantasyland_cards, rules, fouled=fouled)
    return Hint(standing, rows, sum([hint.royalty.points for hint in rows]), fantasyland)


def _check(layout: Layout, pool: Collection[Card], rules: OfcRules) -> None:
    for row, size in ROW_SIZES.items():
        if len(layout.row(row)) > size:
            reason = f"the {row} row takes {size} cards, not {len(layout.row(row))}"
            raise LayoutError(WRONG_NUMBER_OF_CARDS, reason, row)
    places = [*layout.places(), *[(f"pool[{index}]", card) for index, card in enumerate(pool)]]
    check_cards(places, rules.deck)
    free = sum([size - len(layout.row(row)) for row, size in ROW_SIZES.items()])
    if len(pool) < free:
        reason = f"{free} places are free, but only {len(pool)} cards may come"
        raise LayoutError(WRONG_NUMBER_OF_CARDS, reason, "pool")


def _standing(layout: Layout, pool: Collection[Card], use: JokerUse) -> Standing:
    top, middle, bottom = (
        completions(layout.row(row), size, pool, use) for row, size in ROW_SIZES.items()
    )
    if _ever_valid(top, middle, bottom):
        return Standing.VALID if _always_valid(top, middle, bottom) else Standing.OPEN
    return Standing.FOULED


def _ever_valid(top: set[Strengths], middle: set[Strengths], bottom: set[Strengths]) -> bool:
    """Return whether the rows are in order in the best case."""
    bound = max([way[-1] for way in bottom])
    bound = max([_best(way, bound) for way in middle])
    return min([way[0] for way in top]) <= bound


def _always_valid(top: set[Strengths], middle: set[Strengths], bottom: set[Strengths]) -> bool:
    """Return whether the rows are in order in the worst case."""
    bound = min([way[-1] for way in bottom])
    bound = min([_best(way, bound) for way in middle])
    return max([way[0] for way in top]) <= bound


_NONE_FITS: Final = -1


def _best(way: Strengths, at_most: int) -> int:
    fitting = bisect_right(way, at_most)
    return way[fitting - 1] if fitting else _NONE_FITS


def _full_rows(layout: Layout, use: JokerUse, *, fouled: bool) -> tuple[RowHint, ...]:
    found: list[RowHint] = []
    bound: int | None = None
    for row in (Row.BOTTOM, Row.MIDDLE, Row.TOP):
        cards = layout.row(row)
        if len(cards) < ROW_SIZES[row]:
            continue
        best = row_hand(cards, bound, use)
        if best is None:  # as in a finished layout that is fouled
            assert fouled, "a row is above the one below it"
            best = row_hand(cards, row_strengths(cards, use)[0], use)
            assert best is not None, "a row always has a lowest hand"
        bound = best.hand.strength
        found.append(RowHint(row, best.hand, royalty(row, best.hand, fouled=fouled)))
    return tuple(reversed(found))
