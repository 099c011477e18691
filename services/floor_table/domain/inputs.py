"""What a table can be told. Each input may be refused, and then nothing changes.

Times are in milliseconds since the Unix epoch, by the clock of the table's owner.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.common.v1.cards_pb2 import RevealedCard
from pokerfloor.api.events.v1.hand_events_pb2 import EquityShown
from pokerfloor.api.events.v1.table_events_pb2 import KeyReason
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
    """The clocks of a table; the value stands in the log."""

    BASE = "base"  # base time of a decision (CLK-1)
    BANK = "bank"  # the time bank of a decision (CLK-1)
    RESERVATION = "reservation"  # a reservation that the wallet has not answered in time
    NO_CHIPS = "no_chips"  # a seat without chips has to go
    SPLIT = "split"  # the time to say whether to split a pot is over (MAT-6)
    GAME = "game"  # the time to choose the next game is over (MIX-3)
    READY = "ready"  # the time to say "ready" is over (TBL-6)
    SHOW = "show"  # the time to show a hand that won without a showdown is over (SHW-3)


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


@dataclass(frozen=True, slots=True)
class OpenTableIn:
    """Make the table. `instance` is its first owner. Answer a repeat by `answer_for` first."""

    sender: str
    command_id: str
    digest: bytes
    settings: TableSettings
    instance: str


@dataclass(frozen=True, slots=True)
class OperateIn:
    """Pause, resume, close, or void the hand `hand_no`. `sender` is the token's subject."""

    kind: Operation
    sender: str
    command_id: str
    digest: bytes
    reason: str = ""
    hand_no: int = 0


@dataclass(frozen=True, slots=True)
class TookOverIn:
    """An instance has become the owner: after a start, a crash or a change of owner."""

    instance: str


@dataclass(frozen=True, slots=True)
class HouseDelayIn:
    """The house could not serve the table for a while, so that clocks ran that should not (CLK-5).

    To be given when the log could not be written, or a gateway was down, and it is over.
    """

    reason: str


@dataclass(frozen=True, slots=True)
class ReservationIn:
    """The wallet's answer to a `DueReservation`; when it is refused, with its code and reason."""

    reservation_id: str
    held: bool
    reason: str = "refused"
    code: errors_pb2.ErrorCode.ValueType = errors_pb2.ERROR_CODE_RESERVATION_GONE


@dataclass(frozen=True, slots=True)
class DeckIn:
    """The answer to a `DueDeck`: the deck is sealed. `root` has 32 bytes."""

    deck_no: int
    generation: int
    root: bytes
    size: int


@dataclass(frozen=True, slots=True)
class CardsIn:
    """The answer to a `DueOpening`: all its places, in its order."""

    deck_no: int
    cards: Sequence[RevealedCard]


@dataclass(frozen=True, slots=True)
class ShowdownIn:
    """The answer to a `DueShowdown`."""

    response: ResolveResponse


@dataclass(frozen=True, slots=True)
class ScoringIn:
    """The answer to a `DueScoring`: what the layouts are worth, and what is paid of that."""

    hand_no: int
    scored: ScoreHandResponse | ScoreScoopResponse
    settled: SettleResponse


@dataclass(frozen=True, slots=True)
class EquityIn:
    """The answer to a `DueEquity`; it may come late, or not at all."""

    hand_no: int
    equity: EquityShown


@dataclass(frozen=True, slots=True)
class SeatKeyIn:
    """A sealing key is registered for a seat; `fingerprint` has 32 bytes.

    `reason` is SEATED in answer to a `DueSeatKey`, RETURNED for another key later.
    """

    seat: int
    fingerprint: bytes
    reason: KeyReason.ValueType


@dataclass(frozen=True, slots=True)
class ConnectionIn:
    """The first front-end of a seat's player has attached, or the last one is gone (CLK-3)."""

    seat: int
    connected: bool


@dataclass(frozen=True, slots=True)
class BeginHandIn:
    """Begin what `DueHand` says can begin: the next hand, or the draw for the first button."""


@dataclass(frozen=True, slots=True)
class TimeUpIn:
    """The time of a `DueTimer` has come."""

    clock: Clock


@dataclass(frozen=True, slots=True)
class SettlementIn:
    """Whether the table has to wait for the wallet: too many hands are not settled."""

    paused: bool


TableInput: TypeAlias = (
    CommandIn
    | OpenTableIn
    | OperateIn
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
    | BeginHandIn
    | TimeUpIn
    | SettlementIn
)
