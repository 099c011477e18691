"""Events of placement hands into messages and back; hands from the log; what cannot be true."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerfloor.api.common.v1.cards_pb2 import Card
from pokerfloor.api.common.v1.money_pb2 import Amount
from pokerfloor.api.events.v1 import hand_events_pb2 as pb
from pokerfloor.api.events.v1.table_events_pb2 import (
    FantasylandSeat as FantasyMessage,
)
from pokerfloor.api.events.v1.table_events_pb2 import (
    ForcedBet,
    HandBegan,
    HandSeat,
    TableEvent,
)
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.games import (
    Act,
    ActKind,
    CardsRevealed,
    Event,
    Hand,
    HandEnded,
    HandVoided,
    PlacesDealt,
    RevealOrdered,
    SeatResult,
    StreetBegan,
    TurnBegan,
)
from pokerfloor.games.placement import (
    OFC,
    OFC_JOKER,
    SCOOP,
    FantasylandEarned,
    FantasylandHeadsUp,
    FantasylandSeat,
    HiddenPlacement,
    LayoutRevealed,
    LayoutRow,
    LayoutScore,
    PairPoints,
    PlacementConfirmed,
    PlacementEvent,
    PlacementHand,
    PlacementMoved,
    PointsScored,
    Scored,
    SlotRow,
)
from pokerfloor.ranking import RANKINGS, Category, RankedHand
from pokerfloor.tablelog import (
    HandContext,
    LogError,
    StakeKind,
    deck_composition,
    open_hand,
    placement_game,
    placement_setup,
    read_hand_event,
    replay_hand,
    replay_placement_hand,
    with_defaults,
    write_hand_event,
)
from tests.support.evening import table_settings
from tests.support.games.placement_table import Played, score, setup_of
from tests.unit.tablelog.test_round_trip import fresh_hand

_SEATS = st.integers(1, 10)
_COUNTS = st.integers(0, 2**31)
_ROWS = st.sampled_from(LayoutRow)
_PLACEMENTS = st.lists(st.builds(SlotRow, st.integers(1, 17), _ROWS), max_size=17).map(tuple)
_POINTS = st.integers(-(2**40), 2**40)
_HANDS = st.builds(
    RankedHand,
    st.sampled_from(sorted(RANKINGS)),
    st.sampled_from(Category),
    st.integers(0, 2**40),
    st.text(max_size=20),
    st.lists(st.integers(0, 53), max_size=5).map(tuple),
)
_LAYOUTS = st.lists(
    st.builds(
        LayoutScore,
        _SEATS,
        st.booleans(),
        st.lists(_HANDS, max_size=3).map(tuple),
        st.integers(0, 99),
    ),
    max_size=4,
).map(tuple)
_PAIRS = st.lists(st.builds(PairPoints, _SEATS, _SEATS, _POINTS, _POINTS), max_size=6).map(tuple)

_EVENTS: dict[type, st.SearchStrategy[PlacementEvent]] = {
    PlacementMoved: st.builds(PlacementMoved, _SEATS, _COUNTS, st.none() | _ROWS),
    PlacementConfirmed: st.builds(
        PlacementConfirmed, _SEATS, _COUNTS, st.integers(0, 5), _PLACEMENTS, st.booleans()
    ),
    HiddenPlacement: st.builds(HiddenPlacement, _SEATS, _PLACEMENTS),
    LayoutRevealed: st.builds(LayoutRevealed, _SEATS, _PLACEMENTS),
    PointsScored: st.builds(PointsScored, _PAIRS, _LAYOUTS),
    FantasylandEarned: st.builds(FantasylandEarned, _SEATS, st.integers(14, 17), st.booleans()),
}
_SHARED = {
    StreetBegan,
    PlacesDealt,
    TurnBegan,
    RevealOrdered,
    CardsRevealed,
    HandEnded,
    HandVoided,
}
_POINTS_CONTEXT = HandContext(7, StakeKind.POINTS, {seat: f"p{seat}" for seat in range(1, 11)})


def test_every_event_of_the_machine_is_here() -> None:
    assert _EVENTS.keys() | _SHARED == set(get_args(PlacementEvent))


@pytest.mark.parametrize("kind", _EVENTS, ids=lambda kind: kind.__name__)
def test_there_and_back(kind: type) -> None:
    hand = PlacementHand(setup_of(2))

    @settings(max_examples=60, deadline=None)
    @given(_EVENTS[kind])
    def check(event: PlacementEvent) -> None:
        stored = write_hand_event(event, _POINTS_CONTEXT).SerializeToString(deterministic=True)
        again = pb.HandEvent.FromString(stored)
        assert read_hand_event(again, hand, StakeKind.POINTS) == event
        assert again.SerializeToString(deterministic=True) == stored

    check()


def opened_of(game: str = "ofc", **changes: object) -> HandBegan:
    opened = HandBegan(
        hand_no=7,
        deck_no=3,
        game=settings_pb2.GameSettings(game=game),
        seats=[
            HandSeat(seat=seat, player_id=f"p{seat}", stack=Amount(points=50)) for seat in (1, 2, 3)
        ],
        button=3,
        match_no=2,
    )
    for name, value in changes.items():
        setattr(opened, name, value)
    return opened


@pytest.mark.rule("OFC-32")
def test_a_hand_is_opened_by_its_game() -> None:
    opened = opened_of()
    opened.fantasyland.append(FantasyMessage(seat=1, cards=15))
    opened.game.ofc.fantasyland_heads_up = settings_pb2.FANTASYLAND_HEADS_UP_OPEN_FIRST
    opened.game.no_burn = True
    hand = open_hand(opened)
    assert isinstance(hand, PlacementHand)
    assert hand.setup == setup_of(
        3, FantasylandSeat(1, 15), heads_up=FantasylandHeadsUp.OPEN_FIRST, burn=False
    )
    assert placement_setup(opened_of()).fantasyland_heads_up is FantasylandHeadsUp.HIDDEN
    assert isinstance(open_hand(opened_of("scoop")), PlacementHand)


def test_games_and_their_decks() -> None:
    game = settings_pb2.GameSettings(game="ofc")
    assert placement_game(game) is OFC
    game.ofc.mode = settings_pb2.OFC_MODE_JOKER
    assert placement_game(game) is OFC_JOKER
    assert placement_game(settings_pb2.GameSettings(game="scoop")) is SCOOP
    assert [deck_composition(row) for row in (OFC, SCOOP, OFC_JOKER)] == [1, 1, 4]
    with pytest.raises(LogError):
        placement_game(settings_pb2.GameSettings(game="holdem"))


def money(opened: HandBegan) -> None:
    opened.seats[1].stack.CopyFrom(Amount(minor=50))


def all_money(opened: HandBegan) -> None:
    for seat in opened.seats:
        seat.stack.CopyFrom(Amount(minor=50))


def blind(opened: HandBegan) -> None:
    opened.forced_bets.append(
        ForcedBet(seat=1, kind=pb.FORCED_BET_KIND_ANTE, amount=Amount(points=1))
    )


def rake(opened: HandBegan) -> None:
    opened.rake.rate_bp = 500


def carried(opened: HandBegan) -> None:
    opened.carried.points = 5


def thirteen(opened: HandBegan) -> None:
    opened.fantasyland.append(FantasyMessage(seat=1, cards=13))


def no_button(opened: HandBegan) -> None:
    opened.button = 4


def strange_option(opened: HandBegan) -> None:
    opened.game.ofc.fantasyland_heads_up = 9  # type: ignore[assignment]  # a later release's


@pytest.mark.parametrize(
    ("spoil", "field"),
    [
        (money, "seats.stack"),
        (all_money, "seats.stack"),
        (blind, "forced_bets"),
        (rake, "rake.rate_bp"),
        (carried, "forced_bets"),
        (thirteen, "fantasyland"),
        (no_button, "button"),
        (strange_option, "game.ofc.fantasyland_heads_up"),
    ],
)
def test_openings_that_are_refused(spoil: Callable[[HandBegan], None], field: str) -> None:
    opened = opened_of()
    spoil(opened)
    with pytest.raises(LogError) as caught:
        open_hand(opened)
    assert caught.value.field == field


def steps_of(events: list[PlacementEvent]) -> list[Step]:
    """A log of a hand, an event a step, with a table's event between."""
    steps = [Step(table_seq=1, events=[TableEvent(hand_began=opened_of())])]
    for table_seq, event in enumerate(events, 2):
        message = TableEvent(hand=write_hand_event(event, _POINTS_CONTEXT))
        steps.append(Step(table_seq=table_seq, events=[TableEvent(), message]))
    return steps


