"""What a run that ends by itself says at its end."""

from __future__ import annotations

from dataclasses import dataclass

from deploy.local.board import money
from deploy.local.books import Books
from deploy.local.watch import Watch


@dataclass(frozen=True, slots=True)
class Result:
    """What a player won or lost in the run, in minor units."""

    name: str
    table_id: str
    net_minor: int


def summary_lines(watch: Watch, results: list[Result], books: Books, seconds: float) -> list[str]:
    """Give the summary: hands by table, players' results, rake, and the state of the books."""
    lines = [f"{watch.finished} hands in {seconds:.0f} s"]
    lines += [
        f"  {table.table_id:<14} {table.finished:>6} hands {table.steps:>8} steps"
        for table in watch.tables
    ]
    lines.append("players")
    lines += [
        f"  {result.table_id:<14} {result.name:<10} {money(result.net_minor):>14}"
        for result in sorted(results, key=lambda result: -result.net_minor)
    ]
    lines.append(
        f"books: {books.entries} entries, {books.hands_settled} hands settled, "
        f"rake {money(books.rake_minor)}, in play {money(books.escrow_minor)}"
    )
    if books.differences:
        lines.append(f"the books do NOT balance, {len(books.differences)} differences:")
        lines += [f"  {difference}" for difference in books.differences]
    else:
        lines.append("the books balance")
    return lines
