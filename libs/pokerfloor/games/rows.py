"""A betting game as data: one frozen row with its deck, streets, deals and ranking systems."""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final


class Structure(StrEnum):
    """The betting structure."""

    NO_LIMIT = "no_limit"
    POT_LIMIT = "pot_limit"
    FIXED_LIMIT = "fixed_limit"


class DealTo(StrEnum):
    """Where the cards of a deal go."""

    SEAT_DOWN = "seat_down"  # to each seat in the hand, one card at a time, face down
    SEAT_UP = "seat_up"  # the same, and revealed at once (STD-1)
    SEAT_EITHER = "seat_either"  # to each seat, which first chooses up or down (MAT-3)
    BOARD = "board"  # to each board in turn, revealed at once
    COMMUNITY = "community"  # face down, for all (MAT-1)


_TO_SEATS: Final = frozenset({DealTo.SEAT_DOWN, DealTo.SEAT_UP, DealTo.SEAT_EITHER})


class Opener(StrEnum):
    """Who acts first on a street; if that seat cannot act, the next one clockwise."""

    LEFT_OF_BLINDS = "left_of_blinds"  # left of the big blind or of the last straddle (HLD-3)
    LEFT_OF_BUTTON = "left_of_button"
    BRING_IN = "bring_in"  # the seat with the worst up card opens with a forced bet (STD-2)
    HIGHEST_UP = "highest_up"  # the seat with the highest up card, by rank alone (MAT-2)
    BEST_EXPOSED = "best_exposed"  # the seat with the best exposed hand (STD-3)


class Exposed(StrEnum):
    """How exposed hands are compared (STD-2, STD-3)."""

    HIGH = "high"  # pairs and high cards; the lowest up card brings it in
    LOW = "low"  # razz: no pair and low cards, the ace low; the highest up card brings it in


class BetTier(StrEnum):
    """The bet size of a street in fixed-limit (BET-30)."""

    SMALL = "small"
    BIG = "big"


class HoleCardUse(StrEnum):
    """Which hole cards a hand uses."""

    ANY = "any"  # the best hand from all cards (HLD-4)
    EXACTLY_TWO = "exactly_two"  # two hole cards and three of the board (OMA-1)
    AT_MOST_ONE_OF_BOARD = "at_most_one_of_board"  # five hole cards, or four and one more (MAT-5)


class Half(StrEnum):
    """A part of a pot that is won separately."""

    HIGH = "high"
    LOW = "low"
    WHOLE = "whole"  # won without a showdown: not divided


class OddChips(StrEnum):
    """Who gets the odd chips of a split pot (ODD-1)."""

    LEFT_OF_BUTTON = "left_of_button"
    BY_CARD = "by_card"  # stud: the highest hole card; among tied lows the lowest


@dataclass(frozen=True, slots=True)
class Deal:
    """`count` cards: to each seat, or to each board."""

    to: DealTo
    count: int


@dataclass(frozen=True, slots=True)
class DrawRound:
    """Each seat still in discards `min_discards` to `max_discards` cards, left of the button first.

    `replaced`: it draws as many from the deck (DRW-4); else it plays on with fewer cards.
    """

    min_discards: int
    max_discards: int
    replaced: bool


@dataclass(frozen=True, slots=True)
class Street:
    """One street: `burns`, the draw, the deals in order, a betting round.

    `swap`: a seat that has not swapped yet may do so before its first action (SWP-1).
    `open_pair`: in fixed-limit, an open pair allows bets of either size (STD-4).
    `community_up`: the community cards are revealed once the cards of the street are dealt (MAT-4).
    """

    name: str
    burns: int
    deals: tuple[Deal, ...]
    opener: Opener
    tier: BetTier
    draw: DrawRound | None = None
    swap: bool = False
    open_pair: bool = False
    community_up: bool = False

    def deals_to_seats(self) -> bool:
        """Return whether seats are dealt cards on this street."""
        return not _TO_SEATS.isdisjoint([deal.to for deal in self.deals])

    def asks_facing(self) -> bool:
        """Return whether each seat chooses the facing of its card on this street (MAT-3)."""
        return DealTo.SEAT_EITHER in [deal.to for deal in self.deals]


