"""Whether a showdown is what the log says.

Hole cards of a hand that mucks are this service's alone. What decides who mucks - the boards, the
pots, the order, who always shows, whether all are exposed - is therefore never taken from the
table's word (SHW-2): a table could ask once honestly and once more with every seat showing.
"""

from __future__ import annotations

from collections.abc import Sequence

from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.events.v1.table_events_pb2 import HandBegan
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.internal.showdown.v1 import resolution_pb2
from pokerfloor.games import WaitShowdown
from pokerfloor.refusal import Refusal
from pokerfloor.tablelog import LogError, replay_hand, to_resolve_request


def check_justified(
    request: resolution_pb2.ResolveRequest, steps: Sequence[Step]
) -> Refusal | None:
    """Check a request against the steps from its `began_step` to its `cause`, both included.

    The refusal names the first field that the log has otherwise.
    """
    began = _hand_began(steps[0])
    if began is None:
        return _not_justified("this step begins no hand", "began_step")
    try:
        hand = replay_hand(steps)
    except LogError as error:
        return _not_justified(f"the log's hand cannot be played: {error.reason}", "cause")
    wait = hand.waits_for()
    if not isinstance(wait, WaitShowdown):
        return _not_justified("the hand does not wait for a showdown there", "cause")
    paid = tuple(zip(hand.state.seats, hand.state.contributed(), strict=True))
    due = to_resolve_request(wait.request, began, paid, request.cause)
    due.began_step.CopyFrom(request.began_step)
    if due != request:
        field = _first_difference(due, request)
        return _not_justified("this is not what the log says of the hand", field)
    return None


def _hand_began(step: Step) -> HandBegan | None:
    for event in step.events:
        if event.WhichOneof("event") == "hand_began":
            return event.hand_began
    return None


def _first_difference(
    due: resolution_pb2.ResolveRequest, request: resolution_pb2.ResolveRequest
) -> str:
    for field in due.DESCRIPTOR.fields:
        if getattr(due, field.name) != getattr(request, field.name):
            return field.name
    return ""  # a field that this release does not know


def _not_justified(reason: str, field: str) -> Refusal:
    return Refusal(errors_pb2.ERROR_CODE_NOT_JUSTIFIED, reason, field)
