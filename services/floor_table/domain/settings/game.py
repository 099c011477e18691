"""What is wrong with a table's game: its amounts, options that are not its own, the deck."""

from collections.abc import Callable, Iterator
from typing import Final

from pokerfloor.api.settings.v1 import settings_pb2 as pb
from pokerfloor.cards import DECKS
from pokerfloor.games import GameRow, Opener, Structure
from pokerfloor.tablelog import (
    LogError,
    Posting,
    StakeKind,
    from_amount,
    game_row,
    least_bet_field,
    most_discards,
    posting_of,
    structure_of,
)

# The largest amount of a setting: what ten seats bring of it is far below `MAX_AMOUNT`.
MOST_MINOR: Final = 10**12
MOST_SEATS: Final = 10
_MOST_RAISES: Final = 100

# Options that choose the row: a row that is given as a file has them in itself.
_CHOOSE_THE_ROW: Final = (
    "trips_beat_straight",
    "swap_on_river",
    "jokers",
    "joker",
    "natural_wins_ties",
    "second_round_first",
    "max_draw",
)

Problems = Iterator[tuple[str, str]]

# Options of some games only, by their names in GameSettings, with a word for whose they are.
_ONLY_IN: Final[dict[str, tuple[str, Callable[[GameRow], bool]]]] = {
    "trips_beat_straight": ("short deck", lambda row: row.deck == "short36"),
    "antes_only": (
        "short deck",
        lambda row: row.streets[0].opener is Opener.LEFT_OF_BUTTON,
    ),
    "swap_on_river": ("swap hold'em", lambda row: row.swaps()),
    "bring_in": ("stud", lambda row: row.streets[0].opener is Opener.BRING_IN),
    "open_pair_rule": ("stud", lambda row: any(street.open_pair for street in row.streets)),
    "seventh_shortage": ("stud", lambda row: row.community_last),
    "jokers": ("five-card draw", lambda row: row.id.startswith("draw5")),
    "joker": ("five-card draw", lambda row: row.id.startswith("draw5")),
    "natural_wins_ties": ("five-card draw", lambda row: row.id.startswith("draw5")),
    "second_round_first": ("five-card draw", lambda row: row.id.startswith("draw5")),
    "ofc": ("OFC", lambda _: False),
    "max_draw": ("draw games", lambda row: row.draws_from(0)),
    "redeal_when_checked": ("draw games", lambda row: row.draws_from(0)),
    "min_bet": (
        "games with antes and no blinds",
        lambda row: row.draws_from(0) or row.carries(),
    ),
    "first_tie": ("Mata Ases", lambda row: row.streets[0].opener is Opener.HIGHEST_UP),
    "carry_for": ("Mata Ases", lambda row: row.carries()),
}


def game_problems(settings: pb.TableSettings, kind: StakeKind) -> Problems:
    """Yield (path, reason) for all that is wrong with the game of completed settings.

    Raises LogError for a game that is none, and for an amount of another kind.
    """
    game = settings.game
    row = game_row(game)
    options = {field.name for field, _ in game.ListFields()}
    for name, (whose, has) in _ONLY_IN.items():
        if name in options and not has(row):
            yield f"game.{name}", f"only {whose} has this, not {row.name}"
    if game.custom_row_json:
        for name in _CHOOSE_THE_ROW:
            if name in options:
                yield f"game.{name}", "a row of one's own says this itself"
    structure = structure_of(game)
    if structure not in row.structures:
        yield "game.structure", f"{row.name} is played {', '.join(row.structures)} only"
    if game.raise_cap > _MOST_RAISES:
        yield "game.raise_cap", f"at most {_MOST_RAISES} raises"
    if row.draws_from(0) and game.max_draw > most_discards(row):
        most = most_discards(row)
        yield "game.max_draw", f"at most {most} cards are exchanged in {row.name}"
    if game.redeal_when_checked and posting_of(game, row) is not Posting.ANTES:
        yield "game.redeal_when_checked", "cards are dealt again in games without blinds only"
    yield from _amount_problems(game, row, structure, kind)
    yield from seat_problems(settings.seats, row, burn=not game.no_burn)


def _amount_problems(
    game: pb.GameSettings, row: GameRow, structure: Structure, kind: StakeKind
) -> Problems:
    chip = _amount(game, "smallest_chip", kind)
    if not 1 <= chip <= MOST_MINOR:
        yield "game.smallest_chip", f"no chip is worth {chip}"
        return
    posting = posting_of(game, row)
    fixed = structure is Structure.FIXED_LIMIT
    for name, words in _unwanted(row, posting, fixed=fixed):
        if game.HasField(name):  # type: ignore[arg-type]  # one of the amounts
            yield f"game.{name}", words
    has_blind = posting is not Posting.ANTES or row.streets[0].opener is Opener.LEFT_OF_BUTTON
    big_blind = _amount(game, "big_blind", kind) if has_blind else 0
    for name, low, high in _ranges(game, posting, big_blind, kind, fixed=fixed):
        value = _amount(game, name, kind)
        if not low <= value <= high or value % chip:
            yield f"game.{name}", f"{value} is not {low} to {high} in chips of {chip}"
    yield from _ante_problems(game, posting, big_blind, chip, kind)
    if row.carries() and game.ante.kind:
        ante = from_amount(game.ante.amount, kind, "game.ante.amount")
        if _amount(game, "min_bet", kind) != ante:
            yield "game.min_bet", f"the least bet is the ante, {ante} (MAT-2)"


