"""Whether two recordings say the same, apart from what has to differ when a hidden card does.

Messages are compared as they were on the wire. What may differ stands in `MAY_DIFFER` by its full
name and with its one length; nothing else is masked, and unknown fields are compared whole.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from pokerfloor.api.events.v1 import public_event_pb2, table_events_pb2
from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.api.internal.showdown.v1 import resolution_pb2
from pokerfloor.api.internal.shuffler.v1 import dealing_pb2
from pokerfloor.api.internal.wallet.v1 import table_money_pb2
from pokerfloor.api.scoring.v1 import scoring_pb2
from pokerfloor.api.showdown.v1 import showdown_pb2
from pokerfloor.api.shuffler.v1 import events_pb2 as shuffler_events_pb2
from pokerfloor.api.shuffler.v1 import shuffler_pb2
from pokerfloor.api.table.v1 import table_pb2
from pokerfloor.api.wallet.v1 import events_pb2 as ledger_events_pb2
from pokerfloor.api.wallet.v1 import wallet_pb2
from pokerfloor.fairness import BOX_BYTES
from tests.support.recorded_play import Recording
from tests.support.watcher import Message

_HASH: Final = 32

#: Fields that may differ, by full name, and how many bytes each always has.
MAY_DIFFER: Final[Mapping[str, int]] = {
    # The commitment to the whole order: another order, another root. It tells nothing of the
    # order, since each leaf is hidden by a salt of its own.
    "floor.events.v1.DeckCommitted.root": _HASH,
    "floor.shuffler.v1.DeckCommitted.root": _HASH,
    "floor.internal.shuffler.v1.CommitDeckResponse.root": _HASH,
    "floor.table.v1.HandView.root": _HASH,
    "floor.table.v1.HandView.later_roots": _HASH,
    # The path of an opened card consists of hashes over its hidden neighbours. (Its salt belongs
    # to the opened card alone and is the same.)
    "floor.common.v1.CardProof.path": _HASH,
    # The digest of the table's state covers the root and the proofs.
    "floor.history.v1.Step.state_digest": _HASH,
    # A box has a key pair of its own: two boxes of the same card differ as well.
    "floor.common.v1.SealedBox.ciphertext": BOX_BYTES,
}

# The showdown service, and nobody else, is told hands that will be mucked (SHW-2): of its answer
# from the shuffler the lengths are compared.
_FOR_THE_SHOWDOWN_ONLY: Final = "showdown calls DealingService/RevealCards, answered"
# Asked again by real time, until the table is registered with the wallet; says nothing of hands.
_BY_REAL_TIME: Final = re.compile(r"^table calls WalletService/GetTableProgress, ")

_FILES: Final = (
    public_event_pb2,
    table_events_pb2,
    step_pb2,
    scoring_pb2,
    showdown_pb2,
    shuffler_events_pb2,
    shuffler_pb2,
    dealing_pb2,
    resolution_pb2,
    table_money_pb2,
    table_pb2,
    ledger_events_pb2,
    wallet_pb2,
)


def descriptor(name: str) -> Descriptor:
    """The message of a full name."""
    for file in _FILES:
        package = file.DESCRIPTOR.package
        short = name.removeprefix(f"{package}.")
        if name != short and short in file.DESCRIPTOR.message_types_by_name:
            found: Descriptor = file.DESCRIPTOR.message_types_by_name[short]
            return found
    raise KeyError(name)


def masked(data: bytes, message: Descriptor, may_differ: Mapping[str, int] = MAY_DIFFER) -> bytes:
    """The same bytes with zeros in the fields that may differ; every other byte stays in place.

    A field of another length than it always has is left as it is.
    """
    out = bytearray(data)
    for begin, end in _spans(data, message, may_differ):
        out[begin:end] = bytes(end - begin)
    return bytes(out)


def _spans(
    data: bytes, message: Descriptor, may_differ: Mapping[str, int], base: int = 0
) -> Iterator[tuple[int, int]]:
    """Where the fields that may differ lie (protobuf's wire format, "Message structure")."""
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        field = message.fields_by_number.get(tag >> 3)
        match tag & 7:
            case 0:
                _, at = _varint(data, at)
            case 1:
                at += 8
            case 5:
                at += 4
            case 2:
                length, at = _varint(data, at)
                begin, at = at, at + length
                assert at <= len(data), "the bytes are a message"
                if field is None:
                    continue
                if field.type == FieldDescriptor.TYPE_MESSAGE:
                    inside = data[begin:at]
                    assert field.message_type is not None, "a field of a message type has one"
                    yield from _spans(inside, field.message_type, may_differ, base + begin)
                elif may_differ.get(field.full_name) == length:
                    yield base + begin, base + at
            case other:
                raise AssertionError(f"wire type {other} is not used")


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def differences(one: Recording, other: Recording) -> list[str]:
    """What tells the recordings apart, a line each; empty when nothing does."""
    found = []
    for audience in sorted({*one.messages, *other.messages}):
        if not _BY_REAL_TIME.match(audience):
            pair = one.messages.get(audience, []), other.messages.get(audience, [])
            found += [f"{audience}: {text}" for text in _between(audience, *pair)]
    found += [f"log lines: {text}" for text in _between_counted(_lines(one), _lines(other))]
    found += [f"metrics: {text}" for text in _between_counted(_counts(one), _counts(other))]
    return found


def _between(audience: str, one: list[Message], other: list[Message]) -> Iterator[str]:
    if len(one) != len(other):
        yield f"{len(one)} messages and {len(other)}"
    for number, (left, right) in enumerate(zip(one, other, strict=False)):
        what = f"message {number} ({left.type} {left.where})"
        if (left.type, left.where) != (right.type, right.where):
            yield f"{what}: the other is {right.type} {right.where}"
        elif len(left.data) != len(right.data):
            yield f"{what}: {len(left.data)} bytes and {len(right.data)}"
        elif audience != _FOR_THE_SHOWDOWN_ONLY:
            kind = descriptor(left.type)
            if masked(left.data, kind) != masked(right.data, kind):
                yield f"{what}: other content"


def _between_counted(one: Counter[str], other: Counter[str]) -> Iterator[str]:
    for text in sorted((one - other) + (other - one)):
        yield f"{one[text]} times and {other[text]} times: {text}"


def _lines(recording: Recording) -> Counter[str]:
    """Log lines, but for what the test cannot fix; without order, as calls end side by side."""
    counted: Counter[str] = Counter()
    for text in recording.log_lines:
        line: dict[str, Any] = json.loads(text)
        if _is_by_real_time(line):
            continue
        kept = {key: value for key, value in line.items() if key not in _NOT_FIXED}
        counted[json.dumps(kept)] += 1
    return counted


# Real times, drawn ids, and the ports that were free.
_NOT_FIXED: Final = frozenset({"at", "ms", "request_id", "listen", "port", "grpc_port"})


def _is_by_real_time(line: dict[str, Any]) -> bool:
    method = str(line.get("method", ""))
    return (
        method == "/grpc.health.v1.Health/Check"
        or method.endswith("/GetTableProgress")
        or line.get("kind") == "progress"
    )


def _counts(recording: Recording) -> Counter[str]:
    """What was counted; times, and counts of what is done every so often, are left out."""
    return Counter(
        {
            name: int(value * 1000)
            for name, value in recording.metrics.items()
            if not _TIMES.search(name)
        }
    )


_TIMES: Final = re.compile(
    r"_bucket\{|_sum\{|_created\{"
    # Calls by real time: probes and the wallet's progress.
    r'|Health/Check|GetTableProgress|"kind": "progress"'
    # The log is read once more when the draw's deck is closed only after the next one was opened.
    r"|^floor_shuffler_log_reads_total"
    # The wallet's gauges are made anew every 2 s, and its batches are as large as they come.
    r"|^floor_wallet_(lag_steps|outbox|book|stopped|group_size|settle_seconds)"
)
