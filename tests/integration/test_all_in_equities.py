"""All-in showdowns on a whole floor: the views tell the equities, and auditors may ask for more."""

from __future__ import annotations

import asyncio
from pathlib import Path

import grpc.aio
import pytest

from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.showdown.v1 import showdown_pb2
from pokerfloor.api.shuffler.v1 import events_pb2
from pokerfloor.api.table.v1 import table_pb2
from pokerfloor.client import TableSession, Turn
from pokerfloor.servicekit import FloorNats, connect, error_name, error_of, fixed_token
from tests.support.floor import Floor, holdem_settings, whole_floor
from tests.support.players import Players
from tests.support.stubs import ShowdownStub

pytestmark = pytest.mark.integration

_HANDS = 5


async def _all_in(turn: Turn) -> None:
    await (turn.all_in() if turn.legal.raise_ or turn.legal.bet else turn.check_or_call())


class _Watch:
    """What a spectator is told of each hand: which cards lay open when, and the equities."""

    def __init__(self) -> None:
        self.turned_up: dict[int, list[int]] = {}
        self.told: dict[int, list[hand_events_pb2.EquityShown]] = {}
        self.over: set[int] = set()

    def __call__(self, step: table_pb2.StepView) -> None:
        for event in step.events:
            which = event.hand.WhichOneof("event")
            if which == "cards_revealed":
                self.turned_up.setdefault(step.hand_no, []).append(step.view_no)
            elif which == "equity_shown":
                assert step.hand_no not in self.over
                self.told.setdefault(step.hand_no, []).append(event.hand.equity_shown)
            elif which == "hand_ended":
                self.over.add(step.hand_no)


async def test_views_tell_equities_and_an_auditor_may_ask_for_more(tmp_path: Path) -> None:
    async with whole_floor(tmp_path) as floor:
        await floor.open_table("all-in", holdem_settings())
        watch = _Watch()
        watching = await floor.client("spectator").watch("all-in", on_step=watch)
        players = await Players.seated(floor, "all-in", ["a", "b"], 10_000)
        topping = [asyncio.create_task(_top_up(session)) for session in players.sessions.values()]
        await players.play(_HANDS, _all_in)
        for task in topping:
            task.cancel()
        await players.finish(floor)
        hands = [hand for hand in watch.turned_up if hand in watch.over]
        assert len(hands) >= _HANDS
        told = [hand for hand in hands if len(watch.told.get(hand, [])) == 3]
        assert len(told) >= len(hands) - 1, "told of hands, flop and turn; a busy machine may miss"
        for hand in told:
            exposed, flop, turn, _ = watch.turned_up[hand]
            assert [one.table_seq for one in watch.told[hand]] == [exposed, flop, turn]
            for one in watch.told[hand]:
                assert abs(sum(seat.high_ppm for seat in one.seats) - 1_000_000) <= 2
            assert watch.told[hand][1].exact
        await _check_disclosure(floor, told[0])
        await floor.assert_books(["all-in"])
        await watching.close()


async def _top_up(session: TableSession) -> None:
    """Have chips again after every hand."""
    preferences = table_pb2.PreferencesCommand(auto_top_up_minor=10_000)
    await session.command(table_pb2.TableCommand(preferences=preferences))


async def _check_disclosure(floor: Floor, hand_no: int) -> None:
    """An auditor has folded-out hands counted too: with a reason, on the shuffler's stream."""
    steps = (
        await floor.tables.GetHand(table_pb2.GetHandRequest(table_id="all-in", hand_no=hand_no))
    ).steps
    dealt = next(
        step.table_seq
        for step in steps
        for event in step.events
        if event.hand.HasField("places_dealt")
    )
    address = floor.services["showdown"].address
    auditor = floor.identities.token("ann", "auditor")
    async with connect(address, fixed_token(auditor), timeout_ms=10_000) as channel:
        showdown = ShowdownStub(channel)
        request = showdown_pb2.GetHandEquityRequest(
            table_id="all-in", hand_no=hand_no, at_table_seq=dealt
        )
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await showdown.GetHandEquity(request)
        assert error_name(error_of(caught.value).code) == "WRONG_STATE", "no hand lies open then"
        request.disclosure_reason = "a complaint"
        equity = (await showdown.GetHandEquity(request)).equity
        assert equity.exact
        assert len(equity.seats) == 2
    nats = await FloorNats.connect(floor.nats.url, name="test", wait_ms=5000)
    try:
        read = [
            event.deck_record_read
            async for message in nats.read_from("FLOOR_SHUFFLER", "floor.shuffler.all-in.>")
            if (event := events_pb2.ShufflerEvent.FromString(message.data)).HasField(
                "deck_record_read"
            )
        ]
    finally:
        await nats.close()
    assert [(one.auditor, one.reason) for one in read] == [("ann", "a complaint")]
