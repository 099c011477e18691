"""What each event of a hand changes in the mirror of a table: one row for each event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from pokerfloor.api.events.v1 import hand_events_pb2 as events
from pokerfloor.client.mirror_deck import OWN
from pokerfloor.client.mirror_hand import equities_of, place_key, result_of, reveal
from pokerfloor.client.mirror_layouts import rows_of
from pokerfloor.client.mirror_state import HandMirror, LastHand, TableValues, amount_of
from pokerfloor.tablelog import is_placement_game

_DEAD = frozenset(
    {
        events.FORCED_BET_KIND_ANTE,
        events.FORCED_BET_KIND_ANTE_FOR_ALL,
        events.FORCED_BET_KIND_BOMB,
        events.FORCED_BET_KIND_DEAD_SMALL,
    }
)


def apply_hand_event(table: TableValues, hand: HandMirror, event: events.HandEvent) -> None:
    """Apply one event of the hand in play."""
    name = event.WhichOneof("event")
    row = HAND_EVENTS.get(name or "", NO_CHANGE)
    if name is None or row is NO_CHANGE:
        return
    message = getattr(event, name)
    if row.ends_own_turn is not None and row.ends_own_turn(table, hand, message):
        table.your_turn = None
    row.apply(table, hand, message)


def _forced_bet(table: TableValues, hand: HandMirror, event: events.ForcedBetPosted) -> None:
    amount = amount_of(event.amount)
    table.seats[event.seat].stack -= amount
    hand.seats[event.seat].all_in = event.all_in
    if event.kind in _DEAD:
        hand.pot_total += amount
    else:
        hand.seats[event.seat].bet += amount


def _places_dealt(_table: TableValues, hand: HandMirror, event: events.PlacesDealt) -> None:
    for place in event.places:
        key = place_key(place)
        if place.kind == OWN and key not in hand.seats[place.owner].places:
            hand.seats[place.owner].places.append(key)


def _cards_replaced(
    _table: TableValues, hand: HandMirror, event: events.CardsDrawn | events.CardsSwapped
) -> None:
    """Take away what a seat discarded or swapped; only its owner knows which slots it discards."""
    seat = hand.seats[event.seat]
    slots = event.discarded_slots if isinstance(event, events.CardsDrawn) else event.slots
    seat.changed += event.count if isinstance(event, events.CardsDrawn) else len(slots)
    gone = {(OWN, event.seat, slot) for slot in slots}
    seat.places = [place for place in seat.places if place not in gone]


def _hand_redealt(table: TableValues, hand: HandMirror, event: events.HandRedealt) -> None:
    table.button = event.button
    for seat in hand.seats.values():
        seat.places, seat.changed = [], 0


def _street_began(_table: TableValues, hand: HandMirror, event: events.StreetBegan) -> None:
    hand.street, hand.street_name = event.street, event.name


def _turn_began(_table: TableValues, hand: HandMirror, event: events.TurnBegan) -> None:
    hand.turn_seat, hand.turn_no, hand.deadline_ms = event.seat, event.turn_no, 0


def _action_taken(table: TableValues, hand: HandMirror, event: events.ActionTaken) -> None:
    seat = hand.seats[event.seat]
    hand.turn_seat, hand.deadline_ms = 0, 0
    table.seats[event.seat].stack -= amount_of(event.by)
    if event.kind == events.ACTION_KIND_FOLD:
        seat.folded = True
    elif event.HasField("by") and amount_of(event.by):
        seat.bet, seat.all_in = amount_of(event.to), event.all_in


def _bet_returned(table: TableValues, hand: HandMirror, event: events.BetReturned) -> None:
    amount = amount_of(event.amount)
    hand.seats[event.seat].bet -= amount
    hand.seats[event.seat].all_in = False
    table.seats[event.seat].stack += amount


def _bets_collected(_table: TableValues, hand: HandMirror, event: events.BetsCollected) -> None:
    hand.pot_total = sum(amount_of(pot.amount) for pot in event.pots)
    for seat in hand.seats.values():
        seat.bet = 0


def _cards_revealed(_table: TableValues, hand: HandMirror, event: events.CardsRevealed) -> None:
    reveal(hand, event.cards)


def _hand_shown(_table: TableValues, hand: HandMirror, event: events.HandShown) -> None:
    reveal(hand, event.cards)
    if event.ranks:
        hand.shown_as[event.seat] = event.ranks[0].hand.name


def _equity_shown(_table: TableValues, hand: HandMirror, event: events.EquityShown) -> None:
    hand.equities = equities_of(event)


def _rake_taken(_table: TableValues, hand: HandMirror, event: events.RakeTaken) -> None:
    hand.pot_total -= amount_of(event.total)


def _pot_awarded(table: TableValues, hand: HandMirror, event: events.PotAwarded) -> None:
    amount = amount_of(event.amount)
    hand.pot_total -= amount
    hand.won[event.seat] = hand.won.get(event.seat, 0) + amount
    table.seats[event.seat].stack += amount


def _pot_carried(_table: TableValues, hand: HandMirror, event: events.PotCarried) -> None:
    hand.pot_total -= amount_of(event.amount)


def _carried_pot_added(table: TableValues, hand: HandMirror, event: events.CarriedPotAdded) -> None:
    hand.carried_in = amount_of(event.amount)
    hand.pot_total += hand.carried_in
    table.carried_pot -= hand.carried_in


def _placement_moved(_table: TableValues, hand: HandMirror, event: events.PlacementMoved) -> None:
    tentative = hand.seats[event.seat].tentative
    if event.placement.row == events.LAYOUT_ROW_UNSPECIFIED:
        tentative.pop(event.placement.slot, None)
    else:
        tentative |= rows_of([event.placement])


def _placement_confirmed(
    _table: TableValues, hand: HandMirror, event: events.PlacementConfirmed
) -> None:
    seat = hand.seats[event.seat]
    seat.tentative = {}
    seat.laid |= rows_of(event.placements)
    seat.streets += 1
    hand.turns.pop(event.seat, None)
    if hand.turn_seat == event.seat:
        hand.turn_seat, hand.deadline_ms = 0, 0


def _placed(
    _table: TableValues, hand: HandMirror, event: events.HiddenPlacement | events.LayoutRevealed
) -> None:
    hand.seats[event.seat].laid |= rows_of(event.placements)


def _points_scored(_table: TableValues, hand: HandMirror, event: events.PointsScored) -> None:
    for pair in event.pairs:
        for seat, paid in ((pair.seat_a, pair.paid_points), (pair.seat_b, -pair.paid_points)):
            hand.won[seat] = hand.won.get(seat, 0) + paid
    hand.fouled = {layout.seat for layout in event.layouts if layout.fouled}


def _fantasyland_earned(
    _table: TableValues, hand: HandMirror, event: events.FantasylandEarned
) -> None:
    hand.fantasyland_earned[event.seat] = event.cards


def _hand_ended(table: TableValues, hand: HandMirror, event: events.HandEnded) -> None:
    result = result_of(hand, table.seats, event)
    _end_hand(table, hand, result, {one.seat: amount_of(one.end) for one in event.seats})
    table.carried_pot += amount_of(event.carried_out)
    table.next_game = ""


def _hand_voided(table: TableValues, hand: HandMirror, event: events.HandVoided) -> None:
    table.carried_pot += hand.carried_in
    table.button = hand.button_before or table.button
    nets = dict.fromkeys(hand.seats, 0)
    result = LastHand(hand.hand_no, nets, 0, (), hand.board(), event.reason or "void")
    _end_hand(table, hand, result, {seat.seat: seat.start for seat in hand.seats.values()})


def _end_hand(
    table: TableValues, hand: HandMirror, result: LastHand, stacks: dict[int, int]
) -> None:
    if table.own_seat in hand.seats:
        table.own_hands_finished += 1
    for seat, stack in stacks.items():
        table.seats[seat].stack = stack
    table.last_hand = result
    # The deck stays until the next one: the winner may still show cards of it (SHW-3).
    table.hand = table.your_turn = None


def _always(_table: TableValues, _hand: HandMirror, _event: Any) -> bool:
    return True


def _if_own(table: TableValues, _hand: HandMirror, event: events.PlacementConfirmed) -> bool:
    return event.seat == table.own_seat


def _if_own_or_alone(table: TableValues, hand: HandMirror, event: events.TurnBegan) -> bool:
    """Tell whether a turn that begins ends the own one: in placement games several are open."""
    return not is_placement_game(hand.game) or event.seat == table.own_seat


def _if_decided(table: TableValues, _hand: HandMirror, event: events.SplitAnswered) -> bool:
    """Tell whether this seat has said whether to split, or somebody's no has decided it."""
    return event.seat == table.own_seat or not event.agrees


