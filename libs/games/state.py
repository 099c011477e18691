"""The state of a hand: the fold of its events, with what must hold checked after each of them."""

from collections.abc import Callable
from typing import Any, Final

from libs.cards import DECKS, Card, rank_of
from libs.games.betting_round import BettingRound
from libs.games.dealt_cards import DealtCards
from libs.games.events import (
    ActionTaken,
    BetReturned,
    BetsCollected,
    CardsExchanged,
    CardsSwapped,
    CardsTurnedUp,
    DeckReshuffled,
    Event,
    ForcedBetPosted,
    HandEnded,
    HandMucked,
    HandRedealt,
    HandShown,
    HandVoided,
    OpeningDue,
    OpeningReason,
    PlacesDealt,
    PotAwarded,
    RakeTaken,
    SeatResult,
    ShowdownBegan,
    StreetBegan,
    TurnBegan,
)
from libs.games.inputs import ActKind
from libs.games.places import Place, PlaceKind, own_places
from libs.games.rows import BetTier, Structure
from libs.games.setup import ForcedKind, HandSetup
from libs.games.showdown import Pot

NOBODY: Final = -1


class HandState:
    """All that is known of a hand. Lists are by position: the seats dealt in, in seat order.

    Only `apply` changes it. An event that cannot be true of this hand (chips that do not add up, a
    place dealt twice, a gap in the deck) fails an assertion, and the state must not be used again.

    stacks, bets: chips behind, and in front on this street
    antes, dead, live: what has gone to the middle in the hand, by kind; `middle` is what lies there
    in_hand, can_act: how many seats have not folded, and how many of those have chips behind
    from_button: positions clockwise from the left of the button
    to_exchange: positions whose exchange is still to come on this street, in turn
    swap_open: whether cards may be swapped on this street
    redeals: how often the hand has been dealt again
    common: whether a common card was dealt in place of the last own ones
    journal: events applied since it was last cleared; no part of the state
    """

    __slots__ = (
        "all_in_showdown",
        "antes",
        "awards",
        "bets",
        "brought",
        "can_act",
        "cards",
        "chip",
        "common",
        "dead",
        "ended",
        "folded",
        "from_button",
        "in_hand",
        "journal",
        "live",
        "middle",
        "mucked",
        "position_of",
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
        "stacks",
        "starts",
        "street_no",
        "swap_open",
        "to_exchange",
        "turn",
        "turn_no",
        "voided",
    )
    from_button: tuple[int, ...]

    def __init__(self, setup: HandSetup) -> None:
        self.setup = setup
        self.seats = tuple([seat for seat, _ in setup.seats])
        self.starts = tuple([stack for _, stack in setup.seats])
        self.position_of = {seat: position for position, seat in enumerate(self.seats)}
        left = [p for p, seat in enumerate(self.seats) if seat > setup.button]
        self.from_button = (*left, *range(len(self.seats) - len(left)))
        self.brought = sum(self.starts)
        self.chip = setup.settings.smallest_chip_minor

        count = len(self.seats)
        self.stacks = list(self.starts)
        self.bets = [0] * count
        self.antes = [0] * count
        self.dead = [0] * count
        self.live = [0] * count
        self.middle = 0
        self.pots: tuple[Pot, ...] = ()
        self.pots_stale = False
        self.rake: RakeTaken | None = None
        self.raked = 0
        self.awards: tuple[PotAwarded, ...] = ()

        self.folded = [False] * count
        self.in_hand = count
        self.can_act = count
        self.street_no = NOBODY
        self.round = BettingRound(setup)
        self.turn = NOBODY
        self.turn_no = 0
        self.to_exchange: tuple[int, ...] = ()
        self.swap_open = False
        self.common = False
        self.redeals = 0
        self.cards = DealtCards(setup.game.boards, len(DECKS[setup.game.deck]))

        self.showdown_order: tuple[int, ...] = ()
        self.all_in_showdown = False
        self.shown: tuple[HandShown, ...] = ()
        self.mucked: tuple[HandMucked, ...] = ()
        self.results: tuple[SeatResult, ...] = ()
        self.ended = False
        self.voided = ""
        self.journal: list[Event] = []

    def copy(self) -> "HandState":
        """Return an independent copy."""
        twin = object.__new__(HandState)
        for name in HandState.__slots__:
            setattr(twin, name, getattr(self, name))
        for name in ("stacks", "bets", "antes", "dead", "live", "folded"):
            setattr(twin, name, getattr(self, name).copy())
        twin.round = self.round.copy()
        twin.cards = self.cards.copy()
        twin.journal = []
        return twin

    def apply(self, event: Event) -> None:
        """Fold one event in. Chips are counted after each (POT-5)."""
        _FOLDS[type(event)](self, event)
        chips = sum(self.stacks, sum(self.bets, self.middle + self.raked))
        assert chips == self.brought, f"{chips} chips after {event}, {self.brought} were brought"
        self.journal.append(event)

    def pay_in_front(self, position: int, amount: int) -> None:
        """Move chips from a stack to the place in front of it."""
        stack = self.stacks[position] - amount
        assert stack >= 0, f"position {position} pays {amount} too much"
        self.stacks[position] = stack
        self.bets[position] += amount
        if amount and not stack:
            self.can_act -= 1

    def own_dealt(self) -> int:
        """Return how many own cards each seat in the hand has been dealt, exchanges left out."""
        return self.setup.game.own_cards_dealt(self.street_no) - self.common

    def own_places(self, seat: int) -> tuple[Place, ...]:
        """Return the places of the own cards that a seat holds, in the order dealt."""
        held = self.cards.held.get(seat)
        return own_places(seat, self.own_dealt()) if held is None else held

    def up_cards(self, position: int) -> list[Card]:
        """Return the cards dealt face up to a position, also when all its cards lie open by now."""
        faces, slots = self.cards.faces, self.setup.game.up_slots()
        places = self.own_places(self.seats[position])
        return [faces[place] for place in places if place.slot in slots and place in faces]

    def shows_open_pair(self) -> bool:
        """Tell whether a seat still in shows two cards of one rank (STD-4)."""
        for position, gone in enumerate(self.folded):
            ranks = [] if gone else [rank_of(card) for card in self.up_cards(position)]
            if len(set(ranks)) < len(ranks):
                return True
        return False

    def contributed(self) -> list[int]:
        """Return what each position has put into the middle so far, returned parts left out."""
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
            self.middle,
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
            *((self.to_exchange,) if self.to_exchange else ()),
            *((f"redealt {self.redeals}",) if self.redeals else ()),
        )


