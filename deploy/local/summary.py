"""What a run that ends by itself says at its end."""

from __future__ import annotations

from dataclasses import dataclass

from pokerfloor.board import Watch, money
from pokerfloor.operations import AuditReport


@dataclass(frozen=True, slots=True)
class Result:
    """What a player won or lost in the run, in minor units."""

    name: str
    table_id: str
    net_minor: int


def summary_lines(
    watch: Watch, results: list[Result], audit: AuditReport, seconds: float
) -> list[str]:
    """Return hands by table, players' results, rake, and whether the books balance."""
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
        f"books: {audit.entries} entries, {audit.hands_settled} hands settled, "
        f"rake {money(audit.rake_minor)}, in play {money(audit.escrow_minor)}"
    )
    if audit.differences:
        lines.append(f"the books do NOT balance, {len(audit.differences)} differences:")
        lines += [f"  {difference}" for difference in audit.differences]
    else:
        lines.append("the books balance")
    return lines
