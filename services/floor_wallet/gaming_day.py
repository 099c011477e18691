"""The gaming day: from a cut-over in the morning, by the casino's own clock, to the next one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MS: Final = timedelta(milliseconds=1)
_A_DAY: Final = timedelta(days=1)
_CUT_OVER: Final = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])")
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
# A day and its neighbours must be dates that Python knows, at times that do not go below zero.
_FIRST_DAY: Final = date(1970, 1, 3)
_LAST_DAY: Final = date(9998, 12, 30)
_LAST_INSTANT: Final = datetime(9998, 12, 30, tzinfo=UTC)


class NoGamingDayError(ValueError):
    """A text or an instant that names no gaming day; the message is for people."""


@dataclass(frozen=True, slots=True)
class GamingDays:
    """Days from cut-over to cut-over in local time; 23 or 25 hours long when clocks are changed.

    A cut-over that is there twice, for the clock is set back over it, is the first of the two. One
    that is not there, for the clock is set forward over it, is where it would be had the clock not
    been changed: with a cut-over of 02:30 and a clock set from 02:00 to 03:00, the day begins at
    03:30 (PEP 495, fold 0).
    """

    cut_over: time
    zone: ZoneInfo

    @classmethod
    def of(cls, cut_over: str, zone: str) -> GamingDays:
        """Read a cut-over "HH:MM" and an IANA name such as "Europe/Berlin". Raises ValueError."""
        found = _CUT_OVER.fullmatch(cut_over)
        if not found:
            raise ValueError(f"{cut_over!r} is no time of day such as 06:00")
        try:
            local = ZoneInfo(zone)
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:
            raise ValueError(f"{zone[:64]!r} is no time zone such as Europe/Berlin") from error
        return cls(time(int(found[1]), int(found[2])), local)

    def parse(self, text: str) -> date:
        """Read a day such as "2026-11-30". Raises NoGamingDayError."""
        if not _DAY.fullmatch(text):
            raise NoGamingDayError(f"{text[:32]!r} is no day such as 2026-11-30")
        try:
            day = date.fromisoformat(text)
        except ValueError as error:
            raise NoGamingDayError(f"{text} is not in the calendar") from error
        if not _FIRST_DAY <= day <= _LAST_DAY:
            raise NoGamingDayError(f"{text} is not between {_FIRST_DAY} and {_LAST_DAY}")
        return day

    def bounds(self, day: date) -> tuple[int, int]:
        """Return when a day begins and when the next one does: ms since the Unix epoch."""
        return self._begin_ms(day), self._begin_ms(day + _A_DAY)

    def day_of(self, at_ms: int) -> date:
        """Return the day of an instant in ms since the Unix epoch. Raises NoGamingDayError."""
        if not 0 <= at_ms < (_LAST_INSTANT - _EPOCH) // _MS:
            raise NoGamingDayError(f"{at_ms} ms lies beyond the calendar")
        # By local date the day, or the one before; a zone that leaves out a date has an empty day.
        day = (_EPOCH + at_ms * _MS).astimezone(self.zone).date() + _A_DAY
        while self._begin_ms(day) > at_ms:
            day -= _A_DAY
        return day

    def _begin_ms(self, day: date) -> int:
        begin = datetime.combine(day, self.cut_over, self.zone)
        return (begin.astimezone(UTC) - _EPOCH) // _MS
