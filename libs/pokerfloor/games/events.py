"""The events of a hand. Its state is built by applying them and depends on nothing else.

All amounts are in minor units. "To" is the total in front of a seat on the street, "by" is what
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
    """Why cards are revealed. The shuffler checks each reveal against it."""

    BOARD = "board"  # board or community cards; everybody sees them
    ALL_IN = "all_in"  # no more betting: all live hands are exposed (BET-2) to everybody
    SHOWDOWN = "showdown"  # hands in a showdown; only the showdown service may ask
    UP_CARD = "up_card"  # cards dealt face up to a seat (STD-1); everybody sees them
    CHOSEN = "chosen"  # shown by the player's choice (SHW-3); everybody sees them
    PLACEMENT = "placement"  # cards set in a layout (OFC-3, SCP-2); everybody sees them


class StreetBegan(NamedTuple):
    """A street begins; `street_no` counts from 0."""

    street_no: int
    name: str


class ForcedBetPosted(NamedTuple):
    """A forced bet as posted: `amount` is what the stack allowed (TBL-14).

    Only a big blind can be posted with 0; the others still owe it in full.
    """

    seat: int
    kind: ForcedKind
    amount: int
    all_in: bool


class PlacesDealt(NamedTuple):
    """Cards dealt face down in dealing order; place k has the deck index first_index + k."""

    places: tuple[Place, ...]
    generation: int
    first_index: int


class OpenerAnnounced(NamedTuple):
    """Which seat opens a street by its exposed cards, and why, in words (STD-2, STD-3, MAT-2).

    If that seat is all-in, the next seat that can act opens, and `reason` says so.
    """

    seat: int
    reason: str


class TurnBegan(NamedTuple):
    """A seat's turn, to act or to choose; `turn_no` counts from 1 through the hand."""

    seat: int
    turn_no: int


class ActionTaken(NamedTuple):
    """A betting action of a seat; `kind` is never ALL_IN."""

    seat: int
    turn_no: int
    kind: ActKind
    to: int
    by: int
    all_in: bool


class CardsSwapped(NamedTuple):
    """A seat swaps the hole cards at `slots` for new ones (SWP-1); everybody sees which."""

    seat: int
    slots: tuple[int, ...]
    street_no: int


class CardsDrawn(NamedTuple):
    """A seat discards the hole cards at `slots` and draws; others see only how many (DRW-4)."""

    seat: int
    turn_no: int
    slots: tuple[int, ...]


class FacingChosen(NamedTuple):
    """A seat chooses how its next card comes; down reveals its earlier down card (MAT-3)."""

    seat: int
    turn_no: int
    face_down: bool


class DeckReshuffled(NamedTuple):
    """The cards at these places are reshuffled into the next generation of the deck (DRW-5)."""

    generation: int
    places: tuple[Place, ...]


class HandRedealt(NamedTuple):
    """All have checked: cards are collected, the button moves, antes are posted again (DRW-3)."""

    button: int
    pot: int


class CarriedPotAdded(NamedTuple):
    """A pot carried over from earlier hands joins this hand's pots (MAT-6)."""

    amount: int


class BetReturned(NamedTuple):
    """The uncalled part of a bet returns to its seat's stack (POT-2)."""

    seat: int
    amount: int


class BetsCollected(NamedTuple):
    """All pots as they are now, not just what was added (POT-1)."""

    pots: tuple[Pot, ...]


class RevealOrdered(NamedTuple):
    """These places are to be revealed, for this reason."""

    reason: RevealReason
    places: tuple[Place, ...]


class CardsRevealed(NamedTuple):
    """Faces that everybody knows from now on."""

    cards: tuple[tuple[Place, Card], ...]


class ShowdownBegan(NamedTuple):
    """The pots are final; `order` is the order of showing."""

    order: tuple[int, ...]
    pots: tuple[Pot, ...]


class HandShown(NamedTuple):
    """A seat's hand at the showdown, ranked on each board."""

    seat: int
    cards: tuple[tuple[Place, Card], ...]
    ranks: tuple[HandRank, ...]


class HandMucked(NamedTuple):
    """A seat mucks its hand at the showdown; its cards stay unknown."""

    seat: int


class SplitProposed(NamedTuple):
    """No hand qualifies for some pot, so all seats of the showdown are asked to split it (MAT-6).

    If all agree, such pots are split among the seats that could have won them.
    """

    seats: tuple[int, ...]


class SplitAnswered(NamedTuple):
    """A seat answers a proposed split; no answer in time counts as no (MAT-6)."""

    seat: int
    agrees: bool


class RakeTaken(NamedTuple):
    """Rake leaves the pots: `by_pot` in the order of pots, `by_seat` as (seat, share) (POT-11)."""

    total: int
    by_pot: tuple[int, ...]
    by_seat: tuple[tuple[int, int], ...]


class PotAwarded(NamedTuple):
    """A seat wins an amount from a part of a pot. WHOLE: won without a showdown (POT-3)."""

    pot_no: int
    board: int
    half: Half
    seat: int
    amount: int


class PotCarried(NamedTuple):
    """A pot that no hand qualified for is carried to the next hand, unraked (MAT-6).

    `seats` can win it if only the same players have a claim (MAT-7), else empty.
    """

    pot_no: int
    amount: int
    seats: tuple[int, ...]


class SeatResult(NamedTuple):
    """A seat's stack before and after: `end` - `start` = `net`; `rake` is its share of the rake."""

    seat: int
    start: int
    end: int
    net: int
    rake: int


class HandEnded(NamedTuple):
    """The hand is over and paid: nets + rake + `carried_out` - `carried_in` is zero.

    `carried_in` came from earlier hands, `carried_out` goes to the next one (MAT-6).
    """

    seats: tuple[SeatResult, ...]
    rake: int
    carried_in: int = 0
    carried_out: int = 0


class HandVoided(NamedTuple):
    """The hand is void; every chip returns to where it was when the hand began.

    A pot that was carried in is carried on in full, with the same claims.
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
