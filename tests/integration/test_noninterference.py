"""The same hands twice, with two hidden cards exchanged: nobody can tell the plays apart.

`make noninterference` plays more hands by drawn scripts (`FLOOR_NONINTERFERENCE_HANDS`).
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import grpc.aio
import pytest
from google.protobuf.descriptor_pool import Default

from floor_table.domain import public_events, step_view
from floor_table.runtime import metrics as table_metrics
from pokerfloor.api.common.v1 import cards_pb2, errors_pb2
from pokerfloor.api.internal.shuffler.v1 import dealing_pb2
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.api.shuffler.v1 import events_pb2
from pokerfloor.api.table.v1 import table_pb2
from pokerfloor.cards import STANDARD, to_wire
from pokerfloor.servicekit import error_of, get_logger
from tests.support.floor import holdem_settings
from tests.support.hidden_cards import (
    HandFacts,
    assert_all_is_accounted_for,
    hand_facts,
    hay,
    hole_cards,
    needles,
    still_mucks,
)
from tests.support.inprocess_floor import Ground
from tests.support.noninterference import MAY_DIFFER, descriptor, differences, masked
from tests.support.planted_decks import PlantedDecks
from tests.support.recorded_play import NAMES, TABLE, Play, Recording, recorded_play
from tests.support.stubs import ShufflerStub
from tests.support.turn_scripts import Moves, drawn, scripted
from tests.support.watcher import Message

pytestmark = pytest.mark.integration

SHOW = settings_pb2.LOSERS_RULE_SHOW
MUCK = settings_pb2.LOSERS_RULE_MUCK
_HANDS_A_PLAY = 5
_HANDS = int(os.environ.get("FLOOR_NONINTERFERENCE_HANDS", "3"))

Exchange = Callable[[HandFacts, PlantedDecks], tuple[int, int]]


@dataclass(frozen=True)
class Hand:
    """A hand's script, and which two of its cards are exchanged."""

    moves: Callable[[], Moves]
    exchange: Exchange
    shows: Sequence[int] = ()
    comes_back: int = 0


def played(moves: str, exchange: Exchange, **more: Any) -> Hand:
    return Hand(lambda: scripted(moves), exchange, **more)


# Four seats: under the gun acts first, then button, small and big blind; after the flop the small
# blind is first.
SHOWN = (
    # A seat folds: its card with one that is never dealt.
    played("f", lambda hand, _: (hand.own(hand.folded[0])[0], hand.stub[-1])),
    # Two seats fold, on the flop and on the turn: one card of each.
    played(
        "cccc rccf rfcc",
        lambda hand, _: (hand.own(hand.folded[0])[0], hand.own(hand.folded[1])[1]),
    ),
    # A burned card with one of the stub.
    played("", lambda hand, _: (hand.burns[1], hand.stub[3])),
    # A player comes back in the middle of the hand; a folded card with a burned one.
    played("fc", lambda hand, _: (hand.own(hand.folded[0])[1], hand.burns[0]), comes_back=6),
    # Nobody calls on the turn: the winner's card with a burned one.
    played("cccc cccc rfff", lambda hand, _: (hand.own(hand.winners[0])[0], hand.burns[0])),
)
MUCKED = (
    # A beaten hand mucks: its card with one of the stub with which it still does.
    played("", still_mucks),
    # Everybody folds to a raise: the winner's card with one of the stub.
    played("rfff", lambda hand, _: (hand.own(hand.winners[0])[0], hand.stub[0])),
    # The winner shows one card: the other one with one of the stub.
    played("ffrf", lambda hand, _: (hand.own(hand.winners[0])[1], hand.stub[5]), shows=(1,)),
    # All-in: both hands lie open, the folded ones do not.
    played("faf", lambda hand, _: (hand.own(hand.folded[0])[0], hand.own(hand.folded[1])[0])),
)


def drawn_hands(seed: int, count: int) -> tuple[Hand, ...]:
    """Hands whose turns are drawn; any two cards that are not turned up are exchanged."""

    def exchange(hand: HandFacts, _: PlantedDecks) -> tuple[int, int]:
        generator = random.Random(f"exchange {seed}/{hand.hand_no}")
        one = generator.choice([i for i in hand.free if i < len(hand.index)])
        return one, generator.choice([i for i in hand.free if i != one])

    def moves(number: int) -> Callable[[], Moves]:
        last = number == count - 1
        letters = "ffffcccccccccrrra" if last else "fffcccccccccrrr"
        return lambda: drawn(f"moves {seed}/{number}", letters)

    return tuple(Hand(moves(number), exchange) for number in range(count))


