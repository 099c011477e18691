"""What each event of a table, besides its hands, changes in the mirror: one row for each event."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from pokerfloor.api.events.v1 import table_events_pb2 as events
from pokerfloor.api.table.v1 import view_pb2
from pokerfloor.client.mirror_hand import hand_of_began
from pokerfloor.client.mirror_state import (
    GameChoice,
    SeatMirror,
    TableValues,
    TopUp,
    TopUpStage,
    amount_of,
)
from pokerfloor.refusal import Refusal


def apply_table_event(table: TableValues, event: events.TableEvent) -> None:
    """Apply one event that is no hand's."""
    name = event.WhichOneof("event")
    change = TABLE_EVENTS.get(name or "")
    if change is not None and name is not None:
        change(table, getattr(event, name))


def seat_of_view(view: view_pb2.SeatView) -> SeatMirror:
    """Return the mirror of a seat of a snapshot. A pending seat is nobody's yet."""
    if view.state in (view_pb2.SEAT_STATE_PENDING, view_pb2.SEAT_STATE_EMPTY):
        return SeatMirror(view.seat)
    seat = SeatMirror(view.seat, view.player_id, view.display_name, amount_of(view.stack))
    seat.sitting_out = view.state == view_pb2.SEAT_STATE_SITTING_OUT
    seat.leaving = view.state == view_pb2.SEAT_STATE_LEAVING
    seat.connected, seat.bank_ms = view.connected, view.bank_ms
    return seat


def _table_opened(table: TableValues, event: events.TableOpened) -> None:
    table.settings.CopyFrom(event.settings)
    table.state = view_pb2.TABLE_STATE_WAITING
    table.seats = {number: SeatMirror(number) for number in range(1, event.settings.seats + 1)}


def _seat_taken(table: TableValues, event: events.SeatTaken) -> None:
    seat = SeatMirror(event.seat, event.player_id, event.display_name, amount_of(event.stack))
    table.seats[event.seat] = seat
    if _is_own(table, event.player_id):
        table.own_seat = event.seat


def _seat_reserved(table: TableValues, event: events.SeatReserved) -> None:
    if _is_own(table, event.player_id):
        table.refused_buy_in = None


def _seat_released(table: TableValues, event: events.SeatReleased) -> None:
    if _is_own(table, event.player_id):
        table.refused_buy_in = _refusal_of(event)


def _top_up_reserved(table: TableValues, event: events.TopUpReserved) -> None:
    if _is_own(table, event.player_id):
        table.top_up = TopUp(event.reservation_id, event.amount_minor, TopUpStage.ASKED)


def _top_up_held(table: TableValues, event: events.TopUpHeld) -> None:
    _top_up_becomes(table, event.reservation_id, TopUpStage.HELD)


def _top_up_released(table: TableValues, event: events.TopUpReleased) -> None:
    if _is_own(table, event.player_id):
        _top_up_becomes(table, event.reservation_id, TopUpStage.REFUSED, _refusal_of(event))


def _top_up_becomes(
    table: TableValues, reservation_id: str, stage: TopUpStage, refused: Refusal | None = None
) -> None:
    if table.top_up is not None and table.top_up.reservation_id == reservation_id:
        table.top_up = replace(table.top_up, stage=stage, refused=refused)


def _is_own(table: TableValues, player_id: str) -> bool:
    return bool(table.player_id) and player_id == table.player_id


def _refusal_of(event: events.SeatReleased | events.TopUpReleased) -> Refusal:
    return Refusal(event.error.code, event.error.reason or "the reservation came to nothing")


def _seat_left(table: TableValues, event: events.SeatLeft) -> None:
    table.seats[event.seat] = SeatMirror(event.seat)
    table.bomb_votes.discard(event.seat)
    table.readiness.pop(event.seat, None)
    if event.seat == table.own_seat:
        table.own_seat, table.your_turn = 0, None


def _leave_requested(table: TableValues, event: events.LeaveRequested) -> None:
    table.seats[event.seat].leaving = True


def _sat_out(table: TableValues, event: events.SatOut) -> None:
    table.seats[event.seat].sitting_out = True
    table.readiness.pop(event.seat, None)


def _sat_in(table: TableValues, event: events.SatIn) -> None:
    table.seats[event.seat].sitting_out = False


def _chips_added(table: TableValues, event: events.ChipsAdded) -> None:
    table.seats[event.seat].stack = amount_of(event.stack)
    _top_up_becomes(table, event.reservation_id, TopUpStage.ADDED)


def _ready_changed(table: TableValues, event: events.ReadyChanged) -> None:
    if event.seat:
        table.readiness[event.seat] = event.ready
        return
    table.readiness = {}
    if event.deadline_ms:  # everybody who sits to play is asked
        playing = [seat for seat in table.seats.values() if seat.stack and not seat.sitting_out]
        table.readiness = {seat.seat: False for seat in playing}


