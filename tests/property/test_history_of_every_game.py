"""The history of every hand of every game is written as PHH and replays to the same stacks."""

import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from floor_table.domain import Operation
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.cards import DECKS
from pokerfloor.floorctl.history import hand_text
from pokerfloor.games import GAMES, Event, Hand
from pokerfloor.games.known_deck import KnownDeck, play_out
from pokerfloor.games.placement import PLACEMENT_GAMES, SCOOP
from pokerfloor.phh import Document, Heading, Outcome, read_documents, replay, write_hand
from tests.support.evening import Evening
from tests.support.game_tables import GAME_TABLES
from tests.support.games.random_hands import random_input, random_setup
from tests.support.mixed_tables import MIXED_TABLES
from tests.support.points_evening import PointsEvening, at_random, points_settings
from tests.support.regulars import Regulars

_TABLES = {**GAME_TABLES, **MIXED_TABLES}
# Games that a table may choose between, and those that it may not play alone.
_OTHER_GAMES = {"holdem"}


def _document(text: str) -> Document:
    [(_, document)] = read_documents(text, "a hand")
    assert isinstance(document, Document), (document, text)
    return document


def _agrees(text: str) -> Document:
    document = _document(text)
    result = replay(document)
    assert (result.outcome, result.problem) == (Outcome.AGREES, ""), text
    return document


def _hands(evening: Evening) -> dict[int, list[Step]]:
    hands: dict[int, list[Step]] = {}
    for step in evening.steps:
        if step.hand_no:
            hands.setdefault(step.hand_no, []).append(step)
    if evening.table.hand_no:
        del hands[evening.table.hand_no]
    return hands


def _check(evening: Evening, settings: settings_pb2.TableSettings) -> str:
    """Write and replay every hand of an evening; return all that was written."""
    texts: list[str] = []
    for hand_no, steps in _hands(evening).items():
        text = hand_text(evening.table.table_id, settings, steps)
        document = _agrees(text)
        assert document.own.get("_void") or document.finishing_stacks
        ends = {
            result.seat: Fraction(result.end.minor or result.end.points)
            for step in steps
            for event in step.events
            for result in event.hand.hand_ended.seats
        }
        if ends:
            assert document.finishing_stacks is not None
            assert sorted(ends.values()) == sorted(
                stack * _unit(settings) / document.scale for stack in document.finishing_stacks
            )
        texts.append(f"[{hand_no}]\n{text}")
    assert len(texts) > 3
    # As `floorctl history` writes them: many hands in one file.
    assert len(read_documents("\n".join(texts), "all")) == len(texts)
    return "\n".join(texts)


def _unit(settings: settings_pb2.TableSettings) -> int:
    return 100 if settings.stake.HasField("money") else 1


@pytest.mark.rule("SHW-4")
@pytest.mark.parametrize("name", _TABLES)
def test_every_hand_of_an_evening_at_a_betting_table(name: str) -> None:
    settings = _TABLES[name]()
    evening = Evening(settings, 11)
    players = Regulars(evening, 7)
    for player in players.names[:4]:
        evening.sit(player, buy_in=evening.table.rules.least_buy_in)
    for _ in range(20):
        players.evening_of(40)
        if evening.table.hands > 12:
            break
    evening.fold_around()
    evening.settle()
    if evening.table.hand_no:
        evening.operate(Operation.VOID, reason='a "fouled" deck', hand_no=evening.table.hand_no)
    text = _check(evening, evening.table.settings)
    if name == "pineapple":
        assert "_row = " in text
    if "swap" in name:
        assert " _swap " in text
    if name == "mata_ases":
        assert "_carried_in" in text