def table_settings(losers: settings_pb2.LosersRule.ValueType) -> settings_pb2.TableSettings:
    settings = holdem_settings()
    settings.game.losers = losers
    return settings


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return Ground(tmp_path / "ground", int(time.time() * 1000))


async def evening(
    ground: Ground,
    folder: Path,
    decks: PlantedDecks,
    hands: Iterable[Hand],
    losers: settings_pb2.LosersRule.ValueType,
) -> Recording:
    async with recorded_play(ground, folder, decks, table_settings(losers)) as play:
        for hand in hands:
            await play.hand(hand.moves(), _comes_back(play, hand.comes_back), hand.shows)
        return await play.record()


def _comes_back(play: Play, turn: int) -> Callable[[int], Awaitable[None]] | None:
    async def before_turn(turn_no: int) -> None:
        if turn_no == turn:
            await play.return_to_seat(1)

    return before_turn if turn else None


async def twice(
    ground: Ground,
    folder: Path,
    seed: int,
    hands: Sequence[Hand],
    losers: settings_pb2.LosersRule.ValueType,
) -> tuple[tuple[Recording, PlantedDecks], tuple[Recording, PlantedDecks], list[HandFacts]]:
    """Play the hands; exchange two cards of each, and play them again on a fresh floor."""
    first = PlantedDecks(seed)
    one = await evening(ground, folder / "one", first, hands, losers)
    facts = hand_facts(one.steps())
    assert len(facts) == len(hands)
    second = PlantedDecks(
        seed,
        {
            known.deck_no: hand.exchange(known, first)
            for known, hand in zip(facts, hands, strict=True)
        },
    )
    other = await evening(ground, folder / "other", second, hands, losers)
    return (one, first), (other, second), facts


def assert_only_the_owner_knows(
    one: tuple[Recording, PlantedDecks],
    other: tuple[Recording, PlantedDecks],
    hands: Sequence[HandFacts],
) -> None:
    assert differences(one[0], other[0]) == []
    for recording, decks in (one, other):
        assert_all_is_accounted_for(recording, decks)
    # The cards were exchanged: roots differ, and who was dealt one of them sees another card.
    for hand in hands:
        exchanged = set(other[1].swaps[hand.deck_no])
        assert exchanged <= set(hand.hidden)
        assert _root(one[0], hand.deck_no) != _root(other[0], hand.deck_no)
        for name in NAMES:
            pairs = zip(
                hole_cards(one[0], hand, name), hole_cards(other[0], hand, name), strict=True
            )
            for (mine, index), (changed, _) in pairs:
                assert (mine.card != changed.card) == (index in exchanged)


def _root(recording: Recording, deck_no: int) -> bytes:
    for step in recording.steps():
        for event in step.events:
            if event.deck_committed.deck_no == deck_no:
                return event.deck_committed.root
    raise AssertionError(f"deck {deck_no} was not committed")


@pytest.mark.rule("DLR-10", "SHW-3", "CLK-3")
async def test_hands_where_all_who_are_left_show(ground: Ground, tmp_path: Path) -> None:
    one, other, hands = await twice(ground, tmp_path, 1, SHOWN, SHOW)
    assert [len(hand.folded) for hand in hands] == [1, 2, 0, 1, 3]
    assert [len(hand.showdown) for hand in hands] == [3, 2, 4, 3, 0]
    assert "seat 1, back" in one[0].messages
    assert_only_the_owner_knows(one, other, hands)


@pytest.mark.rule("DLR-10", "SHW-2", "SHW-3")
async def test_hands_that_are_mucked_or_never_shown(ground: Ground, tmp_path: Path) -> None:
    one, other, hands = await twice(ground, tmp_path, 2, MUCKED, MUCK)
    assert hands[0].mucked
    assert [len(hand.turned_up) for hand in hands[1:]] == [0, 1, 9]
    assert_only_the_owner_knows(one, other, hands)


