"""What a table can be opened with: all of it means something, or it is refused."""

from collections.abc import Callable

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor

from libs.floorapi.floor.settings.v1 import settings_pb2 as pb
from services.table.domain import FloorRefusal, OpenTableIn, Table
from services.table.domain.check_settings import _SUPPORTED, check_settings
from tests.support.evening import START_MS, Evening, code, minor, table_settings

_Change = Callable[[pb.TableSettings], object]


def refused(change: _Change) -> tuple[str, str]:
    """Return (code, field) of the refusal of a changed table."""
    settings = table_settings()
    change(settings)
    outcome = Table.empty("t1").decide(
        OpenTableIn("ops", "1", b"0" * 32, settings, "one"), START_MS
    )
    assert isinstance(outcome, FloorRefusal)
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
    ],
)
def test_what_makes_no_table(change: _Change, field: str) -> None:
    assert refused(change) == ("BAD_SETTING", field)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda s: setattr(s.game, "game", "omaha4"), "game.game"),
        (lambda s: setattr(s.game, "straddle", True), "game.straddle"),
        (lambda s: setattr(s.game, "boards", 2), "game.boards"),
        (lambda s: setattr(s.game, "short_blind_counts_full", True), None),
        (lambda s: setattr(s.game, "custom_row_json", "{}"), "game.custom_row_json"),
        (lambda s: s.game.ofc.SetInParent(), "game.ofc"),
        (lambda s: setattr(s.seating, "button", pb.BUTTON_RULE_DEAD), "seating.button"),
        (lambda s: setattr(s.seating, "confirm_ready", True), "seating.confirm_ready"),
        (lambda s: s.tournament.SetInParent(), "tournament"),
        (lambda s: s.bomb_pot.SetInParent(), "bomb_pot"),
        (lambda s: s.mixed.SetInParent(), "mixed"),
        (lambda s: setattr(s.dealing, "live", True), "dealing.live"),
        (lambda s: s.stake.points.SetInParent(), "stake.points"),
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
        assert isinstance(refusal, FloorRefusal), path
        assert code(refusal) == "NOT_SUPPORTED"
        assert refusal.field == path


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