def _ranges(
    game: pb.GameSettings, posting: Posting, big_blind: int, kind: StakeKind, *, fixed: bool
) -> Iterator[tuple[str, int, int]]:
    """Yield the amounts that a game must have, and between what they must be."""
    if big_blind or posting is not Posting.ANTES:
        yield "big_blind", 1, MOST_MINOR
    if posting is Posting.BLINDS:
        yield "small_blind", 0, big_blind
    if fixed:
        small_bet = _amount(game, "small_bet", kind)
        yield "small_bet", big_blind or 1, big_blind or MOST_MINOR
        yield "big_bet", small_bet, MOST_MINOR
        if game.HasField("bring_in"):
            yield "bring_in", 1, small_bet
    if game.HasField("min_bet"):
        least = _amount(game, "small_bet", kind) if fixed else 1
        yield "min_bet", least, least if fixed else MOST_MINOR


def _unwanted(row: GameRow, posting: Posting, *, fixed: bool) -> Iterator[tuple[str, str]]:
    """Yield the amounts that mean nothing in a game, with the reason."""
    if not fixed:
        for name in ("small_bet", "big_bet"):
            yield name, "only fixed-limit has bet sizes"
    if posting is not Posting.BLINDS:
        yield "small_blind", f"{row.name} has no small blind with these settings"
    if posting is Posting.ANTES and row.streets[0].opener is not Opener.LEFT_OF_BUTTON:
        yield "big_blind", f"{row.name} has no blinds with these settings"


def _ante_problems(
    game: pb.GameSettings, posting: Posting, big_blind: int, chip: int, kind: StakeKind
) -> Problems:
    if not game.ante.kind:
        if game.ante.HasField("amount"):
            yield "game.ante.kind", "an ante that nobody posts"
        if posting is not Posting.BLINDS:
            yield "game.ante.kind", "this game is played with an ante from everyone"
        return
    if posting is not Posting.BLINDS and game.ante.kind != pb.ANTE_KIND_EVERYONE:
        yield "game.ante.kind", "everyone posts the ante of this game"
    ante = from_amount(game.ante.amount, kind, "game.ante.amount")
    if not 1 <= ante <= MOST_MINOR or ante % chip:
        yield "game.ante.amount", f"an ante of {ante} in chips of {chip}"
    elif posting is not Posting.BLINDS and big_blind and ante != big_blind:
        yield "game.ante.amount", f"the ante is one big blind, {big_blind} (SHD-2)"


def seat_problems(seats: int, row: GameRow, *, burn: bool) -> Problems:
    """Yield why a game is not for so many seats: its own limit, and what the deck has (TBL-1)."""
    most = min(row.max_seats, MOST_SEATS)
    if not 2 <= seats <= most:
        yield "seats", f"{row.name} is for 2 to {most} seats, not {seats}"
        return
    needed, has = row.cards_needed(seats, burn=burn), len(DECKS[row.deck])
    if needed > has:
        total = f"{row.cards_sum(seats, burn=burn)} = {needed} cards"
        yield "seats", f"{row.name} with {seats} seats takes {total}, and the deck has {has}"


def least_bet(settings: pb.TableSettings, kind: StakeKind) -> int:
    """Return the least bet of a table's game. Raises LogError."""
    return _amount(settings.game, least_bet_field(settings.game), kind)


def _amount(game: pb.GameSettings, name: str, kind: StakeKind) -> int:
    try:
        return from_amount(getattr(game, name), kind, f"game.{name}")
    except LogError as error:
        present = game.HasField(name)  # type: ignore[arg-type]  # one of the amounts
        if present:
            raise
        raise LogError(f"{name} is not said", error.field) from error


# --- bomb pots


def bomb_game(settings: pb.TableSettings) -> pb.GameSettings:
    """Return the game of a table's bomb pots: the table's own, with the boards agreed for them."""
    game = pb.GameSettings()
    game.CopyFrom(settings.game)
    game.boards = settings.bomb_pot.boards or game.boards
    return game


def bomb_pot_problems(settings: pb.TableSettings, kind: StakeKind) -> Problems:
    """Yield (path, reason) for all that is wrong with a table's bomb pots. Raises LogError."""
    bomb, row = settings.bomb_pot, game_row(settings.game)
    if bomb.mode == pb.BOMB_POT_MODE_NEVER:
        return
    if not row.bomb_pots:
        yield "bomb_pot", f"{row.name} is not played as a bomb pot"
        return
    chip = from_amount(settings.game.smallest_chip, kind, "game.smallest_chip")
    amount = from_amount(bomb.amount, kind, "bomb_pot.amount")
    least = least_bet(settings, kind)
    # Who enters by posting posts the bomb pot's amount in its place (TBL-15).
    if not least <= amount <= MOST_MINOR or amount % chip:
        yield "bomb_pot.amount", f"{amount} is not {least} or more in chips of {chip}"
    if bomb.mode == pb.BOMB_POT_MODE_EVERY_N_HANDS:
        if not 1 <= bomb.every_n <= 10_000:
            yield "bomb_pot.every_n", "a bomb pot every 1 to 10,000 hands"
    elif bomb.every_n:
        yield "bomb_pot.every_n", "a number of hands is for every_n_hands only"
    burn = not settings.game.no_burn
    for _, reason in seat_problems(settings.seats, game_row(bomb_game(settings)), burn=burn):
        yield "bomb_pot.boards", reason
