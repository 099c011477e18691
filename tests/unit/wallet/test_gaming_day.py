"""Days from cut-over to cut-over, by the casino's own clock."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from floor_wallet.gaming_day import GamingDays, NoGamingDayError
from floor_wallet.settings import WalletSettings
from pokerfloor.servicekit import load_settings

HOUR = 3_600_000
BERLIN = GamingDays.of("06:00", "Europe/Berlin")


def ms(text: str) -> int:
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


def test_a_day_runs_from_cut_over_to_cut_over() -> None:
    days = GamingDays.of("06:00", "UTC")
    begin, end = days.bounds(date(2026, 11, 30))
    assert (begin, end) == (ms("2026-11-30T06:00"), ms("2026-12-01T06:00"))
    assert days.day_of(begin) == date(2026, 11, 30)
    assert days.day_of(begin - 1) == date(2026, 11, 29)
    assert days.day_of(end - 1) == date(2026, 11, 30)


@pytest.mark.parametrize(
    ("day", "hours"), [("2026-03-28", 23), ("2026-03-29", 24), ("2026-10-24", 25)]
)
def test_days_when_clocks_are_changed(day: str, hours: int) -> None:
    begin, end = BERLIN.bounds(BERLIN.parse(day))
    assert end - begin == hours * HOUR


def test_a_cut_over_that_is_not_there_or_there_twice() -> None:
    days = GamingDays.of("02:30", "Europe/Berlin")
    # From 02:00 the clock goes to 03:00: 02:30 would have been 01:30 UTC, when it shows 03:30.
    assert days.bounds(date(2026, 3, 29)) == (ms("2026-03-29T01:30"), ms("2026-03-30T00:30"))
    # From 03:00 it goes back to 02:00: the first 02:30 is 00:30 UTC, the second is in the day.
    assert days.bounds(date(2026, 10, 25)) == (ms("2026-10-25T00:30"), ms("2026-10-26T01:30"))
    assert days.day_of(ms("2026-10-25T01:30")) == date(2026, 10, 25)
    # Samoa left out the 30th of December 2011: that day is empty.
    samoa = GamingDays.of("06:00", "Pacific/Apia")
    begin, end = samoa.bounds(date(2011, 12, 30))
    assert begin == end
    assert samoa.day_of(begin) == date(2011, 12, 31)


@given(
    st.integers(0, ms("2100-01-01T00:00")),
    st.sampled_from(["Europe/Berlin", "America/New_York", "Pacific/Apia", "Asia/Kolkata", "UTC"]),
    st.sampled_from(["00:00", "02:30", "06:00", "23:59"]),
)
def test_every_instant_lies_in_one_day(at_ms: int, zone: str, cut_over: str) -> None:
    days = GamingDays.of(cut_over, zone)
    day = days.day_of(at_ms)
    begin, end = days.bounds(day)
    assert begin <= at_ms < end
    assert days.bounds(day + timedelta(days=1))[0] == end


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is no day such as"),
        ("30.11.2026", "is no day such as"),
        ("2026-11-3", "is no day such as"),
        ("2026-02-29", "is not in the calendar"),
        ("1969-12-31", "is not between"),
        ("9999-12-31", "is not between"),
        ("٢٠٢٦-11-30", "is no day such as"),
    ],
)
def test_what_is_no_day(text: str, why: str) -> None:
    with pytest.raises(NoGamingDayError, match=why):
        BERLIN.parse(text)


@pytest.mark.parametrize(
    ("cut_over", "zone"),
    [("24:00", "UTC"), ("6:00", "UTC"), ("06:60", "UTC"), ("06:00", "Mars"), ("06:00", "../UTC")],
)
def test_settings_that_name_no_day(cut_over: str, zone: str) -> None:
    with pytest.raises(ValueError, match="is no time"):
        GamingDays.of(cut_over, zone)


def test_a_wallet_with_such_settings_does_not_start(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FLOOR_KEY_SET", str(tmp_path / "jwks.json"))
    monkeypatch.setenv("FLOOR_GAMING_DAY_ZONE", "Europe/Berlin")
    monkeypatch.setenv("FLOOR_GAMING_DAY_CUT_OVER", "04:30")
    assert load_settings(WalletSettings).gaming_days == GamingDays.of("04:30", "Europe/Berlin")
    monkeypatch.setenv("FLOOR_GAMING_DAY_ZONE", "Mars")
    with pytest.raises(SystemExit):
        load_settings(WalletSettings)
    assert "'Mars' is no time zone such as Europe/Berlin" in capsys.readouterr().out


@pytest.mark.parametrize("at_ms", [-1, 2**53 - 1])
def test_an_instant_beyond_the_calendar(at_ms: int) -> None:
    with pytest.raises(NoGamingDayError):
        BERLIN.day_of(at_ms)
