"""Mutual TLS: the same three files serve a process as server and as client."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from pathlib import Path

import grpc

from pokerfloor.rpc.errors import CannotStart


@dataclass(frozen=True, slots=True)
class TlsFiles:
    """PEM files: this process's certificate and key, and the authority that signs all of them."""

    certificate: Path
    private_key: Path
    authority: Path

    def server_credentials(self) -> grpc.ServerCredentials:
        """Credentials of a server that demands a certificate of the authority from its clients."""
        return grpc.ssl_server_credentials(
            [(_read(self.private_key), _read(self.certificate))],
            root_certificates=_read(self.authority),
            require_client_auth=True,
        )

    def channel_credentials(self) -> grpc.ChannelCredentials:
        """Credentials of a client that shows its certificate."""
        return grpc.ssl_channel_credentials(
            root_certificates=_read(self.authority),
            private_key=_read(self.private_key),
            certificate_chain=_read(self.certificate),
        )

    def ssl_context(self) -> ssl.SSLContext:
        """Return the context for connections that are not gRPC (NATS)."""
        try:
            context = ssl.create_default_context(cafile=str(self.authority))
            context.load_cert_chain(str(self.certificate), str(self.private_key))
        except OSError as error:  # an ssl.SSLError is an OSError
            raise CannotStart(f"the TLS files cannot be used: {error}") from error
        return context


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CannotStart(f"TLS file {path} cannot be read: {error.strerror}") from error
