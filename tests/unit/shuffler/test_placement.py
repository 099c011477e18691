"""Placement hands at the shuffler: cards kept for one seat, and what a placement turns up."""

from __future__ import annotations

from dataclasses import replace

import pytest

from floor_shuffler.domain.deck import Deck, DeckOrder
from floor_shuffler.domain.following import deal
from floor_shuffler.domain.refs import Cause, DeckIndex, Place
from floor_shuffler.domain.steps import begins, set_in_rows_by
from floor_shuffler.record import deck_of, public_of, secret_of
from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.common.v1 import errors_pb2 as codes
from pokerfloor.api.events.v1 import hand_events_pb2 as hand_pb2
from pokerfloor.api.events.v1 import table_events_pb2 as table_pb2
from pokerfloor.api.shuffler.v1 import shuffler_pb2
from pokerfloor.cards import STANDARD
from pokerfloor.fairness import DeckId
from pokerfloor.games import PlacesDealt
from pokerfloor.games.placement import PlacementEvent
from pokerfloor.refusal import Refusal
from tests.support.games.placement_table import Played, setup_of
from tests.support.shuffler import made_steps as made
from tests.unit.shuffler.test_deck import after

ID = DeckId("t", 1)
SALTS = tuple(bytes([0x40 + index]) * 32 for index in range(52))


def new_deck(*, sets_aside: bool = True) -> Deck:
    return Deck(
        id=ID,
        hand_no=1,
        purpose=shuffler_pb2.DECK_PURPOSE_HAND,
        composition=cards_pb2.DECK_COMPOSITION_STANDARD_52,
        began=Cause(1, 1),
        players={1: "a", 2: "b", 3: "c"},
        generations=(DeckOrder(ID, 0, STANDARD.cards, SALTS),),
        sets_aside=sets_aside,
    )


def own(seat: int, first: int, last: int) -> list[Place]:
    return [made.own(seat, slot) for slot in range(first, last + 1)]


def aside() -> Deck:
    """Seat 3 has five cards and twelve are kept for it; the others have their packets."""
    deck = after(new_deck(), own(3, 1, 5), 0)
    deck = after(deck, own(1, 1, 14), 17)
    return after(deck, own(2, 1, 15), 31)


def deal_all(deck: Deck, events: list[PlacementEvent]) -> Deck:
    for event in events:
        if isinstance(event, PlacesDealt):
            places = [made.own(place.owner, place.slot) for place in event.places]
            deck = after(deck, places, event.first_index, event.generation)
    return deck


@pytest.mark.rule("OFC-32")
@pytest.mark.parametrize(
    "fantasyland", [((1, 14), (2, 17)), ((1, 14), (2, 15), (3, 16)), ((2, 14),)]
)
def test_every_deal_of_the_machine_is_taken(fantasyland: tuple[tuple[int, int], ...]) -> None:
    hand = Played(setup_of(3, *fantasyland))
    hand.lay_out_all()
    deck = deal_all(new_deck(), hand.events)
    places = hand.hand.state.cards.places
    assert {
        made.own(place.owner, place.slot): DeckIndex(*position)
        for place, position in places.items()
    } == deck.dealt
    assert deal_all(deck, hand.events) == deck


@pytest.mark.rule("OFC-32")
def test_kept_cards_come_in_order_to_their_seat() -> None:
    deck = aside()
    assert max(deck.on_deck()) == 45
    deck = after(deck, own(3, 6, 8), 5)
    deck = after(deck, own(3, 9, 11), 8)
    assert deck.dealt[made.own(3, 11)] == DeckIndex(0, 10)
    assert after(deck, own(3, 6, 8), 5) == deck
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
    refusal = deal(aside(), places, DeckIndex(0, first))
    assert isinstance(refusal, Refusal)
    assert refusal.code == codes.ERROR_CODE_NOT_JUSTIFIED


@pytest.mark.parametrize(
    ("first", "places"), [(1, own(1, 1, 14)), (6, own(2, 1, 3)), (17, own(3, 6, 8))]
)
def test_only_after_own_cards_of_another_seat(first: int, places: list[Place]) -> None:
    deck = new_deck()
    if first > 1:
        deck = after(deck, own(3, 1, 5), 0)
        if first == 6:
            deck = after(deck, [made.burn(1)], 5)
            first = 8
    assert isinstance(deal(deck, places, DeckIndex(0, first)), Refusal)


def test_nothing_is_left_out_in_a_hand_without_fantasy() -> None:
    deck = after(new_deck(sets_aside=False), own(3, 1, 5), 0)
    assert isinstance(deal(deck, own(1, 1, 14), DeckIndex(0, 17)), Refusal)


def test_the_opening_says_whether_there_is_fantasy_and_the_record_keeps_it() -> None:
    opened = made.hand_began(1, 1, {1: "a", 2: "b"})
    (plain,) = begins(made.step("t", 1, [opened]))
    opened.hand_began.fantasyland.append(table_pb2.FantasylandSeat(seat=1, cards=14))
    (begin,) = begins(made.step("t", 1, [opened]))
    assert (plain.sets_aside, begin.sets_aside) == (False, True)
    for deck in (aside(), replace(aside(), sets_aside=False)):
        again = deck_of(ID, deck.state, public_of(deck), secret_of(deck))
        assert again.sets_aside == deck.sets_aside
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
    assert list(set_in_rows_by(step)) == [made.own(1, 6), made.own(1, 8), made.own(2, 1)]
