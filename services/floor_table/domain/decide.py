"""From an input to what follows: the one place where every input is answered."""

from collections.abc import Callable
from typing import Final

from floor_table.domain.bomb_votes import vote_bomb_pot
from floor_table.domain.check_settings import check_settings
from floor_table.domain.draft import Draft
from floor_table.domain.equities import equity_known
from floor_table.domain.game_choice import choose_game
from floor_table.domain.house import begin_hand, cards_revealed, deck_ready, showdown_resolved
from floor_table.domain.inputs import (
    BeginHandIn,
    CardsIn,
    Clock,
    CommandIn,
    ConnectionIn,
    DeckIn,
    EquityIn,
    HouseDelayIn,
    OpenTableIn,
    OperateIn,
    Operation,
    ReservationIn,
    ScoringIn,
    SeatKeyIn,
    SettlementIn,
    ShowdownIn,
    TableInput,
    TimeUpIn,
    TookOverIn,
)
from floor_table.domain.outcome import Decision, FloorRefusal
from floor_table.domain.placement_commands import confirm_placement, move_placement
from floor_table.domain.play_commands import (
    act,
    answer_split,
    choose_facing,
    discard,
    show_cards,
    swap,
)
from floor_table.domain.readiness import follow_readiness, say_ready
from floor_table.domain.scores import hand_scored
from floor_table.domain.seat_commands import (
    command_kind,
    leave_table,
    preferences,
    sit_down,
    sit_in,
    sit_out,
    top_up,
)
from floor_table.domain.state import TableState
from floor_table.domain.surroundings import (
    connection_changed,
    house_delayed,
    key_bound,
    operate,
    reservation_answered,
    settlement_changed,
    took_over,
)
from floor_table.domain.time_up import time_up
from pokerfloor.api.common.v1 import cards_pb2, errors_pb2
from pokerfloor.api.events.v1 import table_events_pb2 as pb
from pokerfloor.api.events.v1.table_events_pb2 import TableEvent
from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.tablelog import with_defaults

_ID_LENGTH: Final = 64
_DIGEST_BYTES: Final = 32

_COMMANDS: Final[dict[str, Callable[[Draft, CommandIn], FloorRefusal | None]]] = {
    "act": act,
    "answer_split": answer_split,
    "choose_facing": choose_facing,
    "choose_game": choose_game,
    "discard": discard,
    "confirm_placement": confirm_placement,
    "leave": leave_table,
    "move_placement": move_placement,
    "preferences": preferences,
    "ready": say_ready,
    "show_cards": show_cards,
    "sit_down": sit_down,
    "sit_in": sit_in,
    "sit_out": sit_out,
    "swap": swap,
    "top_up": top_up,
    "vote_bomb_pot": vote_bomb_pot,
}
_CAUSE: Final[dict[type, step_pb2.SchedulerCause.ValueType]] = {
    BeginHandIn: step_pb2.SCHEDULER_CAUSE_BEGIN_HAND,
    ConnectionIn: step_pb2.SCHEDULER_CAUSE_CONNECTION,
    EquityIn: step_pb2.SCHEDULER_CAUSE_EQUITY,
    HouseDelayIn: step_pb2.SCHEDULER_CAUSE_HOUSE_DELAY,
    SeatKeyIn: step_pb2.SCHEDULER_CAUSE_SEAT_KEY,
    SettlementIn: step_pb2.SCHEDULER_CAUSE_SETTLEMENT,
}
_OPERATION: Final = {
    Operation.PAUSE: step_pb2.COMMAND_KIND_PAUSE_TABLE,
    Operation.RESUME: step_pb2.COMMAND_KIND_RESUME_TABLE,
    Operation.CLOSE: step_pb2.COMMAND_KIND_CLOSE_TABLE,
    Operation.VOID: step_pb2.COMMAND_KIND_VOID_HAND,
}
_CLOCK: Final = {clock: step_pb2.Clock.Value(f"CLOCK_{clock.name}") for clock in Clock}
_OF_THE_STREAM: Final = frozenset({"", "attach", "ping"})


def decide(state: TableState, given: TableInput, at_ms: int) -> Decision | FloorRefusal:
    """Return what an input leads to, or why it is refused. Changes nothing.

    A refused command is not remembered: sent again under the same id it is judged anew.
    """
    refusal = _judge_state(state, given) or _judge_id(state, given)
    if refusal is not None:
        return refusal
    draft = Draft(state, at_ms)
    refusal = _answer(draft, given)
    if refusal is not None:
        return refusal
    follow_readiness(draft)
    sender, command_id, digest = "", "", b""
    seat = 0
    if isinstance(given, (CommandIn, OpenTableIn, OperateIn)):
        sender, command_id, digest = given.sender, given.command_id, given.digest
    if isinstance(given, CommandIn) and command_kind(given.command) == "sit_down":
        seat = draft.events[0].seat_reserved.seat
    return Decision(
        events=draft.events,
        input=_input(state.table_id, given, draft.now_ms),
        sender=sender,
        command_id=command_id,
        command_digest=digest,
        seat=seat,
        at_ms=draft.now_ms,
        after=draft.state,
    )


def _judge_state(state: TableState, given: TableInput) -> FloorRefusal | None:
    if isinstance(given, OpenTableIn):
        if state.settings is None:
            return None
        reason = "a table of this id was opened before"
        return FloorRefusal(errors_pb2.ERROR_CODE_TABLE_EXISTS, reason, "table_id")
    if state.settings is None:
        return FloorRefusal(
            errors_pb2.ERROR_CODE_UNKNOWN_TABLE, f"there is no table {state.table_id}", "table_id"
        )
    if state.closed and not isinstance(given, TookOverIn):
        return FloorRefusal(errors_pb2.ERROR_CODE_TABLE_CLOSED, "the table is closed")
    return None


