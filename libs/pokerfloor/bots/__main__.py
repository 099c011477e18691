"""Run a crowd of bots: `python -m pokerfloor.bots <plan.json>` (README.md has the format).

Exit codes: 0 stopped as asked, 1 a bot failed, 3 a card's proof failed.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import uvloop

from pokerfloor.bots.crowd import CrowdPlan, run_crowd
from pokerfloor.rpc import why_assertions_are_off


def main() -> int:
    """Read the plan and run; return the exit code."""
    reason = why_assertions_are_off()
    if reason:
        print(f"bots: {reason}", file=sys.stderr)
        return 1
    path = Path(sys.argv[1])
    plan = CrowdPlan.from_json(json.loads(path.read_text(encoding="utf-8")))
    return int(uvloop.run(run_crowd(plan, path.parent)))


if __name__ == "__main__":
    raise SystemExit(main())
