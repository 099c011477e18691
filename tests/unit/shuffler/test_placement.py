"""Placement hands at the shuffler: cards kept for one seat, and what a placement turns up."""

from __future__ import annotations

import copy
from dataclasses import replace

import pytest

from floor_shuffler.deck import Cause, Deck, DeckOrder, Position
from floor_shuffler.places import Place
from floor_shuffler.record import deck_of, public_of, secret_of
from floor_shuffler.steps import begins, laid_out_by
from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.common.v1 import errors_pb2 as codes
from pokerfloor.api.events.v1 import hand_events_pb2 as hand_pb2
from pokerfloor.api.events.v1 import table_events_pb2 as table_pb2
from pokerfloor.api.shuffler.v1 import shuffler_pb2
from pokerfloor.cards import STANDARD
from pokerfloor.fairness import DeckId
from pokerfloor.games import PlacesDealt
from pokerfloor.games.placement import PlacementEvent
from pokerfloor.servicekit import FloorError
from tests.unit.placement.table import Played, setup_of
from tests.unit.shuffler import made_steps as made

ID = DeckId("t", 1)
SALTS = tuple(bytes([0x40 + index]) * 32 for index in range(52))


def new_deck(*, reserves: bool = True) -> Deck:
    return Deck(
        id=ID,
        hand_no=1,
        purpose=shuffler_pb2.DECK_PURPOSE_HAND,
        composition=cards_pb2.DECK_COMPOSITION_STANDARD_52,
        opened_by=Cause(1, 1),
        players={1: "a", 2: "b", 3: "c"},
        generations=(DeckOrder(ID, 0, STANDARD.cards, SALTS),),
        reserves=reserves,
    )


def own(seat: int, first: int, last: int) -> list[Place]:
    return [made.own(seat, slot) for slot in range(first, last + 1)]


def aside() -> Deck:
    """Seat 3 has five cards and twelve are kept for it; the others have their packets."""
    deck = new_deck()
    deck.deal(own(3, 1, 5), Position(0, 0))
    deck.deal(own(1, 1, 14), Position(0, 17))
    deck.deal(own(2, 1, 15), Position(0, 31))
    return deck


def deal_all(deck: Deck, events: list[PlacementEvent]) -> None:
    for event in events:
        if isinstance(event, PlacesDealt):
            places = [made.own(place.owner, place.slot) for place in event.places]
            deck.deal(places, Position(event.generation, event.first_index))


@pytest.mark.rule("OFC-32")
@pytest.mark.parametrize(
    "fantasyland", [((1, 14), (2, 17)), ((1, 14), (2, 15), (3, 16)), ((2, 14),)]
)
def test_every_deal_of_the_machine_is_taken(fantasyland: tuple[tuple[int, int], ...]) -> None:
    hand = Played(setup_of(3, *fantasyland))
    hand.lay_out_all()
    deck = new_deck()
    deal_all(deck, hand.events)
    places = hand.hand.state.cards.places
    assert {
        made.own(place.owner, place.slot): Position(*position) for place, position in places.items()
    } == deck.dealt
    deal_all(deck, hand.events)
    assert len(deck.dealt) == len(places)


@pytest.mark.rule("OFC-32")
def test_kept_cards_come_in_order_to_their_seat() -> None:
    deck = aside()
    assert deck.next_index == 46
    deck.deal(own(3, 6, 8), Position(0, 5))
    deck.deal(own(3, 9, 11), Position(0, 8))
    assert deck.dealt[made.own(3, 11)] == Position(0, 10)
    deck.deal(own(3, 6, 8), Position(0, 5))
    assert len(deck.dealt) == 40


