"""What a table can be opened with: all of it means something, or it is refused."""

from collections.abc import Callable
from typing import Any

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor

from floor_table.domain import OpenTableIn, Refusal, Table, decide
from floor_table.domain.settings.check import _SUPPORTED, check_settings
from pokerfloor.api.settings.v1 import settings_pb2 as pb
from pokerfloor.tablelog import game_row, structure_of, with_defaults
from tests.support.evening import START_MS, Evening, code, minor, table_settings
from tests.support.game_tables import (
    GAME_TABLES,
    antes_table,
    bomb_table,
    custom_table,
    game_table,
    short_deck_table,
    stud_table,
)

_Change = Callable[[pb.TableSettings], object]


def refused(change: _Change) -> tuple[str, str]:
    """Return (code, field) of the refusal of a changed table."""
    settings = table_settings()
    change(settings)
    outcome = decide(Table("t1"), OpenTableIn("ops", "1", b"0" * 32, settings, "one"), START_MS)
    assert isinstance(outcome, Refusal)
    assert outcome.reason
    return code(outcome), outcome.field


def test_a_plain_table_is_opened_with_every_option_spelled_out() -> None:
    assert check_settings(table_settings()) is None
    settings = Evening(table_settings(big=5)).table.settings
    assert settings.game.structure == pb.BETTING_STRUCTURE_NO_LIMIT
    assert (settings.game.smallest_chip.minor, settings.game.raise_cap) == (1, 3)
    assert settings.buy_in.rat_hole_min == 60
    clock = settings.clock
    assert (clock.base_ms, clock.bank_ms, clock.bank_cap_ms) == (20_000, 30_000, 60_000)
    assert (clock.bank_refill_ms, clock.bank_refill_hands) == (5_000, 10)
    assert settings.seating.button == pb.BUTTON_RULE_MOVING
    assert settings.seating.misses_allowed == 3


@pytest.mark.rule("TBL-1")
def test_a_holdem_table_has_two_to_ten_seats() -> None:
    for seats in range(2, 11):
        assert check_settings(table_settings(seats=seats)) is None
    for seats in (0, 1, 11, 64):
        refusal = check_settings(table_settings(seats=seats))
        assert refusal is not None
        assert (code(refusal), refusal.field) == ("BAD_SETTING", "seats")
        assert str(seats) in refusal.reason


@pytest.mark.rule("TBL-13")
def test_the_small_blind_is_half_the_big_blind_in_whole_chips() -> None:
    settings = table_settings(big=50)
    settings.game.ClearField("small_blind")
    assert Evening(settings).table.settings.game.small_blind.minor == 25
    settings.game.smallest_chip.CopyFrom(minor(10))
    settings.game.big_blind.CopyFrom(minor(50))
    assert Evening(settings).table.settings.game.small_blind.minor == 20


