"""Placement hands at a real shuffler: packets, cards kept for one seat, layouts that are opened."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable

import pytest
import pytest_asyncio

from floor_shuffler.domain.refs import Place
from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.common.v1 import errors_pb2 as codes
from pokerfloor.api.events.v1 import hand_events_pb2 as hand_pb2
from pokerfloor.api.events.v1 import table_events_pb2 as table_pb2
from pokerfloor.cards import STANDARD_TWO_JOKERS
from pokerfloor.fairness import fingerprint
from pokerfloor.games import Place as GamePlace
from pokerfloor.games import Refusal, Reveal, WaitCards
from pokerfloor.games.placement import (
    OFC_JOKER,
    FantasylandSeat,
    PlacementEvent,
    PlacementHand,
    PlacementSetup,
    PlacementTimeUp,
    WaitPlacements,
    WaitScoring,
)
from pokerfloor.tablelog import HandContext, StakeKind, from_revealed, write_hand_event
from tests.support.games.placement_table import setup_of
from tests.support.shuffler import made_steps as made
from tests.support.shuffler.shuffler_floor import Floor, Player, Table, denied, floor_of_one, proved

pytestmark = [pytest.mark.integration, pytest.mark.asyncio(loop_scope="module")]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def floor(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Floor]:
    async with floor_of_one(tmp_path_factory.mktemp("shuffler")) as running:
        yield running


def at(place: GamePlace) -> Place:
    return made.own(place.owner, place.slot)


class Dealt:
    """A placement hand whose steps are on the log and whose cards are the shuffler's."""

    def __init__(self, table: Table, players: list[Player], setup: PlacementSetup) -> None:
        self.table, self.players, self.setup = table, players, setup
        self.names = {seat: one.player_id for seat, one in enumerate(players, 1)}
        self.hand = PlacementHand(setup)
        self.own: dict[Place, int] = {}
        self.root = b""

    async def begin(self) -> None:
        table = self.table
        await table.seat(*self.players)
        table.hand_no += 1
        table.deck_no += 1
        opened = made.hand_began(table.hand_no, table.deck_no, self.names)
        opened.hand_began.fantasyland.extend(
            [
                table_pb2.FantasylandSeat(seat=seat, cards=cards)
                for seat, cards in self.setup.fantasyland
            ]
        )
        cause = await table.write(opened)
        composition = cards_pb2.DECK_COMPOSITION_JOKER_54
        await table.stub.CreateDeck(table.open_request(cause, composition=composition))
        self.root = (await table.stub.CommitDeck(table.seal_request())).root
        self.hand, events = PlacementHand.begin(self.setup)
        await self.store(events)

    async def store(self, events: Iterable[PlacementEvent]) -> cards_pb2.StepRef:
        """Write a step; if it deals cards, every player opens its own boxes."""
        context = HandContext(self.table.hand_no, StakeKind.POINTS, self.names)
        messages = [write_hand_event(event, context) for event in events]
        cause = await self.table.write(*[made.Event(hand=message) for message in messages])
        if any(message.HasField("places_dealt") for message in messages):
            answer = await self.table.stub.DealCards(self.table.deal_request(cause))
            for seat in answer.seats:
                player = self.players[seat.seat - 1]
                for box in seat.boxes:
                    assert box.key_fingerprint == fingerprint(player.public_key)
                    card = player.open(box)
                    assert card.proves(self.root, self.table.deck_id)
                    self.own[made.own(card.place.owner, card.place.slot)] = card.card
        return cause

    async def lay_out(self) -> cards_pb2.StepRef:
        """Let the first turn run out, and give the step."""
        wait = self.hand.waits_for()
        assert isinstance(wait, WaitPlacements)
        turn = wait.turns[0]
        events = self.hand.execute(PlacementTimeUp(turn.seat, turn.turn_no))
        assert not isinstance(events, Refusal)
        return await self.store(events)


