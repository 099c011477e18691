"""Assertions guard chips and cards, so nothing that judges them runs without."""

from __future__ import annotations


def why_assertions_are_off() -> str:
    """Return why this process must not judge chips or cards; "" when its assertions hold."""
    if __debug__:
        return ""
    return (
        "Python drops assertions here (-O or PYTHONOPTIMIZE), and they guard chips and cards: "
        "start it without"
    )
