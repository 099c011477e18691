"""Hands of any game, one table after the other on one floor, with everything recorded.

Players answer by a script that sees no card. A hand may be left in the middle: then nothing was
opened yet that opens later, and any two cards that are still down may be exchanged.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from floor_shuffler.domain.deck import DeckOrder
from floor_table.domain import (
    CloseDeckEffect,
    DealEffect,
    Table,
    VoidReservationEffect,
    apply_step,
    next_hand_at,
    next_timer,
    open_effects,
    public_events,
)
from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.api.shuffler.v1 import events_pb2 as shuffler_events_pb2
from pokerfloor.api.table.v1 import table_pb2, table_pb2_grpc
from pokerfloor.api.wallet.v1 import wallet_pb2
from pokerfloor.api.wallet.v1.events_pb2 import LedgerEvent
from pokerfloor.cards import Card
from pokerfloor.fairness import DeckId
from pokerfloor.games.places import Place
from pokerfloor.servicekit import FloorNats, connect, fixed_token, role_of
from pokerfloor.tablelog import PUBLIC_EVENTS, TABLE_LOG, table_subject, to_place
from tests.support.blind_scripts import Blind, asked
from tests.support.eventually import eventually
from tests.support.floor import CURRENCY, EURO
from tests.support.inprocess_floor import Ground, InprocessFloor, inprocess_floor
from tests.support.planted_decks import PlantedDecks, private_key
from tests.support.recorded_play import Recording, message_of, samples
from tests.support.stubs import WalletStub
from tests.support.waiting import until
from tests.support.watcher import Message, Watcher

NAMES: Final = ("ann", "bob", "cat", "dan")
_DAY_S: Final = 86_400
_THINKS_MS: Final = 70
_BASE_MS: Final = 3_600_000
_STILL_SAMPLES: Final = 5
_PATIENCE_S: Final = 30.0
_CASH: Final = 100_000_000
# What may stand while a table waits for players, or for the time.
_STANDS: Final = (DealEffect, CloseDeckEffect, VoidReservationEffect)
_READ: Final = "floor_wallet_steps_total{}"
_EFFECTS: Final = "floor_table_effects_total"
_PROGRESS: Final = '"kind": "progress"'  # asked by real time
_CLOSED: Final = f'{_EFFECTS}{{"kind": "close_deck"}}'


@dataclass
class Decks:
    """The decks of each table, and every order that was made of them."""

    by_table: Mapping[str, PlantedDecks]
    made: dict[tuple[str, int, int], DeckOrder] = field(default_factory=dict)

    def __call__(self, deck: DeckId, generation: int, cards: tuple[Card, ...]) -> DeckOrder:
        order = self.by_table[deck.table_id](deck, generation, cards)
        self.made[deck.table_id, deck.deck_no, generation] = order
        return order


class RecordedTable:
    """A table of the floor, its log as it is folded, and those who watch it."""

    def __init__(self, floor: RecordedFloor, table_id: str) -> None:
        self.table_id = table_id
        self.table = Table(table_id)
        self.steps: list[Step] = []
        self.hands = 0
        self.parked = False
        self.watchers: dict[str, Watcher] = {}
        self.seats: dict[int, Watcher] = {}
        self._floor = floor
        self._next_seq = 1

    async def sit_down(self, settings: settings_pb2.TableSettings, players: int) -> None:
        """Open the table, let the watchers in and seat everybody; no hand begins yet."""
        floor = self._floor
        settings.clock.base_ms = _BASE_MS
        settings.seating.confirm_ready = False
        await floor.tables.OpenTable(
            table_pb2.OpenTableRequest(
                command_id=f"open-{self.table_id}", table_id=self.table_id, settings=settings
            )
        )
        await self._pause("seating")
        for name, view in (
            ("spectator", table_pb2.VIEW_KIND_SPECTATOR),
            ("terminal", table_pb2.VIEW_KIND_TERMINAL),
            ("auditor", table_pb2.VIEW_KIND_AUDITOR),
        ):
            await self._watch(name, floor.token(f"the {name}", name), view)
        for seat, name in enumerate(NAMES[:players], start=1):
            token = floor.token(name, "player", seal_key=bytes(private_key(name).public_key))
            watcher = await self._watch(f"seat {seat}", token, table_pb2.VIEW_KIND_PLAYER)
            sit = table_pb2.SitDownCommand(
                seat=seat, buy_in_minor=settings.buy_in.max_minor, display_name=name
            )
            await watcher.ask(f"sit-{name}", sit_down=sit)
            await watcher.until_seen("connection_changed", "seat_key_bound")
            self.seats[seat] = watcher
        await self._stands_still()

    async def _watch(
        self, audience: str, token: str, view: table_pb2.ViewKind.ValueType
    ) -> Watcher:
        received = self._floor.recording.messages[f"{self.table_id}: {audience}"] = []
        call = self._floor.channel(token).stream_stream("/floor.table.v1.TableService/Attach")()
        watcher = self.watchers[audience] = Watcher(call, self.table_id, received)
        self._floor.rest.push_async_callback(watcher.close)
        await watcher.begin(view)
        return watcher

    async def hand(self, script: Blind, turns: int | None = None) -> None:
        """Play a hand to its end; or so many turns of it, and leave it so."""
        assert not self.parked, "a hand is left in the middle"
        self.hands += 1
        resume = table_pb2.ResumeTableRequest(
            command_id=f"resume-{self.hands}", table_id=self.table_id
        )
        await self._floor.tables.ResumeTable(resume)
        while self.table.hand_no != self.hands:
            await self._follow()
            await self._let_time_pass()
            await asyncio.sleep(0.002)
        await self._stands_still()
        await self._pause(f"hand-{self.hands}")
        await self._stands_still()
        number = 0
        while asked(self.table):
            if number == turns:
                self.parked = True
                return
            number += 1
            seat, command = script.answer(self.table)
            self._floor.floor.clock.at_ms += _THINKS_MS
            await self.seats[seat].ask(f"h{self.hands}-{number}", **command)
            await self._stands_still()
        await self._settled()

    # --- waiting

    async def _follow(self) -> None:
        """Fold what is stored since."""
        found = self._floor.nats.read_from(
            TABLE_LOG.name, table_subject(self.table_id), self._next_seq
        )
        async for message in found:
            step = Step.FromString(message.data)
            self.steps.append(step)
            self.table = apply_step(self.table, step)
            self._next_seq = message.seq + 1

    async def _stands_still(self) -> None:
        """Wait until only players or the time can go on, and everybody has been told all."""
        async with asyncio.timeout(_PATIENCE_S):
            while True:
                await self._follow()
                if not self._waits_outside():
                    seq = len(self.steps)
                    if all(one.view_no >= seq for one in self.watchers.values()) and self._boxes():
                        await self._follow()
                        if len(self.steps) == seq:
                            return
                await asyncio.sleep(0.002)

    def _waits_outside(self) -> bool:
        begins = next_hand_at(self.table) is not None and not self.table.paused
        return begins or any(not isinstance(one, _STANDS) for one in open_effects(self.table))

    def _boxes(self) -> bool:
        """Whether every seat has the boxes of all its own cards that are down."""
        hand = self.table.playing
        if hand is None:
            return True
        cards = hand.state.cards
        for seat, watcher in self.seats.items():
            have = {
                (box.place.owner, box.place.slot)
                for own in watcher.hole_cards(self.table.hand_no)
                for box in own.boxes
            }
            own = [place for place in cards.places if _is_own(place, seat)]
            down = [place for place in own if place not in cards.faces and not _is_due(hand, place)]
            if not {(seat, place.slot) for place in down} <= have:
                return False
        return True

    async def _settled(self) -> None:
        """Wait until the hand is in the book and its deck closed; times that must pass do."""
        floor = self._floor

        async def settled() -> bool:
            last = await floor.nats.last_message(
                "FLOOR_LEDGER", f"floor.ledger.{self.table_id}.hand_settled"
            )
            if last is None:
                return False
            return LedgerEvent.FromString(last.data).hand_settled.hand_no >= self.hands

        await until(settled, "the hand is in the book", _PATIENCE_S)
        deck_no = self.decks_opened()

        async def closed() -> bool:
            await self._follow()
            await self._let_time_pass()
            return await self._last_closed() >= deck_no

        await until(closed, "the deck is closed", _PATIENCE_S)
        await self._stands_still()

    async def _last_closed(self) -> int:
        """The number of the last deck that the shuffler has closed, 0 for none."""
        last = await self._floor.nats.last_message(
            "FLOOR_SHUFFLER", f"floor.shuffler.{self.table_id}.deck_closed"
        )
        if last is None:
            return 0
        event = shuffler_events_pb2.ShufflerEvent.FromString(last.data)
        return event.deck_closed.deck.deck_no

    async def _let_time_pass(self) -> None:
        """Go on to the time that the table waits for, if it waits for no player's turn."""
        effects, timer = open_effects(self.table), next_timer(self.table)
        if timer is not None and not asked(self.table) and not self._waits_outside():
            # A deck that is being closed tells the time at which it was.
            closing = max(
                (one.deck_no for one in effects if isinstance(one, CloseDeckEffect)), default=0
            )
            if await self._last_closed() < closing:
                return
            clock = self._floor.floor.clock
            clock.at_ms = max(clock.at_ms, timer.at_ms + 1)

    def decks_opened(self) -> int:
        """How many decks the log has opened, for hands and for draws; the number of the last."""
        return sum(
            event.WhichOneof("event") in ("hand_began", "button_draw_began", "game_draw_began")
            for step in self.steps
            for event in step.events
        )

    async def _pause(self, why: str) -> None:
        request = table_pb2.PauseTableRequest(
            command_id=f"pause-{why}", table_id=self.table_id, reason=why
        )
        await self._floor.tables.PauseTable(request)


