"""Commands of a seat in a hand: what it does in its turn, and what it shows afterwards."""

from floor_table.domain.draft import Draft
from floor_table.domain.hand_flow import go_on
from floor_table.domain.inputs import CommandIn
from floor_table.domain.outcome import FloorRefusal
from floor_table.domain.refusals import invalid, of_hand, unexpected
from floor_table.domain.seat_commands import seated
from floor_table.domain.seats import Seat
from floor_table.domain.state import TableState, TurnClock
from floor_table.domain.turns import open_turn
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.events.v1 import table_events_pb2 as pb
from pokerfloor.api.events.v1.table_events_pb2 import TableEvent
from pokerfloor.api.table.v1.table_pb2 import ActCommand
from pokerfloor.games import (
    Act,
    ActKind,
    AnswerSplit,
    ChooseFacing,
    DiscardCards,
    Hand,
    ShowCards,
    SwapCards,
    seat_place,
)
from pokerfloor.games import Input as HandInput
from pokerfloor.tablelog import ACT_KIND, LogError, StakeKind, from_amount

# The engine's names of what a command says, as the command has them.
_FIELDS = {"turn_no": "turn_no", "kind": "kind", "amount_to": "to", "slots": "slots"}


def act(draft: Draft, given: CommandIn) -> FloorRefusal | None:
    """Act in turn (BET-1), in time (CLK-4)."""
    wanted = given.command.act
    seat = player_of_hand(draft.state, given, wanted.hand_no, "act")
    if isinstance(seat, FloorRefusal):
        return seat
    action = _action(seat.seat, wanted, draft.state.rules.kind)
    if isinstance(action, FloorRefusal):
        return action
    return _in_turn(draft, given, seat, action, "act")


def discard(draft: Draft, given: CommandIn) -> FloorRefusal | None:
    """Discard hole cards by slot, and draw as many (DRW-4)."""
    wanted = given.command.discard
    seat = player_of_hand(draft.state, given, wanted.hand_no, "discard")
    if isinstance(seat, FloorRefusal):
        return seat
    discarded = DiscardCards(seat.seat, wanted.turn_no, tuple(wanted.slots))
    return _in_turn(draft, given, seat, discarded, "discard")


def swap(draft: Draft, given: CommandIn) -> FloorRefusal | None:
    """Swap own cards before acting, by slot; the turn and its clock go on (SWP-1)."""
    wanted = given.command.swap
    seat = player_of_hand(draft.state, given, wanted.hand_no, "swap")
    if isinstance(seat, FloorRefusal):
        return seat
    swapped = SwapCards(seat.seat, wanted.turn_no, tuple(wanted.slots))
    return _in_turn(draft, given, seat, swapped, "swap")


def choose_facing(draft: Draft, given: CommandIn) -> FloorRefusal | None:
    """Say whether the next card comes up or down (MAT-3)."""
    wanted = given.command.choose_facing
    seat = player_of_hand(draft.state, given, wanted.hand_no, "choose_facing")
    if isinstance(seat, FloorRefusal):
        return seat
    chosen = ChooseFacing(seat.seat, wanted.turn_no, wanted.face_down)
    return _in_turn(draft, given, seat, chosen, "choose_facing")


def answer_split(draft: Draft, given: CommandIn) -> FloorRefusal | None:
    """Say whether to split a pot that nobody qualified for; the first no decides (MAT-6)."""
    state, wanted = draft.state, given.command.answer_split
    seat = player_of_hand(state, given, wanted.hand_no, "answer_split")
    if isinstance(seat, FloorRefusal):
        return seat
    hand = state.playing
    if not isinstance(hand, Hand):
        return unexpected("no pot is split in this game")
    answer = AnswerSplit(seat.seat, wanted.agrees)
    refused = hand.validate(answer)
    if refused is not None:
        return of_hand(refused, {"seat": ""})
    if given.arrived_at_ms > state.split_until_ms:
        return FloorRefusal(errors_pb2.ERROR_CODE_TOO_LATE, "the time to answer is over")
    before = state.last
    refused = draft.play(answer)
    assert refused is None, "what was good is refused"
    go_on(draft, before)
    return None


def player_of_hand(
    state: TableState, given: CommandIn, hand_no: int, command: str
) -> Seat | FloorRefusal:
    """Return the seat of a player who speaks of the hand in play."""
    seat = seated(state, given.sender)
    if isinstance(seat, FloorRefusal):
        return seat
    if 1 <= hand_no <= state.hands and hand_no != state.hand_no:
        reason = f"hand {hand_no} is over"
        return FloorRefusal(errors_pb2.ERROR_CODE_HAND_OVER, reason, f"{command}.hand_no")
    if state.playing is None:
        return FloorRefusal(errors_pb2.ERROR_CODE_NO_HAND, "no hand is being played")
    if hand_no != state.hand_no:
        return invalid(f"there is no hand {hand_no}", f"{command}.hand_no")
    return seat


def _in_turn(
    draft: Draft, given: CommandIn, seat: Seat, played: HandInput, command: str
) -> FloorRefusal | None:
    """Play what a seat does in its turn, if it is good and in time (CLK-4)."""
    state = draft.state
    hand, clock = state.playing, state.clock
    if not isinstance(hand, Hand) or open_turn(hand) is None or state.shuffling:
        return unexpected("the hand waits for no player now")
    refused = hand.validate(played)
    if refused is not None:
        fields = {name: f"{command}.{field}" for name, field in _FIELDS.items()}
        return of_hand(refused, {**fields, "seat": ""})
    assert clock is not None, "a turn without a clock"
    if given.arrived_at_ms > clock.ends_ms:
        late_ms = given.arrived_at_ms - clock.ends_ms
        reason = f"it arrived {late_ms} ms after its time"
        return FloorRefusal(errors_pb2.ERROR_CODE_TOO_LATE, reason)
    if not isinstance(played, SwapCards):  # after a swap the same clock runs on
        _use_bank(draft, seat, clock, given.arrived_at_ms)
    before = state.last
    refused = draft.play(played)
    assert refused is None, "what was good is refused"
    go_on(draft, before)
    return None


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
    if record is None or not isinstance(hand, Hand) or record.opened.hand_no != wanted.hand_no:
        reason = f"hand {wanted.hand_no} has nothing more to show"
        return FloorRefusal(errors_pb2.ERROR_CODE_NO_HAND, reason, "show_cards.hand_no")
    if record.context.players.get(seat.seat) != given.sender:
        reason = "you were not dealt into that hand"
        return FloorRefusal(errors_pb2.ERROR_CODE_ACTION_NOT_ALLOWED, reason)
    held = {place.slot for place in hand.state.hole_places(seat.seat)}
    if not wanted.slots or not held.issuperset(wanted.slots):
        reason = f"own slots are {', '.join(map(str, sorted(held)))}"
        return FloorRefusal(errors_pb2.ERROR_CODE_BAD_SLOT, reason, "show_cards.slots")
    if state.hand_over and given.arrived_at_ms > state.show_until_ms:
        return FloorRefusal(errors_pb2.ERROR_CODE_TOO_LATE, "the time to show is over")
    places = tuple([seat_place(seat.seat, slot) for slot in wanted.slots])
    refused = draft.play(ShowCards(seat.seat, places))
    fields = {"seat": "", "places": "show_cards.slots"}
    return None if refused is None else of_hand(refused, fields)
