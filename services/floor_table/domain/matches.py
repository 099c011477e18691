"""Who plays the next hand, and the matches that hands of OFC belong to (OFC-6)."""

from floor_table.domain.draft import Draft
from floor_table.domain.seats import Seat
from floor_table.domain.state import TableState
from pokerfloor.api.events.v1 import table_events_pb2 as pb
from pokerfloor.api.events.v1.table_events_pb2 import TableEvent


def next_players(state: TableState) -> list[Seat]:
    """Return the seats that can be dealt into the next hand, by number.

    In a match those are its players, whatever they have asked for meanwhile: it waits for the
    match's end. Within a closed circle nobody joins.
    """
    match, circle = state.matches.match, state.matches.circle
    if match is not None and match.seats:
        return [state.seats[number] for number in match.seats]
    ready = [seat for seat in state.by_number() if seat.ready]
    if circle.left:
        inside = [seat for seat in ready if (seat.seat, seat.player_id) in circle.players]
        if len(inside) >= 2:
            return inside
    return ready


def begin_match(draft: Draft) -> None:
    """Begin a match, unless one is being played or the game has none."""
    matches = draft.state.matches
    if draft.state.rules.matches and matches.match is None:
        began = pb.MatchChanged(match_no=matches.begun + 1, began=True)
        draft.emit(TableEvent(match_changed=began))


def fantasyland_owed(state: TableState) -> list[pb.FantasylandSeat]:
    """Return who plays the next hand in fantasy (OFC-30)."""
    match = state.matches.match
    owed = match.owed if match else ()
    return [pb.FantasylandSeat(seat=seat, cards=cards) for seat, cards in owed]


def follow_match(draft: Draft) -> None:
    """End the match after a hand when no fantasy is owed in it, or fewer than two are left."""
    match = draft.state.matches.match
    if match is not None and not match.goes_on:
        ended = pb.MatchChanged(match_no=match.match_no, began=False)
        draft.emit(TableEvent(match_changed=ended))
