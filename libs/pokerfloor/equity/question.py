"""The validated question: a game with boards, the hands, the board cards, dead cards."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from pokerfloor.cards import DECKS, Card, CardError, card_text
from pokerfloor.games import GameRow, HoleCardUse, check_row
from pokerfloor.ranking import RANKINGS

MOST_HANDS: Final = 10
MOST_RUNOUTS: Final = 3_000_000  # held in memory at once, some 10 bytes each

Cards = tuple[Card, ...]


class EquityCode(StrEnum):
    """The stable codes of refusals."""

    UNKNOWN_GAME = "UNKNOWN_GAME"
    BAD_CARDS = "BAD_CARDS"
    BAD_HANDS = "BAD_HANDS"
    BAD_LIMIT = "BAD_LIMIT"
    TOO_MANY_RUNOUTS = "TOO_MANY_RUNOUTS"


class EquityRefusal(NamedTuple):
    """Why a question is refused: a stable code, a sentence for people, the argument at fault."""

    code: EquityCode
    reason: str
    field: str


class Question(NamedTuple):
    """A valid question. `boards` has an entry for each board; `unseen` is the rest of the deck."""

    game: GameRow
    hands: tuple[Cards, ...]
    boards: tuple[Cards, ...]
    unseen: Cards


def read_question(
    game: GameRow,
    hands: Sequence[Sequence[Card]],
    boards: Sequence[Sequence[Card]],
    dead: Sequence[Card],
) -> Question | EquityRefusal:
    """Return the validated question, or why it is refused."""
    wrong = (
        _game_problem(game)
        or _hands_problem(game, hands)
        or _boards_problem(game, boards)
        or _cards_problem(game, hands, boards, dead)
    )
    if wrong:
        return wrong
    seen = {card for cards in (*hands, *boards, dead) for card in cards}
    unseen = tuple([card for card in DECKS[game.deck].cards if card not in seen])
    laid = [tuple(board) for board in boards]
    laid += [()] * (game.boards - len(laid))
    to_come = sum([game.board_cards() - len(board) for board in laid])
    if to_come > len(unseen):
        reason = f"{to_come} board cards are to come and {len(unseen)} cards are left"
        return EquityRefusal(EquityCode.BAD_CARDS, reason, "dead")
    return Question(game, tuple(map(tuple, hands)), tuple(laid), unseen)


def _game_problem(game: GameRow) -> EquityRefusal | None:
    wrong = check_row(game)
    if wrong is not None:
        return EquityRefusal(EquityCode.UNKNOWN_GAME, wrong.reason, "game")
    if not game.board_cards():
        reason = f"{game.name} has no board, so it has no equity"
        return EquityRefusal(EquityCode.UNKNOWN_GAME, reason, "game")
    for part in game.parts:
        system = RANKINGS[part.ranking]
        ranked = 5 if game.hole_cards_used is HoleCardUse.EXACTLY_TWO else 0
        ranked = ranked or game.hole_cards() + game.board_cards()
        if system.table is None or ranked not in system.table().by_ranks:
            reason = f"{game.name} is ranked by {system.name}, which has no table for arrays"
            return EquityRefusal(EquityCode.UNKNOWN_GAME, reason, "game")
        if not all(card in system.deck for card in DECKS[game.deck].cards):
            reason = f"{system.name} does not rank every card of the deck {game.deck}"
            return EquityRefusal(EquityCode.UNKNOWN_GAME, reason, "game")
    return None


def _hands_problem(game: GameRow, hands: Sequence[Sequence[Card]]) -> EquityRefusal | None:
    most = min(game.max_seats, MOST_HANDS)
    if not 2 <= len(hands) <= most:
        reason = f"{game.name} is for 2 to {most} hands, not {len(hands)}"
        return EquityRefusal(EquityCode.BAD_HANDS, reason, "hands")
    for number, hand in enumerate(hands, start=1):
        if len(hand) != game.hole_cards():
            wanted = game.hole_cards()
            reason = f"hand {number} has {len(hand)} cards, a hand of {game.name} {wanted}"
            return EquityRefusal(EquityCode.BAD_CARDS, reason, "hands")
    return None


def _boards_problem(game: GameRow, boards: Sequence[Sequence[Card]]) -> EquityRefusal | None:
    if len(boards) > game.boards:
        reason = f"boards of {game.name}: {game.boards}, not {len(boards)}"
        return EquityRefusal(EquityCode.BAD_CARDS, reason, "boards")
    for number, board in enumerate(boards, start=1):
        if len(board) > game.board_cards():
            reason = (
                f"board {number} has {len(board)} cards, at most {game.board_cards()} are dealt"
            )
            return EquityRefusal(EquityCode.BAD_CARDS, reason, "boards")
    return None


def _cards_problem(
    game: GameRow,
    hands: Sequence[Sequence[Card]],
    boards: Sequence[Sequence[Card]],
    dead: Sequence[Card],
) -> EquityRefusal | None:
    deck = DECKS[game.deck]
    seen: set[Card] = set()
    for field, groups in (("hands", hands), ("boards", boards), ("dead", (dead,))):
        for card in [card for group in groups for card in group]:
            if card not in deck:
                reason = f"{_text(card)} is not in the deck of {game.name}"
                return EquityRefusal(EquityCode.BAD_CARDS, reason, field)
            if card in seen:
                return EquityRefusal(EquityCode.BAD_CARDS, f"{_text(card)} is named twice", field)
            seen.add(card)
    return None


def _text(card: Card) -> str:
    try:
        return card_text(card)
    except CardError:
        return f"card number {card}"
