from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.wallet.ledger import STORES, Ledger


@pytest.fixture(params=sorted(STORES))
async def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Ledger]:
    store = await STORES[request.param](tmp_path)
    yield Ledger(store)
    await store.close()
