"""Open-face Chinese and Scoop: what a seat sets, its scores, and who may see what of a layout."""

from typing import Final

from floor_table.domain.any_hand import open_placements
from floor_table.domain.audiences import Audience
from floor_table.domain.clocks import InTime, execute_in_time, take_time
from floor_table.domain.inputs import CommandIn, ScoringIn
from floor_table.domain.parts import Seat, TurnClock
from floor_table.domain.refusal import invalid, of_hand, unexpected
from floor_table.domain.step import CommandTable, EventTable, InputTable, StepBuilder
from floor_table.domain.table import Table
from floor_table.domain.validate import seat_in_hand
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.table.v1 import view_pb2 as pb
from pokerfloor.games import PlaceKind
from pokerfloor.games.placement import (
    ConfirmPlacement,
    Layout,
    LayoutRow,
    MovePlacement,
    PlacementHand,
    PlacementTurn,
    Scored,
    SlotRow,
    WaitScoring,
)
from pokerfloor.refusal import Refusal
from pokerfloor.tablelog import (
    LogError,
    from_score_response,
    read_placements,
    to_places,
    write_placements,
)

#: How often cards may be moved in the open in one turn.
MOST_MOVES: Final = 60
# More than any turn has cards.
_MOST_PLACEMENTS: Final = 32

# --- commands (OFC-3, OFC-4, SCP-1)


def move_placement(step: StepBuilder, given: CommandIn) -> Refusal | None:
    """Move a card of the first street, for all to see and not for good; its time runs on."""
    wanted = given.command.move_placement
    seat = seat_in_hand(step.table, given, wanted.hand_no, "move_placement")
    if isinstance(seat, Refusal):
        return seat
    back = wanted.placement.row == hand_events_pb2.LAYOUT_ROW_UNSPECIFIED
    try:
        row = None if back else read_placements([wanted.placement])[0].row
    except LogError as error:
        return invalid(error.reason, "move_placement.placement.row")
    moved = MovePlacement(seat.seat, wanted.turn_no, wanted.placement.slot, row)
    good = _in_turn(step, given, seat, moved)
    if isinstance(good, Refusal):
        return good
    if step.table.placing.moves >= MOST_MOVES:
        reason = f"cards are moved at most {MOST_MOVES} times in a turn"
        return Refusal(errors_pb2.ERROR_CODE_RATE_LIMITED, reason)
    step.record(good.executed)
    return None


def confirm_placement(step: StepBuilder, given: CommandIn) -> Refusal | None:
    """Set the cards of a turn for good, in time (CLK-4)."""
    wanted = given.command.confirm_placement
    seat = seat_in_hand(step.table, given, wanted.hand_no, "confirm_placement")
    if isinstance(seat, Refusal):
        return seat
    field = "confirm_placement.placements"
    if len(wanted.placements) > _MOST_PLACEMENTS:
        return invalid(f"{len(wanted.placements)} cards in one turn", field)
    try:
        placements = read_placements(wanted.placements, field)
    except LogError as error:
        return invalid(error.reason, error.field)
    good = _in_turn(step, given, seat, ConfirmPlacement(seat.seat, wanted.turn_no, placements))
    if isinstance(good, Refusal):
        return good
    take_time(step, seat, good.clock, given.arrived_at_ms)
    step.record(good.executed)
    return None


def _in_turn(
    step: StepBuilder, given: CommandIn, seat: Seat, played: MovePlacement | ConfirmPlacement
) -> InTime | Refusal:
    """Let the hand execute what a seat does in its turn, if it is good and in time."""
    if not isinstance(step.table.playing, PlacementHand):
        return unexpected("no cards are set in this game")
    fields = {
        "turn_no": f"{given.kind}.turn_no",
        "slot": f"{given.kind}.placement.slot",
        "row": f"{given.kind}.placement.row",
        "placements": f"{given.kind}.placements",
        "seat": "",
    }
    return execute_in_time(step, given, seat.seat, played, fields)


COMMANDS: Final[CommandTable] = {
    "confirm_placement": confirm_placement,
    "move_placement": move_placement,
}

