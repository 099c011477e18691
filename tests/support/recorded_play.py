"""Hands played by a script that knows no card, with everything recorded that anybody can read.

The table is paused while players sit down and again during each hand, so that a hand begins when
the script says so and all that a hand leaves behind is stored before the next one.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from prometheus_client import REGISTRY, generate_latest

from floor_table.domain import public_events
from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.api.shuffler.v1 import events_pb2 as shuffler_events_pb2
from pokerfloor.api.table.v1 import table_pb2, table_pb2_grpc
from pokerfloor.api.wallet.v1 import wallet_pb2
from pokerfloor.api.wallet.v1.events_pb2 import LedgerEvent
from pokerfloor.servicekit import FloorNats, connect, fixed_token, role_of
from pokerfloor.tablelog import PUBLIC_EVENTS, TABLE_LOG, table_subject
from tests.support.eventually import eventually
from tests.support.floor import CURRENCY, EURO
from tests.support.inprocess_floor import Ground, InprocessFloor, inprocess_floor
from tests.support.planted_decks import PlantedDecks, private_key
from tests.support.stubs import WalletStub
from tests.support.turn_scripts import Moves
from tests.support.waiting import until
from tests.support.watcher import Message, Watcher

TABLE: Final = "main-1"
NAMES: Final = ("ann", "bob", "cat", "dan")
_DAY_S: Final = 86_400
_THINKS_MS: Final = 700
_PATIENCE_S: Final = 20.0
_EXPECTED: Final = "Nats-Expected-Last-Subject-Sequence"
_CLOSED: Final = 'floor_table_effects_total{"kind": "close_deck"}'
_SHOW_MS: Final = 5_001
_TABLE_LOGS: Final = table_subject("x").removesuffix("x")


@dataclass
class Recording:
    """What left the floor: messages by audience, log lines, and what the metrics came to."""

    messages: dict[str, list[Message]] = field(default_factory=dict)
    log_lines: list[str] = field(default_factory=list)
    metrics: dict[str, float] = field(default_factory=dict)
    metrics_text: str = ""

    def steps(self) -> list[step_pb2.Step]:
        return [step_pb2.Step.FromString(one.data) for one in self.messages["table log"]]


class Play:
    """A table with four players, and those who watch. Made by `recorded_play`."""

    def __init__(self, floor: InprocessFloor, nats: FloorNats, rest: AsyncExitStack) -> None:
        self.floor = floor
        self.nats = nats
        self.recording = Recording()
        self.seats: dict[int, Watcher] = {}
        self.hands = 0
        self._watchers: dict[str, Watcher] = {}
        self._rest = rest
        self._public: list[Message] = []
        self._commands = 0
        self._metrics_before = samples()
        self._operator = self.stub(self.token("operator", "operations", "auditor", "cashier"))

    # --- who looks and who asks

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
        self._rest.push_async_callback(channel.close)
        return channel

    def stub(self, token: str) -> Any:
        return table_pb2_grpc.TableServiceStub(self.channel(token))

    async def watch(self, audience: str, token: str, view: table_pb2.ViewKind.ValueType) -> Watcher:
        assert audience not in self.recording.messages, "an audience has one stream"
        received = self.recording.messages[audience] = []
        call = self.channel(token).stream_stream("/floor.table.v1.TableService/Attach")()
        watcher = Watcher(call, TABLE, received)
        self._rest.push_async_callback(watcher.close)
        self._watchers[audience] = watcher
        await watcher.begin(view)
        return watcher

    async def return_to_seat(self, seat: int) -> None:
        """The player loses the stream and comes back with the same key (CLK-3)."""
        await self._watchers.pop(f"seat {seat}").close()
        name = NAMES[seat - 1]
        self.seats[seat] = await self.watch(
            f"seat {seat}, back", self._player_token(name), table_pb2.VIEW_KIND_PLAYER
        )
        await self.seats[seat].until(lambda: bool(self.seats[seat].hole_cards(self.hands)))

    # --- an evening

    async def sit_down(self, settings: settings_pb2.TableSettings, buy_in_minor: int) -> None:
        """Open the table, let the watchers in and seat everybody; no hand begins yet."""
        self._rest.callback(asyncio.create_task(self._listen()).cancel)
        await self._operator.OpenTable(
            table_pb2.OpenTableRequest(command_id="open", table_id=TABLE, settings=settings)
        )
        await self._pause("seating")
        for name, view in (
            ("spectator", table_pb2.VIEW_KIND_SPECTATOR),
            ("terminal", table_pb2.VIEW_KIND_TERMINAL),
            ("auditor", table_pb2.VIEW_KIND_AUDITOR),
        ):
            await self.watch(name, self.token(f"the {name}", name), view)
        for seat, name in enumerate(NAMES, start=1):
            await self._fund(name, buy_in_minor)
            watcher = await self.watch(
                f"seat {seat}", self._player_token(name), table_pb2.VIEW_KIND_PLAYER
            )
            sit = table_pb2.SitDownCommand(seat=seat, buy_in_minor=buy_in_minor, display_name=name)
            await watcher.ask(f"sit-{name}", sit_down=sit)
            await watcher.until_seen("connection_changed", "seat_key_bound")
            self.seats[seat] = watcher
        await self._all_have_seen()

    async def hand(
        self,
        moves: Moves,
        before_turn: Callable[[int], Awaitable[None]] | None = None,
        shows: Sequence[int] = (),
    ) -> None:
        """Play one hand to its end, and wait until everything about it is stored.

        `before_turn` is told each turn's number within the hand, from 1; `shows` are the own
        slots that the winner without a showdown shows.
        """
        self.hands += 1
        await self.resume(str(self.hands))
        await self._next_turn()
        await self._all_have_cards()
        await self._pause(f"hand-{self.hands}")
        await self._next_turn()
        while (acting := self._acting()) is not None:
            turn = acting.turn()
            assert turn is not None
            if before_turn is not None:
                await before_turn(turn.turn_no)
                acting = self._acting()
                assert acting is not None
            kind, to = moves(turn.legal)
            act = table_pb2.ActCommand(hand_no=turn.hand_no, turn_no=turn.turn_no, kind=kind)
            if to:
                act.to.minor = to
            self.floor.clock.at_ms += _THINKS_MS
            await acting.ask(f"act-{turn.hand_no}-{turn.turn_no}", act=act)
            await self._next_turn()
        if shows:
            # The book tells the time of its entry: it is not to be the time of the show.
            await self._until(self._last_settled)
            await self._show(shows)
        await self._settled()

    async def resume(self, why: str) -> None:
        """Let the next hand begin."""
        request = table_pb2.ResumeTableRequest(command_id=f"resume-{why}", table_id=TABLE)
        await self._operator.ResumeTable(request)

    def watcher(self, audience: str) -> Watcher:
        """Return the stream of an audience."""
        return self._watchers[audience]

    async def _show(self, slots: Sequence[int]) -> None:
        """Let the winner of a hand without a showdown show these own cards (SHW-3)."""
        self.floor.clock.at_ms += _THINKS_MS
        show = table_pb2.ShowCardsCommand(hand_no=self.hands, slots=slots)
        spectator = self._watchers["spectator"]
        winner = next(
            event.hand.pot_awarded.seat
            for update in reversed(spectator.updates)
            for event in update.step.events
            if event.hand.HasField("pot_awarded")
        )
        await self.seats[winner].ask(f"show-{self.hands}", show_cards=show)
        await spectator.until(lambda: spectator.events()[-1] == "cards_revealed")
        await self._all_have_seen()

    async def said(self) -> dict[str, int]:
        """Return how much everybody was told until now, by audience, log lines as "log lines"."""
        await self._all_have_seen()
        await self._decks_closed()
        steps = await self._stored(TABLE_LOG.name, "floor.history.v1.Step", table_subject(TABLE))
        public = sum(len(public_events(step_pb2.Step.FromString(one.data))) for one in steps)
        await eventually(lambda: len(self._public) >= public, _PATIENCE_S)
        return {
            **{name: len(messages) for name, messages in self.recording.messages.items()},
            **{name: len(heard) for name, heard in self.floor.heard.items()},
            "public subjects": len(self._public),
            "table log": len(steps),
            "log lines": len(self.floor.log.getvalue().splitlines()),
        }

    async def record(self) -> Recording:
        """Return all that was said; nothing is under way any more."""
        recording = self.recording
        await self._all_have_seen()
        await self._decks_closed()
        log = await self._stored(TABLE_LOG.name, "floor.history.v1.Step", table_subject(TABLE))
        recording.messages["table log"] = log
        events = [event for step in recording.steps() for event in public_events(step)]
        await eventually(lambda: len(self._public) >= len(events), _PATIENCE_S)
        recording.messages["public subjects"] = self._public
        # One audience for each subject: what is said on two at the same time has no order.
        for name, type_name, subjects in (
            ("FLOOR_SHUFFLER", "floor.shuffler.v1.ShufflerEvent", "floor.shuffler.>"),
            ("FLOOR_LEDGER", "floor.wallet.v1.LedgerEvent", "floor.ledger.>"),
        ):
            for message in await self._stored(name, type_name, subjects):
                subject = message.where.partition(" ")[0]
                recording.messages.setdefault(subject, []).append(message)
        for name, heard in self.floor.heard.items():
            recording.messages[name] = [Message(kind, "", data) for kind, data in heard]
        recording.log_lines = self.floor.log.getvalue().splitlines()
        recording.metrics_text = generate_latest(REGISTRY).decode()
        after, before = samples(), self._metrics_before
        recording.metrics = {name: after[name] - before.get(name, 0.0) for name in after}
        return recording

    # --- waiting

    async def _next_turn(self) -> None:
        """Wait until somebody is to act or the hand is over, and everybody has seen it."""
        spectator = self._watchers["spectator"]

        def stands_still() -> bool:
            for name in reversed(spectator.events()):
                if name in {"turn_began", "hand_ended"}:
                    return spectator.events().count("hand_began") == self.hands
                if name in {"action_taken", "hand_began", "reveal_ordered"}:
                    return False
            return False

        while True:
            await spectator.until(stands_still)
            await self._all_have_seen()
            # What was seen first may have been the turn before the step that is stored now.
            if stands_still():
                return

    async def _all_have_seen(self) -> None:
        while True:
            seq = await self._last_seq()
            await eventually(
                lambda seq=seq: all(one.view_no >= seq for one in self._watchers.values()),  # type: ignore[misc]  # bound in the loop
                _PATIENCE_S,
            )
            if await self._last_seq() == seq:
                return

    async def _last_seq(self) -> int:
        last = await self.nats.last_message(TABLE_LOG.name, table_subject(TABLE))
        return 0 if last is None else step_pb2.Step.FromString(last.data).table_seq

    async def _decks_closed(self) -> None:
        """Wait until the decks of all hands that are over, and of the button's draw, are closed."""
        closed = self._metrics_before.get(_CLOSED, 0) + self.hands + 1
        await eventually(lambda: samples().get(_CLOSED) == closed, _PATIENCE_S)

    async def _all_have_cards(self) -> None:
        seats = self.seats.values()
        await eventually(lambda: all(one.hole_cards(self.hands) for one in seats), _PATIENCE_S)

    async def _settled(self) -> None:
        """Wait until the hand is in the book and its deck is closed.

        After a win without a showdown that is when the time to show is over (SHW-3).
        """
        await self._until(self._last_settled)
        events = self._watchers["spectator"].events()
        begun = len(events) - events[::-1].index("hand_began")
        if "showdown_began" not in events[begun:]:
            self.floor.clock.at_ms += _SHOW_MS
        await self._until(self._last_closed)
        await self._all_have_seen()

    async def _until(self, last_hand: Callable[[], Awaitable[int]]) -> None:
        async def reached() -> bool:
            return await last_hand() >= self.hands

        await until(reached, "the hand is stored", _PATIENCE_S)

    async def _last_closed(self) -> int:
        """The last hand whose deck is closed; the first deck was the button's draw."""
        last = await self.nats.last_message("FLOOR_SHUFFLER", f"floor.shuffler.{TABLE}.deck_closed")
        if last is None:
            return 0
        event = shuffler_events_pb2.ShufflerEvent.FromString(last.data)
        return event.deck_closed.deck.deck_no - 1

    async def _last_settled(self) -> int:
        last = await self.nats.last_message("FLOOR_LEDGER", f"floor.ledger.{TABLE}.hand_settled")
        return 0 if last is None else LedgerEvent.FromString(last.data).hand_settled.hand_no

    # --- small things

    def _acting(self) -> Watcher | None:
        found = [one for one in self.seats.values() if one.turn() is not None]
        assert len(found) <= 1, "one seat is to act"
        return found[0] if found else None

    async def _pause(self, why: str) -> None:
        request = table_pb2.PauseTableRequest(command_id=f"pause-{why}", table_id=TABLE, reason=why)
        await self._operator.PauseTable(request)

    async def _fund(self, name: str, amount_minor: int) -> None:
        token = self.token("cashier", "cashier")
        wallet = WalletStub(self.channel(token, "wallet"))
        await wallet.OpenAccount(
            wallet_pb2.OpenAccountRequest(command_id=f"open-{name}", player_id=name, currency=EURO)
        )
        await wallet.Deposit(
            wallet_pb2.DepositRequest(
                command_id=f"fund-{name}",
                player_id=name,
                currency=CURRENCY,
                amount_minor=amount_minor,
            )
        )

    def _player_token(self, name: str) -> str:
        return self.token(name, "player", seal_key=bytes(private_key(name).public_key))

    async def _listen(self) -> None:
        subject = PUBLIC_EVENTS.subjects[0]
        async for message in self.nats.subscribe(subject, max_pending=100_000):
            self._public.append(message_of("floor.events.v1.PublicEvent", message))

    async def _stored(self, stream_name: str, type_name: str, subject: str) -> list[Message]:
        found = self.nats.read_from(stream_name, subject, 1)
        return [message_of(type_name, message) async for message in found]


