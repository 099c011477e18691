"""A deck that is shuffled again in mid-hand: a next generation, with a root of its own (DRW-5)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

import pytest
import pytest_asyncio

from floor_shuffler.domain.refs import Place
from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.common.v1 import errors_pb2 as codes
from pokerfloor.api.events.v1 import hand_events_pb2 as hand_pb2
from pokerfloor.api.internal.shuffler.v1 import dealing_pb2
from pokerfloor.api.shuffler.v1 import shuffler_pb2
from pokerfloor.fairness import SealedCard
from tests.support.shuffler import made_steps as made
from tests.support.shuffler.shuffler_floor import (
    Floor,
    Player,
    Table,
    denied,
    floor_of_one,
    refused,
)

pytestmark = [pytest.mark.integration, pytest.mark.asyncio(loop_scope="module")]

_USED = [made.burn(1), made.burn(2), made.own(2, 24), made.own(2, 25)]
_NEW = [made.own(1, 26), made.own(1, 27), made.own(1, 28)]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def floor(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Floor]:
    async with floor_of_one(tmp_path_factory.mktemp("reshuffle")) as running:
        yield running


async def _whole_deck_dealt(floor: Floor) -> tuple[Table, Player, Player]:
    """Return a hand in which all 52 cards are dealt and seat 2 has given up two of its 25."""
    table = floor.table()
    alice, bob = floor.player("alice"), floor.player("bob")
    await table.seat(alice, bob)
    await table.open_hand(alice, bob)
    own = [made.own(seat, slot) for slot in range(1, 26) for seat in (1, 2)]
    cause = await table.write(made.dealt([*own, made.burn(1), made.burn(2)], 0))
    await table.stub.DealCards(table.deal_request(cause))
    await table.write(made.exchanged(2, 24, 25))
    return table, alice, bob


async def _exchange(table: Table, used: Sequence[Place] = _USED) -> cards_pb2.StepRef:
    return await table.write(
        made.exchanged(1, 1, 2, 3),
        made.reshuffled(1, used),
        made.dealt(_NEW, 0, generation=1),
    )


def _again(
    table: Table, cause: cards_pb2.StepRef, used: Sequence[Place] = _USED, generation: int = 1
) -> dealing_pb2.CreateDeckRequest:
    request = table.open_request(cause, generation=generation)
    request.reshuffled.extend([place.message() for place in used])
    return request


def _opened(boxes: Sequence[dealing_pb2.SeatBoxes], player: Player) -> list[SealedCard]:
    return [player.open(box) for one in boxes for box in one.boxes]


@pytest.mark.rule("DRW-5")
async def test_the_next_generation_is_made_of_used_cards_and_committed(floor: Floor) -> None:
    table, alice, _ = await _whole_deck_dealt(floor)
    cause = await _exchange(table)
    # Nothing is dealt from it before its root is public.
    error, _ = await refused(table.stub.DealCards(table.deal_request(cause)))
    assert error.code == codes.ERROR_CODE_WRONG_DECK_STATE
    answer = await table.stub.CreateDeck(_again(table, cause))
    assert answer.state == shuffler_pb2.DECK_STATE_COMMITTED
    error, _ = await refused(table.stub.DealCards(table.deal_request(cause)))
    assert error.code == codes.ERROR_CODE_WRONG_DECK_STATE
    sealed = await table.stub.CommitDeck(table.seal_request())
    assert (sealed.generation, sealed.size, len(sealed.root)) == (1, 4, 32)
    assert await table.stub.CommitDeck(table.seal_request()) == sealed
    assert await table.stub.CreateDeck(_again(table, cause)) == answer

    dealt = await table.stub.DealCards(table.deal_request(cause))
    cards = _opened(dealt.seats, alice)
    assert [(card.place.slot, card.generation, card.index) for card in cards] == [
        (26, 1, 0),
        (27, 1, 1),
        (28, 1, 2),
    ]
    assert all(card.proves(sealed.root, table.deck_id) for card in cards)

    public = await table.stub.GetDeck(shuffler_pb2.GetDeckRequest(deck=table.deck))
    assert len(public.roots) == 2
    assert public.roots[1] == sealed.root
    kinds = await table.kinds()
    assert kinds.count("deck_created") == kinds.count("deck_committed") == 2
    assert kinds.count("deck_closed") == 0

    # A killed shuffler goes on with the same generation; the seat's cards of both are sealed again.
    await floor.shuffler.restart()
    again = await table.stub.ResealCards(table.reseal_request(1), wait_for_ready=True)
    resealed = {card.place.slot: card for card in _opened([again.seat], alice)}
    assert sorted(resealed) == list(range(1, 29)), "given-up cards are the owner's to see still"
    assert [resealed[card.place.slot] for card in cards] == cards

    end = await table.end()
    await table.stub.CloseDeck(table.close_request(end))
    record = await floor.auditor().ReadDeckRecord(
        shuffler_pb2.ReadDeckRecordRequest(deck=table.deck, reason="a look")
    )
    first, second = record.generations
    positions = {
        (one.place.kind, one.place.owner, one.place.slot): one.deck_index.index
        for one in record.dealt
        if not one.deck_index.generation
    }
    used = {first.cards[positions[place]].code for place in _USED}
    assert {card.code for card in second.cards} == used
    assert not {salt for salt in first.salts if salt in second.salts}


@pytest.mark.parametrize(
    "used",
    [
        [made.burn(1), made.own(2, 1)],  # held
        [made.burn(1), made.burn(3)],  # never dealt
        [*made.board(1), made.burn(1)],
    ],
)
async def test_only_used_cards_are_shuffled_in(floor: Floor, used: list[Place]) -> None:
    table, _, _ = await _whole_deck_dealt(floor)
    cause = await _exchange(table, used)
    error, _ = await refused(table.stub.CreateDeck(_again(table, cause, used)))
    assert error.code == codes.ERROR_CODE_NOT_JUSTIFIED
    public = await table.stub.GetDeck(shuffler_pb2.GetDeckRequest(deck=table.deck))
    assert len(public.roots) == 1


async def test_the_log_says_what_is_shuffled_and_when(floor: Floor) -> None:
    table, alice, bob = await _whole_deck_dealt(floor)
    before = table.steps[-1]
    error, _ = await refused(table.stub.CreateDeck(_again(table, before)))
    assert error.code == codes.ERROR_CODE_NOT_JUSTIFIED, "no reshuffle in the log yet"
    cause = await _exchange(table)
    for wrong, code in (
        (_again(table, cause, _USED[:3]), codes.ERROR_CODE_NOT_JUSTIFIED),
        (_again(table, cause, _USED[::-1]), codes.ERROR_CODE_NOT_JUSTIFIED),
        (_again(table, cause, generation=2), codes.ERROR_CODE_WRONG_DECK_STATE),
        (_again(table, cause, []), codes.ERROR_CODE_INVALID_FIELD),
    ):
        error, _ = await refused(table.stub.CreateDeck(wrong))
        assert error.code == code
    await table.stub.CreateDeck(_again(table, cause))
    error, _ = await refused(table.stub.CreateDeck(_again(table, cause, _USED[:3])))
    assert error.code == codes.ERROR_CODE_ID_REUSED
    # A deck with cards left is not shuffled again.
    other = floor.table()
    await other.seat(alice, bob)
    await other.open_hand(alice, bob)
    await other.stub.DealCards(other.deal_request(await other.deal(alice, bob)))
    cause = await other.write(
        made.exchanged(1, 1), made.reshuffled(1, [made.own(1, 1)]), made.dealt([made.own(1, 3)], 0)
    )
    error, _ = await refused(other.stub.CreateDeck(_again(other, cause, [made.own(1, 1)])))
    assert error.code == codes.ERROR_CODE_NOT_JUSTIFIED


async def test_cards_dealt_open_are_nobodys_secret(floor: Floor) -> None:
    table = floor.table()
    alice, bob = floor.player("alice"), floor.player("bob")
    await table.seat(alice, bob)
    await table.open_hand(alice, bob)
    third = [*made.hole_cards(1, 2), made.own(1, 3), made.own(2, 3)]
    up = third[4:]
    cause = await table.write(made.dealt(third, 0), made.due(hand_pb2.REVEAL_REASON_UP_CARD, up))
    dealt = await table.stub.DealCards(table.deal_request(cause))
    assert [[box.place.slot for box in one.boxes] for one in dealt.seats] == [[1, 2], [1, 2]]
    opened = await table.stub.RevealCards(table.cards_request(cause, up))
    assert [one.place.slot for one in opened.cards] == [3, 3]
    again = await table.stub.ResealCards(table.reseal_request(1))
    assert [card.place.slot for card in _opened([again.seat], alice)] == [1, 2]
    # Somebody else never opens them for another reason.
    await denied(
        table,
        floor.service("showdown").RevealCards(table.cards_request(cause, up, epoch=0)),
        codes.ERROR_CODE_NOT_JUSTIFIED,
    )


async def test_boxes_asked_for_after_the_openings_of_their_step_are_the_first(floor: Floor) -> None:
    table = floor.table()
    alice, bob = floor.player("alice"), floor.player("bob")
    await table.seat(alice, bob)
    await table.open_hand(alice, bob)
    third = [*made.hole_cards(1, 2), made.own(1, 3), made.own(2, 3)]
    up = third[4:]
    cause = await table.write(made.dealt(third, 0), made.due(hand_pb2.REVEAL_REASON_UP_CARD, up))
    await table.stub.RevealCards(table.cards_request(cause, up))
    for times_again in (0, 2):
        dealt = await table.stub.DealCards(table.deal_request(cause))
        assert [[box.place.slot for box in one.boxes] for one in dealt.seats] == [[1, 2], [1, 2]]
        kinds = await table.kinds()
        assert kinds.count("cards_dealt") == 1
        assert kinds.count("cards_resealed") == times_again, "one event a seat, the second time"
