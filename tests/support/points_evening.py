"""An evening of OFC or Scoop, in-process; scores come from the scoring service's own calls."""

import random
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any, TypeVar

from floor_scoring.service import ScoringService
from floor_table.domain import (
    ConnectionIn,
    Refusal,
    ScoringEffect,
    ScoringIn,
    TableInput,
)
from pokerfloor.api.common.v1.money_pb2 import Currency, PointStake, Stake
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.scoring.v1 import scoring_pb2
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.api.table.v1 import table_pb2
from pokerfloor.cards import DECKS, Card, parse_cards
from pokerfloor.games.placement import (
    LayoutRow,
    PlacementHand,
    PlacementTurn,
    SlotRow,
    WaitPlacements,
)
from pokerfloor.tablelog import placement_game, to_settle_request, write_placements
from tests.support.evening import Evening

PRICE = 10
_SERVICE = ScoringService()
_T = TypeVar("_T")


def points_settings(
    game: str = "ofc",
    *,
    seats: int = 3,
    ready: bool = False,
    between_hands_ms: int = 0,
    **ofc: int,
) -> settings_pb2.TableSettings:
    """Return an OFC or Scoop table: a point is worth 10, and 50 to 500 points are bought."""
    settings = settings_pb2.TableSettings(
        name="Points",
        room_id="main",
        stake=Stake(
            points=PointStake(currency=Currency(code="EUR", exponent=2), point_price_minor=PRICE)
        ),
        seats=seats,
        game=settings_pb2.GameSettings(game=game),
        buy_in=settings_pb2.BuyInSettings(min_minor=50 * PRICE, max_minor=500 * PRICE),
        clock=settings_pb2.ClockSettings(between_hands_ms=between_hands_ms),
        seating=settings_pb2.SeatingSettings(confirm_ready=ready),
    )
    if game == "ofc":
        settings.game.ofc.mode = settings_pb2.OFC_MODE_PROGRESSIVE
    for name, value in ofc.items():
        setattr(settings.game.ofc, name, value)
    return settings


def at_once(call: Coroutine[Any, Any, _T]) -> _T:
    """Return what a call gives that waits for nothing."""
    try:
        call.send(None)
    except StopIteration as done:
        value: _T = done.value
        return value
    raise AssertionError("a pure function that waits")


def scored(due: ScoringEffect) -> ScoringIn:
    """Return what the scoring service says."""
    answer: scoring_pb2.ScoreHandResponse | scoring_pb2.ScoreScoopResponse
    if isinstance(due.ask, scoring_pb2.ScoreHandRequest):
        answer = at_once(_SERVICE.ScoreHand(due.ask, None))
    else:
        answer = at_once(_SERVICE.ScoreScoop(due.ask, None))
    settled = at_once(_SERVICE.Settle(to_settle_request(due.asked, answer), None))
    return ScoringIn(due.hand_no, answer, settled)


def in_order(turn: PlacementTurn) -> tuple[SlotRow, ...]:
    """Lay the cards of a turn out as it is done for an absent player of OFC (OFC-42)."""
    room = dict(turn.room)
    free = [
        row for row in (LayoutRow.BOTTOM, LayoutRow.MIDDLE, LayoutRow.TOP) for _ in range(room[row])
    ]
    rows = [*free[: turn.to_place], *[LayoutRow.DISCARD] * (len(turn.places) - turn.to_place)]
    return tuple([SlotRow(place.slot, row) for place, row in zip(turn.places, rows, strict=True)])


def at_random(turn: PlacementTurn, dice: random.Random) -> tuple[SlotRow, ...]:
    """Lay the cards of a turn out as it comes, legally."""
    free = [row for row, cards in turn.room for _ in range(cards)]
    rows = [
        *dice.sample(free, turn.to_place),
        *[LayoutRow.DISCARD] * (len(turn.places) - turn.to_place),
    ]
    dice.shuffle(rows)
    return tuple([SlotRow(place.slot, row) for place, row in zip(turn.places, rows, strict=True)])