@pytest.mark.rule("BET-32")
def test_a_fixed_limit_table_by_its_two_sizes() -> None:
    settings = table_settings()
    game = settings.game
    game.structure = pb.BETTING_STRUCTURE_FIXED_LIMIT
    game.ClearField("big_blind")
    game.ClearField("small_blind")
    game.smallest_chip.CopyFrom(minor(50))
    game.small_bet.CopyFrom(minor(300))
    game.big_bet.CopyFrom(minor(600))
    settings.buy_in.min_minor, settings.buy_in.max_minor = 3_000, 60_000
    full = Evening(settings).table.settings.game
    assert (full.small_blind.minor, full.big_blind.minor) == (150, 300)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda s: setattr(s, "name", ""), "name"),
        (lambda s: setattr(s, "name", "x" * 65), "name"),
        (lambda s: s.ClearField("stake"), "stake"),
        (lambda s: s.stake.points.SetInParent(), "stake"),
        (lambda s: s.game.ofc.SetInParent(), "game.ofc"),
        (lambda s: setattr(s.stake.money, "code", "E1R"), "stake.money.code"),
        (lambda s: setattr(s.stake.money, "code", "eur"), "stake.money.code"),
        (lambda s: setattr(s.stake.money, "code", "EURO"), "stake.money.code"),
        (lambda s: setattr(s.stake.money, "code", "EUR\n"), "stake.money.code"),
        (lambda s: setattr(s, "seats", 1), "seats"),
        (lambda s: setattr(s, "seats", 11), "seats"),
        (lambda s: s.ClearField("game"), "game"),
        (lambda s: s.game.ClearField("big_blind"), "game.big_blind"),
        (lambda s: setattr(s.game.big_blind, "minor", 0), "game.big_blind"),
        (lambda s: setattr(s.game.big_blind, "minor", -2), "game.big_blind"),
        (lambda s: setattr(s.game.small_blind, "minor", 3), "game.small_blind"),
        (lambda s: s.game.smallest_chip.CopyFrom(minor(0)), "game.smallest_chip"),
        (lambda s: s.game.smallest_chip.CopyFrom(minor(5)), "game.big_blind"),
        (lambda s: s.game.small_bet.CopyFrom(minor(2)), "game.small_bet"),
        (lambda s: s.game.ante.amount.CopyFrom(minor(1)), "game.ante.kind"),
        (lambda s: setattr(s.game.ante, "kind", 1), "game.ante.amount"),
        (lambda s: setattr(s.buy_in, "min_minor", 1), "buy_in.min_minor"),
        (lambda s: setattr(s.buy_in, "max_minor", 39), "buy_in.max_minor"),
        (lambda s: setattr(s.clock, "base_ms", 99), "clock.base_ms"),
        (lambda s: setattr(s.clock, "bank_ms", 60_001), "clock.bank_cap_ms"),
        (lambda s: setattr(s.clock, "between_hands_ms", 3_600_001), "clock.between_hands_ms"),
        (lambda s: setattr(s.rake, "rate_bp", 2_001), "rake.rate_bp"),
        (lambda s: s.rake.caps.add(players=2, cap_minor=-1), "rake.caps.cap_minor"),
        (
            lambda s: s.rake.caps.extend([pb.RakeCap(players=3), pb.RakeCap(players=2)]),
            "rake.caps.players",
        ),
        (lambda s: setattr(s.seating, "misses_allowed", 101), "seating.misses_allowed"),
        (lambda s: setattr(s.game, "custom_row_json", "{}"), "game.custom_row_json.id"),
        (lambda s: setattr(s.game, "trips_beat_straight", True), "game.trips_beat_straight"),
        (lambda s: setattr(s.game, "antes_only", True), "game.antes_only"),
        (lambda s: setattr(s.game, "swap_on_river", True), "game.swap_on_river"),
        (lambda s: setattr(s.game.bring_in, "minor", 1), "game.bring_in"),
        (lambda s: setattr(s.game, "open_pair_rule", False), "game.open_pair_rule"),
        (lambda s: setattr(s.game, "seventh_shortage", 1), "game.seventh_shortage"),
        (lambda s: setattr(s.game, "jokers", 1), "game.jokers"),
        (lambda s: setattr(s.game, "joker", 1), "game.joker"),
        (lambda s: setattr(s.game, "natural_wins_ties", True), "game.natural_wins_ties"),
        (lambda s: setattr(s.game, "second_round_first", 1), "game.second_round_first"),
        (lambda s: setattr(s.game, "redeal_when_checked", True), "game.redeal_when_checked"),
        (lambda s: setattr(s.game, "max_draw", 3), "game.max_draw"),
        (lambda s: s.bomb_pot.SetInParent(), "bomb_pot.amount"),
    ],
)
def test_what_makes_no_table(change: _Change, field: str) -> None:
    assert refused(change) == ("BAD_SETTING", field)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda s: setattr(s.game, "game", "omaha9"), "game.game"),
        (lambda s: setattr(s.game, "straddle", True), "game.straddle"),
        (lambda s: setattr(s.game, "boards", 3), "game.boards"),
        (lambda s: setattr(s.seating, "button", pb.BUTTON_RULE_DEAD), "seating.button"),
        (lambda s: s.mixed.games.add(game="stud7"), "mixed.games.game"),
        (lambda s: setattr(s.game.big_blind, "tournament_chips", 2), None),
    ],
)
def test_what_is_not_here_yet_is_refused_by_its_path(change: _Change, field: str | None) -> None:
    found, path = refused(change)
    assert found == "NOT_SUPPORTED"
    if field is not None:
        assert path == field


