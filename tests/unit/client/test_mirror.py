"""The mirror: what a client knows of a table is the fold of what it was told."""

import pytest

from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.events.v1 import hand_events_pb2 as hand
from pokerfloor.api.events.v1 import table_events_pb2 as events
from pokerfloor.api.table.v1 import table_pb2, view_pb2
from pokerfloor.cards import parse_cards
from pokerfloor.client import Refusal, TableMirror, TopUp, TopUpStage, ViewGap
from tests.support.scripted_hand import HAND_NO, PLAYER, TABLE, ScriptedHand, minor


@pytest.fixture
def scripted() -> ScriptedHand:
    return ScriptedHand()


@pytest.fixture
def mirror(scripted: ScriptedHand) -> TableMirror:
    mirror = TableMirror(TABLE, PLAYER)
    mirror.take_snapshot(scripted.snapshot)
    return mirror


def chips(mirror: TableMirror) -> int:
    return mirror.pot + sum(seat.stack for seat in mirror.seats.values())


def test_a_snapshot_fills_the_mirror(mirror: TableMirror) -> None:
    assert mirror.view_no == 10
    assert mirror.own_seat == 1
    assert [seat.stack for seat in mirror.seats.values()] == [5_000, 4_000, 1_000, 0]
    assert mirror.hand is None
    assert mirror.pot == 0


def test_forced_bets_and_the_first_turn(mirror: TableMirror, scripted: ScriptedHand) -> None:
    for step in scripted.steps[:2]:
        mirror.take_step(step)
    assert mirror.hand is not None
    assert mirror.pot == 330
    assert [seat.bet for seat in mirror.hand.seats.values()] == [0, 100, 200]
    assert (mirror.hand.turn_seat, mirror.hand.turn_no, mirror.hand.deadline_ms) == (1, 1, 9)
    assert mirror.your_turn == scripted.your_turn()
    assert (mirror.button, mirror.hands) == (1, HAND_NO)


def test_an_action_of_its_own_ends_the_turn(mirror: TableMirror, scripted: ScriptedHand) -> None:
    for step in scripted.steps[:3]:
        mirror.take_step(step)
    assert mirror.your_turn is None
    assert mirror.hand is not None
    assert mirror.hand.seats[2].folded
    assert mirror.hand.seats[3].all_in
    assert mirror.pot == 2_110


def test_no_chip_is_lost_or_made_at_any_step(mirror: TableMirror, scripted: ScriptedHand) -> None:
    for step in scripted.steps[:4]:
        mirror.take_step(step)
        assert chips(mirror) == 10_000
    mirror.take_step(scripted.steps[4])
    assert chips(mirror) == 10_000 - 10  # the rake


def test_the_board_and_the_result(mirror: TableMirror, scripted: ScriptedHand) -> None:
    for step in scripted.steps[:4]:
        mirror.take_step(step)
    assert mirror.board == parse_cards("AcKsQd2h3h")
    mirror.take_step(scripted.steps[4])
    assert mirror.hand is None
    last = mirror.last_hand
    assert last is not None
    assert (last.hand_no, last.rake, last.nets) == (HAND_NO, 10, {1: 1_100, 2: -110, 3: -1_000})
    (winner,) = last.winners
    assert (winner.player_id, winner.amount, winner.hand_name) == (PLAYER, 2_100, "three aces")
    assert last.board == parse_cards("AcKsQd2h3h")
    assert mirror.own_hands_finished == 1


def test_a_snapshot_in_the_middle_agrees_with_the_fold(
    mirror: TableMirror, scripted: ScriptedHand
) -> None:
    for step in scripted.steps[:3]:
        mirror.take_step(step)
    snapshot = table_pb2.Snapshot()
    snapshot.CopyFrom(scripted.snapshot)
    snapshot.view_no = 13
    view = snapshot.table
    for seat, stack in ((1, 4_000), (2, 3_890), (3, 0)):
        view.seats[seat - 1].stack.minor = stack
    view.hand.hand_no, view.hand.deck_no, view.hand.root = HAND_NO, 6, b"r" * 32
    view.hand.pots.add(pot_no=0, amount=minor(30))
    for seat, bet, folded, all_in in (
        (1, 990, False, False),
        (2, 100, True, False),
        (3, 990, False, True),
    ):
        view.hand.seats.add(seat=seat, bet=minor(bet), folded=folded, all_in=all_in)
    other = TableMirror(TABLE, PLAYER)
    other.take_snapshot(snapshot)
    assert other.hand is not None
    assert mirror.hand is not None
    assert other.pot == mirror.pot
    assert {n: s.stack for n, s in other.seats.items()} == {
        n: s.stack for n, s in mirror.seats.items()
    }
    for seat, known in mirror.hand.seats.items():
        told = other.hand.seats[seat]
        assert (told.bet, told.folded, told.all_in) == (known.bet, known.folded, known.all_in)


def test_a_view_that_was_taken_in_before_changes_nothing(
    mirror: TableMirror, scripted: ScriptedHand
) -> None:
    assert mirror.take_step(scripted.steps[0])
    assert not mirror.take_step(scripted.steps[0])
    assert mirror.view_no == 11


def test_a_gap_is_told_and_changes_nothing(mirror: TableMirror, scripted: ScriptedHand) -> None:
    mirror.take_step(scripted.steps[0])
    with pytest.raises(ViewGap, match="13 follows 11"):
        mirror.take_step(scripted.steps[2])
    assert mirror.view_no == 11
    assert mirror.pot == 0


