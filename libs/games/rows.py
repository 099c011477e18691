"""A betting game is data: its deck, streets, cards and ranking systems, as one frozen row."""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from libs.cards import DECKS
from libs.games.refusal import Code, Refusal
from libs.ranking import RANKINGS


class DealTo(StrEnum):
    """Where the cards of one deal go."""

    OWN_DOWN = "own_down"  # to each seat in the hand, one card at a time, face down
    BOARD = "board"  # to each board in turn, turned up at once


class Opener(StrEnum):
    """Who acts first on a street: the first seat that can act, from there clockwise."""

    LEFT_OF_BLINDS = "left_of_blinds"  # left of the big blind or of the last straddle (HLD-3)
    LEFT_OF_BUTTON = "left_of_button"


class BetTier(StrEnum):
    """Which of the two sizes of a fixed-limit game a street is played at (BET-30)."""

    SMALL = "small"
    BIG = "big"


class OwnCards(StrEnum):
    """How many own cards a hand may use."""

    ANY = "any"  # the best five of all (HLD-4)
    EXACTLY_TWO = "exactly_two"  # two own cards and three of the board (OMA-1)


class Half(StrEnum):
    """A part of a pot that is won by itself."""

    HIGH = "high"
    LOW = "low"
    WHOLE = "whole"  # won without a showdown: not divided


@dataclass(frozen=True, slots=True)
class Deal:
    """`count` cards: to each seat, or to each board."""

    to: DealTo
    count: int


@dataclass(frozen=True, slots=True)
class Street:
    """One street: `burns` cards face down, then the deals in order, then a betting round."""

    name: str
    burns: int
    deals: tuple[Deal, ...]
    opener: Opener
    tier: BetTier

    def deals_own(self) -> bool:
        """Tell whether seats are dealt own cards on this street."""
        return any(deal.to is not DealTo.BOARD for deal in self.deals)


@dataclass(frozen=True, slots=True)
class PotPart:
    """What one part of each pot (on each board) is judged by: a name in `libs.ranking.RANKINGS`."""

    half: Half
    ranking: str


@dataclass(frozen=True, slots=True)
class GameRow:
    """The rules of one betting game.

    `rake_from_street` is the index of the street whose cards must have been dealt before rake may
    be taken under "no flop, no drop" (POT-10). `max_seats` is the table limit of TBL-1; the deck
    sets another, see `cards_needed`.
    """

    id: str
    name: str
    deck: str
    max_seats: int
    boards: int
    streets: tuple[Street, ...]
    own_cards_used: OwnCards
    parts: tuple[PotPart, ...]
    rake_from_street: int

    def __hash__(self) -> int:
        """Hash by id: rows are keys of the caches in the innermost loop, and ids are unique."""
        return hash(self.id)

    def own_cards(self) -> int:
        """Return how many own cards each seat is dealt in all."""
        return _cards_dealt(self, DealTo.OWN_DOWN)

    def board_cards(self) -> int:
        """Return how many cards each board has in the end."""
        return _cards_dealt(self, DealTo.BOARD)

    def burns(self) -> int:
        """Return how many cards are burned when every street is dealt."""
        return sum([street.burns for street in self.streets])

    def pot_parts(self) -> tuple[tuple[int, Half], ...]:
        """Return what a contested pot is divided by: (board, half), board by board."""
        return _pot_parts(self)

    def cards_needed(self, seats: int, *, burn: bool) -> int:
        """Return how many cards the deck must have in the worst case for so many seats (TBL-1)."""
        burns = self.burns() if burn else 0
        return seats * self.own_cards() + self.boards * self.board_cards() + burns


@lru_cache
def _cards_dealt(row: GameRow, to: DealTo) -> int:
    return sum(deal.count for street in row.streets for deal in street.deals if deal.to is to)


@lru_cache
def _pot_parts(row: GameRow) -> tuple[tuple[int, Half], ...]:
    return tuple([(board, part.half) for board in range(row.boards) for part in row.parts])


@lru_cache
def check_row(row: GameRow) -> Refusal | None:
    """Return what the engine cannot play in this row, or None. The code is always BAD_GAME_ROW."""
    for field, problem in _problems(row):
        return Refusal(Code.BAD_GAME_ROW, f"game {row.id!r}: {problem}", field)
    return None


def _problems(row: GameRow) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    if row.deck not in DECKS:
        found.append(("deck", f"no deck is called {row.deck!r}"))
    if not row.streets or any(street.burns < 0 for street in row.streets):
        found.append(("streets", "at least one street, and no negative burns"))
    if any(deal.count < 1 for street in row.streets for deal in street.deals):
        found.append(("streets", "a deal of fewer than one card"))
    if any(deal.to is DealTo.OWN_DOWN for street in row.streets[1:] for deal in street.deals):
        found.append(("streets", "own cards after the first street are not played yet"))
    if any(deal.to is DealTo.BOARD for street in row.streets[:1] for deal in street.deals):
        found.append(("streets", "board cards on the first street are not played yet"))
    if row.boards not in (1, 2):
        found.append(("boards", f"one or two boards, not {row.boards}"))
    if not 2 <= row.max_seats <= 10:
        found.append(("max_seats", f"2 to 10 seats, not {row.max_seats}"))
    if not 0 <= row.rake_from_street < max(1, len(row.streets)):
        found.append(("rake_from_street", f"there is no street {row.rake_from_street}"))
    if [part.half for part in row.parts] != [Half.HIGH]:
        found.append(("parts", "only games with a high hand alone are played yet"))
    found += [
        ("parts", f"no ranking system is called {part.ranking!r}")
        for part in row.parts
        if part.ranking not in RANKINGS
    ]
    return found + _card_problems(row)


def _card_problems(row: GameRow) -> list[tuple[str, str]]:
    own, board = row.own_cards(), row.board_cards()
    if row.own_cards_used is OwnCards.ANY and not 5 <= own + board <= 7:
        return [("own_cards_used", f"five to seven cards to choose from, not {own + board}")]
    if row.own_cards_used is OwnCards.EXACTLY_TWO and (own < 2 or board < 3):
        return [("own_cards_used", f"two own and three board cards out of {own} and {board}")]
    return []
