"""A turn: what a player knows when it is to act, and what it may do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Self, TypeAlias

from libs.cards import Card
from libs.client.mirror_state import amount_of
from libs.floorapi.floor.events.v1 import hand_events_pb2 as events
from libs.floorapi.floor.table.v1 import table_pb2, view_pb2

ActionKind: TypeAlias = "events.ActionKind.ValueType"
Act = Callable[[int, int, ActionKind, int | None], Awaitable[table_pb2.CommandResult]]
"""Sends an action: (hand_no, turn_no, kind, to)."""


@dataclass(frozen=True, slots=True)
class RaiseRange:
    """Totals that a bet or raise may make it, in whole chips of `chip` (but for the whole stack).

    `sizes` are set where only certain totals are allowed.
    """

    min_to: int
    max_to: int
    sizes: tuple[int, ...] = ()
    chip: int = 1

    @classmethod
    def of(cls, option: view_pb2.RaiseOption, chip: int) -> Self:
        """Read an option of the legal set; `chip` is the table's smallest."""
        sizes = tuple(amount_of(size) for size in option.sizes_to)
        return cls(amount_of(option.min_to), amount_of(option.max_to), sizes, chip)

    def nearest(self, to: int) -> int:
        """Give an allowed total near to `to`."""
        if self.sizes:
            return min(self.sizes, key=lambda size: abs(size - to))
        if to >= self.max_to:
            return self.max_to
        return max(self.min_to, to // self.chip * self.chip)


@dataclass(frozen=True, slots=True)
class Legal:
    """The legal set (BET-3). "To" amounts are totals in front of the seat, "by" is put in now.

    `call_by` is 0 when there is nothing to call; `bet`, `raise_` and `complete` are None when they
    are not allowed.
    """

    fold: bool
    check: bool
    call_by: int
    call_to: int
    call_all_in: bool
    bet: RaiseRange | None
    raise_: RaiseRange | None
    complete: RaiseRange | None

    @classmethod
    def of(cls, legal: view_pb2.LegalActions, chip: int) -> Self:
        """Read the legal set of "your turn"; `chip` is the table's smallest."""
        has = legal.HasField
        return cls(
            legal.fold,
            legal.check,
            amount_of(legal.call.by) if has("call") else 0,
            amount_of(legal.call.to) if has("call") else 0,
            legal.call.all_in,
            RaiseRange.of(legal.bet, chip) if has("bet") else None,
            RaiseRange.of(getattr(legal, "raise"), chip) if has("raise") else None,
            RaiseRange.of(legal.complete, chip) if has("complete") else None,
        )


@dataclass(frozen=True, slots=True)
class Turn:
    """One decision. Every method sends it and returns when the table has stored it.

    `pot` is all that can be won now, `stack` what lies behind; `deadline_ms` is the table's clock
    in ms since the Unix epoch, and `bank_ms` what the time bank holds after that. Methods raise
    CommandRefused; a turn that is over is refused with STALE_TURN or TOO_LATE.
    """

    hand_no: int
    turn_no: int
    seat: int
    street_name: str
    deadline_ms: int
    bank_ms: int
    own_cards: tuple[Card, ...]
    board: tuple[Card, ...]
    pot: int
    stack: int
    opponents: int
    legal: Legal
    _act: Act = field(repr=False, compare=False)

    async def fold(self) -> None:
        """Give up the hand."""
        await self._do(events.ACTION_KIND_FOLD)

    async def check(self) -> None:
        """Owe nothing and bet nothing."""
        await self._do(events.ACTION_KIND_CHECK)

    async def call(self) -> None:
        """Put in what is owed, or all there is."""
        await self._do(events.ACTION_KIND_CALL)

    async def bet_to(self, to: int) -> None:
        """Bet, so that `to` lies in front of the seat."""
        await self._do(events.ACTION_KIND_BET, to)

    async def raise_to(self, to: int) -> None:
        """Raise, so that `to` lies in front of the seat."""
        await self._do(events.ACTION_KIND_RAISE, to)

    async def complete_to(self, to: int) -> None:
        """Complete a bring-in (STD-2)."""
        await self._do(events.ACTION_KIND_COMPLETE, to)

    async def all_in(self) -> None:
        """Put in the whole stack: a call, bet or raise, as the rules have it (BET-1)."""
        await self._do(events.ACTION_KIND_ALL_IN)

    async def check_or_call(self) -> None:
        """Check when that is free, else call."""
        await (self.check() if self.legal.check else self.call())

    async def check_or_fold(self) -> None:
        """Check when that is free, else fold."""
        await (self.check() if self.legal.check else self.fold())

    async def _do(self, kind: ActionKind, to: int | None = None) -> None:
        await self._act(self.hand_no, self.turn_no, kind, to)
