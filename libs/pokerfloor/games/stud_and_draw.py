"""Game rows without a board: stud, draw and their low games (STD, DRW)."""

from dataclasses import replace
from typing import Final

from pokerfloor.cards import STANDARD, STANDARD_ONE_JOKER, STANDARD_TWO_JOKERS
from pokerfloor.games.rows import (
    BetTier,
    Deal,
    DealTo,
    DrawRound,
    Exposed,
    GameRow,
    Half,
    HoleCardUse,
    OddChips,
    Opener,
    PotPart,
    Street,
    Structure,
)
from pokerfloor.ranking import (
    BADUGI,
    HIGH52,
    JOKER_BUG,
    JOKER_BUG_NATURAL,
    JOKER_WILD,
    JOKER_WILD_NATURAL,
    LOW8,
    LOW_27,
    LOW_A5,
)

_DOWN: Final = Deal(DealTo.SEAT_DOWN, 1)
_UP: Final = Deal(DealTo.SEAT_UP, 1)
_THIRD: Final = (Deal(DealTo.SEAT_DOWN, 2), _UP)

STUD7: Final = GameRow(
    id="stud7",
    name="seven-card stud",
    deck=STANDARD.name,
    max_seats=8,
    boards=1,
    streets=(
        Street("third street", 0, _THIRD, Opener.BRING_IN, BetTier.SMALL),
        Street("fourth street", 1, (_UP,), Opener.BEST_EXPOSED, BetTier.SMALL, open_pair=True),
        Street("fifth street", 1, (_UP,), Opener.BEST_EXPOSED, BetTier.BIG),
        Street("sixth street", 1, (_UP,), Opener.BEST_EXPOSED, BetTier.BIG),
        Street("seventh street", 1, (_DOWN,), Opener.BEST_EXPOSED, BetTier.BIG),
    ),
    hole_cards_used=HoleCardUse.ANY,
    parts=(PotPart(Half.HIGH, HIGH52.name),),
    rake_from_street=1,
    structures=(Structure.FIXED_LIMIT,),
    community_last=True,
    exposed=Exposed.HIGH,
    odd_chips=OddChips.BY_CARD,
)
STUD7_HILO: Final = replace(
    STUD7,
    id="stud7_hilo",
    name="seven-card stud hi/lo eight or better",
    parts=(*STUD7.parts, PotPart(Half.LOW, LOW8.name)),
)
RAZZ: Final = replace(
    STUD7,
    id="razz",
    name="razz",
    streets=tuple([replace(street, open_pair=False) for street in STUD7.streets]),
    parts=(PotPart(Half.LOW, LOW_A5.name),),
    exposed=Exposed.LOW,
)
STUD_GAMES: Final = (STUD7, STUD7_HILO, RAZZ)


def _draw_streets(hole: int, draws: int, later: Opener) -> tuple[Street, ...]:
    """Return the streets of a game with this many draws, each after a burn (DRW-3)."""
    first = Street(
        "before the draw", 0, (Deal(DealTo.SEAT_DOWN, hole),), Opener.LEFT_OF_BLINDS, BetTier.SMALL
    )
    names = ("the draw",) if draws == 1 else ("first draw", "second draw", "third draw")[:draws]
    draw = DrawRound(min_discards=0, max_discards=hole, replaced=True)
    # The second half of the rounds is played at the big bet.
    return (
        first,
        *[
            Street(
                name,
                1,
                (),
                later,
                BetTier.BIG if 2 * number > draws else BetTier.SMALL,
                draw,
            )
            for number, name in enumerate(names, start=1)
        ],
    )


_LOW_SINGLE_DRAW: Final = GameRow(
    id="draw27_single",
    name="deuce-to-seven single draw",
    deck=STANDARD.name,
    max_seats=6,
    boards=1,
    streets=_draw_streets(5, 1, Opener.LEFT_OF_BUTTON),
    hole_cards_used=HoleCardUse.ANY,
    parts=(PotPart(Half.LOW, LOW_27.name),),
    rake_from_street=1,
)
_LOW_TRIPLE_DRAW: Final = replace(
    _LOW_SINGLE_DRAW,
    id="draw27_triple",
    name="deuce-to-seven triple draw",
    streets=_draw_streets(5, 3, Opener.LEFT_OF_BUTTON),
    structures=(Structure.FIXED_LIMIT, Structure.POT_LIMIT, Structure.NO_LIMIT),
)
_BADUGI: Final = replace(
    _LOW_TRIPLE_DRAW,
    id="badugi",
    name="badugi",
    streets=_draw_streets(4, 3, Opener.LEFT_OF_BUTTON),
    parts=(PotPart(Half.LOW, BADUGI.name),),
)

# DRW-1, DRW-3: two jokers, both wild; the second round opens like the first.
DRAW5: Final = replace(
    _LOW_SINGLE_DRAW,
    id="draw5",
    name="five-card draw with two jokers",
    deck=STANDARD_TWO_JOKERS.name,
    streets=_draw_streets(5, 1, Opener.LEFT_OF_BLINDS),
    parts=(PotPart(Half.HIGH, JOKER_WILD.name),),
)
_JOKER_RULES: Final = (
    ("", "", JOKER_WILD),
    ("_natural", ", natural hands win ties", JOKER_WILD_NATURAL),
    ("_bug", " as a bug", JOKER_BUG),
    ("_bug_natural", " as a bug, natural hands win ties", JOKER_BUG_NATURAL),
)
_DRAW5_OPTIONS: Final = (
    replace(
        DRAW5,
        id="draw5_no_joker",
        name="five-card draw",
        deck=STANDARD.name,
        parts=(PotPart(Half.HIGH, HIGH52.name),),
    ),
    *[
        replace(
            DRAW5,
            id=f"draw5{jokers}{suffix}",
            name=f"five-card draw with {words}{rule}",
            deck=deck.name,
            parts=(PotPart(Half.HIGH, system.name),),
        )
        for jokers, words, deck in (
            ("", "two jokers", STANDARD_TWO_JOKERS),
            ("_one_joker", "one joker", STANDARD_ONE_JOKER),
        )
        for suffix, rule, system in _JOKER_RULES
    ],
)
DRAW_GAMES: Final = (*_DRAW5_OPTIONS, _LOW_SINGLE_DRAW, _LOW_TRIPLE_DRAW, _BADUGI)
