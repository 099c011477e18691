"""Whether a showdown is what the log says.

Own cards of a hand that mucks are this service's alone. What decides who mucks - the boards, the
pots, the order, who always shows, whether all are exposed - is therefore never taken from the
table's word (SHW-2): a table could ask once honestly and once more with every seat showing.
"""

from __future__ import annotations

from collections.abc import Sequence

from floor_showdown.metrics import NOT_JUSTIFIED
from floor_showdown.table_log import TableLog
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.events.v1.table_events_pb2 import HandBegan
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.internal.showdown.v1 import resolution_pb2
from pokerfloor.games import WaitShowdown
from pokerfloor.servicekit import FloorError, get_logger
from pokerfloor.tablelog import LogError, fold_hand, to_resolve_request

_log = get_logger("showdown.justification")


class LogCheck:
    """Reads the log of a request's hand and holds the request against it."""

    def __init__(self, log: TableLog) -> None:
        self._log = log

    async def __call__(self, request: resolution_pb2.ResolveRequest, budget_s: float) -> None:
        """Raise FloorError where the log does not justify the request.

        See `TableLog.hand` and `check_justified`.
        """
        steps = await self._log.hand(request.began_step, request.cause, budget_s)
        check_justified(request, steps)


def check_justified(request: resolution_pb2.ResolveRequest, steps: Sequence[Step]) -> None:
    """Check a request against the steps from `opened` to `cause`, both included.

    Raises FloorError NOT_JUSTIFIED with the first field that the log has otherwise.
    """
    opened = _hand_opened(steps[0])
    if opened is None:
        raise _refusal("this step opens no hand", "opened")
    try:
        hand = fold_hand(steps)
    except LogError as error:
        raise _refusal(f"the log's hand cannot be played: {error.reason}", "cause") from error
    wait = hand.waits_for()
    if not isinstance(wait, WaitShowdown):
        raise _refusal("the hand does not wait for a showdown there", "cause")
    paid = tuple(zip(hand.state.seats, hand.state.contributed(), strict=True))
    due = to_resolve_request(wait.request, opened, paid, request.cause)
    due.began_step.CopyFrom(request.began_step)
    if due != request:
        field = _first_difference(due, request)
        raise _refusal("this is not what the log says of the hand", field)


def _hand_opened(step: Step) -> HandBegan | None:
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


def _refusal(reason: str, field: str) -> FloorError:
    """Return the refusal; only a table that is broken or lies gets one, so operations hear."""
    NOT_JUSTIFIED.labels(field).inc()
    _log.error("a showdown that the log does not justify", reason=reason, field=field)
    return FloorError(errors_pb2.ERROR_CODE_NOT_JUSTIFIED, reason, field)
