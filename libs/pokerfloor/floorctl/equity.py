"""`floorctl equity`: what each of some known hands wins of a pot."""

from __future__ import annotations

import argparse
import random

from pokerfloor.cards import cards_text
from pokerfloor.equity import PPM, Equity, EquityRefusal, PartEquity, equity
from pokerfloor.floorctl.arguments import ArgumentError, read_cards, read_game, refuse
from pokerfloor.games import GameRow

_PERCENT = 100


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "equity",
        help="shares of a pot of known hands",
        description="Prints what each hand wins of a pot when all are played to the end: exact "
        "over all run-outs of a board where there are not too many, else from a sample, with its "
        "standard error; the same arguments give the same sample.",
    )
    parser.add_argument("game", metavar="GAME", help="a game's id, or a row in a .json file")
    parser.add_argument("hands", nargs="+", metavar="HAND", help="hole cards, such as AsAh")
    parser.add_argument(
        "--board", action="append", default=[], metavar="CARDS", help="a board (repeat for two)"
    )
    parser.add_argument("--dead", default="", metavar="CARDS", help="cards out of the deck")
    parser.add_argument(
        "--max-runouts", type=int, default=2_000_000, metavar="N", help="more than these: a sample"
    )
    parser.add_argument("--samples", type=int, default=100_000, metavar="N", help="%(default)s")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of the sample")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the shares; returns the exit code."""
    try:
        game = read_game(args.game)
        hands = [read_cards(text) for text in args.hands]
        boards = [read_cards(text) for text in args.board]
        dead = read_cards(args.dead)
    except ArgumentError as error:
        return refuse("equity", error.code, str(error))
    source = random.Random(args.seed)  # noqa: S311 - a sample to be had again, not a secret
    answer = equity(
        game,
        hands,
        boards,
        dead,
        max_runouts=args.max_runouts,
        samples=args.samples,
        samples_source=source.randbytes,
    )
    if isinstance(answer, EquityRefusal):
        return refuse("equity", answer.code, answer.reason)
    print("\n".join(_lines(game, [cards_text(hand) for hand in hands], answer)))
    return 0


def _lines(game: GameRow, names: list[str], answer: Equity) -> list[str]:
    width = max(map(len, names))
    lines = [f"{game.name}: the pot"]
    for name, hand in zip(names, answer.hands, strict=True):
        error = "" if answer.exact else f" +- {_percent(hand.standard_error_ppm)}"
        lines.append(f"  {name:{width}} {_percent(hand.share_ppm)}{error}")
    for part in answer.parts:
        lines.append(_heading(game, part))
        lines += [
            f"  {name:{width}} wins {share.wins:,} ({_percent(share.win_ppm)}),"
            f" ties {share.ties:,} ({_percent(share.tie_ppm)}), share {_percent(share.share_ppm)}"
            for name, share in zip(names, part.shares, strict=True)
        ]
    return lines


def _heading(game: GameRow, part: PartEquity) -> str:
    board = f"board {part.board + 1}, " if game.boards > 1 else ""
    count = f"all {part.runouts:,} run-outs" if part.exact else f"{part.runouts:,} samples"
    nobody = f", nobody qualifies in {part.nobody:,}" if part.nobody else ""
    return f"{board}{part.half}: {count}{nobody}"


def _percent(ppm: int) -> str:
    return f"{ppm * _PERCENT / PPM:.4f}%"