def _street_began(state: HandState, event: StreetBegan) -> None:
    assert event.street_no == state.street_no + 1, "streets out of order"
    assert not any(state.bets), "a street begins with bets still in front"
    state.street_no = event.street_no
    setup = state.setup
    fixed = setup.structure is Structure.FIXED_LIMIT
    settings = setup.settings
    street = setup.game.streets[event.street_no]
    state.swap_open = street.swap
    if street.exchange is not None:
        state.to_exchange = tuple([p for p in state.from_button if not state.folded[p]])
    state.round.start(
        settings.big_bet_minor if fixed and street.tier is BetTier.BIG else settings.min_bet_minor
    )


def _forced_bet_posted(state: HandState, event: ForcedBetPosted) -> None:
    position = state.position_of[event.seat]
    kind, amount = event.kind, event.amount
    state.pay_in_front(position, amount)
    state.pots_stale = True
    if kind in _DEAD:
        state.bets[position] -= amount
        state.middle += amount
        paid = state.antes if kind in _LAYERED else state.dead
        paid[position] += amount
        return
    front = state.bets[position]
    if kind is ForcedKind.BIG_BLIND:
        state.round.post_bet(front, _full_amount(state.setup, event))
    elif kind is ForcedKind.STRADDLE and amount == _full_amount(state.setup, event):
        state.round.post_bet(front, front)
    elif kind is ForcedKind.BRING_IN:
        settings = state.setup.settings
        state.round.bring_in(position, settings.bring_in_minor or settings.min_bet_minor)
    else:
        state.round.post(front)


