"""The `floorctl` command."""

from __future__ import annotations

import argparse
import sys

from pokerfloor.floorctl import deal, equity, history, ledger, play, rank, replay, score, token
from pokerfloor.rpc import why_assertions_are_off


def main(argv: list[str] | None = None) -> int:
    """Run a command; return its exit code (0 good, 1 found something, 2 cannot be done)."""
    reason = why_assertions_are_off()
    if reason:
        print(f"floorctl: {reason}", file=sys.stderr)
        return 2
    parser = argparse.ArgumentParser(prog="floorctl", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in (token, play, replay, history, ledger, rank, equity, deal, score):
        command.add_parser(commands)
    args = parser.parse_args(argv)
    try:
        code: int = args.run(args)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    return code


if __name__ == "__main__":
    raise SystemExit(main())
