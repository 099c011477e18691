"""Commands of a seat in a hand: act in turn, show cards afterwards."""

from libs.floorapi.floor.common.v1 import errors_pb2
from libs.floorapi.floor.events.v1 import table_events_pb2 as pb
from libs.floorapi.floor.events.v1.table_events_pb2 import TableEvent
from libs.floorapi.floor.table.v1.table_pb2 import ActCommand
from libs.floorlog import ACT_KIND, LogError, StakeKind, from_amount
from libs.games import Act, ActKind, Hand, ShowCards, WaitAction, own_place
from services.table.domain.draft import Draft
from services.table.domain.hand_flow import go_on
from services.table.domain.inputs import CommandIn
from services.table.domain.outcome import FloorRefusal
from services.table.domain.refusals import invalid, of_hand, unexpected
from services.table.domain.seat_commands import seated
from services.table.domain.seats import Seat
from services.table.domain.state import TableState, TurnClock

_FIELDS = {"seat": "", "turn_no": "act.turn_no", "kind": "act.kind", "amount_to": "act.to"}


def act(draft: Draft, given: CommandIn) -> FloorRefusal | None:
    """Act in turn (BET-1), in time (CLK-4)."""
    state, wanted = draft.state, given.command.act
    seat = seated(state, given.sender)
    if isinstance(seat, FloorRefusal):
        return seat
    hand = _hand_of(state, wanted)
    if isinstance(hand, FloorRefusal):
        return hand
    action = _action(seat.seat, wanted, state.rules.kind)
    if isinstance(action, FloorRefusal):
        return action
    wait = hand.waits_for()
    if not isinstance(wait, WaitAction):
        return unexpected("the hand does not wait for an action now")
    refused = hand.check(action)
    if refused is not None:
        return of_hand(refused, _FIELDS)
    clock = state.clock
    assert clock is not None, "a turn without a clock"
    if given.arrived_at_ms > clock.ends_ms:
        late_ms = given.arrived_at_ms - clock.ends_ms
        reason = f"the action arrived {late_ms} ms after its time"
        return FloorRefusal(errors_pb2.ERROR_CODE_TOO_LATE, reason)
    _use_bank(draft, seat, clock, given.arrived_at_ms)
    before = state.last
    refused = draft.play(action)
    assert refused is None, "an action refused that was good"
    go_on(draft, before)
    return None


def _hand_of(state: TableState, wanted: ActCommand) -> Hand | FloorRefusal:
    hand = state.playing
    if 1 <= wanted.hand_no <= state.hands and wanted.hand_no != state.hand_no:
        reason = f"hand {wanted.hand_no} is over"
        return FloorRefusal(errors_pb2.ERROR_CODE_HAND_OVER, reason, "act.hand_no")
    if hand is None:
        return FloorRefusal(errors_pb2.ERROR_CODE_NO_HAND, "no hand is being played")
    if wanted.hand_no != state.hand_no:
        return invalid(f"there is no hand {wanted.hand_no}", "act.hand_no")
    return hand


def _action(seat: int, wanted: ActCommand, kind: StakeKind) -> Act | FloorRefusal:
    what = ACT_KIND.get(wanted.kind)
    if what is None:
        return invalid("this is no action of this game", "act.kind")
    amount_to = 0
    if wanted.HasField("to"):
        try:
            amount_to = from_amount(wanted.to, kind, "act.to")
        except LogError as error:
            return invalid(error.reason, error.field)
        if amount_to < 0:
            return invalid("an amount below zero", "act.to")
    elif what in (ActKind.BET, ActKind.RAISE):
        return invalid("a bet or raise names the total in front of the seat", "act.to")
    return Act(seat, wanted.turn_no, what, amount_to)


def _use_bank(draft: Draft, seat: Seat, clock: TurnClock, arrived_at_ms: int) -> None:
    """Take from the time bank what the decision took beyond its base time (CLK-1)."""
    used_ms = arrived_at_ms - clock.deadline_ms
    if used_ms > 0:
        bank_ms = seat.bank_ms - used_ms
        changed = pb.TimeBankChanged(seat=seat.seat, bank_ms=bank_ms)
        draft.emit(TableEvent(time_bank_changed=changed))


def show_cards(draft: Draft, given: CommandIn) -> FloorRefusal | None:
    """Show own cards after a win without a showdown, within 5 s (SHW-3)."""
    state, wanted = draft.state, given.command.show_cards
    seat = seated(state, given.sender)
    if isinstance(seat, FloorRefusal):
        return seat
    record, hand = state.record, state.hand
    if record is None or hand is None or record.opened.hand_no != wanted.hand_no:
        reason = f"hand {wanted.hand_no} has nothing more to show"
        return FloorRefusal(errors_pb2.ERROR_CODE_NO_HAND, reason, "show_cards.hand_no")
    if record.context.players.get(seat.seat) != given.sender:
        reason = "you were not dealt into that hand"
        return FloorRefusal(errors_pb2.ERROR_CODE_ACTION_NOT_ALLOWED, reason)
    own = hand.setup.game.own_cards()
    if not wanted.slots or not all(1 <= slot <= own for slot in wanted.slots):
        reason = f"own slots are 1 to {own}"
        return FloorRefusal(errors_pb2.ERROR_CODE_BAD_SLOT, reason, "show_cards.slots")
    if state.hand_over and given.arrived_at_ms > state.show_until_ms:
        return FloorRefusal(errors_pb2.ERROR_CODE_TOO_LATE, "the time to show is over")
    places = tuple([own_place(seat.seat, slot) for slot in wanted.slots])
    refused = draft.play(ShowCards(seat.seat, places))
    fields = {"seat": "", "places": "show_cards.slots"}
    return None if refused is None else of_hand(refused, fields)
