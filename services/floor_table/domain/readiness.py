"""Whether everybody is ready, before the first hand and whenever play had stopped (TBL-6)."""

from typing import Final

from floor_table.domain.draft import Draft
from floor_table.domain.inputs import CommandIn
from floor_table.domain.outcome import FloorRefusal
from floor_table.domain.refusals import wrong_state
from floor_table.domain.seat_changes import leave
from floor_table.domain.seat_commands import seated
from floor_table.domain.state import TableState
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.events.v1 import table_events_pb2 as pb
from pokerfloor.api.events.v1.table_events_pb2 import TableEvent

READY_MS: Final = 60_000


def all_ready(state: TableState) -> bool:
    """Tell whether nobody has to be asked, or everybody who sits to play has said yes."""
    readiness = state.readiness
    if not state.rules.confirm_ready or readiness.agreed:
        return True
    asked = {one.seat: one.ready for one in readiness.asked}
    return all(asked.get(seat.seat, False) for seat in state.seats.values() if seat.ready)


def follow_readiness(draft: Draft) -> None:
    """Ask, ask a newcomer as well, or stop asking, by what the step has changed."""
    state = draft.state
    if not state.rules.confirm_ready or state.closed:
        return
    if state.playing is not None or state.draw is not None or state.matches.match is not None:
        return
    there = [seat.seat for seat in state.by_number() if seat.ready]
    readiness = state.readiness
    if len(there) < 2 or state.paused or state.closing:
        if readiness.agreed or readiness.asked:
            _tell(draft, 0, 0)
    elif not readiness.agreed and not readiness.asked:
        _tell(draft, 0, draft.now_ms + READY_MS)
    elif not readiness.agreed:
        for seat in there:
            if readiness.of(seat) is None:
                _tell(draft, seat, draft.now_ms + READY_MS)


def say_ready(draft: Draft, given: CommandIn) -> FloorRefusal | None:
    """Say to be ready, or not any more."""
    seat = seated(draft.state, given.sender)
    if isinstance(seat, FloorRefusal):
        return seat
    asked, ready = draft.state.readiness.of(seat.seat), given.command.ready.ready
    if asked is None:
        return wrong_state("you are not asked whether you are ready")
    if asked.ready == ready:
        return wrong_state("you have said so already")
    if given.arrived_at_ms > asked.deadline_ms:
        late_ms = given.arrived_at_ms - asked.deadline_ms
        reason = f"it arrived {late_ms} ms after its time"
        return FloorRefusal(errors_pb2.ERROR_CODE_TOO_LATE, reason)
    _tell(draft, seat.seat, asked.deadline_ms, ready=ready)
    return None


def readiness_ends_ms(state: TableState) -> int | None:
    """Return when the first seat that is not ready is to be freed, None while none is."""
    ends = [one.deadline_ms + 1 for one in state.readiness.asked if not one.ready]
    return min(ends) if ends else None


def free_not_ready(draft: Draft) -> None:
    """Free the seats that were not ready in time; their chips go back."""
    for asked in draft.state.readiness.asked:
        if not asked.ready and draft.now_ms > asked.deadline_ms:
            leave(draft, draft.state.seats[asked.seat], pb.LEAVE_REASON_NOT_READY)


def ask_again(draft: Draft) -> None:
    """Give everybody who is asked the whole time again: the house was away (CLK-5)."""
    for asked in draft.state.readiness.asked:
        if not asked.ready:
            _tell(draft, asked.seat, draft.now_ms + READY_MS)


def _tell(draft: Draft, seat: int, deadline_ms: int, *, ready: bool = False) -> None:
    changed = pb.ReadyChanged(seat=seat, ready=ready, deadline_ms=deadline_ms)
    draft.emit(TableEvent(ready_changed=changed))
