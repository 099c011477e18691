"""What happens in a hand. The state of a hand is the fold of these and nothing else.

Every amount is in minor units. "To" is the total in front of a seat on the street, "by" is what
moved from its stack.
"""

from enum import StrEnum
from typing import NamedTuple, TypeAlias

from pokerfloor.cards import Card
from pokerfloor.games.inputs import ActKind
from pokerfloor.games.places import Place
from pokerfloor.games.rows import Half
from pokerfloor.games.setup import ForcedKind
from pokerfloor.games.showdown import HandRank, Pot


class RevealReason(StrEnum):
    """Why the rules open cards: what the shuffler checks an opening against."""

    BOARD = "board"  # board cards due; everybody sees them
    ALL_IN = "all_in"  # no more betting: every live hand is exposed (BET-2); everybody sees them
    SHOWDOWN = "showdown"  # hands that go to a showdown; only the showdown service may ask
    UP_CARD = "up_card"  # hole cards dealt face up (STD-1); everybody sees them
    CHOSEN = "chosen"  # shown by its owner's choice (SHW-3); everybody sees it
    PLACEMENT = "placement"  # hole cards laid out for good (OFC-3, SCP-2); everybody sees them


class StreetBegan(NamedTuple):
    """A street begins; `street_no` counts from 0, pre-flop."""

    street_no: int
    name: str


class ForcedBetPosted(NamedTuple):
    """A forced bet as posted: `amount` is what the stack allowed (TBL-14).

    Only a big blind can be posted with 0: it is owed in full by the others even so.
    """

    seat: int
    kind: ForcedKind
    amount: int
    all_in: bool


class PlacesDealt(NamedTuple):
    """Cards dealt face down, in dealing order: place k has the deck index first_index + k."""

    places: tuple[Place, ...]
    generation: int
    first_index: int


class OpenerAnnounced(NamedTuple):
    """Who starts on a street by what lies open, and why, for people (STD-2, STD-3, MAT-2).

    If the seat that ought to is all-in, it is the next that can act, and `reason` says so.
    """

    seat: int
    reason: str


class TurnBegan(NamedTuple):
    """A seat's turn, to act or to choose; `turn_no` counts from 1 through the hand."""

    seat: int
    turn_no: int


class ActionTaken(NamedTuple):
    """What a seat did; `kind` is never ALL_IN."""

    seat: int
    turn_no: int
    kind: ActKind
    to: int
    by: int
    all_in: bool


class CardsSwapped(NamedTuple):
    """A seat swaps the hole cards at `slots` for the next of the deck (SWP-1); all see which."""

    seat: int
    slots: tuple[int, ...]
    street_no: int


class CardsDrawn(NamedTuple):
    """A seat discards the hole cards at `slots` and draws; the others see how many (DRW-4)."""

    seat: int
    turn_no: int
    slots: tuple[int, ...]


class FacingChosen(NamedTuple):
    """A seat says how its next card comes; down turns the earlier down card up (MAT-3)."""

    seat: int
    turn_no: int
    face_down: bool


class DeckReshuffled(NamedTuple):
    """The cards at these places are shuffled together into the deck's next generation (DRW-5)."""

    generation: int
    places: tuple[Place, ...]


class HandRedealt(NamedTuple):
    """All have checked: the cards are collected, the button moves on, antes are posted (DRW-3)."""

    button: int
    pot: int


class CarriedPotAdded(NamedTuple):
    """A pot carried from earlier hands lies in this hand's main pot from here on (MAT-6)."""

    amount: int


class BetReturned(NamedTuple):
    """The part of a bet that nobody called goes back to its seat's stack (POT-2)."""

    seat: int
    amount: int


class BetsCollected(NamedTuple):
    """The pots as they are now; all of them, not what was added (POT-1)."""

    pots: tuple[Pot, ...]


class RevealOrdered(NamedTuple):
    """These places are to be opened, for this reason."""

    reason: RevealReason
    places: tuple[Place, ...]


class CardsRevealed(NamedTuple):
    """Faces that everybody now knows."""

    cards: tuple[tuple[Place, Card], ...]


class ShowdownBegan(NamedTuple):
    """The pots are final; `order` is the order of showing."""

    order: tuple[int, ...]
    pots: tuple[Pot, ...]


class HandShown(NamedTuple):
    """A seat's hand at the showdown, and what it is on each board."""

    seat: int
    cards: tuple[tuple[Place, Card], ...]
    ranks: tuple[HandRank, ...]


class HandMucked(NamedTuple):
    """A seat gives up its hand at the showdown; its cards stay unknown."""

    seat: int


class SplitProposed(NamedTuple):
    """Some pot has no hand that qualifies: these seats, all of the showdown, are asked (MAT-6).

    They may split such pots among those that could have won them, if all of them agree.
    """

    seats: tuple[int, ...]


class SplitAnswered(NamedTuple):
    """One of the seats asked answers, or has said nothing in time, which is no (MAT-6)."""

    seat: int
    agrees: bool


class RakeTaken(NamedTuple):
    """Rake leaves the pots: by pot in the order of pots, and by seat as (seat, share) (POT-11)."""

    total: int
    by_pot: tuple[int, ...]
    by_seat: tuple[tuple[int, int], ...]


class PotAwarded(NamedTuple):
    """A seat gets an amount out of a part of a pot. WHOLE: won without a showdown (POT-3)."""

    pot_no: int
    board: int
    half: Half
    seat: int
    amount: int


class PotCarried(NamedTuple):
    """A pot that no hand qualified for goes on to the next hand, unraked (MAT-6).

    `seats` are those that have a claim on it where only the same players have one (MAT-7).
    """

    pot_no: int
    amount: int
    seats: tuple[int, ...]


class SeatResult(NamedTuple):
    """What a seat had, has and paid: `end` - `start` = `net`; `rake` is its share of the rake."""

    seat: int
    start: int
    end: int
    net: int
    rake: int


class HandEnded(NamedTuple):
    """The hand is over and paid: nets + rake + `carried_out` - `carried_in` is zero.

    `carried_in` is what came in from earlier hands, `carried_out` what is carried on (MAT-6).
    """

    seats: tuple[SeatResult, ...]
    rake: int
    carried_in: int = 0
    carried_out: int = 0


class HandVoided(NamedTuple):
    """The hand is void; every chip is back where it was when the hand began.

    A carried pot that came in is carried on, in full and with the same claims.
    """

    reason: str


Event: TypeAlias = (
    StreetBegan
    | ForcedBetPosted
    | PlacesDealt
    | OpenerAnnounced
    | TurnBegan
    | ActionTaken
    | CardsSwapped
    | CardsDrawn
    | FacingChosen
    | DeckReshuffled
    | HandRedealt
    | CarriedPotAdded
    | BetReturned
    | BetsCollected
    | RevealOrdered
    | CardsRevealed
    | ShowdownBegan
    | HandShown
    | HandMucked
    | SplitProposed
    | SplitAnswered
    | RakeTaken
    | PotAwarded
    | PotCarried
    | HandEnded
    | HandVoided
)