def test_every_option_of_the_proto_is_supported_or_refused() -> None:
    """A new field is refused until its path stands in the list: set each one that does not."""
    unknown = [path for path in _paths(pb.TableSettings.DESCRIPTOR, "") if path not in _SUPPORTED]
    assert len(unknown) > 40
    for path in unknown:
        parent, _, name = path.rpartition(".")
        if parent and parent not in _SUPPORTED:
            continue  # refused with its parent
        settings = table_settings()
        message = settings
        for part in parent.split(".") if parent else []:
            message = getattr(message, part)
            if hasattr(message, "add"):
                message = message.add()
        _set(message, message.DESCRIPTOR.fields_by_name[name])
        refusal = check_settings(settings)
        assert isinstance(refusal, Refusal), path
        assert code(refusal) == "NOT_SUPPORTED"
        assert refusal.field == path


def test_every_game_is_opened_with_its_options_spelled_out() -> None:
    for name, make in GAME_TABLES.items():
        settings = Evening(make()).table.settings
        assert with_defaults(settings) == settings, name
        row = game_row(settings.game)
        assert structure_of(settings.game) in row.structures
    double = Evening(GAME_TABLES["omaha5_hilo_double"]()).table.settings.game
    assert (double.structure, game_row(double).id) == (
        pb.BETTING_STRUCTURE_POT_LIMIT,
        "omaha5_hilo_double",
    )
    short = Evening(GAME_TABLES["short_deck"]()).table.settings.game
    assert (short.ante.amount.minor, short.HasField("small_blind")) == (2, False)
    stud = Evening(GAME_TABLES["stud7"]()).table.settings.game
    assert (stud.structure, stud.heads_up_uncapped, stud.open_pair_rule) == (
        pb.BETTING_STRUCTURE_FIXED_LIMIT,
        True,
        True,
    )
    draw = Evening(GAME_TABLES["draw5"]()).table.settings.game
    assert (draw.jokers, draw.max_draw, game_row(draw).id) == (2, 5, "draw5")


@pytest.mark.parametrize(
    ("options", "row_id"),
    [
        ({"game": "short_deck", "trips_beat_straight": True}, "short_deck_trips"),
        ({"game": "swap_holdem", "swap_on_river": True}, "swap_holdem_river"),
        ({"game": "swap_holdem", "swap_on_river": True, "boards": 2}, "swap_holdem_river_double"),
        ({"game": "draw5", "jokers": 0}, "draw5_no_joker"),
        ({"game": "draw5", "jokers": 1, "joker": 2}, "draw5_one_joker_bug"),
        ({"game": "draw5", "joker": 2, "natural_wins_ties": True}, "draw5_bug_natural"),
        ({"game": "draw5", "natural_wins_ties": True}, "draw5_natural"),
        ({"game": "omaha6_hilo", "boards": 2}, "omaha6_hilo_double"),
    ],
)
def test_options_choose_the_row(options: dict[str, Any], row_id: str) -> None:
    assert game_row(pb.GameSettings(**options)).id == row_id


