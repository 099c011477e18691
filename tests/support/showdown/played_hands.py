"""Hands played by the engine to their showdown: the steps that the log has, and the request."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.events.v1 import hand_events_pb2, table_events_pb2
from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.api.internal.showdown.v1 import resolution_pb2
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.cards import parse_cards, to_wire
from pokerfloor.games import (
    Act,
    ActKind,
    Begin,
    Event,
    Hand,
    Input,
    Place,
    PlaceKind,
    Refusal,
    Reveal,
    WaitAction,
    WaitCards,
    WaitShowdown,
)
from pokerfloor.tablelog import (
    HandContext,
    StakeKind,
    open_hand,
    to_resolve_request,
    write_hand_event,
)
from tests.support.showdown.hands import BOARD, TABLE, Showdown, minor

HAND_NO = 17
FIRST_SEQ = 380


@dataclass(frozen=True)
class Played(Showdown):
    """A showdown, and the steps from the one that opened the hand to the cause, both included."""

    steps: Sequence[step_pb2.Step]
    hand: Hand

    def then(self, given: Input) -> Played:
        """The same with one step more; the request names that one as its cause."""
        hand, table_id = self.hand.copy(), self.request.deck.table_id
        events = _messages(_done(hand, given), self.request.began)
        steps = [*self.steps, _step(table_id, self.steps[-1].table_seq + 1, events)]
        request = resolution_pb2.ResolveRequest()
        request.CopyFrom(self.request)
        request.cause.CopyFrom(_ref(steps[-1]))
        return Played(request, self.cards, steps, hand)


def played(
    hands: Mapping[int, str],
    *,
    stacks: Mapping[int, int] | None = None,
    raise_to: int = 30,
    all_in: bool = False,
    board_cards: str = BOARD,
    button: int = 0,
    always_show: Sequence[int] = (),
    rake_bp: int = 0,
    table_id: str = TABLE,
) -> Played:
    """Play a hand of `hands` (text by seat; "" folds) with blinds of 1 and 2.

    The first to act raises, the others call, then all check; or all put in what they have.
    """
    seats = sorted(hands)
    button = button or seats[-1]
    opened = _opened(seats, stacks or {}, button, always_show, rake_bp)
    faces = {
        Place(PlaceKind.SEAT, seat, slot): card
        for seat, text in hands.items()
        for slot, card in enumerate(parse_cards(text), 1)
    } | {Place(PlaceKind.BOARD, 0, slot): c for slot, c in enumerate(parse_cards(board_cards), 1)}
    hand = open_hand(opened)
    assert isinstance(hand, Hand)
    log: list[list[table_events_pb2.TableEvent]] = [
        [table_events_pb2.TableEvent(hand_began=opened)],
        _messages(_done(hand, Begin()), opened),
        # Of the table alone, between the hand's.
        [table_events_pb2.TableEvent(seat_left=table_events_pb2.SeatLeft(seat=99))],
    ]
    raises = itertools.chain([raise_to], itertools.repeat(0))
    while not isinstance(wait := hand.waits_for(), WaitShowdown):
        if isinstance(wait, WaitCards):
            given: Input = Reveal(tuple([(place, faces[place]) for place in wait.places]))
        else:
            assert isinstance(wait, WaitAction)
            given = _act(wait, hands[wait.seat], raises, all_in=all_in)
        log.append(_messages(_done(hand, given), opened))
    steps = [_step(table_id, seq, events) for seq, events in enumerate(log, FIRST_SEQ)]
    paid = tuple(zip(hand.state.seats, hand.state.contributed(), strict=True))
    request = to_resolve_request(wait.request, opened, paid, _ref(steps[-1]))
    request.began_step.CopyFrom(_ref(steps[0]))
    own = {(p.owner, p.slot): to_wire(c) for p, c in faces.items() if p.kind is PlaceKind.SEAT}
    return Played(request, own, steps, hand)


def _step(table_id: str, seq: int, events: Sequence[table_events_pb2.TableEvent]) -> step_pb2.Step:
    return step_pb2.Step(
        schema_version=1,
        table_id=table_id,
        table_seq=seq,
        hand_no=HAND_NO,
        owner_epoch=1,
        events=events,
    )


def _ref(step: step_pb2.Step) -> cards_pb2.StepRef:
    return cards_pb2.StepRef(
        table_id=step.table_id, table_seq=step.table_seq, stream_seq=step.table_seq + 8000
    )


def _act(wait: WaitAction, hand: str, raises: Iterator[int], *, all_in: bool) -> Act:
    if not hand:
        return Act(wait.seat, wait.turn_no, ActKind.FOLD)
    if all_in and wait.legal.all_in_as is not None:
        return Act(wait.seat, wait.turn_no, ActKind.ALL_IN)
    if not all_in and (to := next(raises)):
        return Act(wait.seat, wait.turn_no, ActKind.RAISE, to)
    return Act(wait.seat, wait.turn_no, ActKind.CALL if wait.legal.call_by else ActKind.CHECK)


def _done(hand: Hand, given: Input) -> tuple[Event, ...]:
    events = hand.execute(given)
    assert not isinstance(events, Refusal), events
    return events


def _messages(
    events: Sequence[Event], opened: table_events_pb2.HandBegan
) -> list[table_events_pb2.TableEvent]:
    players = {seat.seat: seat.player_id for seat in opened.seats}
    context = HandContext(HAND_NO, StakeKind.MONEY, players)
    return [table_events_pb2.TableEvent(hand=write_hand_event(event, context)) for event in events]


def _opened(
    seats: Sequence[int],
    stacks: Mapping[int, int],
    button: int,
    always_show: Sequence[int],
    rake_bp: int,
) -> table_events_pb2.HandBegan:
    after = sorted(seats, key=lambda seat: (seat <= button, seat))
    small, big = (after[0], after[1]) if len(seats) > 2 else (after[1], after[0])
    return table_events_pb2.HandBegan(
        hand_no=HAND_NO,
        deck_no=HAND_NO + 1,
        game=settings_pb2.GameSettings(
            game="holdem",
            structure=settings_pb2.BETTING_STRUCTURE_NO_LIMIT,
            smallest_chip=minor(1),
            small_blind=minor(1),
            big_blind=minor(2),
            boards=1,
            min_raise=settings_pb2.MIN_RAISE_RULE_INCREMENT,
            losers=settings_pb2.LOSERS_RULE_MUCK,
        ),
        rake=settings_pb2.RakeSettings(rate_bp=rake_bp),
        seats=[
            table_events_pb2.HandSeat(
                seat=seat, player_id=f"p{seat}", stack=minor(stacks.get(seat, 200))
            )
            for seat in seats
        ],
        button=button,
        forced_bets=[
            table_events_pb2.ForcedBet(
                seat=small, kind=hand_events_pb2.FORCED_BET_KIND_SMALL_BLIND, amount=minor(1)
            ),
            table_events_pb2.ForcedBet(
                seat=big, kind=hand_events_pb2.FORCED_BET_KIND_BIG_BLIND, amount=minor(2)
            ),
        ],
        always_show=always_show,
    )
