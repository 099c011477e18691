"""The setup of a hand: the game, the settings, the seats and the forced bets.

All amounts are integers in minor units of the table's currency.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from pokerfloor.games.rows import GameRow, Structure


class MinRaise(StrEnum):
    """The minimum raise (BET-11)."""

    INCREMENT = "increment"  # by the largest full bet or raise so far on the street
    DOUBLE = "double"  # to twice the largest amount in front


class Losers(StrEnum):
    """Whether a beaten hand is shown at the showdown (SHW-2)."""

    SHOW = "show"
    MUCK = "muck"


class Shortage(StrEnum):
    """What happens if the deck cannot give every seat its last card in stud (STD-6)."""

    COMMUNITY = "community"  # one community card for all
    RESHUFFLE_BURNS = "reshuffle_burns"  # reshuffle the burns, if that suffices


class SecondRoundFirst(StrEnum):
    """Who opens the betting rounds after a draw (DRW-3)."""

    AS_FIRST = "as_first"  # as in the first round
    LEFT_OF_BUTTON = "left_of_button"


class FirstTie(StrEnum):
    """Who opens the first round on equal highest up cards (MAT-2)."""

    RIGHT_OF_BUTTON = "right_of_button"  # the first of them to the right of the button
    LEFT_OF_BUTTON = "left_of_button"


class ForcedKind(StrEnum):
    """The kinds of forced bets. The table decides who posts which; the stack caps the amount."""

    ANTE = "ante"  # each seat's own; dead, layered among antes
    ANTE_FOR_ALL = "ante_for_all"  # one ante for the table, by the big blind; dead, main pot
    BOMB = "bomb"  # each seat's, in a bomb pot; dead, layered like antes (BMB-1)
    SMALL_BLIND = "small_blind"
    BIG_BLIND = "big_blind"
    STRADDLE = "straddle"  # live; the last one moves the opener
    POST = "post"  # of a newcomer or returning player; live (TBL-15)
    DEAD_SMALL = "dead_small"  # a missed small blind; dead, main pot (TBL-16)
    BRING_IN = "bring_in"  # stud's opening bet, posted by the engine (STD-2)


class ForcedBet(NamedTuple):
    """One forced bet at its full amount, before the stack caps it."""

    seat: int
    kind: ForcedKind
    amount: int


class SeatStack(NamedTuple):
    """A seat that is dealt in, with its stack before anything is posted."""

    seat: int
    stack: int


class RakeCap(NamedTuple):
    """The maximum rake of a hand with at least `players` dealt in."""

    players: int
    cap_minor: int


class RakeRule(NamedTuple):
    """The rake rule (POT-10). `caps` ascend by players; the last that fits applies."""

    rate_bp: int = 0
    caps: tuple[RakeCap, ...] = ()
    no_flop_no_drop: bool = True


NO_RAKE: Final = RakeRule()


@dataclass(frozen=True, slots=True)
class HandSettings:
    """The settings of one hand.

    `min_bet_minor` is the big blind; in games without blinds the minimum bet, in fixed-limit the
    small bet. `big_bet_minor` and `raise_cap` are for fixed-limit (BET-30, BET-31), `min_raise` for
    no-limit and pot-limit. For stud: `bring_in_minor` (0 means the small bet), `open_pair_rule` and
    `seventh_shortage` (STD-2, STD-4, STD-6). For draw games: `redeal_when_checked` deals again if
    all check the first round of a game with antes and no blinds (DRW-3); `second_round_first`
    (DRW-3); `max_draw`, 0 for the limit of the game (DRW-4). For Mata Ases: `first_tie` (MAT-2).
    `short_blind_counts_full`: in pot-limit a big blind posted short counts in full for the maximum
    raise (BET-21). `unread_hands_muck`: at the showdown a hand with unknown cards is mucked, as at
    a live table without a card reader (DLR-3) or in a recorded hand; else every face must be known.
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
    short_blind_counts_full: bool = False
    bring_in_minor: int = 0
    open_pair_rule: bool = True
    seventh_shortage: Shortage = Shortage.COMMUNITY
    redeal_when_checked: bool = False
    second_round_first: SecondRoundFirst = SecondRoundFirst.AS_FIRST
    max_draw: int = 0
    first_tie: FirstTie = FirstTie.RIGHT_OF_BUTTON


class Carried(NamedTuple):
    """A pot carried in from earlier hands (MAT-6).

    `seats` can win it (MAT-7); empty means all seats dealt in.
    """

    amount: int
    seats: tuple[int, ...] = ()


NOTHING_CARRIED: Final = Carried(0)


@dataclass(frozen=True, slots=True)
class HandSetup:
    """Everything fixed before the first card of a hand.

    `seats` are the seats dealt in, by ascending seat number. `button` is a seat number and may be
    an empty seat (TBL-11). `forced` is in the order of posting, except that antes are always posted
    before blinds (TBL-14). `carried` is for games that carry pots (MAT-6). `check_setup` says what
    is refused.
    """

    hand_no: int
    game: GameRow
    structure: Structure
    settings: HandSettings
    seats: tuple[SeatStack, ...]
    button: int
    forced: tuple[ForcedBet, ...]
    carried: Carried = NOTHING_CARRIED


def is_bomb_pot(forced: tuple[ForcedBet, ...]) -> bool:
    """Return whether these forced bets make a bomb pot (BMB-1)."""
    return bool(forced) and forced[0].kind is ForcedKind.BOMB


def last_blind(forced: tuple[ForcedBet, ...]) -> int | None:
    """Return the seat of the last straddle, else of the big blind, else None."""
    for kind in (ForcedKind.STRADDLE, ForcedKind.BIG_BLIND):
        seats = [bet.seat for bet in forced if bet.kind is kind]
        if seats:
            return seats[-1]
    return None
