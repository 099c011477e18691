"""What a seat of a betting game does in its turn, and what its player is shown of it."""

from typing import Final

from floor_table.domain.any_hand import Turn, live_seats, open_turn
from floor_table.domain.audiences import Audience
from floor_table.domain.clocks import execute_in_time, take_time
from floor_table.domain.inputs import CommandIn
from floor_table.domain.parts import Seat, TurnClock
from floor_table.domain.refusal import invalid, unexpected
from floor_table.domain.step import CommandTable, EventTable, StepBuilder
from floor_table.domain.table import Table
from floor_table.domain.validate import seat_in_hand
from pokerfloor.api.events.v1 import hand_events_pb2 as hand_pb
from pokerfloor.api.table.v1 import view_pb2 as pb
from pokerfloor.api.table.v1.table_pb2 import ActCommand
from pokerfloor.games import (
    Act,
    ActKind,
    ChooseFacing,
    DiscardCards,
    Hand,
    Input,
    LegalSet,
    PlaceKind,
    Pot,
    Structure,
    SwapCards,
    WaitDiscard,
    WaitFacing,
)
from pokerfloor.refusal import Refusal
from pokerfloor.tablelog import (
    ACT_KIND,
    LogError,
    StakeKind,
    from_amount,
    to_amount,
    to_places,
    write_pots,
)

# The hand's names of what a command says, as the command has them.
_FIELDS: Final = {"turn_no": "turn_no", "kind": "kind", "amount_to": "to", "slots": "slots"}

# --- commands


def act(step: StepBuilder, given: CommandIn) -> Refusal | None:
    """Act in turn (BET-1), in time (CLK-4)."""
    wanted = given.command.act
    seat = seat_in_hand(step.table, given, wanted.hand_no, "act")
    if isinstance(seat, Refusal):
        return seat
    action = _action(seat.seat, wanted, step.table.rules.kind)
    if isinstance(action, Refusal):
        return action
    return _in_turn(step, given, seat, action)


def discard(step: StepBuilder, given: CommandIn) -> Refusal | None:
    """Discard hole cards by slot, and draw as many (DRW-4)."""
    wanted = given.command.discard
    seat = seat_in_hand(step.table, given, wanted.hand_no, "discard")
    if isinstance(seat, Refusal):
        return seat
    discarded = DiscardCards(seat.seat, wanted.turn_no, tuple(wanted.slots))
    return _in_turn(step, given, seat, discarded)


def swap(step: StepBuilder, given: CommandIn) -> Refusal | None:
    """Swap hole cards before acting, by slot; the turn and its clock go on (SWP-1)."""
    wanted = given.command.swap
    seat = seat_in_hand(step.table, given, wanted.hand_no, "swap")
    if isinstance(seat, Refusal):
        return seat
    swapped = SwapCards(seat.seat, wanted.turn_no, tuple(wanted.slots))
    return _in_turn(step, given, seat, swapped)


def choose_facing(step: StepBuilder, given: CommandIn) -> Refusal | None:
    """Say whether the next card comes up or down (MAT-3)."""
    wanted = given.command.choose_facing
    seat = seat_in_hand(step.table, given, wanted.hand_no, "choose_facing")
    if isinstance(seat, Refusal):
        return seat
    chosen = ChooseFacing(seat.seat, wanted.turn_no, wanted.face_down)
    return _in_turn(step, given, seat, chosen)


def _action(seat: int, wanted: ActCommand, kind: StakeKind) -> Act | Refusal:
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


def _in_turn(step: StepBuilder, given: CommandIn, seat: Seat, played: Input) -> Refusal | None:
    """Play what a seat does in its turn, if it is good and in time (CLK-4)."""
    table = step.table
    if open_turn(table.playing) is None or table.shuffling:
        return unexpected("the hand waits for no player now")
    fields = {name: f"{given.kind}.{field}" for name, field in _FIELDS.items()}
    good = execute_in_time(step, given, seat.seat, played, {**fields, "seat": ""})
    if isinstance(good, Refusal):
        return good
    if not isinstance(played, SwapCards):  # after a swap the same clock runs on
        take_time(step, seat, good.clock, given.arrived_at_ms)
    step.record(good.executed)
    return None


COMMANDS: Final[CommandTable] = {
    "act": act,
    "choose_facing": choose_facing,
    "discard": discard,
    "swap": swap,
}

# --- events


