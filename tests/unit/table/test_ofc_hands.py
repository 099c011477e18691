"""A hand of OFC at a table: order, moves, confirmations, scores, points and money."""

import pytest

from floor_table.domain import (
    CommandIn,
    Operation,
    ScoringEffect,
    ScoringIn,
    open_effects,
    replay,
)
from floor_table.domain.placement import MOST_MOVES
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.table.v1 import table_pb2
from pokerfloor.games.placement import LayoutRow, SlotRow
from tests.support.evening import code, names
from tests.support.points_evening import (
    NOTHING,
    PRICE,
    QUEENS_ON_TOP,
    PointsEvening,
    in_order,
    planted_decks,
    points_settings,
    scored,
)

TOP, MIDDLE, BOTTOM = LayoutRow.TOP, LayoutRow.MIDDLE, LayoutRow.BOTTOM


def in_play(players: str = "abc", **ofc: int) -> PointsEvening:
    """Return a first hand in which the first player is to lay out."""
    settings = points_settings(seats=len(players), **ofc)  # type: ignore[arg-type]  # of OFC alone
    evening = PointsEvening(settings, players=players)
    evening.settle()
    assert evening.turns()
    return evening


@pytest.mark.rule("OFC-1", "OFC-2", "OFC-3")
def test_a_hand_is_played_in_turn_from_the_left_of_the_button() -> None:
    evening = in_play()
    button = evening.table.record.began.button  # type: ignore[union-attr]  # a hand
    left = [seat for seat in (1, 2, 3) if seat > button]
    order = [*left, *[seat for seat in (1, 2, 3) if seat <= button]]
    asked: list[tuple[int, int]] = []
    while evening.turns():
        (turn,) = evening.turns()
        asked.append((turn.street_no, turn.seat))
        assert [clock.seat for clock in evening.table.clocks] == [turn.seat]
        assert "placement_confirmed" in names(evening.confirm())
        evening.settle(begin=False)
    assert asked == [(street, seat) for street in range(5) for seat in order]
    assert names(evening.steps[-1]) == ["points_scored", "hand_ended", "match_changed"]
    assert sum(evening.points().values()) == 300
    assert evening.steps[-1].input.scoring.hand.hand_no == 1


@pytest.mark.rule("OFC-3", "OFC-4")
def test_moves_in_the_open_are_seen_and_bounded() -> None:
    evening = in_play()
    (turn,) = evening.turns()
    first = turn.places[0].slot
    clocks = evening.table.clocks
    assert names(evening.move(first, TOP)) == ["placement_moved"]
    assert names(evening.move(first, None)) == ["placement_moved"]
    assert code(evening.move(first, None)) == "ACTION_NOT_ALLOWED"
    assert code(evening.move(99, TOP)) == "BAD_SLOT"
    for count in range(MOST_MOVES - 2):
        assert isinstance(evening.move(first, None if count % 2 else TOP), Step)
    digest = evening.table.digest()
    assert code(evening.move(turn.places[1].slot, TOP)) == "RATE_LIMITED"
    assert evening.table.digest() == digest
    assert evening.table.clocks == clocks, "moving takes its own time"
    evening.confirm()
    evening.settle()
    assert isinstance(evening.move(evening.turns()[0].places[0].slot, TOP), Step)


@pytest.mark.rule("OFC-4")
def test_a_layout_that_is_not_legal_is_refused_and_changes_nothing() -> None:
    evening = in_play()
    (turn,) = evening.turns()
    slots = [place.slot for place in turn.places]
    digest = evening.table.digest()
    fourth = [SlotRow(slot, TOP) for slot in slots[:4]]
    for placements, expected in (
        ([*fourth, SlotRow(slots[4], BOTTOM)], "BAD_LAYOUT"),
        ([SlotRow(slot, BOTTOM) for slot in slots[:4]], "BAD_LAYOUT"),
        ([*[SlotRow(slot, BOTTOM) for slot in slots[:4]], SlotRow(17, TOP)], "BAD_SLOT"),
        ([SlotRow(slots[0], BOTTOM)] * 5, "BAD_SLOT"),
        ([SlotRow(slots[0], BOTTOM)] * 33, "INVALID_FIELD"),
        (
            [*[SlotRow(s, BOTTOM) for s in slots[:4]], SlotRow(slots[4], LayoutRow.DISCARD)],
            "BAD_LAYOUT",
        ),
    ):
        assert code(evening.confirm(turn, placements)) == expected
    others = [seat for seat in (1, 2, 3) if seat != turn.seat]
    wrong = turn._replace(seat=others[0])
    assert code(evening.confirm(wrong)) == "NOT_YOUR_TURN"
    assert code(evening.confirm(turn._replace(turn_no=9))) == "STALE_TURN"
    assert evening.table.digest() == digest
    evening.confirm(turn)
    assert code(evening.confirm(turn)) == "STALE_TURN", "nothing is taken back"
    evening.settle()
    second = evening.turns()[0]
    assert code(evening.confirm(turn._replace(seat=turn.seat))) == "STALE_TURN"
    row = hand_events_pb2.LAYOUT_ROW_TOP
    wanted = table_pb2.MovePlacementCommand(
        hand_no=1,
        turn_no=second.turn_no,
        placement=hand_events_pb2.SlotPlacement(slot=second.places[0].slot, row=row + 9),  # type: ignore[arg-type]  # no row
    )
    player = evening.table.player_at(second.seat)
    outcome = evening.command(player, table_pb2.TableCommand(move_placement=wanted))
    assert code(outcome) == "INVALID_FIELD"