@pytest.mark.rule("TBL-1")
@pytest.mark.parametrize(
    ("game", "boards", "with_burns", "without"),
    [
        ("omaha4", 1, 10, 10),
        ("omaha5", 1, 8, 9),
        ("omaha6", 1, 7, 7),
        ("omaha4", 2, 9, 10),
        ("omaha5", 2, 7, 8),
        ("omaha6", 2, 6, 7),
        ("swap_holdem", 2, 9, 10),
        ("draw5", 1, 6, 6),
        ("draw27_single", 1, 6, 6),
    ],
)
def test_the_deck_says_how_many_seats(
    game: str, boards: int, with_burns: int, without: int
) -> None:
    for no_burn, most in ((False, with_burns), (True, without)):
        for seats in range(2, 11):
            settings = game_table(game, seats=seats, boards=boards, no_burn=no_burn)
            refusal = check_settings(settings)
            assert (refusal is None) == (seats <= most), (seats, refusal)
            if refusal is not None:
                assert (code(refusal), refusal.field) == ("BAD_SETTING", "seats")
    refusal = check_settings(game_table("omaha5", seats=9))
    assert refusal is not None
    assert "9 x 5 hole + 5 board + 3 burned = 53 cards, and the deck has 52" in refusal.reason


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        (game_table("short_deck"), "game.small_blind"),
        (short_deck_table(boards=2), "game.boards"),
        (game_table("stud7", structure=1), "game.structure"),
        (stud_table("stud7", bring_in=3), "game.bring_in"),
        (game_table("stud7", small_bet=2, big_bet=4), "game.small_blind"),
        (stud_table("razz", open_pair_rule=True), "game.open_pair_rule"),
        (game_table("draw5", jokers=3), "game.jokers"),
        (game_table("draw5", max_draw=6), "game.max_draw"),
        (game_table("draw5", min_bet=2), "game.small_blind"),
        (game_table("draw5", redeal_when_checked=True), "game.redeal_when_checked"),
        (antes_table("draw5"), "game.big_blind"),
        (bomb_table(pb.BOMB_POT_MODE_EVERY_N_HANDS), "bomb_pot.every_n"),
        (bomb_table(pb.BOMB_POT_MODE_EVERY_HAND, every_n=2), "bomb_pot.every_n"),
        (bomb_table(pb.BOMB_POT_MODE_EVERY_HAND, "swap_holdem"), "bomb_pot"),
    ],
)
def test_games_that_are_not_so(settings: pb.TableSettings, field: str) -> None:
    refusal = check_settings(settings)
    assert refusal is not None
    assert (code(refusal), refusal.field) == ("BAD_SETTING", field)


@pytest.mark.rule("BMB-2")
def test_a_bomb_pot_with_two_boards_needs_the_cards_for_both() -> None:
    settings = bomb_table(pb.BOMB_POT_MODE_EVERY_HAND, "omaha5", boards=2)
    settings.seats = 8
    refusal = check_settings(settings)
    assert refusal is not None
    assert (refusal.field, "53 cards" in refusal.reason) == ("bomb_pot.boards", True)
    settings.seats = 7
    assert check_settings(settings) is None


def test_a_row_of_ones_own() -> None:
    settings = custom_table()
    assert check_settings(settings) is None
    changes: list[tuple[Callable[[pb.GameSettings], object], str]] = [
        (lambda game: setattr(game, "game", "mango"), "game.game"),
        (lambda game: setattr(game, "boards", 2), "game.boards"),
        (lambda game: setattr(game, "max_draw", 1), "game.max_draw"),
        (lambda game: setattr(game, "custom_row_json", "x" * 70_000), "game.custom_row_json"),
        (
            lambda game: setattr(
                game, "custom_row_json", game.custom_row_json.replace('"count": 3', '"count": 99')
            ),
            "game.custom_row_json.streets",
        ),
    ]
    for change, field in changes:
        changed = custom_table()
        change(changed.game)
        refusal = check_settings(changed)
        assert refusal is not None
        assert (code(refusal), refusal.field) == ("BAD_SETTING", field)


def _paths(message: Descriptor, prefix: str) -> list[str]:
    found = []
    for field in message.fields:
        found.append(prefix + field.name)
        if field.message_type is not None and prefix.count(".") < 4:
            found += _paths(field.message_type, f"{prefix}{field.name}.")
    return found


def _set(message: pb.TableSettings, field: FieldDescriptor) -> None:
    if field.message_type is not None:
        value = getattr(message, field.name)
        if field.is_repeated:
            value.add()
        else:
            value.SetInParent()
    elif field.type == FieldDescriptor.TYPE_STRING:
        setattr(message, field.name, "x")
    else:
        setattr(message, field.name, 1)
