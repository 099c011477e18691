"""What callers and services of a floor share: errors, channels, tokens, ids. See README.md."""

from pokerfloor.rpc.assertions import why_assertions_are_off
from pokerfloor.rpc.backoff import Backoff
from pokerfloor.rpc.channel import connect, stream
from pokerfloor.rpc.claims import (
    AUDIENCE,
    ISSUER,
    SEAL_KEY_BYTES,
    decode_base64url,
    encode_base64url,
)
from pokerfloor.rpc.clock import new_id, now_ms
from pokerfloor.rpc.errors import (
    DETAILS_KEY,
    REQUEST_ID_KEY,
    STATUS_OF,
    CannotStart,
    FloorError,
    accepted,
    error_name,
    error_of,
    from_wire,
    status_details,
    wire_error,
)
from pokerfloor.rpc.issuer import DevIssuer
from pokerfloor.rpc.request_id import current_request_id, working_for
from pokerfloor.rpc.roles import role_name, role_of
from pokerfloor.rpc.stop import Stop, StopSignal, wait_for_stop
from pokerfloor.rpc.tls import TlsFiles
from pokerfloor.rpc.tokens import TokenSource, file_token, fixed_token

__all__ = [
    "AUDIENCE",
    "DETAILS_KEY",
    "ISSUER",
    "REQUEST_ID_KEY",
    "SEAL_KEY_BYTES",
    "STATUS_OF",
    "Backoff",
    "CannotStart",
    "DevIssuer",
    "FloorError",
    "Stop",
    "StopSignal",
    "TlsFiles",
    "TokenSource",
    "accepted",
    "connect",
    "current_request_id",
    "decode_base64url",
    "encode_base64url",
    "error_name",
    "error_of",
    "file_token",
    "fixed_token",
    "from_wire",
    "new_id",
    "now_ms",
    "role_name",
    "role_of",
    "status_details",
    "stream",
    "wait_for_stop",
    "why_assertions_are_off",
    "wire_error",
    "working_for",
]
