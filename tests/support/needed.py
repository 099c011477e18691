"""What a test needs of the machine: it is skipped without, or fails where that is demanded."""

from __future__ import annotations

import os
from typing import Final, NoReturn

import pytest

#: Names what must not be left out, with spaces between: FLOOR_REQUIRE="postgres hledger".
_REQUIRE: Final = "FLOOR_REQUIRE"


def skip_or_fail(name: str, reason: str) -> NoReturn:
    """Skip the test for this reason; fail it where FLOOR_REQUIRE has the name."""
    if name in os.environ.get(_REQUIRE, "").split():
        pytest.fail(f"{_REQUIRE} names {name}: {reason}")
    pytest.skip(reason)
