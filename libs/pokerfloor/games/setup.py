"""What a hand begins with: the game, the frozen settings, the seats and who posts what.

Every amount is an integer of the table's currency in minor units.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from pokerfloor.games.rows import GameRow, Structure


class MinRaise(StrEnum):
    """What a raise is at least (BET-11)."""

    INCREMENT = "increment"  # by the largest full bet or raise so far on the street
    DOUBLE = "double"  # to twice the largest amount in front


class Losers(StrEnum):
    """Whether a beaten hand is shown at the showdown (SHW-2)."""

    SHOW = "show"
    MUCK = "muck"


class Shortage(StrEnum):
    """What is done when the deck cannot give every seat its last card in stud (STD-6)."""

    COMMUNITY = "community"  # one community card for all
    RESHUFFLE_BURNS = "reshuffle_burns"  # if it suffices, the last card and the burns are


class SecondRoundFirst(StrEnum):
    """Who begins the rounds after an exchange (DRW-3)."""

    AS_FIRST = "as_first"  # as in the first round
    LEFT_OF_BUTTON = "left_of_button"


class FirstTie(StrEnum):
    """Who begins when equal highest up cards open the first round (MAT-2)."""

    RIGHT_OF_BUTTON = "right_of_button"  # the first of them to the right of the button
    LEFT_OF_BUTTON = "left_of_button"


class ForcedKind(StrEnum):
    """The kinds of forced bets; the table says who posts which, the engine caps it by the stack."""

    ANTE = "ante"  # each seat's own; dead, layered among antes
    ANTE_FOR_ALL = "ante_for_all"  # one ante for the table, by the big blind; dead, main pot
    BOMB = "bomb"  # each seat's, in a bomb pot; dead, layered like antes (BMB-1)
    SMALL_BLIND = "small_blind"
    BIG_BLIND = "big_blind"
    STRADDLE = "straddle"  # live; the last one moves the opener
    POST = "post"  # of a newcomer or returning player; live (TBL-15)
    DEAD_SMALL = "dead_small"  # a missed small blind; dead, main pot (TBL-16)
    BRING_IN = "bring_in"  # stud's opening bet, posted by the engine once the up cards lie (STD-2)


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
    `min_raise` in no-limit and pot-limit only. `bring_in_minor` (0 is the small bet),
    `open_pair_rule` and `seventh_shortage` are stud's (STD-2, STD-4, STD-6). `redeal_when_checked`:
    in a draw game with antes and no blinds, cards are dealt anew when the first round is checked by
    all (DRW-3). `second_round_first` and `max_draw` are draw's too (DRW-3, DRW-4): 0 allows as
    many cards as the game does. `first_tie` is Mata Ases' (MAT-2). `short_blind_counts_full`: in
    pot-limit a big blind posted short counts in full for the largest raise (BET-21). With
    `unread_hands_muck` a hand whose cards nobody could read is mucked at the showdown, as at a live
    table without a card reader (DLR-3) and in a recorded hand; without it, every face must be
    known.
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
    """A carried pot that lies in the main pot of the hand (MAT-6).

    `seats` are those that can win it (MAT-7); empty: all that are dealt in.
    """

    amount: int
    seats: tuple[int, ...] = ()


NOTHING_CARRIED: Final = Carried(0)


@dataclass(frozen=True, slots=True)
class HandSetup:
    """Everything that is fixed before the first card of a hand.

    `seats` are the seats dealt in, by ascending seat number. `button` is a seat number and may be
    an empty seat (TBL-11). `forced` is in the order of posting among equals; antes are posted
    before blinds whatever the order (TBL-14). `carried` is for games in which pots are carried
    (MAT-6). See `check_setup` for what is refused.
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
    """Tell whether these are the forced bets of a bomb pot (BMB-1)."""
    return bool(forced) and forced[0].kind is ForcedKind.BOMB


def last_blind(forced: tuple[ForcedBet, ...]) -> int | None:
    """Return the seat of the last straddle, or else of the big blind, or None."""
    for kind in (ForcedKind.STRADDLE, ForcedKind.BIG_BLIND):
        seats = [bet.seat for bet in forced if bet.kind is kind]
        if seats:
            return seats[-1]
    return None
