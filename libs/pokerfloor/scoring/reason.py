"""Points with their reasons."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason: a stable `code` for programs and a `text` for people."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Points:
    """A number of points (kushes) and its reason."""

    points: int
    reason: Reason
