"""A seat and what belongs to it, as values."""

from typing import NamedTuple


class Reservation(NamedTuple):
    """Money that the wallet is asked to hold; `held` when it does and a hand must end first."""

    reservation_id: str
    amount_minor: int
    expires_at_ms: int
    held: bool = False


class Seat(NamedTuple):
    """A seat that somebody has, or that is held for somebody (then `buy_in` is set, TBL-2).

    stack: chips; of a seat in a hand, what it began the hand with
    taken_seq: the step that took the seat; key_bound: whether cards can be sealed to its player
    newcomer: has not been dealt in since sitting down; post: enters by posting (TBL-15)
    big_missed, small_missed: blinds that passed while absent (TBL-16, TBL-17)
    absent: was sitting out, or had no chips, when the hand in play was opened
    bank_hands: hands dealt in since the last refill of the time bank (CLK-1)
    no_chips_at_ms: since when the stack is empty, 0 while it is not
    """

    seat: int
    player_id: str
    display_name: str
    stack: int = 0
    buy_in: Reservation | None = None
    top_up: Reservation | None = None
    taken_seq: int = 0
    key_bound: bool = False
    connected: bool = False
    sitting_out: bool = False
    leaving: bool = False
    newcomer: bool = True
    post: bool = False
    big_missed: int = 0
    small_missed: bool = False
    absent: bool = False
    bank_ms: int = 0
    bank_hands: int = 0
    always_show: bool = False
    auto_top_up_minor: int = 0
    no_chips_at_ms: int = 0

    @property
    def pending(self) -> bool:
        """Whether the wallet has not answered yet."""
        return self.buy_in is not None

    def asked_for(self) -> list[Reservation]:
        """Return the reservations that the wallet has not answered."""
        return [held for held in (self.buy_in, self.top_up) if held is not None and not held.held]

    @property
    def entering(self) -> bool:
        """Whether the seat has to wait for the big blind or to post before it is dealt in."""
        return self.newcomer or self.big_missed > 0 or self.small_missed

    @property
    def ready(self) -> bool:
        """Whether the seat can be in the next hand (TBL-6)."""
        return (
            not self.pending
            and self.key_bound
            and not self.sitting_out
            and not self.leaving
            and self.stack > 0
        )


class Departed(NamedTuple):
    """What is remembered of a player who left: chips for the rat-hole rule, and the time bank."""

    player_id: str
    left_with: int
    at_ms: int
    bank_ms: int
    bank_hands: int
