"""Tables of the betting games: one at least of each family."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from deploy.local.menu.game_names import game_by_name
from pokerfloor.api.common.v1 import money_pb2
from pokerfloor.api.settings.v1 import settings_pb2 as pb
from pokerfloor.cards import DECKS
from pokerfloor.games import Structure
from pokerfloor.tablelog import Posting, game_row, posting_of

CURRENCY: Final = money_pb2.Currency(code="XPM", exponent=2)
ROOM: Final = "main-room"
# Quick enough for bots and long enough for people to see how a hand ended.
BETWEEN_HANDS_MS: Final = 250
_CHIP_MINOR: Final = 100

Maker = Callable[[], pb.TableSettings]


def game_settings_table(name: str, title: str = "", *, big_minor: int = 200) -> pb.TableSettings:
    """Return a table of a game by its name, with as many seats as the deck serves, at most 6."""
    game = game_by_name(name)
    row = game_row(game)
    settings = pb.TableSettings(
        name=title or row.name, room_id=ROOM, seats=min(6, _most_seats(game))
    )
    settings.stake.money.CopyFrom(CURRENCY)
    settings.game.CopyFrom(game)
    _fill_amounts(settings.game, big_minor)
    settings.buy_in.min_minor = 30 * big_minor
    settings.buy_in.max_minor = 100 * big_minor
    # Bots come and go as they please; among people the rulebook's hour is the default.
    settings.buy_in.rat_hole_min = 0
    # A person may sit down at any table, so the base time and the time bank are the rulebook's.
    settings.clock.between_hands_ms = BETWEEN_HANDS_MS
    return settings


def _most_seats(game: pb.GameSettings) -> int:
    row = game_row(game)
    has = len(DECKS[row.deck])
    fits = [n for n in range(2, row.max_seats + 1) if row.cards_needed(n, burn=True) <= has]
    return max(fits)


def _fill_amounts(game: pb.GameSettings, big_minor: int) -> None:
    """Set the blinds, the antes or the bet sizes that the game is played with."""
    row = game_row(game)
    posting = posting_of(game, row)
    game.smallest_chip.minor = _CHIP_MINOR
    if posting is Posting.ANTES:
        game.ante.kind = pb.ANTE_KIND_EVERYONE
        game.ante.amount.minor = _CHIP_MINOR
    else:
        game.big_blind.minor = big_minor
    if row.structures[0] is Structure.FIXED_LIMIT:
        if posting is Posting.ANTES:
            game.small_bet.minor = big_minor
        game.big_bet.minor = 2 * big_minor


def _main() -> pb.TableSettings:
    return game_settings_table("holdem", "Main 1/2")


def _big() -> pb.TableSettings:
    settings = game_settings_table("holdem", "Big 5/10", big_minor=1_000)
    settings.rake.rate_bp = 500
    settings.rake.caps.add(players=2, cap_minor=1_000)
    settings.rake.caps.add(players=4, cap_minor=3_000)
    return settings


def _duel() -> pb.TableSettings:
    settings = game_settings_table("holdem", "Duel 2/4", big_minor=400)
    settings.seats = 2
    settings.game.ante.kind = pb.ANTE_KIND_EVERYONE
    settings.game.ante.amount.minor = 100
    return settings


def _bomb_pots() -> pb.TableSettings:
    settings = game_settings_table("omaha4", "Bomb pots by vote")
    settings.bomb_pot.mode = pb.BOMB_POT_MODE_WHEN_ALL_AGREE
    settings.bomb_pot.amount.minor = 400
    settings.bomb_pot.boards = 2
    return settings


def _bombs_each_circle() -> pb.TableSettings:
    settings = game_settings_table("holdem", "A bomb pot each circle")
    settings.bomb_pot.mode = pb.BOMB_POT_MODE_ONCE_A_CIRCLE
    settings.bomb_pot.amount.minor = 400
    return settings


def _draw_with_antes() -> pb.TableSettings:
    settings = game_settings_table("draw5", "Draw with antes")
    game = settings.game
    game.min_bet.CopyFrom(game.big_blind)
    game.ClearField("big_blind")
    game.ante.kind = pb.ANTE_KIND_EVERYONE
    game.ante.amount.minor = _CHIP_MINOR
    game.redeal_when_checked = True
    return settings


#: Table ids and makers, in the order in which tables are opened; then again with numbers.
BETTING_MENU: Final[Sequence[tuple[str, Maker]]] = (
    ("main-1", _main),
    ("big-1", _big),
    ("duel-1", _duel),
    ("plo4", lambda: game_settings_table("omaha4", "PLO 1/2")),
    ("plo5-hilo", lambda: game_settings_table("omaha5_hilo", "PLO5 hi/lo")),
    ("plo6-double", lambda: game_settings_table("omaha6_double", "PLO6, two boards")),
    ("short-deck", lambda: game_settings_table("short_deck", "Short deck")),
    ("swap", lambda: game_settings_table("swap_holdem", "Swap hold'em")),
    ("stud", lambda: game_settings_table("stud7", "Stud 2/4")),
    ("stud-hilo", lambda: game_settings_table("stud7_hilo", "Stud hi/lo")),
    ("razz", lambda: game_settings_table("razz", "Razz")),
    ("draw", lambda: game_settings_table("draw5", "Draw, two jokers")),
    ("draw-antes", _draw_with_antes),
    ("triple-draw", lambda: game_settings_table("draw27_triple", "2-7 triple draw")),
    ("mata-ases", lambda: game_settings_table("mata_ases", "Mata Ases")),
    ("badugi", lambda: game_settings_table("badugi", "Badugi")),
    ("bomb-vote", _bomb_pots),
    ("bomb-circle", _bombs_each_circle),
)
