"""The client against the real floor: a seat, a hand, cards proved, money back in the wallet."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.events.v1 import hand_events_pb2 as hand
from pokerfloor.api.table.v1 import table_pb2
from pokerfloor.api.wallet.v1 import wallet_pb2
from pokerfloor.client import CommandRefused, FloorClient, TableMirror, TableSession, TopUpStage
from tests.support.floor import CURRENCY, Floor, holdem_settings, whole_floor
from tests.support.waiting import until

pytestmark = [pytest.mark.integration, pytest.mark.asyncio(loop_scope="module")]
_SOON_MS = 20_000


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def floor(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Floor]:
    async with whole_floor(tmp_path_factory.mktemp("floor")) as running:
        yield running


async def play(session: TableSession, hands: int) -> None:
    async for turn in session.turns(hands):
        assert len(turn.hole_cards) == 2
        await turn.check_or_call()


async def in_play(client: FloorClient, tables: dict[str, int]) -> None:
    """Wait until the wallet, which follows the tables' logs, has this money at tables."""

    async def agreed() -> bool:
        balance = await client.balance(CURRENCY)
        return balance.tables == tables and not balance.reserved_minor

    await until(agreed, f"the wallet has {tables} in play")


async def opponent(floor: Floor, name: str, table_id: str) -> asyncio.Task[None]:
    """Somebody to play against, who calls everything until cancelled."""
    client = await floor.player(name)
    session = await client.table(table_id)
    await session.sit_down(10_000)
    return asyncio.create_task(play(session, 0))


async def test_sit_down_play_one_hand_and_leave(floor: Floor) -> None:
    await floor.open_table("one-hand")
    other = await opponent(floor, "one-other", "one-hand")
    client = await floor.player("one", cash_minor=50_000)
    async with await client.table("one-hand") as table:
        assert await table.sit_down(10_000, post_to_enter=True) == table.mirror.own_seat
        await in_play(client, {"one-hand": 10_000})
        await play(table, hands=1)
        last = table.mirror.last_hand
        assert last is not None
        assert sum(last.nets.values()) + last.rake == 0
        # Two own cards at the least; both hands and the board at a showdown.
        assert table.cards_checked >= 9
        seat = table.mirror.own_seat
        await table.leave()
        assert seat
        assert table.mirror.own_seat == 0
    await in_play(client, {})
    lines = [line async for line in client.statement(CURRENCY)]
    kinds = [line.kind for line in lines]
    assert kinds[:2] == [wallet_pb2.ENTRY_KIND_DEPOSIT, wallet_pb2.ENTRY_KIND_RESERVATION]
    assert kinds[-1] in (wallet_pb2.ENTRY_KIND_CASH_OUT, wallet_pb2.ENTRY_KIND_RESERVATION)
    assert [line.version for line in lines] == list(range(1, len(lines) + 1))
    assert lines[-1].balance_minor == (await client.balance(CURRENCY)).cash_minor
    other.cancel()


async def test_the_fold_of_the_views_is_what_the_table_says(floor: Floor) -> None:
    """A spectator from the first step knows the same as one who comes later."""
    await floor.open_table("fold")
    watcher = await floor.client("fold-watcher").watch("fold")
    first = await opponent(floor, "fold-one", "fold")
    second = await opponent(floor, "fold-two", "fold")
    await watcher.wait_for(lambda mirror: mirror.hands >= 4, _SOON_MS)
    await floor.pause("fold")
    view = await floor.view("fold")
    await watcher.wait_for(lambda m: m.hands == view.hands and m.hand is None, _SOON_MS)
    folded = {n: (s.player_id, s.stack) for n, s in watcher.mirror.seats.items()}
    assert folded == {s.seat: (s.player_id, s.stack.minor) for s in view.seats}
    assert watcher.mirror.button == view.button
    assert watcher.mirror.state == view.state
    assert watcher.mirror.hole_cards == ()
    assert watcher.cards_checked > 0
    first.cancel()
    second.cancel()


async def test_coming_back_with_the_same_key_shows_the_same_cards(floor: Floor) -> None:
    await floor.open_table("back", holdem_settings(seats=2))
    client = await floor.player("back-one")
    other = await opponent(floor, "back-two", "back")
    session = await client.table("back")
    await session.sit_down(10_000)
    async for turn in session.turns():
        before = turn
        break
    await session.close()
    again = await client.table("back")
    async for turn in again.turns():
        assert (turn.hand_no, turn.turn_no) == (before.hand_no, before.turn_no)
        assert turn.hole_cards == before.hole_cards
        await turn.fold()
        break
    other.cancel()


async def test_a_killed_table_service_is_found_again(floor: Floor) -> None:
    await floor.open_table("killed", holdem_settings(seats=2))
    other = await opponent(floor, "killed-two", "killed")
    client = await floor.player("killed-one")
    session = await client.table("killed")
    await session.sit_down(10_000)
    asked = 0
    async for turn in session.turns(hands=2):
        asked += 1
        cards = turn.hole_cards
        if asked == 1:
            await floor.services["table"].restart()
            await session.wait_for(lambda m, cards=cards: m.hole_cards == cards, _SOON_MS)  # type: ignore[misc]  # a lambda with a default
        await turn.check_or_call()
    assert session.connections >= 2
    assert session.mirror.own_hands_finished == 2
    other.cancel()


