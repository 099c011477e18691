"""A placement game as data: its deck, streets, layout rows and Fantasyland."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from pokerfloor.games.placement.layouts import LayoutRow


class Shown(StrEnum):
    """When the cards of a street become public, and who sets them when."""

    UP = "up"  # in turn; dealt face up, moves are public (OFC-3)
    CONFIRMED = "confirmed"  # in turn; placed cards are revealed on confirmation (OFC-3)
    TOGETHER = "together"  # all at once; revealed when all have confirmed (OFC-32, SCP-2)


@dataclass(frozen=True, slots=True)
class PlacementStreet:
    """One street: `dealt` cards to each seat, `burns`, `board` cards face up, then the placements.

    Each seat places `placed` of its cards and discards the others.
    """

    name: str
    shown: Shown
    dealt: int = 0
    placed: int = 0
    burns: int = 0
    board: int = 0


@dataclass(frozen=True, slots=True)
class FantasylandPacket:
    """Fantasyland: `least` to `most` cards at once to fill all rows (OFC-31)."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class PlacementGame:
    """A game in which players set their cards in rows and compare them pair by pair.

    `deck` is a name in `pokerfloor.cards.DECKS`. `rows` are the rows with their sizes, top first;
    `fill_order` is the order in which they are filled for an absent player. The Fantasyland street,
    if any, has the number after the last of `streets`.
    """

    id: str
    name: str
    deck: str
    max_seats: int
    rows: tuple[tuple[LayoutRow, int], ...]
    fill_order: tuple[LayoutRow, ...]
    streets: tuple[PlacementStreet, ...]
    fantasyland: FantasylandPacket | None = None

    def street(self, street_no: int) -> PlacementStreet:
        """Return a street by its number; the Fantasyland street is derived from the rows."""
        if street_no < len(self.streets):
            return self.streets[street_no]
        assert self.fantasyland is not None, f"{self.name} has no street {street_no}"
        return PlacementStreet("Fantasyland", Shown.TOGETHER, placed=self.placed())

    def placed(self) -> int:
        """Return how many cards a finished layout has."""
        return sum([size for _, size in self.rows])

    def dealt_cards(self) -> int:
        """Return how many cards a seat is dealt that is not in Fantasyland."""
        return sum([street.dealt for street in self.streets])


_OFC_ROWS: Final = ((LayoutRow.TOP, 3), (LayoutRow.MIDDLE, 5), (LayoutRow.BOTTOM, 5))
_OFC_STREETS: Final = (
    PlacementStreet("first", Shown.UP, dealt=5, placed=5),
    *[
        PlacementStreet(name, Shown.CONFIRMED, dealt=3, placed=2)
        for name in ("second", "third", "fourth", "fifth")
    ],
)
_BOTTOM_UP: Final = (LayoutRow.BOTTOM, LayoutRow.MIDDLE, LayoutRow.TOP)

OFC: Final = PlacementGame(
    "ofc",
    "open-face Chinese Pineapple",
    "standard52",
    3,
    _OFC_ROWS,
    _BOTTOM_UP,
    _OFC_STREETS,
    FantasylandPacket(14, 17),
)
OFC_JOKER: Final = PlacementGame(
    "ofc_joker",
    "open-face Chinese Pineapple with two jokers",
    "joker54",
    3,
    _OFC_ROWS,
    _BOTTOM_UP,
    _OFC_STREETS,
    FantasylandPacket(14, 17),
)
SCOOP: Final = PlacementGame(
    "scoop",
    "Scoop Hold'em",
    "standard52",
    4,
    ((LayoutRow.TOP, 2), (LayoutRow.MIDDLE, 2), (LayoutRow.BOTTOM, 2)),
    (LayoutRow.TOP, LayoutRow.MIDDLE, LayoutRow.BOTTOM),
    (
        PlacementStreet("flop", Shown.TOGETHER, dealt=7, placed=6, burns=1, board=3),
        PlacementStreet("turn", Shown.TOGETHER, burns=1, board=1),
        PlacementStreet("river", Shown.TOGETHER, burns=1, board=1),
    ),
)

PLACEMENT_GAMES: Final[Mapping[str, PlacementGame]] = MappingProxyType(
    {game.id: game for game in (OFC, OFC_JOKER, SCOOP)}
)
