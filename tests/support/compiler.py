"""Where tests find what compiles the rules."""

from __future__ import annotations

from tests.support.needed import skip_or_fail
from tools.compile_rules import what_is_missing


def compiler_or_skip() -> None:
    """Go on where the rules can be compiled; else skip, or fail if FLOOR_REQUIRE names it."""
    missing = what_is_missing()
    if missing:
        skip_or_fail("compiler", f"{missing} is missing: the rules were not tried compiled")
