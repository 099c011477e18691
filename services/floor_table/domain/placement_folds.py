"""How events of OFC, of Scoop and of readiness change the state of a table."""

from collections.abc import Callable
from typing import Any, Final

from floor_table.domain.placement_state import Asked, Circle, Match, Readiness
from floor_table.domain.state import TableState
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.events.v1 import table_events_pb2 as pb
from pokerfloor.games.placement import PlacementHand
from pokerfloor.tablelog import LogError

# --- matches (OFC-6)


def match_changed(state: TableState, event: pb.MatchChanged) -> None:
    """Begin a match, or end the one that is played."""
    matches = state.matches
    if state.playing is not None:
        raise LogError("a match changes in a hand", "match_changed")
    if event.began:
        if matches.match is not None or event.match_no != matches.begun + 1:
            raise LogError("matches are numbered without gaps", "match_changed.match_no")
        state.matches = matches._replace(begun=event.match_no, match=Match(event.match_no))
        return
    match = matches.match
    if match is None or match.match_no != event.match_no:
        raise LogError(f"match {event.match_no} is not played", "match_changed.match_no")
    circle = matches.circle
    if match.hands and circle.left:  # one that was voided whole counts for nothing
        circle = circle._replace(left=circle.left - 1)
    state.matches = matches._replace(match=None, circle=circle)


def note_match_hand(state: TableState, event: pb.HandBegan) -> None:
    """Note that a hand was opened: of which match, and that play goes on."""
    note_play(state)
    match = state.matches.match
    if event.match_no != (match.match_no if match else 0):
        raise LogError("a hand of another match", "hand_began.match_no")
    if match is None:
        return
    players = tuple([(seat.seat, seat.player_id) for seat in event.seats])
    fantasyland = tuple([(one.seat, one.cards) for one in event.fantasyland])
    if fantasyland != match.owed:
        raise LogError("a hand with another Fantasyland than was earned", "hand_began.fantasyland")
    seats = tuple([seat for seat, _ in players])
    if not match.seats:
        _note_circle(state, players)
    elif seats != match.seats:
        raise LogError("other players than those of the match", "hand_began.seats")
    state.matches = state.matches._replace(match=match._replace(seats=seats))


def _note_circle(state: TableState, players: tuple[tuple[int, str], ...]) -> None:
    """Begin a new circle when the old one is over, or cannot be played on without others."""
    circle = state.matches.circle
    if not state.rules.closed_circle or (circle.left and set(players) <= set(circle.players)):
        return
    state.matches = state.matches._replace(circle=Circle(players, len(players)))


def note_scored_hand(state: TableState) -> None:
    """Note who has earned Fantasyland and who is out of the match, at the end of a hand (OFC-6)."""
    match, hand = state.matches.match, state.hand
    if match is None or not isinstance(hand, PlacementHand):
        return
    seats = tuple([seat for seat in match.seats if state.seats[seat].stack])
    earned = {one.seat: one.cards for one in hand.state.fantasyland_earned}
    owed = tuple([(seat, earned[seat]) for seat in seats if seat in earned])
    state.matches = state.matches._replace(
        match=match._replace(seats=seats, owed=owed, hands=match.hands + 1)
    )


# --- time in a hand (OFC-40, OFC-41)


def base_time_left(state: TableState, event: pb.BaseTimeLeft) -> None:
    """Note what a seat has left of its base time for the rest of the hand."""
    if not state.in_hand(event.seat):
        raise LogError(f"seat {event.seat} is not in the hand", "base_time_left.seat")
    state.laying = state.laying.with_left(event.seat, event.left_ms)


def time_ran_out(state: TableState, event: pb.TimeRanOut) -> None:
    """Note that a seat is away whose time has run out: its whole hand is laid out (OFC-41)."""
    seat = state.seats.get(event.seat)
    if seat is None:
        raise LogError(f"nobody is at seat {event.seat}", "time_ran_out.seat")
    if state.rules.base_for_hand and not seat.connected:
        laid_out = {*state.laying.laid_out, event.seat}
        state.laying = state.laying._replace(laid_out=tuple(sorted(laid_out)))


def _placement_moved(state: TableState, _: hand_events_pb2.PlacementMoved) -> None:
    state.laying = state.laying._replace(moves=state.laying.moves + 1)


def _placement_confirmed(state: TableState, event: hand_events_pb2.PlacementConfirmed) -> None:
    state.stop_clock(event.seat)
    state.laying = state.laying._replace(moves=0)


PLACEMENT_NOTES: Final[dict[str, Callable[[TableState, Any], None]]] = {
    "placement_confirmed": _placement_confirmed,
    "placement_moved": _placement_moved,
}

# --- readiness (TBL-6)


def note_play(state: TableState) -> None:
    """Note that play has begun: nobody is asked until it has stopped."""
    if state.rules.confirm_ready:
        state.readiness = Readiness(agreed=True)


def ready_changed(state: TableState, event: pb.ReadyChanged) -> None:
    """Note who is asked, and who is ready."""
    if not state.rules.confirm_ready:
        raise LogError("nobody is asked at this table", "ready_changed")
    if event.seat:
        if event.seat not in state.seats:
            raise LogError(f"nobody is at seat {event.seat}", "ready_changed.seat")
        asked = Asked(event.seat, event.deadline_ms, event.ready)
        state.readiness = state.readiness.told(asked)
    elif event.deadline_ms:
        state.readiness = Readiness(
            asked=tuple(
                [Asked(seat.seat, event.deadline_ms) for seat in state.by_number() if seat.ready]
            )
        )
    else:
        state.readiness = Readiness()
