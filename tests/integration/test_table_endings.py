"""How a hand can end, with the real shuffler: each deck is closed as its hand ended, by the log."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from pokerfloor.api.common.v1 import cards_pb2, errors_pb2
from pokerfloor.api.events.v1 import table_events_pb2
from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.api.shuffler.v1 import events_pb2, shuffler_pb2
from pokerfloor.api.table.v1 import table_pb2
from pokerfloor.client import CommandRefused, TableMirror, TableSession, Turn
from pokerfloor.servicekit import FloorNats
from pokerfloor.tablelog import TABLE_LOG, table_subject
from tests.support.floor import Floor, holdem_settings, whole_floor
from tests.support.waiting import until

pytestmark = [pytest.mark.integration, pytest.mark.asyncio(loop_scope="module")]

SETTLED, VOID = shuffler_pb2.DECK_STATE_SETTLED, shuffler_pb2.DECK_STATE_VOID
_SOON_MS = 20_000
_SHOW_MS = 5_000  # SHW-3


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def floor(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Floor]:
    async with whole_floor(tmp_path_factory.mktemp("floor")) as running:
        yield running


class Duel:
    """Two players at a table of their own, with a pause between hands."""

    def __init__(self, floor: Floor, table_id: str) -> None:
        self.floor = floor
        self.table_id = table_id
        self.players: list[TableSession] = []
        self._turns: list[AsyncIterator[Turn]] = []
        self._asked: dict[int, asyncio.Future[Turn]] = {}

    @classmethod
    async def begun(
        cls, floor: Floor, table_id: str, *, base_ms: int = 20_000, between_hands_ms: int = 60_000
    ) -> Duel:
        """A hand in play."""
        duel = cls(floor, table_id)
        clock = settings_pb2.ClockSettings(
            base_ms=base_ms, bank_ms=0, between_hands_ms=between_hands_ms
        )
        await floor.open_table(table_id, holdem_settings(seats=2, base_ms=base_ms, clock=clock))
        for name in ("ann", "bob"):
            client = await floor.player(f"{table_id}-{name}")
            session = await client.table(table_id)
            await session.sit_down(10_000)
            duel.players.append(session)
            duel._turns.append(session.turns())
        return duel

    async def turn(self) -> Turn:
        """The next turn, of whoever is to act."""
        for number, turns in enumerate(self._turns):
            if number not in self._asked:
                self._asked[number] = asyncio.ensure_future(anext(turns))
        await asyncio.wait(self._asked.values(), return_when=asyncio.FIRST_COMPLETED)
        number = next(number for number, asked in self._asked.items() if asked.done())
        return self._asked.pop(number).result()

    async def all_know(self, hands: int) -> None:
        def over(mirror: TableMirror) -> bool:
            return mirror.hands == hands and mirror.hand is None

        for one in self.players:
            await one.wait_for(over, _SOON_MS)

    def winner(self) -> TableSession:
        last = self.players[0].mirror.last_hand
        assert last is not None
        (won,) = [seat for seat, net in last.nets.items() if net > 0]
        return next(one for one in self.players if one.mirror.own_seat == won)

    async def show(self, who: TableSession, *slots: int) -> None:
        wanted = table_pb2.ShowCardsCommand(hand_no=1, slots=slots)
        await who.command(table_pb2.TableCommand(show_cards=wanted))

    async def log(self) -> list[step_pb2.Step]:
        return [
            step_pb2.Step.FromString(data)
            for data in await self._read(TABLE_LOG.name, table_subject(self.table_id))
        ]

    async def shuffler_events(self) -> list[events_pb2.ShufflerEvent]:
        return [
            events_pb2.ShufflerEvent.FromString(data)
            for data in await self._read("FLOOR_SHUFFLER", f"floor.shuffler.{self.table_id}.>")
        ]

    async def _read(self, stream: str, subject: str) -> list[bytes]:
        nats = await FloorNats.connect(self.floor.nats.url, name="reader", wait_ms=5_000)
        try:
            return [message.data async for message in nats.read_from(stream, subject, 1)]
        finally:
            await nats.close()

    async def closed(self, deck_no: int) -> events_pb2.DeckClosed:
        """How a deck was closed, once it is."""
        found: list[events_pb2.DeckClosed] = []

        async def there() -> bool:
            found[:] = [
                event.deck_closed
                for event in await self.shuffler_events()
                if event.deck_closed.deck.deck_no == deck_no
            ]
            return bool(found)

        await until(there, f"deck {deck_no} of {self.table_id} is closed", 15)
        assert len(found) == 1
        return found[0]

    async def step_with(self, name: str) -> step_pb2.Step:
        (step,) = [step for step in await self.log() if name in _names(step)]
        return step

    async def end(self) -> None:
        """The shuffler refused nothing of this table."""
        for asked in self._asked.values():
            asked.cancel()
        for one in self.players:
            await one.close()
        refused = [e for e in await self.shuffler_events() if e.HasField("reveal_refused")]
        assert refused == []


def _names(step: step_pb2.Step) -> list[str]:
    def name(event: table_events_pb2.TableEvent) -> str:
        return event.hand.WhichOneof("event") or event.WhichOneof("event") or ""

    return [name(event) for event in step.events]


@pytest.mark.rule("SHW-3", "DLR-2")
async def test_everybody_folds_and_the_winner_shows_a_card(floor: Floor) -> None:
    duel = await Duel.begun(floor, "shows")
    await (await duel.turn()).fold()
    await duel.all_know(1)
    winner = duel.winner()
    checked = [one.cards_checked for one in duel.players]
    await duel.show(winner, 2)
    loser = next(one for one in duel.players if one is not winner)
    with pytest.raises(CommandRefused) as refused:
        await duel.show(loser, 1)
    assert refused.value.code == errors_pb2.ERROR_CODE_ACTION_NOT_ALLOWED
    turned = await _shown(duel)
    assert [(place.owner, place.slot) for place in turned] == [(winner.mirror.own_seat, 2)]
    for one, before in zip(duel.players, checked, strict=True):
        await one.wait_for(lambda _, one=one, before=before: one.cards_checked == before + 1, 5_000)  # type: ignore[misc]  # bound in the loop
    ended = await duel.step_with("hand_ended")
    closing = await duel.closed(2)
    assert (closing.outcome, closing.cause.table_seq) == (SETTLED, ended.table_seq)
    asked = await duel.step_with("showing_closed")
    assert asked.at_ms > ended.at_ms + _SHOW_MS
    (opened,) = [
        event.cards_revealed
        for event in await duel.shuffler_events()
        if event.cards_revealed.deck.deck_no == 2
    ]
    assert [(place.owner, place.slot) for place in opened.places] == [(winner.mirror.own_seat, 2)]
    assert opened.cause.table_seq > ended.table_seq, "the winner's own step justifies it"
    await duel.end()


async def _shown(duel: Duel) -> list[cards_pb2.Place]:
    """The places turned up after the hand, once they are."""
    found: list[cards_pb2.Place] = []

    async def there() -> bool:
        found[:] = [
            card.place
            for step in await duel.log()
            if step.hand_no == 1
            for event in step.events
            for card in event.hand.cards_revealed.cards
        ]
        return bool(found)

    await until(there, "the winner's card is turned up", 10)
    return found


@pytest.mark.rule("SHW-3")
async def test_the_next_hand_begins_before_the_time_to_show_is_over(floor: Floor) -> None:
    duel = await Duel.begun(floor, "goes-on", between_hands_ms=100)
    await (await duel.turn()).fold()
    turn = await duel.turn()
    assert turn.hand_no == 2
    ended = next(step for step in await duel.log() if "hand_ended" in _names(step))
    closing = await duel.closed(2)
    assert (closing.outcome, closing.cause.table_seq) == (SETTLED, ended.table_seq)
    await duel.end()


@pytest.mark.rule("DLR-8")
async def test_a_supervisor_voids_the_hand_in_the_middle(floor: Floor) -> None:
    duel = await Duel.begun(floor, "voided")
    await (await duel.turn()).call()
    await (await duel.turn()).check()
    turn = await duel.turn()
    assert len(turn.board) == 3
    request = table_pb2.VoidHandRequest(
        command_id="void", table_id="voided", hand_no=1, reason="fouled deck"
    )
    await floor.tables.VoidHand(request)
    await duel.all_know(1)
    assert [one.mirror.own_stack for one in duel.players] == [10_000, 10_000]
    voided = await duel.step_with("hand_voided")
    closing = await duel.closed(2)
    assert (closing.outcome, closing.void_reason) == (VOID, "fouled deck")
    assert closing.cause.table_seq == voided.table_seq
    await duel.end()


@pytest.mark.rule("CLK-2")
async def test_a_time_out_ends_the_hand(floor: Floor) -> None:
    duel = await Duel.begun(floor, "times-out", base_ms=500)
    await duel.all_know(1)
    ended = await duel.step_with("hand_ended")
    assert "time_ran_out" in _names(ended)
    closing = await duel.closed(2)
    assert (closing.outcome, closing.cause.table_seq) == (SETTLED, ended.table_seq)
    await duel.end()


async def test_a_table_closes_with_the_hand(floor: Floor) -> None:
    duel = await Duel.begun(floor, "closes")
    turn = await duel.turn()
    await floor.tables.CloseTable(
        table_pb2.CloseTableRequest(command_id="close", table_id="closes")
    )
    await turn.fold()
    closing = await duel.closed(2)
    ended = await duel.step_with("hand_ended")
    assert "table_closed" in _names(ended)
    assert (closing.outcome, closing.cause.table_seq) == (SETTLED, ended.table_seq)
    await duel.end()


async def test_a_showdown(floor: Floor) -> None:
    duel = await Duel.begun(floor, "showdown")
    await (await duel.turn()).all_in()
    await (await duel.turn()).call()
    await duel.all_know(1)
    ended = await duel.step_with("hand_ended")
    closing = await duel.closed(2)
    assert (closing.outcome, closing.cause.table_seq) == (SETTLED, ended.table_seq)
    await duel.end()


async def test_all_of_this_was_no_reason_to_warn_anybody(floor: Floor) -> None:
    """After the tables above: fresh services, no kill, no fault."""
    for name, process in floor.services.items():
        lines = process.lines()
        assert lines
        warned = [line for line in lines if line["level"] not in ("debug", "info")]
        assert warned == [], name
