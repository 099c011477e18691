"""The life of a hand at its table: its beginning, its deck, and what its end changes."""

from collections.abc import Iterable
from hashlib import sha256
from typing import Final

from floor_table.domain.button import draw_button
from floor_table.domain.carried_pot import note_carried_pot
from floor_table.domain.inputs import CardsIn, DeckIn
from floor_table.domain.matches import note_match_hand, note_scored_hand
from floor_table.domain.mixed import draw_game
from floor_table.domain.parts import HandRecord, LastHand, Mix, PlacementRecord
from floor_table.domain.refusal import invalid, of_hand, unexpected
from floor_table.domain.step import EventTable, InputTable, StepBuilder
from floor_table.domain.table import Table
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.common.v1.cards_pb2 import PLACE_KIND_SEAT, RevealedCard
from pokerfloor.api.events.v1 import hand_events_pb2 as hand_pb
from pokerfloor.api.events.v1 import table_events_pb2 as pb
from pokerfloor.games import Begin, Hand, Reveal
from pokerfloor.refusal import Refusal
from pokerfloor.tablelog import (
    HandContext,
    LogError,
    from_amount,
    from_revealed,
    hand_stake_kind,
    open_hand,
    proofs_of,
)

# SHW-3: how long the winner of a hand without a showdown may choose to show.
_SHOW_MS: Final = 5_000
_ROOT_BYTES: Final = 32


def button_of(table: Table) -> int:
    """Return the seat that has the button in the hand; a redeal moves it (DRW-3)."""
    hand = table.hand
    if not isinstance(hand, Hand) or not hand.state.redeals:
        return table.hand_record.began.button
    return hand.state.seats[hand.state.from_button[-1]]


# --- the beginning


def _hand_began(table: Table, event: pb.HandBegan) -> None:
    """Begin a hand: its deck is being made."""
    table.close_show()
    if table.hand is not None or table.draw is not None:
        raise LogError("a hand opened while another is played", "hand_began")
    if (event.hand_no, event.deck_no) != (table.hands + 1, table.decks + 1):
        raise LogError("hands and decks are numbered without gaps", "hand_began")
    for seat in event.seats:
        _check_dealt_in(table, seat)
    players = {seat.seat: seat.player_id for seat in event.seats}
    table.hands, table.decks = event.hand_no, event.deck_no
    table.set_hand(open_hand(event))
    table.record = HandRecord(
        event,
        HandContext(event.hand_no, hand_stake_kind(event), players),
        sha256(event.SerializeToString(deterministic=True)).hexdigest(),
        table.table_seq,
    )
    table.revealed_cards, table.revealed_chain = (), ""
    table.clocks = ()
    table.placing = PlacementRecord()
    table.note_play()
    note_match_hand(table, event)
    if event.bomb_pot:
        table.bomb_votes = ()
    # Nobody owes blinds that nobody posts: in a bomb pot (BMB-2), or where the button does.
    _note_absent(table, players, owed=not event.bomb_pot and not event.big_blind_seat)


def _check_dealt_in(table: Table, seat: pb.HandSeat) -> None:
    sitting = table.seats.get(seat.seat)
    stack = from_amount(seat.stack, table.rules.kind, "hand_began.seats.stack")
    dealt_in = (seat.player_id, stack)
    if sitting is None or sitting.pending or (sitting.player_id, sitting.stack) != dealt_in:
        raise LogError(f"seat {seat.seat} is dealt in as it is not", "hand_began.seats")


def _note_absent(table: Table, players: dict[int, str], *, owed: bool) -> None:
    """Note whom the blinds of this hand pass (TBL-17)."""
    for number, held in table.seats.items():
        absent = owed and number not in players and not held.pending
        absent = absent and (held.sitting_out or not held.stack)
        if absent != held.absent:
            table.seats[number] = held._replace(absent=absent)


# --- its deck, and that of a draw: committed, dealt, revealed and reshuffled


def deck_ready(step: StepBuilder, given: DeckIn) -> Refusal | None:
    """Note a deck's commitment: begin the hand that it is for, or go on after a reshuffle."""
    table, draw, record = step.table, step.table.draw, step.table.record
    for_draw = draw is not None and draw.deck_no == given.deck_no and not draw.root
    for_hand = (
        record is not None
        and table.playing is not None
        and record.began.deck_no == given.deck_no
        and (not record.root or bool(table.shuffling))
    )
    if not for_draw and not for_hand:
        return unexpected(f"deck {given.deck_no} is not waited for")
    if len(given.root) != _ROOT_BYTES or given.generation != table.shuffling:
        reason = f"a root of {len(given.root)} bytes for generation {given.generation}"
        return invalid(reason, "root")
    step.emit(
        pb.DeckCommitted(
            deck_no=given.deck_no, generation=given.generation, root=given.root, size=given.size
        )
    )
    if for_hand and not given.generation:
        step.must_play(Begin())
    return None


def cards_revealed(step: StepBuilder, given: CardsIn) -> Refusal | None:
    """Take faces whose reveal was ordered, by a draw or by the hand."""
    draw, record = step.table.draw, step.table.record
    try:
        if draw is not None and draw.deck_no == given.deck_no:
            return (draw_game if draw.cards else draw_button)(step, draw, given)
        if record is None or record.began.deck_no != given.deck_no:
            return unexpected(f"no card of deck {given.deck_no} is due")
        cards, proofs = from_revealed(given.cards), proofs_of(given.cards)
    except LogError as error:
        return Refusal(errors_pb2.ERROR_CODE_WRONG_CARDS, error.reason, error.field)
    refused = step.play(Reveal(cards), proofs)
    return None if refused is None else of_hand(refused)


