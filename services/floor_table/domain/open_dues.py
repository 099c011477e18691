"""Which things have to be done outside: derived from the state alone."""

from floor_table.domain.carried_pot import next_hand_at
from floor_table.domain.dues import (
    Due,
    DueCloseDeck,
    DueDeal,
    DueDeck,
    DueHand,
    DueOpening,
    DueReservation,
    DueScoring,
    DueSeatKey,
    DueShowdown,
    DueTimer,
    DueVoidReservation,
)
from floor_table.domain.equities import due_equity
from floor_table.domain.game_choice import game_draw_places
from floor_table.domain.house import can_begin, draw_places
from floor_table.domain.state import HandRecord, TableState
from floor_table.domain.time_up import next_timer
from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.shuffler.v1 import shuffler_pb2
from pokerfloor.games import Hand, Over, RevealReason, WaitCards, WaitShowdown
from pokerfloor.games.placement import WaitScoring
from pokerfloor.tablelog import (
    REASON_CODE,
    AnyHand,
    deck_composition,
    to_places,
    to_resolve_request,
    to_scoop_request,
    to_score_request,
)

_GAME = shuffler_pb2.DECK_PURPOSE_GAME_DRAW


def open_dues(state: TableState) -> tuple[Due, ...]:
    """Return all that has to be done outside now, nothing twice."""
    dues: list[Due] = [*_of_seats(state), *_of_draw(state), *_of_hand(state)]
    dues += [DueVoidReservation(reservation_id, reason) for reservation_id, reason in state.voided]
    for deck in state.closed_decks:
        outcome = shuffler_pb2.DECK_STATE_SETTLED
        if deck.void_reason:
            outcome = shuffler_pb2.DECK_STATE_VOID
        dues.append(DueCloseDeck(deck.deck_no, outcome, deck.void_reason, deck.cause_seq))
    if can_begin(state):
        dues.append(DueHand(next_hand_at(state)))
    timer = next_timer(state)
    if timer is not None:
        dues.append(DueTimer(*timer))
    return tuple(dues)


def _of_seats(state: TableState) -> list[Due]:
    dues: list[Due] = []
    for seat in state.by_number():
        dues += [
            DueReservation(
                held.reservation_id, seat.player_id, held.amount_minor, held.expires_at_ms
            )
            for held in seat.asked_for()
        ]
        if not seat.pending and not seat.key_bound:
            dues.append(DueSeatKey(seat.seat, seat.player_id, seat.taken_seq))
    return dues


def _of_draw(state: TableState) -> list[Due]:
    draw = state.draw
    if draw is None:
        return []
    if not draw.root:
        return [
            DueDeck(
                draw.deck_no,
                0,
                _GAME if draw.cards else shuffler_pb2.DECK_PURPOSE_BUTTON_DRAW,
                cards_pb2.DECK_COMPOSITION_STANDARD_52,
                draw.began_seq,
            )
        ]
    if draw.cards:
        places, reason = game_draw_places(draw.cards), hand_events_pb2.REVEAL_REASON_GAME_DRAW
    else:
        places, reason = draw_places(draw.seats), hand_events_pb2.REVEAL_REASON_BUTTON_DRAW
    return [DueOpening(draw.deck_no, places, reason, draw.began_seq)]


def _of_hand(state: TableState) -> list[Due]:
    record, hand = state.record, state.hand
    if record is None or hand is None:
        return []
    deck_no = record.opened.deck_no
    if not record.root:
        return [
            DueDeck(
                deck_no,
                record.opened.hand_no,
                shuffler_pb2.DECK_PURPOSE_HAND,
                deck_composition(hand.setup.game),
                record.opened_seq,
            )
        ]
    if state.shuffling:
        return _of_reshuffle(state, record, hand)
    dues: list[Due] = []
    if not state.hand_over:
        dues += [DueDeal(deck_no, seq) for seq in record.dealt_seqs]
    wait = hand.waits_for()
    if isinstance(wait, WaitCards):
        reason = REASON_CODE[wait.reason]
        dues.append(DueOpening(deck_no, to_places(wait.places), reason, record.opening_seq))
        equity = due_equity(state)
        if equity is not None:
            dues.append(equity)
    elif isinstance(wait, Over) and wait.pending:
        reason = REASON_CODE[RevealReason.CHOSEN]
        dues.append(DueOpening(deck_no, to_places(wait.pending), reason, record.opening_seq))
    elif isinstance(wait, WaitShowdown):
        dues.append(_showdown(state, record, wait))
    elif isinstance(wait, WaitScoring):
        dues.append(_scoring(state, record, wait))
    return dues


def _of_reshuffle(state: TableState, record: HandRecord, hand: AnyHand) -> list[Due]:
    """Return the next generation of the deck as due, and what was dealt before it (DRW-5)."""
    assert isinstance(hand, Hand), "a reshuffle in a placement game"
    deck_no, generation = record.opened.deck_no, state.shuffling
    cause_seq = record.reshuffled_seqs[generation - 1]
    return [
        *[DueDeal(deck_no, seq) for seq in record.dealt_seqs if seq < cause_seq],
        DueDeck(
            deck_no,
            record.opened.hand_no,
            shuffler_pb2.DECK_PURPOSE_HAND,
            deck_composition(hand.setup.game),
            cause_seq,
            generation,
            to_places(hand.state.cards.reshuffled[generation - 1]),
        ),
    ]


def _showdown(state: TableState, record: HandRecord, wait: WaitShowdown) -> DueShowdown:
    assert isinstance(state.hand, Hand), "a showdown without a hand"
    hand = state.hand.state
    paid = tuple(zip(hand.seats, hand.contributed(), strict=True))
    cause = cards_pb2.StepRef(table_id=state.table_id, table_seq=record.opening_seq)
    request = to_resolve_request(wait.request, record.opened, paid, cause)
    return DueShowdown(request, record.opening_seq)


def _scoring(state: TableState, record: HandRecord, wait: WaitScoring) -> DueScoring:
    request, game = wait.request, record.opened.game
    ask = to_score_request(request, game.ofc) if game.game == "ofc" else to_scoop_request(request)
    return DueScoring(state.hand_no, ask, request)
