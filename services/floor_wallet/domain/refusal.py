"""How the rules say no."""

from __future__ import annotations

from pokerfloor.api.common.v1 import errors_pb2


class Refused(Exception):  # noqa: N818 - a refusal is an answer, not a mistake of the program
    """A command is refused and changes nothing.

    `code` is an ErrorCode of the catalogue, `reason` may be shown to people, `field` is the
    field at fault or empty.
    """

    def __init__(self, code: int, reason: str, field: str = "") -> None:
        super().__init__(code, reason, field)
        self.code = code
        self.reason = reason
        self.field = field

    def __str__(self) -> str:
        return self.reason

    def about(self, field: str) -> Refused:
        """Give the same refusal for a command that calls the field by another name."""
        return Refused(self.code, self.reason, field)


class CannotSettle(Exception):  # noqa: N818 - names the state of a table's settlement
    """A step of a table's log contradicts the book; settlement of that table stops there."""


class BookRefused(Exception):  # noqa: N818 - the store's last line of defence said no
    """A constraint of the store refused a change that the rules had let pass."""


def unknown_account(reason: str, field: str) -> Refused:
    """Make the refusal for an account that nobody opened."""
    return Refused(errors_pb2.ERROR_CODE_UNKNOWN_ACCOUNT, reason, field)
