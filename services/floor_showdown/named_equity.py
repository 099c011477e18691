"""Equities of cards that the caller names. Nothing of them is logged, traced or counted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Never

from floor_showdown.counting import DEFAULT_SAMPLES, Counting, Question, to_equity_shown
from pokerfloor.api.common.v1 import cards_pb2, errors_pb2
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.showdown.v1 import showdown_pb2
from pokerfloor.cards import Card, CardError, from_wire
from pokerfloor.equity import EquityCode, EquityRefusal
from pokerfloor.games import GAMES, GameRow
from pokerfloor.servicekit import FloorError

_MOST_HANDS: Final = 10
_MOST_BOARDS: Final = 2
_MOST_CARDS: Final = 54
_MOST_SAMPLES: Final = 1_000_000
_CODES: Final[Mapping[EquityCode, errors_pb2.ErrorCode.ValueType]] = {
    EquityCode.UNKNOWN_GAME: errors_pb2.ERROR_CODE_UNKNOWN_GAME,
    EquityCode.BAD_CARDS: errors_pb2.ERROR_CODE_BAD_CARDS,
    EquityCode.BAD_HANDS: errors_pb2.ERROR_CODE_INVALID_FIELD,
}


async def named_equity(
    request: showdown_pb2.ComputeEquityRequest, counting: Counting, budget_s: float
) -> hand_events_pb2.EquityShown:
    """Return the equities of the hands, numbered from 1.

    Raises FloorError UNKNOWN_GAME, BAD_CARDS or INVALID_FIELD with the field at fault, and what
    `Counting.equity` raises.
    """
    question = _read(request)
    answer = await counting.equity(question, budget_s)
    if isinstance(answer, EquityRefusal):
        code = _CODES.get(answer.code, errors_pb2.ERROR_CODE_INVALID_FIELD)
        raise FloorError(code, answer.reason, answer.field)
    return to_equity_shown(answer, range(1, len(question.hands) + 1))


def _read(request: showdown_pb2.ComputeEquityRequest) -> Question:
    for field, given, most in (
        ("hands", len(request.hands), _MOST_HANDS),
        ("boards", len(request.boards), _MOST_BOARDS),
        ("max_samples", request.max_samples, _MOST_SAMPLES),
    ):
        if given > most:
            _invalid(f"at most {most:,}, not {given:,}", field)
    return Question(
        game=_game(request.game),
        hands=tuple([_cards(hand, f"hands[{at}]") for at, hand in enumerate(request.hands)]),
        boards=tuple([_cards(board, f"boards[{at}]") for at, board in enumerate(request.boards)]),
        dead=_cards(request.dead, "dead"),
        samples=request.max_samples or DEFAULT_SAMPLES,
    )


def _game(game: str) -> GameRow:
    row = GAMES.get(game)
    if row is None:
        known = ", ".join([row.id for row in GAMES.values() if row.board_cards()])
        reason = f"equities are told of {known}"
        raise FloorError(errors_pb2.ERROR_CODE_UNKNOWN_GAME, reason, "game")
    return row


def _cards(cards: showdown_pb2.CardList, path: str) -> tuple[Card, ...]:
    if len(cards.cards) > _MOST_CARDS:
        _invalid("more cards than a deck has", path)
    return tuple([_card(card, f"{path}.cards[{at}]") for at, card in enumerate(cards.cards)])


def _card(card: cards_pb2.Card, path: str) -> Card:
    try:
        return from_wire(card.code)
    except CardError as error:
        reason = f"there is no card of code {card.code}"
        raise FloorError(errors_pb2.ERROR_CODE_BAD_CARDS, reason, path) from error


def _invalid(reason: str, field: str) -> Never:
    raise FloorError(errors_pb2.ERROR_CODE_INVALID_FIELD, reason, field)
