"""A turn: what a player knows when it is to act, and what it may do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol, Self, TypeAlias

from pokerfloor.api.events.v1 import hand_events_pb2 as events
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.api.table.v1 import table_pb2, view_pb2
from pokerfloor.cards import Card
from pokerfloor.client.mirror_state import amount_of
from pokerfloor.client.placement import Placement, move_message
from pokerfloor.games.placement import LayoutRow
from pokerfloor.tablelog import placement_game

ActionKind: TypeAlias = "events.ActionKind.ValueType"


class Seated(Protocol):
    """What a turn is answered through: the table that it belongs to."""

    async def act(
        self, hand_no: int, turn_no: int, kind: ActionKind, to: int | None = None
    ) -> table_pb2.CommandResult:
        """Send an action."""
        ...

    async def discard(
        self, hand_no: int, turn_no: int, slots: Iterable[int]
    ) -> table_pb2.CommandResult:
        """Send a discard."""
        ...

    async def swap(self, hand_no: int, turn_no: int, slots: Iterable[int]) -> Turn:
        """Send a swap; gives the same turn with the new cards."""
        ...

    async def choose_facing(
        self, hand_no: int, turn_no: int, *, face_down: bool
    ) -> table_pb2.CommandResult:
        """Send how the next card comes."""
        ...

    async def answer_split(self, hand_no: int, *, agrees: bool) -> table_pb2.CommandResult:
        """Send whether to split a pot."""
        ...

    async def confirm_placement(
        self, hand_no: int, turn_no: int, placements: Iterable[events.SlotPlacement]
    ) -> table_pb2.CommandResult:
        """Send where cards are laid for good."""
        ...

    async def move_placement(
        self, hand_no: int, turn_no: int, placement: events.SlotPlacement
    ) -> table_pb2.CommandResult:
        """Send where a card is moved in the open."""
        ...


@dataclass(frozen=True, slots=True)
class SlotRange:
    """Hole cards that may be discarded: `least` to `most` of those at `slots`."""

    least: int
    most: int
    slots: tuple[int, ...]

    @classmethod
    def of(cls, choice: view_pb2.SlotChoice) -> Self:
        """Read a choice of "your turn"."""
        return cls(choice.least, choice.most, tuple(choice.slots))


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
        """Return an allowed total near to `to`."""
        if self.sizes:
            return min(self.sizes, key=lambda size: abs(size - to))
        if to >= self.max_to:
            return self.max_to
        return max(self.min_to, to // self.chip * self.chip)


@dataclass(frozen=True, slots=True)
class Legal:
    """The legal set (BET-3). "To" amounts are totals in front of the seat, "by" is put in now.

    `call_by` is 0 when there is nothing to call; `bet` and `raise_` are None when they
    are not allowed.
    """

    fold: bool
    check: bool
    call_by: int
    call_to: int
    call_all_in: bool
    bet: RaiseRange | None
    raise_: RaiseRange | None

    @classmethod
    def of(cls, legal: view_pb2.LegalActions, chip: int) -> Self:
        """Read the legal set of "your turn"; `chip` is the table's smallest."""
        has = legal.HasField
        return cls(
            legal.can_fold,
            legal.can_check,
            amount_of(legal.call_option.by) if has("call_option") else 0,
            amount_of(legal.call_option.to) if has("call_option") else 0,
            legal.call_option.all_in,
            RaiseRange.of(legal.bet_option, chip) if has("bet_option") else None,
            RaiseRange.of(legal.raise_option, chip) if has("raise_option") else None,
        )


