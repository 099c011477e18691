"""How long a call may take."""

from typing import Final, Protocol

# Kept from the caller's deadline, so that an answer still arrives within it.
_ANSWER_S: Final = 0.05


class CallContext(Protocol):
    """What is used of gRPC's context."""

    def time_remaining(self) -> float | None:
        """Return the seconds until the caller's deadline, None without one."""
        ...


def budget_s(context: CallContext, timeout_s: float) -> float:
    """Return the time for a call: the caller's deadline less the time for the answer, or less."""
    remaining_s = context.time_remaining()
    return timeout_s if remaining_s is None else min(timeout_s, remaining_s - _ANSWER_S)