class PointsEvening(Evening):
    """An OFC or Scoop table; players are connected when they sit, unless told otherwise."""

    def __init__(
        self,
        settings: settings_pb2.TableSettings | None = None,
        seed: int = 1,
        *,
        table_id: str = "t1",
        players: Sequence[str] = (),
        deck_of: Callable[[int], Sequence[Card]] | None = None,
        watch: Callable[[Step, Any, Any], None] | None = None,
    ) -> None:
        super().__init__(
            settings or points_settings(), seed, table_id=table_id, deck_of=deck_of, watch=watch
        )
        for player in players:
            self.sit(player)

    def sit(
        self, player: str, seat: int = 0, buy_in: int = 1_000, *, post: bool = False
    ) -> Step | Refusal:
        """Sit down and connect."""
        outcome = super().sit(player, seat, buy_in, post=post)
        number = self.seat_no(player)
        if number and not self.is_pending(number):
            self.connect(player)
        return outcome

    def connect(self, player: str, *, here: bool = True) -> Step | Refusal:
        """Let a player's connection come or go."""
        return self.do(ConnectionIn(self.seat_no(player), here))

    def ready(self, player: str, *, ready: bool = True) -> Step | Refusal:
        wanted = table_pb2.ReadyCommand(ready=ready)
        return self.command(player, table_pb2.TableCommand(ready=wanted))

    def answer_to(self, due: object) -> TableInput | None:
        """Answer as the outside does, the scoring service included."""
        return scored(due) if isinstance(due, ScoringEffect) else super().answer_to(due)

    # --- turns

    def turns(self) -> tuple[PlacementTurn, ...]:
        """Return the turns that are open."""
        hand = self.table.playing
        wait = hand.waits_for() if hand is not None else None
        return wait.turns if isinstance(wait, WaitPlacements) else ()

    def hand(self) -> PlacementHand:
        hand = self.table.playing
        assert isinstance(hand, PlacementHand)
        return hand

    def confirm(
        self,
        turn: PlacementTurn | None = None,
        placements: Sequence[SlotRow] | None = None,
        *,
        late_ms: int = 0,
    ) -> Step | Refusal:
        """Confirm the first turn that is open, or a given one; in order when nothing is said."""
        turn = turn or self.turns()[0]
        wanted = table_pb2.ConfirmPlacementCommand(
            hand_no=self.table.hand_no,
            turn_no=turn.turn_no,
            placements=write_placements(in_order(turn) if placements is None else placements),
        )
        player = self.table.player_at(turn.seat)
        command = table_pb2.TableCommand(confirm_placement=wanted)
        return self.command(player, command, late_ms=late_ms)

    def move(self, slot: int, row: LayoutRow | None) -> Step | Refusal:
        """Move a card of the turn that is open."""
        turn = self.turns()[0]
        code = (
            hand_events_pb2.LAYOUT_ROW_UNSPECIFIED
            if row is None
            else write_placements([SlotRow(slot, row)])[0].row
        )
        wanted = table_pb2.MovePlacementCommand(
            hand_no=self.table.hand_no,
            turn_no=turn.turn_no,
            placement=hand_events_pb2.SlotPlacement(slot=slot, row=code),
        )
        player = self.table.player_at(turn.seat)
        return self.command(player, table_pb2.TableCommand(move_placement=wanted))

    def play_hand(
        self, lay: Callable[[PlacementTurn], Sequence[SlotRow]] = in_order, *, begin: bool = True
    ) -> None:
        """Play the hand in play, or the next one, to its end."""
        self.settle(begin=begin)
        assert self.table.hand_no, "no hand begins"
        while self.turns():
            turn = self.turns()[0]
            outcome = self.confirm(turn, lay(turn))
            assert isinstance(outcome, Step), outcome
            self.settle(begin=False)

    # --- what is seen

    def points(self) -> dict[str, int]:
        """Return every player's stack in points."""
        return {seat.player_id: seat.stack for seat in self.table.by_number()}

    def faces(self, turn: PlacementTurn) -> tuple[Card, ...]:
        """Return the cards of a turn, as their owner sees them."""
        order = self.deck(self.table.deck_no)
        return tuple([order[self.hand().deck_index(place).index] for place in turn.places])


#: Seventeen cards that laid out in order make a flush, three kings, and queens on top (OFC-13).
QUEENS_ON_TOP = "2h4h6h8hThKcKd3sKsJd4d9cQc5sQdAc6s"
#: Seventeen others: a flush, three eights and queens.
QUEENS_AS_WELL = "3h5h7h9hJh8c8d2s8sAd3d7cQh2dQs5c7s"
#: Seventeen cards that laid out in order are valid and have no bonus.
NOTHING = "2c2d7s9d3cJs8c4s7d5c8s4cTc7c6d3d7h"
#: Seventeen that laid out in order are dead: jack high at the bottom, a pair above it.
DEAD = "Jc9s7h5d3h8d8c2s6c4hKh4sAsTd9hTs5h"

Planted = Mapping[int, tuple[Sequence[int], Mapping[int, str]]]


def planted_decks(
    settings: settings_pb2.TableSettings, hands: Planted, seed: int = 1
) -> Callable[[int], Sequence[Card]]:
    """Return decks by number: a draw in which the last seat gets the button, planted main hands.

    `hands` is by deck number: the seats from the left of the button, and cards by seat; see
    `stacked_deck`. All other decks are shuffled.
    """

    def deck_of(deck_no: int) -> Sequence[Card]:
        cards = list(DECKS[placement_game(settings.game).deck].cards)
        if deck_no == 1:
            return cards
        if deck_no in hands:
            return stacked_deck(settings, *hands[deck_no])
        random.Random(f"{seed}/{deck_no}").shuffle(cards)
        return cards

    return deck_of


def stacked_deck(
    settings: settings_pb2.TableSettings, order: Sequence[int], hands: Mapping[int, str]
) -> tuple[Card, ...]:
    """Return a deck for a main hand of OFC: each seat of `hands` gets these 17 cards by slot.

    `order` are the seats dealt in, from the left of the button. Other cards come as they are.
    """
    whole = DECKS[placement_game(settings.game).deck].cards
    return stacked_cards(whole, order, hands)


def stacked_cards(
    whole: Sequence[Card], order: Sequence[int], hands: Mapping[int, str]
) -> tuple[Card, ...]:
    """Return these cards as `stacked_deck` does."""
    given = {seat: parse_cards(text) for seat, text in hands.items()}
    used = {card for cards in given.values() for card in cards}
    rest = iter([card for card in whole if card not in used])
    dealt = {seat: iter(cards) for seat, cards in given.items()}
    deck = [
        next(dealt[seat]) if seat in dealt else next(rest)
        for count in (5, 3, 3, 3, 3)
        for seat in order
        for _ in range(count)
    ]
    return (*deck, *rest)
