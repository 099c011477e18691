"""What every service shares to run, and all of `pokerfloor.rpc` that it needs. See README.md."""

from pokerfloor.rpc import (
    REQUEST_ID_KEY,
    STATUS_OF,
    Backoff,
    CannotStart,
    DevIssuer,
    FloorError,
    Stop,
    StopSignal,
    TlsFiles,
    TokenSource,
    accepted,
    connect,
    current_request_id,
    error_name,
    error_of,
    file_token,
    fixed_token,
    from_wire,
    new_id,
    now_ms,
    role_name,
    role_of,
    stream,
    wait_for_stop,
    why_assertions_are_off,
    wire_error,
)
from pokerfloor.servicekit.access import AccessTable, proto_access
from pokerfloor.servicekit.call_chain import CallLimits
from pokerfloor.servicekit.floor_nats import FloorNats
from pokerfloor.servicekit.grpc_server import GrpcServer, serve
from pokerfloor.servicekit.identity import (
    Identity,
    KeySet,
    acting_as,
    current_identity,
)
from pokerfloor.servicekit.lifecycle import run
from pokerfloor.servicekit.logs import bind_log, configure_logging, get_logger
from pokerfloor.servicekit.metrics import MetricsServer, metrics_server
from pokerfloor.servicekit.nats_bus import Responder
from pokerfloor.servicekit.nats_lease import Leases
from pokerfloor.servicekit.nats_types import (
    BusMessage,
    LogTruncated,
    LogUnavailable,
    StoredMessage,
    StreamSpec,
    WrongSequence,
)
from pokerfloor.servicekit.paging import after_token, next_token, page_size
from pokerfloor.servicekit.settings import ServiceSettings, load_settings

__all__ = [
    "REQUEST_ID_KEY",
    "STATUS_OF",
    "AccessTable",
    "Backoff",
    "BusMessage",
    "CallLimits",
    "CannotStart",
    "DevIssuer",
    "FloorError",
    "FloorNats",
    "GrpcServer",
    "Identity",
    "KeySet",
    "Leases",
    "LogTruncated",
    "LogUnavailable",
    "MetricsServer",
    "Responder",
    "ServiceSettings",
    "Stop",
    "StopSignal",
    "StoredMessage",
    "StreamSpec",
    "TlsFiles",
    "TokenSource",
    "WrongSequence",
    "accepted",
    "acting_as",
    "after_token",
    "bind_log",
    "configure_logging",
    "connect",
    "current_identity",
    "current_request_id",
    "error_name",
    "error_of",
    "file_token",
    "fixed_token",
    "from_wire",
    "get_logger",
    "load_settings",
    "metrics_server",
    "new_id",
    "next_token",
    "now_ms",
    "page_size",
    "proto_access",
    "role_name",
    "role_of",
    "run",
    "serve",
    "stream",
    "wait_for_stop",
    "why_assertions_are_off",
    "wire_error",
]
