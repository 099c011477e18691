"""Equities of a hand at a table, from what the table's log turned up for everyone.

Nothing derived from hidden cards leaves early: a hand counts when all of its cards lie open by the
log. Only an auditor may have the others counted, after the hand, through the shuffler's record.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Final, Never

from floor_showdown.counting import Counting, Question, to_equity_shown
from floor_showdown.disclosure import Disclosure
from floor_showdown.hand_search import HandSearch
from pokerfloor.api.common.v1 import cards_pb2, errors_pb2, identity_pb2
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.events.v1.table_events_pb2 import HandBegan
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.showdown.v1 import showdown_pb2
from pokerfloor.cards import Card
from pokerfloor.equity import EquityCode, EquityRefusal
from pokerfloor.games import Hand, Place
from pokerfloor.servicekit import FloorError, current_identity
from pokerfloor.tablelog import LogError, fold_hand, is_placement_game, is_table_id

_MOST_COUNTED: Final = (1 << 53) - 1  # JetStream's numbers are shorter than uint64
_MOST_REASON: Final = 256


class HandEquity:
    """Answers for hands by their number."""

    def __init__(self, search: HandSearch, disclosure: Disclosure, counting: Counting) -> None:
        self._search = search
        self._disclosure = disclosure
        self._counting = counting

    async def equity(
        self, request: showdown_pb2.GetHandEquityRequest, budget_s: float
    ) -> hand_events_pb2.EquityShown:
        """Return the equities of the seats that are still in, by seat.

        Raises FloorError INVALID_FIELD, ROLE_NOT_ALLOWED, NOT_SUPPORTED, WRONG_STATE, and what
        `HandSearch.steps`, `Disclosure.faces` and `Counting.equity` raise.
        """
        clock = asyncio.get_running_loop().time
        deadline_s = clock() + budget_s
        _check(request)
        steps = await self._search.steps(
            request.table_id,
            request.hand_no,
            request.at_table_seq,
            request.began_step if request.HasField("began_step") else None,
            budget_s,
        )
        opened = _hand_opened(steps[0])
        hand = _fold(steps, opened)
        seats = _live_seats(hand)
        more: Mapping[Place, Card] = {}
        if request.disclosure_reason:
            deck = cards_pb2.DeckRef(table_id=request.table_id, deck_no=opened.deck_no)
            reason = request.disclosure_reason
            more = await self._disclosure.faces(deck, reason, deadline_s - clock())
        question = _question(hand, seats, more)._replace(quick=request.quick)
        answer = await self._counting.equity(question, deadline_s - clock())
        if isinstance(answer, EquityRefusal):
            raise _refused(answer)
        shown = to_equity_shown(answer, seats)
        shown.table_seq = steps[-1].table_seq
        return shown


def _check(request: showdown_pb2.GetHandEquityRequest) -> None:
    if not is_table_id(request.table_id):
        _invalid("a table's id is 1 to 32 of a-z, 0-9 and '-'", "table_id")
    if not 1 <= request.hand_no <= _MOST_COUNTED:
        _invalid("hands count from 1", "hand_no")
    if request.at_table_seq > _MOST_COUNTED:
        _invalid("no table has so many steps", "at_table_seq")
    if request.HasField("began_step"):
        opened = request.began_step
        if opened.table_id != request.table_id:
            _invalid("a step of another table", "opened.table_id")
        if not 1 <= opened.stream_seq <= _MOST_COUNTED:
            _invalid("stream sequences count from 1", "opened.stream_seq")
    if len(request.disclosure_reason) > _MOST_REASON:
        _invalid(f"at most {_MOST_REASON} characters", "disclosure_reason")
    if request.disclosure_reason and not current_identity().has_role(identity_pb2.ROLE_AUDITOR):
        reason = "cards that nobody was shown are for auditors"
        raise FloorError(errors_pb2.ERROR_CODE_ROLE_NOT_ALLOWED, reason, "disclosure_reason")


def _hand_opened(step: Step) -> HandBegan:
    return next(e.hand_began for e in step.events if e.WhichOneof("event") == "hand_began")


def _fold(steps: Sequence[Step], opened: HandBegan) -> Hand:
    if is_placement_game(opened.game):
        raise _not_supported("equities are told of betting games with a board")
    try:
        return fold_hand(steps)
    except LogError as error:
        reason = f"the log's hand cannot be played: {error.reason}"
        raise FloorError(errors_pb2.ERROR_CODE_WRONG_STATE, reason) from error


def _live_seats(hand: Hand) -> list[int]:
    state = hand.state
    seats = [s for s, folded in zip(state.seats, state.folded, strict=True) if not folded]
    if not hand.setup.game.board_cards():
        raise _not_supported(
            f"{hand.setup.game.name} has no board: equities are told of games with one"
        )
    if len(seats) < 2:
        raise _wrong_state("nobody is left to compare a hand with")
    return seats


def _question(hand: Hand, seats: Sequence[int], more: Mapping[Place, Card]) -> Question:
    state, game = hand.state, hand.setup.game
    known = {**more, **state.cards.faces}
    hands: list[tuple[Card, ...]] = []
    for seat in seats:
        places = state.hole_places(seat)
        cards = tuple([known[place] for place in places if place in known])
        if len(cards) < game.hole_cards():
            raise _wrong_state("not every hand in play lies open")
        hands.append(cards)
    return Question(game, tuple(hands), tuple([tuple(board) for board in state.cards.boards]))


def _refused(refusal: EquityRefusal) -> FloorError:
    """Return why a hand of the log has no equities; its cards are right, its game may not be."""
    if refusal.code is EquityCode.UNKNOWN_GAME:
        return _not_supported(refusal.reason)
    return _wrong_state(refusal.reason)


def _not_supported(reason: str) -> FloorError:
    return FloorError(errors_pb2.ERROR_CODE_NOT_SUPPORTED, reason)


def _wrong_state(reason: str) -> FloorError:
    return FloorError(errors_pb2.ERROR_CODE_WRONG_STATE, reason)


def _invalid(reason: str, field: str) -> Never:
    raise FloorError(errors_pb2.ERROR_CODE_INVALID_FIELD, reason, field)
