"""What somebody may see of a hand of OFC or Scoop: of a hidden layout, its owner alone anything."""

from floor_table.domain.audiences import Audience
from floor_table.domain.placement_clocks import open_placements
from floor_table.domain.state import TableState, TurnClock
from pokerfloor.api.table.v1 import view_pb2 as pb
from pokerfloor.api.table.v1.table_pb2 import VIEW_KIND_AUDITOR, VIEW_KIND_PLAYER
from pokerfloor.games import PlaceKind
from pokerfloor.games.placement import Layout, LayoutRow, PlacementHand, PlacementTurn, SlotRow
from pokerfloor.tablelog import to_places, write_placements

PLACEMENT = "placement"


def is_own(audience: Audience, seat: int) -> bool:
    """Tell whether somebody looks with the eyes of a seat; auditors do with everybody's."""
    own = audience.kind == VIEW_KIND_PLAYER and audience.seat == seat
    return own or audience.kind == VIEW_KIND_AUDITOR


def placement_seats(
    state: TableState, hand: PlacementHand, audience: Audience
) -> list[pb.HandSeatView]:
    """Return the seats of a hand, with their layouts as the audience may know them."""
    tentative = {turn.seat: turn.tentative for turn in open_placements(state)}
    views: list[pb.HandSeatView] = []
    for seat, layout in hand.state.layouts.items():
        own = is_own(audience, seat)
        places = [
            place
            for place in hand.state.cards.places
            if place.kind is PlaceKind.SEAT and place.owner == seat
        ]
        views.append(
            pb.HandSeatView(
                seat=seat,
                places=to_places(sorted(places)),
                placements=write_placements(_known(layout, own=own)),
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


def open_turns(state: TableState) -> list[pb.OpenTurn]:
    """Return every turn that is open, by seat, with its clock."""
    return [
        pb.OpenTurn(
            seat=clock.seat,
            turn_no=clock.turn_no,
            deadline_ms=clock.ends_ms if clock.bank_running else clock.deadline_ms,
            bank_running=clock.bank_running,
        )
        for clock in state.clocks
    ]


def placement_turn(state: TableState, clock: TurnClock) -> pb.YourTurn:
    """Return "your turn" of a seat that is to lay out."""
    turn = next(one for one in open_placements(state) if one.seat == clock.seat)
    return pb.YourTurn(
        hand_no=state.hand_no,
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
