"""Which commands were taken, so that a repeat gets the first answer, also after a restart."""

from hashlib import sha256
from typing import Final, NamedTuple

COMMANDS_A_SENDER: Final = 128
SENDERS: Final = 256


class Taken(NamedTuple):
    """A command that became a step."""

    digest: bytes
    table_seq: int
    seat: int


class CommandMemory:
    """The last commands of each of the last senders.

    It is a function of the commands taken, in their order; `chain` is a hash over all of them and
    stands for the whole memory in the table's digest.
    """

    __slots__ = ("_by_sender", "chain")

    def __init__(self) -> None:
        self._by_sender: dict[str, dict[str, Taken]] = {}
        self.chain = ""

    def copy(self) -> "CommandMemory":
        """Return an independent copy; what each sender has is shared until it changes."""
        twin = CommandMemory()
        twin._by_sender = self._by_sender.copy()
        twin.chain = self.chain
        return twin

    def find(self, sender: str, command_id: str) -> Taken | None:
        """Return the command of this sender and id, or None."""
        return self._by_sender.get(sender, {}).get(command_id)

    def note(self, sender: str, command_id: str, taken: Taken) -> None:
        """Remember a command; the oldest of the sender, and the longest silent sender, go."""
        commands = self._by_sender.pop(sender, {}).copy()
        assert command_id not in commands, f"command {command_id!r} of {sender!r} was taken before"
        commands[command_id] = taken
        if len(commands) > COMMANDS_A_SENDER:
            del commands[next(iter(commands))]
        self._by_sender[sender] = commands  # now the last in the order of senders
        if len(self._by_sender) > SENDERS:
            del self._by_sender[next(iter(self._by_sender))]
        link = "\0".join(
            (
                self.chain,
                sender,
                command_id,
                taken.digest.hex(),
                str(taken.table_seq),
                str(taken.seat),
            )
        )
        self.chain = sha256(link.encode()).hexdigest()
