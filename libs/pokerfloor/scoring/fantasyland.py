"""Fantasyland: who plays the next hand with all cards at once, and how many (OFC-30 to OFC-34)."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from pokerfloor.cards import RANKS
from pokerfloor.ranking import Category, RankedHand, ranks_of
from pokerfloor.scoring.reason import Reason
from pokerfloor.scoring.rules import Mode, OfcRules, StayOnMiddle

_FEWEST: Final = 14
_QUEENS: Final = RANKS.index("Q") + 2
_TRIPS_CARDS: Final = 16
_TRIPS_CARDS_WITH_JOKERS: Final = 17

_QUADS_OR_BETTER: Final = frozenset(
    {
        Category.FOUR_OF_A_KIND,
        Category.STRAIGHT_FLUSH,
        Category.ROYAL_FLUSH,
        Category.POKER,
    }
)
_MIDDLE_STAYS: Final = {
    StayOnMiddle.NONE: frozenset[Category](),
    StayOnMiddle.FULL_HOUSE: _QUADS_OR_BETTER | {Category.FULL_HOUSE},
    StayOnMiddle.QUADS: _QUADS_OR_BETTER,
}

NO_FANTASYLAND: Final = "no_fantasyland"
FOULED_NO_FANTASYLAND: Final = "fouled_no_fantasyland"
FANTASYLAND_NOT_RENEWED: Final = "fantasyland_not_renewed"
STAYED_TOP: Final = "stayed_top_trips"
STAYED_BOTTOM: Final = "stayed_bottom_quads"
STAYED_MIDDLE: Final = "stayed_middle"


@dataclass(frozen=True, slots=True)
class Fantasyland:
    """The Fantasyland that a layout earned: its number of cards, 0 for none, and why.

    `stayed`: the hand was itself played in Fantasyland. The code of the reason is
    `fantasyland_pair_<rank>` or `fantasyland_trips_<rank>` for entering, else one of the constants
    of this module.
    """

    cards: int
    stayed: bool
    reason: Reason


_Rows = tuple[RankedHand | None, RankedHand | None, RankedHand | None]

_FOULED: Final = Fantasyland(
    0, False, Reason(FOULED_NO_FANTASYLAND, "a fouled hand earns no Fantasyland")
)
_NOT_FULL: Final = Fantasyland(0, False, Reason(NO_FANTASYLAND, "the top row is not full"))
_NOT_RENEWED: Final = Fantasyland(
    0,
    False,
    Reason(
        FANTASYLAND_NOT_RENEWED,
        "neither three of a kind in the top row nor four of a kind or better in the bottom row",
    ),
)


def fantasyland_of(rows: _Rows, playing: int, rules: OfcRules, *, fouled: bool) -> Fantasyland:
    """Return the Fantasyland that a layout earns.

    `rows` are the hands of the top, middle and bottom row, None for a row that is not full.
    `playing` is the number of Fantasyland cards the layout was made from, 0 for none.
    """
    if fouled:
        return _FOULED
    return _staying(rows, playing, rules) if playing else _entering(rows[0], rules)


def _entering(top: RankedHand | None, rules: OfcRules) -> Fantasyland:
    if top is None:
        return _NOT_FULL
    if top.category is Category.HIGH_CARD:
        return _too_low(top.name)
    rank = ranks_of(top.strength)[0]
    letter = RANKS[rank - 2].lower()
    if top.category is Category.THREE_OF_A_KIND:
        return _earned(_for_trips(rules), f"fantasyland_trips_{letter}", top, "top", stayed=False)
    if rank >= _QUEENS:
        more = 0 if rules.mode is Mode.REGULAR else rank - _QUEENS
        return _earned(_FEWEST + more, f"fantasyland_pair_{letter}", top, "top", stayed=False)
    return _too_low(top.name)


@lru_cache(maxsize=64)  # names of tops below a pair of queens
def _too_low(name: str) -> Fantasyland:
    text = f"{name} in the top row is below a pair of queens"
    return Fantasyland(0, False, Reason(NO_FANTASYLAND, text))


def _for_trips(rules: OfcRules) -> int:
    if rules.mode is Mode.REGULAR:
        return _FEWEST
    usual = _TRIPS_CARDS_WITH_JOKERS if rules.mode is Mode.JOKER else _TRIPS_CARDS
    return rules.trips_cards or usual


def _staying(rows: _Rows, playing: int, rules: OfcRules) -> Fantasyland:
    counted_as = rules.joker_base if rules.mode is Mode.JOKER else rules.mode
    cards = playing if counted_as is Mode.ULTIMATE else _FEWEST
    top, middle, bottom = rows
    if top and top.category is Category.THREE_OF_A_KIND:
        return _earned(cards, STAYED_TOP, top, "top", stayed=True)
    if bottom and bottom.category in _QUADS_OR_BETTER:
        return _earned(cards, STAYED_BOTTOM, bottom, "bottom", stayed=True)
    if middle and middle.category in _MIDDLE_STAYS[rules.stay_on_middle]:
        return _earned(cards, STAYED_MIDDLE, middle, "middle", stayed=True)
    return _NOT_RENEWED


def _earned(cards: int, code: str, hand: RankedHand, row: str, *, stayed: bool) -> Fantasyland:
    earns = "stays in Fantasyland with" if stayed else "earns Fantasyland with"
    text = f"{hand.name} in the {row} row {earns} {cards} cards"
    return Fantasyland(cards, stayed, Reason(code, text))
