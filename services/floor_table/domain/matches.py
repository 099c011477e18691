"""Who plays the next hand, and the matches that hands of OFC belong to (OFC-6)."""

from typing import Final

from floor_table.domain.parts import Circle, Match, Seat
from floor_table.domain.step import EventTable, StepBuilder
from floor_table.domain.table import Table
from pokerfloor.api.events.v1 import table_events_pb2 as pb
from pokerfloor.games.placement import PlacementHand
from pokerfloor.tablelog import LogError


def next_players(table: Table) -> list[Seat]:
    """Return the seats that can be dealt into the next hand, by number.

    In a match those are its players, whatever they have asked for meanwhile: it waits for the
    match's end. Within a closed circle nobody joins.
    """
    match, circle = table.matches.match, table.matches.circle
    if match is not None and match.seats:
        return [table.seats[number] for number in match.seats]
    ready = [seat for seat in table.by_number() if seat.ready]
    if circle.left:
        inside = [seat for seat in ready if (seat.seat, seat.player_id) in circle.players]
        if len(inside) >= 2:
            return inside
    return ready


def begin_match(step: StepBuilder) -> None:
    """Begin a match, unless one is being played or the game has none."""
    matches = step.table.matches
    if step.table.rules.matches and matches.match is None:
        step.emit(pb.MatchChanged(match_no=matches.begun + 1, began=True))


def fantasyland_owed(table: Table) -> list[pb.FantasylandSeat]:
    """Return who plays the next hand in Fantasyland (OFC-30)."""
    match = table.matches.match
    owed = match.owed if match else ()
    return [pb.FantasylandSeat(seat=seat, cards=cards) for seat, cards in owed]


def follow_match(step: StepBuilder) -> None:
    """End the match after a hand when no Fantasyland is owed in it, or fewer than two are left."""
    match = step.table.matches.match
    if step.hand_ended and match is not None and not match.goes_on:
        step.emit(pb.MatchChanged(match_no=match.match_no, began=False))


# --- events


def _match_changed(table: Table, event: pb.MatchChanged) -> None:
    matches = table.matches
    if table.playing is not None:
        raise LogError("a match changes in a hand", "match_changed")
    if event.began:
        if matches.match is not None or event.match_no != matches.begun + 1:
            raise LogError("matches are numbered without gaps", "match_changed.match_no")
        table.matches = matches._replace(begun=event.match_no, match=Match(event.match_no))
        return
    match = matches.match
    if match is None or match.match_no != event.match_no:
        raise LogError(f"match {event.match_no} is not played", "match_changed.match_no")
    circle = matches.circle
    if match.hands and circle.left:  # one that was voided whole counts for nothing
        circle = circle._replace(left=circle.left - 1)
    table.matches = matches._replace(match=None, circle=circle)


EVENTS: Final[EventTable] = {"match_changed": _match_changed}


def note_match_hand(table: Table, event: pb.HandBegan) -> None:
    """Note which match a hand belongs to that begins."""
    match = table.matches.match
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
        _note_circle(table, players)
    elif seats != match.seats:
        raise LogError("other players than those of the match", "hand_began.seats")
    table.matches = table.matches._replace(match=match._replace(seats=seats))


def _note_circle(table: Table, players: tuple[tuple[int, str], ...]) -> None:
    """Begin a new circle when the old one is over, or cannot be played on without others."""
    circle = table.matches.circle
    if not table.rules.closed_circle or (circle.left and set(players) <= set(circle.players)):
        return
    table.matches = table.matches._replace(circle=Circle(players, len(players)))


def note_scored_hand(table: Table) -> None:
    """Note who has earned Fantasyland and who is out of the match, at the end of a hand (OFC-6)."""
    match, hand = table.matches.match, table.hand
    if match is None or not isinstance(hand, PlacementHand):
        return
    seats = tuple([seat for seat in match.seats if table.seats[seat].stack])
    earned = {one.seat: one.cards for one in hand.state.fantasyland_earned}
    owed = tuple([(seat, earned[seat]) for seat in seats if seat in earned])
    table.matches = table.matches._replace(
        match=match._replace(seats=seats, owed=owed, hands=match.hands + 1)
    )
