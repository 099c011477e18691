"""`floorctl score`: what open-face and Scoop players win from each other, row by row."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal, InvalidOperation

from pokerfloor.cards import Card
from pokerfloor.floorctl.arguments import ArgumentError, read_cards, refuse
from pokerfloor.floorctl.scoresheet import (
    Sheet,
    ofc_sheet,
    scoop_sheet,
    settlement_sheet,
    sheet_text,
)
from pokerfloor.scoring import (
    MOST_SETTLED,
    Layout,
    LayoutError,
    Mode,
    OfcRules,
    PairScored,
    ScoopLayout,
    SettlementError,
    StayOnMiddle,
    score_hand,
    score_layout,
    score_scoop,
    settle,
)

_Cards = tuple[Card, ...]

_MOST_PRICE = Decimal(10**9)
_ROWS = 3
_ABOUT = """\
Scores finished layouts against each other and prints the whole comparison. A layout is its rows
with a / between them, top / middle / bottom, or in Scoop first / second / third, with the player's
name before a colon if it has one:

  floorctl score --mode joker "anna: QhXr2d / 8s8h8d3c4c / AdJd9d6d3d" \\
      "ben: AsKh7c / JsJh2s3h5h / AcAh4s4h6c" --stacks 50,12 --button anna --price 10
  floorctl score --scoop --board 2c5d9hJsKd "9c9s / JcJd / KcKh" "Qs7s / 8s8c / AcAd"

One layout alone is scored by itself. With --stacks the points are settled: seats are the players
in the order given, clockwise, and the last one has the button.
"""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "score",
        help="score open-face and Scoop layouts row by row",
        description=_ABOUT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("layouts", nargs="+", metavar="LAYOUT", help='"[name:] row / row / row"')
    parser.add_argument(
        "--mode",
        choices=[mode.value for mode in Mode],
        default=Mode.REGULAR.value,
        help="%(default)s",
    )
    parser.add_argument("--names", metavar="A,B", help="the players' names, in order")
    parser.add_argument(
        "--fantasyland", metavar="N,N", help="cards of the Fantasyland each is playing, 0 for none"
    )
    parser.add_argument(
        "--trips-cards", type=int, default=0, metavar="N", help="Fantasyland cards for trips on top"
    )
    parser.add_argument(
        "--joker-base",
        choices=[mode.value for mode in Mode if mode is not Mode.JOKER],
        default=Mode.ULTIMATE.value,
        help="how joker mode counts staying in Fantasyland (%(default)s)",
    )
    parser.add_argument(
        "--stay-on-middle",
        choices=[option.value for option in StayOnMiddle],
        default=StayOnMiddle.NONE.value,
        help="the middle row that stays in Fantasyland (%(default)s)",
    )
    parser.add_argument(
        "--own-row-copy", action="store_true", help="a joker may copy a card of its own row"
    )
    parser.add_argument("--five-of-a-kind", action="store_true", help="jokers make five of a kind")
    parser.add_argument("--stacks", metavar="N,N", help="points in play, to settle the hand")
    parser.add_argument("--button", metavar="NAME", help="who has the button (the last)")
    parser.add_argument("--price", metavar="P", help="of a point, to show money too")
    parser.add_argument("--scoop", action="store_true", help="score Scoop Hold'em")
    parser.add_argument("--board", metavar="CARDS", help="Scoop's five cards")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the score; returns the exit code."""
    try:
        sheet = _sheet(args)
    except ArgumentError as error:
        return refuse("score", error.code, str(error))
    except (LayoutError, SettlementError) as error:
        return refuse("score", error.code.upper(), str(error))
    print(json.dumps(sheet, indent=2) if args.json else sheet_text(sheet))
    return 0


def _sheet(args: argparse.Namespace) -> Sheet:
    rows = _read_layouts(args.layouts, args.names)
    if args.scoop:
        sheet, pairs = _scoop(args, rows)
    elif args.board is not None:
        raise ArgumentError("BAD_OPTION", "a board is for --scoop")
    else:
        sheet, pairs = _ofc(args, rows)
    if args.stacks is not None:
        sheet["settlement"] = _settled(args, [*rows], pairs)
    elif args.button is not None or args.price is not None:
        raise ArgumentError("BAD_OPTION", "--button and --price are for a hand with --stacks")
    return sheet


