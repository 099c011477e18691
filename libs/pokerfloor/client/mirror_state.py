"""What a program knows of a table: plain values, changed only by the modules of this package.

Amounts are whole numbers of what the table plays for: minor units at cash tables.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Self

from pokerfloor.api.common.v1 import money_pb2
from pokerfloor.api.events.v1 import table_events_pb2
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.api.table.v1 import view_pb2
from pokerfloor.cards import Card
from pokerfloor.client.mirror_deck import DeckMirror, PlaceKey
from pokerfloor.games.placement import LayoutRow
from pokerfloor.refusal import Refusal

BOARD, COMMUNITY = 2, 4
"""Kinds of places (floor.common.v1.PlaceKind) that a mirror tells apart, besides OWN."""


def amount_of(amount: money_pb2.Amount) -> int:
    """Return the number of an amount, of whatever kind; 0 when none is set."""
    kind = amount.WhichOneof("kind")
    return 0 if kind is None else int(getattr(amount, kind))


@dataclass(slots=True)
class SeatMirror:
    """A seat. `player_id` is empty while nobody sits there; `stack` is what lies behind."""

    seat: int
    player_id: str = ""
    name: str = ""
    stack: int = 0
    sitting_out: bool = False
    leaving: bool = False
    connected: bool = False
    bank_ms: int = 0


@dataclass(slots=True)
class HandSeatMirror:
    """A seat of the hand. `bet` is what lies in front of it on this street.

    `places` are those of the cards it holds; where only its owner knows which were discarded, they
    stand among them for all others. `changed` counts what was discarded or swapped. In OFC and
    Scoop `laid` is where cards lie for good, by slot and as far as this player may know,
    `tentative` where those of an open turn lie for now; `streets` counts the streets confirmed.
    """

    seat: int
    start: int
    bet: int = 0
    folded: bool = False
    all_in: bool = False
    places: list[PlaceKey] = field(default_factory=list)
    changed: int = 0
    laid: dict[int, LayoutRow] = field(default_factory=dict)
    tentative: dict[int, LayoutRow] = field(default_factory=dict)
    streets: int = 0


@dataclass(slots=True)
class HandMirror:
    """The hand in play.

    `game` are the settings it is played by. `pot_total` is what lies in the pots, `faces` are the
    cards revealed to everyone, `own` those that only this player sees. `won` is by seat,
    `shown_as` the names of hands shown, by seat. `equities` are the newest of an all-in showdown,
    by seat in millionths of the pot.

    In OFC and Scoop several turns may be open: `turns` are their deadlines, by seat.
    `fantasyland` is who plays the hand in Fantasyland, with how many cards, `fantasyland_earned`
    who has earned it; `fouled` are the seats whose layouts are.
    """

    hand_no: int
    deck_no: int
    seats: dict[int, HandSeatMirror]
    street: int = 0
    street_name: str = ""
    pot_total: int = 0
    carried_in: int = 0
    button_before: int = 0
    faces: dict[PlaceKey, Card] = field(default_factory=dict)
    own: dict[PlaceKey, Card] = field(default_factory=dict)
    turn_seat: int = 0
    turn_no: int = 0
    deadline_ms: int = 0
    won: dict[int, int] = field(default_factory=dict)
    shown_as: dict[int, str] = field(default_factory=dict)
    equities: dict[int, int] = field(default_factory=dict)
    game: settings_pb2.GameSettings = field(default_factory=settings_pb2.GameSettings)
    turns: dict[int, int] = field(default_factory=dict)
    fantasyland: dict[int, int] = field(default_factory=dict)
    fantasyland_earned: dict[int, int] = field(default_factory=dict)
    fouled: set[int] = field(default_factory=set)

    @property
    def boards(self) -> int:
        """How many boards have cards."""
        return len({owner for kind, owner, _ in self.faces if kind == BOARD})

    def community_cards(self) -> tuple[Card, ...]:
        """Return the community cards that lie open and are no board (STD-6, MAT-4)."""
        lying = sorted((key, card) for key, card in self.faces.items() if key[0] == COMMUNITY)
        return tuple(card for _, card in lying)

    def up_cards(self, seat: int) -> tuple[Card, ...]:
        """Return the cards that lie open before a seat, in order of slots."""
        places = self.seats[seat].places
        return tuple(self.faces[place] for place in places if place in self.faces)

    @property
    def pot(self) -> int:
        """All that can be won now: the pots and what lies in front of the seats."""
        return self.pot_total + sum(seat.bet for seat in self.seats.values())

    def board(self, number: int = 0) -> tuple[Card, ...]:
        """Return the cards of a board in order of slots."""
        slots = sorted(
            (slot, card)
            for (kind, owner, slot), card in self.faces.items()
            if kind == BOARD and owner == number
        )
        return tuple(card for _, card in slots)


@dataclass(frozen=True, slots=True)
class Winner:
    """Who won how much from the pots. `hand_name` is empty when the hand was not shown."""

    seat: int
    player_id: str
    name: str
    amount: int
    hand_name: str


@dataclass(frozen=True, slots=True)
class LastHand:
    """How the last finished hand ended. `nets` is by seat; a void hand has no winners."""

    hand_no: int
    nets: dict[int, int]
    rake: int
    winners: tuple[Winner, ...]
    board: tuple[Card, ...]
    void_reason: str = ""


class TopUpStage(Enum):
    """How far a top-up is."""

    ASKED = "asked"
    """The wallet has not answered."""
    HELD = "held"
    """The wallet holds it; it arrives when the hand is over (TBL-3)."""
    ADDED = "added"
    """The chips lie in the stack."""
    REFUSED = "refused"
    """It came to nothing."""


@dataclass(frozen=True, slots=True)
class TopUp:
    """The last own top-up; `refused` says why it came to nothing."""

    reservation_id: str
    amount_minor: int
    stage: TopUpStage
    refused: Refusal | None = None


@dataclass(frozen=True, slots=True)
class GameChoice:
    """A choice of the next game that is open: whose it is, among what, until when (MIX-3)."""

    seat: int
    games: tuple[str, ...]
    deadline_ms: int

    @classmethod
    def of(cls, message: table_events_pb2.GameChoiceOpened) -> Self:
        """Read the event, which snapshots show as well."""
        return cls(message.seat, tuple(message.games), message.deadline_ms)


@dataclass(slots=True)
class TableValues:
    """All that a mirror holds of a table.

    `player_id` is whose seat is the own one, empty for spectators. `view_no` numbers the last view
    applied, 0 before the first snapshot. `deck_no` is the highest number of a deck that was seen.
    `hands` counts the hands opened at the table, `bomb_votes` are the seats that agree to a bomb
    pot, `carried_pot` is what is carried to the next hand and lies in none now,
    `own_hands_finished` those that this player was dealt into while the mirror watched.
    `readiness` is who is asked to be ready, and has said so (TBL-6); `match_no` the match that is
    played (OFC-6), 0 for none. At a table of several games `game_choice` is the choice of the next
    one that is open, and `next_game` the game of the next hand, or of the one in play, once it is
    known (MIX-3). `refused_buy_in` says why the last own buy-in came to nothing, None when it did
    not. It and `top_up` are of this player only; a snapshot does not tell them, so they are None
    after one.
    """

    table_id: str
    player_id: str = ""
    view_no: int = 0
    settings: settings_pb2.TableSettings = field(default_factory=settings_pb2.TableSettings)
    state: int = view_pb2.TABLE_STATE_UNSPECIFIED
    seats: dict[int, SeatMirror] = field(default_factory=dict)
    button: int = 0
    hands: int = 0
    hand: HandMirror | None = None
    deck: DeckMirror | None = None
    deck_no: int = 0
    own_seat: int = 0
    your_turn: view_pb2.YourTurn | None = None
    last_hand: LastHand | None = None
    own_hands_finished: int = 0
    refused_buy_in: Refusal | None = None
    top_up: TopUp | None = None
    bomb_votes: set[int] = field(default_factory=set)
    carried_pot: int = 0
    readiness: dict[int, bool] = field(default_factory=dict)
    match_no: int = 0
    game_choice: GameChoice | None = None
    next_game: str = ""
    last_step_at_ms: int = 0

    @property
    def asks_ready(self) -> bool:
        """Whether the own seat is asked to be ready, and has not said so."""
        return self.readiness.get(self.own_seat) is False

    @property
    def asks_game(self) -> bool:
        """Whether the own seat is asked to choose the next game."""
        choice = self.game_choice
        return choice is not None and choice.seat == self.own_seat != 0

    def take_deck(self, deck_no: int, hand_no: int = 0, *, reserves: bool = False) -> DeckMirror:
        """Begin a deck that was not seen before. Raises ProofFailed for a number used before."""
        deck = DeckMirror(self.table_id, deck_no, hand_no)
        if deck_no <= self.deck_no:
            deck.fail("deck", f"deck {self.deck_no} was in use already")
        deck.reserves = reserves
        self.deck, self.deck_no = deck, deck_no
        return deck
