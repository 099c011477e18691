"""Who is dealt into the next hand, where the button goes and who posts what (TBL-10 to TBL-17)."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from floor_table.domain.inputs import CardsIn
from floor_table.domain.parts import Draw, LastHand
from floor_table.domain.step import EventTable, StepBuilder
from floor_table.domain.table import Table
from floor_table.domain.validate import drawn_cards
from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.events.v1 import table_events_pb2 as pb
from pokerfloor.refusal import Refusal
from pokerfloor.tablelog import LogError, Posting

_RING: Final = 64  # more than any table has seats

# --- the plan of a hand


class Candidate(NamedTuple):
    """A seat that can be in the next hand.

    `entering` seats need the big blind or a post to be dealt in; `post` is what they chose.
    """

    seat: int
    player_id: str
    entering: bool
    post: bool


class Plan(NamedTuple):
    """The next hand: seats dealt in by number; `posts` are those that enter by posting.

    `small` and `big` are 0 in games without blinds.
    """

    dealt: tuple[int, ...]
    button: int
    small: int
    big: int
    posts: tuple[int, ...]

    def from_button(self) -> list[int]:
        """Return the seats dealt in, from the left of the button."""
        after = [seat for seat in self.dealt if seat > self.button]
        return after + [seat for seat in self.dealt if seat <= self.button]


def plan_hand(candidates: Sequence[Candidate], last: LastHand) -> Plan | None:
    """Return the next hand, or None when the button has to be drawn first.

    `candidates` are by seat number, at least two.
    """
    assert len(candidates) >= 2, "a hand is for two at least"
    if last.drawn:
        return _after_draw(candidates, last)
    before = set(last.dealt)
    movers = [one for one in candidates if (one.seat, one.player_id) in before]
    if len(movers) < 2:
        return None
    return _moved(candidates, movers, last)


def plan_without_blinds(candidates: Sequence[Candidate], last: LastHand) -> Plan | None:
    """Return the next hand of a game with antes, or None when the button has to be drawn first.

    Everybody is dealt in (TBL-15, SHD-2). The button is moved by who was in the last hand
    (TBL-11); a blind that goes with it is nobody's in two hands running.
    """
    assert len(candidates) >= 2, "a hand is for two at least"
    before = set(last.dealt)
    movers = [one for one in candidates if (one.seat, one.player_id) in before]
    drawn = last.drawn
    ring = _clockwise(candidates if drawn else movers, last.button - drawn)
    if len(ring) < 2:
        return None
    button = next(one for one in ring if one.player_id != last.big_player)
    return Plan(tuple([one.seat for one in candidates]), button.seat, 0, 0, ())


def passed(before: int, now: int, seat: int) -> bool:
    """Tell whether a blind that went clockwise from one seat to another passed a seat."""
    if not before or before == now:
        return False
    return _distance(before, seat) < _distance(before, now) and seat != before


def _distance(start: int, seat: int) -> int:
    return (seat - start) % _RING


def _clockwise(candidates: Sequence[Candidate], after: int) -> list[Candidate]:
    """Return the seats from the one after `after` round to it."""
    return sorted(candidates, key=lambda one: (one.seat <= after, one.seat))


def _after_draw(candidates: Sequence[Candidate], last: LastHand) -> Plan:
    """Everybody is dealt in and nobody posts to enter; the drawn seat is the button.

    Where that would make somebody post the big blind in two hands running, all move on by one.
    """
    ring = _clockwise(candidates, last.button - 1)
    count = len(ring)
    for step in range(count):
        button = ring[step]
        small = button if count == 2 else ring[(step + 1) % count]
        big = ring[(step + (1 if count == 2 else 2)) % count]
        if big.player_id != last.big_player:
            dealt = tuple([one.seat for one in candidates])
            return Plan(dealt, button.seat, small.seat, big.seat, ())
    raise AssertionError("every seat posted the last big blind")


def _moved(candidates: Sequence[Candidate], movers: Sequence[Candidate], last: LastHand) -> Plan:
    ring = _clockwise(movers, last.button)
    entrants = [one for one in candidates if one not in movers]
    for_big = [*movers, *[one for one in entrants if one.player_id != last.big_player]]
    options = [_roles(ring, step, for_big) for step in range(len(ring))]
    if len(movers) == 2:
        # When two become three, the newcomer is the big blind, whichever way that turns the button.
        for button, small, big in options:
            if big in entrants:
                return _plan(candidates, movers, button, small, big)
        candidates = movers  # nobody else can enter heads-up
    for button, small, big in options:
        if big.player_id != last.big_player:
            return _plan(candidates, movers, button, small, big)
    raise AssertionError("every seat posted the last big blind")


def _roles(
    ring: Sequence[Candidate], step: int, for_big: Sequence[Candidate]
) -> tuple[Candidate, Candidate, Candidate]:
    """Return button, small and big blind when the button goes `step` seats further than usual."""
    count = len(ring)
    button, small = ring[step % count], ring[(step + 1) % count]
    big = _clockwise(for_big, small.seat)[0]
    if big == button:  # heads-up the button posts the small blind (TBL-12)
        return button, button, small
    return button, small, big


def _plan(
    candidates: Sequence[Candidate],
    movers: Sequence[Candidate],
    button: Candidate,
    small: Candidate,
    big: Candidate,
) -> Plan:
    dealt: list[int] = []
    posts: list[int] = []
    reach = _distance(button.seat, big.seat)
    for one in candidates:
        if one in movers or one == big:
            dealt.append(one.seat)
        elif _distance(button.seat, one.seat) > reach and (one.post or not one.entering):
            dealt.append(one.seat)
            if one.entering:
                posts.append(one.seat)
    posts.sort(key=lambda seat: _distance(button.seat, seat))
    return Plan(tuple(dealt), button.seat, small.seat, big.seat, tuple(posts))


# --- the draw for the first button (TBL-10)


def draw_places(seats: Sequence[int]) -> list[cards_pb2.Place]:
    """Return the places of a draw for the button, in the order of the deck."""
    kind = cards_pb2.PLACE_KIND_BUTTON_DRAW
    return [cards_pb2.Place(kind=kind, owner=seat, slot=1) for seat in seats]


def begin_button_draw(step: StepBuilder, seats: list[int]) -> None:
    """Deal a card to each of these seats and have them revealed."""
    places = draw_places(seats)
    first = cards_pb2.DeckIndex(generation=0, index=0)
    dealt = hand_events_pb2.PlacesDealt(places=places, first=first)
    reason = hand_events_pb2.REVEAL_REASON_BUTTON_DRAW
    ordered = hand_events_pb2.RevealOrdered(reason=reason, places=places)
    step.emit(pb.ButtonDrawBegan(deck_no=step.table.decks + 1, seats=seats))
    step.emit(hand_events_pb2.HandEvent(places_dealt=dealt))
    step.emit(hand_events_pb2.HandEvent(reveal_ordered=ordered))


def draw_button(step: StepBuilder, draw: Draw, given: CardsIn) -> Refusal | None:
    """Return the button to the highest card, by rank and then by suit. Raises LogError."""
    faces = drawn_cards(draw, given, draw_places(draw.seats))
    if isinstance(faces, Refusal):
        return faces
    seat = draw.seats[faces.index(max(faces))]  # a card's number goes by rank, then by suit
    step.emit(pb.ButtonDrawn(cards=given.cards, seat=seat))
    return None


# --- missed blinds (TBL-17)


def count_misses(step: StepBuilder) -> None:
    """Count the blinds that passed seats that were absent when the hand began."""
    if not step.hand_counts:
        return
    before, now = step.before.last, step.table.last
    blinds = step.table.rules.posting is Posting.BLINDS
    for seat in step.table.by_number():
        if not seat.absent:
            continue
        if blinds:
            big = passed(before.big, now.big, seat.seat)
        else:  # games without blinds: each time the button passes
            big = passed(before.button, now.button, seat.seat)
        small = passed(before.small, now.small, seat.seat)
        if big or (small and not seat.small_missed):
            step.emit(
                pb.BlindMissed(
                    seat=seat.seat,
                    big_blinds_missed=seat.big_missed + big,
                    small_blind_missed=seat.small_missed or small,
                )
            )


# --- events


def _button_draw_began(table: Table, event: pb.ButtonDrawBegan) -> None:
    table.close_show()
    if table.draw is not None or table.hand is not None or event.deck_no != table.decks + 1:
        raise LogError("a draw at the wrong moment, or of the wrong deck", "button_draw_began")
    table.decks = event.deck_no
    table.draw = Draw(event.deck_no, tuple(event.seats), table.table_seq)
    table.note_play()


def _button_drawn(table: Table, event: pb.ButtonDrawn) -> None:
    if table.draw is None or table.draw.cards:
        raise LogError("no draw is under way", "button_drawn")
    table.close_deck(table.draw.deck_no)
    table.draw = None
    table.mix = table.mix._replace(button=0)
    table.last = table.last._replace(button=event.seat, small=0, big=0, dealt=(), drawn=True)


def _blind_missed(table: Table, event: pb.BlindMissed) -> None:
    table.seats[event.seat] = table.seat_at(event.seat)._replace(
        big_missed=event.big_blinds_missed, small_missed=event.small_blind_missed
    )


EVENTS: Final[EventTable] = {
    "blind_missed": _blind_missed,
    "button_drawn": _button_drawn,
    "button_draw_began": _button_draw_began,
}