def _judge_id(state: TableState, given: TableInput) -> FloorRefusal | None:
    if not isinstance(given, (CommandIn, OpenTableIn, OperateIn)):
        return None
    command_id = given.command_id
    if not 1 <= len(command_id) <= _ID_LENGTH or not command_id.isprintable():
        reason = f"a command's id has 1 to {_ID_LENGTH} printable characters"
        return FloorRefusal(errors_pb2.ERROR_CODE_BAD_COMMAND_ID, reason, "command_id")
    assert given.sender, "a command without a sender"
    assert len(given.digest) == _DIGEST_BYTES, "a command without its digest"
    repeated = state.memory.find(given.sender, command_id)
    assert repeated is None or repeated.digest != given.digest, "a repeat is to be answered before"
    if repeated is not None:
        reason = "this command id was used for another content"
        return FloorRefusal(errors_pb2.ERROR_CODE_ID_REUSED, reason, "command_id")
    return None


def _answer(draft: Draft, given: TableInput) -> FloorRefusal | None:  # noqa: C901, PLR0912  # one line an input
    match given:
        case CommandIn():
            return _command(draft, given)
        case OpenTableIn():
            return _open_table(draft, given)
        case OperateIn():
            return operate(draft, given)
        case TookOverIn():
            return took_over(draft, given)
        case HouseDelayIn():
            return house_delayed(draft)
        case ReservationIn():
            return reservation_answered(draft, given)
        case DeckIn():
            return deck_ready(draft, given)
        case CardsIn():
            return cards_revealed(draft, given)
        case ShowdownIn():
            return showdown_resolved(draft, given)
        case EquityIn():
            return equity_known(draft, given)
        case ScoringIn():
            return hand_scored(draft, given)
        case SeatKeyIn():
            return key_bound(draft, given)
        case ConnectionIn():
            return connection_changed(draft, given)
        case BeginHandIn():
            return begin_hand(draft)
        case TimeUpIn():
            return time_up(draft, given.clock)
        case SettlementIn():
            return settlement_changed(draft, given)


def _command(draft: Draft, given: CommandIn) -> FloorRefusal | None:
    kind = command_kind(given.command)
    if kind in _OF_THE_STREAM:
        reason = f"{kind or 'nothing'} is no command for a table"
        return FloorRefusal(errors_pb2.ERROR_CODE_INVALID_FIELD, reason, "command")
    answer = _COMMANDS.get(kind)
    if answer is None:
        reason = f"{kind} belongs to games or options that are not here yet"
        return FloorRefusal(errors_pb2.ERROR_CODE_NOT_SUPPORTED, reason, kind)
    return answer(draft, given)


def _open_table(draft: Draft, given: OpenTableIn) -> FloorRefusal | None:
    refusal = check_settings(given.settings)
    if refusal is not None:
        return refusal
    opened = pb.TableOpened(settings=with_defaults(given.settings), opened_by=given.sender)
    draft.emit(TableEvent(table_opened=opened))
    owner = pb.OwnerChanged(owner_epoch=1, instance=given.instance)
    draft.emit(TableEvent(owner_changed=owner))
    return None


def _input(table_id: str, given: TableInput, now_ms: int) -> step_pb2.Input:  # noqa: C901  # one line an input
    """Return what caused a step, as the log keeps it."""
    match given:
        case CommandIn():
            name = command_kind(given.command).upper()
            kind = step_pb2.CommandKind.Value(f"COMMAND_KIND_{name}")
            arrived_at_ms = given.arrived_at_ms
        case OpenTableIn():
            kind, arrived_at_ms = step_pb2.COMMAND_KIND_OPEN_TABLE, now_ms
        case OperateIn():
            kind, arrived_at_ms = _OPERATION[given.kind], now_ms
        case TookOverIn():
            return step_pb2.Input(owner=step_pb2.OwnerInput(instance=given.instance))
        case ReservationIn():
            answer = step_pb2.ReservationInput(reservation_id=given.reservation_id, held=given.held)
            return step_pb2.Input(reservation=answer)
        case DeckIn():
            return step_pb2.Input(deck=step_pb2.DeckInput(deck_no=given.deck_no))
        case CardsIn():
            return step_pb2.Input(cards=step_pb2.CardsInput(count=len(given.cards)))
        case ShowdownIn():
            showdown = step_pb2.ShowdownInput(hand=given.response.hand)
            return step_pb2.Input(showdown=showdown)
        case ScoringIn():
            scoring = step_pb2.ScoringInput(
                hand=cards_pb2.HandRef(table_id=table_id, hand_no=given.hand_no)
            )
            return step_pb2.Input(scoring=scoring)
        case TimeUpIn():
            return step_pb2.Input(time=step_pb2.TimeInput(clock=_CLOCK[given.clock]))
        case (
            BeginHandIn()
            | HouseDelayIn()
            | SeatKeyIn()
            | ConnectionIn()
            | SettlementIn()
            | EquityIn()
        ):
            house = step_pb2.SchedulerInput(cause=_CAUSE[type(given)])
            return step_pb2.Input(scheduler=house)
    command = step_pb2.CommandInput(kind=kind, arrived_at_ms=arrived_at_ms)
    return step_pb2.Input(command=command)