def _is_own(place: Place, seat: int) -> bool:
    wire = to_place(place)
    return wire.kind == cards_pb2.PLACE_KIND_SEAT and wire.owner == seat


def _is_due(hand: Any, place: Place) -> bool:
    return place in hand.state.cards.pending


class RecordedFloor:
    """A floor with tables one after the other. Made by `recorded_floor`."""

    def __init__(
        self, floor: InprocessFloor, nats: FloorNats, decks: Decks, rest: AsyncExitStack
    ) -> None:
        self.floor = floor
        self.nats = nats
        self.decks = decks
        self.rest = rest
        self.recording = Recording()
        self.tables_played: dict[str, RecordedTable] = {}
        self._public: list[Message] = []
        self._metrics_before = samples()
        token = self.token("operator", "operations", "auditor", "cashier")
        self.tables = table_pb2_grpc.TableServiceStub(self.channel(token))
        self._wallet = WalletStub(self.channel(token, "wallet"))

    def token(self, subject: str, *roles: str, seal_key: bytes | None = None) -> str:
        numbers = [role_of(role) for role in roles]
        return self.floor.ground.identities.issuer.issue(
            subject,
            [number for number in numbers if number is not None],
            _DAY_S,
            now_s=self.floor.ground.start_ms // 1000,
            seal_key=seal_key,
        )

    def channel(self, token: str, service: str = "table") -> Any:
        channel = connect(self.floor.address(service), fixed_token(token))
        self.rest.push_async_callback(channel.close)
        return channel

    async def begin(self) -> None:
        self.rest.callback(asyncio.create_task(self._listen()).cancel)
        for name in NAMES:
            await self._wallet.OpenAccount(
                wallet_pb2.OpenAccountRequest(
                    command_id=f"open-{name}", player_id=name, currency=EURO
                )
            )
            await self._wallet.Deposit(
                wallet_pb2.DepositRequest(
                    command_id=f"fund-{name}",
                    player_id=name,
                    currency=CURRENCY,
                    amount_minor=_CASH,
                )
            )

    def table(self, table_id: str) -> RecordedTable:
        self.tables_played[table_id] = table = RecordedTable(self, table_id)
        return table

    async def record(self) -> Recording:
        """Return all that was said; nothing is under way any more."""
        recording = self.recording
        tables = self.tables_played.values()
        # Every deck but those of hands that were left in the middle.
        closed = sum(table.decks_opened() - table.parked for table in tables)
        before = self._metrics_before.get(_CLOSED, 0)
        await eventually(lambda: samples().get(_CLOSED, 0) == before + closed, _PATIENCE_S)
        # The wallet reads on, whoever waits for it.
        read = self._metrics_before.get(_READ, 0) + sum(len(table.steps) for table in tables)
        await eventually(lambda: samples().get(_READ, 0) >= read, _PATIENCE_S)
        public = sum(len(public_events(step)) for table in tables for step in table.steps)
        await eventually(lambda: len(self._public) >= public, _PATIENCE_S)
        await _until_counted()
        recording.messages["public subjects"] = self._public
        for stream, type_name, subjects in (
            (TABLE_LOG.name, "floor.history.v1.Step", TABLE_LOG.subjects[0]),
            ("FLOOR_SHUFFLER", "floor.shuffler.v1.ShufflerEvent", "floor.shuffler.>"),
            ("FLOOR_LEDGER", "floor.wallet.v1.LedgerEvent", "floor.ledger.>"),
        ):
            async for stored in self.nats.read_from(stream, subjects, 1):
                message = message_of(type_name, stored)
                recording.messages.setdefault(stored.subject, []).append(message)
        for name, heard in self.floor.heard.items():
            recording.messages[name] = [Message(kind, "", data) for kind, data in heard]
        _part_boxes_from_views(recording)
        recording.log_lines = self.floor.log.getvalue().splitlines()
        after, begun = samples(), self._metrics_before
        recording.metrics = {name: after[name] - begun.get(name, 0.0) for name in after}
        return recording

    async def _listen(self) -> None:
        async for message in self.nats.subscribe(PUBLIC_EVENTS.subjects[0], max_pending=100_000):
            self._public.append(message_of("floor.events.v1.PublicEvent", message))