@pytest.mark.rule("OFC-31", "OFC-32", "OFC-35")
async def test_fantasyland_beside_a_seat_without(floor: Floor) -> None:
    """All three lay out hidden; nobody's cards are told before all lie, and no discard ever."""
    table = floor.table()
    players = [floor.player(name) for name in ("alice", "bob", "carol")]
    packets = (FantasylandSeat(1, 15), FantasylandSeat(3, 17))
    play = Dealt(table, players, setup_of(3, *packets, game=OFC_JOKER))
    await play.begin()
    assert len(play.own) == 5 + 15 + 17
    while isinstance(play.hand.waits_for(), WaitPlacements):
        cause = await play.lay_out()
    wait = play.hand.waits_for()
    assert isinstance(wait, WaitCards)
    assert len(wait.places) == 39
    assert len(play.own) == 49
    places = [at(place) for place in wait.places]

    discard = [at(play.hand.state.layouts[3].discards[0])]
    for asked in (discard, [*places, *discard]):
        request = table.cards_request(cause, asked)
        await denied(table, table.stub.RevealCards(request), codes.ERROR_CODE_NOT_JUSTIFIED)
    earlier = table.cards_request(table.steps[-2], places[:1])
    await denied(table, table.stub.RevealCards(earlier), codes.ERROR_CODE_NOT_JUSTIFIED)

    cards = (await table.stub.RevealCards(table.cards_request(cause, places))).cards
    assert all(proved(play.root, table.deck_id, card) for card in cards)
    assert {Place.of(one.place): one.card.code - 1 for one in cards} == {
        place: play.own[place] for place in places
    }
    assert not isinstance(play.hand.execute(Reveal(from_revealed(cards))), Refusal)
    assert isinstance(play.hand.waits_for(), WaitScoring)
    assert set(play.own.values()) < set(STANDARD_TWO_JOKERS.cards)


@pytest.mark.rule("OFC-3")
async def test_in_the_open(floor: Floor) -> None:
    """The first street is dealt face up; later what is placed is opened, the third card is not."""
    table = floor.table()
    play = Dealt(table, [floor.player("dan"), floor.player("eve")], setup_of(2, game=OFC_JOKER))
    await play.begin()
    cause = table.steps[-1]
    for _ in range(2):
        wait = play.hand.waits_for()
        assert isinstance(wait, WaitCards)
        request = table.cards_request(cause, [at(place) for place in wait.places])
        cards = (await table.stub.RevealCards(request)).cards
        events = play.hand.execute(Reveal(from_revealed(cards)))
        assert not isinstance(events, Refusal)
        await play.store(events)
        cause = await play.lay_out()
    cause = await play.lay_out()
    wait = play.hand.waits_for()
    assert isinstance(wait, WaitCards)
    assert [str(place) for place in wait.places] == ["s1.6", "s1.7"]
    discard = table.cards_request(cause, [made.own(1, 8)])
    await denied(table, table.stub.RevealCards(discard), codes.ERROR_CODE_NOT_JUSTIFIED)
    request = table.cards_request(cause, [at(place) for place in wait.places])
    assert len((await table.stub.RevealCards(request)).cards) == 2


@pytest.mark.rule("OFC-3")
async def test_an_opening_without_a_placement_is_not_believed(floor: Floor) -> None:
    table = floor.table()
    players = [floor.player("finn"), floor.player("gwen")]
    play = Dealt(table, players, setup_of(2, FantasylandSeat(1, 14), game=OFC_JOKER))
    await play.begin()
    places = [made.own(2, slot) for slot in (1, 2)]
    due = made.due(hand_pb2.REVEAL_REASON_PLACEMENT, places)
    discarded = hand_pb2.PlacementConfirmed(
        seat=2, placements=[hand_pb2.SlotPlacement(slot=1, row=hand_pb2.LAYOUT_ROW_DISCARD)]
    )
    hidden = hand_pb2.HiddenPlacement(
        seat=2, placements=[hand_pb2.SlotPlacement(slot=1, row=hand_pb2.LAYOUT_ROW_TOP)]
    )
    for events in (
        (),
        (made.Event(hand=hand_pb2.HandEvent(placement_confirmed=discarded)),),
        (made.Event(hand=hand_pb2.HandEvent(hidden_placement=hidden)),),
    ):
        cause = await table.write(*events, due)
        request = table.cards_request(cause, places[:1])
        await denied(table, table.stub.RevealCards(request), codes.ERROR_CODE_NOT_JUSTIFIED)
