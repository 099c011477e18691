"""Placement hands driven by a few words, for their tests: setups, decks, scores, choices."""

from __future__ import annotations

import random
from collections.abc import Iterable

from pokerfloor.cards import DECKS, Card, parse_cards
from pokerfloor.games import Refusal, Reveal, SeatStack, WaitCards, seat_place
from pokerfloor.games.placement import (
    OFC,
    OFC_JOKER,
    SCOOP,
    ConfirmPlacement,
    FantasylandEarned,
    FantasylandHeadsUp,
    FantasylandSeat,
    LayoutRow,
    LayoutScore,
    MovePlacement,
    PairPoints,
    PlacementEvent,
    PlacementGame,
    PlacementHand,
    PlacementInput,
    PlacementSetup,
    PlacementTimeUp,
    PlacementTurn,
    ScoringRequest,
    ScoringResult,
    SlotRow,
    WaitPlacements,
    WaitScoring,
    faces_at,
)
from pokerfloor.scoring import (
    Layout,
    Mode,
    OfcRules,
    PairScored,
    ScoopLayout,
    score_hand,
    score_scoop,
    settle,
)

TOP, MIDDLE, BOTTOM, DISCARD = LayoutRow


def setup_of(
    seats: int,
    *fantasyland: tuple[int, int],
    game: PlacementGame = OFC,
    button: int | None = None,
    heads_up: FantasylandHeadsUp = FantasylandHeadsUp.HIDDEN,
    stacks: Iterable[int] = (),
    burn: bool = True,
) -> PlacementSetup:
    """Seats 1, 2, … with 50 points each, the button on the last one."""
    points = list(stacks) or [50] * seats
    return PlacementSetup(
        hand_no=7,
        game=game,
        seats=tuple([SeatStack(seat, stack) for seat, stack in enumerate(points, 1)]),
        button=seats if button is None else button,
        fantasyland=tuple([FantasylandSeat(*one) for one in fantasyland]),
        fantasyland_heads_up=heads_up,
        burn=burn,
    )


def shuffled(game: PlacementGame, seed: int = 1) -> tuple[Card, ...]:
    """A deck in dealing order."""
    cards = list(DECKS[game.deck].cards)
    random.Random(seed).shuffle(cards)
    return tuple(cards)


def with_cards(setup: PlacementSetup, seat: int, text: str) -> tuple[Card, ...]:
    """A deck in which a seat is dealt these cards, in the order received; the rest as they come."""
    wanted = parse_cards(text)
    hand = Played(setup)
    hand.lay_out_all()
    places = [seat_place(seat, slot) for slot in range(1, len(wanted) + 1)]
    indexes = [hand.hand.deck_index(place).index for place in places]
    fixed = dict(zip(indexes, wanted, strict=True))
    rest = iter([card for card in DECKS[setup.game.deck].cards if card not in wanted])
    return tuple([fixed[i] if i in fixed else next(rest) for i in range(len(hand.cards))])


def score(request: ScoringRequest) -> ScoringResult:
    """Score as the scoring service does: the layouts, then the settlement."""
    scored, layouts, fantasyland = (_scoop if request.game is SCOOP else _ofc)(request)
    settled = settle(request.button, dict(request.stacks), scored)
    pairs = [PairPoints(one.a, one.b, one.scored, one.paid) for one in settled.payments]
    return ScoringResult(tuple(pairs), layouts, fantasyland)


def _ofc(
    request: ScoringRequest,
) -> tuple[list[PairScored], tuple[LayoutScore, ...], tuple[FantasylandEarned, ...]]:
    mode = Mode.JOKER if request.game is OFC_JOKER else Mode.REGULAR
    layouts = {
        str(one.seat): Layout(
            one.faces(TOP), one.faces(MIDDLE), one.faces(BOTTOM), one.fantasyland_cards
        )
        for one in request.layouts
    }
    result = score_hand(layouts, OfcRules(mode))
    pairs = [PairScored(int(p.first), int(p.second), p.score.total) for p in result.pairs]
    scored_layouts = [
        LayoutScore(
            int(seat), one.foul is not None, tuple([row.hand for row in one.rows]), one.royalties
        )
        for seat, one in result.layouts.items()
    ]
    fantasyland = [
        FantasylandEarned(int(seat), one.fantasyland.cards, one.fantasyland.stayed)
        for seat, one in result.layouts.items()
        if one.fantasyland.cards
    ]
    return pairs, tuple(scored_layouts), tuple(fantasyland)


def _scoop(
    request: ScoringRequest,
) -> tuple[list[PairScored], tuple[LayoutScore, ...], tuple[FantasylandEarned, ...]]:
    layouts = {
        str(one.seat): ScoopLayout(one.faces(TOP), one.faces(MIDDLE), one.faces(BOTTOM))
        for one in request.layouts
    }
    result = score_scoop(request.board, layouts)
    pairs = [PairScored(int(p.first), int(p.second), p.total) for p in result.pairs]
    scored_layouts = [
        LayoutScore(int(seat), False, hands, 0) for seat, hands in result.hands.items()
    ]
    return pairs, tuple(scored_layouts), ()


