"""From a document's positions to seats, button and forced bets.

Positions are seats 1 to n with the button last; heads-up the first is the big blind and the
second the button, and forced bets are applied in reverse.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from pokerfloor.games import ForcedBet, ForcedKind, GameRow, HandSetup, SeatStack, Structure
from pokerfloor.phh.document import Document
from pokerfloor.phh.errors import PhhError
from pokerfloor.phh.settings import carried_of, scaled, settings_of

# A stack that the source does not know: more than any bet that was ever recorded.
UNKNOWN_STACK_UNITS: Final = 10**12


def setup_of(document: Document, game: GameRow, structure: Structure) -> HandSetup:
    """Return the hand's setup. Raises PhhError when a field makes no sense."""
    return HandSetup(
        hand_no=1,
        game=game,
        structure=structure,
        settings=settings_of(document, game, structure),
        seats=seats_of(document),
        button=document.players,
        forced=tuple(_own_forced(document) or _forced(document)),
        carried=carried_of(document),
    )


def seats_of(document: Document) -> tuple[SeatStack, ...]:
    """Return the seats in the order of position, with what they begin with."""
    unknown = UNKNOWN_STACK_UNITS * document.scale
    return tuple(
        [
            SeatStack(seat, unknown if stack is None else stack)
            for seat, stack in enumerate(document.starting_stacks, start=1)
        ]
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
