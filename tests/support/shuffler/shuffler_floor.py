"""A floor that has only a shuffler: a broker, a log written by hand, players with keys."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import grpc.aio
import pytest
from nacl.public import PrivateKey

from floor_shuffler.domain.refs import Place
from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.events.v1 import hand_events_pb2 as hand_pb2
from pokerfloor.api.events.v1 import table_events_pb2
from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.api.internal.shuffler.v1 import dealing_pb2
from pokerfloor.api.shuffler.v1 import events_pb2, shuffler_pb2
from pokerfloor.fairness import DeckId, SealedCard, unseal, verify
from pokerfloor.servicekit import (
    FloorError,
    FloorNats,
    StreamSpec,
    connect,
    error_name,
    error_of,
    fixed_token,
)
from pokerfloor.tablelog import TABLE_LOG, table_subject
from tests.support import (
    DevIdentities,
    NatsServer,
    ServiceProcess,
    dev_identities,
    nats_server,
    service_env,
)
from tests.support.shuffler import made_steps as made
from tests.support.stubs import ShufflerStub

COMPOSITION = cards_pb2.DECK_COMPOSITION_STANDARD_52


class Player:
    """A player with a key and a token that binds it."""

    def __init__(self, identities: DevIdentities, player_id: str) -> None:
        self.player_id = player_id
        self.key = PrivateKey.generate()
        self.public_key = bytes(self.key.public_key)
        self.token = identities.token(player_id, "player", seal_key=self.public_key)

    def open(self, box: cards_pb2.SealedBox) -> SealedCard:
        return unseal(box.ciphertext, bytes(self.key))


@dataclass
class Table:
    """A table whose log the test writes, and the requests its owner would make."""

    table_id: str
    nats: FloorNats
    stub: ShufflerStub
    epoch: int = 1
    steps: list[cards_pb2.StepRef] = field(default_factory=list)
    deck_no: int = 0
    hand_no: int = 0

    async def write(
        self,
        *events: made.Event,
        hand_no: int | None = None,
        epoch: int | None = None,
        sender: str = "",
    ) -> cards_pb2.StepRef:
        """Store a step with these events; gives its name."""
        table_seq = len(self.steps) + 1
        step = made.step(
            self.table_id,
            table_seq,
            events,
            hand_no=self.hand_no if hand_no is None else hand_no,
            epoch=self.epoch if epoch is None else epoch,
            sender=sender,
        )
        return await self.store(step)

    async def store(self, step: step_pb2.Step) -> cards_pb2.StepRef:
        last = self.steps[-1].stream_seq if self.steps else 0
        seq = await self.nats.append(
            table_subject(self.table_id),
            step.SerializeToString(),
            expected_last_seq=last,
            msg_id=f"{self.table_id}/{step.owner_epoch}/{step.table_seq}",
        )
        ref = cards_pb2.StepRef(table_id=self.table_id, table_seq=step.table_seq, stream_seq=seq)
        self.steps.append(ref)
        return ref

    @property
    def deck(self) -> cards_pb2.DeckRef:
        return cards_pb2.DeckRef(table_id=self.table_id, deck_no=self.deck_no)

    @property
    def deck_id(self) -> DeckId:
        return DeckId(self.table_id, self.deck_no)

    async def open_hand(self, *players: Player, seal: bool = True) -> bytes:
        """Log and open the next hand; player i sits in seat i + 1. Gives the root."""
        self.hand_no += 1
        self.deck_no += 1
        seats = {seat: player.player_id for seat, player in enumerate(players, 1)}
        cause = await self.write(made.hand_began(self.hand_no, self.deck_no, seats))
        await self.stub.CreateDeck(self.open_request(cause))
        if not seal:
            return b""
        return (await self.stub.CommitDeck(self.seal_request())).root

    def open_request(
        self, cause: cards_pb2.StepRef, **changes: object
    ) -> dealing_pb2.CreateDeckRequest:
        request = dealing_pb2.CreateDeckRequest(
            deck=self.deck,
            hand_no=self.hand_no,
            purpose=shuffler_pb2.DECK_PURPOSE_HAND,
            composition=COMPOSITION,
            owner_epoch=self.epoch,
            cause=cause,
        )
        for name, value in changes.items():
            setattr(request, name, value)
        return request

    def seal_request(self) -> dealing_pb2.CommitDeckRequest:
        return dealing_pb2.CommitDeckRequest(deck=self.deck, owner_epoch=self.epoch)

    async def seat(self, *players: Player) -> None:
        """Log that they sit, and register their keys."""
        for seat, player in enumerate(players, 1):
            cause = await self.write(made.seated(seat, player.player_id), hand_no=0)
            await self.stub.RegisterSeatKey(self.key_request(seat, player, cause))

    def key_request(
        self,
        seat: int,
        player: Player,
        cause: cards_pb2.StepRef,
        reason: str = "seated",
    ) -> dealing_pb2.RegisterSeatKeyRequest:
        return dealing_pb2.RegisterSeatKeyRequest(
            table_id=self.table_id,
            seat=seat,
            player_token=player.token,
            reason=table_events_pb2.KeyReason.Value(f"KEY_REASON_{reason.upper()}"),
            owner_epoch=self.epoch,
            cause=cause,
        )

    async def deal(self, *players: Player) -> cards_pb2.StepRef:
        """Log that two cards are dealt to each."""
        seats = range(1, len(players) + 1)
        return await self.write(made.dealt(made.hole_cards(*seats), 0))

    def deal_request(self, cause: cards_pb2.StepRef) -> dealing_pb2.DealCardsRequest:
        return dealing_pb2.DealCardsRequest(deck=self.deck, cause=cause, owner_epoch=self.epoch)

    def reseal_request(self, seat: int) -> dealing_pb2.ResealCardsRequest:
        return dealing_pb2.ResealCardsRequest(deck=self.deck, seat=seat, owner_epoch=self.epoch)

    def cards_request(
        self, cause: cards_pb2.StepRef, places: Iterable[Place], epoch: int | None = None
    ) -> dealing_pb2.RevealCardsRequest:
        return dealing_pb2.RevealCardsRequest(
            deck=self.deck,
            places=[place.message() for place in places],
            cause=cause,
            owner_epoch=self.epoch if epoch is None else epoch,
        )

    def close_request(
        self,
        cause: cards_pb2.StepRef,
        outcome: shuffler_pb2.DeckState.ValueType = shuffler_pb2.DECK_STATE_SETTLED,
        void_reason: str = "",
    ) -> dealing_pb2.CloseDeckRequest:
        return dealing_pb2.CloseDeckRequest(
            deck=self.deck,
            outcome=outcome,
            void_reason=void_reason,
            owner_epoch=self.epoch,
            cause=cause,
        )

    async def flop(self, players: int) -> tuple[cards_pb2.StepRef, list[Place]]:
        """Log a burn, three board cards and that they are due."""
        places = made.board(1, 2, 3)
        cause = await self.write(
            made.dealt([made.burn(1), *places], 2 * players),
            made.due(hand_pb2.REVEAL_REASON_BOARD, places),
        )
        return cause, places

    async def showdown(self, *seats: int) -> tuple[cards_pb2.StepRef, list[Place]]:
        """Log that the hands of these seats are due at the showdown."""
        places = made.hole_cards(*seats)
        began = hand_pb2.HandEvent(showdown_began=hand_pb2.ShowdownBegan(seats=seats))
        cause = await self.write(
            made.Event(hand=began), made.due(hand_pb2.REVEAL_REASON_SHOWDOWN, places)
        )
        return cause, places

    async def end(self) -> cards_pb2.StepRef:
        """Log that the hand is over."""
        return await self.write(made.ended(self.hand_no))

    async def events(self) -> list[events_pb2.ShufflerEvent]:
        """What the shuffler said about this table, in order."""
        return [
            events_pb2.ShufflerEvent.FromString(message.data)
            async for message in self.nats.read_from(
                "FLOOR_SHUFFLER", f"floor.shuffler.{self.table_id}.*"
            )
        ]

    async def kinds(self) -> list[str]:
        return [str(event.WhichOneof("event")) for event in await self.events()]


def begun_when_awaited(
    stub: ShufflerStub,
) -> ShufflerStub:
    """The stub, but a call goes out when it is awaited and not when it is made.

    So a test can say what it will ask and look at the floor before it does.
    """
    return cast("ShufflerStub", _LateStub(stub))


class _LateStub:
    def __init__(self, stub: ShufflerStub) -> None:
        self._stub = stub

    def __getattr__(self, name: str) -> Callable[..., _LateCall]:
        call = getattr(self._stub, name)
        return lambda *args, **options: _LateCall(lambda: call(*args, **options))


@dataclass(eq=False)
class _LateCall:
    begin: Callable[[], Awaitable[object]]

    def __await__(self) -> Generator[Any, None, object]:
        return self.begin().__await__()


@dataclass
class Floor:
    """The parts, and connections for each identity."""

    folder: Path
    broker: NatsServer
    nats: FloorNats
    identities: DevIdentities
    shuffler: ServiceProcess
    _channels: list[grpc.aio.Channel] = field(default_factory=list)
    _numbers: Iterable[int] = field(default_factory=lambda: itertools.count(1))

    @property
    def state_dir(self) -> Path:
        return self.folder / "shuffler"

    def stub(self, token: str) -> ShufflerStub:
        channel = connect(self.shuffler.address, fixed_token(token))
        self._channels.append(channel)
        return begun_when_awaited(ShufflerStub(channel))

    def service(self, name: str) -> ShufflerStub:
        return self.stub(self.identities.service_token(name))

    def auditor(self) -> ShufflerStub:
        return self.stub(self.identities.token("anna", "auditor"))

    def player(self, player_id: str) -> Player:
        return Player(self.identities, player_id)

    def table(self, name: str = "t") -> Table:
        """A table of its own for each test."""
        number = next(iter(self._numbers))
        return Table(f"{name}-{number}", self.nats, self.service("table"))

    async def close(self) -> None:
        for channel in self._channels:
            await channel.close()


@asynccontextmanager
async def floor_of_one(folder: Path) -> AsyncIterator[Floor]:
    identities = dev_identities(folder / "identities")
    with nats_server(folder / "nats") as broker:
        env = service_env("shuffler", folder, identities, broker.url)
        process = ServiceProcess("floor_shuffler", env, folder / "shuffler.log")
        nats = await FloorNats.connect(broker.url, name="test", wait_ms=5000)
        await nats.ensure_stream(StreamSpec(TABLE_LOG.name, TABLE_LOG.subjects))
        floor = Floor(folder, broker, nats, identities, process)
        try:
            async with process:
                yield floor
        finally:
            await floor.close()
            await nats.close()


async def refused(call: object) -> tuple[FloorError, grpc.StatusCode]:
    """The error that a call ends with."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call  # type: ignore[misc]  # a call of any type
    return error_of(caught.value), caught.value.code()


