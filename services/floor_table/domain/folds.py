"""How each event of a table changes its state. Hand events are in `hand_folds`."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any, Final

from floor_table.domain.hand_folds import (
    SPLIT_MS,
    close_deck,
    close_show,
    fold_hand_event,
    hand_began,
)
from floor_table.domain.mixed_folds import game_choice_opened, game_chosen, game_draw_began
from floor_table.domain.placement_folds import (
    base_time_left,
    match_changed,
    note_play,
    ready_changed,
    time_ran_out,
)
from floor_table.domain.rules import table_rules
from floor_table.domain.seats import Departed, Reservation, Seat
from floor_table.domain.state import Draw, TableState, TurnClock
from pokerfloor.api.events.v1 import table_events_pb2 as pb
from pokerfloor.tablelog import LogError, from_amount

_MOST_DEPARTED: Final = 256
_MOST_VOIDED: Final = 16
# How long a player's time bank is remembered, whatever the rat-hole window.
_REMEMBER_MS: Final = 60 * 60_000


def fold_event(state: TableState, event: pb.TableEvent) -> None:
    """Fold one event into a state. Raises LogError for one that this table cannot have."""
    which = event.WhichOneof("event")
    fold = _FOLDS.get(which or "")
    if fold is None:
        raise LogError(f"an event {which} that this table cannot have", "events")
    fold(state, getattr(event, which or ""))


def _void(state: TableState, reservation_id: str, reason: str) -> None:
    state.voided = (*state.voided, (reservation_id, reason))[-_MOST_VOIDED:]


def _seat(state: TableState, number: int) -> Seat:
    seat = state.seats.get(number)
    if seat is None:
        raise LogError(f"nobody is at seat {number}", "seat")
    return seat


def _table_opened(state: TableState, event: pb.TableOpened) -> None:
    if state.settings is not None:
        raise LogError("the table is opened twice", "table_opened")
    state.settings = event.settings
    state.set_rules(table_rules(event.settings))
    stored = event.settings.SerializeToString(deterministic=True)
    state.settings_digest = sha256(stored).hexdigest()


def _owner_changed(state: TableState, event: pb.OwnerChanged) -> None:
    if event.owner_epoch != state.owner_epoch + 1:
        raise LogError(f"epoch {event.owner_epoch} after {state.owner_epoch}", "owner_changed")
    state.owner_epoch = event.owner_epoch
    if state.split_until_ms:  # the house's time is not the players' (CLK-5)
        state.split_until_ms = state.at_ms + SPLIT_MS


def _seat_reserved(state: TableState, event: pb.SeatReserved) -> None:
    if event.seat in state.seats or not 1 <= event.seat <= state.rules.seats:
        raise LogError(f"seat {event.seat} is not free", "seat_reserved.seat")
    held = Reservation(event.reservation_id, event.buy_in_minor, event.expires_at_ms)
    state.seats[event.seat] = Seat(
        event.seat, event.player_id, event.display_name, buy_in=held, post=event.post_to_enter
    )


def _seat_taken(state: TableState, event: pb.SeatTaken) -> None:
    pending = _seat(state, event.seat)
    if pending.buy_in is None or pending.buy_in.reservation_id != event.reservation_id:
        raise LogError("a seat taken without its reservation", "seat_taken.reservation_id")
    stack = from_amount(event.stack, state.rules.kind, "seat_taken.stack")
    bank_ms, bank_hands = state.rules.bank_ms, 0
    for gone in state.departed:
        if gone.player_id == event.player_id:  # the time bank is the player's at this table (CLK-1)
            bank_ms, bank_hands = gone.bank_ms, gone.bank_hands
    state.seats[event.seat] = Seat(
        event.seat,
        event.player_id,
        event.display_name,
        stack=stack,
        taken_seq=state.table_seq,
        bank_ms=bank_ms,
        bank_hands=bank_hands,
    )
    state.chips_in += stack


def _seat_released(state: TableState, event: pb.SeatReleased) -> None:
    pending = _seat(state, event.seat)
    if pending.buy_in is None or pending.buy_in.reservation_id != event.reservation_id:
        raise LogError("a seat released that was not reserved", "seat_released.reservation_id")
    del state.seats[event.seat]
    _void(state, event.reservation_id, event.error.reason)


def _seat_left(state: TableState, event: pb.SeatLeft) -> None:
    seat = _seat(state, event.seat)
    whole_minor = seat.stack * state.rules.price_minor
    held = state.bound(event.seat) or state.choosing
    if seat.pending or held or event.cash_out_minor != whole_minor:
        raise LogError("a seat left in a hand, or not with its whole stack", "seat_left")
    del state.seats[event.seat]
    state.readiness = state.readiness.without(event.seat)
    state.bomb_votes = tuple([voted for voted in state.bomb_votes if voted != event.seat])
    state.chips_out += seat.stack
    # Whoever comes back, to the same seat even, sits down anew (TBL-15).
    dealt = [one for one in state.last.dealt if one != (event.seat, event.player_id)]
    state.last = state.last._replace(dealt=tuple(dealt))
    oldest = state.at_ms - max(state.rules.rat_hole_ms, _REMEMBER_MS)
    kept = [
        gone for gone in state.departed if gone.at_ms > oldest and gone.player_id != event.player_id
    ]
    kept.append(Departed(seat.player_id, seat.stack, state.at_ms, seat.bank_ms, seat.bank_hands))
    state.departed = tuple(kept[-_MOST_DEPARTED:])


def _leave_requested(state: TableState, event: pb.LeaveRequested) -> None:
    state.seats[event.seat] = _seat(state, event.seat)._replace(leaving=True)


def _sat_out(state: TableState, event: pb.SatOut) -> None:
    state.seats[event.seat] = _seat(state, event.seat)._replace(sitting_out=True)
    state.readiness = state.readiness.without(event.seat)


def _sat_in(state: TableState, event: pb.SatIn) -> None:
    state.seats[event.seat] = _seat(state, event.seat)._replace(sitting_out=False)


def _entry_chosen(state: TableState, event: pb.EntryChosen) -> None:
    state.seats[event.seat] = _seat(state, event.seat)._replace(post=event.post)


def _preferences_changed(state: TableState, event: pb.PreferencesChanged) -> None:
    state.seats[event.seat] = _seat(state, event.seat)._replace(
        always_show=event.always_show, auto_top_up_minor=event.auto_top_up_minor
    )


def _top_up_reserved(state: TableState, event: pb.TopUpReserved) -> None:
    seat = _seat(state, event.seat)
    if seat.top_up is not None:
        raise LogError("two top-ups at a time", "top_up_reserved")
    top_up = Reservation(event.reservation_id, event.amount_minor, event.expires_at_ms)
    state.seats[event.seat] = seat._replace(top_up=top_up)


def _top_up_held(state: TableState, event: pb.TopUpHeld) -> None:
    seat = _seat(state, event.seat)
    if seat.top_up is None or seat.top_up.reservation_id != event.reservation_id:
        raise LogError("a top-up held that was not open", "top_up_held.reservation_id")
    if not state.bound(event.seat):
        raise LogError("a top-up held back outside of a hand", "top_up_held")
    state.seats[event.seat] = seat._replace(top_up=seat.top_up._replace(held=True))


def _chips_added(state: TableState, event: pb.ChipsAdded) -> None:
    seat = _seat(state, event.seat)
    if seat.top_up is None or seat.top_up.reservation_id != event.reservation_id:
        raise LogError("chips added without their reservation", "chips_added.reservation_id")
    if state.bound(event.seat):
        raise LogError("chips added in a hand", "chips_added")
    added = event.amount_minor // state.rules.price_minor
    stack = seat.stack + added
    state.seats[event.seat] = seat._replace(top_up=None, stack=stack, no_chips_at_ms=0)
    state.chips_in += added


def _top_up_released(state: TableState, event: pb.TopUpReleased) -> None:
    seat = _seat(state, event.seat)
    if seat.top_up is None or seat.top_up.reservation_id != event.reservation_id:
        raise LogError("a top-up released that was not open", "top_up_released.reservation_id")
    state.seats[event.seat] = seat._replace(top_up=None)
    _void(state, event.reservation_id, event.error.reason)


def _button_draw_began(state: TableState, event: pb.ButtonDrawBegan) -> None:
    close_show(state)
    if state.draw is not None or state.hand is not None or event.deck_no != state.decks + 1:
        raise LogError("a draw at the wrong moment, or of the wrong deck", "button_draw_began")
    state.decks = event.deck_no
    state.draw = Draw(event.deck_no, tuple(event.seats), state.table_seq)
    note_play(state)


def _button_drawn(state: TableState, event: pb.ButtonDrawn) -> None:
    if state.draw is None or state.draw.cards:
        raise LogError("no draw is under way", "button_drawn")
    close_deck(state, state.draw.deck_no, "")
    state.draw = None
    state.mix = state.mix._replace(button=0)
    state.last = state.last._replace(button=event.seat, small=0, big=0, dealt=(), drawn=True)


def _deck_committed(state: TableState, event: pb.DeckCommitted) -> None:
    draw, record = state.draw, state.record
    if draw is not None and draw.deck_no == event.deck_no:
        state.draw = draw._replace(root=event.root)
    elif record is None or record.opened.deck_no != event.deck_no or state.hand_over:
        raise LogError(f"deck {event.deck_no} is not waited for", "deck_committed.deck_no")
    elif not event.generation:
        state.record = record._replace(root=event.root)
    elif event.generation == record.shuffling:
        state.record = record._replace(later_roots=(*record.later_roots, event.root))
    else:
        reason = f"generation {event.generation} is not waited for"
        raise LogError(reason, "deck_committed.generation")


def _carried_pot_closed(state: TableState, event: pb.CarriedPotClosed) -> None:
    carried, kind = state.carried, state.rules.kind
    if carried is None or state.playing is not None:
        raise LogError("a carried pot closed that is not there", "carried_pot_closed")
    suspense = 0
    if event.HasField("suspense"):
        suspense = from_amount(event.suspense, kind, "carried_pot_closed.suspense")
    shared = 0
    for share in event.shares:
        amount = from_amount(share.amount, kind, "carried_pot_closed.shares.amount")
        seat = _seat(state, share.seat)
        if seat.player_id != share.player_id or amount < 0:
            raise LogError("a share that is nobody's", "carried_pot_closed.shares")
        state.seats[share.seat] = seat._replace(stack=seat.stack + amount)
        shared += amount
    if shared + suspense != carried.amount:
        raise LogError("the shares are not the carried pot", "carried_pot_closed")
    state.chips_out += suspense
    state.carried = None


def _bomb_pot_voted(state: TableState, event: pb.BombPotVoted) -> None:
    votes = {*state.bomb_votes, _seat(state, event.seat).seat}
    if not event.agrees:
        votes.remove(event.seat)
    state.bomb_votes = tuple(sorted(votes))


def _blind_missed(state: TableState, event: pb.BlindMissed) -> None:
    state.seats[event.seat] = _seat(state, event.seat)._replace(
        big_missed=event.big_blinds_missed, small_missed=event.small_blind_missed
    )


def _clock_set(state: TableState, event: pb.ClockSet) -> None:
    clock = TurnClock(event.seat, event.turn_no, event.deadline_ms, event.bank_ms)
    state.start_clock(clock)


def _time_bank_started(state: TableState, event: pb.TimeBankStarted) -> None:
    clock = state.clock_of(event.seat)
    if clock is None or (clock.turn_no, clock.ends_ms) != (event.turn_no, event.deadline_ms):
        raise LogError("a time bank for another turn", "time_bank_started")
    state.start_clock(clock._replace(bank_running=True))


def _time_bank_changed(state: TableState, event: pb.TimeBankChanged) -> None:
    state.seats[event.seat] = _seat(state, event.seat)._replace(bank_ms=event.bank_ms)


def _seat_key_bound(state: TableState, event: pb.SeatKeyBound) -> None:
    state.seats[event.seat] = _seat(state, event.seat)._replace(key_bound=True)


def _connection_changed(state: TableState, event: pb.ConnectionChanged) -> None:
    state.seats[event.seat] = _seat(state, event.seat)._replace(connected=event.connected)


def _table_paused(state: TableState, event: pb.TablePaused) -> None:
    if event.paused_by:
        state.paused = True
    else:
        state.unsettled = True


def _table_resumed(state: TableState, event: pb.TableResumed) -> None:
    if event.resumed_by:
        state.paused = False
    else:
        state.unsettled = False


def _table_closing(state: TableState, _: pb.TableClosing) -> None:
    state.closing = True


def _showing_closed(state: TableState, event: pb.ShowingClosed) -> None:
    if not state.hand_over or state.record is None or event.hand_no != state.hands:
        raise LogError(f"hand {event.hand_no} has nothing to show", "showing_closed.hand_no")
    close_show(state)


def _table_closed(state: TableState, _: pb.TableClosed) -> None:
    if state.seats or state.playing is not None or state.draw is not None:
        raise LogError("a table closed with players at it", "table_closed")
    close_show(state)
    state.closed = True


_FOLDS: Final[dict[str, Callable[[TableState, Any], None]]] = {
    "base_time_left": base_time_left,
    "blind_missed": _blind_missed,
    "bomb_pot_voted": _bomb_pot_voted,
    "button_draw_began": _button_draw_began,
    "button_drawn": _button_drawn,
    "carried_pot_closed": _carried_pot_closed,
    "chips_added": _chips_added,
    "clock_set": _clock_set,
    "connection_changed": _connection_changed,
    "deck_committed": _deck_committed,
    "entry_chosen": _entry_chosen,
    "game_choice_opened": game_choice_opened,
    "game_chosen": game_chosen,
    "game_draw_began": game_draw_began,
    "hand": fold_hand_event,
    "hand_began": hand_began,
    "leave_requested": _leave_requested,
    "match_changed": match_changed,
    "owner_changed": _owner_changed,
    "preferences_changed": _preferences_changed,
    "ready_changed": ready_changed,
    "sat_in": _sat_in,
    "sat_out": _sat_out,
    "seat_key_bound": _seat_key_bound,
    "seat_left": _seat_left,
    "seat_released": _seat_released,
    "seat_reserved": _seat_reserved,
    "seat_taken": _seat_taken,
    "showing_closed": _showing_closed,
    "table_closed": _table_closed,
    "table_closing": _table_closing,
    "table_opened": _table_opened,
    "table_paused": _table_paused,
    "table_resumed": _table_resumed,
    "time_bank_changed": _time_bank_changed,
    "time_bank_started": _time_bank_started,
    "time_ran_out": time_ran_out,
    "top_up_held": _top_up_held,
    "top_up_released": _top_up_released,
    "top_up_reserved": _top_up_reserved,
}