async def _until_counted() -> None:
    """Wait until what the table service has done is counted: that comes after the step of it.

    On a busy machine long after it, so the counts have to stand still for half a second.
    """
    last: dict[str, float] = {}
    still = 0
    while still < _STILL_SAMPLES:
        await asyncio.sleep(0.1)
        now = {
            name: value
            for name, value in samples().items()
            if name.startswith(_EFFECTS) and _PROGRESS not in name
        }
        still = still + 1 if now == last else 0
        last = now


def _part_boxes_from_views(recording: Recording) -> None:
    """Own cards come beside the views, and have no fixed place among them."""
    for audience in [name for name in recording.messages if ": seat " in name]:
        boxes: list[Message] = []
        rest: list[Message] = []
        for message in recording.messages[audience]:
            update = table_pb2.TableUpdate.FromString(message.data)
            (boxes if update.HasField("hole_cards") else rest).append(message)
        recording.messages[audience] = rest
        recording.messages[f"{audience}, boxes"] = boxes


@asynccontextmanager
async def recorded_floor(
    ground: Ground, folder: Path, decks: Decks
) -> AsyncIterator[RecordedFloor]:
    """Run a fresh floor without tables while the block does."""
    async with inprocess_floor(ground, folder, decks) as floor, AsyncExitStack() as rest:
        nats = await FloorNats.connect(floor.nats.url, name="recorder", wait_ms=5_000)
        rest.push_async_callback(nats.close)
        recorded = RecordedFloor(floor, nats, decks, rest)
        await recorded.begin()
        yield recorded


def dice(*seed: object) -> random.Random:
    """Return a generator that depends on these alone."""
    return random.Random("/".join(map(str, seed)))