def test_commands_of_other_games_are_refused() -> None:
    evening = in_play()
    player = evening.table.player_at(evening.turns()[0].seat)
    act = table_pb2.ActCommand(hand_no=1, turn_no=1, kind=hand_events_pb2.ACTION_KIND_CHECK)
    assert code(evening.command(player, table_pb2.TableCommand(act=act))) == "UNEXPECTED_INPUT"
    split = table_pb2.AnswerSplitCommand(hand_no=1, agrees=True)
    answer = evening.command(player, table_pb2.TableCommand(answer_split=split))
    assert code(answer) == "UNEXPECTED_INPUT"
    show = table_pb2.ShowCardsCommand(hand_no=1, slots=[1])
    assert code(evening.command(player, table_pb2.TableCommand(show_cards=show))) == "NO_HAND"


@pytest.mark.rule("OFC-13", "OFC-20", "OFC-21")
def test_scores_are_what_the_scoring_service_says_and_points_are_money() -> None:
    settings = points_settings(seats=2)
    decks = planted_decks(settings, {2: ((1, 2), {1: QUEENS_ON_TOP, 2: NOTHING})})
    evening = PointsEvening(settings, players="ab", deck_of=decks)
    evening.settle()
    (due,) = [d for d in _after_all(evening) if isinstance(d, ScoringEffect)]
    assert [layout.seat for layout in due.asked.layouts][-1] == (
        evening.table.record.began.button  # type: ignore[union-attr]  # a hand
    )
    outcome = evening.do(scored(due))
    assert names(outcome) == ["points_scored", "fantasyland_earned", "hand_ended"]
    assert evening.points() == {"a": 119, "b": 81}
    evening.play_hand()
    while evening.table.matches.match is not None:
        evening.play_hand()
    state = evening.table
    assert state.chips_in == 200
    assert sum(seat.stack for seat in state.by_number()) == 200
    for player in "ab":
        stack = evening.points()[player]
        left = evening.leave(player)
        assert isinstance(left, Step)
        event = next(e.seat_left for e in left.events if e.HasField("seat_left"))
        assert event.cash_out_minor == stack * PRICE


def _after_all(evening: PointsEvening) -> tuple[object, ...]:
    """Return what is due when everybody has laid out."""
    while evening.turns():
        evening.confirm()
        for _ in range(9):
            if evening.turns() or any(
                isinstance(d, ScoringEffect) for d in open_effects(evening.table)
            ):
                break
            evening._answer_one(begin=False)
    return open_effects(evening.table)


def test_scores_that_cannot_be_true_are_refused() -> None:
    evening = in_play("ab")
    (due,) = [d for d in _after_all(evening) if isinstance(d, ScoringEffect)]
    good = scored(due)
    digest = evening.table.digest()
    assert code(evening.do(ScoringIn(2, good.scored, good.settled))) == "UNEXPECTED_INPUT"
    bad = scored(due)
    bad.scored.pairs[0].total_points += 1
    assert code(evening.do(bad)) == "BAD_SHOWDOWN"
    bad = scored(due)
    bad.settled.pairs[0].scored_points += 1
    bad.scored.pairs[0].total_points += 1
    bad.settled.pairs[0].paid_points += 1_000
    assert code(evening.do(bad)) == "BAD_SHOWDOWN"
    assert evening.table.digest() == digest
    assert isinstance(evening.do(good), Step)
    assert code(evening.do(good)) == "UNEXPECTED_INPUT"


@pytest.mark.rule("OFC-6")
def test_a_void_hand_gives_every_point_back_and_ends_its_match() -> None:
    evening = in_play()
    evening.confirm()
    evening.settle()
    step = evening.operate(Operation.VOID, reason="fouled deck", hand_no=1)
    assert names(step) == ["hand_voided", "match_changed"]
    assert set(evening.points().values()) == {100}
    assert evening.table.clocks == ()
    evening.play_hand()
    assert sum(evening.points().values()) == 300


def test_the_log_makes_the_same_table() -> None:
    evening = in_play()
    for _ in range(2):
        evening.play_hand()
    assert replay("t1", evening.steps).digest() == evening.table.digest()


@pytest.mark.rule("CLK-4")
def test_a_confirmation_after_its_time_is_refused() -> None:
    evening = in_play()
    (clock,) = evening.table.clocks
    evening.now_ms = clock.ends_ms + 1
    assert code(evening.confirm()) == "TOO_LATE"
    assert isinstance(evening.confirm(late_ms=-1), Step)


def test_a_command_of_an_old_hand() -> None:
    evening = in_play()
    turn = evening.turns()[0]
    given = evening.command_in(
        evening.table.player_at(turn.seat),
        table_pb2.TableCommand(
            confirm_placement=table_pb2.ConfirmPlacementCommand(hand_no=7, turn_no=turn.turn_no)
        ),
    )
    assert isinstance(given, CommandIn)
    assert code(evening.do(given)) == "INVALID_FIELD"
    assert in_order(turn)
