from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from floor_shuffler.domain.deck import Deck, DeckOrder, Reveal
from floor_shuffler.domain.following import deal
from floor_shuffler.domain.refs import Cause, DeckIndex, Place
from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.common.v1 import errors_pb2 as codes
from pokerfloor.api.events.v1 import hand_events_pb2 as hand_pb2
from pokerfloor.api.shuffler.v1 import shuffler_pb2
from pokerfloor.cards import STANDARD, card_text
from pokerfloor.fairness import DeckId
from pokerfloor.refusal import Refusal
from tests.support.shuffler import made_steps as made

ID = DeckId("t", 1)
SALTS = tuple(bytes([0x40 + index]) * 32 for index in range(52))


def new_deck() -> Deck:
    return Deck(
        id=ID,
        hand_no=1,
        purpose=shuffler_pb2.DECK_PURPOSE_HAND,
        composition=cards_pb2.DECK_COMPOSITION_STANDARD_52,
        began=Cause(1, 1),
        players={1: "a", 2: "b", 3: "c"},
        generations=(DeckOrder(ID, 0, STANDARD.cards, SALTS),),
    )


def after(deck: Deck, places: Sequence[Place], index: int, generation: int = 0) -> Deck:
    """The deck after a deal that the rules accept."""
    dealt = deal(deck, places, DeckIndex(generation, index))
    assert isinstance(dealt, Deck)
    return dealt


def test_dealt_without_gaps() -> None:
    deck = after(new_deck(), made.hole_cards(1, 2, 3), 0)
    deck = after(deck, [made.burn(1), *made.board(1, 2, 3)], 6)
    assert sorted(deck.on_deck()) == list(range(10))
    assert deck.dealt[made.own(2, 2)] == DeckIndex(0, 4)
    assert deck.places_of(2) == [made.own(2, 1), made.own(2, 2)]
    assert deck.unsealed == set(made.hole_cards(1, 2, 3)), "only a seat's cards go into boxes"
    assert deck.face_up(made.board(1)[0]).card.code == 7 + 1


def test_the_same_again_changes_nothing() -> None:
    places = made.hole_cards(1, 2)
    deck = after(new_deck(), places, 0)
    assert after(deck, places, 0) == deck
    assert after(deck, places[1:3], 1) == deck
    assert list(deck.dealt) == places


@pytest.mark.parametrize(
    ("places", "first"),
    [
        (made.board(1), DeckIndex(0, 3)),
        (made.board(1), DeckIndex(0, 5)),
        (made.board(1), DeckIndex(1, 0)),
        (made.board(1), DeckIndex(1, 4)),
        (made.board(1, 2, 1), DeckIndex(0, 4)),
        ([made.own(1, 1)], DeckIndex(0, 4)),
        ([made.own(1, 1)], DeckIndex(0, 1)),
        ([made.own(4, 1)], DeckIndex(0, 4)),
        ([Place(made.DRAW, 1, 1)], DeckIndex(0, 4)),
        ([Place(made.BOARD, 0, 0)], DeckIndex(0, 4)),
        (made.board(*range(1, 50)), DeckIndex(0, 4)),
    ],
)
def test_what_does_not_add_up(places: list[Place], first: DeckIndex) -> None:
    deck = after(new_deck(), made.hole_cards(1, 2), 0)
    refusal = deal(deck, places, first)
    assert isinstance(refusal, Refusal)
    assert refusal.code == codes.ERROR_CODE_NOT_JUSTIFIED


def test_the_whole_deck_can_be_dealt() -> None:
    deck = after(new_deck(), made.board(*range(1, 53)), 0)
    assert len(deck.on_deck()) == 52


def test_who_knows_a_card() -> None:
    one, two = made.own(1, 1), made.own(2, 1)
    deck = replace(
        new_deck(),
        reveals=(
            Reveal(4, "showdown", {one: hand_pb2.REVEAL_REASON_SHOWDOWN}),
            Reveal(5, "table", {two: hand_pb2.REVEAL_REASON_ALL_IN}),
        ),
    )
    assert not deck.is_public(one)
    assert deck.is_public(two)
    assert not deck.is_public(made.own(3, 1))
    assert deck.has_revealed(4, "showdown", [one])
    assert not deck.has_revealed(4, "table", [one])
    assert not deck.has_revealed(4, "showdown", [one, two])


def test_repr_tells_nothing() -> None:
    deck = after(new_deck(), made.hole_cards(1, 2), 0)
    for text in (repr(deck), str(deck), repr(deck.newest), f"{deck.generations}"):
        assert "cards=" not in text
        assert "salt" not in text
        assert repr(SALTS[0])[2:6] not in text
        assert not any(card_text(card) in text for card in STANDARD.cards)
        assert str(STANDARD.cards)[:12] not in text
