"""What a table can be told. Each input may be refused, and then nothing changes.

`logged` gives what the log keeps of an input. Times are in milliseconds since the Unix epoch, by
the clock of the table's owner.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.common.v1.cards_pb2 import HandRef, RevealedCard
from pokerfloor.api.events.v1.hand_events_pb2 import EquityShown
from pokerfloor.api.events.v1.table_events_pb2 import KeyReason
from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.api.internal.showdown.v1.resolution_pb2 import ResolveResponse
from pokerfloor.api.scoring.v1.scoring_pb2 import (
    ScoreHandResponse,
    ScoreScoopResponse,
    SettleResponse,
)
from pokerfloor.api.settings.v1.settings_pb2 import TableSettings
from pokerfloor.api.table.v1.table_pb2 import TableCommand


class Operation(StrEnum):
    """What operations and supervisors may do to a table."""

    PAUSE = "pause"
    RESUME = "resume"
    CLOSE = "close"
    VOID = "void"


class Clock(StrEnum):
    """The clocks of a table."""

    BASE = "base"  # base time of a decision (CLK-1)
    BANK = "bank"  # the time bank of a decision (CLK-1)
    RESERVATION = "reservation"  # a reservation that the wallet has not answered in time
    NO_CHIPS = "no_chips"  # a seat without chips has to go
    SPLIT = "split"  # the time to say whether to split a pot is over (MAT-6)
    GAME = "game"  # the time to choose the next game is over (MIX-3)
    READY = "ready"  # the time to say "ready" is over (TBL-6)
    SHOW = "show"  # the time to show a hand that won without a showdown is over (SHW-3)

    @property
    def logged(self) -> step_pb2.Clock.ValueType:
        """The clock as the log names it."""
        return step_pb2.Clock.Value(f"CLOCK_{self.name}")


_OPERATION: Final = {
    Operation.PAUSE: step_pb2.COMMAND_KIND_PAUSE_TABLE,
    Operation.RESUME: step_pb2.COMMAND_KIND_RESUME_TABLE,
    Operation.CLOSE: step_pb2.COMMAND_KIND_CLOSE_TABLE,
    Operation.VOID: step_pb2.COMMAND_KIND_VOID_HAND,
}

# --- commands: what somebody asks, under an id of the sender's own


@dataclass(frozen=True, slots=True)
class CommandIn:
    """A front-end's command: any but `attach` and `ping`.

    `digest` is SHA-256 of the command's content, `has_seal_key` whether the sender's token carries
    a sealing key, `arrived_at_ms` when the table's owner received it (CLK-4). Answer a repeat by
    `Table.answer_for` first.
    """

    sender: str
    command_id: str
    digest: bytes
    command: TableCommand
    arrived_at_ms: int
    has_seal_key: bool

    @property
    def kind(self) -> str:
        """The name of the command's field, "" when none is set."""
        return self.command.WhichOneof("command") or ""

    def logged(self, _table_id: str, _now_ms: int) -> step_pb2.Input:
        """Return what the log keeps."""
        kind = step_pb2.CommandKind.Value(f"COMMAND_KIND_{self.kind.upper()}")
        return _command(kind, self.arrived_at_ms)


@dataclass(frozen=True, slots=True)
class OpenTableIn:
    """Open the table. `instance` is its first owner. Answer a repeat by `answer_for` first."""

    sender: str
    command_id: str
    digest: bytes
    settings: TableSettings
    instance: str

    def logged(self, _table_id: str, now_ms: int) -> step_pb2.Input:
        """Return what the log keeps."""
        return _command(step_pb2.COMMAND_KIND_OPEN_TABLE, now_ms)


@dataclass(frozen=True, slots=True)
class OperateIn:
    """Pause, resume, close, or void the hand `hand_no`. `sender` is the token's subject."""

    kind: Operation
    sender: str
    command_id: str
    digest: bytes
    reason: str = ""
    hand_no: int = 0

    def logged(self, _table_id: str, now_ms: int) -> step_pb2.Input:
        """Return what the log keeps."""
        return _command(_OPERATION[self.kind], now_ms)


# --- external inputs: answers of other services, keys, connections, owners


@dataclass(frozen=True, slots=True)
class TookOverIn:
    """An instance has become the owner: after a start, a crash or a change of owner."""

    instance: str

    def logged(self, _table_id: str, _now_ms: int) -> step_pb2.Input:
        """Return what the log keeps."""
        return step_pb2.Input(owner=step_pb2.OwnerInput(instance=self.instance))


@dataclass(frozen=True, slots=True)
class HouseDelayIn:
    """The house could not serve the table for a while, so that clocks ran that should not (CLK-5).

    To be given when the log could not be written, or a gateway was down, and it is over.
    """

    def logged(self, _table_id: str, _now_ms: int) -> step_pb2.Input:
        """Return what the log keeps."""
        return _scheduler(step_pb2.SCHEDULER_CAUSE_HOUSE_DELAY)


@dataclass(frozen=True, slots=True)
class ReservationIn:
    """The wallet's answer to a `ReserveEffect`; when it refuses, with its code and reason."""

    reservation_id: str
    held: bool
    reason: str = "refused"
    code: errors_pb2.ErrorCode.ValueType = errors_pb2.ERROR_CODE_RESERVATION_GONE

    def logged(self, _table_id: str, _now_ms: int) -> step_pb2.Input:
        """Return what the log keeps."""
        answer = step_pb2.ReservationInput(reservation_id=self.reservation_id, held=self.held)
        return step_pb2.Input(reservation=answer)


