"""`floorctl ledger`: the books of a running floor, read, audited and exported."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeAlias

import grpc.aio

from pokerfloor.api.wallet.v1 import wallet_pb2_grpc
from pokerfloor.floorctl.arguments import ArgumentError, refuse
from pokerfloor.floorctl.ledger import audit, export, reports, statement
from pokerfloor.floorctl.ledger.reading import CALL_TIMEOUT_MS, BrokenBook
from pokerfloor.rpc import (
    CannotStart,
    connect,
    error_name,
    error_of,
    file_token,
)

# In quotes: only the stubs' types know it.
Command: TypeAlias = (
    "Callable[[wallet_pb2_grpc.WalletServiceAsyncStub, argparse.Namespace], Awaitable[int]]"
)


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "ledger",
        help="read, audit and export the books of a running floor",
        description="Asks the wallet of a running floor. `make run` makes the auditor's token that "
        "is used when no other is named.",
    )
    parts = parser.add_subparsers(required=True, metavar="WHAT")
    _add_reports(parts)
    _add_statement(parts)
    _add_audit(parts)
    journal = _part(parts, "export", export.run, "write the book as an hledger journal")
    journal.add_argument("--out", type=Path, metavar="FILE", help="default: standard output")


def _add_reports(parts: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    trial = _part(parts, "trial-balance", reports.trial_balance, "the sum of all accounts by kind")
    trial.add_argument("--currency", metavar="CODE", help="default: all, one after the other")
    trial.add_argument("--at", metavar="TIME", help="as of then, such as 2026-11-30T06:00 (UTC)")
    trial.add_argument("--day", metavar="DAY", help="as of the end of this gaming day")
    rake = _part(parts, "rake", reports.rake, "rake and fees by room, game and currency")
    rake.add_argument("--currency", default="", metavar="CODE", help="default: all")
    rake.add_argument("--day", metavar="DAY", help="of this gaming day, such as 2026-11-30")
    _add_span(rake)
    chips = _part(parts, "chips", reports.chips, "the money at the tables now")
    chips.add_argument("--currency", default="", metavar="CODE", help="default: all")
    for part in (trial, rake, chips):
        part.add_argument("--json", action="store_true", help="for machines; int64 as strings")


def _add_statement(parts: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    part = _part(parts, "statement", statement.run, "the lines of an account")
    part.add_argument(
        "account", metavar="ACCOUNT", help="cash/ann, escrow/main-1/ann, rake/room-1, house"
    )
    part.add_argument("--currency", metavar="CODE", help="default: the book's only one")
    part.add_argument("--kind", metavar="KIND", help="only these: hand, buy-in, deposit ...")
    part.add_argument("--table", default="", metavar="TABLE", help="only lines of this table")
    _add_span(part)
    part.add_argument("--after", default="", metavar="TOKEN", help="go on where a page ended")
    part.add_argument("--limit", type=int, default=50, metavar="N", help="lines (%(default)s)")
    part.add_argument("--json", action="store_true", help="for machines; int64 as strings")


def _add_audit(parts: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    part = _part(
        parts, "audit", audit.run, "recompute the book and compare it with the tables' logs"
    )
    part.add_argument("--address", default="127.0.0.1:14221", help="table service (%(default)s)")
    part.add_argument(
        "--nats",
        metavar="URL",
        help="read the logs from the broker instead, and compare with the published facts as well",
    )
    part.add_argument(
        "--noted",
        action="append",
        default=[],
        metavar="NO:HASH",
        help="the hash that an entry once had, as an earlier audit printed it (repeat)",
    )
    part.add_argument("--most", type=int, default=20, metavar="N", help="findings (%(default)s)")
    part.add_argument(
        "--by-wallet",
        action="store_true",
        help="only let the wallet recount its own book: quicker, and its own word",
    )
    part.add_argument("--json", action="store_true", help="for machines")


def _add_span(part: argparse.ArgumentParser) -> None:
    part.add_argument("--from", dest="from_", metavar="TIME", help="posted then or later (UTC)")
    part.add_argument("--to", metavar="TIME", help="posted before then (UTC)")


def _part(
    parts: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    command: Command,
    about: str,
) -> argparse.ArgumentParser:
    part = parts.add_parser(name, help=about, description=f"{about.capitalize()}.")
    part.add_argument("--wallet", default="127.0.0.1:14225", help="wallet service (%(default)s)")
    part.add_argument(
        "--token-file",
        type=Path,
        default=Path(".floor/tokens/auditor.token"),
        help="a token with the role auditor (%(default)s)",
    )
    part.set_defaults(run=run, command=command, part=name)
    return part


def run(args: argparse.Namespace) -> int:
    """Ask and print; returns the exit code: 0 sound, 1 something is wrong, 2 cannot be done."""
    name = f"ledger {args.part}"
    if not args.token_file.is_file():
        return refuse(name, "TOKEN_MISSING", f"no token at {args.token_file}")
    try:
        return asyncio.run(_ask(args))
    except ArgumentError as error:
        return refuse(name, error.code, str(error))
    except BrokenPipeError:
        raise  # nobody reads on, which is no trouble of the books
    except (OSError, ValueError) as error:
        return refuse(name, "CANNOT_READ", str(error))
    except grpc.aio.AioRpcError as failure:
        refused = error_of(failure)
        refuse(name, error_name(refused.code), f"{args.wallet}: {refused.reason}")
    except CannotStart as error:
        refuse(name, "UNAVAILABLE", str(error))
    except BrokenBook as broken:
        refuse(name, "BROKEN_BOOK", str(broken))
    return 1


async def _ask(args: argparse.Namespace) -> int:
    token = file_token(args.token_file)
    async with connect(args.wallet, token, timeout_ms=CALL_TIMEOUT_MS) as channel:
        command: Command = args.command
        return await command(wallet_pb2_grpc.WalletServiceStub(channel), args)
