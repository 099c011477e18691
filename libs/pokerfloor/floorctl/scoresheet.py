"""A score as a document (for JSON) and as tables that a person can check."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from pokerfloor.cards import Card, card_text, cards_text
from pokerfloor.scoring import (
    FACTORS,
    OfcRules,
    PlayerPair,
    Points,
    Reason,
    ScoopLayout,
    ScoopPair,
    ScoopScore,
    ScoredLayout,
    Settlement,
)

Sheet = dict[str, Any]


def ofc_sheet(
    rules: OfcRules,
    layouts: Mapping[str, ScoredLayout],
    pairs: Sequence[PlayerPair],
    totals: Mapping[str, int],
) -> Sheet:
    """Return an open-face hand as a document."""
    return {
        "game": "open-face Chinese Pineapple",
        "mode": rules.mode.value,
        "players": [_player(name, layout) for name, layout in layouts.items()],
        "pairs": [_pair(pair) for pair in pairs],
        "totals": dict(totals),
    }


def scoop_sheet(
    board: Sequence[Card], layouts: Mapping[str, ScoopLayout], score: ScoopScore
) -> Sheet:
    """Return a hand of Scoop as a document."""
    return {
        "game": "Scoop Hold'em",
        "board": cards_text(board),
        "players": [_scoop_player(name, layouts[name], score) for name in layouts],
        "pairs": [_scoop_pair(pair) for pair in score.pairs],
        "totals": dict(score.totals),
    }


def settlement_sheet(
    players: Sequence[str],
    button: str,
    stacks: Sequence[int],
    settlement: Settlement,
    price: Decimal | None,
) -> Sheet:
    """Return what is paid as a document; seat 1 is the first of the players."""
    before = dict(zip(players, stacks, strict=True))
    after = {players[seat - 1]: points for seat, points in settlement.stacks.items()}
    sheet: Sheet = {
        "button": button,
        "payments": [
            {
                "a": players[payment.a - 1],
                "b": players[payment.b - 1],
                "scored": payment.scored,
                "paid": payment.paid,
                "reason": payment.reason.code,
            }
            for payment in settlement.payments
        ],
        "before": before,
        "after": after,
    }
    if price is not None:
        sheet["price"] = str(price)
        sheet["won"] = {name: f"{(after[name] - before[name]) * price:f}" for name in players}
    return sheet


def _player(name: str, layout: ScoredLayout) -> Sheet:
    return {
        "name": name,
        "rows": [
            {
                "row": row.row.value,
                "cards": cards_text(layout.layout.row(row.row)),
                "hand": row.hand.name,
                "category": row.hand.category.value,
                "plays": cards_text(row.hand.cards),
                "jokers": {card_text(joker): card_text(card) for joker, card in row.stand_ins},
                "bonus": _points(row.royalty),
            }
            for row in layout.rows
        ],
        "bonuses": layout.royalties,
        "fouled": _reason(layout.foul) if layout.foul else None,
        "fantasyland": {
            "playing": layout.layout.fantasyland_cards,
            "cards": layout.fantasyland.cards,
            "stayed": layout.fantasyland.stayed,
            **_reason(layout.fantasyland.reason),
        },
    }


def _scoop_player(name: str, layout: ScoopLayout, score: ScoopScore) -> Sheet:
    places = ("first", "second", "third")
    return {
        "name": name,
        "rows": [
            {
                "row": row,
                "cards": cards_text(cards),
                "hand": hand.name,
                "category": hand.category.value,
                "plays": cards_text(hand.cards),
            }
            for row, cards, hand in zip(places, layout.rows, score.hands[name], strict=True)
        ],
    }


def _pair(pair: PlayerPair) -> Sheet:
    return {
        "a": pair.first,
        "b": pair.second,
        "rows": [{"row": row.row.value, **_points(row.score)} for row in pair.score.rows],
        "scoop": _points(pair.score.scoop),
        "bonuses": _points(pair.score.royalties),
        "total": pair.score.total,
    }


def _scoop_pair(pair: ScoopPair) -> Sheet:
    return {
        "a": pair.first,
        "b": pair.second,
        "rows": [
            {"row": row.row.value, "factor": FACTORS[row.row], **_points(row.score)}
            for row in pair.rows
        ],
        "scoop": _points(pair.scoop),
        "total": pair.total,
    }


def _points(points: Points) -> Sheet:
    return {"points": points.points, **_reason(points.reason)}


def _reason(reason: Reason) -> Sheet:
    return {"reason": reason.code, "text": reason.text}


def sheet_text(sheet: Sheet) -> str:
    """Return a document as tables."""
    subtitle = f", {sheet['mode']} mode" if "mode" in sheet else f" on {sheet['board']}"
    parts = [[sheet["game"] + subtitle]]
    parts += [_player_lines(player) for player in sheet["players"]]
    parts += [_pair_lines(pair, sheet["players"]) for pair in sheet["pairs"]]
    if sheet["pairs"]:
        totals = [(name, _signed(points)) for name, points in sheet["totals"].items()]
        parts.append(["points", *_table(totals)])
    if "settlement" in sheet:
        parts.append(_settlement_lines(sheet["settlement"]))
    return "\n\n".join("\n".join(lines) for lines in parts)


def _player_lines(player: Sheet) -> list[str]:
    table = []
    for row in player["rows"]:
        stands_for = [f"{joker} is {card}" for joker, card in row.get("jokers", {}).items()]
        hand = ", ".join([f"{row['hand']} ({row['plays']})", *stands_for])
        bonus = _signed(row["bonus"]["points"]) if "bonus" in row else ""
        table.append((row["row"], row["cards"], bonus, hand))
    lines = [player["name"], *_table(table)]
    if "bonuses" in player:
        fantasyland = player["fantasyland"]
        rows = [("bonuses", str(player["bonuses"]))]
        rows.append(("Fantasyland", f"{fantasyland['cards'] or 'none'}: {fantasyland['text']}"))
        if player["fouled"]:
            rows.insert(0, ("fouled", player["fouled"]["text"].removeprefix("fouled hand: ")))
        lines += _table(rows)
    return lines


def _pair_lines(pair: Sheet, players: Sequence[Sheet]) -> list[str]:
    a, b = pair["a"], pair["b"]
    hands = {
        (player["name"], row["row"]): row["hand"] for player in players for row in player["rows"]
    }
    table = [("", a, b, "points", "")]
    for row in pair["rows"]:
        name, points = row["row"], row["points"]
        why = row["reason"].removeprefix("row_").replace("_", " ")
        if points and "factor" in row:
            why += f", {abs(points) // row['factor']} x {row['factor']}"
        table.append((name, hands[a, name], hands[b, name], _signed(points), why))
    table.append(("all rows", "", "", _signed(pair["scoop"]["points"]), pair["scoop"]["text"]))
    if "bonuses" in pair:
        bonuses = pair["bonuses"]
        table.append(("bonuses", "", "", _signed(bonuses["points"]), bonuses["text"]))
    table.append(("in all", "", "", _signed(pair["total"]), ""))
    return [f"{a} against {b}", *_table(table)]


def _settlement_lines(settlement: Sheet) -> list[str]:
    table = [("", "scored", "paid", "")]
    table += [
        (
            f"{payment['a']} from {payment['b']}",
            _signed(payment["scored"]),
            _signed(payment["paid"]),
            payment["reason"].replace("_", " "),
        )
        for payment in settlement["payments"]
    ]
    won = settlement.get("won", {})
    stacks = [("", "before", "after", f"won at {settlement['price']}" if won else "")]
    stacks += [
        (name, str(before), str(settlement["after"][name]), won.get(name, ""))
        for name, before in settlement["before"].items()
    ]
    return [f"settlement, the button is {settlement['button']}", *_table(table), *_table(stacks)]


def _signed(points: int) -> str:
    return f"{points:+}" if points else "0"


def _table(rows: Iterable[Sequence[str]]) -> list[str]:
    """Return rows in columns, those of numbers to the right."""
    columns = [_column(column) for column in zip(*rows, strict=True)]
    return [f"  {'  '.join(cells)}".rstrip() for cells in zip(*columns, strict=True)]


def _column(cells: Sequence[str]) -> list[str]:
    width = max(map(len, cells))
    below = [cell for cell in cells[1:] if cell]  # a heading may stand over numbers
    numbers = all(cell.lstrip("+-").replace(".", "").isdigit() for cell in below)
    if below and numbers:
        return [cell.rjust(width) for cell in cells]
    return [cell.ljust(width) for cell in cells]