@dataclass(frozen=True, slots=True)
class DeckIn:
    """The answer to a `DeckEffect`: the deck is committed. `root` has 32 bytes."""

    deck_no: int
    generation: int
    root: bytes
    size: int

    def logged(self, _table_id: str, _now_ms: int) -> step_pb2.Input:
        """Return what the log keeps."""
        return step_pb2.Input(deck=step_pb2.DeckInput(deck_no=self.deck_no))


@dataclass(frozen=True, slots=True)
class CardsIn:
    """The answer to a `RevealEffect`: all its places, in its order."""

    deck_no: int
    cards: Sequence[RevealedCard]

    def logged(self, _table_id: str, _now_ms: int) -> step_pb2.Input:
        """Return what the log keeps."""
        return step_pb2.Input(cards=step_pb2.CardsInput(count=len(self.cards)))


@dataclass(frozen=True, slots=True)
class ShowdownIn:
    """The answer to a `ShowdownEffect`."""

    response: ResolveResponse

    def logged(self, _table_id: str, _now_ms: int) -> step_pb2.Input:
        """Return what the log keeps."""
        return step_pb2.Input(showdown=step_pb2.ShowdownInput(hand=self.response.hand))


@dataclass(frozen=True, slots=True)
class ScoringIn:
    """The answer to a `ScoringEffect`: what the layouts are worth, and what is paid of that."""

    hand_no: int
    scored: ScoreHandResponse | ScoreScoopResponse
    settled: SettleResponse

    def logged(self, table_id: str, _now_ms: int) -> step_pb2.Input:
        """Return what the log keeps."""
        hand = HandRef(table_id=table_id, hand_no=self.hand_no)
        return step_pb2.Input(scoring=step_pb2.ScoringInput(hand=hand))


@dataclass(frozen=True, slots=True)
class EquityIn:
    """The answer to an `EquityEffect`; it may come late, or not at all."""

    hand_no: int
    equity: EquityShown

    def logged(self, _table_id: str, _now_ms: int) -> step_pb2.Input:
        """Return what the log keeps."""
        return _scheduler(step_pb2.SCHEDULER_CAUSE_EQUITY)


@dataclass(frozen=True, slots=True)
class SeatKeyIn:
    """A sealing key is registered for a seat; `fingerprint` has 32 bytes.

    `reason` is SEATED in answer to a `SeatKeyEffect`, RETURNED for another key later.
    """

    seat: int
    fingerprint: bytes
    reason: KeyReason.ValueType

    def logged(self, _table_id: str, _now_ms: int) -> step_pb2.Input:
        """Return what the log keeps."""
        return _scheduler(step_pb2.SCHEDULER_CAUSE_SEAT_KEY)


@dataclass(frozen=True, slots=True)
class ConnectionIn:
    """The first front-end of a seat's player has attached, or the last one is gone (CLK-3)."""

    seat: int
    connected: bool

    def logged(self, _table_id: str, _now_ms: int) -> step_pb2.Input:
        """Return what the log keeps."""
        return _scheduler(step_pb2.SCHEDULER_CAUSE_CONNECTION)


@dataclass(frozen=True, slots=True)
class SettlementIn:
    """Whether the table has to wait for the wallet: too many hands are not settled."""

    paused: bool

    def logged(self, _table_id: str, _now_ms: int) -> step_pb2.Input:
        """Return what the log keeps."""
        return _scheduler(step_pb2.SCHEDULER_CAUSE_SETTLEMENT)


# --- the table's own: hands and clocks


@dataclass(frozen=True, slots=True)
class BeginHandIn:
    """Begin what a `HandEffect` says can begin: the next hand, or the draw for the button."""

    def logged(self, _table_id: str, _now_ms: int) -> step_pb2.Input:
        """Return what the log keeps."""
        return _scheduler(step_pb2.SCHEDULER_CAUSE_BEGIN_HAND)


@dataclass(frozen=True, slots=True)
class TimeUpIn:
    """The time of a `TimerEffect` has come."""

    clock: Clock

    def logged(self, _table_id: str, _now_ms: int) -> step_pb2.Input:
        """Return what the log keeps."""
        return step_pb2.Input(time=step_pb2.TimeInput(clock=self.clock.logged))


#: What somebody asks of a table: refused or done once, whoever repeats it.
RequestIn: TypeAlias = CommandIn | OpenTableIn | OperateIn
TableInput: TypeAlias = (
    RequestIn
    | TookOverIn
    | HouseDelayIn
    | ReservationIn
    | DeckIn
    | CardsIn
    | ShowdownIn
    | EquityIn
    | ScoringIn
    | SeatKeyIn
    | ConnectionIn
    | SettlementIn
    | BeginHandIn
    | TimeUpIn
)


def _command(kind: step_pb2.CommandKind.ValueType, arrived_at_ms: int) -> step_pb2.Input:
    command = step_pb2.CommandInput(kind=kind, arrived_at_ms=arrived_at_ms)
    return step_pb2.Input(command=command)


def _scheduler(cause: step_pb2.SchedulerCause.ValueType) -> step_pb2.Input:
    return step_pb2.Input(scheduler=step_pb2.SchedulerInput(cause=cause))
