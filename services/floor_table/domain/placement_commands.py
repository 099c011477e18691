"""Commands of OFC and Scoop: move a card in the open, and confirm (OFC-3, OFC-4, SCP-1)."""

from typing import Final

from floor_table.domain.draft import Draft
from floor_table.domain.hand_flow import go_on
from floor_table.domain.inputs import CommandIn
from floor_table.domain.outcome import FloorRefusal
from floor_table.domain.placement_clocks import turn_answered
from floor_table.domain.play_commands import player_of_hand
from floor_table.domain.refusals import invalid, of_hand, unexpected
from floor_table.domain.seats import Seat
from floor_table.domain.state import TurnClock
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.games.placement import ConfirmPlacement, MovePlacement, PlacementHand
from pokerfloor.tablelog import LogError, read_placements

#: How often cards may be moved in the open in one turn.
MOST_MOVES: Final = 60
# More than any turn has cards.
_MOST_PLACEMENTS: Final = 32


def move_placement(draft: Draft, given: CommandIn) -> FloorRefusal | None:
    """Move a card of the first street, for all to see and not for good; its time runs on."""
    wanted = given.command.move_placement
    seat = player_of_hand(draft.state, given, wanted.hand_no, "move_placement")
    if isinstance(seat, FloorRefusal):
        return seat
    back = wanted.placement.row == hand_events_pb2.LAYOUT_ROW_UNSPECIFIED
    try:
        row = None if back else read_placements([wanted.placement])[0].row
    except LogError as error:
        return invalid(error.reason, "move_placement.placement.row")
    moved = MovePlacement(seat.seat, wanted.turn_no, wanted.placement.slot, row)
    clock = _clock_of(draft, given, seat, moved, "move_placement")
    if isinstance(clock, FloorRefusal):
        return clock
    if draft.state.laying.moves >= MOST_MOVES:
        reason = f"cards are moved at most {MOST_MOVES} times in a turn"
        return FloorRefusal(errors_pb2.ERROR_CODE_RATE_LIMITED, reason)
    refused = draft.play(moved)
    assert refused is None, "what was good is refused"
    return None


def confirm_placement(draft: Draft, given: CommandIn) -> FloorRefusal | None:
    """Lay out the cards of a turn for good, in time (CLK-4)."""
    state, wanted = draft.state, given.command.confirm_placement
    seat = player_of_hand(state, given, wanted.hand_no, "confirm_placement")
    if isinstance(seat, FloorRefusal):
        return seat
    field = "confirm_placement.placements"
    if len(wanted.placements) > _MOST_PLACEMENTS:
        return invalid(f"{len(wanted.placements)} cards in one turn", field)
    try:
        placements = read_placements(wanted.placements, field)
    except LogError as error:
        return invalid(error.reason, error.field)
    confirmed = ConfirmPlacement(seat.seat, wanted.turn_no, placements)
    clock = _clock_of(draft, given, seat, confirmed, "confirm_placement")
    if isinstance(clock, FloorRefusal):
        return clock
    turn_answered(draft, seat, clock, given.arrived_at_ms)
    before = state.last
    refused = draft.play(confirmed)
    assert refused is None, "what was good is refused"
    go_on(draft, before)
    return None


def _clock_of(
    draft: Draft,
    given: CommandIn,
    seat: Seat,
    played: MovePlacement | ConfirmPlacement,
    command: str,
) -> TurnClock | FloorRefusal:
    """Return the clock of a seat's turn, if what it does there is good and in time."""
    hand = draft.state.playing
    if not isinstance(hand, PlacementHand):
        return unexpected("no cards are laid out in this game")
    refused = hand.validate(played)
    if refused is not None:
        fields = {
            "turn_no": f"{command}.turn_no",
            "slot": f"{command}.placement.slot",
            "row": f"{command}.placement.row",
            "placements": f"{command}.placements",
            "seat": "",
        }
        return of_hand(refused, fields)
    clock = draft.state.clock_of(seat.seat)
    assert clock is not None, "a turn without a clock"
    if given.arrived_at_ms > clock.ends_ms:
        late_ms = given.arrived_at_ms - clock.ends_ms
        reason = f"it arrived {late_ms} ms after its time"
        return FloorRefusal(errors_pb2.ERROR_CODE_TOO_LATE, reason)
    return clock
