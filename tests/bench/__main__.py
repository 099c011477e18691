"""`make bench`: every benchmark in one run, peers beside ours."""

from __future__ import annotations

import sys

from tests.bench import (
    equity_bench,
    hands_bench,
    ledger_bench,
    ranking_bench,
    scoring_bench,
    steps_bench,
)

_BENCHES = {
    "ranking": ranking_bench,
    "equity": equity_bench,
    "hands": hands_bench,
    "scoring": scoring_bench,
    "steps": steps_bench,
    "ledger": ledger_bench,
}


def main(names: list[str]) -> int:
    worst = 0
    for name in names or list(_BENCHES):
        print(f"--- {name}", flush=True)
        worst = max(worst, _BENCHES[name].main())
    return worst


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
