from __future__ import annotations

import time
from pathlib import Path

from pokerfloor.servicekit import DevIssuer, role_of

_DAY_S = 24 * 3600


class DevIdentities:
    """An issuer, and tokens by name of role: "player", "service_table"."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.issuer = DevIssuer.open(folder)
        self.jwks_path = self.issuer.jwks_path

    def token(
        self,
        subject: str,
        *roles: str,
        ttl_s: int = _DAY_S,
        seal_key: bytes | None = None,
        age_s: int = 0,
    ) -> str:
        numbers = [role_of(name) for name in roles]
        assert None not in numbers, f"no such role among {roles}"
        return self.issuer.issue(
            subject,
            [number for number in numbers if number is not None],
            ttl_s,
            now_s=int(time.time()) - age_s,
            seal_key=seal_key,
        )

    def service_token(self, service: str) -> str:
        return self.token(f"service:{service}", f"service_{service}")

    def service_token_file(self, service: str) -> Path:
        path = self._folder / f"{service}.token"
        path.write_text(self.service_token(service), encoding="ascii")
        path.chmod(0o600)
        return path


def dev_identities(folder: Path) -> DevIdentities:
    return DevIdentities(folder)
