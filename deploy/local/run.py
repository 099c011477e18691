"""`python -m deploy.local.run`: the whole floor on this machine. What `make run` calls.

The environment says how: STATE (folder, default ./.floor), FRESH=1 (remove what it holds first),
HANDS=n (end by itself after n hands), GAME (one game, by name), TABLES, BOTS, PORT_OFFSET.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from deploy.local.launcher import run_floor
from deploy.local.run_settings import CannotRun, RunSettings


def main() -> int:
    """Run the floor; return the exit code."""
    try:
        settings = RunSettings.from_environment(os.environ, Path.cwd())
    except CannotRun as error:
        print(f"the floor cannot run: {error}", file=sys.stderr)
        return 1
    return asyncio.run(run_floor(settings))


if __name__ == "__main__":
    raise SystemExit(main())
