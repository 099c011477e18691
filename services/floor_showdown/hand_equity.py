"""Equities of a hand at a table, from what the table's log revealed to everyone.

Nothing derived from hidden cards leaves early: a hand counts when all of its cards are public by
the log. Only an auditor may have the others counted, after the hand, through the shuffler's record.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Never

from floor_showdown.equity_worker import EquityTask
from pokerfloor.api.common.v1 import errors_pb2, identity_pb2
from pokerfloor.api.events.v1.table_events_pb2 import HandBegan
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.showdown.v1 import showdown_pb2
from pokerfloor.cards import Card
from pokerfloor.equity import EquityCode, EquityRefusal
from pokerfloor.games import Hand, Place
from pokerfloor.limits import MAX_COUNT, REASON_RULE, TABLE_ID_RULE, is_reason, is_table_id
from pokerfloor.refusal import Refusal
from pokerfloor.servicekit import FloorError, current_identity
from pokerfloor.tablelog import LogError, is_placement_game, replay_hand


class LiveHand(NamedTuple):
    """A hand of the log, its deck, and the seats that are still in."""

    hand: Hand
    deck_no: int
    seats: list[int]


def check_request(request: showdown_pb2.GetHandEquityRequest) -> None:
    """Check a request before anything is looked up.

    Raises FloorError INVALID_FIELD, and ROLE_NOT_ALLOWED for a disclosure to somebody who is no
    auditor.
    """
    if not is_table_id(request.table_id):
        _invalid(TABLE_ID_RULE, "table_id")
    if not 1 <= request.hand_no <= MAX_COUNT:
        _invalid("hands count from 1", "hand_no")
    if request.at_table_seq > MAX_COUNT:
        _invalid("no table has so many steps", "at_table_seq")
    if request.HasField("began_step"):
        began = request.began_step
        if began.table_id != request.table_id:
            _invalid("a step of another table", "began_step.table_id")
        if not 1 <= began.stream_seq <= MAX_COUNT:
            _invalid("stream sequences count from 1", "began_step.stream_seq")
    if not is_reason(request.disclosure_reason):
        _invalid(REASON_RULE, "disclosure_reason")
    if request.disclosure_reason and not current_identity().has_role(identity_pb2.ROLE_AUDITOR):
        reason = "cards that nobody was shown are for auditors"
        raise FloorError(errors_pb2.ERROR_CODE_ROLE_NOT_ALLOWED, reason, "disclosure_reason")


def live_hand(steps: Sequence[Step]) -> LiveHand | Refusal:
    """Rebuild a hand from its steps, the first of which began it."""
    began = _hand_began(steps[0])
    if is_placement_game(began.game):
        return _not_supported("equities are counted of betting games with a board")
    try:
        hand = replay_hand(steps)
    except LogError as error:
        return _wrong_state(f"the log's hand cannot be played: {error.reason}")
    game, state = hand.setup.game, hand.state
    if not game.board_cards():
        return _not_supported(f"{game.name} has no board: equities are counted of games with one")
    seats = [s for s, folded in zip(state.seats, state.folded, strict=True) if not folded]
    if len(seats) < 2:
        return _wrong_state("nobody is left to compare a hand with")
    return LiveHand(hand, began.deck_no, seats)


def hand_task(
    live: LiveHand, disclosed: Mapping[Place, Card], *, quick: bool
) -> EquityTask | Refusal:
    """Return what is to be counted: the cards that are public or disclosed."""
    state, game = live.hand.state, live.hand.setup.game
    known = {**disclosed, **state.cards.faces}
    hands: list[tuple[Card, ...]] = []
    for seat in live.seats:
        cards = tuple([known[place] for place in state.hole_places(seat) if place in known])
        if len(cards) < game.hole_cards():
            return _wrong_state("not every hand in play is public")
        hands.append(cards)
    boards = tuple([tuple(board) for board in state.cards.boards])
    return EquityTask(game, tuple(hands), boards, quick=quick)


def hand_refusal(refusal: EquityRefusal) -> Refusal:
    """Return why a hand of the log has no equities; its cards are right, its game may not be."""
    if refusal.code is EquityCode.UNKNOWN_GAME:
        return _not_supported(refusal.reason)
    return _wrong_state(refusal.reason)


def _hand_began(step: Step) -> HandBegan:
    return next(e.hand_began for e in step.events if e.WhichOneof("event") == "hand_began")


def _not_supported(reason: str) -> Refusal:
    return Refusal(errors_pb2.ERROR_CODE_NOT_SUPPORTED, reason)


def _wrong_state(reason: str) -> Refusal:
    return Refusal(errors_pb2.ERROR_CODE_WRONG_STATE, reason)


def _invalid(reason: str, field: str) -> Never:
    raise FloorError(errors_pb2.ERROR_CODE_INVALID_FIELD, reason, field)
