"""Updates as bytes: a view is encoded once for all who see it, and only the time is added.

With hundreds of streams at a table, encoding is most of what a step costs. So `Attach` is served
with answers that are bytes already, which the generated code does not offer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import grpc
import grpc.aio

from pokerfloor.api.table.v1 import table_pb2, table_pb2_grpc

_ATTACH: Final = "Attach"


def at_time(update: bytes, now_ms: int) -> bytes:
    """Return an encoded `TableUpdate` without a time the time of now.

    Encoded messages that follow each other are one message (protobuf's "Last One Wins").
    """
    return table_pb2.TableUpdate(server_time_ms=now_ms).SerializeToString() + update


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
