"""Names on NATS: the table log's stream and subjects, as plain values."""

from typing import Final, NamedTuple

from pokerfloor.limits import TABLE_ID_RULE, is_table_id
from pokerfloor.tablelog.errors import LogError


class StreamNames(NamedTuple):
    """A stream's name and its subjects; `storage` is "file" or "memory".

    Whoever ensures the stream makes it of these, unlimited in size and age unless `max_bytes` or
    `max_age_s` say otherwise (-1 and 0 are unlimited).
    """

    name: str
    subjects: tuple[str, ...]
    storage: str = "file"
    max_bytes: int = -1
    max_age_s: int = 0


TABLE_LOG: Final = StreamNames("FLOOR_TABLE_LOG", ("floor.log.table.*",))
PUBLIC_EVENTS: Final = StreamNames(
    "FLOOR_PUBLIC",
    ("floor.public.>",),
    storage="memory",
    max_bytes=64 * 1024 * 1024,
    max_age_s=3600,
)

# Names that stand where a table's id does on other subjects: `floor.ledger.cash.<kind>` are the
# wallet's facts of no table.
RESERVED_TABLE_IDS: Final = frozenset({"cash"})

_TABLE_SUBJECT: Final = "floor.log.table."


def table_subject(table_id: str) -> str:
    """Return the subject of a table's log. Raises LogError for what is no table id."""
    _check(table_id)
    return _TABLE_SUBJECT + table_id


def table_of_subject(subject: str) -> str:
    """Return the table of a subject of the log. Raises LogError for any other subject."""
    table_id = subject.removeprefix(_TABLE_SUBJECT)
    if table_id == subject:
        raise LogError(f"{subject!r} is no subject of the table log")
    _check(table_id)
    return table_id


def public_subject(table_id: str, kind: str) -> str:
    """Return the public subject of one kind of a table's events. Raises LogError."""
    _check(table_id)
    return f"floor.public.{table_id}.{kind}"


def step_message_id(table_id: str, owner_epoch: int, table_seq: int) -> str:
    """Return the message id under which a step is stored once."""
    return f"{table_id}/{owner_epoch}/{table_seq}"


def _check(table_id: str) -> None:
    if not is_table_id(table_id):
        raise LogError(f"{table_id!r}: {TABLE_ID_RULE}", "table_id")
