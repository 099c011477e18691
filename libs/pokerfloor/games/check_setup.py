"""Check the setup of a hand."""

from functools import lru_cache

from pokerfloor.cards import DECKS
from pokerfloor.games.check_row import check_row
from pokerfloor.games.refusal import Code, Refusal
from pokerfloor.games.rows import GameRow, Structure
from pokerfloor.games.setup import (
    ForcedBet,
    ForcedKind,
    HandSettings,
    HandSetup,
    RakeRule,
    SecondRoundFirst,
)

# At most one of each of these in a hand.
_SINGLE = (ForcedKind.SMALL_BLIND, ForcedKind.BIG_BLIND, ForcedKind.ANTE_FOR_ALL)
# Games opened by exposed cards have no blinds; for the bring-in see below.
_WITH_UP_CARDS = {ForcedKind.ANTE, ForcedKind.BRING_IN}


def check_setup(setup: HandSetup) -> tuple[Refusal, ...]:
    """Return every reason to refuse this setup; empty if it is valid."""
    row = check_row(setup.game)
    if row is not None:
        return (row,)
    found = [*_check_settings(setup.settings, setup.structure), *_check_choices(setup)]
    if setup.structure not in setup.game.structures:
        known = ", ".join(setup.game.structures)
        reason = f"{setup.game.name} is played {known}, not {setup.structure}"
        found.append(Refusal(Code.BAD_SETTINGS, reason, "structure"))
    if found:
        return tuple(found)
    # The smallest chip is a divisor here.
    return (*_check_seats(setup), *_check_forced(setup), *_check_carried(setup))


def _check_carried(setup: HandSetup) -> list[Refusal]:
    """Check a carried pot: the game carries pots, its seats are dealt in (MAT-6, MAT-7)."""
    amount, seats = setup.carried
    if not amount and not seats:
        return []
    dealt_in = [seat for seat, _ in setup.seats]
    chip = setup.settings.smallest_chip_minor
    problems: list[str] = []
    if amount and not setup.game.carries():
        problems.append(f"no pot is carried in {setup.game.name}")
    if amount < 0 or amount % chip:
        problems.append(f"a carried pot of {amount}, in chips of {chip}")
    if not set(seats) <= set(dealt_in) or list(seats) != sorted(set(seats)):
        problems.append(f"a carried pot for seats {seats}: those dealt in, ascending, each once")
    if seats and not amount:
        problems.append("seats that can win a carried pot of nothing")
    return [Refusal(Code.BAD_CARRIED_POT, problem, "carried") for problem in problems]


@lru_cache(maxsize=256)  # settings repeat hand after hand
def _check_settings(settings: HandSettings, structure: Structure) -> tuple[Refusal, ...]:
    chip = settings.smallest_chip_minor
    if chip < 1:
        return (_bad_settings(f"the smallest chip is {chip}", "smallest_chip_minor"),)
    found: list[Refusal] = []
    sizes = [("min_bet_minor", settings.min_bet_minor)]
    if structure is Structure.FIXED_LIMIT:
        sizes.append(("big_bet_minor", settings.big_bet_minor))
        if settings.big_bet_minor < settings.min_bet_minor:
            reason = f"the big bet is {settings.big_bet_minor}, less than the small bet"
            found.append(_bad_settings(reason, "big_bet_minor"))
        if settings.raise_cap < 1:
            found.append(_bad_settings(f"a cap of {settings.raise_cap} raises", "raise_cap"))
    for field, amount in sizes:
        if amount < 1 or amount % chip:
            found.append(_bad_settings(f"{amount} is no bet in chips of {chip}", field))
    if not 0 <= settings.bring_in_minor <= settings.min_bet_minor or settings.bring_in_minor % chip:
        reason = f"a bring-in of {settings.bring_in_minor}, in chips of {chip}"
        found.append(_bad_settings(reason, "bring_in_minor"))
    return (*found, *_check_rake(settings.rake))


def _check_choices(setup: HandSetup) -> list[Refusal]:
    """Check the settings of the draw (DRW-3, DRW-4)."""
    settings, game = setup.settings, setup.game
    draws = [street.draw for street in game.streets if street.draw is not None]
    found: list[Refusal] = []
    most = settings.max_draw
    if most and not all(one.min_discards <= most <= one.max_discards for one in draws):
        found.append(_bad_settings(f"at most {most} cards drawn in {game.name}", "max_draw"))
    if not draws:
        if most:
            found.append(_bad_settings(f"{game.name} has no draw", "max_draw"))
        if settings.second_round_first is not SecondRoundFirst.AS_FIRST:
            found.append(_bad_settings(f"{game.name} has no draw", "second_round_first"))
    return found


def _check_rake(rake: RakeRule) -> list[Refusal]:
    found: list[Refusal] = []
    if not 0 <= rake.rate_bp <= 10_000:
        found.append(_bad_settings(f"a rake of {rake.rate_bp} basis points", "rake.rate_bp"))
    if rake.caps:
        players = [cap.players for cap in rake.caps]
        if players != sorted(set(players)) or any(cap.cap_minor < 0 for cap in rake.caps):
            reason = "rake caps ascend by players and are not negative"
            found.append(_bad_settings(reason, "rake.caps"))
    return found


