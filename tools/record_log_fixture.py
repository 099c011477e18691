"""Record a table's log as a fixture under `tests/fixtures/log/` (read the README there first).

    python -m tools.record_log_fixture evening first-night-1
    python -m tools.record_log_fixture floor a-real-night-1 \
        --address 127.0.0.1:14221 --table-id main-1 --token-file auditor.token

`evening` plays a script of `tests/support/evenings_on_record.py` in this process; `floor` reads the
log of a table of a running floor with an auditor's token (the table should be closed, or paused
between hands). A fixture that is there is never written over: new behaviour gets a new name.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from pathlib import Path

from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.table.v1 import table_pb2, table_pb2_grpc
from pokerfloor.rpc import connect, file_token
from tests.support.evenings_on_record import EVENINGS, record
from tests.support.log_fixture import FOLDER, write_fixture

_PAGE_STEPS = 200


def main(arguments: list[str]) -> int:
    """Record one fixture; return the exit code."""
    parser = argparse.ArgumentParser(prog="record_log_fixture", description=__doc__)
    kinds = parser.add_subparsers(dest="kind", required=True)
    evening = kinds.add_parser("evening", help="play a script in this process")
    evening.add_argument("name", choices=sorted(EVENINGS))
    floor = kinds.add_parser("floor", help="read the log of a table of a running floor")
    floor.add_argument("name", help="of the fixture: what it shows, and a number")
    floor.add_argument("--address", required=True, help="of the table service, host:port")
    floor.add_argument("--table-id", required=True)
    floor.add_argument("--token-file", required=True, type=Path, help="an auditor's token")
    for kind in (evening, floor):
        kind.add_argument("--folder", type=Path, default=FOLDER, help="where to write it")
    given = parser.parse_args(arguments)
    if given.kind == "evening":
        steps = record(given.name)
    else:
        steps = asyncio.run(_read(given.address, given.table_id, given.token_file))
    try:
        held = write_fixture(given.folder / f"{given.name}.steps.gz", steps)
    except (FileExistsError, ValueError) as reason:
        print(reason, file=sys.stderr)
        return 1
    print(json.dumps(held, indent=2))
    return 0


async def _read(address: str, table_id: str, token_file: Path) -> list[Step]:
    """Read a table's whole log, page by page."""
    steps: list[Step] = []
    async with connect(address, file_token(token_file)) as channel:
        stub = table_pb2_grpc.TableServiceStub(channel)
        while True:
            page = await stub.ReadLog(
                table_pb2.ReadLogRequest(
                    table_id=table_id,
                    from_table_seq=len(steps) + 1,
                    page_size=_PAGE_STEPS,
                ),
                timeout=10,
            )
            steps.extend(page.steps)
            if len(steps) >= page.last_table_seq:
                return steps


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
