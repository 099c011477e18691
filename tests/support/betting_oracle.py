"""Whose turn it is and what may be done in it, found again slowly from the events of a hand.

A second implementation of BET, HLD-3, STD-2 to STD-5, SHD-3 and DRW-3 for the tests. It reads the
setup and the events, nothing of the engine's state.
"""

from __future__ import annotations

from itertools import pairwise

from pokerfloor.cards import Card, rank_of, suit_of
from pokerfloor.games import (
    ActionTaken,
    ActKind,
    BetReturned,
    BetsCollected,
    CardsDrawn,
    CardsRevealed,
    CardsSwapped,
    Event,
    Exposed,
    FacingChosen,
    FirstTie,
    ForcedBetPosted,
    ForcedKind,
    HandRedealt,
    HandSetup,
    LegalSet,
    Opener,
    Place,
    PlaceKind,
    Pot,
    RevealOrdered,
    RevealReason,
    SecondRoundFirst,
    StreetBegan,
    Structure,
    TurnBegan,
)
from tests.support.street_story import LIVE, Story, tell

WHEEL = [0, 1, 2, 3, 12]


class SlowBetting:
    """Feed it every event; ask it at a turn. Seats are numbers all the way."""

    def __init__(self, setup: HandSetup) -> None:
        self.setup = setup
        self.stack = dict(setup.seats)
        self.front = dict.fromkeys(self.stack, 0)
        self.in_hand = list(self.stack)
        self.button = setup.button
        self.street_no = -1
        self.street: list[Event] = []
        self.swapped: set[int] = set()
        self.up: dict[int, list[Card]] = {seat: [] for seat in self.stack}
        self.common: list[Card] = []
        self.reason = RevealReason.BOARD
        self.uncapped = False
        self.upper = 0
        self.began = False

    # What happens

    def see(self, event: Event) -> None:
        if isinstance(event, StreetBegan):
            self.street_no = event.street_no
            self._new_street()
        elif isinstance(event, HandRedealt):
            self.button = event.button
            self._new_street()
        self.street.append(event)
        self._move_chips(event)
        if isinstance(event, CardsSwapped):
            self.swapped.add(event.seat)
        elif isinstance(event, RevealOrdered):
            self.reason = event.reason
        elif isinstance(event, CardsRevealed):
            for place, card in event.cards:
                self._revealed(place, card)
        elif isinstance(event, TurnBegan) and not self.choosing() and not self.began:
            self._begin_betting()

    def _new_street(self) -> None:
        self.street, self.began, self.upper, self.uncapped = [], False, 0, False

    def _move_chips(self, event: Event) -> None:
        if isinstance(event, ForcedBetPosted):
            self.stack[event.seat] -= event.amount
            if event.kind in LIVE:
                self.front[event.seat] += event.amount
        elif isinstance(event, ActionTaken):
            self.stack[event.seat] -= event.by
            self.front[event.seat] += event.by
            if event.kind is ActKind.FOLD:
                self.in_hand.remove(event.seat)
        elif isinstance(event, BetReturned):
            self.stack[event.seat] += event.amount
            self.front[event.seat] -= event.amount
        elif isinstance(event, BetsCollected):
            self.front = dict.fromkeys(self.front, 0)

    def _revealed(self, place: Place, card: Card) -> None:
        game = self.setup.game
        if place.kind is PlaceKind.COMMUNITY and game.community_last:
            self.common.append(card)
        faced_up = self.reason is RevealReason.UP_CARD or place.slot in game.up_slots()
        if place.kind is PlaceKind.SEAT and faced_up:
            self.up[place.owner].append(card)

    def _begin_betting(self) -> None:
        self.began = True
        settings = self.setup.settings
        self.uncapped = settings.heads_up_uncapped and len(self.can_act()) == 2
        street = self.setup.game.streets[self.street_no]
        fixed = self.setup.structure is Structure.FIXED_LIMIT
        pairs = [ranks for seat in self.in_hand if (ranks := self._up_ranks(seat))]
        pair = any(len(set(ranks)) < len(ranks) for ranks in pairs)
        if fixed and street.open_pair and settings.open_pair_rule and pair:
            self.upper = settings.big_bet_minor

    # What may be done

    def can_act(self) -> list[int]:
        return [seat for seat in self.in_hand if self.stack[seat]]

    def choosing(self) -> bool:
        """Whether an exchange or a facing is still to come on this street."""
        street = self.setup.game.streets[self.street_no]
        asks = street.draw is not None or street.asks_facing()
        return asks and len(self._chosen()) < len(self.in_hand)

    def _chosen(self) -> set[int]:
        return {e.seat for e in self.street if isinstance(e, CardsDrawn | FacingChosen)}

    def story(self) -> Story:
        return tell(self.setup, self.street_no, self.street, self.upper)

    def owes(self, seat: int) -> int:
        """BET-2: what it would have to add, were its stack large enough."""
        others = [self.front[o] + self.stack[o] for o in self.in_hand if o != seat]
        return max(0, min(self.story().level, max(others, default=0)) - self.front[seat])

    def next_seat(self) -> int | None:
        """The seat whose turn it is to act; None when the betting of the street is over."""
        if self.street_no == 0 and self.setup.forced[0].kind is ForcedKind.BOMB:  # BMB-1
            return None
        story = self.story()
        actors = self.can_act()
        for seat in self._clockwise_from(self._after()):
            waiting = len(actors) > 1 and seat not in story.acted
            if seat in actors and (waiting or self.owes(seat)):
                return seat
        return None

    def next_choice(self) -> int:
        made = self._chosen()
        order = self._clockwise_from(self.button)
        return next(seat for seat in order if seat in self.in_hand and seat not in made)

    def _after(self) -> int:
        """The seat number that the next turn is to the left of."""
        for event in reversed(self.street):
            if isinstance(event, ActionTaken):
                return event.seat
        opener = self.setup.game.streets[self.street_no].opener
        if opener is Opener.BRING_IN:
            posts = [e for e in self.street if isinstance(e, ForcedBetPosted)]
            bring_ins = [post.seat for post in posts if post.kind is ForcedKind.BRING_IN]
            return bring_ins[-1] if bring_ins else self.button
        if opener is Opener.BEST_EXPOSED:
            return self._best_exposed() - 1
        if opener is Opener.HIGHEST_UP:
            return self._highest_up() - 1
        forced = self.setup.forced
        straddles = [bet.seat for bet in forced if bet.kind is ForcedKind.STRADDLE]
        bigs = [bet.seat for bet in forced if bet.kind is ForcedKind.BIG_BLIND]
        blinds = bigs + straddles
        by_button = self.setup.settings.second_round_first is SecondRoundFirst.LEFT_OF_BUTTON
        by_blinds = opener is Opener.LEFT_OF_BLINDS and not (self.street_no and by_button)
        return blinds[-1] if by_blinds and blinds else self.button

    def _clockwise_from(self, number: int) -> list[int]:
        seats = sorted(self.stack)
        return [s for s in seats if s > number] + [s for s in seats if s <= number]

    def legal(self, seat: int) -> LegalSet:
        story, step = self.story(), self.setup.settings.smallest_chip_minor
        everything = self.front[seat] + self.stack[seat]
        owes = self.owes(seat)
        call_by = min(owes, self.stack[seat])
        low, high, sizes = self._raise_range(seat, story, owes)
        all_in_as, all_in_to = None, 0
        if high == everything:
            all_in_as = ActKind.RAISE if story.level else ActKind.BET
            all_in_to = everything
        elif call_by and not high:
            all_in_as, all_in_to = ActKind.CALL, self.front[seat] + call_by
        nobody_has_bet = story.level == 0
        return LegalSet(
            can_fold=True,
            can_check=call_by == 0,
            call_by=call_by,
            call_to=self.front[seat] + call_by if call_by else 0,
            bet_min=low if nobody_has_bet else 0,
            bet_max=high if nobody_has_bet else 0,
            raise_min=0 if nobody_has_bet else low,
            raise_max=0 if nobody_has_bet else high,
            step=step,
            all_in_as=all_in_as,
            all_in_to=all_in_to,
            sizes_to=sizes,
            swap_slots=self._swap_slots(seat),
        )

    def _raise_range(self, seat: int, story: Story, owes: int) -> tuple[int, int, tuple[int, ...]]:
        settings = self.setup.settings
        everything = self.front[seat] + self.stack[seat]
        others = [self.front[o] + self.stack[o] for o in self.in_hand if o != seat]
        capped = story.fixed and not self.uncapped and story.bets > settings.raise_cap
        somebody_answers = max(others) > story.level
        if everything <= story.level or not somebody_answers or capped or not story.open_to(seat):
            return 0, 0, ()
        low = min(story.least_to(), everything)
        if self.setup.structure is Structure.NO_LIMIT:
            return low, everything, ()
        if self.setup.structure is Structure.POT_LIMIT:
            return low, min(everything, max(low, self._pot_to(seat, owes))), ()
        high = min(everything, story.upper_to()) if story.upper else low
        return low, high, (low, high) if low < high else ()

    def _pot_to(self, seat: int, owes: int) -> int:
        """BET-20, BET-21: every chip that is in no stack, and the call, on top of that call."""
        brought = sum(stack for _, stack in self.setup.seats) + self.setup.carried.amount
        pot = brought - sum(self.stack.values())
        if self.setup.settings.short_blind_counts_full and self.street_no == 0:
            pot += self._blinds_short()
        return self.front[seat] + owes + pot + owes

    def _blinds_short(self) -> int:
        posted = {(e.seat, e.kind): e.amount for e in self.street if isinstance(e, ForcedBetPosted)}
        return sum(
            bet.amount - posted.get((bet.seat, bet.kind), 0)
            for bet in self.setup.forced
            if bet.kind in (ForcedKind.SMALL_BLIND, ForcedKind.BIG_BLIND)
        )

    def _swap_slots(self, seat: int) -> tuple[int, ...]:
        game = self.setup.game
        acted = any(isinstance(e, ActionTaken) and e.seat == seat for e in self.street)
        if not game.streets[self.street_no].swap or acted or seat in self.swapped:
            return ()
        return tuple(range(1, game.hole_cards_dealt(self.street_no) + 1))

    # What lies open

    def _up_ranks(self, seat: int) -> list[int]:
        return [rank_of(card) for card in self.up[seat]]

    def _best_exposed(self) -> int:
        """STD-3: at a tie the one nearest to the left of the button."""
        order = [seat for seat in self._clockwise_from(self.button) if seat in self.in_hand]
        keys = {seat: self._exposed_key([*self.up[seat], *self.common]) for seat in order}
        best = max(keys.values())
        return next(seat for seat in order if keys[seat] == best)

    def _exposed_key(self, cards: list[Card]) -> tuple[object, ...]:
        """RNK-5; RNK-1 with a community card. Razz: fewest equal cards, then lowest from top."""
        ranks = [rank_of(card) for card in cards]
        low = self.setup.game.exposed is Exposed.LOW
        if low:
            ranks = [(rank + 1) % 13 for rank in ranks]
        grouped = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
        counts = tuple(count for count, _ in grouped)
        order = tuple(rank for _, rank in grouped)
        if low:
            return tuple(-count for count in counts), tuple(-rank for rank in order)
        return _class_of(cards, ranks, counts), counts, order

    def _highest_up(self) -> int:
        """MAT-2: by rank alone; a tie goes to whoever is met first on the way round."""
        seats = sorted(self.stack)
        if self.setup.settings.first_tie is FirstTie.RIGHT_OF_BUTTON:
            seats = [s for s in seats if s >= self.button] + [s for s in seats if s < self.button]
            seats.reverse()  # the button, if there, is met last
        else:
            seats = self._clockwise_from(self.button)
        highest = max(rank_of(self.up[seat][0]) for seat in seats)
        return next(seat for seat in seats if rank_of(self.up[seat][0]) == highest)

    def show_order(self, pots: tuple[Pot, ...]) -> tuple[int, ...]:
        """SHW-1, SHW-2: from the last to bet or raise on the last street; side pots first."""
        aggressors = [
            event.seat
            for event in self.street
            if isinstance(event, ActionTaken) and event.kind in (ActKind.BET, ActKind.RAISE)
        ]
        order = self._clockwise_from(self.button)
        if aggressors:
            order = self._clockwise_from(aggressors[-1] - 1)
        elif self.setup.game.streets[0].opener is Opener.BRING_IN:
            order = self._clockwise_from(self._best_exposed() - 1)
        shown = [s for pot in reversed(pots) if len(pot.eligible) > 1 for s in order if s in pot[2]]
        return tuple(dict.fromkeys(shown))

    def bring_in_seat(self) -> int:
        """STD-2: the worst up card by rank and suit, or the next seat that has chips."""
        low = self.setup.game.exposed is Exposed.LOW

        def key(seat: int) -> tuple[int, int]:
            rank = rank_of(self.up[seat][0])
            return ((rank + 1) % 13 if low else rank, suit_of(self.up[seat][0]))

        worst = (max if low else min)(self.stack, key=key)
        return next(seat for seat in self._clockwise_from(worst - 1) if self.stack[seat])


def _class_of(cards: list[Card], ranks: list[int], counts: tuple[int, ...]) -> tuple[int, int]:
    """How high a kind of five cards is, and a straight's top card; fewer have only pairs."""
    if len(cards) < 5:
        return 0, 0
    if counts[0] > 1:
        kinds: dict[tuple[int, ...], int] = {(4, 1): 7, (3, 2): 6, (3, 1): 3}
        return kinds.get(counts[:2], 0), 0
    flush = len({suit_of(card) for card in cards}) == 1
    ordered = sorted(ranks)
    run = all(high - low == 1 for low, high in pairwise(ordered))
    top = ordered[-1] if run else 3 if ordered == WHEEL else -1
    if top >= 0:
        return (8 if flush else 4), top
    return (5, 0) if flush else (0, 0)
