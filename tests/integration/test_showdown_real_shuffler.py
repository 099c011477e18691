"""A hand from its opening to its showdown: the engine, a log on a broker, both real services."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import grpc.aio
import pytest
import pytest_asyncio

from pokerfloor.api.common.v1 import cards_pb2, money_pb2
from pokerfloor.api.events.v1 import hand_events_pb2, table_events_pb2
from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.api.internal.showdown.v1 import resolution_pb2
from pokerfloor.api.internal.shuffler.v1 import dealing_pb2
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.api.shuffler.v1 import shuffler_pb2
from pokerfloor.cards import from_wire
from pokerfloor.fairness import DeckId, verify
from pokerfloor.games import (
    Act,
    ActKind,
    Begin,
    Event,
    Hand,
    Input,
    Over,
    Refusal,
    Resolved,
    Reveal,
    ShowdownResult,
    WaitAction,
    WaitCards,
    WaitShowdown,
    resolve,
)
from pokerfloor.ranking import high7
from pokerfloor.servicekit import FloorNats, connect, error_name, error_of, fixed_token
from pokerfloor.tablelog import (
    HandContext,
    StakeKind,
    from_place,
    from_resolve_request,
    from_resolve_response,
    from_revealed,
    open_hand,
    table_subject,
    to_places,
    to_resolve_request,
    write_hand_event,
)
from tests.support import ServiceProcess, dev_identities, nats_server, service_env
from tests.support.stubs import ShowdownStub, ShufflerStub

pytestmark = pytest.mark.integration

TABLE = "main-1"
DECK = cards_pb2.DeckRef(table_id=TABLE, deck_no=1)
SEATS = (1, 2, 3, 5, 6, 8)
EPOCH = 1


def minor(amount: int) -> money_pb2.Amount:
    return money_pb2.Amount(minor=amount)


def hand_began(stacks: Sequence[int]) -> table_events_pb2.HandBegan:
    return table_events_pb2.HandBegan(
        hand_no=1,
        deck_no=1,
        game=settings_pb2.GameSettings(
            game="holdem",
            structure=settings_pb2.BETTING_STRUCTURE_NO_LIMIT,
            smallest_chip=minor(1),
            small_blind=minor(1),
            big_blind=minor(2),
            boards=1,
            min_raise=settings_pb2.MIN_RAISE_RULE_INCREMENT,
            losers=settings_pb2.LOSERS_RULE_MUCK,
        ),
        rake=settings_pb2.RakeSettings(rate_bp=500),
        seats=[
            table_events_pb2.HandSeat(seat=seat, player_id=f"p{seat}", stack=minor(stack))
            for seat, stack in zip(SEATS, stacks, strict=True)
        ],
        button=8,
        forced_bets=[
            table_events_pb2.ForcedBet(seat=seat, kind=kind, amount=minor(amount))
            for seat, kind, amount in (
                (1, hand_events_pb2.FORCED_BET_KIND_SMALL_BLIND, 1),
                (2, hand_events_pb2.FORCED_BET_KIND_BIG_BLIND, 2),
            )
        ],
    )


class Floor:
    """Broker, shuffler and showdown, and what a table would do with them."""

    def __init__(
        self,
        nats: FloorNats,
        table: grpc.aio.Channel,
        auditor: grpc.aio.Channel,
        resolver: grpc.aio.Channel,
    ) -> None:
        self._nats = nats
        self.auditor = ShufflerStub(auditor)
        self.shuffler = ShufflerStub(table)
        self.showdown = ShowdownStub(resolver)
        self._last = 0
        self._seq = 0
        self.root = b""
        self.opened = cards_pb2.StepRef()

    async def log(self, *events: table_events_pb2.TableEvent) -> cards_pb2.StepRef:
        self._seq += 1
        step = step_pb2.Step(
            schema_version=1,
            table_id=TABLE,
            table_seq=self._seq,
            hand_no=1,
            owner_epoch=EPOCH,
            events=events,
        )
        self._last = await self._nats.append(
            table_subject(TABLE),
            step.SerializeToString(),
            expected_last_seq=self._last,
            msg_id=f"{TABLE}/{EPOCH}/{self._seq}",
        )
        return cards_pb2.StepRef(table_id=TABLE, table_seq=self._seq, stream_seq=self._last)

    async def open_deck(self, opened: table_events_pb2.HandBegan) -> None:
        cause = await self.log(table_events_pb2.TableEvent(hand_began=opened))
        self.opened = cause
        await self.shuffler.CreateDeck(
            dealing_pb2.CreateDeckRequest(
                deck=DECK,
                hand_no=1,
                purpose=shuffler_pb2.DECK_PURPOSE_HAND,
                composition=cards_pb2.DECK_COMPOSITION_STANDARD_52,
                owner_epoch=EPOCH,
                cause=cause,
            )
        )
        sealed = await self.shuffler.CommitDeck(
            dealing_pb2.CommitDeckRequest(deck=DECK, owner_epoch=EPOCH)
        )
        self.root = sealed.root

    async def play_to_showdown(
        self, opened: table_events_pb2.HandBegan, *, all_in: bool = False
    ) -> tuple[Hand, resolution_pb2.ResolveRequest]:
        """Play a hand whose seats all stay in: by calls and checks, or with all they have."""
        await self.open_deck(opened)
        hand = open_hand(opened)
        assert isinstance(hand, Hand)
        cause = await self.play(hand, Begin())
        while not isinstance(wait := hand.waits_for(), WaitShowdown):
            if isinstance(wait, WaitCards):
                cards = await self.shuffler.RevealCards(
                    dealing_pb2.RevealCardsRequest(
                        deck=DECK, places=to_places(wait.places), cause=cause, owner_epoch=EPOCH
                    )
                )
                cause = await self.play(hand, Reveal(from_revealed(cards.cards)))
            else:
                assert isinstance(wait, WaitAction)
                kind = ActKind.CALL if wait.legal.call_by else ActKind.CHECK
                if all_in and wait.legal.all_in_as is not None:
                    kind = ActKind.ALL_IN
                cause = await self.play(hand, Act(wait.seat, wait.turn_no, kind))
        state = hand.state
        paid = tuple(zip(state.seats, state.contributed(), strict=True))
        request = to_resolve_request(wait.request, opened, paid, cause)
        request.began_step.CopyFrom(self.opened)
        return hand, request

    async def play(self, hand: Hand, given: Input) -> cards_pb2.StepRef:
        events = hand.execute(given)
        assert not isinstance(events, Refusal), events
        return await self.log(*[self.message(event) for event in events])

    @staticmethod
    def message(event: Event) -> table_events_pb2.TableEvent:
        context = HandContext(1, StakeKind.MONEY, {seat: f"p{seat}" for seat in SEATS})
        return table_events_pb2.TableEvent(hand=write_hand_event(event, context))


@pytest_asyncio.fixture
async def floor(tmp_path: Path) -> AsyncIterator[Floor]:
    identities = dev_identities(tmp_path / "keys")

    def process(name: str, nats_url: str, **settings: object) -> ServiceProcess:
        env = service_env(name, tmp_path, identities, nats_url, **settings)
        return ServiceProcess(f"floor_{name}", env, tmp_path / f"{name}.log")

    with nats_server(tmp_path / "nats") as broker:
        async with AsyncExitStack() as stack:
            shuffler = await stack.enter_async_context(process("shuffler", broker.url))
            showdown = await stack.enter_async_context(
                process("showdown", broker.url, shuffler_address=shuffler.address)
            )
            token = fixed_token(identities.service_token("table"))
            table = await stack.enter_async_context(connect(shuffler.address, token))
            auditing = fixed_token(identities.token("ada", "auditor"))
            auditor = await stack.enter_async_context(connect(shuffler.address, auditing))
            resolver = await stack.enter_async_context(connect(showdown.address, token))
            nats = await FloorNats.connect(broker.url, name="test", wait_ms=5000)
            stack.push_async_callback(nats.close)
            yield Floor(nats, table, auditor, resolver)


async def refusal(call: Any) -> str:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return error_name(error_of(caught.value).code)


def proved(root: bytes, opened: cards_pb2.RevealedCard) -> bool:
    position = opened.proof.deck_index
    return verify(
        root,
        DeckId(TABLE, 1),
        position.generation,
        position.index,
        from_wire(opened.card.code),
        opened.proof.salt,
        opened.proof.path,
    )


@pytest.mark.rule("SHW-1", "SHW-2", "SHW-4", "POT-10")
async def test_a_hand_comes_to_its_showdown(floor: Floor) -> None:
    hand, request = await floor.play_to_showdown(hand_began([200] * 6))

    # The table cannot have the hands: neither in its own name, nor for another step or deck.
    hole_places = [place for entry in request.seat_places for place in entry.places]
    asked = dealing_pb2.RevealCardsRequest(
        deck=DECK, places=hole_places, cause=request.cause, owner_epoch=EPOCH
    )
    assert await refusal(floor.shuffler.RevealCards(asked)) == "NOT_JUSTIFIED"
    forged = resolution_pb2.ResolveRequest()
    forged.CopyFrom(request)
    forged.cause.table_seq -= 1
    assert await refusal(floor.showdown.Resolve(forged)) == "CAUSE_NOT_FOUND"
    forged.cause.stream_seq -= 1
    assert await refusal(floor.showdown.Resolve(forged)) == "NOT_JUSTIFIED"

    response = await floor.showdown.Resolve(request)
    # Nor by asking once more, as if everybody had to show or lay open already.
    forged.CopyFrom(request)
    forged.began.always_show[:] = request.seats
    assert await refusal(floor.showdown.Resolve(forged)) == "NOT_JUSTIFIED"
    forged.CopyFrom(request)
    forged.all_in = True
    assert await refusal(floor.showdown.Resolve(forged)) == "NOT_JUSTIFIED"
    assert (await floor.showdown.Resolve(request)) == response
    assert response.rake.total.minor == 12 * 500 // 10_000
    for step in response.steps:
        assert all(proved(floor.root, card) for card in step.shown.cards)
        assert len(step.shown.cards) in (0, 2)
    cause = await floor.play(hand, Resolved(from_resolve_response(response, StakeKind.MONEY)))
    assert isinstance(hand.waits_for(), Over)

    await floor.shuffler.CloseDeck(
        dealing_pb2.CloseDeckRequest(
            deck=DECK, outcome=shuffler_pb2.DECK_STATE_SETTLED, owner_epoch=EPOCH, cause=cause
        )
    )
    assert await refusal(floor.showdown.Resolve(request)) == "WRONG_DECK_STATE"

    # The auditor sees that this was the deck, who had to muck, and that nothing of them left.
    record = await floor.auditor.ReadDeckRecord(
        shuffler_pb2.ReadDeckRecordRequest(deck=DECK, reason="test")
    )
    faces = {
        from_place(one.place): from_wire(record.generations[0].cards[one.deck_index.index].code)
        for one in record.dealt
    }
    result = resolve(from_resolve_request(request), faces)
    assert isinstance(result, ShowdownResult)
    assert from_resolve_response(response, StakeKind.MONEY) == result
    salts = {
        one.place.owner: record.generations[0].salts[one.deck_index.index]
        for one in record.dealt
        if one.place.kind == cards_pb2.PLACE_KIND_SEAT
    }
    sent = response.SerializeToString()
    assert {seat for seat, salt in salts.items() if salt in sent} == set(SEATS) - {*result.mucked}


@pytest.mark.rule("BET-2", "POT-1", "POT-4")
async def test_an_all_in_showdown_has_every_hand_open(floor: Floor) -> None:
    opened = hand_began([40, 90, 10, 150, 25, 150])
    hand, request = await floor.play_to_showdown(opened, all_in=True)
    assert request.all_in
    response = await floor.showdown.Resolve(request)
    assert [step.shown.seat for step in response.steps] == list(request.seats)
    events = hand.execute(Resolved(from_resolve_response(response, StakeKind.MONEY)))
    assert not isinstance(events, Refusal), events
    assert isinstance(hand.waits_for(), Over)
    boards = [from_wire(one.card.code) for one in request.revealed_cards[:5]]
    strengths = {
        step.shown.seat: high7(*[from_wire(one.card.code) for one in step.shown.cards], *boards)
        for step in response.steps
    }
    for award in response.awards:
        pot = request.pots[award.pot_no]
        assert strengths[award.seat] == max(strengths[seat] for seat in pot.seats)
