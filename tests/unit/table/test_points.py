"""Tables that play for points: what they can be opened with, and points against money (OFC-20)."""

from collections.abc import Callable

import pytest

from floor_table.domain import OpenTableIn, Refusal, Table, decide
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.settings.v1 import settings_pb2 as pb
from tests.support.evening import START_MS, code, names, table_settings
from tests.support.points_evening import PRICE, PointsEvening, points_settings


def refusal(settings: pb.TableSettings) -> Refusal | None:
    given = OpenTableIn("ops", "1", b"0" * 32, settings, "one")
    outcome = decide(Table("t1"), given, START_MS)
    return outcome if isinstance(outcome, Refusal) else None


@pytest.mark.rule("TBL-1", "OFC-34")
def test_every_mode_and_number_of_seats_opens() -> None:
    for mode in (1, 2, 3, 4):
        for seats in (2, 3):
            assert refusal(points_settings(seats=seats, mode=mode)) is None
    for seats in (2, 3, 4):
        assert refusal(points_settings("scoop", seats=seats)) is None


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda s: s.stake.money.SetInParent(), "stake"),
        (lambda s: s.ClearField("stake"), "stake"),
        (lambda s: setattr(s.stake.points.currency, "code", "eur"), "stake.points.currency.code"),
        (
            lambda s: setattr(s.stake.points.currency, "exponent", 9),
            "stake.points.currency.exponent",
        ),
        (
            lambda s: setattr(s.stake.points, "point_price_minor", 0),
            "stake.points.point_price_minor",
        ),
        (
            lambda s: setattr(s.stake.points, "point_price_minor", 10**9 + 1),
            "stake.points.point_price_minor",
        ),
        (lambda s: setattr(s.buy_in, "min_minor", 505), "buy_in.min_minor"),
        (lambda s: setattr(s.buy_in, "min_minor", 0), "buy_in.min_minor"),
        (lambda s: setattr(s.buy_in, "max_minor", 5_005), "buy_in.max_minor"),
        (lambda s: setattr(s.buy_in, "max_minor", 400), "buy_in.max_minor"),
        (lambda s: setattr(s, "seats", 4), "seats"),
        (lambda s: setattr(s, "seats", 1), "seats"),
        (lambda s: setattr(s.rake, "rate_bp", 100), "rake"),
        (lambda s: s.bomb_pot.SetInParent(), "bomb_pot"),
        (lambda s: setattr(s.game.big_blind, "minor", 2), "game.big_blind"),
        (lambda s: setattr(s.game, "no_burn", True), "game.no_burn"),
        (lambda s: setattr(s.game.ofc, "trips_cards", 18), "game.ofc.trips_cards"),
        (lambda s: setattr(s.game.ofc, "trips_cards", 13), "game.ofc.trips_cards"),
        (lambda s: setattr(s.game.ofc, "own_row_copy", True), "game.ofc.own_row_copy"),
        (lambda s: setattr(s.game.ofc, "joker_base", 1), "game.ofc.joker_base"),
        (lambda s: setattr(s.clock, "base_ms", 10), "clock.base_ms"),
        (lambda s: setattr(s.seating, "misses_allowed", 101), "seating.misses_allowed"),
    ],
)
def test_what_makes_no_table(change: Callable[[pb.TableSettings], None], field: str) -> None:
    settings = points_settings()
    change(settings)
    refused = refusal(settings)
    assert refused is not None
    assert (refused.code, refused.field) == (errors_pb2.ERROR_CODE_BAD_SETTING, field)
    assert refused.reason


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda s: setattr(s.game.ofc, "mode", 5), "game.ofc.mode"),
        (lambda s: setattr(s.game.ofc, "joker_base", 4), "game.ofc.joker_base"),
        (lambda s: setattr(s.game.ofc, "stay_on_middle", 4), "game.ofc.stay_on_middle"),
        (lambda s: setattr(s.game, "straddle", True), "game.straddle"),
    ],
)
def test_what_is_not_there(change: Callable[[pb.TableSettings], None], field: str) -> None:
    settings = points_settings()
    change(settings)
    refused = refusal(settings)
    assert refused is not None
    assert (refused.code, refused.field) == (errors_pb2.ERROR_CODE_NOT_SUPPORTED, field)


def test_betting_games_play_for_money() -> None:
    settings = table_settings()
    settings.stake.points.point_price_minor = 5
    refused = refusal(settings)
    assert refused is not None
    assert refused.field == "stake"


@pytest.mark.rule("OFC-20", "TBL-2")
def test_a_buy_in_is_whole_points_within_the_limits() -> None:
    evening = PointsEvening()
    assert code(evening.sit("a", 0, 490)) == "BUY_IN_OUT_OF_RANGE"
    assert code(evening.sit("a", 0, 5_010)) == "BUY_IN_OUT_OF_RANGE"
    assert code(evening.sit("a", 0, 505)) == "NOT_A_WHOLE_CHIP"
    assert isinstance(evening.sit("a", 0, 500), Step)
    assert evening.points() == {"a": 50}
    assert evening.table.chips_in == 50


@pytest.mark.rule("TBL-3", "OFC-20")
def test_a_top_up_is_money_and_arrives_as_points() -> None:
    evening = PointsEvening(players="a")
    assert code(evening.top_up("a", 15)) == "NOT_A_WHOLE_CHIP"
    assert code(evening.top_up("a", 4_010)) == "BUY_IN_OUT_OF_RANGE"
    evening.top_up("a", 4_000)
    evening.settle(begin=False)
    assert evening.points() == {"a": 500}
    step = evening.leave("a")
    assert names(step) == ["seat_left"]
    assert isinstance(step, Step)
    assert step.events[0].seat_left.cash_out_minor == 500 * PRICE


@pytest.mark.rule("TBL-2")
def test_coming_back_one_brings_what_one_left_with_in_money() -> None:
    evening = PointsEvening()
    evening.sit("a", 0, 2_000)
    evening.leave("a")
    assert code(evening.sit("a", 0, 1_990)) == "RAT_HOLE"
    assert isinstance(evening.sit("a", 0, 2_000), Step)