@pytest.mark.parametrize("begin", range(0, _HANDS, _HANDS_A_PLAY))
@pytest.mark.rule("DLR-10", "SHW-2")
async def test_hands_by_a_drawn_script(ground: Ground, tmp_path: Path, begin: int) -> None:
    hands = drawn_hands(begin, min(_HANDS_A_PLAY, _HANDS - begin))
    losers = (SHOW, MUCK)[begin // _HANDS_A_PLAY % 2]
    assert_only_the_owner_knows(*await twice(ground, tmp_path, 100 + begin, hands, losers))


# --- the comparison sees what it has to see


async def test_every_planted_leak_is_seen(ground: Ground, tmp_path: Path) -> None:
    """A folded card's code, told in six ways: each is found, and nothing besides."""

    class Secret:
        code = 0

    def leaking_view(step: Any, after: Any, audience: Any) -> table_pb2.StepView:
        view = step_view(step, after, audience)
        if audience.kind == table_pb2.VIEW_KIND_TERMINAL:
            view.at_ms += Secret.code  # the same length, another content
        elif audience.seat == 2:
            view.MergeFromString(b"\xfa\x7f\x01" + bytes([Secret.code]))  # a field nobody knows
        elif audience.kind == table_pb2.VIEW_KIND_SPECTATOR:
            view.MergeFromString(b"\xfa\x7f" + bytes([Secret.code]) + bytes(Secret.code))
        return view

    def leaking_events(step: Any) -> Any:
        get_logger("leak").debug("published", code=Secret.code)
        table_metrics.HOUSE_FAULTS.inc(Secret.code)
        events = public_events(step)
        return [*events, *events[:1]] if Secret.code % 2 else events

    async def leaked(folder: Path, decks: PlantedDecks) -> Recording:
        Secret.code = to_wire(decks.order(2, STANDARD.cards)[0])
        with (
            mock.patch("floor_table.runtime.view_ring.step_view", leaking_view),
            mock.patch("floor_table.runtime.publisher.public_events", leaking_events),
        ):
            return await evening(ground, folder, decks, [played("fffc", _no_exchange)], SHOW)

    # An odd and an even code of one byte each.
    first = PlantedDecks(3)
    codes = [to_wire(card) for card in first.order(2, STANDARD.cards)]
    stub = next(i for i in range(20, 52) if (codes[i] - codes[0]) % 2)
    one = await leaked(tmp_path / "one", first)
    other = await leaked(tmp_path / "other", PlantedDecks(3, {2: (0, stub)}))
    found = {text.partition(":")[0] for text in differences(one, other)}
    assert found == {
        "terminal",
        "seat 2",
        "spectator",
        "public subjects",
        "log lines",
        "metrics",
    }


def _no_exchange(_hand: HandFacts, _decks: PlantedDecks) -> tuple[int, int]:
    raise AssertionError("the cards are chosen otherwise")


def _step(**changes: Any) -> Message:
    view = table_pb2.StepView(view_no=7, at_ms=1000)
    view.events.add().deck_committed.root = changes.pop("root", bytes(32))
    opened = view.events.add().hand.cards_revealed.cards.add()
    opened.card.code = changes.pop("code", 5)
    opened.proof.salt = changes.pop("salt", bytes(32))
    opened.proof.path.extend(changes.pop("path", [bytes(32)] * 6))
    update = table_pb2.TableUpdate(server_time_ms=1000, step=view, **changes)
    return Message("floor.table.v1.TableUpdate", "", update.SerializeToString())


@pytest.mark.parametrize(
    ("changes", "same"),
    [
        ({"root": b"r" * 32}, True),
        ({"path": [b"p" * 32] * 6}, True),
        ({"root": b"r" * 31}, False),
        ({"path": [b"p" * 32] * 5}, False),
        ({"salt": b"s" * 32}, False),
        ({"code": 6}, False),
    ],
)
def test_only_what_may_differ_is_masked(changes: dict[str, Any], same: bool) -> None:
    one = Recording(messages={"seat 1": [_step()]})
    other = Recording(messages={"seat 1": [_step(**changes)]})
    assert (differences(one, other) == []) == same
    assert differences(one, Recording(messages={"seat 1": [_step(), _step()]}))
    assert differences(one, Recording(messages={"seat 1": [], "seat 2": [_step()]}))


def test_what_may_differ_exists_and_keeps_its_place() -> None:
    for name in MAY_DIFFER:
        message, _, field = name.rpartition(".")
        assert field in _message_of(message).fields_by_name
    data = _step(root=b"r" * 32, path=[b"p" * 32] * 6).data
    hidden = masked(data, descriptor("floor.table.v1.TableUpdate"))
    assert hidden == data.replace(b"r" * 32, bytes(32)).replace(b"p" * 32, bytes(32))


def _message_of(name: str) -> Any:
    return Default().FindMessageTypeByName(name)


# --- asking for what is not to be seen


@pytest.mark.rule("DLR-10", "SHW-2")
async def test_no_hole_card_is_opened_before_the_showdown(ground: Ground, tmp_path: Path) -> None:
    asked: list[tuple[str, str, cards_pb2.StepRef]] = []
    place = cards_pb2.Place(kind=cards_pb2.PLACE_KIND_SEAT, owner=2, slot=1)
    deck = cards_pb2.DeckRef(table_id=TABLE, deck_no=2)

    async with recorded_play(ground, tmp_path, PlantedDecks(4), table_settings(SHOW)) as play:

        async def before_turn(turn_no: int) -> None:
            seq = max(watcher.view_no for watcher in play.seats.values())
            here = cards_pb2.StepRef(table_id=TABLE, table_seq=seq, stream_seq=seq)
            nowhere = cards_pb2.StepRef(table_id=TABLE, table_seq=seq, stream_seq=seq + 9)
            for service in ("table", "showdown") if turn_no in {1, 6, 12} else ():
                token = ground.token_files[service].read_text(encoding="ascii")
                shuffler = ShufflerStub(play.channel(token, "shuffler"))
                for cause, code in ((here, "NOT_JUSTIFIED"), (nowhere, "CAUSE_NOT_FOUND")):
                    request = dealing_pb2.RevealCardsRequest(
                        deck=deck, places=[place], cause=cause, owner_epoch=1
                    )
                    await _denied(shuffler.RevealCards(request), code)
                    asked.append((f"service:{service}", f"RevealCards: {code}: ", cause))
            for name in ("player", "spectator", "auditor", "operations"):
                stub = ShufflerStub(play.channel(play.token("eve", name), "shuffler"))
                await _denied(stub.RevealCards(request_of(deck, place, here)), "ROLE_NOT_ALLOWED")

        await play.hand(scripted(""), before_turn)
        recording = await play.record()
    refused = [
        events_pb2.ShufflerEvent.FromString(message.data).reveal_refused
        for message in recording.messages[f"floor.shuffler.{TABLE}.reveal_refused"]
    ]
    assert len(refused) == len(asked) == 12
    for event, (asker, reason, cause) in zip(refused, asked, strict=True):
        assert (event.deck, list(event.places), event.cause) == (deck, [place], cause)
        assert event.asked_by == asker
        name = errors_pb2.ErrorCode.Name(event.error.code).removeprefix("ERROR_CODE_")
        assert f"{event.call}: {name}: {event.error.reason}".startswith(reason)


def request_of(
    deck: cards_pb2.DeckRef, place: cards_pb2.Place, cause: cards_pb2.StepRef
) -> dealing_pb2.RevealCardsRequest:
    return dealing_pb2.RevealCardsRequest(deck=deck, places=[place], cause=cause, owner_epoch=1)


async def _denied(call: Any, code: str) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    assert caught.value.code() == grpc.StatusCode.PERMISSION_DENIED
    assert error_of(caught.value).code == errors_pb2.ErrorCode.Value(f"ERROR_CODE_{code}")


@pytest.mark.rule("DLR-10", "SHW-2")
async def test_no_store_log_or_message_holds_a_hidden_card(ground: Ground, tmp_path: Path) -> None:
    decks = PlantedDecks(2)
    async with recorded_play(ground, tmp_path / "floor", decks, table_settings(MUCK)) as play:
        await play.hand(scripted("f"))
        recording = await play.record()
        (facts,) = hand_facts(recording.steps())
        stored = {
            name: hay(tmp_path / "floor" / name) for name in ("nats/store", "wallet", "shuffler")
        }
    assert facts.mucked
    said = {
        audience: b"\0".join(message.data for message in messages)
        for audience, messages in recording.messages.items()
        # To the showdown service alone the shuffler tells the hands that are to be mucked.
        if audience != "showdown calls DealingService/RevealCards, answered"
    }
    lines = "\n".join([*recording.log_lines, recording.metrics_text]).encode()
    everything = {**stored, **said, "logs and metrics": lines}
    for needle in needles(facts, decks, facts.hidden):
        assert [name for name, text in everything.items() if needle in text] == []
    # The search finds what is there: each salt that was published with its card.
    salts = decks.salts(facts.deck_no, len(STANDARD))
    for index in facts.turned_up:
        assert salts[index] in stored["nats/store"]
        assert salts[index] in said["spectator"]
    read = {index for seat in facts.mucked for index in facts.own(seat)}
    secret = recording.messages["showdown calls DealingService/RevealCards, answered"][0].data
    assert all(salts[index] in secret for index in read)
