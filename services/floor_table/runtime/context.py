"""What all tables of a process share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from floor_table.runtime.clients import Clients
from floor_table.runtime.publisher import Publisher
from floor_table.settings import TableServiceSettings


@dataclass(frozen=True, slots=True)
class Context:
    """Who is asked, where events go, how it is set, and what time it is (ms since 1970)."""

    clients: Clients
    publisher: Publisher
    settings: TableServiceSettings
    clock: Callable[[], int]
