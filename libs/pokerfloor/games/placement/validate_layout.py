"""Validate moves and placements (OFC-4, SCP-1)."""

from collections.abc import Sequence

from pokerfloor.games.placement.inputs import ConfirmPlacement, MovePlacement
from pokerfloor.games.placement.layouts import LayoutRow, Room, SlotRow
from pokerfloor.games.placement.waits import PlacementTurn
from pokerfloor.games.places import Place
from pokerfloor.games.refusal import Code, Refusal


def move_refusal(turn: PlacementTurn, given: MovePlacement) -> Refusal | None:
    """Return why a move is refused, or None."""
    if not turn.up:
        reason = f"cards of street {turn.street_no} are placed by confirming, not by moves"
        return Refusal(Code.MOVE_NOT_ALLOWED, reason)
    slot, row = given.slot, given.row
    held = _slot_refusal(turn.places, (slot,), "slot")
    if held is not None:
        return held
    lies = dict(turn.tentative).get(slot)
    if lies is row:
        where = "no row" if row is None else f"the {row} row"
        return Refusal(Code.ALREADY_THERE, f"slot {slot} lies in {where} already", "row")
    if row is LayoutRow.DISCARD:
        return Refusal(Code.WRONG_DISCARDS, "no card of this street may be discarded", "row")
    if row is None:
        return None
    rows = [row, *[one.row for one in turn.tentative if one.slot != slot]]
    return _room_refusal(turn.room, rows, "row")


def confirm_refusal(turn: PlacementTurn, given: ConfirmPlacement) -> Refusal | None:
    """Return why a confirmation is refused, or None."""
    placements = given.placements
    slots = tuple([slot for slot, _ in placements])
    problem = _slot_refusal(turn.places, slots, "placements")
    if problem is not None:
        return problem
    rows = [row for _, row in placements if row is not LayoutRow.DISCARD]
    if len(rows) < turn.to_place:
        reason = f"{len(rows)} cards placed, {turn.to_place} must be"
        return Refusal(Code.TOO_FEW_PLACED, reason, "placements")
    given_up, must = len(placements) - len(rows), len(turn.places) - turn.to_place
    if given_up != must or len(rows) > turn.to_place:
        reason = (
            f"{len(rows)} cards placed and {given_up} discarded, not {turn.to_place} and {must}"
        )
        return Refusal(Code.WRONG_DISCARDS, reason, "placements")
    return _room_refusal(turn.room, rows, "placements")


def _slot_refusal(places: tuple[Place, ...], slots: tuple[int, ...], field: str) -> Refusal | None:
    held = [place.slot for place in places]
    strange = next((slot for slot in slots if slot not in held), None)
    if strange is not None:
        listed = ", ".join(map(str, held))
        reason = f"slot {strange} is not a card to set now; these are slots {listed}"
        return Refusal(Code.SLOT_NOT_HELD, reason, field)
    twice = next((slot for slot in slots if slots.count(slot) > 1), None)
    if twice is not None:
        return Refusal(Code.SLOT_TWICE, f"slot {twice} is set twice", field)
    return None


def _room_refusal(room: tuple[Room, ...], rows: Sequence[LayoutRow], field: str) -> Refusal | None:
    for row, cards in room:
        laid = rows.count(row)
        if laid > cards:
            reason = f"the {row} row takes {cards} more cards, not {laid}"
            return Refusal(Code.ROW_OVERFILLED, reason, field)
    return None


def open_placements(placements: tuple[SlotRow, ...]) -> tuple[SlotRow, ...]:
    """Return the public part of a confirmation in open play: discards are not named."""
    return tuple(sorted([one for one in placements if one.row is not LayoutRow.DISCARD]))
