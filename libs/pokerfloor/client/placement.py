"""Placement: what a player knows of layouts, and what a turn to set cards allows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

from pokerfloor.api.events.v1 import hand_events_pb2 as events
from pokerfloor.api.table.v1 import view_pb2
from pokerfloor.cards import Card
from pokerfloor.client.mirror_deck import OWN
from pokerfloor.client.mirror_state import HandMirror
from pokerfloor.games.placement import LayoutRow, SlotRow
from pokerfloor.tablelog import read_placements, write_placements


@dataclass(frozen=True, slots=True)
class Placement:
    """Cards to set (OFC-4, SCP-1): all of `slots` are named, `to_place` of them in rows.

    `cards` are the faces of `slots`, in the same order once all are known. `room` is what the rows
    still take, from the top, `laid` what lies in them. `moves`: cards may be moved in the open
    before they are confirmed; `hidden`: others learn nothing before all have confirmed.
    """

    street: int
    slots: tuple[int, ...]
    cards: tuple[Card, ...]
    to_place: int
    room: Mapping[LayoutRow, int]
    laid: Mapping[LayoutRow, tuple[Card, ...]]
    moves: bool
    hidden: bool

    @classmethod
    def of(cls, choice: view_pb2.PlacementChoice, hand: HandMirror, seat: int) -> Self:
        """Read a choice of "your turn", with the cards of that seat."""
        known = hand.own | hand.faces
        slots = tuple(choice.slots)
        room = {
            row: room.cards
            for room in choice.room
            for _, row in read_placements([events.SlotPlacement(slot=1, row=room.row)])
        }
        laid = {
            row: tuple(
                known[OWN, seat, slot]
                for slot, lies in sorted(hand.seats[seat].laid.items())
                if lies is row and (OWN, seat, slot) in known
            )
            for row in room
        }
        cards = tuple(known[OWN, seat, slot] for slot in slots if (OWN, seat, slot) in known)
        return cls(
            choice.street,
            slots,
            cards,
            choice.to_place,
            room,
            laid,
            moves=choice.moves,
            hidden=choice.hidden,
        )

    def rows_in_order(self, game_order: Iterable[LayoutRow]) -> tuple[LayoutRow, ...]:
        """Return a row for each card, as set for a player who does not answer (OFC-42, SCP-6)."""
        free = [row for row in game_order for _ in range(self.room[row])]
        given_up = len(self.slots) - self.to_place
        return (*free[: self.to_place], *[LayoutRow.DISCARD] * given_up)

    def messages(self, rows: Iterable[LayoutRow]) -> list[events.SlotPlacement]:
        """Return the wire's words for a row for each of `slots`, in their order."""
        return write_placements(
            [SlotRow(slot, row) for slot, row in zip(self.slots, rows, strict=True)]
        )


def move_message(slot: int, row: LayoutRow | None) -> events.SlotPlacement:
    """Return the wire's words for a card moved to a row, or taken back."""
    if row is None:
        return events.SlotPlacement(slot=slot)
    return write_placements([SlotRow(slot, row)])[0]
