"""Names on NATS, and the table's defaults."""

import pytest

from pokerfloor.api.settings.v1 import settings_pb2 as pb
from pokerfloor.servicekit import StreamSpec
from pokerfloor.tablelog import (
    PUBLIC_EVENTS,
    TABLE_LOG,
    LogError,
    is_table_id,
    public_subject,
    step_message_id,
    table_of_subject,
    table_subject,
    with_defaults,
)
from tests.support.evening import table_settings


def test_names() -> None:
    assert table_subject("main-1") == "floor.log.table.main-1"
    assert table_of_subject("floor.log.table.main-1") == "main-1"
    assert public_subject("main-1", "seat_taken") == "floor.public.main-1.seat_taken"
    assert step_message_id("main-1", 3, 14) == "main-1/3/14"
    assert TABLE_LOG.subjects == ("floor.log.table.*",)


def test_a_stream_is_made_of_its_names() -> None:
    assert StreamSpec(**TABLE_LOG._asdict()).storage == "file"
    public = StreamSpec(**PUBLIC_EVENTS._asdict())
    assert (public.storage, public.max_bytes, public.max_age_s) == ("memory", 2**26, 3600)


@pytest.mark.parametrize("table_id", ["", "A", "a.b", "a*", "a" * 33, "ä"])
def test_what_is_no_table_id(table_id: str) -> None:
    assert not is_table_id(table_id)
    for call in (table_subject, lambda text: public_subject(text, "x")):
        with pytest.raises(LogError):
            call(table_id)
    with pytest.raises(LogError):
        table_of_subject(f"floor.log.table.{table_id}")


def test_subjects_of_others() -> None:
    with pytest.raises(LogError):
        table_of_subject("floor.public.main-1.seat_taken")


def test_defaults_change_nothing_that_is_set_and_are_complete() -> None:
    settings = table_settings()
    settings.buy_in.rat_hole_min = 0
    settings.clock.bank_ms = 0
    settings.clock.base_ms = 1_000
    before = settings.SerializeToString(deterministic=True)
    full = with_defaults(settings)
    assert settings.SerializeToString(deterministic=True) == before
    assert full.buy_in.rat_hole_min == 0
    assert full.clock.bank_ms == 0
    assert full.clock.base_ms == 1_000
    assert full.clock.bank_cap_ms == 60_000
    assert full.game.losers == pb.LOSERS_RULE_SHOW
    assert with_defaults(full) == full
