"""The pure parts of `floorctl play`: amounts, words, the screen, events as lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import pytest

from pokerfloor.api.common.v1 import cards_pb2, identity_pb2
from pokerfloor.api.events.v1 import hand_events_pb2, table_events_pb2
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.api.table.v1 import view_pb2
from pokerfloor.cards import parse_cards
from pokerfloor.client import Legal, Placement, RaiseRange, SlotRange, TableMirror, Turn
from pokerfloor.floorctl.play_chips import Chips
from pokerfloor.floorctl.play_events import TableNames, event_lines
from pokerfloor.floorctl.play_input import (
    Action,
    AnswerSplit,
    BetTo,
    ChooseFacing,
    Discard,
    MoveCard,
    PlaceCards,
    PlayInput,
    Problem,
    Request,
    Swap,
    parse_line,
)
from pokerfloor.floorctl.play_screen import (
    offers,
    table_heading,
    table_lines,
    time_left,
    turn_lines,
)
from pokerfloor.games.placement import LayoutRow
from tests.support.game_tables import GAME_TABLES
from tests.support.points_evening import points_settings
from tests.support.scripted_hand import PLAYER, TABLE, ScriptedHand

TOP, MIDDLE, BOTTOM, DISCARD = LayoutRow
EURO = Chips("EUR", 2)
NOTHING = Legal(False, False, 0, 0, False, None, None)
OPEN = Legal(False, True, 0, 0, False, RaiseRange(100, 5_000, chip=50), None)
FACING_A_BET = Legal(True, False, 200, 300, False, None, RaiseRange(500, 5_000, chip=50))
FIXED = Legal(True, False, 200, 200, True, None, RaiseRange(400, 400, (400,)))


def turn(
    legal: Legal = NOTHING,
    *,
    exchange: SlotRange | None = None,
    swap: SlotRange | None = None,
    choices: Sequence[view_pb2.ChoiceKind.ValueType] = (),
    placement: Placement | None = None,
) -> Turn:
    return Turn(
        hand_no=7,
        turn_no=2,
        seat=1,
        game=settings_pb2.GameSettings(game="holdem"),
        street_name="flop",
        deadline_ms=20_000,
        bank_ms=30_000,
        hole_cards=parse_cards("AsKd"),
        own_slots=(1, 3),
        boards=(parse_cards("2c7d9h"),),
        community_cards=(),
        pot=450,
        stack=5_000,
        opponents=2,
        legal=legal,
        discard=exchange,
        swap=swap,
        choices=frozenset(choices),
        placement=placement,
        _table=cast("Any", None),
    )


def layout(
    to_place: int = 2, *, moves: bool = False, room: tuple[int, int, int] = (1, 5, 4)
) -> Placement:
    return Placement(
        street=1,
        slots=(6, 7, 8),
        cards=parse_cards("AsKdXr"),
        to_place=to_place,
        room=dict(zip((TOP, MIDDLE, BOTTOM), room, strict=True)),
        laid={TOP: parse_cards("QhQd"), MIDDLE: (), BOTTOM: parse_cards("2c")},
        moves=moves,
        hidden=False,
    )


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("1", 100),
        ("1.5", 150),
        ("0.05", 5),
        ("1,000", 100_000),
        ("0", 0),
        *[(word, None) for word in ("x", "-1", "0.001", "nan", "1e400", "99999999999999999")],
    ],
)
def test_amounts_are_read_in_the_tables_unit(text: str, amount: int | None) -> None:
    assert EURO.read(text) == amount


def test_amounts_are_written_in_the_tables_unit() -> None:
    assert (EURO.text(123_456), EURO.text(-5, sign=True)) == ("1,234.56", "-0.05")
    points = points_settings("ofc")
    assert Chips.of_hand(points).text(-12, sign=True) == "-12"
    assert Chips.of_wallet(points) == EURO
    assert Chips.of_hand(GAME_TABLES["omaha4"]()) == EURO


@pytest.mark.parametrize(
    ("legal", "line", "given"),
    [
        (FACING_A_BET, "f", Action("fold")),
        (FACING_A_BET, "Call", Action("call")),
        (FACING_A_BET, "a", Action("all_in")),
        (FACING_A_BET, "k", Problem("there is nothing to check now")),
        (FACING_A_BET, "r", BetTo("raise", 500)),
        (FACING_A_BET, "r 7.50", BetTo("raise", 750)),
        (FACING_A_BET, "b max", BetTo("raise", 5_000)),
        (FACING_A_BET, "r 1", Problem("to 5.00-50.00, not 1.00")),
        (FACING_A_BET, "r 7.51", Problem("to 5.00-50.00, not 7.51")),
        (FACING_A_BET, "r much", Problem("'much' is no amount")),
        (OPEN, "x", Action("check")),
        (OPEN, "c", Problem("there is nothing to call now")),
        (OPEN, "bet 2", BetTo("bet", 200)),
        (FIXED, "r 4", BetTo("raise", 400)),
        (FIXED, "r 5", Problem("to 4.00, not 5.00")),
        (NOTHING, "b 1", Problem("no bet or raise is allowed now")),
        (OPEN, "s 1", Problem("'s' is not possible now; ? is help")),
        (OPEN, "leave", Request("leave")),
    ],
)
def test_betting_words(legal: Legal, line: str, given: PlayInput) -> None:
    assert parse_line(line, turn(legal), EURO) == given


_DRAW = turn(exchange=SlotRange(0, 2, (1, 3, 4)))
_SWAP = turn(OPEN, swap=SlotRange(1, 2, (1, 3)))
_FACING = turn(choices=[view_pb2.CHOICE_KIND_FACING])
_SPLIT = turn(choices=[view_pb2.CHOICE_KIND_SPLIT])
_LAY = turn(placement=layout())
_FIRST = turn(placement=layout(3, moves=True))


@pytest.mark.parametrize(
    ("open_turn", "line", "given"),
    [
        (_DRAW, "d 1 4", Discard((1, 4))),
        (_DRAW, "p", Discard(())),
        (_DRAW, "d", Discard(())),
        (_DRAW, "d 2", Problem("cards are named by number: 1 3 4")),
        (_DRAW, "d 1 1", Problem("a card is named once")),
        (_DRAW, "d 1 3 4", Problem("0 to 2 cards, not 3")),
        (turn(exchange=SlotRange(1, 1, (1, 2))), "p", Problem("1 to 1 cards, not 0")),
        (_DRAW, "k", Problem("'k' is not possible now; ? is help")),
        (_SWAP, "s 1 3", Swap((1, 3))),
        (_SWAP, "s", Problem("1 to 2 cards, not 0")),
        (_SWAP, "k", Action("check")),
        (_FACING, "u", ChooseFacing(face_down=False)),
        (_FACING, "d", ChooseFacing(face_down=True)),
        (_SPLIT, "yes", AnswerSplit(agrees=True)),
        (_SPLIT, "n", AnswerSplit(agrees=False)),
        (_LAY, "lay tmx", PlaceCards((TOP, MIDDLE, DISCARD))),
        (_LAY, "lay 1 3 x", PlaceCards((TOP, BOTTOM, DISCARD))),
        (_LAY, "bxb", PlaceCards((BOTTOM, DISCARD, BOTTOM))),
        (_LAY, "lay tmb", Problem("1 of them is discarded (x)")),
        (_LAY, "lay ttx", Problem("the top row takes 1 more")),
        (_LAY, "lay tx", Problem("3 cards, a letter for each, not 2")),
        (_LAY, "lay tqx", Problem("rows are t, m, b, and x for a discard")),
        (_LAY, "move 6 t", Problem("these cards are set at once: lay ROWS")),
        (_FIRST, "move 6 t", MoveCard(6, TOP)),
        (_FIRST, "move 6 -", MoveCard(6, None)),
        (_FIRST, "move 6 x", Problem("rows are t, m and b, and - takes a card back")),
        (_FIRST, "move 9 t", Problem("move SLOT ROW, such as move 3 t")),
        (_FIRST, "out", Request("sit_out")),
        (None, "", Problem("")),
        (None, "k", Problem("it is not your turn, and 'k' is no word outside of it; ? is help")),
        (None, "vote yes", Request("vote", ("yes",))),
        (None, "vote", Problem("vote yes, or vote no")),
        (None, "topup", Problem("one word more is wanted: an amount")),
        (None, "game", Problem("one word more is wanted: a game")),
        (None, "game razz", Request("game", ("razz",))),
        (None, "show 1 2", Request("show", ("1", "2"))),
        (None, "show x", Problem("which of your cards: show 1 2")),
        (None, "in post", Request("sit_in", ("post",))),
    ],
)
def test_words_of_other_choices(open_turn: Turn | None, line: str, given: PlayInput) -> None:
    assert parse_line(line, open_turn, EURO) == given


def test_what_is_offered_is_what_the_words_take() -> None:
    assert offers(turn(FACING_A_BET), EURO) == ["f fold", "c call 2.00", "r raise to 5.00-50.00"]
    assert offers(turn(FIXED), EURO) == ["f fold", "c call 2.00 (all in)", "r raise to 4.00"]
    assert offers(_SWAP, EURO) == ["k check", "b bet 1.00-50.00", "s swap up to 2 of 1 3"]
    assert offers(_DRAW, EURO) == ["d discard 0 to 2 cards by number", "p stand pat"]
    assert offers(_FACING, EURO) == ["u the next card up", "d the next card down"]
    assert offers(_SPLIT, EURO) == ["y split the pot", "n carry it"]
    assert offers(_LAY, EURO) == ["lay 3 rows (t, m, b, x) with 1 x"]
    assert offers(_FIRST, EURO) == ["lay 3 rows (t, m, b)", "move SLOT ROW"]


def test_time_left_is_base_time_then_the_bank() -> None:
    assert time_left(turn(), 5_000) == "15 s, then 30 s of your time bank"
    assert time_left(turn(), 26_000) == "24 s of your time bank"
    assert time_left(turn(), 99_000) == "0 s of your time bank"


def test_a_turn_on_the_screen() -> None:
    scripted = ScriptedHand()
    mirror = TableMirror(TABLE, PLAYER)
    mirror.take_snapshot(scripted.snapshot)
    for step in scripted.steps[:2]:
        mirror.take_step(step)
    assert mirror.hand is not None
    mirror.hand.equities = {1: 812_345}
    lines = turn_lines(turn(FACING_A_BET), mirror, 0)
    assert lines[1] == "hand 7, holdem, flop"
    assert "  pot: 330" in lines
    assert "  your cards: 1 As  3 Kd" in lines
    assert lines[-1].startswith("your turn: f fold, c call 200, ")
    own = next(line for line in lines if line.startswith("*"))
    assert own.startswith("* seat 1 ")
    assert "equity 81.2 %" in own
    laid = turn_lines(_LAY, mirror, 0)
    assert "  top: Qh Qd (takes 1 more)" in laid
    assert "  your cards: 6 As  7 Kd  8 Xr" in laid


def test_a_table_on_the_screen() -> None:
    assert table_heading(GAME_TABLES["omaha4"]()) == (
        "Main: omaha4; 6 seats, buy-in 0.40 to 4.00 EUR"
    )
    assert "a point is 0.10" in table_heading(points_settings("scoop"))
    mirror = TableMirror(TABLE)
    assert table_lines(mirror) == []


TOLD = TableNames(lambda seat: f"<{seat}>", EURO, EURO)


def hand_event(**event: Any) -> table_events_pb2.TableEvent:
    return table_events_pb2.TableEvent(hand=hand_events_pb2.HandEvent(**event))


def test_events_as_lines() -> None:
    turned_up = hand_events_pb2.CardsRevealed()
    for kind, owner, slot, card in ((2, 0, 1, 5), (2, 1, 1, 6), (1, 3, 2, 52)):
        place = cards_pb2.Place(kind=kind, owner=owner, slot=slot)  # type: ignore[arg-type]  # by number
        turned_up.cards.add(place=place, card=cards_pb2.Card(code=card))
    lines = event_lines(hand_event(cards_revealed=turned_up), TOLD)
    assert lines == ["  board: 3c", "  board 2: 3d", "  <3>: As"]
    equity = hand_events_pb2.EquityShown()
    equity.seats.add(seat=1, high_ppm=500_000, low_ppm=250_000)
    equity.seats.add(seat=2, high_ppm=250_000)
    assert event_lines(hand_event(equity_shown=equity), TOLD) == [
        "  equity (sampled): <1> 75.0 %, <2> 25.0 %"
    ]
    raised = hand_events_pb2.ActionTaken(seat=2, kind=5, all_in=True)  # type: ignore[arg-type]  # RAISE
    raised.to.minor = 700
    assert event_lines(hand_event(action_taken=raised), TOLD) == ["  <2> raises to 7.00, all in"]


def test_every_public_event_can_be_told() -> None:
    """Also one of which nothing is known: a new release may say more than this one knows."""
    told = 0
    for kind in (hand_events_pb2.HandEvent, table_events_pb2.TableEvent):
        for field in kind.DESCRIPTOR.fields:
            audience = field.GetOptions().Extensions[identity_pb2.audience]
            if audience != identity_pb2.AUDIENCE_PUBLIC or field.name == "hand":
                continue
            event = table_events_pb2.TableEvent()
            message = event.hand if kind is hand_events_pb2.HandEvent else event
            getattr(message, field.name).SetInParent()
            told += bool(event_lines(event, TOLD))
    assert told > 40
