"""The mode and options of open-face Chinese (OFC-33 to OFC-35)."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Final

from pokerfloor.cards import STANDARD, STANDARD_TWO_JOKERS, Deck
from pokerfloor.ranking import JokerUse
from pokerfloor.scoring.layout import FANTASYLAND_SIZES, LayoutError

BAD_OPTION: Final = "bad_option"


class Mode(StrEnum):
    """The modes (OFC-34). They differ in Fantasyland; joker mode also in the deck."""

    REGULAR = "regular"
    PROGRESSIVE = "progressive"
    ULTIMATE = "ultimate"
    JOKER = "joker"


class StayOnMiddle(StrEnum):
    """The middle row with which a player also stays in Fantasyland (OFC-33)."""

    NONE = "none"
    FULL_HOUSE = "full_house"
    QUADS = "quads"


@dataclass(frozen=True)
class OfcRules:
    """A mode and its options.

    `trips_cards` is the number of Fantasyland cards for three of a kind on top; 0 means the default
    of the mode: 16 without jokers, 17 with them. Regular always gives 14. `joker_base` is the mode
    whose number of cards joker mode uses for staying. `own_row_copy` and `five_of_a_kind` are
    options of the jokers. Raises LayoutError `bad_option`.
    """

    mode: Mode = Mode.REGULAR
    trips_cards: int = 0
    joker_base: Mode = Mode.ULTIMATE
    stay_on_middle: StayOnMiddle = StayOnMiddle.NONE
    own_row_copy: bool = False
    five_of_a_kind: bool = False

    def __post_init__(self) -> None:
        if self.trips_cards and self.trips_cards not in FANTASYLAND_SIZES:
            reason = f"Fantasyland has 14 to 17 cards, not {self.trips_cards}"
            raise LayoutError(BAD_OPTION, reason, "trips_cards")
        if self.joker_base is Mode.JOKER:
            reason = "joker mode counts as regular, progressive or ultimate"
            raise LayoutError(BAD_OPTION, reason, "joker_base")

    @property
    def deck(self) -> Deck:
        """The deck of the mode."""
        return STANDARD_TWO_JOKERS if self.mode is Mode.JOKER else STANDARD

    @cached_property
    def joker_use(self) -> JokerUse:
        """What jokers may stand for."""
        return JokerUse(self.own_row_copy, self.five_of_a_kind)


REGULAR: Final = OfcRules()