def _turn_over(
    table: Table,
    event: hand_pb.ActionTaken | hand_pb.CardsDrawn | hand_pb.FacingChosen,
) -> None:
    table.stop_clock(event.seat)


HAND_EVENTS: Final[EventTable] = {
    "action_taken": _turn_over,
    "cards_drawn": _turn_over,
    "facing_chosen": _turn_over,
}

# --- views


def pots_view(table: Table, hand: Hand) -> list[hand_pb.Pot]:
    """Return the pots as they are collected; antes lie in one before the first street is over."""
    inside = hand.state
    pots = inside.pots
    if sum([pot.amount for pot in pots]) != inside.pot_total:
        pots = (Pot(0, inside.pot_total, tuple(live_seats(hand))),)
    return write_pots(pots, table.rules.kind)


def betting_seats(table: Table, hand: Hand, audience: Audience) -> list[pb.HandSeatView]:
    """Return the seats of a hand: of cards that were given up, only the owner knows which."""
    inside = hand.state
    open_slots = not hand.setup.game.draws_from(0)  # swaps are seen by slot (SWP-3)
    collected = inside.redeals * inside.setup.game.hole_cards_dealt(0)
    views: list[pb.HandSeatView] = []
    for position, seat in enumerate(inside.seats):
        places = [
            place
            for place in inside.cards.places
            if place.kind is PlaceKind.SEAT and place.owner == seat and place.slot > collected
        ]
        held = inside.hole_places(seat)
        own = audience.owns(seat)
        shown = [place for place in places if place in held] if own or open_slots else places
        views.append(
            pb.HandSeatView(
                seat=seat,
                bet=to_amount(inside.bets[position], table.rules.kind),
                folded=inside.folded[position],
                all_in=not inside.stacks[position] and not inside.folded[position],
                places=to_places(sorted(shown)),
                cards_changed=len(places) - len([place for place in places if place in held]),
            )
        )
    return views


def betting_turn(table: Table, hand: Hand, clock: TurnClock) -> pb.YourTurn:
    """Return "your turn" of the seat to act, with all that may be done (BET-3)."""
    turn = open_turn(hand)
    assert turn is not None, "a clock without a turn"
    view = pb.YourTurn(
        hand_no=table.hand_no,
        turn_no=turn.turn_no,
        seat=turn.seat,
        deadline_ms=clock.deadline_ms,
        bank_ms=clock.bank_ms,
        choices=_choices(turn),
    )
    if isinstance(turn, WaitDiscard):
        slots = [place.slot for place in turn.places]
        view.discard.CopyFrom(
            pb.SlotChoice(least=turn.min_discards, most=turn.max_discards, slots=slots)
        )
        return view
    if isinstance(turn, WaitFacing):
        return view
    fixed = hand.setup.structure is Structure.FIXED_LIMIT
    behind = hand.state.stacks[hand.state.index_of[turn.seat]]
    view.legal.CopyFrom(_legal(turn.legal, table.rules.kind, behind, fixed=fixed))
    swap = turn.legal.swap_slots
    if swap:
        view.swap.CopyFrom(pb.SlotChoice(least=1, most=len(swap), slots=swap))
    return view


def _choices(turn: Turn) -> list[pb.ChoiceKind.ValueType]:
    """Return what may be chosen besides betting."""
    if isinstance(turn, WaitDiscard):
        return [pb.CHOICE_KIND_DISCARD]
    if isinstance(turn, WaitFacing):
        return [pb.CHOICE_KIND_FACING]
    return [pb.CHOICE_KIND_SWAP] if turn.legal.swap_slots else []


def _legal(legal: LegalSet, kind: StakeKind, behind: int, *, fixed: bool) -> pb.LegalActions:
    message = pb.LegalActions(can_fold=legal.can_fold, can_check=legal.can_check)
    if legal.call_by:
        message.call_option.to.CopyFrom(to_amount(legal.call_to, kind))
        message.call_option.by.CopyFrom(to_amount(legal.call_by, kind))
        message.call_option.all_in = legal.call_by == behind
    for option, low, high in (
        (message.bet_option, legal.bet_min, legal.bet_max),
        (message.raise_option, legal.raise_min, legal.raise_max),
    ):
        if high:
            option.min_to.CopyFrom(to_amount(low, kind))
            option.max_to.CopyFrom(to_amount(high, kind))
            if fixed:  # one size, or two with an open pair on fourth street (STD-4)
                sizes = legal.sizes_to or (high,)
                option.sizes_to.extend([to_amount(size, kind) for size in sizes])
    return message
