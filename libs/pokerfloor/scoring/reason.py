"""A number that says why it is what it is."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    """Why: a stable `code` for programs and a `text` for people."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Points:
    """A number of points (kushes) and why it is that number."""

    points: int
    reason: Reason
