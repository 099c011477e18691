"""`floorctl history`: the hands of a running floor as Poker Hand History."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import grpc.aio

from pokerfloor.api.events.v1.table_events_pb2 import HandBegan
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.settings.v1.settings_pb2 import TableSettings
from pokerfloor.api.table.v1 import table_pb2, table_pb2_grpc
from pokerfloor.floorctl.ofc_rules import ofc_rules
from pokerfloor.games import Event
from pokerfloor.games.placement import PlacementEvent
from pokerfloor.phh import Heading, PhhError, write_hand, write_placement_hand
from pokerfloor.rpc import connect, error_of, file_token
from pokerfloor.tablelog import is_placement_game, replay_hand, replay_placement_hand

_PAGE = 200


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "history",
        help="write the hands of a running floor as PHH",
        description="Writes every finished hand of the tables named (all, when none is) in the "
        "Poker Hand History format; `floorctl replay` plays them to the same stacks. Games that "
        "the format has no code for are written with fields and verbs of our own.",
    )
    parser.add_argument("tables", nargs="*", metavar="TABLE")
    parser.add_argument("--from-hand", type=int, default=1, metavar="N", help="first hand")
    parser.add_argument("--to-hand", type=int, metavar="N", help="last hand (default: the newest)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="a file for each table here")
    parser.add_argument("--address", default="127.0.0.1:14221", help="table service (%(default)s)")
    parser.add_argument(
        "--token-file",
        type=Path,
        default=Path(".floor/tokens/operator.token"),
        help="a token with the role operations or auditor (%(default)s)",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the hands; returns the exit code."""
    if not args.token_file.is_file():
        print(f"floorctl history: no token at {args.token_file}", file=sys.stderr)
        return 2
    try:
        return asyncio.run(_write(args))
    except grpc.aio.AioRpcError as failure:
        error = error_of(failure)
        print(f"floorctl history: {args.address}: {error.reason}", file=sys.stderr)
        return 1


async def _write(args: argparse.Namespace) -> int:
    async with connect(args.address, file_token(args.token_file)) as channel:
        stub = table_pb2_grpc.TableServiceStub(channel)
        for table_id in args.tables or [table async for table in _tables(stub)]:
            text = await _table(stub, table_id, args)
            if args.out is None:
                sys.stdout.write(text)
            else:
                args.out.mkdir(parents=True, exist_ok=True)
                (args.out / f"{table_id}.phhs").write_text(text, encoding="utf-8")
    return 0


async def _tables(stub: table_pb2_grpc.TableServiceAsyncStub) -> AsyncIterator[str]:
    token = ""
    while True:
        request = table_pb2.ListTablesRequest(page_size=_PAGE, page_token=token)
        page = await stub.ListTables(request)
        for table in page.tables:
            yield table.table_id
        token = page.next_page_token
        if not token:
            return


async def _table(
    stub: table_pb2_grpc.TableServiceAsyncStub, table_id: str, args: argparse.Namespace
) -> str:
    """Return a table's hands as one document of many hands."""
    answer = await stub.GetTable(table_pb2.GetTableRequest(table_id=table_id))
    table = answer.snapshot.table
    last = table.hands - (1 if table.HasField("hand") else 0)
    if args.to_hand is not None:
        last = min(last, args.to_hand)
    hands: list[str] = []
    for hand_no in range(max(args.from_hand, 1), last + 1):
        request = table_pb2.GetHandRequest(table_id=table_id, hand_no=hand_no)
        steps = (await stub.GetHand(request)).steps
        try:
            hands.append(f"[{hand_no}]\n" + hand_text(table_id, table.settings, steps))
        except PhhError as error:
            print(f"{table_id} hand {hand_no}: left out: {error}", file=sys.stderr)
    return "\n".join(hands)


def hand_text(table_id: str, settings: TableSettings, steps: Sequence[Step]) -> str:
    """Return a finished hand's PHH document. Raises PhhError when the steps are not of one."""
    opened, at_ms = _opened(steps)
    heading = _heading(table_id, settings, opened, at_ms)
    if is_placement_game(opened.game):
        laid: list[PlacementEvent] = []
        layouts = replay_placement_hand(steps, laid.append)
        return write_placement_hand(layouts.setup, laid, heading, ofc_rules(opened.game.ofc))
    events: list[Event] = []
    hand = replay_hand(steps, events.append)
    return write_hand(hand.setup, events, heading)


def _heading(table_id: str, settings: TableSettings, opened: HandBegan, at_ms: int) -> Heading:
    at = datetime.fromtimestamp(at_ms / 1000, UTC)
    stake = settings.stake
    money = stake.money if stake.HasField("money") else None
    return Heading(
        decimals=0 if money is None else money.exponent,
        players={seat.seat: seat.player_id for seat in opened.seats},
        venue=settings.room_id,
        table=table_id,
        currency="" if money is None else money.code,
        hand=opened.hand_no,
        year=at.year,
        month=at.month,
        day=at.day,
        time=at.strftime("%H:%M:%S"),
    )


def _opened(steps: Sequence[Step]) -> tuple[HandBegan, int]:
    for step in steps:
        for event in step.events:
            if event.HasField("hand_began"):
                return event.hand_began, step.at_ms
    raise PhhError("no step opens the hand", "steps")