def _match_changed(table: TableValues, event: events.MatchChanged) -> None:
    table.match_no = event.match_no if event.began else 0


def _button_draw_began(table: TableValues, event: events.ButtonDrawBegan) -> None:
    table.readiness = {}
    table.take_deck(event.deck_no)


def _button_drawn(table: TableValues, event: events.ButtonDrawn) -> None:
    table.button, table.deck = event.seat, None


def _game_choice_opened(table: TableValues, event: events.GameChoiceOpened) -> None:
    table.readiness = {}
    table.game_choice = GameChoice.of(event)
    table.button = event.seat  # it has moved already


def _game_draw_began(table: TableValues, event: events.GameDrawBegan) -> None:
    table.readiness = {}
    table.game_choice = None
    table.take_deck(event.deck_no)


def _game_chosen(table: TableValues, event: events.GameChosen) -> None:
    table.game_choice, table.next_game = None, event.game
    if event.deck_no:
        table.deck = None


def _hand_began(table: TableValues, event: events.HandBegan) -> None:
    table.hand = hand_of_began(event)
    table.hand.button_before = table.button
    if event.bomb_pot:
        table.bomb_votes.clear()
    table.readiness = {}
    table.take_deck(event.deck_no, event.hand_no, reserves=bool(event.fantasyland))
    table.hands, table.button = event.hand_no, event.button
    table.state, table.your_turn = view_pb2.TABLE_STATE_PLAYING, None


def _bomb_pot_voted(table: TableValues, event: events.BombPotVoted) -> None:
    (table.bomb_votes.add if event.agrees else table.bomb_votes.discard)(event.seat)


def _carried_pot_closed(table: TableValues, event: events.CarriedPotClosed) -> None:
    table.carried_pot = 0
    for share in event.shares:
        table.seats[share.seat].stack += amount_of(share.amount)


def _deck_committed(table: TableValues, event: events.DeckCommitted) -> None:
    if table.deck is not None and table.deck.deck_no == event.deck_no:
        table.deck.commit(event.generation, event.root)


def _clock(table: TableValues, event: events.ClockSet | events.TimeBankStarted) -> None:
    if table.hand is not None:
        table.hand.deadline_ms = event.deadline_ms
        table.hand.turns[event.seat] = event.deadline_ms


def _time_bank_changed(table: TableValues, event: events.TimeBankChanged) -> None:
    table.seats[event.seat].bank_ms = event.bank_ms


def _connection_changed(table: TableValues, event: events.ConnectionChanged) -> None:
    table.seats[event.seat].connected = event.connected


def _settings_changed(table: TableValues, event: events.SettingsChanged) -> None:
    table.settings.CopyFrom(event.settings)


def _becomes(state: int) -> Callable[[TableValues, Any], None]:
    def change(table: TableValues, _event: Any) -> None:
        table.state = state

    return change


#: A row for every event of `TableEvent`; None for what changes nothing here.
TABLE_EVENTS: Final[dict[str, Callable[[TableValues, Any], None] | None]] = {
    "table_opened": _table_opened,
    "seat_taken": _seat_taken,
    "seat_reserved": _seat_reserved,
    "seat_released": _seat_released,
    "top_up_reserved": _top_up_reserved,
    "top_up_held": _top_up_held,
    "top_up_released": _top_up_released,
    "seat_left": _seat_left,
    "leave_requested": _leave_requested,
    "sat_out": _sat_out,
    "sat_in": _sat_in,
    "chips_added": _chips_added,
    "button_draw_began": _button_draw_began,
    "button_drawn": _button_drawn,
    "game_choice_opened": _game_choice_opened,
    "game_chosen": _game_chosen,
    "game_draw_began": _game_draw_began,
    "hand_began": _hand_began,
    "bomb_pot_voted": _bomb_pot_voted,
    "match_changed": _match_changed,
    "ready_changed": _ready_changed,
    "carried_pot_closed": _carried_pot_closed,
    "deck_committed": _deck_committed,
    "clock_set": _clock,
    "time_bank_started": _clock,
    "time_bank_changed": _time_bank_changed,
    "connection_changed": _connection_changed,
    "settings_changed": _settings_changed,
    "table_paused": _becomes(view_pb2.TABLE_STATE_PAUSED),
    "table_resumed": _becomes(view_pb2.TABLE_STATE_WAITING),
    "table_closing": _becomes(view_pb2.TABLE_STATE_CLOSING),
    "table_closed": _becomes(view_pb2.TABLE_STATE_CLOSED),
    "base_time_left": None,
    "blind_missed": None,
    "entry_chosen": None,
    "owner_changed": None,
    "preferences_changed": None,
    "seat_key_bound": None,
    "showing_closed": None,
    "time_ran_out": None,
}