def proved(root: bytes, deck: DeckId, opened: cards_pb2.RevealedCard) -> bool:
    proof = opened.proof
    return verify(
        root,
        deck,
        proof.deck_index.generation,
        proof.deck_index.index,
        opened.card.code - 1,
        proof.salt,
        proof.path,
    )


async def dealt_hand(floor: Floor) -> tuple[Table, Player, Player]:
    table = floor.table()
    alice, bob = floor.player("alice"), floor.player("bob")
    await table.seat(alice, bob)
    await table.open_hand(alice, bob)
    await table.stub.DealCards(table.deal_request(await table.deal(alice, bob)))
    return table, alice, bob


async def last_refusal(table: Table) -> events_pb2.RevealRefused:
    event = (await table.events())[-1]
    assert event.WhichOneof("event") == "reveal_refused"
    return event.reveal_refused


async def denied(table: Table, call: Awaitable[object], code: int) -> events_pb2.RevealRefused:
    """The call is refused with this code, PERMISSION_DENIED, and an event."""
    before = await table.kinds()
    public = await table.stub.GetDeck(shuffler_pb2.GetDeckRequest(deck=table.deck))
    error, status = await refused(call)
    assert (error_name(error.code), status) == (error_name(code), grpc.StatusCode.PERMISSION_DENIED)
    after = await table.kinds()
    assert after == [*before, "reveal_refused"], f"{before} became {after}"
    assert await table.stub.GetDeck(shuffler_pb2.GetDeckRequest(deck=table.deck)) == public
    event = await last_refusal(table)
    assert (error.code, error.reason) == (event.error.code, event.error.reason)
    return event