def _unchanged(_table: TableValues, _hand: HandMirror, _event: Any) -> None:
    pass


class HandEventRow(NamedTuple):
    """What an event of a hand changes, and whether nothing more is asked of the own seat then."""

    apply: Callable[[TableValues, HandMirror, Any], None] = _unchanged
    ends_own_turn: Callable[[TableValues, HandMirror, Any], bool] | None = None


NO_CHANGE: Final = HandEventRow()

#: A row for every event of `HandEvent`, also for those that change nothing here.
HAND_EVENTS: Final[dict[str, HandEventRow]] = {
    "forced_bet_posted": HandEventRow(_forced_bet),
    "places_dealt": HandEventRow(_places_dealt),
    "street_began": HandEventRow(_street_began),
    "turn_began": HandEventRow(_turn_began, _if_own_or_alone),
    "action_taken": HandEventRow(_action_taken, _always),
    "bet_returned": HandEventRow(_bet_returned),
    "bets_collected": HandEventRow(_bets_collected),
    "reveal_ordered": NO_CHANGE,
    "cards_revealed": HandEventRow(_cards_revealed),
    "showdown_began": NO_CHANGE,
    "hand_shown": HandEventRow(_hand_shown),
    "hand_mucked": NO_CHANGE,
    "rake_taken": HandEventRow(_rake_taken),
    "pot_awarded": HandEventRow(_pot_awarded),
    "hand_ended": HandEventRow(_hand_ended, _always),
    "hand_voided": HandEventRow(_hand_voided, _always),
    "cards_drawn": HandEventRow(_cards_replaced, _always),
    "cards_swapped": HandEventRow(_cards_replaced),
    "facing_chosen": HandEventRow(ends_own_turn=_always),
    "deck_reshuffled": NO_CHANGE,
    "opener_announced": NO_CHANGE,
    "carried_pot_added": HandEventRow(_carried_pot_added),
    "pot_carried": HandEventRow(_pot_carried),
    "split_proposed": NO_CHANGE,
    "split_answered": HandEventRow(ends_own_turn=_if_decided),
    "hand_redealt": HandEventRow(_hand_redealt),
    "equity_shown": HandEventRow(_equity_shown),
    "placement_moved": HandEventRow(_placement_moved),
    "placement_confirmed": HandEventRow(_placement_confirmed, _if_own),
    "hidden_placement": HandEventRow(_placed),
    "points_scored": HandEventRow(_points_scored),
    "fantasyland_earned": HandEventRow(_fantasyland_earned),
    "layout_revealed": HandEventRow(_placed),
}
