"""Mutual TLS between a client and a server of one authority."""

from __future__ import annotations

import datetime as dt
import ipaddress
from pathlib import Path

import grpc
import grpc.aio
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from grpc_health.v1 import (  # type: ignore[import-untyped]  # no stubs published with it
    health_pb2,
    health_pb2_grpc,
)

from pokerfloor.servicekit import (
    CannotStart,
    FloorNats,
    GrpcServer,
    KeySet,
    TlsFiles,
    connect,
    fixed_token,
)
from tests.support import dev_identities, nats_server

pytestmark = pytest.mark.integration


class Authority:
    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
        self.path = folder / f"{name}.pem"
        certificate = self._certificate(self._name, self._key.public_key(), authority=True)
        self.path.write_bytes(certificate)

    def files(self, name: str, trusted: Path | None = None) -> TlsFiles:
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
        key_path, certificate_path = self._folder / f"{name}.key", self._folder / f"{name}.crt"
        key_path.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
        certificate_path.write_bytes(self._certificate(subject, key.public_key(), authority=False))
        return TlsFiles(certificate_path, key_path, trusted or self.path)

    def _certificate(
        self, subject: x509.Name, public: ec.EllipticCurvePublicKey, *, authority: bool
    ) -> bytes:
        now = dt.datetime.now(dt.UTC)
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(public)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - dt.timedelta(minutes=1))
            .not_valid_after(now + dt.timedelta(hours=1))
            .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
            .add_extension(
                x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]),
                critical=False,
            )
        )
        certificate = builder.sign(self._key, hashes.SHA256())
        return certificate.public_bytes(serialization.Encoding.PEM)


async def test_only_clients_of_the_authority_are_served(tmp_path: Path) -> None:
    house, stranger = Authority(tmp_path, "house"), Authority(tmp_path, "stranger")
    server = GrpcServer(
        listen="127.0.0.1:0",
        keys=KeySet.load(dev_identities(tmp_path / "keys").jwks_path),
        ready=lambda: True,
        tls=house.files("server"),
    )
    await server.start()
    address = f"127.0.0.1:{server.port}"
    request = health_pb2.HealthCheckRequest()

    async def ask(tls: TlsFiles | None) -> int:
        async with connect(address, fixed_token("none"), tls=tls) as channel:
            answer = await health_pb2_grpc.HealthStub(channel).Check(request, timeout=3)
        status: int = answer.status
        return status

    try:
        assert await ask(house.files("client")) == health_pb2.HealthCheckResponse.SERVING
        for wrong in (None, stranger.files("spy", trusted=house.path)):
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await ask(wrong)
            assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
    finally:
        await server.stop()


async def test_the_broker_too(tmp_path: Path) -> None:
    house, stranger = Authority(tmp_path, "house"), Authority(tmp_path, "stranger")
    own = house.files("broker")
    config = (
        f'tls {{ cert_file: "{own.certificate}"; key_file: "{own.private_key}"; '
        f'ca_file: "{house.path}"; verify: true }}'
    )
    with nats_server(tmp_path / "nats", config) as broker:
        url = broker.url.replace("nats://", "tls://")
        nats = await FloorNats.connect(url, name="test", tls=house.files("client"))
        assert await nats.flush()
        await nats.close()
        spy = stranger.files("spy", trusted=house.path)
        with pytest.raises(CannotStart):
            await FloorNats.connect(url, name="spy", wait_ms=500, tls=spy)


def test_a_missing_file_cannot_start(tmp_path: Path) -> None:
    files = TlsFiles(tmp_path / "a", tmp_path / "b", tmp_path / "c")
    for make in (files.server_credentials, files.channel_credentials, files.ssl_context):
        with pytest.raises(CannotStart):
            make()