async def test_refusals_say_what_and_why_and_change_nothing(floor: Floor) -> None:
    await floor.open_table("refusals", holdem_settings(seats=2))
    client = await floor.player("refused", cash_minor=5_000)
    session = await client.table("refusals")

    async def refusal(command: table_pb2.TableCommand) -> CommandRefused:
        view_no = session.mirror.view_no
        with pytest.raises(CommandRefused) as refused:
            await session.command(command)
        assert session.mirror.view_no == view_no
        return refused.value

    leave = table_pb2.TableCommand(leave=table_pb2.LeaveCommand())
    assert (await refusal(leave)).code == errors_pb2.ERROR_CODE_NOT_SEATED
    little = table_pb2.SitDownCommand(buy_in_minor=1, display_name="x")
    too_little = await refusal(table_pb2.TableCommand(sit_down=little))
    assert too_little.code == errors_pb2.ERROR_CODE_BUY_IN_OUT_OF_RANGE
    assert too_little.reason
    assert "buy_in_minor" in too_little.field
    act = table_pb2.ActCommand(hand_no=1, turn_no=1, kind=hand.ACTION_KIND_FOLD)
    refused = await refusal(table_pb2.TableCommand(act=act))
    assert refused.code in (errors_pb2.ERROR_CODE_NO_HAND, errors_pb2.ERROR_CODE_NOT_SEATED)


async def test_a_buy_in_that_the_wallet_refuses_takes_no_seat(floor: Floor) -> None:
    await floor.open_table("poor", holdem_settings(seats=2))
    client = await floor.player("poor", cash_minor=100)
    session = await client.table("poor")
    with pytest.raises(CommandRefused) as refused:
        await session.sit_down(10_000)
    assert refused.value.code == errors_pb2.ERROR_CODE_INSUFFICIENT_FUNDS
    assert refused.value.reason
    assert session.mirror.own_seat == 0
    nobody = await floor.client("no-account").table("poor")
    with pytest.raises(CommandRefused) as refused:
        await nobody.sit_down(10_000)
    assert refused.value.code == errors_pb2.ERROR_CODE_UNKNOWN_ACCOUNT
    assert (await client.balance(CURRENCY)).cash_minor == 100


async def test_unknown_tables_are_refused(floor: Floor) -> None:
    client: FloorClient = await floor.player("lost")
    with pytest.raises(CommandRefused) as refused:
        await client.table("no-such-table")
    assert refused.value.code == errors_pb2.ERROR_CODE_UNKNOWN_TABLE


async def test_a_top_up_arrives_between_hands(floor: Floor) -> None:
    await floor.open_table("top-up", holdem_settings(seats=2))
    client = await floor.player("topper")
    session = await client.table("top-up")
    await session.sit_down(5_000)
    assert await session.top_up(1_500), "no hand is played, so the chips lie there"

    def arrived(mirror: TableMirror) -> bool:
        return mirror.own_stack == 6_500

    await session.wait_for(arrived, _SOON_MS)
    await in_play(client, {"top-up": 6_500})


async def test_a_top_up_in_a_hand_is_held_until_it_ends(floor: Floor) -> None:
    await floor.open_table("held", holdem_settings(seats=2))
    client = await floor.player("holder")
    session = await client.table("held")
    await session.sit_down(5_000)
    other = await (await floor.player("held-other")).table("held")
    await other.sit_down(5_000)
    await session.wait_for(lambda mirror: mirror.hand is not None, _SOON_MS)
    assert not await session.top_up(1_500), "the chips come when the hand is over"
    held = session.mirror.top_up
    assert held is not None
    assert held.stage is TopUpStage.HELD
    players = [asyncio.create_task(play(one, 1)) for one in (session, other)]
    await asyncio.gather(*players)

    def arrived(mirror: TableMirror) -> bool:
        return mirror.top_up is not None and mirror.top_up.stage is TopUpStage.ADDED

    await session.wait_for(arrived, _SOON_MS)


async def test_a_top_up_that_the_wallet_refuses_says_so(floor: Floor) -> None:
    await floor.open_table("short", holdem_settings(seats=2))
    client = await floor.player("short", cash_minor=6_000)
    session = await client.table("short")
    await session.sit_down(5_000)
    with pytest.raises(CommandRefused) as refused:
        await session.top_up(1_500)
    assert refused.value.code == errors_pb2.ERROR_CODE_INSUFFICIENT_FUNDS
    assert refused.value.field == "top_up.amount_minor"
    assert session.mirror.own_stack == 5_000


async def test_tables_are_listed(floor: Floor) -> None:
    await floor.open_table("listed")
    client = await floor.player("reader")
    assert "listed" in [table.table_id for table in await client.tables()]
