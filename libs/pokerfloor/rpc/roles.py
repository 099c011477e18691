"""Roles as tokens and settings write them: lower case, without the prefix."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pokerfloor.api.common.v1 import identity_pb2

_PREFIX = "ROLE_"

_ROLE_OF: Mapping[str, int] = MappingProxyType(
    {
        name.removeprefix(_PREFIX).lower(): number
        for name, number in identity_pb2.Role.items()
        if number != identity_pb2.ROLE_UNSPECIFIED
    }
)
_NAME_OF: Mapping[int, str] = MappingProxyType({number: name for name, number in _ROLE_OF.items()})


def role_of(name: str) -> int | None:
    """Return the role of a name such as "service_table", or None for a name not known here."""
    return _ROLE_OF.get(name)


def role_name(role: int) -> str:
    """Return the name of a role, such as "service_table"."""
    return _NAME_OF[role]
