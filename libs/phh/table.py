"""From a document's positions to seats, button and forced bets.

Positions are seats 1 to n with the button last; heads-up the first is the big blind and the
second the button, and forced bets are applied in reverse.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Any, Final, TypeVar

from libs.games import (
    GAMES,
    ForcedBet,
    ForcedKind,
    HandSettings,
    HandSetup,
    Losers,
    MinRaise,
    RakeCap,
    RakeRule,
    SeatStack,
    Shortage,
    Structure,
)
from libs.phh.document import Document
from libs.phh.errors import PhhError

_E = TypeVar("_E", bound=StrEnum)

# A stack that the source does not know: more than any bet that was ever recorded.
UNKNOWN_STACK_UNITS: Final = 10**12

# PHH's code for a game -> (row of the catalogue, structure). What is not here is not played yet.
GAMES_BY_VARIANT: Final[Mapping[str, tuple[str, Structure]]] = {
    "FT": ("holdem", Structure.FIXED_LIMIT),
    "NT": ("holdem", Structure.NO_LIMIT),
    "NS": ("short_deck", Structure.NO_LIMIT),
    "PO": ("omaha4", Structure.POT_LIMIT),
    "FO/8": ("omaha4_hilo", Structure.FIXED_LIMIT),
    "F7S": ("stud7", Structure.FIXED_LIMIT),
    "F7S/8": ("stud7_hilo", Structure.FIXED_LIMIT),
    "FR": ("razz", Structure.FIXED_LIMIT),
    "N2L1D": ("draw27_single", Structure.NO_LIMIT),
    "F2L3D": ("draw27_triple", Structure.FIXED_LIMIT),
    "FB": ("badugi", Structure.FIXED_LIMIT),
}


def setup_of(document: Document) -> HandSetup:
    """Return the hand's setup. Raises PhhError when a field makes no sense."""
    game, structure = GAMES_BY_VARIANT[document.variant]
    smallest = own_amount(document, "_smallest_chip", 1)
    stud = GAMES[game].exposed is not None
    fixed = structure is Structure.FIXED_LIMIT
    if fixed and not 0 < document.small_bet <= document.big_bet:
        raise PhhError("a small and a big bet are wanted", "small_bet")
    return HandSetup(
        hand_no=1,
        game=GAMES[game],
        structure=structure,
        settings=HandSettings(
            smallest_chip_minor=smallest,
            min_bet_minor=document.small_bet if fixed else max(document.min_bet, smallest),
            big_bet_minor=document.big_bet,
            min_raise=_choice(document, "_min_raise", MinRaise.INCREMENT),
            raise_cap=_raise_cap(document),
            short_blind_counts_full=bool(document.own.get("_short_blind_counts_full", False)),
            burn=bool(document.own.get("_burn", True)),
            heads_up_uncapped=bool(document.own.get("_heads_up_uncapped", stud)),
            bring_in_minor=document.bring_in,
            open_pair_rule=bool(document.own.get("_open_pair_rule", False)),
            seventh_shortage=_choice(document, "_seventh_shortage", Shortage.COMMUNITY),
            losers=_choice(document, "_losers", Losers.SHOW),
            rake=_rake(document),
            unread_hands_muck=True,
        ),
        seats=tuple(
            SeatStack(seat, UNKNOWN_STACK_UNITS * document.scale if stack is None else stack)
            for seat, stack in enumerate(document.starting_stacks, start=1)
        ),
        button=document.players,
        forced=tuple(_own_forced(document) or _forced(document)),
    )


