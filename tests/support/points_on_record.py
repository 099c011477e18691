"""The evenings of OFC and Scoop that log fixtures are recorded from; see `evenings_on_record`."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Final

from floor_table.domain import HouseDelayIn, Operation, Refusal
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.games.placement import LayoutRow
from tests.support.evening import Evening
from tests.support.points_evening import (
    NOTHING,
    QUEENS_AS_WELL,
    QUEENS_ON_TOP,
    PointsEvening,
    at_random,
    in_order,
    planted_decks,
    points_settings,
)


def _stored(outcome: Step | Refusal) -> None:
    assert isinstance(outcome, Step), outcome


def _hand(evening: PointsEvening, dice: random.Random | None = None) -> None:
    """Play a hand; each turn takes two seconds."""
    evening.settle()
    assert evening.table.hand_no, "no hand begins"
    while evening.turns():
        evening.pass_time(2_000)
        if evening.turns():
            turn = evening.turns()[-1]
            _stored(evening.confirm(turn, at_random(turn, dice) if dice else in_order(turn)))
        evening.settle(begin=False)


def _match(evening: PointsEvening, dice: random.Random | None = None) -> None:
    """Play what is left of a match, or one whole."""
    _hand(evening, dice)
    while evening.table.matches.match is not None:
        _hand(evening, dice)


def layouts() -> Evening:
    """Three players: ready or not, Fantasyland for one and two, waiting requests, a slow one."""
    settings = points_settings(seats=3, ready=True)
    one = {1: QUEENS_ON_TOP, 2: NOTHING}
    hands = {2: ((1, 2, 3), one)}
    evening = PointsEvening(
        settings, 31, table_id="layouts", deck_of=planted_decks(settings, hands, 31)
    )
    for player in ("ann", "bob", "cat"):
        evening.sit(player, 0, 2_000)
    _stored(evening.ready("ann"))
    _stored(evening.ready("bob"))
    _stored(evening.ready("bob", ready=False))
    _stored(evening.ready("bob"))
    evening.pass_time(60_001)  # cat is freed
    evening.sit("cat", 3, 2_000)
    for player in ("ann", "bob", "cat"):
        if not evening.table.readiness.of(evening.seat_no(player)):
            continue
        evening.ready(player)
    evening.settle()
    turn = evening.turns()[0]
    for place in turn.places:
        _stored(evening.move(place.slot, LayoutRow.BOTTOM))
    _stored(evening.move(turn.places[0].slot, None))
    _hand(evening)  # ann earns Fantasyland
    _stored(evening.leave("cat"))
    evening.top_up("bob", 500)
    evening.settle(begin=False)
    _match(evening)
    evening.sit("dan", 0, 1_000)
    evening.settle()
    evening.pass_time(121_000)  # a slow player, who stays in
    _match(evening, random.Random(1))
    _stored(evening.operate(Operation.PAUSE))
    _stored(evening.operate(Operation.RESUME))
    return evening


def away() -> Evening:
    """Joker mode, two players: lost connections, owed Fantasyland laid out, faults, a void hand."""
    settings = points_settings(seats=2, mode=settings_pb2.OFC_MODE_JOKER)
    hands = {2: ((1, 2), {1: QUEENS_ON_TOP, 2: QUEENS_AS_WELL})}
    evening = PointsEvening(
        settings,
        32,
        table_id="away",
        players=("ann", "bob"),
        deck_of=planted_decks(settings, hands, 32),
    )
    evening.settle()
    evening.pass_time(10_000)
    _stored(evening.connect("ann", here=False))
    evening.pass_time(5_000)
    _stored(evening.connect("ann"))
    _stored(evening.confirm())
    evening.settle()
    _stored(evening.connect("ann", here=False))
    _stored(evening.confirm())
    evening.settle()
    evening.pass_time(31_000)  # the rest of the hand is laid out
    while evening.table.hand_no == 1:
        _stored(evening.confirm())
        evening.settle(begin=False)
    evening.settle()  # both in Fantasyland, one of them away
    evening.pass_time(1_000)
    _stored(evening.operate(Operation.VOID, reason="fouled deck", hand_no=2))
    evening.settle()
    evening.take_over("two")
    evening.pass_time(1_000)
    _stored(evening.do(HouseDelayIn()))
    _stored(evening.connect("ann"))
    _match(evening)
    _stored(evening.sit_in("ann"))
    for _ in range(2):
        _match(evening, random.Random(2))
    return evening


def scoop() -> Evening:
    """Four players: hidden at the same time, a seat that is set for, leaving, closing."""
    evening = PointsEvening(
        points_settings("scoop", seats=4, ready=True, between_hands_ms=1_000),
        33,
        table_id="scoop",
        players=("ann", "bob", "cat", "dan"),
    )
    for player in ("ann", "bob", "cat", "dan"):
        _stored(evening.ready(player))
    dice = random.Random(3)
    for number in range(6):
        evening.now_ms += 2_000
        evening.settle()
        if number == 2:
            evening.confirm(evening.turns()[0])
            evening.pass_time(71_000)  # the others are set for, and sit out
            evening.settle(begin=False)
            for seat in evening.table.by_number():
                if seat.sitting_out:
                    _stored(evening.sit_in(seat.player_id))
            for seat in evening.table.by_number():
                evening.ready(seat.player_id)
            continue
        if number == 4:
            _stored(evening.leave("dan"))
        _hand(evening, dice)
    _stored(evening.operate(Operation.CLOSE))
    return evening


POINTS_EVENINGS: Final[Mapping[str, Callable[[], Evening]]] = {
    "layouts-1": layouts,
    "away-1": away,
    "scoop-1": scoop,
}