def message_of(type_name: str, message: Any) -> Message:
    headers = dict(message.headers)
    if not message.subject.startswith(_TABLE_LOGS):
        # The stream's number of the subject's last message: other subjects may come in between.
        headers.pop(_EXPECTED, None)
    where = " ".join((message.subject, json.dumps(headers, sort_keys=True)))
    return Message(type_name, where, message.data)


def samples() -> dict[str, float]:
    return {
        f"{sample.name}{json.dumps(sample.labels, sort_keys=True)}": sample.value
        for metric in REGISTRY.collect()
        if metric.name.startswith("floor_")
        for sample in metric.samples
    }


@asynccontextmanager
async def recorded_play(
    ground: Ground,
    folder: Path,
    decks: PlantedDecks,
    settings: settings_pb2.TableSettings,
    buy_in_minor: int = 10_000,
) -> AsyncIterator[Play]:
    """A fresh floor with everybody seated; the first hand is the caller's to begin."""
    async with inprocess_floor(ground, folder, decks) as floor, AsyncExitStack() as rest:
        nats = await FloorNats.connect(floor.nats.url, name="recorder", wait_ms=5_000)
        rest.push_async_callback(nats.close)
        play = Play(floor, nats, rest)
        await play.sit_down(settings, buy_in_minor)
        yield play
