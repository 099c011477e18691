"""The `floorctl` command."""

from __future__ import annotations

import argparse
import sys

from pokerfloor.floorctl import deal, equity, history, ledger, play, rank, replay, score, token


def main(argv: list[str] | None = None) -> int:
    """Run a command; returns its exit code (0 good, 1 found something, 2 cannot be done)."""
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