def _read_layouts(texts: list[str], names: str | None) -> dict[str, tuple[_Cards, _Cards, _Cards]]:
    """Return each player's three rows by name."""
    if len(texts) > MOST_SETTLED:
        raise ArgumentError("BAD_OPTION", f"at most {MOST_SETTLED} layouts, not {len(texts)}")
    given = _words(names, "--names", len(texts)) if names is not None else [""] * len(texts)
    found: dict[str, tuple[_Cards, _Cards, _Cards]] = {}
    for number, (text, name) in enumerate(zip(texts, given, strict=True), start=1):
        before, colon, after = text.partition(":")
        player = name or (before.strip() if colon else "") or f"player {number}"
        if player in found:
            raise ArgumentError("BAD_OPTION", f"two players are called {player}")
        rows = (after if colon else text).split("/")
        if len(rows) != _ROWS:
            reason = f"{player}: a layout is {_ROWS} rows with / between them, not {len(rows)}"
            raise ArgumentError("BAD_CARDS", reason)
        first, second, third = (read_cards(row.strip()) for row in rows)
        found[player] = (first, second, third)
    return found


def _ofc(
    args: argparse.Namespace, rows: Mapping[str, tuple[_Cards, _Cards, _Cards]]
) -> tuple[Sheet, dict[tuple[str, str], int]]:
    rules = OfcRules(
        Mode(args.mode),
        args.trips_cards,
        Mode(args.joker_base),
        StayOnMiddle(args.stay_on_middle),
        args.own_row_copy,
        args.five_of_a_kind,
    )
    layouts = {player: Layout(*of_player) for player, of_player in rows.items()}
    if args.fantasyland is not None:
        playing = _numbers(args.fantasyland, "--fantasyland", len(rows))
        layouts = {
            player: replace(layout, fantasyland_cards=cards)
            for (player, layout), cards in zip(layouts.items(), playing, strict=True)
        }
    if len(layouts) == 1:
        alone = {player: score_layout(layout, rules) for player, layout in layouts.items()}
        return ofc_sheet(rules, alone, (), dict.fromkeys(alone, 0)), {}
    score = score_hand(layouts, rules)
    pairs = {(pair.first, pair.second): pair.score.total for pair in score.pairs}
    return ofc_sheet(rules, score.layouts, score.pairs, score.totals), pairs


def _scoop(
    args: argparse.Namespace, rows: Mapping[str, tuple[_Cards, _Cards, _Cards]]
) -> tuple[Sheet, dict[tuple[str, str], int]]:
    if args.board is None:
        raise ArgumentError("BAD_OPTION", "Scoop is scored on a --board")
    if args.fantasyland is not None:
        raise ArgumentError("BAD_OPTION", "there is no Fantasyland in Scoop")
    board = read_cards(args.board)
    layouts = {player: ScoopLayout(*of_player) for player, of_player in rows.items()}
    score = score_scoop(board, layouts)
    pairs = {(pair.first, pair.second): pair.total for pair in score.pairs}
    return scoop_sheet(board, layouts, score), pairs


def _settled(
    args: argparse.Namespace, players: list[str], pairs: Mapping[tuple[str, str], int]
) -> Sheet:
    stacks = _numbers(args.stacks, "--stacks", len(players))
    button = players[-1] if args.button is None else args.button
    if button not in players:
        raise ArgumentError("BAD_OPTION", f"{button} with the button is none of the players")
    seat_of = {player: seat for seat, player in enumerate(players, start=1)}
    settlement = settle(
        seat_of[button],
        dict(zip(seat_of.values(), stacks, strict=True)),
        [PairScored(seat_of[a], seat_of[b], points) for (a, b), points in pairs.items()],
    )
    price = _price(args.price) if args.price is not None else None
    return settlement_sheet(players, button, stacks, settlement, price)


def _price(text: str) -> Decimal:
    try:
        price = Decimal(text)
    except InvalidOperation as error:
        raise ArgumentError("BAD_OPTION", f"--price: {text!r} is no number") from error
    if not (price.is_finite() and 0 < price <= _MOST_PRICE):
        raise ArgumentError("BAD_OPTION", f"--price: above 0 and up to {_MOST_PRICE}, not {text}")
    return price


def _numbers(text: str, option: str, count: int) -> list[int]:
    words = _words(text, option, count)
    if not all(word.isascii() and word.isdigit() and len(word) <= 16 for word in words):
        raise ArgumentError("BAD_OPTION", f"{option}: {text!r} are no whole numbers")
    return [int(word) for word in words]


def _words(text: str, option: str, count: int) -> list[str]:
    words = [word.strip() for word in text.split(",")]
    if len(words) != count or not all(words):
        raise ArgumentError("BAD_OPTION", f"{option} wants one word for each of {count} players")
    return words