@pytest.mark.rule("OFC-32")
@pytest.mark.parametrize(
    ("places", "first"),
    [
        (own(3, 6, 8), 6),  # one left out
        (own(3, 6, 8), 4),  # one used twice
        (own(3, 1, 1), 5),  # dealt before
        (own(3, 6, 18), 5),  # more than are kept
        (own(1, 15, 17), 5),  # another's
        ([*own(3, 6, 7), *own(1, 15, 15)], 5),
        (made.board(1), 5),
        (own(3, 6, 8), 47),  # left out behind the last
        (made.board(1), 47),
        (own(1, 15, 15), 48),  # a second time that some are kept
        (own(1, 15, 22), 46),  # more than there are
    ],
)
def test_positions_that_do_not_add_up(places: list[Place], first: int) -> None:
    deck = aside()
    before = copy.copy(deck.dealt)
    with pytest.raises(FloorError) as caught:
        deck.deal(places, Position(0, first))
    assert caught.value.code == codes.ERROR_CODE_NOT_JUSTIFIED
    assert deck.dealt == before


@pytest.mark.parametrize(
    ("first", "places"), [(1, own(1, 1, 14)), (6, own(2, 1, 3)), (17, own(3, 6, 8))]
)
def test_only_after_own_cards_of_another_seat(first: int, places: list[Place]) -> None:
    deck = new_deck()
    if first > 1:
        deck.deal(own(3, 1, 5), Position(0, 0))
        if first == 6:
            deck.deal([made.burn(1)], Position(0, 5))
            first = 8
    with pytest.raises(FloorError):
        deck.deal(places, Position(0, first))


def test_nothing_is_left_out_in_a_hand_without_fantasyland() -> None:
    deck = new_deck(reserves=False)
    deck.deal(own(3, 1, 5), Position(0, 0))
    with pytest.raises(FloorError):
        deck.deal(own(1, 1, 14), Position(0, 17))


def test_the_opening_says_whether_there_is_fantasyland_and_the_record_keeps_it() -> None:
    opened = made.hand_began(1, 1, {1: "a", 2: "b"})
    (plain,) = begins(made.step("t", 1, [opened]))
    opened.hand_began.fantasyland.append(table_pb2.FantasylandSeat(seat=1, cards=14))
    (begin,) = begins(made.step("t", 1, [opened]))
    assert (plain.reserves, begin.reserves) == (False, True)
    for deck in (aside(), replace(aside(), reserves=False)):
        again = deck_of(ID, deck.state, public_of(deck), secret_of(deck))
        assert again.reserves == deck.reserves
        assert again.dealt == deck.dealt


def placement(slot: int, row: hand_pb2.LayoutRow.ValueType) -> hand_pb2.SlotPlacement:
    return hand_pb2.SlotPlacement(slot=slot, row=row)


@pytest.mark.rule("OFC-3", "SCP-2")
def test_what_a_step_lays_out_for_everybody() -> None:
    confirmed = hand_pb2.PlacementConfirmed(
        seat=1,
        placements=[
            placement(6, hand_pb2.LAYOUT_ROW_TOP),
            placement(7, hand_pb2.LAYOUT_ROW_DISCARD),
            placement(8, hand_pb2.LAYOUT_ROW_BOTTOM),
        ],
    )
    opened = hand_pb2.LayoutRevealed(seat=2, placements=[placement(1, hand_pb2.LAYOUT_ROW_MIDDLE)])
    hidden = hand_pb2.HiddenPlacement(seat=3, placements=[placement(1, hand_pb2.LAYOUT_ROW_TOP)])
    moved = hand_pb2.PlacementMoved(seat=3, placement=placement(2, hand_pb2.LAYOUT_ROW_TOP))
    events = [
        hand_pb2.HandEvent(placement_confirmed=confirmed),
        hand_pb2.HandEvent(hidden_placement=hidden),
        hand_pb2.HandEvent(placement_moved=moved),
        hand_pb2.HandEvent(layout_revealed=opened),
    ]
    step = made.step("t", 2, [made.Event(hand=event) for event in events])
    assert list(laid_out_by(step)) == [made.own(1, 6), made.own(1, 8), made.own(2, 1)]
