"""How the events of a hand change the state of its table."""

from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Any, Final

from floor_table.domain.mix_state import Mix
from floor_table.domain.placement_folds import (
    PLACEMENT_NOTES,
    note_match_hand,
    note_scored_hand,
)
from floor_table.domain.placement_state import Laying
from floor_table.domain.seating import LastHand
from floor_table.domain.state import CarriedPot, ClosedDeck, HandRecord, TableState
from pokerfloor.api.common.v1.cards_pb2 import PLACE_KIND_SEAT, RevealedCard
from pokerfloor.api.events.v1 import hand_events_pb2 as pb
from pokerfloor.api.events.v1.table_events_pb2 import HandBegan
from pokerfloor.games import Hand
from pokerfloor.tablelog import (
    HandContext,
    LogError,
    apply_hand_event,
    from_amount,
    hand_stake_kind,
    is_remark,
    open_hand,
)

# SHW-3: how long the winner of a hand without a showdown may choose to show.
SHOW_MS: Final = 5_000
# MAT-6: how long players may think about splitting a pot.
SPLIT_MS: Final = 15_000
_MOST_CLOSED_DECKS: Final = 8


def close_deck(state: TableState, deck_no: int, void_reason: str) -> None:
    """Note that a deck has ended with the step that is being folded."""
    closed = ClosedDeck(deck_no, void_reason, state.table_seq)
    state.closed_decks = (*state.closed_decks, closed)[-_MOST_CLOSED_DECKS:]


def close_show(state: TableState) -> None:
    """End the time in which a winner may show (SHW-3); the hand and its deck are done with."""
    if state.hand_over:
        _put_away(state, "")


def hand_began(state: TableState, event: HandBegan) -> None:
    """Begin a hand: its deck is being made."""
    close_show(state)
    if state.hand is not None or state.draw is not None:
        raise LogError("a hand opened while another is played", "hand_began")
    if (event.hand_no, event.deck_no) != (state.hands + 1, state.decks + 1):
        raise LogError("hands and decks are numbered without gaps", "hand_began")
    players = {seat.seat: seat.player_id for seat in event.seats}
    for seat in event.seats:
        sitting = state.seats.get(seat.seat)
        stack = from_amount(seat.stack, state.rules.kind, "hand_began.seats.stack")
        if (
            sitting is None
            or sitting.pending
            or (sitting.player_id, sitting.stack)
            != (
                seat.player_id,
                stack,
            )
        ):
            raise LogError(f"seat {seat.seat} is dealt in as it is not", "hand_began.seats")
    state.hands, state.decks = event.hand_no, event.deck_no
    state.set_hand(open_hand(event))
    state.record = HandRecord(
        event,
        HandContext(event.hand_no, hand_stake_kind(event), players),
        sha256(event.SerializeToString(deterministic=True)).hexdigest(),
        state.table_seq,
    )
    state.opened_cards, state.opened_chain = (), ""
    state.clocks = ()
    state.laying = Laying()
    note_match_hand(state, event)
    if event.bomb_pot:
        state.bomb_votes = ()
    for number, held in state.seats.items():
        # Nobody owes blinds that nobody posts: in a bomb pot (BMB-2), or where the button does.
        owed = not event.bomb_pot and not event.big_blind_seat
        absent = number not in players and not held.pending and owed
        absent = absent and (held.sitting_out or not held.stack)
        if absent != held.absent:
            state.seats[number] = held._replace(absent=absent)


def fold_hand_event(state: TableState, message: pb.HandEvent) -> None:
    """Fold a stored event of the hand, or of the draw for the button, into a state."""
    if state.draw is not None:
        if message.WhichOneof("event") not in ("places_dealt", "reveal_ordered"):
            raise LogError("a draw has no such event", "hand")
        return
    if state.hand is None or state.record is None:
        raise LogError("no hand is played", "hand")
    if not is_remark(message):
        apply_hand_event(state.own_hand(), message, state.record.context.kind)
    note_hand_event(state, message)


def note_hand_event(state: TableState, message: pb.HandEvent) -> None:
    """Note at the table what an event means that the hand has taken in already."""
    which = message.WhichOneof("event") or ""
    note = _NOTES.get(which)
    if note is not None:
        note(state, getattr(message, which))


def _record(state: TableState) -> HandRecord:
    assert state.record is not None, "a hand without a record"
    return state.record


def _places_dealt(state: TableState, event: pb.PlacesDealt) -> None:
    if any(place.kind == PLACE_KIND_SEAT for place in event.places):
        record = _record(state)
        state.record = record._replace(dealt_seqs=(*record.dealt_seqs, state.table_seq))


def _cards_due(state: TableState, _: pb.RevealOrdered | pb.ShowdownBegan) -> None:
    state.record = _record(state)._replace(opening_seq=state.table_seq)


def _cards_turned_up(state: TableState, event: pb.CardsRevealed) -> None:
    state.record = _record(state)._replace(turned_up_seq=state.table_seq)
    _note_open_cards(state, event.cards)


def _hand_shown(state: TableState, event: pb.HandShown) -> None:
    lying = {(one.place.kind, one.place.owner, one.place.slot) for one in state.opened_cards}
    _note_open_cards(
        state,
        [
            one
            for one in event.cards
            if (one.place.kind, one.place.owner, one.place.slot) not in lying
        ],
    )


def _note_open_cards(state: TableState, cards: Iterable[RevealedCard]) -> None:
    for card in cards:
        state.opened_cards = (*state.opened_cards, card)
        link = bytes.fromhex(state.opened_chain) + card.SerializeToString(deterministic=True)
        state.opened_chain = sha256(link).hexdigest()


