"""Equities of cards that the caller names. Nothing of them is logged, traced or counted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Never

from floor_showdown.equity_worker import DEFAULT_SAMPLES, EquityTask
from floor_showdown.named_cards import read_cards
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.showdown.v1 import showdown_pb2
from pokerfloor.cards import Card
from pokerfloor.equity import EquityCode, EquityRefusal
from pokerfloor.games import GAMES, GameRow
from pokerfloor.refusal import Refusal
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


def read_named_task(request: showdown_pb2.ComputeEquityRequest) -> EquityTask:
    """Return what is to be counted.

    Raises FloorError UNKNOWN_GAME, BAD_CARDS or INVALID_FIELD with the field at fault.
    """
    for field, given, most in (
        ("hands", len(request.hands), _MOST_HANDS),
        ("boards", len(request.boards), _MOST_BOARDS),
        ("max_samples", request.max_samples, _MOST_SAMPLES),
    ):
        if given > most:
            _invalid(f"at most {most:,}, not {given:,}", field)
    return EquityTask(
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
        reason = f"equities are counted of {known}"
        raise FloorError(errors_pb2.ERROR_CODE_UNKNOWN_GAME, reason, "game")
    return row


def _cards(cards: showdown_pb2.CardList, path: str) -> tuple[Card, ...]:
    if len(cards.cards) > _MOST_CARDS:
        _invalid("more cards than a deck has", path)
    return read_cards(cards.cards, f"{path}.cards")


def _invalid(reason: str, field: str) -> Never:
    raise FloorError(errors_pb2.ERROR_CODE_INVALID_FIELD, reason, field)


def named_refusal(refusal: EquityRefusal) -> Refusal:
    """Return why cards that the caller names have no equities."""
    code = _CODES.get(refusal.code, errors_pb2.ERROR_CODE_INVALID_FIELD)
    return Refusal(code, refusal.reason, refusal.field)
