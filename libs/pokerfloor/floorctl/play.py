"""`floorctl play`: sit at a table of a running floor and play it with a text client."""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import sys
import threading
from pathlib import Path
from typing import TextIO

import grpc.aio

from pokerfloor.api.common.v1 import identity_pb2, money_pb2
from pokerfloor.api.wallet.v1 import wallet_pb2, wallet_pb2_grpc
from pokerfloor.client import (
    CommandRefused,
    ConnectionLost,
    FloorClient,
    NoAnswer,
    PlayerKeys,
    ProofFailed,
    SessionOver,
    TableSession,
)
from pokerfloor.floorctl.arguments import ArgumentError, refuse
from pokerfloor.floorctl.play_chips import Chips
from pokerfloor.floorctl.play_loop import AtTable, leave_table
from pokerfloor.rpc import DevIssuer, connect, error_of, file_token, new_id, now_ms

_TOKEN_S = 12 * 3600
_MOST_NAME = 32


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "play",
        help="sit at a table and play",
        description="Takes a seat at a table of a running floor and plays it from the keyboard, or "
        "from lines of standard input: what may be done is offered in every turn, hole cards are "
        "unsealed with the player's key, and every card is proved against the committed deck. "
        "Without --token-file a development token is issued by the floor's own issuer in --state. "
        "At the end of the input the seat is left, and the chips go back to the wallet.",
    )
    parser.add_argument("table", metavar="TABLE", help="the table's id")
    parser.add_argument("--player", default="guest", help="who plays (default: %(default)s)")
    parser.add_argument("--name", default="", help="the name others see (default: the player's)")
    parser.add_argument("--seat", type=int, default=0, help="0 (the default) is any")
    parser.add_argument("--buy-in", metavar="AMOUNT", help="default: the least there is")
    parser.add_argument("--hands", type=int, default=0, help="leave after so many; 0 is no end")
    parser.add_argument(
        "--deposit",
        metavar="AMOUNT",
        help="put this into the player's wallet first, with the cashier's token of --state",
    )
    parser.add_argument("--address", default="127.0.0.1:14221", help="table service (%(default)s)")
    parser.add_argument("--wallet", default="127.0.0.1:14225", help="wallet service (%(default)s)")
    parser.add_argument(
        "--state",
        type=Path,
        default=Path(".floor"),
        metavar="DIR",
        help="the floor's state, for keys and development tokens (%(default)s)",
    )
    parser.add_argument("--token-file", type=Path, help="the player's token")
    parser.add_argument(
        "--key-file", type=Path, help="the player's key, which the token names; made if missing"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play; returns the exit code."""
    try:
        return asyncio.run(_play(args))
    except ArgumentError as error:
        return refuse("play", error.code, str(error))
    except (OSError, ValueError) as error:
        return refuse("play", "BAD_KEY", str(error))
    except ProofFailed as failed:
        print(f"floorctl play: THE HOUSE CANNOT PROVE A CARD: {failed}", file=sys.stderr)
    except grpc.aio.AioRpcError as failure:
        print(f"floorctl play: {error_of(failure).reason}", file=sys.stderr)
    except (CommandRefused, ConnectionLost, NoAnswer, SessionOver) as error:
        print(f"floorctl play: {error}", file=sys.stderr)
    return 1


async def _play(args: argparse.Namespace) -> int:
    identity = args.state / "identity"
    if args.token_file is None and not identity.is_dir():
        reason = f"no issuer in {identity}: name --state of a floor, or --token-file and --key-file"
        raise ArgumentError("TOKEN_MISSING", reason)
    key_file = args.key_file or args.state / "keys" / f"{args.player}.key"
    keys = PlayerKeys.open(key_file)
    token = _token(args, keys)
    lines: asyncio.Queue[str | None] = asyncio.Queue(1)
    at_table = AtTable(_say, lines)
    async with FloorClient(args.address, args.wallet, token, keys) as floor:
        async with await floor.table(args.table, on_step=at_table.on_step) as session:
            await _sit_down(args, floor, session)
            _read_lines(sys.stdin, lines)
            await at_table.play(session, args.hands)
            await leave_table(session, _say)
        unit = Chips.of_wallet(session.mirror.settings)
        balance = await floor.balance(unit.unit)
        _say(f"in your wallet: {unit.text(balance.cash_minor)} {unit.unit}")
        if balance.in_play_minor:
            _say(f"on their way from tables: {unit.text(balance.in_play_minor)} {unit.unit}")
    return 0


def _say(line: str) -> None:
    print(line, flush=True)


def _token(args: argparse.Namespace, keys: PlayerKeys) -> str:
    """Return the player's token: the one of a file, or one that the floor's issuer makes."""
    if args.token_file is not None:
        token: str = args.token_file.read_text(encoding="ascii").strip()
        if _seal_key_of(token) != keys.public_key:
            reason = "the token names another sealing key, or none: cards could not be read"
            raise ArgumentError("SEAL_KEY_MISSING", reason)
        return token
    issuer = DevIssuer.open(args.state / "identity")
    roles = [identity_pb2.ROLE_PLAYER]
    now_s = now_ms() // 1000
    return issuer.issue(args.player, roles, _TOKEN_S, now_s=now_s, seal_key=keys.public_key)


def _seal_key_of(token: str) -> bytes | None:
    try:
        key = json.loads(_bytes_of(token.split(".")[1])).get("seal_key")
        return _bytes_of(key) if isinstance(key, str) else None
    except (IndexError, ValueError, AttributeError) as error:
        raise ArgumentError("TOKEN_INVALID", "the token cannot be read") from error


def _bytes_of(base64url: str) -> bytes:
    return base64.urlsafe_b64decode(base64url + "=" * (-len(base64url) % 4))


async def _sit_down(args: argparse.Namespace, floor: FloorClient, session: TableSession) -> None:
    settings = session.mirror.settings
    unit = Chips.of_wallet(settings)
    if args.deposit is not None:
        await _deposit(args, floor.player_id, unit)
    if session.mirror.own_seat:
        _say(f"you have seat {session.mirror.own_seat} already")
        return
    buy_in = settings.buy_in.min_minor if args.buy_in is None else _amount(args.buy_in, unit)
    name = (args.name or args.player)[:_MOST_NAME]
    seat = await session.sit_down(buy_in, args.seat, name=name, post_to_enter=True)
    _say(f"you sit at seat {seat} with {unit.text(buy_in)} {unit.unit}")


async def _deposit(args: argparse.Namespace, player_id: str, unit: Chips) -> None:
    amount = _amount(args.deposit, unit)
    token = args.state / "tokens" / "cashier.token"
    if not token.is_file():
        raise ArgumentError("TOKEN_MISSING", f"no cashier's token at {token}")
    currency = money_pb2.Currency(code=unit.unit, exponent=unit.decimals)
    async with connect(args.wallet, file_token(token)) as channel:
        wallet = wallet_pb2_grpc.WalletServiceStub(channel)
        account = wallet_pb2.OpenAccountRequest(
            command_id=f"open-{player_id}-{unit.unit}", player_id=player_id, currency=currency
        )
        await wallet.OpenAccount(account)
        await wallet.Deposit(
            wallet_pb2.DepositRequest(
                command_id=new_id(),
                player_id=player_id,
                currency=unit.unit,
                amount_minor=amount,
                reference="floorctl play",
            )
        )


def _amount(text: str, unit: Chips) -> int:
    amount = unit.read(text)
    if not amount:
        raise ArgumentError("INVALID_FIELD", f"{text!r} is no amount of {unit.unit}")
    return amount


def _read_lines(source: TextIO, lines: asyncio.Queue[str | None]) -> None:
    """Read lines in a thread of their own: a terminal cannot be waited for by an event loop."""
    loop = asyncio.get_running_loop()

    def give(line: str | None) -> bool:
        try:
            asyncio.run_coroutine_threadsafe(lines.put(line), loop).result()
        except (RuntimeError, asyncio.CancelledError):  # the loop is over
            return False
        return True

    def read() -> None:
        for line in source:
            if not give(line):
                return
        give(None)

    threading.Thread(target=read, name="lines", daemon=True).start()