# --- scores (OFC-10 to OFC-35, SCP-2 to SCP-5)


def score_hand(step: StepBuilder, given: ScoringIn) -> Refusal | None:
    """Take the scores of a hand, after checking that they can be true."""
    table = step.table
    wait = table.playing.waits_for() if table.playing is not None else None
    if not isinstance(wait, WaitScoring):
        return unexpected("no scores are waited for")
    if given.hand_no != table.hand_no:
        return unexpected(f"hand {given.hand_no} has another score")
    try:
        result = from_score_response(wait.request, given.scored, given.settled)
    except LogError as error:
        return Refusal(errors_pb2.ERROR_CODE_BAD_SHOWDOWN, error.reason, error.field)
    refused = step.play(Scored(result))
    return None if refused is None else of_hand(refused)


INPUTS: Final[InputTable] = {ScoringIn: score_hand}

# --- events


def _placement_moved(table: Table, _: hand_events_pb2.PlacementMoved) -> None:
    table.placing = table.placing._replace(moves=table.placing.moves + 1)


def _placement_confirmed(table: Table, event: hand_events_pb2.PlacementConfirmed) -> None:
    table.stop_clock(event.seat)
    table.placing = table.placing._replace(moves=0)


HAND_EVENTS: Final[EventTable] = {
    "placement_confirmed": _placement_confirmed,
    "placement_moved": _placement_moved,
}

# --- views


def placement_seats(hand: PlacementHand, audience: Audience) -> list[pb.HandSeatView]:
    """Return the seats of a hand: of a hidden layout, its owner alone sees anything."""
    tentative = {turn.seat: turn.tentative for turn in open_placements(hand)}
    views: list[pb.HandSeatView] = []
    for seat, layout in hand.state.layouts.items():
        places = [
            place
            for place in hand.state.cards.places
            if place.kind is PlaceKind.SEAT and place.owner == seat
        ]
        views.append(
            pb.HandSeatView(
                seat=seat,
                places=to_places(sorted(places)),
                placements=write_placements(_known(layout, own=audience.owns(seat))),
                tentative=write_placements(tentative.get(seat, ())),
                streets_confirmed=layout.streets,
            )
        )
    return views


def _known(layout: Layout, *, own: bool) -> tuple[SlotRow, ...]:
    """Return where cards lie for good: all for their owner, for others what is open."""
    if own:
        discards = [SlotRow(place.slot, LayoutRow.DISCARD) for place in layout.discards]
        return tuple(sorted([*layout.by_slot(), *discards]))
    return () if layout.hidden else layout.by_slot()


def open_turns(table: Table) -> list[pb.OpenTurn]:
    """Return every turn that is open, by seat, with its clock."""
    return [
        pb.OpenTurn(
            seat=clock.seat,
            turn_no=clock.turn_no,
            deadline_ms=clock.ends_ms if clock.bank_running else clock.deadline_ms,
            bank_running=clock.bank_running,
        )
        for clock in table.clocks
    ]


def placement_turn(table: Table, hand: PlacementHand, clock: TurnClock) -> pb.YourTurn:
    """Return "your turn" of a seat that is to set cards."""
    turn = next(one for one in open_placements(hand) if one.seat == clock.seat)
    return pb.YourTurn(
        hand_no=table.hand_no,
        turn_no=turn.turn_no,
        seat=turn.seat,
        deadline_ms=clock.deadline_ms,
        bank_ms=clock.bank_ms,
        choices=[pb.CHOICE_KIND_PLACEMENT],
        placement=_choice(turn),
    )


def _choice(turn: PlacementTurn) -> pb.PlacementChoice:
    return pb.PlacementChoice(
        street=turn.street_no,
        slots=[place.slot for place in turn.places],
        to_place=turn.to_place,
        room=[
            pb.RowRoom(row=write_placements([SlotRow(1, room.row)])[0].row, cards=room.cards)
            for room in turn.room
        ],
        moves=turn.up,
        hidden=turn.hidden,
    )