@dataclass(frozen=True, slots=True)
class PotPart:
    """One part of each pot on each board; `ranking` is a name in `pokerfloor.ranking.RANKINGS`.

    `qualifier` is the weakest hand that can win it, as cards ("AcAd4c3d2h": a pair of aces or
    better), or empty if any hand can. A pot that nobody can win is carried to the next hand
    (MAT-6).
    """

    half: Half
    ranking: str
    qualifier: str = ""


@dataclass(frozen=True, slots=True)
class GameRow:
    """The rules of one betting game.

    `rake_from_street`: under "no flop, no drop" no rake is taken before the cards of this street
    are dealt (POT-10). `max_seats` is the limit of TBL-1; the deck sets another, see
    `cards_needed`. `structures` are the allowed ones, the usual one first. `bomb_pots`: it can be
    played as a bomb pot (BMB-2). `community_last`: if the deck cannot give every seat the last
    card, one community card replaces it (STD-6). `exposed` is required if an exposed hand opens a
    street.
    """

    id: str
    name: str
    deck: str
    max_seats: int
    boards: int
    streets: tuple[Street, ...]
    hole_cards_used: HoleCardUse
    parts: tuple[PotPart, ...]
    rake_from_street: int
    structures: tuple[Structure, ...] = tuple(Structure)
    bomb_pots: bool = False
    community_last: bool = False
    exposed: Exposed | None = None
    odd_chips: OddChips = OddChips.LEFT_OF_BUTTON

    def __hash__(self) -> int:
        """Hash by id, for speed: rows are cache keys in the innermost loop, and ids are unique."""
        return hash(self.id)

    def hole_cards(self) -> int:
        """Return how many hole cards a seat has at the showdown, if no community card replaces one.

        A draw round without replacement counts with its minimum of discards.
        """
        return _hole_cards_at_the_end(self)

    def hole_cards_dealt(self, street_no: int) -> int:
        """Return how many hole cards each seat has been dealt up to a street."""
        return _hole_cards_dealt(self, street_no)

    def dealt_to(self, to: DealTo) -> int:
        """Return how many cards are dealt this way to each seat or board, or as community."""
        return _dealt_to(self, to)

    def hole_cards_by_street(self) -> tuple[int, ...]:
        """Return `hole_cards_dealt` of each street, followed by that of street -1."""
        return _hole_cards_by_street(self)

    def board_cards(self) -> int:
        """Return how many cards each board has in the end; community cards are not a board."""
        return _dealt_to(self, DealTo.BOARD)

    def community_cards(self) -> int:
        """Return how many community cards are dealt face down and revealed later (MAT-1)."""
        return _dealt_to(self, DealTo.COMMUNITY)

    def burns(self) -> int:
        """Return how many cards are burned over all streets."""
        return sum([street.burns for street in self.streets])

    def swaps(self) -> bool:
        """Return whether cards may be swapped on any street."""
        return any(street.swap for street in self.streets)

    def draws_from(self, street_no: int) -> bool:
        """Return whether any street from this one on has a draw."""
        return any(street.draw is not None for street in self.streets[street_no:])

    def choices_from(self, street_no: int) -> bool:
        """Return whether seats choose discards or a facing from this street on (BET-2)."""
        return any(choice >= street_no for choice in self.choice_streets())

    def choice_streets(self) -> frozenset[int]:
        """Return the numbers of the streets on which seats choose discards or a facing."""
        return _choice_streets(self)

    def up_slots(self) -> frozenset[int]:
        """Return the slots that are always dealt face up."""
        return _up_slots(self)

    def down_slot(self) -> int:
        """Return the slot of the down card in a game with facings, else 0."""
        return _down_slot(self)

    def carries(self) -> bool:
        """Return whether pots that nobody qualifies for are carried to the next hand (MAT-6)."""
        return bool([part for part in self.parts if part.qualifier])

    def pot_parts(self) -> tuple[tuple[int, Half], ...]:
        """Return the parts of a contested pot as (board, half), board by board."""
        return _pot_parts(self)

    def cards_needed(self, seats: int, *, burn: bool) -> int:
        """Return how many cards the deck must have in the worst case for this many seats (TBL-1).

        Swapped cards count (SWP-4). Discards are reshuffled, but never go back to the seat that
        made them (DRW-5), so the draws of one seat must be left over. A community card may replace
        the last hole cards (STD-6).
        """
        return sum([count for count, _ in _card_terms(self, seats, burn)])

    def cards_sum(self, seats: int, *, burn: bool) -> str:
        """Return the sum behind `cards_needed` in words: "6 x 4 hole + 5 board + 3 burned"."""
        return " + ".join([words for _, words in _card_terms(self, seats, burn)])


