"""`floorctl rank`: what a hand is, by the rules of a game."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence

from pokerfloor.cards import DECKS, Card, card_text, cards_text
from pokerfloor.floorctl.arguments import ArgumentError, read_cards, read_game, refuse
from pokerfloor.games import GameRow
from pokerfloor.ranking import RANKINGS, RankingError, Use, choose

_Cards = tuple[Card, ...]


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "rank",
        help="name a hand, its strength and the cards that play",
        description="Ranks hole cards with a board (or two) by the rules of a game: hole cards "
        "first, each board after a /, as in `floorctl rank omaha4_hilo AsKsQd2c / 3s4s9d`; the / "
        "may be left out before an only board. Prints a line for each board and half. Strengths "
        "compare within one ranking system.",
    )
    parser.add_argument("game", metavar="GAME", help="a game's id, or a row in a .json file")
    parser.add_argument("cards", nargs="*", metavar="CARDS", help="hole cards / board / board")
    parser.add_argument("--own", metavar="CARDS", help="hole cards, instead")
    parser.add_argument(
        "--board", action="append", default=[], metavar="CARDS", help="a board (repeat for two)"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print what the hand is; returns the exit code."""
    try:
        game = read_game(args.game)
        own, boards = _read(args, game)
        _check(game, own, boards)
        lines = _lines(game, own, boards or [()])
    except ArgumentError as error:
        return refuse("rank", error.code, str(error))
    except RankingError as error:
        return refuse("rank", "BAD_CARDS", error.reason)
    print("\n".join(lines))
    return 0


def _read(args: argparse.Namespace, game: GameRow) -> tuple[_Cards, list[_Cards]]:
    first, *boards = "".join(args.cards).split("/")
    if bool(first) == (args.own is not None):
        raise ArgumentError("BAD_CARDS", "hole cards are named once, as CARDS or by --own")
    own = read_cards(first or args.own)
    if not boards and not args.board and game.boards == 1 and game.board_cards():
        # Without a mark, what follows the hole cards can only be the board.
        held = game.hole_cards()
        return own[:held], [own[held:]] if own[held:] else []
    return own, [read_cards(text) for text in (*boards, *args.board)]


def _check(game: GameRow, own: _Cards, boards: Sequence[_Cards]) -> None:
    wanted = game.hole_cards()
    # STD-6: in stud one community card may stand for the last own one, as a board of one.
    common = game.community_last and len(own) == wanted - 1 and [*map(len, boards)] == [1]
    if len(own) != wanted and not common:
        reason = f"a hand of {game.name} has {wanted} hole cards, not {len(own)}"
        raise ArgumentError("BAD_CARDS", reason)
    laid = game.board_cards() + game.community_cards()
    most = game.boards if laid else int(common)
    if len(boards) > most:
        raise ArgumentError("BAD_CARDS", f"boards of {game.name}: {most}, not {len(boards)}")
    for board in boards:
        if len(board) > laid + common:
            reason = f"a board of {game.name} has {laid} cards, not {len(board)}"
            raise ArgumentError("BAD_CARDS", reason)
    seen = Counter([card for cards in (own, *boards) for card in cards])
    for card, times in seen.items():
        if times > 1:
            raise ArgumentError("BAD_CARDS", f"{card_text(card)} is named twice")
        if card not in DECKS[game.deck]:
            reason = f"{card_text(card)} is not in the deck of {game.name}"
            raise ArgumentError("BAD_CARDS", reason)


def _lines(game: GameRow, own: _Cards, boards: Sequence[_Cards]) -> list[str]:
    lines: list[str] = []
    for number, board in enumerate(boards, start=1):
        for part in game.parts:
            choice = choose(RANKINGS[part.ranking], Use(game.hole_cards_used))
            hand = choice.describe(own, board)
            label = f"board {number}, {part.half}" if len(boards) > 1 else part.half
            playing = cards_text(hand.cards) or "-"
            lines.append(f"{label}: {hand.name}; {playing}; {hand.system} {hand.strength}")
    return lines
