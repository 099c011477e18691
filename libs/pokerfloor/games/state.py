"""The state of a betting hand, built by applying its events (see `apply`)."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeAlias

from pokerfloor.cards import DECKS, Card
from pokerfloor.games.betting_round import BettingRound
from pokerfloor.games.dealt_cards import DealtCards
from pokerfloor.games.events import (
    Event,
    HandMucked,
    HandShown,
    PotAwarded,
    PotCarried,
    RakeTaken,
    SeatResult,
)
from pokerfloor.games.places import Place, seat_places
from pokerfloor.games.rows import GameRow
from pokerfloor.games.setup import HandSetup
from pokerfloor.games.showdown import Pot

NOBODY: Final = -1


_PARTS: Final = (
    "all_in_showdown",
    "antes",
    "awards",
    "best_exposed",
    "bets",
    "brought",
    "can_act",
    "cards",
    "carried",
    "carried_in",
    "chip",
    "choice_streets",
    "clockwise",
    "community_dealt",
    "dead",
    "down",
    "ended",
    "folded",
    "from_button",
    "in_hand",
    "journal",
    "live",
    "pot_total",
    "mucked",
    "opener",
    "hole_by_street",
    "index_of",
    "pots",
    "pots_stale",
    "rake",
    "raked",
    "redeals",
    "results",
    "round",
    "seats",
    "setup",
    "showdown_order",
    "shown",
    "split",
    "stacks",
    "starts",
    "street",
    "street_no",
    "swap_open",
    "to_choose",
    "turn",
    "turn_no",
    "up",
    "up_slots",
    "voided",
)


class HandState:
    """The state of a hand. Lists are by seat index: the seats dealt in, in seat order.

    Only `apply` changes it.

    stacks, bets: chips behind, and in front on this street
    antes, dead, live: chips collected in the hand, by kind
    pot_total: all chips in the pots
    index_of: seat indexes by seat number
    in_hand, can_act: how many seats have not folded, and how many of those have chips behind
    from_button: seat indexes clockwise from the left of the button
    clockwise: by seat index, all indexes from the next one round to itself
    to_choose: indexes of the seats that have discards or a facing to choose on this street, in turn
    down: by seat index, the slot of the down card, in games with facings; else empty
    street: the row of the current street; the first one before the hand begins
    hole_by_street: how many hole cards each seat has been dealt after each street
    choice_streets: the numbers of the streets on which seats choose discards or a facing
    up_slots: the slots that are always dealt face up
    up: by seat index, the up cards, in games where they always have the same slots; else empty
    best_exposed: a cache: index and strength of the best exposed hand, with the numbers of faces
        and of seats still in for which it holds; not part of the state
    opener: the seat announced to open this street, or NOBODY
    swap_open: whether cards may be swapped on this street
    redeals: how often the hand has been dealt again
    community_dealt: whether a community card replaced the last hole cards
    brought: all chips brought in by the seats and a carried pot, less what was carried on
    split: the seats asked to split, each with its answer or None
    carried: the pots carried to the next hand
    journal: events applied since it was last cleared; not part of the state
    """

    __slots__ = _PARTS
    from_button: tuple[int, ...]

    def __init__(self, setup: HandSetup) -> None:
        self.setup = setup
        self.seats = tuple([seat for seat, _ in setup.seats])
        self.starts = tuple([stack for _, stack in setup.seats])
        self.index_of, self.from_button, self.clockwise = _seating(self.seats, setup.button)
        self.brought = sum(self.starts)
        self.chip = setup.settings.smallest_chip_minor

        count = len(self.seats)
        self.stacks = list(self.starts)
        self.bets = [0] * count
        self.antes = [0] * count
        self.dead = [0] * count
        self.live = [0] * count
        self.pot_total = 0
        self.pots: tuple[Pot, ...] = ()
        self.pots_stale = False
        self.rake: RakeTaken | None = None
        self.raked = 0
        self.awards: tuple[PotAwarded, ...] = ()

        self.folded = [False] * count
        self.in_hand = count
        self.can_act = count
        self.street_no = NOBODY
        self.street = setup.game.streets[0]
        self.round = BettingRound(setup)
        self.turn = NOBODY
        self.turn_no = 0
        self.to_choose: tuple[int, ...] = ()
        self.hole_by_street, self.choice_streets, self.up_slots, down = _row_facts(setup.game)
        self.down = (down,) * count if down else ()
        self.opener = NOBODY
        self.best_exposed = (NOBODY, 0, NOBODY, NOBODY)
        always_up = self.up_slots and not self.down
        self.up: list[list[Card]] = [[] for _ in self.seats] if always_up else []
        self.swap_open = False
        self.community_dealt = False
        self.redeals = 0
        self.cards = DealtCards(setup.game.boards, len(DECKS[setup.game.deck]))

        self.showdown_order: tuple[int, ...] = ()
        self.all_in_showdown = False
        self.shown: tuple[HandShown, ...] = ()
        self.mucked: tuple[HandMucked, ...] = ()
        self.split: tuple[tuple[int, bool | None], ...] = ()
        self.carried_in = 0
        self.carried: tuple[PotCarried, ...] = ()
        self.results: tuple[SeatResult, ...] = ()
        self.ended = False
        self.voided = ""
        self.journal: list[Event] = []

    def copy(self) -> "HandState":
        """Return an independent copy."""
        twin = HandState(self.setup)
        for name in _PARTS:
            setattr(twin, name, getattr(self, name))
        for name in ("stacks", "bets", "antes", "dead", "live", "folded"):
            setattr(twin, name, getattr(self, name).copy())
        twin.round = self.round.copy()
        twin.cards = self.cards.copy()
        twin.up = [cards.copy() for cards in self.up]
        twin.journal = []
        return twin

    def take(self, index: int, amount: int) -> None:
        """Take chips from a stack; the caller adds them elsewhere."""
        stack = self.stacks[index] - amount
        assert stack >= 0, f"seat {self.seats[index]} cannot pay {amount}"
        self.stacks[index] = stack
        if amount and not stack:
            self.can_act -= 1

    def hole_dealt(self) -> int:
        """Return how many hole cards each seat still in has been dealt, not counting draws."""
        return self.hole_by_street[self.street_no] - self.community_dealt

    def hole_places(self, seat: int) -> tuple[Place, ...]:
        """Return the hole places that a seat holds, in the order dealt."""
        held = self.cards.held.get(seat)
        if held is not None:
            return held
        places = seat_places(seat, self.hole_dealt())
        if self.to_choose:  # a seat that has not chosen a facing yet has not got its card
            return tuple([place for place in places if place in self.cards.places])
        return places

    def up_cards(self, index: int) -> list[Card]:
        """Return the cards dealt face up to a seat, even if all its cards are revealed by now.

        Only for games with up cards; none of these has discards.
        """
        if self.up:
            return self.up[index]
        faces, places = self.cards.faces, self.hole_places(self.seats[index])
        down = self.down[index]
        return [faces[place] for place in places if place.slot != down and place in faces]

    def shows_open_pair(self) -> bool:
        """Return whether a seat still in shows two cards of one rank (STD-4)."""
        for index, gone in enumerate(self.folded):
            ranks = [] if gone else [card >> 2 for card in self.up_cards(index)]
            if len(set(ranks)) < len(ranks):
                return True
        return False

    def contributed(self) -> list[int]:
        """Return what each seat has put into the pots so far, without returned bets."""
        return [
            ante + dead + live
            for ante, dead, live in zip(self.antes, self.dead, self.live, strict=True)
        ]

    def canonical(self) -> tuple[object, ...]:
        """Return the whole state as nested tuples of numbers, words and None."""
        return (
            tuple(self.stacks),
            tuple(self.bets),
            tuple(self.antes),
            tuple(self.dead),
            tuple(self.live),
            self.pot_total,
            self.pots,
            int(self.pots_stale),
            self.rake or (),
            self.awards,
            tuple([int(gone) for gone in self.folded]),
            self.street_no,
            self.turn,
            self.turn_no,
            self.round.canonical(),
            self.cards.canonical(),
            self.showdown_order,
            int(self.all_in_showdown),
            self.shown,
            self.mucked,
            self.results,
            int(self.ended),
            self.voided,
            *((self.to_choose,) if self.to_choose else ()),
            *((f"redealt {self.redeals}",) if self.redeals else ()),
            *((f"opened by {self.opener}",) if self.opener != NOBODY else ()),
            *((("down", *self.down),) if self.down else ()),
            *(
                (("carried", self.carried_in, self.carried),)
                if self.carried_in or self.carried
                else ()
            ),
            *((("split", *self.split),) if self.split else ()),
        )


class _RowFacts(NamedTuple):
    hole_by_street: tuple[int, ...]
    choice_streets: frozenset[int]
    up_slots: frozenset[int]
    down_slot: int


@lru_cache
def _row_facts(game: GameRow) -> _RowFacts:
    """Return the facts of a row that every hand of the game needs."""
    return _RowFacts(
        game.hole_cards_by_street(), game.choice_streets(), game.up_slots(), game.down_slot()
    )


class _Seating(NamedTuple):
    index_of: Mapping[int, int]
    from_button: tuple[int, ...]
    clockwise: tuple[tuple[int, ...], ...]


@lru_cache(maxsize=4096)  # repeats each time the button comes round
def _seating(seats: tuple[int, ...], button: int) -> _Seating:
    """Return seat indexes and orders of play; see `HandState`."""
    left = [index for index, seat in enumerate(seats) if seat > button]
    return _Seating(
        {seat: index for index, seat in enumerate(seats)},
        (*left, *range(len(seats) - len(left))),
        _clockwise(len(seats)),
    )


@lru_cache
def _clockwise(count: int) -> tuple[tuple[int, ...], ...]:
    """Return for each seat index all indexes from the next one round to itself."""
    return tuple([(*range(p + 1, count), *range(p + 1)) for p in range(count)])


# By type of event, the function that applies it to a state.
Appliers: TypeAlias = Mapping[type[Any], Callable[[HandState, Any], None]]
