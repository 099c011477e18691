"""What every service shares to run. See README.md for the API."""

from libs.floorkit.access import AccessTable, proto_access
from libs.floorkit.backoff import Backoff
from libs.floorkit.call_chain import CallLimits
from libs.floorkit.clock import new_id, now_ms
from libs.floorkit.errors import (
    REQUEST_ID_KEY,
    STATUS_OF,
    CannotStart,
    FloorError,
    error_name,
    error_of,
    from_wire,
    wire_error,
)
from libs.floorkit.floor_nats import FloorNats
from libs.floorkit.grpc_client import connect, stream
from libs.floorkit.grpc_server import GrpcServer, serve
from libs.floorkit.identity import (
    Identity,
    KeySet,
    acting_as,
    current_identity,
    current_request_id,
)
from libs.floorkit.issuer import DevIssuer
from libs.floorkit.lifecycle import run
from libs.floorkit.logs import bind_log, configure_logging, get_logger
from libs.floorkit.metrics import MetricsServer, metrics_server
from libs.floorkit.nats_bus import Responder
from libs.floorkit.nats_lease import Leases
from libs.floorkit.nats_types import (
    BusMessage,
    LogTruncated,
    LogUnavailable,
    StoredMessage,
    StreamSpec,
    WrongSequence,
)
from libs.floorkit.roles import role_name, role_of
from libs.floorkit.settings import ServiceSettings, load_settings
from libs.floorkit.stop import Stop, StopSignal, wait_for_stop
from libs.floorkit.tls import TlsFiles
from libs.floorkit.tokens import TokenSource, file_token, fixed_token

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
    "acting_as",
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
    "now_ms",
    "proto_access",
    "role_name",
    "role_of",
    "run",
    "serve",
    "stream",
    "wait_for_stop",
    "wire_error",
]
