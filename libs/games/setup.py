"""What a hand begins with: the game, the frozen settings, the seats and who posts what.

Every amount is an integer of the table's currency in minor units.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from libs.games.rows import GameRow


class Structure(StrEnum):
    """How much may be bet."""

    NO_LIMIT = "no_limit"
    POT_LIMIT = "pot_limit"
    FIXED_LIMIT = "fixed_limit"


class MinRaise(StrEnum):
    """What a raise is at least (BET-11)."""

    INCREMENT = "increment"  # by the largest full bet or raise so far on the street
    DOUBLE = "double"  # to twice the largest amount in front


class Losers(StrEnum):
    """Whether a beaten hand is shown at the showdown (SHW-2)."""

    SHOW = "show"
    MUCK = "muck"


class ForcedKind(StrEnum):
    """The kinds of forced bets; the table says who posts which, the engine caps it by the stack."""

    ANTE = "ante"  # each seat's own; dead, layered among antes
    ANTE_FOR_ALL = "ante_for_all"  # one ante for the table, by the big blind; dead, main pot
    SMALL_BLIND = "small_blind"
    BIG_BLIND = "big_blind"
    STRADDLE = "straddle"  # live; the last one moves the opener
    POST = "post"  # of a newcomer or returning player; live (TBL-15)
    DEAD_SMALL = "dead_small"  # a missed small blind; dead, main pot (TBL-16)


class ForcedBet(NamedTuple):
    """One forced bet at its full amount, before the stack caps it."""

    seat: int
    kind: ForcedKind
    amount: int


class SeatStack(NamedTuple):
    """A seat that is dealt in, with what it has before anything is posted."""

    seat: int
    stack: int


class RakeCap(NamedTuple):
    """The most rake of a hand in which at least `players` were dealt in."""

    players: int
    cap_minor: int


class RakeRule(NamedTuple):
    """POT-10. `caps` ascend by players; the last that fits applies; empty means no cap."""

    rate_bp: int = 0
    caps: tuple[RakeCap, ...] = ()
    no_flop_no_drop: bool = True


NO_RAKE: Final = RakeRule()


@dataclass(frozen=True, slots=True)
class HandSettings:
    """The table's settings as they are for one hand.

    `min_bet_minor` is the big blind (in games without blinds: the least bet; in fixed-limit: the
    small bet). `big_bet_minor` and `raise_cap` mean something in fixed-limit only (BET-30, BET-31),
    `min_raise` in no-limit and pot-limit only. With `unread_hands_muck` a hand whose cards nobody
    could read is mucked at the showdown, as at a live table without a card reader (DLR-3) and in a
    recorded hand; without it, every face must be known.
    """

    smallest_chip_minor: int
    min_bet_minor: int
    big_bet_minor: int = 0
    min_raise: MinRaise = MinRaise.INCREMENT
    raise_cap: int = 3
    heads_up_uncapped: bool = False
    losers: Losers = Losers.SHOW
    rake: RakeRule = NO_RAKE
    burn: bool = True
    unread_hands_muck: bool = False


@dataclass(frozen=True, slots=True)
class HandSetup:
    """Everything that is fixed before the first card of a hand.

    `seats` are the seats dealt in, by ascending seat number. `button` is a seat number and may be
    an empty seat (TBL-11). `forced` is in the order of posting among equals; antes are posted
    before blinds whatever the order (TBL-14). See `check_setup` for what is refused.
    """

    hand_no: int
    game: GameRow
    structure: Structure
    settings: HandSettings
    seats: tuple[SeatStack, ...]
    button: int
    forced: tuple[ForcedBet, ...]


def last_blind(forced: tuple[ForcedBet, ...]) -> int | None:
    """Return the seat of the last straddle, or else of the big blind, or None."""
    for kind in (ForcedKind.STRADDLE, ForcedKind.BIG_BLIND):
        seats = [bet.seat for bet in forced if bet.kind is kind]
        if seats:
            return seats[-1]
    return None
