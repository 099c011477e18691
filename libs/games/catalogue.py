"""The games that can be played now, by id. A new variant is a new row here."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from libs.cards import STANDARD
from libs.games.rows import (
    BetTier,
    Deal,
    DealTo,
    GameRow,
    Half,
    Opener,
    OwnCards,
    PotPart,
    Street,
    check_row,
)
from libs.ranking import HIGH52

HOLDEM: Final = GameRow(
    id="holdem",
    name="Texas hold'em",
    deck=STANDARD.name,
    max_seats=10,
    boards=1,
    streets=(
        Street("pre-flop", 0, (Deal(DealTo.OWN_DOWN, 2),), Opener.LEFT_OF_BLINDS, BetTier.SMALL),
        Street("flop", 1, (Deal(DealTo.BOARD, 3),), Opener.LEFT_OF_BUTTON, BetTier.SMALL),
        Street("turn", 1, (Deal(DealTo.BOARD, 1),), Opener.LEFT_OF_BUTTON, BetTier.BIG),
        Street("river", 1, (Deal(DealTo.BOARD, 1),), Opener.LEFT_OF_BUTTON, BetTier.BIG),
    ),
    own_cards_used=OwnCards.ANY,
    parts=(PotPart(Half.HIGH, HIGH52.name),),
    rake_from_street=1,
)

GAMES: Final[Mapping[str, GameRow]] = MappingProxyType({row.id: row for row in (HOLDEM,)})

assert not [problem for row in GAMES.values() if (problem := check_row(row))]
