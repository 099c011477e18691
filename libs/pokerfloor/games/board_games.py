"""Game rows with a board (HLD, OMA, SHD, SWP, DBL)."""

from dataclasses import replace
from typing import Final

from pokerfloor.cards import SHORT, STANDARD
from pokerfloor.games.rows import (
    BetTier,
    Deal,
    DealTo,
    GameRow,
    Half,
    HoleCardUse,
    Opener,
    PotPart,
    Street,
    Structure,
)
from pokerfloor.ranking import HIGH52, LOW8, SHORT36, SHORT36_TRIPS

HOLDEM: Final = GameRow(
    id="holdem",
    name="Texas hold'em",
    deck=STANDARD.name,
    max_seats=10,
    boards=1,
    streets=(
        Street("pre-flop", 0, (Deal(DealTo.SEAT_DOWN, 2),), Opener.LEFT_OF_BLINDS, BetTier.SMALL),
        Street("flop", 1, (Deal(DealTo.BOARD, 3),), Opener.LEFT_OF_BUTTON, BetTier.SMALL),
        Street("turn", 1, (Deal(DealTo.BOARD, 1),), Opener.LEFT_OF_BUTTON, BetTier.BIG),
        Street("river", 1, (Deal(DealTo.BOARD, 1),), Opener.LEFT_OF_BUTTON, BetTier.BIG),
    ),
    hole_cards_used=HoleCardUse.ANY,
    parts=(PotPart(Half.HIGH, HIGH52.name),),
    rake_from_street=1,
    bomb_pots=True,
)


def _omaha(hole: int, *, hi_lo: bool) -> GameRow:
    """Return the Omaha row with this number of hole cards (OMA-1 to OMA-3)."""
    pre_flop = replace(HOLDEM.streets[0], deals=(Deal(DealTo.SEAT_DOWN, hole),))
    low = (PotPart(Half.LOW, LOW8.name),) if hi_lo else ()
    return replace(
        HOLDEM,
        id=f"omaha{hole}_hilo" if hi_lo else f"omaha{hole}",
        name=f"{_WORDS[hole]}Omaha{' hi/lo eight or better' if hi_lo else ''}",
        streets=(pre_flop, *HOLDEM.streets[1:]),
        hole_cards_used=HoleCardUse.EXACTLY_TWO,
        parts=(*HOLDEM.parts, *low),
        structures=(Structure.POT_LIMIT, Structure.NO_LIMIT, Structure.FIXED_LIMIT),
    )


_WORDS: Final = {4: "", 5: "five-card ", 6: "six-card "}
OMAHAS: Final = tuple([_omaha(hole, hi_lo=hi_lo) for hole in _WORDS for hi_lo in (False, True)])

# SHD-2, SHD-3: antes and a blind by the button, which acts last on every street.
SHORT_DECK: Final = replace(
    HOLDEM,
    id="short_deck",
    name="short deck hold'em",
    deck=SHORT.name,
    streets=(replace(HOLDEM.streets[0], opener=Opener.LEFT_OF_BUTTON), *HOLDEM.streets[1:]),
    parts=(PotPart(Half.HIGH, SHORT36.name),),
    bomb_pots=False,
)
SHORT_DECK_TRIPS: Final = replace(
    SHORT_DECK,
    id="short_deck_trips",
    name="short deck hold'em, three of a kind beats a straight",
    parts=(PotPart(Half.HIGH, SHORT36_TRIPS.name),),
)

SWAP_HOLDEM: Final = replace(
    HOLDEM,
    id="swap_holdem",
    name="swap hold'em",
    streets=(*[replace(street, swap=True) for street in HOLDEM.streets[:3]], HOLDEM.streets[3]),
    bomb_pots=False,
)
SWAP_HOLDEM_RIVER: Final = replace(
    SWAP_HOLDEM,
    id="swap_holdem_river",
    name="swap hold'em, swaps on the river too",
    streets=tuple([replace(street, swap=True) for street in HOLDEM.streets]),
)


def double_board(row: GameRow) -> GameRow:
    """Return the two-board variant of a one-board game; its id ends in `_double` (DBL-1, DBL-2)."""
    assert row.boards == 1, "the game must have one board"
    return replace(row, id=f"{row.id}_double", name=f"{row.name}, two boards", boards=2)


# DBL-3
_WITH_TWO_BOARDS: Final = (HOLDEM, *OMAHAS, SWAP_HOLDEM, SWAP_HOLDEM_RIVER)

BOARD_GAMES: Final = (
    HOLDEM,
    *OMAHAS,
    SHORT_DECK,
    SHORT_DECK_TRIPS,
    SWAP_HOLDEM,
    SWAP_HOLDEM_RIVER,
    *map(double_board, _WITH_TWO_BOARDS),
)
