"""Who learns what of a placement hand: the bytes that others get, and how many (OFC-3, OFC-32).

The audience of an event stands beside it in the proto, so these tests read it there.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerfloor.api.common.v1 import identity_pb2
from pokerfloor.api.events.v1.hand_events_pb2 import HandEvent
from pokerfloor.games import Place, Refusal, Reveal, WaitCards
from pokerfloor.games.placement import (
    OFC,
    SCOOP,
    FantasylandHeadsUp,
    Layout,
    LayoutRow,
    PlacementEvent,
    PlacementHand,
    PlacementSetup,
    PlacementTimeUp,
    PlacementTurn,
    SlotRow,
    WaitPlacements,
    faces_at,
)
from pokerfloor.tablelog import HandContext, StakeKind, write_hand_event
from tests.support.games.placement_table import any_confirmation, any_input, setup_of, shuffled


def may_see(message: HandEvent, seat: int) -> bool:
    """Tell whether a seat (0: a spectator) may see an event."""
    name = message.WhichOneof("event")
    assert name is not None
    option = message.DESCRIPTOR.fields_by_name[name].GetOptions().Extensions[identity_pb2.audience]
    if option == identity_pb2.AUDIENCE_PUBLIC:
        return True
    assert option == identity_pb2.AUDIENCE_OWNER
    return bool(getattr(message, name).seat == seat)


def told(events: list[PlacementEvent], setup: PlacementSetup, seat: int) -> list[bytes]:
    """What a seat is told of these events, as bytes."""
    context = HandContext(1, StakeKind.POINTS, {each: f"p{each}" for each, _ in setup.seats})
    messages = [write_hand_event(event, context) for event in events]
    return [
        message.SerializeToString(deterministic=True)
        for message in messages
        if may_see(message, seat)
    ]


@dataclass
class Known:
    """What can be known from the messages that somebody is told: faces, and where cards lie."""

    faces: dict[tuple[int, int], int] = field(default_factory=dict)
    rows: dict[tuple[int, int], int] = field(default_factory=dict)

    def learn(self, content: bytes) -> None:
        message = HandEvent.FromString(content)
        for opened in message.cards_revealed.cards:
            place = opened.place
            if place.kind == 1:  # dealt cards
                self.faces[place.owner, place.slot] = opened.card.code - 1
        for event in (
            message.placement_confirmed,
            message.hidden_placement,
            message.layout_revealed,
        ):
            for placement in event.placements:
                self.rows[event.seat, placement.slot] = placement.row
        moved = message.placement_moved
        if moved.seat:
            self.rows[moved.seat, moved.placement.slot] = moved.placement.row


class Table:
    """A hand that is played input by input, with faces revealed as they are due."""

    def __init__(self, setup: PlacementSetup, seed: int) -> None:
        self.cards = shuffled(setup.game, seed)
        self.hand, begun = PlacementHand.begin(setup)
        self.events: list[PlacementEvent] = list(begun)
        self._turn_up()

    def do(self, given: object) -> None:
        events = self.hand.execute(given)  # type: ignore[arg-type]  # any placement input
        assert not isinstance(events, Refusal), events
        self.events += events
        self._turn_up()

    def _turn_up(self) -> None:
        while isinstance(wait := self.hand.waits_for(), WaitCards):
            events = self.hand.execute(Reveal(faces_at(self.hand, self.cards, wait.places)))
            assert not isinstance(events, Refusal)
            self.events += events

    def turns(self) -> tuple[PlacementTurn, ...]:
        wait = self.hand.waits_for()
        return wait.turns if isinstance(wait, WaitPlacements) else ()


def hidden_setups() -> st.SearchStrategy[PlacementSetup]:
    return st.sampled_from(
        (
            setup_of(2, (1, 14)),
            setup_of(2, (1, 16), (2, 17)),
            setup_of(2, (2, 15), heads_up=FantasylandHeadsUp.OPEN_FIRST),
            setup_of(3, (1, 14), (3, 15)),
            setup_of(3, (1, 14), (2, 17), (3, 15)),
            setup_of(3, (2, 16)),
            setup_of(2, game=SCOOP),
            setup_of(4, game=SCOOP),
        )
    )


@pytest.mark.rule("OFC-32", "SCP-1")
@settings(max_examples=60, deadline=None)
@given(hidden_setups(), st.integers(0, 2**32))
def test_what_others_get_does_not_depend_on_where_hidden_cards_are_put(
    setup: PlacementSetup, seed: int
) -> None:
    """Two tables, alike but for how one hidden seat lays its cards: the others are told the same
    bytes until the layouts are revealed.
    """
    rng = random.Random(seed)
    one, other = Table(setup, seed), Table(setup, seed)
    seat = rng.choice([each for each, _ in setup.seats])
    while turns := one.turns():
        turn = rng.choice(turns)
        given = any_confirmation(turn, rng)
        different = given
        if turn.seat == seat and turn.hidden:
            twin = next(each for each in other.turns() if each.seat == seat)
            different = any_confirmation(twin, rng)
        if len(turns) == 1 and turn.hidden and is_last(one, turn):
            break
        one.do(given)
        other.do(different)
        for watcher in [0, *[each for each, _ in setup.seats if each != seat]]:
            assert told(one.events, setup, watcher) == told(other.events, setup, watcher)
    hidden = [layout for layout in one.hand.state.layouts.values() if layout.hidden]
    assert hidden or len(setup.fantasyland) == 1


def is_last(table: Table, turn: PlacementTurn) -> bool:
    """Return whether the layouts are revealed when this turn is confirmed."""
    laid = len(table.hand.state.layouts[turn.seat].placed)
    return laid + turn.to_place == table.hand.setup.game.placed()


@pytest.mark.rule("OFC-32")
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from((14, 15, 16, 17)))
def test_the_length_of_a_hidden_confirmation_is_constant(seed: int, cards: int) -> None:
    setup = setup_of(2, (1, cards), (2, 14))
    sizes = set()
    for choice in range(4):
        table = Table(setup, seed)
        before = len(table.events)
        table.do(any_confirmation(table.turns()[0], random.Random(seed + choice)))
        sizes.add(tuple(len(one) for one in told(table.events[before:], setup, 2)))
    assert len(sizes) == 1


def open_to(layout: Layout, turn: PlacementTurn | None) -> tuple[set[Place], dict[Place, int]]:
    """What everybody may know of a seat by the rules: faces, and rows by number."""
    faces: set[Place] = set()
    rows: dict[Place, int] = {}
    if not layout.hidden:
        faces = {place for place, _ in layout.placed}
        rows = {place: _NUMBER[row] for place, row in layout.placed}
    if turn is not None and turn.up:
        faces |= set(turn.places)
        by_slot = {place.slot: place for place in turn.places}
        rows |= {by_slot[slot]: _NUMBER[row] for slot, row in turn.tentative}
    return faces, rows


_NUMBER = {row: number for number, row in enumerate(LayoutRow, 1)}


@pytest.mark.rule("OFC-3", "OFC-32")
@settings(max_examples=50, deadline=None)
@given(
    st.sampled_from((setup_of(2), setup_of(3), setup_of(3, button=1))) | hidden_setups(),
    st.integers(0, 2**32),
)
def test_a_spectator_and_an_opponent_know_exactly_what_the_rules_allow(
    setup: PlacementSetup, seed: int
) -> None:
    rng = random.Random(seed)
    table = Table(setup, seed)
    spectator, opponent = Known(), Known()
    watcher = rng.choice([seat for seat, _ in setup.seats])
    done = 0
    while True:
        for known, seat in ((spectator, 0), (opponent, watcher)):
            for content in told(table.events[done:], setup, seat):
                known.learn(content)
        done = len(table.events)
        check_known(table, spectator, 0)
        check_known(table, opponent, watcher)
        wait = table.hand.waits_for()
        if not isinstance(wait, WaitPlacements):
            return
        table.do(any_input(wait, rng))


def check_known(table: Table, known: Known, watcher: int) -> None:
    state = table.hand.state
    turns = {turn.seat: turn for turn in table.turns()}
    faces: set[tuple[int, int]] = set()
    rows: dict[tuple[int, int], int] = {}
    for seat, layout in state.layouts.items():
        seen, lying = open_to(layout, turns.get(seat))
        faces |= {(place.owner, place.slot) for place in seen}
        rows |= {(place.owner, place.slot): row for place, row in lying.items()}
        if seat == watcher and was_hidden(table, seat):  # its own: told where it laid each card
            rows |= {(seat, place.slot): _NUMBER[row] for place, row in layout.placed}
            rows |= {(seat, place.slot): _NUMBER[LayoutRow.DISCARD] for place in layout.discards}
    assert known.faces.keys() == faces
    by_key = {(p.owner, p.slot): card for p, card in state.cards.faces.items() if p.kind == "s"}
    assert all(by_key[key] == card for key, card in known.faces.items())
    # A card that was taken back lies in no row, and what was moved before a time-out is overruled.
    assert {key: row for key, row in known.rows.items() if row} == rows


def was_hidden(table: Table, seat: int) -> bool:
    setup = table.hand.setup
    return (
        setup.game is not OFC
        or seat in dict(setup.fantasyland)
        or table.hand.state.plan.aside == seat
    )


@pytest.mark.rule("OFC-3", "OFC-31")
def test_a_discard_is_named_to_nobody_but_its_owner() -> None:
    for setup in (setup_of(2, (1, 17), (2, 17)), setup_of(2), setup_of(3, (1, 14))):
        table = Table(setup, 5)
        while turns := table.turns():
            table.do(PlacementTimeUp(turns[0].seat, turns[0].turn_no))
        discards = {
            (place.owner, place.slot)
            for layout in table.hand.state.layouts.values()
            for place in layout.discards
        }
        known = Known()
        for content in told(table.events, setup, 0):
            known.learn(content)
        assert discards
        assert not discards & known.faces.keys()
        assert not discards & known.rows.keys()


def test_placements_are_told_by_slot() -> None:
    """The order in which a player named the cards is told to nobody."""
    setup = setup_of(2, (1, 14), (2, 14))
    table, twin = Table(setup, 3), Table(setup, 3)
    given = any_confirmation(table.turns()[0], random.Random(1))
    backwards: tuple[SlotRow, ...] = given.placements[::-1]
    table.do(given)
    twin.do(given._replace(placements=backwards))
    for watcher in (0, 1, 2):
        assert told(table.events, setup, watcher) == told(twin.events, setup, watcher)
