"""Updates as bytes: a view is encoded once for all who see it, and only the time is added.

A `TableUpdate` is a message of two fields, so its bytes can be put together from the bytes of a
view (protobuf's wire format, section "Message structure").
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import grpc
import grpc.aio

from pokerfloor.api.table.v1 import table_pb2, table_pb2_grpc

_LENGTH_DELIMITED: Final = 2
_ATTACH: Final = "Attach"

_FIELDS = table_pb2.TableUpdate.DESCRIPTOR.fields_by_name
_TIME_TAG = bytes(((_FIELDS["server_time_ms"].number << 3),))
_STEP_TAG = bytes(((_FIELDS["step"].number << 3) | _LENGTH_DELIMITED,))
_SNAPSHOT_TAG = bytes(((_FIELDS["snapshot"].number << 3) | _LENGTH_DELIMITED,))


def step_update(view: bytes, now_ms: int) -> bytes:
    """Give the bytes of `TableUpdate(server_time_ms=now_ms, step=view)`."""
    return b"".join((_TIME_TAG, _varint(now_ms), _STEP_TAG, _varint(len(view)), view))


def snapshot_update(snapshot: bytes, now_ms: int) -> bytes:
    """Give the bytes of `TableUpdate(server_time_ms=now_ms, snapshot=snapshot)`."""
    return b"".join((_TIME_TAG, _varint(now_ms), _SNAPSHOT_TAG, _varint(len(snapshot)), snapshot))


def add_table_service(
    servicer: table_pb2_grpc.TableServiceServicer, server: grpc.aio.Server
) -> None:
    """Serve a servicer whose `Attach` writes encoded updates."""
    table_pb2_grpc.add_TableServiceServicer_to_server(servicer, _EncodedAttach(server))  # type: ignore[arg-type]  # has the two methods that are used


class _EncodedAttach:
    """Stands for the server while the generated code adds the servicer."""

    def __init__(self, server: grpc.aio.Server) -> None:
        self._server = server

    def add_generic_rpc_handlers(self, handlers: Iterable[grpc.GenericRpcHandler]) -> None:
        """Pass the handlers on: they name the service; the registered ones answer first."""
        self._server.add_generic_rpc_handlers(tuple(handlers))

    def add_registered_method_handlers(
        self, service: str, handlers: Mapping[str, grpc.RpcMethodHandler[Any, Any]]
    ) -> None:
        """Pass the handlers on, with an `Attach` that takes its answers as bytes."""
        attach: Any = handlers[_ATTACH]
        encoded: grpc.RpcMethodHandler[Any, Any] = grpc.stream_stream_rpc_method_handler(
            attach.stream_stream, attach.request_deserializer, None
        )
        self._server.add_registered_method_handlers(service, {**handlers, _ATTACH: encoded})


def _varint(value: int) -> bytes:
    assert value >= 0, "times and lengths are not negative"
    out = bytearray()
    while value > 0x7F:
        out.append((value & 0x7F) | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