@pytest.mark.rule("SHW-4", "OFC-22", "SCP-5")
@pytest.mark.parametrize(
    ("game", "mode"),
    [
        ("ofc", settings_pb2.OFC_MODE_REGULAR),
        ("ofc", settings_pb2.OFC_MODE_ULTIMATE),
        ("ofc", settings_pb2.OFC_MODE_JOKER),
        ("scoop", settings_pb2.OFC_MODE_UNSPECIFIED),
    ],
)
def test_every_hand_of_an_evening_at_a_table_of_layouts(
    game: str, mode: settings_pb2.OfcMode.ValueType
) -> None:
    dice = random.Random(5)
    settings = points_settings(game)
    if game == "ofc":
        settings.game.ofc.mode = mode
    if mode == settings_pb2.OFC_MODE_ULTIMATE:
        settings.game.ofc.stay_on_middle = settings_pb2.STAY_ON_MIDDLE_FULL_HOUSE
    evening = PointsEvening(settings, 5, players=["a", "b", "c"])
    for _ in range(12):
        evening.settle()
        if not evening.turns():
            break
        turn = evening.turns()[0]
        if turn.up:
            evening.move(turn.places[0].slot, turn.room[0].row)
            evening.move(turn.places[0].slot, None)
        evening.play_hand(lambda turn: at_random(turn, dice), begin=False)
    evening.settle()
    if evening.table.hand_no:
        evening.operate(Operation.VOID, reason="fouled", hand_no=evening.table.hand_no)
    text = _check(evening, evening.table.settings)
    assert " _place 1=" in text
    assert (" _move " in text) == (game == "ofc")


@pytest.mark.parametrize("game", GAMES)
def test_every_row_of_the_catalogue(game: str) -> None:
    chance = random.Random(game)
    for _ in range(25):
        setup = random_setup(chance, GAMES[game])
        cards = DECKS[setup.game.deck].cards
        deck = KnownDeck(chance.sample(cards, len(cards)))
        hand, begun = Hand.begin(setup)
        log: list[Event] = list(begun)

        def any_of(wait: Any, _hand: Hand) -> Any:
            return random_input(wait, chance)

        play_out(hand, deck, any_of, log.append, discard=any_of, facing=any_of, split=any_of)
        _agrees(write_hand(setup, log, Heading(2, {})))


def test_what_is_of_ours_is_named_when_it_is_wrong() -> None:
    settings = GAME_TABLES["swap_holdem"]()
    evening = Evening(settings, 11)
    for player in ("a", "b", "c"):
        evening.sit(player)
    evening.settle()
    evening.act("raise", 6)
    evening.act("call")
    evening.act("call")
    evening.settle()
    evening.swap(1)
    evening.fold_around()
    text = hand_text("t1", evening.table.settings, _hands(evening)[1])
    assert _agrees(text)
    for old, new, problem in (
        (" _swap 1", " _swap 3", "refused"),
        (" _swap 1", " _swap x", "slots are wanted"),
        (" _swap 1", " _down", "the hand waits for"),
        (" _swap 1", " _split maybe", "yes or no is wanted"),
        (" _swap 1", " _place 1=top", "not in this game"),
        ('_structure = "no_limit"', '_structure = "some"', "_structure"),
        ("_burn = true", '_burn = true\n_row = "{}"', "_row"),
        ("_burn = true", "_burn = true\n_carried_in = 1.00\n_carried_claims = [9]", "no players"),
    ):
        assert old in text
        result = replay(_document(text.replace(old, new, 1)))
        assert result.outcome is Outcome.DIFFERS
        assert problem in result.problem, result.problem


def test_wrong_layouts_are_named() -> None:
    evening = PointsEvening(points_settings("scoop"), 5, players=["a", "b"])
    for _ in range(4):
        evening.play_hand(lambda turn: at_random(turn, random.Random(1)))
    text = hand_text("t1", evening.table.settings, _hands(evening)[1])
    points = next(line for line in text.splitlines() if line.startswith("_points"))
    for old, new, problem in (
        (" _place 1=", " _place 1=hand 1=", "is none of"),
        (" _place 1=", " _place x=top 1=", "no slot and row"),
        (" _place 1=", " f #", "not in this game"),
        (points, '_points = ["p1 p2 99 99"]', "_points"),
        ('variant = "_scoop"', 'variant = "_ofc"', "p1"),
    ):
        assert old in text
        result = replay(_document(text.replace(old, new, 1)))
        assert result.outcome is Outcome.DIFFERS
        assert problem in result.problem, result.problem


def test_no_game_is_left_out() -> None:
    rows = {GAME_TABLES[name]().game.game for name in GAME_TABLES} | _OTHER_GAMES
    assert {row.removesuffix("_double") for row in GAMES} >= rows - {"pineapple"}
    assert set(PLACEMENT_GAMES) == {"ofc", "ofc_joker", SCOOP.id}
    unknown = _document(
        "variant = '_whist'\nantes = [0, 0]\nstarting_stacks = [1, 1]\nactions = []"
    )
    assert replay(unknown).outcome is Outcome.NOT_PLAYED
    assert replace(unknown, variant="XX").variant == "XX"