_LAYERED: Final = frozenset({ForcedKind.ANTE, ForcedKind.BOMB})
_DEAD: Final = _LAYERED | {ForcedKind.ANTE_FOR_ALL, ForcedKind.DEAD_SMALL}


def _full_amount(setup: HandSetup, event: ForcedBetPosted) -> int:
    """Return what was to be posted, before the stack capped it."""
    return next(b.amount for b in setup.forced if b.seat == event.seat and b.kind is event.kind)


def _places_dealt(state: HandState, event: PlacesDealt) -> None:
    state.cards.deal(event)
    if event.places and event.places[-1].kind is PlaceKind.COMMUNITY:
        state.common = True


def _turn_began(state: HandState, event: TurnBegan) -> None:
    seat, turn_no = event
    assert turn_no == state.turn_no + 1, "turns out of order"
    state.turn = state.position_of[seat]
    state.turn_no = turn_no
    if not state.round.begun and not state.to_exchange:
        two_left = state.can_act == 2
        uncapped = two_left and state.setup.settings.heads_up_uncapped
        state.round.begin(uncapped=uncapped, upper=_upper_size(state))


def _upper_size(state: HandState) -> int:
    """Return the larger size of a fixed-limit game where an open pair allows it as well (STD-4)."""
    setup = state.setup
    if not setup.game.streets[state.street_no].open_pair or not setup.settings.open_pair_rule:
        return 0
    fixed = setup.structure is Structure.FIXED_LIMIT
    return setup.settings.big_bet_minor if fixed and state.shows_open_pair() else 0


def _action_taken(state: HandState, event: ActionTaken) -> None:
    seat, turn_no, kind, to, by, _ = event
    position = state.turn
    assert state.seats[position] == seat, "an action out of turn"
    assert state.turn_no == turn_no, "an action of another turn"
    state.turn = NOBODY
    if kind == _CHECK:
        state.round.acted(position)
        return
    state.pots_stale = True
    if kind == _FOLD:
        state.folded[position] = True
        state.in_hand -= 1
        state.can_act -= 1
        return
    state.pay_in_front(position, by)
    assert state.bets[position] == to, f"{event} leaves {state.bets[position]} in front"
    if kind == _CALL:
        state.round.acted(position)
    else:
        state.round.raised(position, to)


# Looking up a member of an Enum costs as much as the arithmetic here.
_CHECK: Final = ActKind.CHECK
_FOLD: Final = ActKind.FOLD
_CALL: Final = ActKind.CALL


def _cards_swapped(state: HandState, event: CardsSwapped) -> None:
    seat, slots, street_no = event
    assert street_no == state.street_no, "a swap on another street"
    assert seat == state.seats[state.turn], "a swap out of turn"
    assert seat not in state.cards.held, "a second swap"
    state.cards.give_up(seat, slots, state.own_places(seat))


def _cards_exchanged(state: HandState, event: CardsExchanged) -> None:
    seat, turn_no, slots = event
    position = state.turn
    assert seat == state.seats[position], "an exchange out of turn"
    assert turn_no == state.turn_no, "an exchange of another turn"
    assert state.to_exchange[:1] == (position,), "an exchange that is not due"
    state.to_exchange = state.to_exchange[1:]
    state.turn = NOBODY
    state.cards.give_up(seat, slots, state.own_places(seat))


def _deck_reshuffled(state: HandState, event: DeckReshuffled) -> None:
    state.cards.reshuffle(event)


def _hand_redealt(state: HandState, event: HandRedealt) -> None:
    assert not any(state.bets), "a redeal with bets in front"
    assert event.pot == state.middle, "a redeal for another pot"
    state.redeals += 1
    state.from_button = (*state.from_button[1:], state.from_button[0])
    assert event.button == state.seats[state.from_button[-1]], "the button goes to the next seat"
    for seat in state.seats:
        held = state.own_places(seat)
        state.cards.give_up(seat, tuple([place.slot for place in held]), held)
    state.round.start(state.round.size)


