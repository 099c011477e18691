"""The game row of Mata Ases: one down card, three community cards, a qualifier (MAT)."""

from typing import Final

from pokerfloor.cards import STANDARD
from pokerfloor.games.rows import (
    BetTier,
    Deal,
    DealTo,
    Exposed,
    GameRow,
    Half,
    HoleCardUse,
    Opener,
    PotPart,
    Street,
    Structure,
)
from pokerfloor.ranking import HIGH52

_EITHER: Final = (Deal(DealTo.SEAT_EITHER, 1),)

MATA_ASES: Final = GameRow(
    id="mata_ases",
    name="Mata Ases",
    deck=STANDARD.name,
    max_seats=8,
    boards=1,
    streets=(
        Street(
            "first round",
            0,
            (Deal(DealTo.SEAT_UP, 1), Deal(DealTo.SEAT_DOWN, 1), Deal(DealTo.COMMUNITY, 3)),
            Opener.HIGHEST_UP,
            BetTier.SMALL,
        ),
        Street("second round", 1, _EITHER, Opener.BEST_EXPOSED, BetTier.SMALL, community_up=True),
        Street("third round", 1, _EITHER, Opener.BEST_EXPOSED, BetTier.BIG),
        Street("fourth round", 1, _EITHER, Opener.BEST_EXPOSED, BetTier.BIG),
    ),
    hole_cards_used=HoleCardUse.AT_MOST_ONE_OF_BOARD,
    parts=(PotPart(Half.HIGH, HIGH52.name, qualifier="AcAd4c3d2h"),),
    rake_from_street=1,
    structures=(Structure.NO_LIMIT,),
    exposed=Exposed.HIGH,
)
