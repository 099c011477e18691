"""What a table needs done outside. All of it follows from the state, so recovery is fold and dues.

`cause_seq` is the number of the stored step that justifies it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from floor_table.domain.inputs import Clock
from pokerfloor.api.common.v1.cards_pb2 import DeckComposition, Place
from pokerfloor.api.events.v1.hand_events_pb2 import RevealReason
from pokerfloor.api.internal.showdown.v1.resolution_pb2 import ResolveRequest
from pokerfloor.api.scoring.v1.scoring_pb2 import ScoreHandRequest, ScoreScoopRequest
from pokerfloor.api.shuffler.v1.shuffler_pb2 import DeckPurpose, DeckState
from pokerfloor.games.placement import ScoringRequest


@dataclass(frozen=True, slots=True)
class DueReservation:
    """Reserve money with the wallet. Answer: `ReservationIn`."""

    reservation_id: str
    player_id: str
    amount_minor: int
    expires_at_ms: int


@dataclass(frozen=True, slots=True)
class DueVoidReservation:
    """Give a reservation up. No answer; once in a process's life is enough."""

    reservation_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class DueSeatKey:
    """Register the sealing key of a seat's player, when one is attached. Answer: `SeatKeyIn`."""

    seat: int
    player_id: str
    cause_seq: int


@dataclass(frozen=True, slots=True)
class DueDeck:
    """Open a deck and seal it. `hand_no` is 0 for a draw. Answer: `DeckIn`.

    For a later generation of the hand's deck, `reshuffled` are the places whose cards it is made of
    (DRW-5).
    """

    deck_no: int
    hand_no: int
    purpose: DeckPurpose.ValueType
    composition: DeckComposition.ValueType
    cause_seq: int
    generation: int = 0
    reshuffled: Sequence[Place] = ()


@dataclass(frozen=True, slots=True)
class DueDeal:
    """Deal the places of a step and hand the boxes to their owners. No answer.

    Stands as long as the hand does and is to be done once in a process's life: after a restart the
    boxes are made anew for whoever is attached.
    """

    deck_no: int
    cause_seq: int


@dataclass(frozen=True, slots=True)
class DueOpening:
    """Have these places opened. Answer: `CardsIn`."""

    deck_no: int
    places: Sequence[Place]
    reason: RevealReason.ValueType
    cause_seq: int


@dataclass(frozen=True, slots=True)
class DueShowdown:
    """Have a showdown resolved. Answer: `ShowdownIn`.

    The request is whole but for `cause.stream_seq`, which the domain does not know.
    """

    request: ResolveRequest
    cause_seq: int


@dataclass(frozen=True, slots=True)
class DueScoring:
    """Have layouts scored by `ask`, and what is paid of that by `asked`. Answer: `ScoringIn`.

    A pure function of the request, so that it may be asked any number of times.
    """

    hand_no: int
    ask: ScoreHandRequest | ScoreScoopRequest
    asked: ScoringRequest


@dataclass(frozen=True, slots=True)
class DueEquity:
    """Have the equities of open hands counted, after the step `cause_seq`. Answer: `EquityIn`.

    Nothing depends on it: whoever does it may give it up.
    """

    hand_no: int
    cause_seq: int


@dataclass(frozen=True, slots=True)
class DueCloseDeck:
    """End a deck. `reason` is empty when it is settled. No answer; at least once is enough."""

    deck_no: int
    outcome: DeckState.ValueType
    reason: str
    cause_seq: int


@dataclass(frozen=True, slots=True)
class DueHand:
    """A hand, or a draw for the first button, can begin at this time. Answer: `BeginHandIn`."""

    not_before_ms: int


@dataclass(frozen=True, slots=True)
class DueTimer:
    """The next clock that runs out; there is at most one of these. Answer: `TimeUpIn`."""

    at_ms: int
    clock: Clock


Due: TypeAlias = (
    DueReservation
    | DueVoidReservation
    | DueSeatKey
    | DueDeck
    | DueDeal
    | DueOpening
    | DueShowdown
    | DueEquity
    | DueScoring
    | DueCloseDeck
    | DueHand
    | DueTimer
)