def _equity_shown(state: TableState, event: pb.EquityShown) -> None:
    digest = sha256(event.SerializeToString(deterministic=True)).hexdigest()
    state.record = _record(state)._replace(equity=event, equity_digest=digest)


def _turn_over(state: TableState, event: pb.ActionTaken | pb.CardsDrawn | pb.FacingChosen) -> None:
    state.stop_clock(event.seat)


def _deck_reshuffled(state: TableState, _: pb.DeckReshuffled) -> None:
    record = _record(state)
    state.record = record._replace(reshuffled_seqs=(*record.reshuffled_seqs, state.table_seq))


def _hand_ended(state: TableState, event: pb.HandEnded) -> None:
    opened, kind = _record(state).opened, state.rules.kind
    for result in event.seats:
        seat = state.seats[result.seat]
        end = from_amount(result.end, kind, "hand_ended.seats.end")
        state.seats[result.seat] = seat._replace(
            stack=end,
            newcomer=False,
            post=False,
            big_missed=0,
            small_missed=False,
            bank_hands=seat.bank_hands + 1,
            no_chips_at_ms=0 if end else state.at_ms,
        )
    state.raked += from_amount(event.rake, kind, "hand_ended.rake")
    state.last = _as_last(opened, button_of(state))
    if state.mix.chosen:  # a void hand counts for nothing: its game stays the next one
        state.mix = Mix(last=state.mix.chosen)
    note_scored_hand(state)
    state.carried = _carried_after(state, event)
    state.last_result = event
    state.last_result_digest = sha256(event.SerializeToString(deterministic=True)).hexdigest()
    _end(state)
    if winner_may_show(state):
        state.hand_over = True
        state.show_until_ms = state.at_ms + SHOW_MS
    else:
        _put_away(state, "")


def _hand_voided(state: TableState, event: pb.HandVoided) -> None:
    # Seats, button and misses stay as they were before the hand: it counts for nothing.
    _end(state)
    _put_away(state, event.reason or "void")


def _end(state: TableState) -> None:
    state.clocks = ()
    state.laying = Laying()
    state.split_until_ms = 0
    state.next_hand_at_ms = state.at_ms + state.rules.between_hands_ms


def _put_away(state: TableState, void_reason: str) -> None:
    close_deck(state, _record(state).opened.deck_no, void_reason)
    state.hand_over = False
    state.show_until_ms = 0
    state.set_hand(None)
    state.record = None


def winner_may_show(state: TableState) -> bool:
    """Tell whether the hand was won without a showdown, by a seat with hidden cards (SHW-3)."""
    if not isinstance(state.hand, Hand):
        return False
    hand = state.hand.state
    return not hand.showdown_order and len({award.seat for award in hand.awards}) == 1


def _split_proposed(state: TableState, _: pb.SplitProposed) -> None:
    state.split_until_ms = state.at_ms + SPLIT_MS


def _carried_after(state: TableState, event: pb.HandEnded) -> CarriedPot | None:
    """Return the pot that is carried after a hand: its own, and what did not join it."""
    if not isinstance(state.hand, Hand):
        return state.carried
    hand, before = state.hand.state, state.carried
    if before is not None and state.hand.setup.carried.amount:
        before = None
    if not hand.carried:
        return before
    amount = from_amount(event.carried_out, state.rules.kind, "hand_ended.carried_out")
    players = _record(state).context.players
    claims = {(seat, players[seat]) for pot in hand.carried for seat in pot.seats}
    ring = [hand.seats[position] for position in hand.from_button]
    return CarriedPot(
        amount + (before.amount if before else 0),
        tuple(sorted(claims | set(before.claims if before else ()))),
        tuple([(seat, players[seat]) for seat in ring if seat in hand.showdown_order]),
        state.at_ms,
    )


def button_of(state: TableState) -> int:
    """Return the seat that has the button in the hand; a redeal moves it (DRW-3)."""
    hand, opened = state.hand, _record(state).opened
    if not isinstance(hand, Hand) or not hand.state.redeals:
        return opened.button
    return hand.state.seats[hand.state.from_button[-1]]


def _as_last(opened: HandBegan, button: int) -> LastHand:
    small = [bet.seat for bet in opened.forced_bets if bet.kind == pb.FORCED_BET_KIND_SMALL_BLIND]
    big = [bet.seat for bet in opened.forced_bets if bet.kind == pb.FORCED_BET_KIND_BIG_BLIND]
    players = {seat.seat: seat.player_id for seat in opened.seats}
    if opened.big_blind_seat:  # a hand without these blinds: where they would have been
        small, big = [opened.small_blind_seat], [opened.big_blind_seat]
    return LastHand(
        button=button,
        small=small[0] if small else 0,
        big=big[0] if big else 0,
        big_player=players[big[0]] if big and not opened.big_blind_seat else "",
        dealt=tuple(players.items()),
    )


_NOTES: Final[dict[str, Callable[[TableState, Any], None]]] = {
    "action_taken": _turn_over,
    "cards_drawn": _turn_over,
    "cards_revealed": _cards_turned_up,
    "deck_reshuffled": _deck_reshuffled,
    "equity_shown": _equity_shown,
    "facing_chosen": _turn_over,
    "hand_ended": _hand_ended,
    "hand_shown": _hand_shown,
    "hand_voided": _hand_voided,
    "reveal_ordered": _cards_due,
    "places_dealt": _places_dealt,
    "showdown_began": _cards_due,
    "split_proposed": _split_proposed,
    **PLACEMENT_NOTES,
}
