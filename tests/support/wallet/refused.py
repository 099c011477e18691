from __future__ import annotations

from collections.abc import Awaitable
from typing import Any

import pytest

from floor_wallet.store import Refused


async def refusal(work: Awaitable[Any]) -> int:
    """The code that the work is refused with."""
    with pytest.raises(Refused) as caught:
        await work
    return caught.value.refusal.code
