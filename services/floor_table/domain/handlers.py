"""The rows of all features: what answers each input, and what applies each event."""

from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from floor_table.domain import (
    betting,
    button,
    carried_pot,
    clocks,
    hand,
    lifecycle,
    matches,
    mixed,
    next_hand,
    placement,
    readiness,
    reservations,
    seats,
    showdown,
)
from floor_table.domain.inputs import (
    CommandIn,
    HouseDelayIn,
    TimeUpIn,
    TookOverIn,
)
from floor_table.domain.refusal import invalid, wrong_state
from floor_table.domain.step import (
    ClockTable,
    CommandTable,
    Events,
    EventTable,
    InputTable,
    StepBuilder,
)
from floor_table.domain.table import Table
from pokerfloor.api.events.v1.hand_events_pb2 import HandEvent
from pokerfloor.api.events.v1.table_events_pb2 import TableEvent
from pokerfloor.refusal import Refusal
from pokerfloor.tablelog import LogError, apply_hand_event, is_remark

K = TypeVar("K")
V = TypeVar("V")


def _joined(*tables: Mapping[K, V]) -> Mapping[K, V]:
    """Return the rows of all these tables; none stands in two."""
    joined = {key: value for table in tables for key, value in table.items()}
    assert len(joined) == sum(map(len, tables)), "a row that stands twice"
    return joined


# --- events


def apply_event(table: Table, event: TableEvent) -> None:
    """Change a table by a stored event. Raises LogError for one that this table cannot have."""
    name = event.WhichOneof("event") or ""
    apply = EVENTS.of_table.get(name)
    if apply is None:
        raise LogError(f"an event {name!r} that this table cannot have", "events")
    apply(table, getattr(event, name))


def _hand_event(table: Table, message: HandEvent) -> None:
    """Apply an event of the hand, or of the draw that is under way."""
    name = message.WhichOneof("event") or ""
    if table.draw is not None:
        if name not in ("places_dealt", "reveal_ordered"):
            raise LogError("a draw has no such event", "hand")
        return
    if table.hand is None or table.record is None:
        raise LogError("no hand is played", "hand")
    if not is_remark(message):
        apply_hand_event(table.own_hand(), message, table.record.context.kind)
    note = EVENTS.of_hand.get(name)
    if note is not None:
        note(table, getattr(message, name))


_OF_TABLE: Final[EventTable] = _joined(
    {"hand": _hand_event},
    button.EVENTS,
    carried_pot.EVENTS,
    clocks.EVENTS,
    hand.EVENTS,
    lifecycle.EVENTS,
    matches.EVENTS,
    mixed.EVENTS,
    next_hand.EVENTS,
    readiness.EVENTS,
    reservations.EVENTS,
    seats.EVENTS,
    showdown.EVENTS,
)
_OF_HAND: Final[EventTable] = _joined(
    betting.HAND_EVENTS,
    hand.HAND_EVENTS,
    placement.HAND_EVENTS,
    showdown.HAND_EVENTS,
)
EVENTS: Final = Events(_OF_TABLE, _OF_HAND)

# --- inputs

COMMANDS: Final[CommandTable] = _joined(
    betting.COMMANDS,
    mixed.COMMANDS,
    next_hand.COMMANDS,
    placement.COMMANDS,
    readiness.COMMANDS,
    reservations.COMMANDS,
    seats.COMMANDS,
    showdown.COMMANDS,
)
CLOCKS: Final[ClockTable] = _joined(
    clocks.CLOCKS, mixed.CLOCKS, readiness.CLOCKS, reservations.CLOCKS, showdown.CLOCKS
)
# The house was away: whoever is asked for something has the whole time again (CLK-5).
_RESTARTS: Final = (clocks.restart_clocks, readiness.ask_again, mixed.choose_again)


def _command(step: StepBuilder, given: CommandIn) -> Refusal | None:
    command = COMMANDS.get(given.kind)
    if command is None:  # `attach` and `ping` are the stream's
        return invalid(f"{given.kind or 'nothing'} is no command for a table", "command")
    return command(step, given)


def _time_up(step: StepBuilder, given: TimeUpIn) -> Refusal | None:
    CLOCKS[given.clock](step)
    return None if step.events else wrong_state("no such clock has run out")


def _took_over(step: StepBuilder, given: TookOverIn) -> Refusal | None:
    lifecycle.take_over(step, given)
    return _house_delayed(step, given)


def _house_delayed(step: StepBuilder, _: HouseDelayIn | TookOverIn) -> Refusal | None:
    for restart in _RESTARTS:
        restart(step)
    return None if step.events else wrong_state("no clock runs")


INPUTS: Final[InputTable] = _joined(
    {
        CommandIn: _command,
        HouseDelayIn: _house_delayed,
        TimeUpIn: _time_up,
        TookOverIn: _took_over,
    },
    clocks.INPUTS,
    hand.INPUTS,
    lifecycle.INPUTS,
    next_hand.INPUTS,
    placement.INPUTS,
    reservations.INPUTS,
    seats.INPUTS,
    showdown.INPUTS,
)
# What follows from any step, by what it has changed; in this order.
FOLLOW_UPS: Final[tuple[Callable[[StepBuilder], None], ...]] = (
    clocks.follow_turns,
    button.count_misses,
    clocks.refill_banks,
    matches.follow_match,
    reservations.do_what_waited,
    lifecycle.close_if_idle,
    readiness.follow_readiness,
)
