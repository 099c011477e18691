"""Development identities of a floor on one machine: tokens for everyone, keys for the bots."""

from __future__ import annotations

from dataclasses import dataclass

from deploy.local.run_settings import CannotRun
from deploy.local.state_folder import StateFolder
from pokerfloor.api.common.v1 import identity_pb2
from pokerfloor.client import PlayerKeys
from pokerfloor.rpc import CannotStart, DevIssuer, now_ms

_TTL_S = 30 * 24 * 3600

SERVICE_ROLES = {
    "shuffler": identity_pb2.ROLE_SERVICE_SHUFFLER,
    "table": identity_pb2.ROLE_SERVICE_TABLE,
    "showdown": identity_pb2.ROLE_SERVICE_SHOWDOWN,
    "scoring": identity_pb2.ROLE_SERVICE_SCORING,
    "wallet": identity_pb2.ROLE_SERVICE_WALLET,
}


@dataclass(frozen=True, slots=True)
class StaffTokens:
    """Tokens that the launcher itself uses."""

    operator: str
    cashier: str
    spectator: str


def issue_identities(folder: StateFolder, player_ids: list[str]) -> StaffTokens:
    """Issue a token to every service, bot and member of staff, each in a file of mode 0600.

    The issuer's key and its public key set are in `identity/`. Raises CannotRun.
    """
    try:
        issuer = DevIssuer.open(folder.path / "identity")
        now_s = now_ms() // 1000

        def token(name: str, role: int, seal_key: bytes | None = None, subject: str = "") -> str:
            text = issuer.issue(subject or name, [role], _TTL_S, now_s=now_s, seal_key=seal_key)
            folder.write_secret(f"tokens/{name}.token", text + "\n")
            return text

        for name, role in SERVICE_ROLES.items():
            token(name, role, subject=f"service:{name}")
        for player_id in player_ids:
            keys = PlayerKeys.open(folder.path / "keys" / f"{player_id}.key")
            token(player_id, identity_pb2.ROLE_PLAYER, keys.public_key)
        token("auditor", identity_pb2.ROLE_AUDITOR)  # for `floorctl ledger`
        return StaffTokens(
            operator=token("operator", identity_pb2.ROLE_OPERATIONS),
            cashier=token("cashier", identity_pb2.ROLE_CASHIER),
            spectator=token("spectator", identity_pb2.ROLE_SPECTATOR),
        )
    except (CannotStart, OSError, ValueError) as error:
        raise CannotRun(f"identities cannot be made: {error}") from error
