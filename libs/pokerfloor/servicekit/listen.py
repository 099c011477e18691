"""Addresses to listen on."""

from __future__ import annotations

import socket

from pokerfloor.rpc import CannotStart


def parse_listen(listen: str) -> tuple[str, int]:
    """Split "host:port"; port 0 takes a free one. Raises ValueError with a plain reason."""
    host, colon, port = listen.rpartition(":")
    if not colon or not host or not port.isdigit() or int(port) > 65_535:
        raise ValueError(f"{listen!r} is not host:port, such as 127.0.0.1:7001")
    return host, int(port)


def check_free(listen: str, what: str) -> None:
    """Raise CannotStart with one plain line when `listen` cannot be bound.

    gRPC says no more than that it failed, and writes lines of its own that are no JSON.
    """
    host, port = parse_listen(listen)
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host.strip("[]"), port, type=socket.SOCK_STREAM
        )[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        raise CannotStart(f"{what} cannot listen on {listen}: {error.strerror}") from error