class Played:
    """A hand with its deck; what happened is in `events`."""

    def __init__(self, setup: PlacementSetup, seed: int = 1, cards: tuple[Card, ...] = ()) -> None:
        self.cards = cards or shuffled(setup.game, seed)
        self.hand, begun = PlacementHand.begin(setup)
        self.events: list[PlacementEvent] = list(begun)
        self.reveal()

    def execute(self, given: PlacementInput) -> tuple[PlacementEvent, ...]:
        """Play an input that must be good; faces that are due then are revealed."""
        events = self.hand.execute(given)
        assert not isinstance(events, Refusal), events
        self.events += events
        return events + self.reveal()

    def reveal(self) -> tuple[PlacementEvent, ...]:
        """Turn up what is due, until something else is."""
        done: tuple[PlacementEvent, ...] = ()
        while isinstance(wait := self.hand.waits_for(), WaitCards):
            events = self.hand.execute(Reveal(faces_at(self.hand, self.cards, wait.places)))
            assert not isinstance(events, Refusal), events
            self.events += events
            done += events
        return done

    def refused(self, given: PlacementInput) -> Refusal:
        """Play an input that must be refused, and changes nothing."""
        before = self.hand.digest()
        refusal = self.hand.validate(given)
        assert refusal is not None
        assert self.hand.decide(given) == refusal
        assert self.hand.execute(given) == refusal
        assert self.hand.digest() == before
        return refusal

    @property
    def turns(self) -> tuple[PlacementTurn, ...]:
        wait = self.hand.waits_for()
        assert isinstance(wait, WaitPlacements), wait
        return wait.turns

    @property
    def turn(self) -> PlacementTurn:
        """The one turn that is open."""
        (turn,) = self.turns
        return turn

    def of(self, seat: int) -> PlacementTurn:
        return next(turn for turn in self.turns if turn.seat == seat)

    def confirm(self, seat: int | None = None, **rows: str) -> tuple[PlacementEvent, ...]:
        """Confirm `rows` of slots, such as top="1 2", bottom="4"; those not named are discarded."""
        turn = self.turn if seat is None else self.of(seat)
        return self.execute(confirmation(turn, **rows))

    def time_up(self, seat: int | None = None) -> tuple[PlacementEvent, ...]:
        turn = self.turn if seat is None else self.of(seat)
        return self.execute(PlacementTimeUp(turn.seat, turn.turn_no))

    def lay_out_all(self) -> None:
        """Let every turn run out."""
        while isinstance(self.hand.waits_for(), WaitPlacements):
            self.time_up(self.turns[0].seat)

    @property
    def request(self) -> ScoringRequest:
        wait = self.hand.waits_for()
        assert isinstance(wait, WaitScoring), wait
        return wait.request


def confirmation(turn: PlacementTurn, **rows: str) -> ConfirmPlacement:
    """The confirmation of a turn, see `Played.confirm`."""
    laid = {int(slot): LayoutRow(row) for row, slots in rows.items() for slot in slots.split()}
    left = [place.slot for place in turn.places if place.slot not in laid]
    laid |= dict.fromkeys(left, DISCARD)
    return ConfirmPlacement(turn.seat, turn.turn_no, placements(laid))


def placements(laid: dict[int, LayoutRow]) -> tuple[SlotRow, ...]:
    return tuple([SlotRow(slot, row) for slot, row in laid.items()])


def any_confirmation(turn: PlacementTurn, rng: random.Random) -> ConfirmPlacement:
    """Any legal confirmation of a turn."""
    free = [row for row, cards in turn.room for _ in range(cards)]
    rng.shuffle(free)
    rows = free[: turn.to_place] + [DISCARD] * (len(turn.places) - turn.to_place)
    rng.shuffle(rows)
    laid = {place.slot: row for place, row in zip(turn.places, rows, strict=True)}
    return ConfirmPlacement(turn.seat, turn.turn_no, placements(laid))


def any_input(
    wait: WaitPlacements, rng: random.Random
) -> MovePlacement | ConfirmPlacement | PlacementTimeUp:
    """Any legal input of any open turn: a move in the open, a confirmation, a time-out."""
    turn = rng.choice(wait.turns)
    if turn.up and rng.random() < 0.6:
        lying = dict(turn.tentative)
        slot = rng.choice(turn.places).slot
        rows = [room.row for room in turn.room if room.cards > list(lying.values()).count(room.row)]
        targets = [row for row in (None, *rows) if row is not lying.get(slot)]
        return MovePlacement(turn.seat, turn.turn_no, slot, rng.choice(targets))
    if rng.random() < 0.2:
        return PlacementTimeUp(turn.seat, turn.turn_no)
    return any_confirmation(turn, rng)
