"""Metrics that every service has, and the port they are read from."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Thread
from typing import Final
from wsgiref.simple_server import WSGIServer

from prometheus_client import Counter, Gauge, Histogram, start_http_server

from pokerfloor.rpc import CannotStart
from pokerfloor.servicekit.listen import parse_listen

CALLS: Final = Counter("floor_grpc_calls_total", "Calls that ended.", ["method", "code"])
CALL_SECONDS: Final = Histogram(
    "floor_grpc_call_seconds",
    "Time from a call's begin to its end; unary calls only.",
    ["method"],
    buckets=(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
IN_FLIGHT: Final = Gauge("floor_grpc_in_flight", "Calls being handled.", ["kind"])
LOG_LINES_LOST: Final = Counter(
    "floor_log_lines_lost_total", "Log lines that could not be written to stdout."
)
NATS_CONNECTED: Final = Gauge("floor_nats_connected", "1 while connected to a nats-server.")
NATS_RECONNECTS: Final = Counter("floor_nats_reconnects_total", "Connections made again.")
NATS_ERRORS: Final = Counter("floor_nats_errors_total", "Errors the NATS client reported.")
NATS_DROPPED: Final = Counter(
    "floor_nats_dropped_total", "Messages dropped because a bounded buffer was full.", ["buffer"]
)
NATS_READER_RESTARTS: Final = Counter(
    "floor_nats_reader_restarts_total", "Log readers restarted after silence or a gap."
)
APPEND_SECONDS: Final = Histogram(
    "floor_nats_append_seconds",
    "Time of one append to a log until it is stored.",
    buckets=(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5),
)


@dataclass(frozen=True, slots=True)
class MetricsServer:
    """The HTTP server of `/metrics`, in a thread of its own."""

    port: int
    _server: WSGIServer
    _thread: Thread

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=5)


def metrics_server(listen: str) -> MetricsServer:
    """Serve the process's metrics on "host:port". Raises CannotStart when the port is in use."""
    host, port = parse_listen(listen)
    try:
        server, thread = start_http_server(port, addr=host)
    except OSError as error:
        raise CannotStart(f"metrics cannot listen on {listen}: {error.strerror}") from error
    return MetricsServer(port=server.server_port, _server=server, _thread=thread)
