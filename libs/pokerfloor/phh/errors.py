"""What is wrong with a file."""

from __future__ import annotations


class PhhError(ValueError):
    """A document that cannot be read as PHH. `where` names the field or the action at fault."""

    def __init__(self, reason: str, where: str = "") -> None:
        super().__init__(f"{where}: {reason}" if where else reason)
        self.reason = reason
        self.where = where
