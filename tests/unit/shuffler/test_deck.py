from __future__ import annotations

import copy

import pytest

from floor_shuffler.deck import Cause, Deck, DeckOrder, Opening, Position
from floor_shuffler.places import Place
from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.common.v1 import errors_pb2 as codes
from pokerfloor.api.events.v1 import hand_events_pb2 as hand_pb2
from pokerfloor.api.shuffler.v1 import shuffler_pb2
from pokerfloor.cards import STANDARD, card_text
from pokerfloor.fairness import DeckId
from pokerfloor.servicekit import FloorError
from tests.unit.shuffler import made_steps as made

ID = DeckId("t", 1)
SALTS = tuple(bytes([0x40 + index]) * 32 for index in range(52))


def new_deck() -> Deck:
    return Deck(
        id=ID,
        hand_no=1,
        purpose=shuffler_pb2.DECK_PURPOSE_HAND,
        composition=cards_pb2.DECK_COMPOSITION_STANDARD_52,
        opened_by=Cause(1, 1),
        players={1: "a", 2: "b", 3: "c"},
        generations=(DeckOrder(ID, 0, STANDARD.cards, SALTS),),
    )


def test_dealt_without_gaps() -> None:
    deck = new_deck()
    deck.deal(made.hole_cards(1, 2, 3), Position(0, 0))
    deck.deal([made.burn(1), *made.board(1, 2, 3)], Position(0, 6))
    assert deck.next_index == 10
    assert deck.dealt[made.own(2, 2)] == Position(0, 4)
    assert deck.hole_places(2) == [made.own(2, 1), made.own(2, 2)]
    assert deck.face_up(made.board(1)[0]).card.code == 7 + 1


def test_the_same_again_changes_nothing() -> None:
    deck = new_deck()
    places = made.hole_cards(1, 2)
    deck.deal(places, Position(0, 0))
    before = copy.copy(deck.dealt)
    deck.deal(places, Position(0, 0))
    deck.deal(places[1:3], Position(0, 1))
    assert deck.dealt == before
    assert list(deck.dealt) == places


@pytest.mark.parametrize(
    ("places", "first"),
    [
        (made.board(1), Position(0, 3)),
        (made.board(1), Position(0, 5)),
        (made.board(1), Position(1, 0)),
        (made.board(1), Position(1, 4)),
        (made.board(1, 2, 1), Position(0, 4)),
        ([made.own(1, 1)], Position(0, 4)),
        ([made.own(1, 1)], Position(0, 1)),
        ([made.own(4, 1)], Position(0, 4)),
        ([Place(made.DRAW, 1, 1)], Position(0, 4)),
        ([Place(made.BOARD, 0, 0)], Position(0, 4)),
        (made.board(*range(1, 50)), Position(0, 4)),
    ],
)
def test_what_does_not_add_up(places: list[Place], first: Position) -> None:
    deck = new_deck()
    deck.deal(made.hole_cards(1, 2), Position(0, 0))
    before = copy.copy(deck.dealt)
    with pytest.raises(FloorError) as caught:
        deck.deal(places, first)
    assert caught.value.code == codes.ERROR_CODE_NOT_JUSTIFIED
    assert deck.dealt == before


def test_the_whole_deck_can_be_dealt() -> None:
    deck = new_deck()
    deck.deal(made.board(*range(1, 53)), Position(0, 0))
    assert deck.next_index == 52


def test_who_knows_a_card() -> None:
    deck = new_deck()
    one, two = made.own(1, 1), made.own(2, 1)
    deck.openings.append(Opening(4, "showdown", {one: hand_pb2.REVEAL_REASON_SHOWDOWN}))
    deck.openings.append(Opening(5, "table", {two: hand_pb2.REVEAL_REASON_ALL_IN}))
    assert not deck.opened_for_everyone(one)
    assert deck.opened_for_everyone(two)
    assert not deck.opened_for_everyone(made.own(3, 1))
    assert deck.has_opened(4, "showdown", [one])
    assert not deck.has_opened(4, "table", [one])
    assert not deck.has_opened(4, "showdown", [one, two])


def test_repr_tells_nothing() -> None:
    deck = new_deck()
    deck.deal(made.hole_cards(1, 2), Position(0, 0))
    for text in (repr(deck), str(deck), repr(deck.order), f"{deck.generations}"):
        assert "cards=" not in text
        assert "salt" not in text
        assert repr(SALTS[0])[2:6] not in text
        assert not any(card_text(card) in text for card in STANDARD.cards)
        assert str(STANDARD.cards)[:12] not in text