def played() -> Played:
    hand = Played(setup_of(3))
    hand.lay_out_all()
    hand.execute(Scored(score(hand.request)))
    return hand


def test_a_hand_from_its_steps() -> None:
    hand = played()
    seen: list[PlacementEvent] = []
    again = replay_placement_hand(steps_of(hand.events), seen.append)
    assert again.digest() == hand.hand.digest()
    assert seen == hand.events


def test_each_kind_has_its_own_fold() -> None:
    hand = played()
    with pytest.raises(LogError, match="a hand of ofc"):
        replay_hand(steps_of(hand.events))
    with pytest.raises(LogError, match="no hand was opened"):
        replay_placement_hand([])


def test_steps_that_cannot_follow_name_the_step() -> None:
    hand = played()
    with pytest.raises(LogError) as caught:
        replay_placement_hand(steps_of(hand.events[:3] + hand.events[4:]))
    assert caught.value.field == "steps[5].events[1]"
    spoiled = steps_of(hand.events)
    confirmed = next(s for s in spoiled if s.events[-1].hand.HasField("placement_confirmed"))
    confirmed.events[-1].hand.placement_confirmed.placements[0].row = 9  # type: ignore[assignment]  # no row
    with pytest.raises(LogError) as caught:
        replay_placement_hand(spoiled)
    assert caught.value.field.endswith("placements.row")