@lru_cache
def _card_terms(row: GameRow, seats: int, burn: bool) -> tuple[tuple[int, str], ...]:
    draws = [street.draw for street in row.streets if street.draw is not None]
    # With a community last card its burn is left out as well.
    hole = row.hole_cards_dealt(len(row.streets) - 1) - row.community_last
    burns = row.burns() - (row.streets[-1].burns if row.community_last else 0)
    drawn = sum([draw.max_discards for draw in draws if draw.replaced])
    terms = (
        (seats * hole, f"{seats} x {hole} hole"),
        (seats * hole if row.swaps() else 0, f"{seats} x {hole} swapped"),
        (drawn, f"{drawn} drawn"),
        (int(row.community_last), "1 community"),
        (row.boards * row.board_cards(), f"{row.boards * row.board_cards()} board"),
        (row.community_cards(), f"{row.community_cards()} community"),
        (burns if burn else 0, f"{burns} burned"),
    )
    return tuple([term for term in terms if term[0]])


@lru_cache
def _hole_cards_dealt(row: GameRow, street_no: int) -> int:
    deals = [deal for street in row.streets[: street_no + 1] for deal in street.deals]
    return sum([deal.count for deal in deals if deal.to in _TO_SEATS])


@lru_cache
def _hole_cards_by_street(row: GameRow) -> tuple[int, ...]:
    return (*[_hole_cards_dealt(row, street_no) for street_no in range(len(row.streets))], 0)


@lru_cache
def _facings(row: GameRow) -> tuple[DealTo, ...]:
    """Return how each card of a seat is dealt, slot by slot."""
    deals = [deal for street in row.streets for deal in street.deals if deal.to in _TO_SEATS]
    return tuple([deal.to for deal in deals for _ in range(deal.count)])


@lru_cache
def _choice_streets(row: GameRow) -> frozenset[int]:
    asks = [street.draw is not None or street.asks_facing() for street in row.streets]
    return frozenset([street_no for street_no, choice in enumerate(asks) if choice])


@lru_cache
def _up_slots(row: GameRow) -> frozenset[int]:
    return frozenset(
        [slot for slot, to in enumerate(_facings(row), start=1) if to is DealTo.SEAT_UP]
    )


@lru_cache
def _down_slot(row: GameRow) -> int:
    asks = any(street.asks_facing() for street in row.streets)
    return _facings(row).index(DealTo.SEAT_DOWN) + 1 if asks else 0


@lru_cache
def _hole_cards_at_the_end(row: GameRow) -> int:
    draws = [street.draw for street in row.streets if street.draw is not None]
    gone = sum([draw.min_discards for draw in draws if not draw.replaced])
    return _hole_cards_dealt(row, len(row.streets) - 1) - gone


@lru_cache
def _dealt_to(row: GameRow, to: DealTo) -> int:
    deals = [deal for street in row.streets for deal in street.deals]
    return sum([deal.count for deal in deals if deal.to is to])


@lru_cache
def _pot_parts(row: GameRow) -> tuple[tuple[int, Half], ...]:
    return tuple([(board, part.half) for board in range(row.boards) for part in row.parts])
