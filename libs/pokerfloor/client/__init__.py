"""The Python client: keys, hole cards, views with resume, proofs checked, turns to act in."""

from pokerfloor.client.errors import (
    CommandRefused,
    ConnectionLost,
    NoAnswer,
    ProofFailed,
    SessionOver,
)
from pokerfloor.client.floor_client import Balance, FloorClient
from pokerfloor.client.keys import PlayerKeys
from pokerfloor.client.mirror import TableMirror, ViewGap
from pokerfloor.client.mirror_state import (
    HandMirror,
    LastHand,
    SeatMirror,
    TopUp,
    TopUpStage,
    Winner,
    amount_of,
)
from pokerfloor.client.placement import Placement
from pokerfloor.client.proofs import CardChecker
from pokerfloor.client.session import TableSession
from pokerfloor.client.turn import Legal, RaiseRange, SlotRange, Turn
from pokerfloor.refusal import Refusal

__all__ = [
    "Balance",
    "CardChecker",
    "CommandRefused",
    "ConnectionLost",
    "FloorClient",
    "HandMirror",
    "LastHand",
    "Legal",
    "NoAnswer",
    "Placement",
    "PlayerKeys",
    "ProofFailed",
    "RaiseRange",
    "Refusal",
    "SeatMirror",
    "SessionOver",
    "SlotRange",
    "TableMirror",
    "TableSession",
    "TopUp",
    "TopUpStage",
    "Turn",
    "ViewGap",
    "Winner",
    "amount_of",
]
