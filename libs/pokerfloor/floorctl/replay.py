"""`floorctl replay`: recorded hands, played on the engine and compared."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from pokerfloor.floorctl.files import read_texts
from pokerfloor.phh import Document, Outcome, PhhError, read_documents, replay


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "replay",
        help="play recorded hands (PHH) on the engine and compare the final stacks",
        description="Plays each hand of PHH files, folders and archives on the engine: every "
        "recorded action must be legal and the final stacks must be the recorded ones. Prints a "
        "line for each hand that differs and a summary; exit code 1 if one differs.",
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Replay everything under the paths; returns the exit code."""
    counts: Counter[str] = Counter()
    others: Counter[str] = Counter()
    half_chips = folds = 0
    for name, hand in _hands(args.paths):
        if isinstance(hand, PhhError):
            counts["unreadable"] += 1
            print(f"{name}: unreadable: {hand}")
            continue
        result = replay(hand)
        counts[result.outcome] += 1
        half_chips += result.half_chips
        folds += bool(result.folds_left_out)
        if result.outcome is Outcome.DIFFERS:
            print(f"{name}: {result.problem}")
        elif result.outcome is Outcome.NOT_PLAYED:
            others[hand.variant] += 1
    print(_summary(counts, others, half_chips, folds))
    if not sum(counts.values()):
        print("no hands found")
        return 2
    return 1 if counts[Outcome.DIFFERS] or counts["unreadable"] else 0


def _hands(paths: list[Path]) -> Iterator[tuple[str, Document | PhhError]]:
    for path in paths:
        for name, text in read_texts(path):
            if isinstance(text, PhhError):
                yield name, text
                continue
            try:
                yield from read_documents(text, name)
            except PhhError as error:
                yield name, error


def _summary(counts: Counter[str], others: Counter[str], half_chips: int, folds: int) -> str:
    agree = f"{counts[Outcome.AGREES]:,} agree"
    notes = []
    if half_chips:
        notes.append(f"{half_chips} up to half a chip, totals equal")
    if folds:
        notes.append(f"{folds} with a fold left out of the record")
    parts = [agree + (f" ({'; '.join(notes)})" if notes else "")]
    parts.append(f"{counts[Outcome.DIFFERS]:,} differ")
    if counts[Outcome.LEGAL]:
        parts.append(f"{counts[Outcome.LEGAL]:,} legal, no result recorded")
    if others:
        named = ", ".join(f"{number} {variant}" for variant, number in sorted(others.items()))
        parts.append(f"{sum(others.values()):,} of games not played here yet ({named})")
    if counts["unreadable"]:
        parts.append(f"{counts['unreadable']:,} unreadable")
    return f"{sum(counts.values()):,} hands: " + ", ".join(parts)
