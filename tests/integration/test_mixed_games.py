"""Mixed games with real services: chosen, drawn and in sequence, while the shuffler is killed."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

import pytest

from pokerfloor.api.common.v1.cards_pb2 import PLACE_KIND_GAME_DRAW
from pokerfloor.api.events.v1 import table_events_pb2
from pokerfloor.api.events.v1.table_events_pb2 import GameChosen, HandBegan
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.shuffler.v1 import shuffler_pb2
from pokerfloor.api.table.v1 import table_pb2
from pokerfloor.cards import cards_text
from pokerfloor.client import CommandRefused, NoAnswer, TableSession
from pokerfloor.servicekit import connect, fixed_token
from pokerfloor.tablelog import game_drawn, mixed_game_name, replay_hand
from tests.support.floor import Floor, whole_floor
from tests.support.mixed_tables import MIXED_TABLES
from tests.support.stubs import ShufflerStub

_HANDS = 5
_BUY_IN = 300


async def _play(session: TableSession) -> None:
    async for turn in session.turns():
        with contextlib.suppress(CommandRefused, NoAnswer):
            await turn.check_or_call()


async def _choose(session: TableSession) -> None:
    """Choose every game in turn."""
    number = 0
    while True:
        await session.wait_for(lambda mirror: mirror.asks_game, None)
        choice = session.mirror.game_choice
        assert choice is not None
        with contextlib.suppress(CommandRefused, NoAnswer):
            await session.choose_game(choice.games[number % len(choice.games)])
            number += 1
        await session.wait_for(lambda mirror: not mirror.asks_game, None)


async def _log(floor: Floor, table_id: str) -> list[Step]:
    steps: list[Step] = []
    while True:
        request = table_pb2.ReadLogRequest(
            table_id=table_id, from_table_seq=1 + len(steps), page_size=500
        )
        page = await floor.tables.ReadLog(request)
        steps.extend(page.steps)
        if len(steps) >= page.last_table_seq:
            return steps


def _check(steps: list[Step], games: tuple[str, ...]) -> set[int]:
    """Check that each hand is of the game found for it; returns how games were found."""
    found: GameChosen | None = None
    ways: set[int] = set()
    hands: dict[int, list[Step]] = {}
    for step in steps:
        if step.hand_no:
            hands.setdefault(step.hand_no, []).append(step)
        for event in step.events:
            if event.HasField("game_chosen"):
                found = event.game_chosen
                ways.add(found.method)
                faces = [one.card.code - 1 for one in found.cards]
                drawn = found.method == table_events_pb2.CHOICE_METHOD_RANDOM
                assert bool(found.deck_no) == bool(faces) == drawn
                assert not drawn or found.game == game_drawn(games, faces), cards_text(faces)
            elif event.HasField("hand_began"):
                opened: HandBegan = event.hand_began
                assert found is not None
                boards = opened.game.boards if opened.bomb_pot else 1
                name = mixed_game_name(opened.game)
                assert name == found.game + ("_double" if boards > 1 else "")
    assert len(hands) >= _HANDS
    assert all(replay_hand(of_hand).state.ended for of_hand in hands.values())
    return ways


@pytest.mark.integration
@pytest.mark.timeout(240)
@pytest.mark.rule("MIX-1", "MIX-2", "MIX-3")
async def test_tables_of_several_games(tmp_path: Path) -> None:
    async with whole_floor(tmp_path) as floor:
        tasks: list[asyncio.Task[None]] = []
        watching: dict[str, TableSession] = {}
        for name, make in MIXED_TABLES.items():
            table_id = name.replace("_", "-")
            await floor.open_table(table_id, make())
            for seat in (1, 2, 3):
                session = await (await floor.player(f"{table_id}-{seat}")).table(table_id)
                await session.sit_down(_BUY_IN, seat, post_to_enter=True)
                tasks.append(asyncio.create_task(_play(session)))
                if seat != 1:  # the first player never chooses: a card does
                    tasks.append(asyncio.create_task(_choose(session)))
                watching[table_id] = session
        await asyncio.sleep(1)
        await floor.services["shuffler"].restart()
        await floor.services["table"].restart()
        for session in watching.values():
            await session.wait_for(lambda mirror: mirror.hands > _HANDS, 120_000)
        for table_id in watching:
            await floor.pause(table_id)
        for task in tasks:
            assert not task.done() or not task.exception()
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        ways: dict[str, set[int]] = {}
        for table_id, session in watching.items():
            games = session.mirror.settings.mixed.games
            steps = await _log(floor, table_id)
            ways[table_id] = _check(steps, tuple([mixed_game_name(game) for game in games]))
            assert session.cards_checked > 10
        assert ways["mixed-choice"] == {
            table_events_pb2.CHOICE_METHOD_CHOICE,
            table_events_pb2.CHOICE_METHOD_RANDOM,
        }
        assert ways["mixed-random"] == {table_events_pb2.CHOICE_METHOD_RANDOM}
        assert (
            ways["mixed-hands"] == ways["mixed-circle"] == {table_events_pb2.CHOICE_METHOD_SEQUENCE}
        )
        await _check_a_draw(floor, await _log(floor, "mixed-random"))
        await floor.assert_books(list(watching))


async def _check_a_draw(floor: Floor, steps: list[Step]) -> None:
    """The deck of a draw is public: its cards were dealt to places of a draw, and turned up."""
    drawn = next(e.game_chosen for step in steps for e in step.events if e.HasField("game_chosen"))
    ref = steps[0].table_id
    request = shuffler_pb2.GetDeckRequest()
    request.deck.table_id, request.deck.deck_no = ref, drawn.deck_no
    token = floor.identities.token("auditor", "auditor")
    channel = connect(floor.services["shuffler"].address, fixed_token(token))
    deck = await ShufflerStub(channel).GetDeck(request)
    await channel.close()
    assert deck.state == shuffler_pb2.DECK_STATE_SETTLED
    assert deck.purpose == shuffler_pb2.DECK_PURPOSE_GAME_DRAW
    assert [one.place.kind for one in deck.dealt] == [PLACE_KIND_GAME_DRAW] * len(drawn.cards)
    assert all(one.revealed for one in deck.dealt)