INPUTS: Final[InputTable] = {CardsIn: cards_revealed, DeckIn: deck_ready}


def _deck_committed(table: Table, event: pb.DeckCommitted) -> None:
    draw, record = table.draw, table.record
    if draw is not None and draw.deck_no == event.deck_no:
        table.draw = draw._replace(root=event.root)
    elif record is None or record.began.deck_no != event.deck_no or table.hand_over:
        raise LogError(f"deck {event.deck_no} is not waited for", "deck_committed.deck_no")
    elif not event.generation:
        table.record = record._replace(root=event.root)
    elif event.generation == record.shuffling:
        table.record = record._replace(later_roots=(*record.later_roots, event.root))
    else:
        reason = f"generation {event.generation} is not waited for"
        raise LogError(reason, "deck_committed.generation")


def _places_dealt(table: Table, event: hand_pb.PlacesDealt) -> None:
    if any(place.kind == PLACE_KIND_SEAT for place in event.places):
        record = table.hand_record
        table.record = record._replace(dealt_seqs=(*record.dealt_seqs, table.table_seq))


def _reveal_ordered(table: Table, _: hand_pb.RevealOrdered | hand_pb.ShowdownBegan) -> None:
    table.record = table.hand_record._replace(ordered_seq=table.table_seq)


def _cards_revealed(table: Table, event: hand_pb.CardsRevealed) -> None:
    table.record = table.hand_record._replace(revealed_seq=table.table_seq)
    _note_open_cards(table, event.cards)


def _hand_shown(table: Table, event: hand_pb.HandShown) -> None:
    lying = {(one.place.kind, one.place.owner, one.place.slot) for one in table.revealed_cards}
    _note_open_cards(
        table,
        [
            one
            for one in event.cards
            if (one.place.kind, one.place.owner, one.place.slot) not in lying
        ],
    )


def _note_open_cards(table: Table, cards: Iterable[RevealedCard]) -> None:
    for card in cards:
        table.revealed_cards = (*table.revealed_cards, card)
        link = bytes.fromhex(table.revealed_chain) + card.SerializeToString(deterministic=True)
        table.revealed_chain = sha256(link).hexdigest()


def _deck_reshuffled(table: Table, _: hand_pb.DeckReshuffled) -> None:
    record = table.hand_record
    table.record = record._replace(reshuffled_seqs=(*record.reshuffled_seqs, table.table_seq))


# --- the end


def _hand_ended(table: Table, event: hand_pb.HandEnded) -> None:
    kind = table.rules.kind
    for result in event.seats:
        seat = table.seats[result.seat]
        end = from_amount(result.end, kind, "hand_ended.seats.end")
        table.seats[result.seat] = seat._replace(
            stack=end,
            newcomer=False,
            post=False,
            big_missed=0,
            small_missed=False,
            bank_hands=seat.bank_hands + 1,
            no_chips_at_ms=0 if end else table.at_ms,
        )
    table.raked += from_amount(event.rake, kind, "hand_ended.rake")
    table.last = _as_last(table.hand_record.began, button_of(table))
    if table.mix.chosen:  # a void hand counts for nothing: its game stays the next one
        table.mix = Mix(last=table.mix.chosen)
    note_scored_hand(table)
    note_carried_pot(table, event)
    table.last_result = event
    table.last_result_digest = sha256(event.SerializeToString(deterministic=True)).hexdigest()
    _end(table)
    if _winner_may_show(table):
        table.hand_over = True
        table.show_until_ms = table.at_ms + _SHOW_MS
    else:
        table.put_away_hand()


def _hand_voided(table: Table, event: hand_pb.HandVoided) -> None:
    # Seats, button and misses stay as they were before the hand: it counts for nothing.
    _end(table)
    table.put_away_hand(event.reason or "void")


def _end(table: Table) -> None:
    table.clocks = ()
    table.placing = PlacementRecord()
    table.split_until_ms = 0
    table.next_hand_at_ms = table.at_ms + table.rules.between_hands_ms


def _winner_may_show(table: Table) -> bool:
    """Tell whether the hand was won without a showdown, by a seat with hidden cards (SHW-3)."""
    if not isinstance(table.hand, Hand):
        return False
    hand = table.hand.state
    return not hand.showdown_order and len({award.seat for award in hand.awards}) == 1


def _as_last(began: pb.HandBegan, button: int) -> LastHand:
    small = [
        bet.seat for bet in began.forced_bets if bet.kind == hand_pb.FORCED_BET_KIND_SMALL_BLIND
    ]
    big = [bet.seat for bet in began.forced_bets if bet.kind == hand_pb.FORCED_BET_KIND_BIG_BLIND]
    players = {seat.seat: seat.player_id for seat in began.seats}
    if began.big_blind_seat:  # a hand without these blinds: where they would have been
        small, big = [began.small_blind_seat], [began.big_blind_seat]
    return LastHand(
        button=button,
        small=small[0] if small else 0,
        big=big[0] if big else 0,
        big_player=players[big[0]] if big and not began.big_blind_seat else "",
        dealt=tuple(players.items()),
    )


EVENTS: Final[EventTable] = {"deck_committed": _deck_committed, "hand_began": _hand_began}
HAND_EVENTS: Final[EventTable] = {
    "cards_revealed": _cards_revealed,
    "deck_reshuffled": _deck_reshuffled,
    "hand_ended": _hand_ended,
    "hand_shown": _hand_shown,
    "hand_voided": _hand_voided,
    "reveal_ordered": _reveal_ordered,
    "places_dealt": _places_dealt,
    "showdown_began": _reveal_ordered,
}