def test_a_void_hand_gives_every_chip_back(mirror: TableMirror, scripted: ScriptedHand) -> None:
    for step in scripted.steps[:3]:
        mirror.take_step(step)
    void = hand.HandVoided(reason="deck lost", hand_no=HAND_NO)
    event = events.TableEvent(hand=hand.HandEvent(hand_voided=void))
    mirror.take_step(table_pb2.StepView(view_no=14, events=[event]))
    assert [seat.stack for seat in mirror.seats.values()] == [5_000, 4_000, 1_000, 0]
    assert mirror.last_hand is not None
    assert mirror.last_hand.void_reason == "deck lost"
    assert mirror.last_hand.winners == ()


def step(mirror: TableMirror, **event: object) -> None:
    told = events.TableEvent(**event)  # type: ignore[arg-type]  # the field is the caller's
    mirror.take_step(table_pb2.StepView(view_no=mirror.view_no + 1, events=[told]))


def seats_out(mirror: TableMirror) -> list[int]:
    return [seat.seat for seat in mirror.seats.values() if seat.sitting_out]


def test_seats_come_and_go(mirror: TableMirror) -> None:
    step(
        mirror,
        seat_taken=events.SeatTaken(seat=4, player_id="dan", display_name="Dan", stack=minor(700)),
    )
    assert (mirror.seats[4].name, mirror.seats[4].stack) == ("Dan", 700)
    step(mirror, sat_out=events.SatOut(seat=4))
    assert seats_out(mirror) == [4]
    step(mirror, sat_in=events.SatIn(seat=4))
    assert seats_out(mirror) == []
    step(mirror, chips_added=events.ChipsAdded(seat=4, amount_minor=300, stack=minor(1_000)))
    assert mirror.seats[4].stack == 1_000
    step(mirror, leave_requested=events.LeaveRequested(seat=4))
    assert mirror.seats[4].leaving
    step(mirror, seat_left=events.SeatLeft(seat=4, player_id="dan", cash_out_minor=1_000))
    assert mirror.seats[4].player_id == ""
    assert mirror.seats[4].stack == 0


def refusal(mirror: TableMirror) -> Refusal | None:
    return mirror.refused_buy_in


def test_the_own_seat_is_found_and_lost(mirror: TableMirror) -> None:
    step(mirror, seat_left=events.SeatLeft(seat=1, player_id=PLAYER))
    assert mirror.own_seat == 0
    assert mirror.own_stack == 0
    poor = errors_pb2.ERROR_CODE_INSUFFICIENT_FUNDS
    released = events.SeatReleased(
        seat=4, player_id=PLAYER, error=errors_pb2.Error(reason="no money", code=poor)
    )
    step(mirror, seat_released=released)
    assert refusal(mirror) == Refusal(poor, "no money")
    step(mirror, seat_reserved=events.SeatReserved(seat=4, player_id=PLAYER))
    assert refusal(mirror) is None
    step(mirror, seat_taken=events.SeatTaken(seat=4, player_id=PLAYER, stack=minor(700)))
    assert (mirror.own_seat, mirror.own_stack) == (4, 700)


def top_up_of(mirror: TableMirror, player: str = PLAYER) -> None:
    reserved = events.TopUpReserved(seat=1, amount_minor=300, reservation_id="r", player_id=player)
    step(mirror, top_up_reserved=reserved)


@pytest.mark.rule("TBL-3")
def test_a_top_up_is_followed_until_it_has_arrived(mirror: TableMirror) -> None:
    top_up_of(mirror)
    assert mirror.top_up == TopUp("r", 300, TopUpStage.ASKED)
    step(mirror, top_up_held=events.TopUpHeld(seat=1, reservation_id="r"))
    assert mirror.top_up == TopUp("r", 300, TopUpStage.HELD)
    added = events.ChipsAdded(
        seat=1, amount_minor=300, reservation_id="r", stack=minor(5_300), player_id=PLAYER
    )
    step(mirror, chips_added=added)
    assert mirror.top_up == TopUp("r", 300, TopUpStage.ADDED)
    assert mirror.own_stack == 5_300


@pytest.mark.rule("TBL-3")
def test_a_top_up_that_the_wallet_refuses_says_why(mirror: TableMirror) -> None:
    top_up_of(mirror)
    released = events.TopUpReleased(
        seat=1,
        reservation_id="r",
        player_id=PLAYER,
        error=errors_pb2.Error(reason="no money", code=errors_pb2.ERROR_CODE_INSUFFICIENT_FUNDS),
    )
    step(mirror, top_up_released=released)
    refused = Refusal(errors_pb2.ERROR_CODE_INSUFFICIENT_FUNDS, "no money")
    assert mirror.top_up == TopUp("r", 300, TopUpStage.REFUSED, refused)


def test_the_table_pauses_and_closes(mirror: TableMirror) -> None:
    step(mirror, table_paused=events.TablePaused(reason="asked"))
    assert mirror.state == view_pb2.TABLE_STATE_PAUSED
    step(mirror, table_resumed=events.TableResumed())
    step(mirror, table_closing=events.TableClosing())
    step(mirror, table_closed=events.TableClosed())
    assert mirror.state == view_pb2.TABLE_STATE_CLOSED


def test_a_step_without_events_still_counts(mirror: TableMirror) -> None:
    mirror.take_step(table_pb2.StepView(view_no=11))
    assert mirror.view_no == 11
