"""The life of a table: opened, taken over, paused, resumed and closed; its hand voided."""

from typing import Final

from floor_table.domain.carried_pot import close_carried_pot
from floor_table.domain.inputs import (
    OpenTableIn,
    OperateIn,
    Operation,
    SettlementIn,
    TookOverIn,
)
from floor_table.domain.refusal import invalid, wrong_state
from floor_table.domain.seats import leave, release_seat
from floor_table.domain.settings.check import check_settings
from floor_table.domain.showdown import SPLIT_MS
from floor_table.domain.step import EventTable, InputTable, StepBuilder
from floor_table.domain.table import Table
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.events.v1 import table_events_pb2 as pb
from pokerfloor.api.table.v1 import view_pb2
from pokerfloor.games import Void
from pokerfloor.limits import REASON_RULE, is_reason
from pokerfloor.refusal import Refusal
from pokerfloor.tablelog import LogError, with_defaults

_CLOSED: Final = Refusal(errors_pb2.ERROR_CODE_TABLE_CLOSED, "the table is closing or closed")
_CLOSES: Final = Refusal(errors_pb2.ERROR_CODE_TABLE_CLOSED, "the table closes")

# --- inputs


def open_table(step: StepBuilder, given: OpenTableIn) -> Refusal | None:
    """Open the table with its settings, under its first owner."""
    refusal = check_settings(given.settings)
    if refusal is not None:
        return refusal
    settings = with_defaults(given.settings)
    step.emit(pb.TableOpened(settings=settings, opened_by=given.sender))
    step.emit(pb.OwnerChanged(owner_epoch=1, instance=given.instance))
    return None


def take_over(step: StepBuilder, given: TookOverIn) -> None:
    """Begin a new epoch."""
    epoch = step.table.owner_epoch + 1
    step.emit(pb.OwnerChanged(owner_epoch=epoch, instance=given.instance))


def follow_settlement(step: StepBuilder, given: SettlementIn) -> Refusal | None:
    """Pause while too many hands are not settled, and go on when they are."""
    if given.paused == step.table.unsettled:
        return wrong_state("nothing changes")
    if given.paused:
        step.emit(pb.TablePaused(cause=pb.PAUSE_CAUSE_UNSETTLED_HANDS))
    else:
        step.emit(pb.TableResumed())
    return None


def operate(step: StepBuilder, given: OperateIn) -> Refusal | None:
    """Pause, resume or close the table, or void its hand."""
    if not is_reason(given.reason):
        return invalid(REASON_RULE, "reason")
    if given.kind is Operation.VOID:
        return _void(step, given)
    if step.table.closing:
        return _CLOSED
    if given.kind is Operation.CLOSE:
        step.emit(pb.TableClosing(closed_by=given.sender))
    elif given.kind is Operation.PAUSE:
        if step.table.paused:
            return wrong_state("the table is paused")
        step.emit(
            pb.TablePaused(cause=pb.PAUSE_CAUSE_ASKED, reason=given.reason, paused_by=given.sender)
        )
    else:
        if not step.table.paused:
            return wrong_state("the table is not paused")
        step.emit(pb.TableResumed(resumed_by=given.sender))
    return None


def _void(step: StepBuilder, given: OperateIn) -> Refusal | None:
    """Put every chip of the hand back to where it was when it began (DLR-8)."""
    table = step.table
    if given.hand_no < 1 or given.hand_no > table.hands:
        reason = f"there is no hand {given.hand_no}"
        return Refusal(errors_pb2.ERROR_CODE_UNKNOWN_HAND, reason, "hand_no")
    if given.hand_no != table.hand_no:
        reason = f"hand {given.hand_no} is over; its pots are paid"
        return Refusal(errors_pb2.ERROR_CODE_HAND_OVER, reason, "hand_no")
    if not given.reason:
        return invalid("a hand is voided for a reason", "reason")
    if not table.hand_record.root:
        return wrong_state("the deck is being made; a hand is voided once it is committed")
    step.must_play(Void(given.reason))
    return None


INPUTS: Final[InputTable] = {
    OpenTableIn: open_table,
    OperateIn: operate,
    SettlementIn: follow_settlement,
}

# --- what follows from a step


def close_if_idle(step: StepBuilder) -> None:
    """Close a closing table when no hand or draw is under way: everybody goes, with all chips."""
    table = step.table
    if not table.closing or table.closed:
        return
    # A match is played to its end (OFC-6).
    if table.busy or table.matches.match is not None:
        return
    close_carried_pot(step)
    for seat in table.by_number():
        if seat.buy_in is not None:
            release_seat(step, seat, seat.buy_in, _CLOSES)
        else:
            leave(step, seat, pb.LEAVE_REASON_TABLE_CLOSED)
    step.emit(pb.TableClosed())


# --- events


def _table_opened(table: Table, event: pb.TableOpened) -> None:
    if table.exists:
        raise LogError("the table is opened twice", "table_opened")
    table.open(event.settings)


def _owner_changed(table: Table, event: pb.OwnerChanged) -> None:
    if event.owner_epoch != table.owner_epoch + 1:
        raise LogError(f"epoch {event.owner_epoch} after {table.owner_epoch}", "owner_changed")
    table.owner_epoch = event.owner_epoch
    if table.split_until_ms:  # the house's time is not the players' (CLK-5)
        table.split_until_ms = table.at_ms + SPLIT_MS


def _table_paused(table: Table, event: pb.TablePaused) -> None:
    """Pause for a person, who is named, or until hands are settled."""
    if event.paused_by:
        table.paused = True
    else:
        table.unsettled = True


def _table_resumed(table: Table, event: pb.TableResumed) -> None:
    if event.resumed_by:
        table.paused = False
    else:
        table.unsettled = False


def _table_closing(table: Table, _: pb.TableClosing) -> None:
    table.closing = True


def _table_closed(table: Table, _: pb.TableClosed) -> None:
    if table.seats or table.playing is not None or table.draw is not None:
        raise LogError("a table closed with players at it", "table_closed")
    table.close_show()
    table.closed = True


EVENTS: Final[EventTable] = {
    "owner_changed": _owner_changed,
    "table_closed": _table_closed,
    "table_closing": _table_closing,
    "table_opened": _table_opened,
    "table_paused": _table_paused,
    "table_resumed": _table_resumed,
}

# --- views


def state_code(table: Table) -> view_pb2.TableState.ValueType:
    """Return what a table does now, as its views say it."""
    if table.closed:
        return view_pb2.TABLE_STATE_CLOSED
    if table.closing:
        return view_pb2.TABLE_STATE_CLOSING
    if table.paused or table.unsettled:
        return view_pb2.TABLE_STATE_PAUSED
    if table.playing is not None or table.draw is not None or table.matches.match is not None:
        return view_pb2.TABLE_STATE_PLAYING
    if len([seat for seat in table.seats.values() if seat.ready]) >= 2 and table.all_ready:
        return view_pb2.TABLE_STATE_PLAYING
    return view_pb2.TABLE_STATE_WAITING
