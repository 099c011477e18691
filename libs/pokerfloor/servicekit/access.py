"""Who may make a call: the `access` option beside each method of the protos."""

from __future__ import annotations

from collections.abc import Callable

from google.protobuf import descriptor_pool

from pokerfloor.api.common.v1 import identity_pb2

#: From the full name "/pkg.Service/Method" to the roles that may call; None: nobody may.
AccessTable = Callable[[str], frozenset[int] | None]

# Probes and tools ask these before they have a token; they tell nothing about play.
_OPEN_SERVICES = frozenset(
    {
        "grpc.health.v1.Health",
        "grpc.reflection.v1.ServerReflection",
        "grpc.reflection.v1alpha.ServerReflection",
    }
)


def is_open(method: str) -> bool:
    """Tell whether a method needs no token: health and reflection."""
    return method.lstrip("/").partition("/")[0] in _OPEN_SERVICES


def proto_access(method: str) -> frozenset[int] | None:
    """Read the roles from the method's `access` option; None when it has none."""
    name = method.lstrip("/").replace("/", ".")
    try:
        # The pool holds what was imported, which a served method's stubs always were.
        found = descriptor_pool.Default().FindMethodByName(name)
    except KeyError:
        return None
    options = found.GetOptions()
    if not options.HasExtension(identity_pb2.access):
        return None
    return frozenset(options.Extensions[identity_pb2.access].roles)
