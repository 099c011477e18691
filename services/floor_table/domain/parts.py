"""The parts of a table's table, as values that are replaced and never changed."""

from typing import NamedTuple

from pokerfloor.api.events.v1.hand_events_pb2 import EquityShown
from pokerfloor.api.events.v1.table_events_pb2 import HandBegan
from pokerfloor.tablelog import HandContext

# --- seats


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
    absent: was sitting out, or had no chips, when the hand in play began
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

    def unanswered(self) -> list[Reservation]:
        """Return the reservations that the wallet has not answered."""
        return [held for held in (self.buy_in, self.top_up) if held is not None and not held.held]


class Departed(NamedTuple):
    """What is remembered of a player who left: chips for the rat-hole rule, and the time bank."""

    player_id: str
    left_with: int
    at_ms: int
    bank_ms: int
    bank_hands: int


class ReadyCheck(NamedTuple):
    """A seat that is asked whether it is ready, until when, and whether it has said so (TBL-6)."""

    seat: int
    deadline_ms: int
    ready: bool = False


class Readiness(NamedTuple):
    """Who is asked; `agreed` while play goes on, so that nobody need be asked."""

    agreed: bool = False
    checks: tuple[ReadyCheck, ...] = ()

    def of(self, seat: int) -> ReadyCheck | None:
        """Return what is asked of a seat, None when nothing is."""
        return next((one for one in self.checks if one.seat == seat), None)

    def with_check(self, check: ReadyCheck) -> "Readiness":
        """Return this with what a seat is asked, or has said."""
        others = [one for one in self.checks if one.seat != check.seat]
        return self._replace(checks=tuple(sorted([*others, check])))

    def without(self, seat: int) -> "Readiness":
        """Return this with a seat asked nothing."""
        return self._replace(checks=tuple([one for one in self.checks if one.seat != seat]))


# --- between hands


class LastHand(NamedTuple):
    """What the next hand's button follows from.

    `dealt` are the seats of the last hand with their players; `big_player` posted its big blind.
    `drawn` means that `button` was drawn (TBL-10) and no hand has been played with it. The blinds'
    seats are 0 where there were none.
    """

    button: int = 0
    small: int = 0
    big: int = 0
    big_player: str = ""
    dealt: tuple[tuple[int, str], ...] = ()
    drawn: bool = False


class Draw(NamedTuple):
    """A draw under way: for the first button by `seats` (TBL-10), or for the next game (MIX-3).

    `cards` is how many cards a draw for a game turns up, 0 for the button.
    """

    deck_no: int
    seats: tuple[int, ...]
    began_seq: int
    root: bytes = b""
    cards: int = 0

    def canonical(self) -> tuple[object, ...]:
        """Return it as numbers and words."""
        return (*self[:3], self.root.hex(), self.cards)


class Mix(NamedTuple):
    """The next game of several, and how it is found (MIX); games by the names a mix gives them.

    chosen: the game of the next hand, or of the one in play; "" while it is not known
    last: the game of the last hand that counts
    seat, deadline_ms: who chooses the next game, and until when; 0 while nobody does
    button: where the button went for a choice, until a hand is played to its end; 0 else
    """

    chosen: str = ""
    last: str = ""
    seat: int = 0
    deadline_ms: int = 0
    button: int = 0


class CarriedPot(NamedTuple):
    """A pot that the last hand left (MAT-6).

    `claims` are the seats with their players whose it is where only the same players have a claim,
    `showdown` those of the last showdown from the left of the button; `since_ms` when it ended.
    """

    amount: int
    claims: tuple[tuple[int, str], ...]
    showdown: tuple[tuple[int, str], ...]
    since_ms: int


class ClosedDeck(NamedTuple):
    """A deck that has ended; `void_reason` is empty when it is settled."""

    deck_no: int
    void_reason: str
    cause_seq: int


class Match(NamedTuple):
    """A match that is being played (OFC-6).

    seats: who plays the next hand of it: dealt into its last one, and with points
    owed: the Fantasyland that the next hand is played with, as (seat, cards)
    hands: its hands that were scored
    """

    match_no: int
    seats: tuple[int, ...] = ()
    owed: tuple[tuple[int, int], ...] = ()
    hands: int = 0

    @property
    def goes_on(self) -> bool:
        """Whether another hand belongs to it."""
        return bool(self.owed) and len(self.seats) >= 2


class Circle(NamedTuple):
    """A circle that nobody joins: its players as (seat, player), and how many matches are left."""

    players: tuple[tuple[int, str], ...] = ()
    left: int = 0


class Matches(NamedTuple):
    """All that a table knows of its matches. `begun` is how many have."""

    begun: int = 0
    match: Match | None = None
    circle: Circle = Circle()


# --- in a hand


class HandRecord(NamedTuple):
    """What the table knows of a hand besides the hand itself.

    The `*_seq` are numbers of steps, 0 for none yet: the one that began the hand, those that dealt
    cards to seats, the last one that ordered a reveal or a showdown, those that reshuffled the
    deck, and the last one that revealed cards. `later_roots` are of the generations after the
    first. `digest` is of `began`. `equity` is the newest of an all-in showdown.
    """

    began: HandBegan
    context: HandContext
    digest: str
    began_seq: int
    root: bytes = b""
    dealt_seqs: tuple[int, ...] = ()
    ordered_seq: int = 0
    reshuffled_seqs: tuple[int, ...] = ()
    later_roots: tuple[bytes, ...] = ()
    revealed_seq: int = 0
    equity: EquityShown | None = None
    equity_digest: str = ""

    @property
    def shuffling(self) -> int:
        """The generation whose root is not known yet, 0 for none (DRW-5)."""
        known = len(self.later_roots)
        return known + 1 if known < len(self.reshuffled_seqs) else 0

    def canonical(self) -> tuple[object, ...]:
        """Return it as numbers and words; messages stand as their digests."""
        return (
            *(self.digest, self.began_seq, self.root.hex(), self.dealt_seqs, self.ordered_seq),
            *(self.reshuffled_seqs, [root.hex() for root in self.later_roots]),
            *(self.revealed_seq, self.equity_digest),
        )


class TurnClock(NamedTuple):
    """The clock of the turn: base time to `deadline_ms`, then `bank_ms` more; CLK-1."""

    seat: int
    turn_no: int
    deadline_ms: int
    bank_ms: int
    bank_running: bool = False

    @property
    def ends_ms(self) -> int:
        """The last moment at which an action arrives in time."""
        return self.deadline_ms + self.bank_ms


class PlacementRecord(NamedTuple):
    """What belongs to the placement hand in play besides the hand itself.

    base_left_ms: what is left of the base time of a seat that has used some of it (OFC-40)
    set_by_time: seats whose whole hand is set for them, because they are away (OFC-41)
    moves: cards moved in the open in the turn that is open (OFC-3)
    """

    base_left_ms: tuple[tuple[int, int], ...] = ()
    set_by_time: tuple[int, ...] = ()
    moves: int = 0

    def left_ms(self, seat: int, base_ms: int) -> int:
        """Return what a seat has left of a base time of `base_ms`."""
        return dict(self.base_left_ms).get(seat, base_ms)

    def with_left(self, seat: int, left_ms: int) -> "PlacementRecord":
        """Return this with what a seat has left."""
        left = {**dict(self.base_left_ms), seat: left_ms}
        return self._replace(base_left_ms=tuple(sorted(left.items())))
