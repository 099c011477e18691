"""Where tests find what compiles the rules."""

from __future__ import annotations

import os

import pytest

from deploy.tools.compile_rules import what_is_missing


def compiler_or_skip() -> None:
    """Go on where the rules can be compiled; else skip, or fail if FLOOR_REQUIRE names it."""
    missing = what_is_missing()
    if not missing:
        return
    if "compiler" in os.environ.get("FLOOR_REQUIRE", "").split():
        pytest.fail(f"FLOOR_REQUIRE names the compiler, and {missing} is missing")
    pytest.skip(f"{missing} is missing: the rules were not tried compiled")