@pytest.mark.parametrize(
    "message",
    [
        pb.HandEvent(action_taken=pb.ActionTaken(seat=1)),
        pb.HandEvent(pot_awarded=pb.PotAwarded(seat=1)),
        pb.HandEvent(showdown_began=pb.ShowdownBegan()),
        pb.HandEvent(),
        pb.HandEvent(placement_moved=pb.PlacementMoved(placement=pb.SlotPlacement(row=7))),  # type: ignore[arg-type]  # no row
        pb.HandEvent(hidden_placement=pb.HiddenPlacement(placements=[pb.SlotPlacement(slot=1)])),
        pb.HandEvent(
            points_scored=pb.PointsScored(
                layouts=[
                    pb.LayoutScore(rows=[pb.RankedHand(category=pb.HandCategory.ValueType(99))])
                ]
            )
        ),
        pb.HandEvent(
            points_scored=pb.PointsScored(
                layouts=[
                    pb.LayoutScore(
                        rows=[pb.RankedHand(category=pb.HAND_CATEGORY_FLUSH, cards=[Card()])]
                    )
                ]
            )
        ),
        pb.HandEvent(hand_ended=pb.HandEnded(rake=Amount(minor=0))),
        pb.HandEvent(hand_ended=pb.HandEnded(rake=Amount(points=0), carried_in=Amount(points=1))),
    ],
)
def test_messages_that_no_placement_hand_has(message: pb.HandEvent) -> None:
    with pytest.raises(LogError):
        read_hand_event(message, PlacementHand(setup_of(2)), StakeKind.POINTS)


@pytest.mark.parametrize("kind", _EVENTS, ids=lambda kind: kind.__name__)
def test_messages_that_no_betting_hand_has(kind: type) -> None:
    examples: dict[type, PlacementEvent] = {
        PlacementMoved: PlacementMoved(1, 1, LayoutRow.TOP),
        PlacementConfirmed: PlacementConfirmed(1, 1, 0, (), False),
        HiddenPlacement: HiddenPlacement(1, ()),
        LayoutRevealed: LayoutRevealed(1, ()),
        PointsScored: PointsScored((), ()),
        FantasylandEarned: FantasylandEarned(1, 14, False),
    }
    message = write_hand_event(examples[kind], _POINTS_CONTEXT)
    with pytest.raises(LogError, match="no betting hand has"):
        read_hand_event(message, fresh_hand(), StakeKind.POINTS)


def test_the_end_is_in_points() -> None:
    ended: Event = HandEnded((SeatResult(1, 50, 60, 10, 0), SeatResult(2, 50, 40, -10, 0)), 0)
    message = write_hand_event(ended, _POINTS_CONTEXT)
    assert message.hand_ended.seats[1].net == Amount(points=-10)
    assert message.hand_ended.rake == Amount(points=0)
    hand = PlacementHand(setup_of(2))
    assert read_hand_event(message, hand, StakeKind.POINTS) == ended


def test_a_betting_hand_is_opened_as_before() -> None:
    hand = fresh_hand()
    assert isinstance(hand, Hand)
    assert hand.validate(Act(1, 1, ActKind.FOLD)) is not None


def points_table(game: str) -> settings_pb2.TableSettings:
    table = table_settings()
    table.stake.points.point_price_minor = 10
    table.game.CopyFrom(settings_pb2.GameSettings(game=game))
    return table


@pytest.mark.rule("OFC-32", "OFC-33", "OFC-34", "OFC-40")
def test_defaults_of_ofc() -> None:
    full = with_defaults(points_table("ofc"))
    assert full.clock.base_ms == 90_000
    assert full.clock.bank_ms == 30_000
    assert full.seating.confirm_ready
    ofc = full.game.ofc
    assert ofc.mode == settings_pb2.OFC_MODE_REGULAR
    assert ofc.fantasyland_heads_up == settings_pb2.FANTASYLAND_HEADS_UP_HIDDEN
    assert ofc.stay_on_middle == settings_pb2.STAY_ON_MIDDLE_NONE
    assert ofc.trips_cards == 16
    off = (ofc.own_row_copy, ofc.five_of_a_kind, ofc.closed_circle, ofc.slow_player_sits_out)
    assert not any(off)
    assert not full.game.structure
    joker = points_table("ofc")
    joker.game.ofc.mode = settings_pb2.OFC_MODE_JOKER
    joker.clock.base_ms = 60_000
    joker.seating.confirm_ready = False
    full = with_defaults(joker)
    assert full.game.ofc.trips_cards == 17
    assert full.game.ofc.joker_base == settings_pb2.OFC_MODE_ULTIMATE
    assert full.clock.base_ms == 60_000
    assert not full.seating.confirm_ready
    assert with_defaults(full) == full


@pytest.mark.rule("SCP-6")
def test_defaults_of_scoop() -> None:
    full = with_defaults(points_table("scoop"))
    assert full.clock.base_ms == 40_000
    assert full.seating.confirm_ready
    assert not full.game.HasField("ofc")
