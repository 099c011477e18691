"""The Python client: keys, own cards, views with resume, proofs checked, turns to act in."""

from libs.client.errors import (
    CommandRefused,
    ConnectionLost,
    NoAnswer,
    ProofFailed,
    SessionOver,
)
from libs.client.floor_client import Balance, FloorClient
from libs.client.keys import PlayerKeys
from libs.client.mirror import TableMirror, ViewGap
from libs.client.mirror_state import (
    HandMirror,
    LastHand,
    Refused,
    SeatMirror,
    TopUp,
    TopUpStage,
    Winner,
    amount_of,
)
from libs.client.placement import Placement
from libs.client.proofs import CardChecker
from libs.client.session import TableSession
from libs.client.turn import Legal, RaiseRange, SlotRange, Turn

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
    "Refused",
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