def _bad_settings(reason: str, field: str) -> Refusal:
    return Refusal(Code.BAD_SETTINGS, reason, f"settings.{field}")


def _check_seats(setup: HandSetup) -> list[Refusal]:
    seats = tuple([seat for seat, _ in setup.seats])
    chip = setup.settings.smallest_chip_minor
    found = [*_check_numbers(setup.game, seats)]
    if setup.button < 0:
        found.append(Refusal(Code.BAD_SEATS, f"a button on seat {setup.button}", "button"))
    for seat, stack in setup.seats:
        if stack < 1 or stack % chip:
            reason = f"seat {seat} has {stack}, which is no stack in chips of {chip}"
            found.append(Refusal(Code.BAD_SEATS, reason, "seats"))
    return [*found, *_check_deck(setup.game, len(seats), setup.settings.burn)]


# Cached: the same players and buttons come again.
@lru_cache(maxsize=4096)
def _check_numbers(game: GameRow, seats: tuple[int, ...]) -> tuple[Refusal, ...]:
    found: list[Refusal] = []
    if not 2 <= len(seats) <= game.max_seats:
        reason = f"{game.name} is for 2 to {game.max_seats} seats, not {len(seats)}"
        found.append(Refusal(Code.BAD_SEATS, reason, "seats"))
    if list(seats) != sorted(set(seats)) or (seats and seats[0] < 0):
        reason = f"seat numbers ascend, each once: {list(seats)}"
        found.append(Refusal(Code.BAD_SEATS, reason, "seats"))
    return tuple(found)


@lru_cache(maxsize=4096)
def _check_deck(game: GameRow, seats: int, burn: bool) -> tuple[Refusal, ...]:
    needed = game.cards_needed(seats, burn=burn)
    has = len(DECKS[game.deck])
    if needed <= has:
        return ()
    reason = f"{game.cards_sum(seats, burn=burn)} = {needed} cards, the deck has {has}"
    return (Refusal(Code.DECK_TOO_SMALL, reason, "seats"),)


def _check_forced(setup: HandSetup) -> tuple[Refusal, ...]:
    settings = setup.settings
    seats = tuple([seat for seat, _ in setup.seats])
    chip, redeal = settings.smallest_chip_minor, settings.redeal_when_checked
    return _check_bets(setup.game, setup.forced, seats, chip, redeal)


@lru_cache(maxsize=4096)
def _check_bets(
    game: GameRow,
    forced: tuple[ForcedBet, ...],
    dealt_in: tuple[int, ...],
    chip: int,
    redeal: bool,
) -> tuple[Refusal, ...]:
    seats = set(dealt_in)
    problems = [
        f"a {kind} of {amount} by seat {seat}, in chips of {chip}"
        for seat, kind, amount in forced
        if seat not in seats or amount < 1 or amount % chip
    ]
    kinds = [bet.kind for bet in forced]
    problems += [f"more than one {kind}" for kind in _SINGLE if kinds.count(kind) > 1]
    if len({(seat, kind) for seat, kind, _ in forced}) != len(forced):
        problems.append("a seat posts the same forced bet twice")
    if not forced:
        problems.append("nobody posts anything, so there is nothing to play for")
    if game.exposed is not None and set(kinds) - _WITH_UP_CARDS:  # STD-1, MAT-1
        problems.append(f"{game.name} has antes and no blinds")
    if ForcedKind.BRING_IN in kinds:
        problems.append("a bring-in is posted once the up cards lie, not before the deal")
    for kind in (ForcedKind.ANTE, ForcedKind.BOMB):
        if kind in kinds:
            problems += _ante_problems(forced, kind, seats)
    if redeal and set(kinds) != {ForcedKind.ANTE}:
        problems.append("cards are dealt again only in a game with antes and no blinds")
    if ForcedKind.BOMB in kinds:
        problems += _bomb_problems(game, forced)
    return tuple([Refusal(Code.BAD_FORCED_BETS, problem, "forced") for problem in problems])


def _bomb_problems(game: GameRow, forced: tuple[ForcedBet, ...]) -> list[str]:
    """Check a bomb pot: only the agreed amount, in a game that allows it (BMB-1, BMB-2)."""
    if not game.bomb_pots:
        return [f"{game.name} is not played as a bomb pot"]
    if any(bet.kind is not ForcedKind.BOMB for bet in forced):
        return ["a bomb pot has no blinds and no antes"]
    return []


def _ante_problems(forced: tuple[ForcedBet, ...], kind: ForcedKind, seats: set[int]) -> list[str]:
    antes = [bet for bet in forced if bet.kind is kind]
    uneven = len({bet.amount for bet in antes}) > 1
    if uneven or {bet.seat for bet in antes} != seats:
        return [f"{kind}s are posted by every seat dealt in, all alike"]
    return []
