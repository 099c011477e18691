from __future__ import annotations

import csv
import io
import os
import subprocess
from decimal import Decimal
from pathlib import Path

_WITHIN_S = 60


def hledger(journal: Path, *args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["hledger", "-f", str(journal), *args],
        capture_output=True,
        text=True,
        timeout=_WITHIN_S,
        check=False,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
    )


def balances(journal: Path) -> dict[tuple[str, str], Decimal]:
    """What hledger says that each account holds, by account and commodity; zero ones left out."""
    found = hledger(
        journal, "balance", "--flat", "--empty", "--layout", "bare", "--no-total", "-O", "csv"
    )
    assert found.returncode == 0, found.stderr
    rows = list(csv.DictReader(io.StringIO(found.stdout)))
    return {
        (row["account"], row["commodity"]): Decimal(row["balance"])
        for row in rows
        if Decimal(row["balance"])
    }
