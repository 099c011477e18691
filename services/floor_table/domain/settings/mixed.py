"""What is wrong with a table's mix of games (MIX-1, MIX-2)."""

from typing import Final

from floor_table.domain.settings.game import (
    MOST_SEATS,
    Problems,
    bomb_pot_problems,
    game_problems,
    seat_problems,
)
from pokerfloor.api.settings.v1 import settings_pb2 as pb
from pokerfloor.cards import DECKS
from pokerfloor.tablelog import (
    BOARD_GAMES,
    Posting,
    StakeKind,
    from_amount,
    game_row,
    mixed_game_names,
    one_of_mix,
    posting_of,
)

MOST_GAMES: Final = 4

_AMOUNTS: Final = ("smallest_chip", "small_blind", "big_blind", "ante.amount")
_OPTIONS: Final = (
    "game",
    "structure",
    "boards",
    "min_raise",
    "losers",
    "raise_cap",
    "heads_up_uncapped",
    "no_burn",
    "ante",
    "ante.kind",
    "short_blind_counts_full",
    "trips_beat_straight",
    "antes_only",
    "swap_on_river",
)
#: Every path below `mixed` that means something; the options of games are those of board games.
MIXED_PATHS: Final = frozenset(
    [
        "mixed",
        "mixed.games",
        "mixed.mode",
        "mixed.rotate",
        "mixed.ante",
        "mixed.ante.kind",
        *[f"mixed.{name}" for name in _AMOUNTS],
        *[f"mixed.{name}.minor" for name in _AMOUNTS],
        *[f"mixed.games.{name}" for name in _OPTIONS],
        *[f"mixed.games.{name}" for name in (*_AMOUNTS, "small_bet", "big_bet")],
        *[f"mixed.games.{name}.minor" for name in (*_AMOUNTS, "small_bet", "big_bet")],
    ]
)
#: Of these only some values are there; those of the games' options are as elsewhere.
MIXED_VALUES: Final[dict[str, tuple[object, ...]]] = {
    "mixed.mode": (
        pb.MIXED_MODE_DEALERS_CHOICE,
        pb.MIXED_MODE_RANDOM,
        pb.MIXED_MODE_SEQUENCE,
    ),
    "mixed.rotate": (pb.ROTATE_HAND, pb.ROTATE_CIRCLE),
    "mixed.games.game": BOARD_GAMES,
    "mixed.ante.kind": (pb.ANTE_KIND_EVERYONE, pb.ANTE_KIND_BIG_BLIND),
}


def mixed_problems(settings: pb.TableSettings, kind: StakeKind) -> Problems:
    """Yield (path, reason) for all that is wrong with the mix of completed settings.

    Raises LogError for an amount of another kind; its field is a path of a single game.
    """
    mixed = settings.mixed
    if not 2 <= len(mixed.games) <= MOST_GAMES:
        yield "mixed.games", f"a mix is of 2 to {MOST_GAMES} games, not {len(mixed.games)}"
        return
    names = mixed_game_names(mixed)
    if len(set(names)) < len(names):
        yield "mixed.games", f"a game stands in a mix once: {', '.join(names)}"
    if mixed.rotate and mixed.mode != pb.MIXED_MODE_SEQUENCE:
        yield "mixed.rotate", "only a sequence moves on"
    yield from _seats_of_mix(settings)
    for game in mixed.games:
        one = one_of_mix(settings, game)
        for path, reason in game_problems(one, kind):
            yield in_mix(path), reason
        if one.HasField("bomb_pot"):
            for path, reason in bomb_pot_problems(one, kind):
                yield in_mix(path), reason
    yield from _amounts_in_common(mixed, kind)


def in_mix(path: str) -> str:
    """Return the path of a game's setting as it is in a mix."""
    start, _, rest = path.partition(".")
    if start != "game":
        return path
    return f"mixed.games.{rest}" if rest else "mixed.games"


def _seats_of_mix(settings: pb.TableSettings) -> Problems:
    """Yield that the seats are more than the game has that serves the fewest (TBL-1)."""
    served = [(_most_seats(game), game) for game in settings.mixed.games]
    most, game = min(served, key=lambda one: one[0])
    if settings.seats > most:
        found = seat_problems(settings.seats, game_row(game), burn=not game.no_burn)
        for path, reason in found:
            yield path, f"{reason}; this mix is for 2 to {most} seats"


def _most_seats(game: pb.GameSettings) -> int:
    row = game_row(game)
    has, burn = len(DECKS[row.deck]), not game.no_burn
    seats = range(2, min(row.max_seats, MOST_SEATS) + 1)
    return max([number for number in seats if row.cards_needed(number, burn=burn) <= has])


def _amounts_in_common(mixed: pb.MixedSettings, kind: StakeKind) -> Problems:
    """Yield amounts that differ from game to game: the blinds are the same (MIX-1)."""
    for name in ("smallest_chip", "big_blind", "small_blind"):
        amounts = {
            from_amount(getattr(game, name), kind, f"game.{name}")
            for game in mixed.games
            if game.HasField(name)
        }
        if len(amounts) > 1:
            yield f"mixed.games.{name}", f"the same in every game of a mix, not {sorted(amounts)}"
    blinds = [game for game in mixed.games if posting_of(game, game_row(game)) is Posting.BLINDS]
    antes = {game.ante.SerializeToString(deterministic=True) for game in blinds}
    if len(antes) > 1:
        yield "mixed.games.ante", "the same in every game with blinds of a mix"