def _forced(document: Document) -> list[ForcedBet]:
    """Return the forced bets of the standard arrays."""
    players = document.players
    order = [2, 1] if players == 2 else list(range(1, players + 1))
    bets: list[ForcedBet] = []
    antes = list(zip(order, document.antes, strict=True))
    kind = _ante_kind(document)
    bets += [ForcedBet(seat, kind, ante) for seat, ante in antes if ante]
    names = [ForcedKind.SMALL_BLIND, ForcedKind.BIG_BLIND]
    if sum(1 for amount in document.blinds if amount > 0) == 1:
        # The small blind was dead, or it is the button's in short deck (SHD-2).
        names = [ForcedKind.BIG_BLIND] * players
    for index, (seat, amount) in enumerate(zip(order, document.blinds, strict=True)):
        if amount < 0:
            bets.append(ForcedBet(seat, ForcedKind.POST, -amount))
        elif amount:
            straddle = index >= len(names)
            bets.append(ForcedBet(seat, ForcedKind.STRADDLE if straddle else names[index], amount))
    return bets


def _ante_kind(document: Document) -> ForcedKind:
    """Return what the antes are: one for all; layered among each other (POT-1); or dead money.

    Antes that are not trimmed play whole: where nobody is too short for one, that is the same.
    """
    antes = [ante for ante in document.antes if ante]
    if len(antes) < 2:
        return ForcedKind.ANTE_FOR_ALL
    even = len(antes) == document.players and len(set(antes)) == 1
    covered = all(stack is None or stack >= antes[0] for stack in document.starting_stacks)
    layered = even and (document.ante_trimming or covered)
    return ForcedKind.ANTE if layered else ForcedKind.DEAD_SMALL


def _own_forced(document: Document) -> list[ForcedBet]:
    """Return forced bets as this floor writes them: `_forced = ["p1 small_blind 0.50", ...]`."""
    lines: Sequence[Any] = document.own.get("_forced", [])
    bets: list[ForcedBet] = []
    for line in lines:
        try:
            player, kind, amount = str(line).split()
            seat, value = int(player.removeprefix("p")), Decimal(amount)
            bets.append(ForcedBet(seat, ForcedKind(kind), scaled(document, value, "_forced")))
        except (ValueError, InvalidOperation) as error:
            raise PhhError(f"{line!r} is no forced bet", "_forced") from error
    return bets


def _rake(document: Document) -> RakeRule:
    rate = document.own.get("_rake_bp", 0)
    caps: Sequence[Any] = document.own.get("_rake_caps", [])
    if isinstance(rate, bool) or not isinstance(rate, int):
        raise PhhError(f"a whole number is wanted, not {rate!r}", "_rake_bp")
    try:
        return RakeRule(
            rate_bp=rate,
            caps=tuple(
                RakeCap(int(players), scaled(document, Decimal(cap), "_rake_caps"))
                for players, cap in caps
            ),
            no_flop_no_drop=bool(document.own.get("_no_flop_no_drop", True)),
        )
    except (TypeError, ValueError, InvalidOperation) as error:
        raise PhhError(f"{caps!r} are no caps", "_rake_caps") from error


def _raise_cap(document: Document) -> int:
    cap = document.own.get("_raise_cap", 3)
    if isinstance(cap, bool) or not isinstance(cap, int):
        raise PhhError(f"a whole number is wanted, not {cap!r}", "_raise_cap")
    return cap


def _choice(document: Document, field: str, default: _E) -> _E:
    value = document.own.get(field, default)
    try:
        return type(default)(value)
    except ValueError as error:
        raise PhhError(f"{value!r} is none of {[str(v) for v in type(default)]}", field) from error


def own_amount(document: Document, field: str, default: int) -> int:
    """Return an own field that is an amount in the file's unit, in 1/scale."""
    value = document.own.get(field)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise PhhError(f"a number is wanted, not {value!r}", field)
    return scaled(document, Decimal(value), field)


def scaled(document: Document, value: Decimal, field: str) -> int:
    """Return an amount in the file's unit as a whole number of 1/scale."""
    amount = value * document.scale
    if not amount.is_finite() or amount != amount.to_integral_value():
        raise PhhError(f"{value} is no whole number of 1/{document.scale}", field)
    return int(amount)