@dataclass(frozen=True, slots=True)
class Turn:
    """One decision. Every method sends it and returns when the table has stored it.

    `game` are the settings that the hand is played by. `own_slots` are the slots of `hole_cards`,
    in the same order once all of them are known. `boards` are the open cards of each board,
    `community_cards` the other community cards. `discard` is set when cards may be discarded, and
    then nothing else is allowed; `swap` while cards may be swapped before acting; `placement` when
    cards are to be set, and then nothing else is allowed. `pot` is all that can be won now, `stack`
    what lies behind; `deadline_ms` is the clock, and `bank_ms` what the time bank holds after that.
    Methods raise CommandRefused; a turn that is over is refused with STALE_TURN or TOO_LATE.
    """

    hand_no: int
    turn_no: int
    seat: int
    game: settings_pb2.GameSettings
    street_name: str
    deadline_ms: int
    bank_ms: int
    hole_cards: tuple[Card, ...]
    own_slots: tuple[int, ...]
    boards: tuple[tuple[Card, ...], ...]
    community_cards: tuple[Card, ...]
    pot: int
    stack: int
    opponents: int
    legal: Legal
    discard: SlotRange | None
    swap: SlotRange | None
    choices: frozenset[view_pb2.ChoiceKind.ValueType]
    placement: Placement | None
    _table: Seated = field(repr=False, compare=False)

    @property
    def asks_facing(self) -> bool:
        """Whether the next own card is to come up or down, and nothing else is asked (MAT-3)."""
        return view_pb2.CHOICE_KIND_FACING in self.choices

    @property
    def asks_split(self) -> bool:
        """Whether to split a pot that nobody qualified for, and nothing else is asked (MAT-6)."""
        return view_pb2.CHOICE_KIND_SPLIT in self.choices

    @property
    def board(self) -> tuple[Card, ...]:
        """The first board's open cards."""
        return self.boards[0]

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

    async def all_in(self) -> None:
        """Put in the whole stack: a call, bet or raise, as the rules have it (BET-1)."""
        await self._do(events.ACTION_KIND_ALL_IN)

    async def check_or_call(self) -> None:
        """Check when that is free, else call."""
        await (self.check() if self.legal.check else self.call())

    async def check_or_fold(self) -> None:
        """Check when that is free, else fold; or choose what is chosen for who does not answer.

        That is to keep as many cards as is allowed, a card face up, no to a split, and cards laid
        out in the order received (OFC-42, SCP-6).
        """
        if self.placement is not None:
            order = placement_game(self.game).fill_order
            await self.lay_out(self.placement.rows_in_order(order))
        elif self.discard is not None:
            await self.discard_cards(self.discard.slots[: self.discard.least])
        elif self.asks_facing:
            await self.choose_facing(face_down=False)
        elif self.asks_split:
            await self.answer_split(agrees=False)
        else:
            await (self.check() if self.legal.check else self.fold())

    async def discard_cards(self, slots: Iterable[int] = ()) -> None:
        """Discard the hole cards at these slots and draw as many; none is to stand pat."""
        await self._table.discard(self.hand_no, self.turn_no, slots)

    async def swap_cards(self, slots: Iterable[int]) -> Turn:
        """Swap the hole cards at these slots; return the same turn with the new cards."""
        return await self._table.swap(self.hand_no, self.turn_no, slots)

    async def choose_facing(self, *, face_down: bool) -> None:
        """Take the next card down, the earlier down card coming up, or take it up."""
        await self._table.choose_facing(self.hand_no, self.turn_no, face_down=face_down)

    async def answer_split(self, *, agrees: bool) -> None:
        """Say whether to split; the pot is carried unless everybody agrees."""
        await self._table.answer_split(self.hand_no, agrees=agrees)

    async def lay_out(self, rows: Iterable[LayoutRow]) -> None:
        """Lay the cards of the turn out for good: a row for each of `placement.slots`."""
        assert self.placement is not None, "no cards are to be set"
        placements = self.placement.messages(rows)
        await self._table.confirm_placement(self.hand_no, self.turn_no, placements)

    async def move(self, slot: int, row: LayoutRow | None) -> None:
        """Move a card in the open, or take it back with None; the turn goes on (OFC-3)."""
        await self._table.move_placement(self.hand_no, self.turn_no, move_message(slot, row))

    async def _do(self, kind: ActionKind, to: int | None = None) -> None:
        await self._table.act(self.hand_no, self.turn_no, kind, to)
