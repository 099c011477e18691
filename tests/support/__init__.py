"""What tests of several packages need: a real broker, real processes, tokens."""

from tests.support.broker import NatsServer, nats_server
from tests.support.eventually import eventually
from tests.support.identities import DevIdentities, dev_identities
from tests.support.ports import free_port
from tests.support.processes import ServiceProcess, service_env

__all__ = [
    "DevIdentities",
    "NatsServer",
    "ServiceProcess",
    "dev_identities",
    "eventually",
    "free_port",
    "nats_server",
    "service_env",
]
