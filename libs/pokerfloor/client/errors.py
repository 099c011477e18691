"""What can go wrong for a player's program, each told apart by its class."""

from __future__ import annotations

from pokerfloor.rpc import FloorError


class CommandRefused(FloorError):  # noqa: N818 - what happened, in the words of a caller
    """The floor refused a command or a call and changed nothing.

    `code` is an ErrorCode of the catalogue, `reason` is for people, `field` is the field at fault.
    """

    @classmethod
    def of(cls, error: FloorError) -> CommandRefused:
        """Return the same refusal as this class."""
        return cls(error.code, error.reason, error.field)


class NoAnswer(Exception):  # noqa: N818 - what happened, in the words of a caller
    """The time for an answer is over. It is not known whether the command was done."""


class ConnectionLost(Exception):  # noqa: N818 - what happened, in the words of a caller
    """The table could not be reached for so long that the session gave up."""


class SessionOver(Exception):  # noqa: N818 - what happened, in the words of a caller
    """The session was closed, by its owner or because the table is closed."""


class ProofFailed(Exception):  # noqa: N818 - what happened, in the words of a caller
    """A card is not the one that the deck was committed to before it was dealt.

    Nothing that this table says can be trusted any more, so it ends the session. `table_id`,
    `hand_no`, `deck_no` and `place` ("s3.1") name the card.
    """

    def __init__(self, table_id: str, hand_no: int, deck_no: int, place: str, why: str) -> None:
        super().__init__(f"table {table_id}, hand {hand_no}, deck {deck_no}, {place}: {why}")
        self.table_id = table_id
        self.hand_no = hand_no
        self.deck_no = deck_no
        self.place = place
        self.why = why
