"""The ledger beside its bare stores, in one run: calls, settling from the stream, big books.

Compared is a deposit or withdrawal through `LedgerStore.execute`, with its rules, hashes, fact and
answer, with the rows that it leaves, written by nothing but statements in the same groups under the
same schema and the same durability. The rounds take turns, so that a busy machine slows down both;
what counts is the median of their ratios.

`python -m tests.bench.ledger_bench 1000000` takes a big book of so many entries.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Final

import pytest
import uvloop

from floor_wallet.store.questions import EntriesAfter
from tests.bench import ledger_callers as callers
from tests.bench.ledger_growth import account_rows, deposits
from tests.bench.ledger_grpc import through_grpc
from tests.bench.ledger_settling import Stream, evenings_on_stream
from tests.bench.ledger_stores import BenchStore, PostgresBench, SqliteBench, in_groups

ROUNDS: Final = 7
GROWTH_ROUNDS: Final = 15
MANY: Final = 64
WANTED_RATIO: Final = 0.40
WANTED_HANDS: Final = 1_000
MOST_GROWTH: Final = 1.5
_MANY_ENTRIES: Final = 3_200
_ONE_ENTRIES: Final = 150
_SETTLINGS: Final = 5
_SMALL: Final = 1_000
_BIG: Final = 100_000
_ACCOUNTS_SHARE: Final = 10
_GROWTH_ENTRIES: Final = 640


async def beside_bare(bench: BenchStore, count: int, entries: int, wanted: float = 0) -> bool:
    """Print rates of so many callers and of the bare store; tell whether it is what is wanted."""
    ratios, ours, bares, frees, groups = [], [], [], [], []
    for number in range(ROUNDS):
        for book in ("ours", "bare", "free"):
            await bench.copy("opened", book)
        store = await bench.open("ours")
        before = (await store.ask(EntriesAfter(0, 1))).last_entry_no
        run = await callers.run(store, count, entries, f"round-{number}")
        await store.close()
        rows = in_groups(await bench.rows("ours", before), run.groups)
        bare_s = await bench.write("bare", rows)
        free_s = await bench.write("free", rows, triggers=False)
        ours.append(run.rate)
        bares.append(run.entries / bare_s)
        frees.append(run.entries / free_s)
        ratios.append(bare_s / run.seconds)
        groups.append(run.entries / len(run.groups))
    _say(
        f"{bench.name}, {count} callers",
        f"{median(ours):7,.0f} entries/s   bare store {median(bares):7,.0f}"
        f" (without triggers {median(frees):7,.0f})   groups of {median(groups):.0f}"
        f"   ratio {_spread(ratios)}{f', wanted {wanted}' if wanted else ''}",
    )
    return median(ratios) >= wanted


async def settling(bench: BenchStore, stream: Stream) -> bool:
    """Print hands settled a second; tell whether it is what is wanted."""
    results = []
    for number in range(_SETTLINGS):
        store = await bench.open(f"settled_{number}")
        results.append(await stream.settle(store))
        await store.close()
    store = await bench.open("settled_and_told")
    told = await stream.settle(store, relay=True)
    await store.close()
    rates = [result.hands / result.seconds for result in results]
    busy = median(result.busy_seconds / result.hands for result in results)
    _say(
        f"{bench.name}, settling",
        f"{_spread(rates, 0)} hands/s, wanted {WANTED_HANDS:,}"
        f" ({busy * 1e6:,.0f} us of this process a hand;"
        f" publishing facts meanwhile {told.hands / told.seconds:,.0f} hands/s)",
    )
    return median(rates) >= WANTED_HANDS


async def growth(bench: BenchStore, entries: int) -> bool:
    """Print what an entry costs in a small and in a big book; tell whether that does not grow."""
    sizes = {"small": _SMALL, "big": entries}
    stores, accounts = {}, {}
    for book, size in sizes.items():
        accounts[book] = size // _ACCOUNTS_SHARE
        rows = account_rows(size, accounts[book])
        await bench.load(book, rows, deposits(size, accounts[book]))
        stores[book] = await bench.open(book)
    ratios, costs = [], {"small": [0.0], "big": [0.0]}
    for number in range(-1, GROWTH_ROUNDS):
        spent = {}
        for book, store in stores.items():
            run = await callers.run(store, MANY, _GROWTH_ENTRIES, f"r{number}", accounts[book])
            spent[book] = run.seconds / run.entries
        if number >= 0:  # the first one warms up
            ratios.append(spent["big"] / spent["small"])
            for book, seconds in spent.items():
                costs[book].append(seconds * 1e6)
    for store in stores.values():
        await store.close()
    _say(
        f"{bench.name}, growth",
        f"{median(costs['small'][1:]):5.0f} us an entry among {_SMALL:,},"
        f" {median(costs['big'][1:]):5.0f} us among {entries:,}"
        f" and {accounts['big']:,} accounts   ratio {_spread(ratios)}, at most {MOST_GROWTH}",
    )
    return median(ratios) <= MOST_GROWTH


async def measure(big: int) -> int:
    """Print all figures; gives how many are not what is wanted."""
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        benches = _benches(root / "books")
        for bench in benches:
            store = await bench.open("opened")
            await callers.open_accounts(store)
            await store.close()
            missed += not await beside_bare(bench, MANY, _MANY_ENTRIES, WANTED_RATIO)
            await beside_bare(bench, 1, _ONE_ENTRIES)
            rates = await through_grpc(
                root / bench.name, await bench.settings(), {MANY: _MANY_ENTRIES, 1: _ONE_ENTRIES}
            )
            _say(
                f"{bench.name}, through gRPC",
                f"{rates[MANY]:,.0f} entries/s of {MANY} callers, {rates[1]:,.0f} of one",
            )
        async with evenings_on_stream(root / "evenings") as stream:
            for bench in benches:
                missed += not await settling(bench, stream)
        for bench in benches:
            missed += not await growth(bench, big)
    return missed


def _benches(folder: Path) -> list[BenchStore]:
    folder.mkdir()
    benches: list[BenchStore] = [SqliteBench(folder)]
    try:
        benches.append(PostgresBench())
    except pytest.skip.Exception as left_out:
        print(f"PostgreSQL is LEFT OUT: {left_out}", flush=True)
    return benches


def _say(name: str, figures: str) -> None:
    print(f"{name:<24} {figures}", flush=True)


def _spread(values: Sequence[float], digits: int = 2) -> str:
    first, last = f"{min(values):,.{digits}f}", f"{max(values):,.{digits}f}"
    return f"{median(values):,.{digits}f} (from {first} to {last})"


def main(big: int = _BIG) -> int:
    """Print the figures; 1 when any of them is not what is wanted."""
    missed = uvloop.run(measure(big))
    if missed:
        print(f"MISSED: {missed} figures are not what is wanted")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
