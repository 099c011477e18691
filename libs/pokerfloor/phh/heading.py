"""What stands around a hand of any game: where, when, who."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pokerfloor.games import HandVoided
from pokerfloor.phh.toml import toml_list, toml_string, toml_strings


@dataclass(frozen=True, slots=True)
class Heading:
    """What stands around the hand. `decimals` are those of the currency's minor unit."""

    decimals: int
    players: Mapping[int, str]  # by seat
    venue: str = ""
    table: str = ""
    currency: str = ""
    hand: int = 0
    year: int = 0
    month: int = 0
    day: int = 0
    time: str = ""  # "hh:mm:ss", UTC


def heading_fields(heading: Heading, order: Sequence[int]) -> Iterator[tuple[str, str]]:
    """Yield the fields; `order` are the seats by position."""
    for name in ("venue", "table", "currency"):
        text: str = getattr(heading, name)
        if text:
            yield name, toml_string(text)
    for name in ("hand", "year", "month", "day"):
        value: int = getattr(heading, name)
        if value:
            yield name, str(value)
    if heading.time:
        yield "time", heading.time
        yield "time_zone", toml_string("UTC")
    yield "seats", toml_list([str(seat) for seat in order])
    yield "players", toml_strings([heading.players.get(seat, "") for seat in order])


def void_fields(events: Iterable[object]) -> Iterator[tuple[str, str]]:
    """Yield the reason of a void hand."""
    for event in events:
        if isinstance(event, HandVoided):
            yield "_void", toml_string(event.reason)