def _bet_returned(state: HandState, event: BetReturned) -> None:
    position = state.position_of[event.seat]
    if not state.stacks[position]:
        state.can_act += 1
    state.bets[position] -= event.amount
    state.stacks[position] += event.amount
    assert state.bets[position] >= 0, "more given back than was bet"


def _bets_collected(state: HandState, event: BetsCollected) -> None:
    for position, bet in enumerate(state.bets):
        state.live[position] += bet
        state.middle += bet
        state.bets[position] = 0
    assert sum([pot.amount for pot in event.pots]) == state.middle, "the pots are not the middle"
    state.pots = event.pots
    state.pots_stale = False


def _opening_due(state: HandState, event: OpeningDue) -> None:
    state.cards.open(event)
    if event.reason == OpeningReason.ALL_IN:
        state.all_in_showdown = True


def _cards_turned_up(state: HandState, event: CardsTurnedUp) -> None:
    state.cards.turn_up(event)


def _showdown_began(state: HandState, event: ShowdownBegan) -> None:
    assert event.pots == state.pots, "a showdown for other pots"
    state.showdown_order = event.order


def _hand_shown(state: HandState, event: HandShown) -> None:
    state.cards.learn(event.cards)
    state.shown += (event,)


def _hand_mucked(state: HandState, event: HandMucked) -> None:
    state.mucked += (event,)


def _rake_taken(state: HandState, event: RakeTaken) -> None:
    assert state.rake is None, "rake taken twice"
    assert sum(event.by_pot) == event.total, "the rake of the pots is not the rake"
    assert sum([share for _, share in event.by_seat]) == event.total, "rake shares do not add up"
    state.middle -= event.total
    state.rake = event
    state.raked = event.total


def _pot_awarded(state: HandState, event: PotAwarded) -> None:
    assert event.amount > 0, "an award of nothing"
    state.middle -= event.amount
    state.stacks[state.position_of[event.seat]] += event.amount
    assert state.middle >= 0, "more awarded than there was"
    state.awards += (event,)


def _hand_ended(state: HandState, event: HandEnded) -> None:
    assert state.middle == 0, f"{state.middle} left in the middle"
    assert not any(state.bets), "bets left in front"
    assert [result.end for result in event.seats] == state.stacks, "the results are not the stacks"
    assert sum([result.net for result in event.seats]) + event.rake == 0, "nets and rake differ"
    state.results = event.seats
    state.ended = True


def _hand_voided(state: HandState, event: HandVoided) -> None:
    state.stacks = list(state.starts)
    state.bets = [0] * len(state.stacks)
    state.middle = 0
    state.rake = None
    state.raked = 0
    state.turn = NOBODY
    state.to_exchange = ()
    state.cards.due = ()
    state.results = tuple(
        [SeatResult(seat, stack, stack, 0, 0) for seat, stack in state.setup.seats]
    )
    state.ended = True
    state.voided = event.reason


_FOLDS: Final[dict[type[Any], Callable[[HandState, Any], None]]] = {
    StreetBegan: _street_began,
    ForcedBetPosted: _forced_bet_posted,
    PlacesDealt: _places_dealt,
    TurnBegan: _turn_began,
    ActionTaken: _action_taken,
    BetReturned: _bet_returned,
    BetsCollected: _bets_collected,
    CardsSwapped: _cards_swapped,
    CardsExchanged: _cards_exchanged,
    DeckReshuffled: _deck_reshuffled,
    HandRedealt: _hand_redealt,
    OpeningDue: _opening_due,
    CardsTurnedUp: _cards_turned_up,
    ShowdownBegan: _showdown_began,
    HandShown: _hand_shown,
    HandMucked: _hand_mucked,
    RakeTaken: _rake_taken,
    PotAwarded: _pot_awarded,
    HandEnded: _hand_ended,
    HandVoided: _hand_voided,
}
