"""Sitting down, chips, leaving (TBL-1 to TBL-4, TBL-17)."""

import pytest

from floor_table.domain import (
    Clock,
    Refusal,
    ReservationIn,
    ReserveEffect,
    SeatKeyEffect,
    Table,
    TimeUpIn,
    VoidReservationEffect,
    answer_for,
    decide,
    open_effects,
)
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.events.v1 import table_events_pb2
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.table.v1 import table_pb2
from pokerfloor.cards import STANDARD, parse_cards
from tests.support.evening import Evening, code, names, table_settings


def sit_down(evening: Evening, player: str, **wanted: int) -> Step | Refusal:
    """Sit down without an answer of the wallet yet."""
    command = table_pb2.SitDownCommand(display_name=player, **wanted)  # type: ignore[arg-type]  # numbers only
    return evening.command(player, table_pb2.TableCommand(sit_down=command))


def dues(table: Table, kind: type) -> list[object]:
    return [due for due in open_effects(table) if isinstance(due, kind)]


@pytest.mark.rule("TBL-2")
def test_a_seat_is_pending_until_the_wallet_has_said_yes() -> None:
    evening = Evening(table_settings())
    step = sit_down(evening, "ann", seat=3, buy_in_minor=100)
    assert names(step) == ["seat_reserved"]
    (due,) = dues(evening.table, ReserveEffect)
    assert isinstance(due, ReserveEffect)
    assert due.reservation_id == f"t1/buyin/{evening.table.table_seq}"
    assert (due.player_id, due.amount_minor) == ("ann", 100)
    assert evening.is_pending(3)
    assert code(evening.sit_out("ann")) == "SEAT_PENDING"
    assert names(evening.do(ReservationIn(due.reservation_id, held=True))) == ["seat_taken"]
    assert evening.table.seats[3].stack == 100
    (key,) = dues(evening.table, SeatKeyEffect)
    assert key == SeatKeyEffect(3, "ann", evening.table.table_seq)


@pytest.mark.rule("TBL-2")
def test_no_seat_without_chips_when_the_wallet_says_no() -> None:
    evening = Evening(table_settings())
    sit_down(evening, "ann", seat=3, buy_in_minor=100)
    due = open_effects(evening.table)[0]
    assert isinstance(due, ReserveEffect)
    poor = errors_pb2.ERROR_CODE_INSUFFICIENT_FUNDS
    step = evening.do(ReservationIn(due.reservation_id, held=False, reason="too poor", code=poor))
    assert names(step) == ["seat_released"]
    assert isinstance(step, Step)
    released = step.events[0].seat_released
    assert (released.error.reason, released.error.code) == ("too poor", poor), (
        "as the wallet said it"
    )
    assert evening.seat_no("ann") == 0
    assert dues(evening.table, VoidReservationEffect) == [
        VoidReservationEffect(due.reservation_id, "too poor")
    ]
    assert code(evening.do(ReservationIn(due.reservation_id, held=True))) == "UNEXPECTED_INPUT"


@pytest.mark.rule("TBL-2", "TBL-15")
def test_what_a_player_asked_for_is_known_after_a_change_of_owner() -> None:
    evening = Evening(table_settings())
    wanted = table_pb2.SitDownCommand(
        seat=3, buy_in_minor=100, display_name="Ann of Arc", post_to_enter=True
    )
    step = evening.command("ann", table_pb2.TableCommand(sit_down=wanted))
    assert isinstance(step, Step)
    reserved = step.events[0].seat_reserved
    assert (reserved.display_name, reserved.post_to_enter) == ("Ann of Arc", True)
    evening.take_over()
    due = dues(evening.table, ReserveEffect)[0]
    assert isinstance(due, ReserveEffect)
    step = evening.do(ReservationIn(due.reservation_id, held=True))
    assert names(step) == ["seat_taken", "entry_chosen"]
    seat = evening.table.seats[3]
    assert (seat.display_name, seat.post) == ("Ann of Arc", True)


@pytest.mark.rule("TBL-2")
def test_a_reservation_is_not_committed_in_its_last_two_seconds() -> None:
    evening = Evening(table_settings())
    sit_down(evening, "ann", buy_in_minor=100)
    due = open_effects(evening.table)[0]
    assert isinstance(due, ReserveEffect)
    evening.now_ms = due.expires_at_ms - 2_000
    in_time = decide(evening.table, ReservationIn(due.reservation_id, held=True), evening.now_ms)
    assert not isinstance(in_time, Refusal)
    assert [event.WhichOneof("event") for event in in_time.step.events] == ["seat_taken"]
    assert code(evening.do(TimeUpIn(Clock.RESERVATION))) == "WRONG_STATE"
    evening.now_ms += 1
    step = evening.do(ReservationIn(due.reservation_id, held=True))
    assert names(step) == ["seat_released"]


@pytest.mark.rule("TBL-2")
def test_a_reservation_without_an_answer_ends_by_itself() -> None:
    evening = Evening(table_settings())
    evening.wallet_says_no = 1.0
    sit_down(evening, "ann", buy_in_minor=100)
    timer = evening.next_timer()
    assert timer is not None
    assert timer.clock is Clock.RESERVATION
    evening.now_ms = timer.at_ms
    assert names(evening.do(TimeUpIn(Clock.RESERVATION))) == ["seat_released"]
    assert evening.next_timer() is None


@pytest.mark.rule("TBL-2")
def test_what_is_refused_when_sitting_down() -> None:
    evening = Evening(table_settings(seats=3))
    evening.sit("ann", 1, 100)
    for wanted, expected in (
        ({"seat": 1, "buy_in_minor": 100}, "SEAT_TAKEN"),
        ({"seat": 4, "buy_in_minor": 100}, "UNKNOWN_SEAT"),
        ({"seat": 2, "buy_in_minor": 39}, "BUY_IN_OUT_OF_RANGE"),
        ({"seat": 2, "buy_in_minor": 401}, "BUY_IN_OUT_OF_RANGE"),
    ):
        assert code(sit_down(evening, "bob", **wanted)) == expected
    assert code(sit_down(evening, "ann", seat=2, buy_in_minor=100)) == "ALREADY_SEATED"
    no_name = table_pb2.SitDownCommand(seat=2, buy_in_minor=100)
    outcome = evening.command("bob", table_pb2.TableCommand(sit_down=no_name))
    assert code(outcome) == "INVALID_FIELD"
    assert isinstance(outcome, Refusal)
    assert outcome.field == "sit_down.display_name"


@pytest.mark.rule("TBL-2")
def test_any_seat_is_the_first_free_one_and_is_answered() -> None:
    evening = Evening(table_settings(seats=2))
    evening.sit("ann", 1)
    wanted = table_pb2.SitDownCommand(buy_in_minor=100, display_name="bob")
    given = evening.command_in("bob", table_pb2.TableCommand(sit_down=wanted))
    decision = decide(evening.table, given, evening.now_ms)
    assert not isinstance(decision, Refusal)
    assert decision.seat == 2
    evening.do(given)
    again = answer_for(evening.table, "bob", given.command_id, given.digest)
    assert isinstance(again, table_pb2.CommandResult)
    assert (again.seat, again.table_seq) == (2, evening.table.table_seq)
    assert code(evening.sit("carl")) == "SEAT_TAKEN"


@pytest.mark.rule("TBL-2")
def test_coming_back_inside_the_rat_hole_window() -> None:
    evening = Evening(table_settings())
    evening.sit("ann", 1, 300)
    evening.leave("ann")
    evening.now_ms += 59 * 60_000
    assert code(sit_down(evening, "ann", buy_in_minor=299)) == "RAT_HOLE"
    assert names(sit_down(evening, "ann", buy_in_minor=300)) == ["seat_reserved"]
    evening.leave("ann")
    evening.now_ms += 60_000
    assert names(sit_down(evening, "ann", buy_in_minor=100)) == ["seat_reserved"]


@pytest.mark.rule("TBL-2")
def test_whoever_left_with_more_than_the_maximum_may_bring_it_back() -> None:
    evening = three_with_a_winner()
    winner = evening.table.player_at(1)
    left_with = evening.table.seats[1].stack
    assert left_with > 400
    evening.leave(winner)
    assert code(sit_down(evening, winner, buy_in_minor=left_with + 1)) == "BUY_IN_OUT_OF_RANGE"
    assert code(sit_down(evening, winner, buy_in_minor=400)) == "RAT_HOLE"
    assert names(sit_down(evening, winner, buy_in_minor=left_with)) == ["seat_reserved"]


def three_with_a_winner() -> Evening:
    """Return a table where seat 1 has won everything from seats 2 and 3."""
    evening = Evening(table_settings(), deck_of=aces_for_the_small_blind)
    for seat, player in enumerate(("ann", "bob", "carl"), 1):
        evening.sit(player, seat, 400)
    evening.settle()
    while (wait := evening.wait()) is not None:
        evening.act("all_in" if wait.legal.all_in_as else "call")
        evening.settle(begin=False)
    return evening


def aces_for_the_small_blind(deck_no: int) -> tuple[int, ...]:
    """Return decks: seat 3 draws the button, then the first seat dealt to gets aces."""
    if deck_no == 1:
        return parse_cards("2c3cKd")
    cards = parse_cards("As2c7dAh3d2h4s9hTsJd5h6c6dQh")
    return (*cards, *[card for card in STANDARD.cards if card not in cards])


@pytest.mark.rule("TBL-3")
def test_chips_asked_for_in_a_hand_arrive_when_it_ends() -> None:
    evening = two_players()
    assert names(evening.top_up("ann", 50)) == ["top_up_reserved"]
    (due,) = dues(evening.table, ReserveEffect)
    assert isinstance(due, ReserveEffect)
    step = evening.do(ReservationIn(due.reservation_id, held=True))
    assert names(step) == ["top_up_held"]
    assert not dues(evening.table, ReserveEffect)
    assert code(evening.top_up("ann", 50)) == "WRONG_STATE"
    assert evening.table.seats[1].stack == 100
    evening.take_over()
    last = play_to_the_end(evening)
    assert "chips_added" in names(last)
    assert evening.table.seats[1].stack in (149, 152, 151, 148)
    assert evening.table.seats[1].top_up is None


@pytest.mark.rule("TBL-3")
def test_chips_asked_for_between_hands_arrive_at_once() -> None:
    evening = Evening(table_settings())
    evening.sit("ann", 1, 100)
    evening.top_up("ann", 300)
    evening.settle()
    assert evening.table.seats[1].stack == 400
    outcome = evening.top_up("ann", 1)
    assert code(outcome) == "BUY_IN_OUT_OF_RANGE"
    assert code(evening.top_up("ann", 0)) == "INVALID_FIELD"
    assert code(evening.top_up("bob", 10)) == "NOT_SEATED"


@pytest.mark.rule("TBL-3")
def test_a_top_up_never_lifts_the_stack_above_the_maximum() -> None:
    evening = Evening(table_settings(), deck_of=aces_for_the_small_blind)
    for seat, player in enumerate(("ann", "bob", "carl"), 1):
        evening.sit(player, seat, 200)
    evening.settle()
    evening.top_up("ann", 150)
    evening.settle(begin=False)
    while (wait := evening.wait()) is not None:
        evening.act("all_in" if wait.legal.all_in_as else "call")
        evening.settle(begin=False)
    assert evening.table.seats[1].stack == 600
    (released,) = [
        event.top_up_released
        for step in evening.steps
        for event in step.events
        if event.HasField("top_up_released")
    ]
    assert released.error.reason == "the stack would be 750, above the maximum of 400"
    assert released.error.code == errors_pb2.ERROR_CODE_BUY_IN_OUT_OF_RANGE


@pytest.mark.rule("TBL-3")
def test_an_automatic_top_up() -> None:
    evening = two_players()
    wanted = table_pb2.PreferencesCommand(auto_top_up_minor=100)
    for player in ("ann", "bob"):
        evening.command(player, table_pb2.TableCommand(preferences=wanted))
    play_to_the_end(evening)
    evening.settle(begin=False)
    stacks = sorted(seat.stack for seat in evening.table.seats.values())
    assert stacks[0] == 100
    evening.wallet_says_no = 1.0
    wanted = table_pb2.PreferencesCommand(auto_top_up_minor=150)
    evening.command("ann", table_pb2.TableCommand(preferences=wanted))
    evening.settle()
    play_to_the_end(evening)
    evening.settle(begin=False)
    ann = evening.table.seats[1]
    assert ann.stack < 150
    assert ann.auto_top_up_minor == 0, "the wallet is not asked again after every hand"


@pytest.mark.rule("TBL-4")
def test_leaving_takes_effect_when_the_hand_is_over() -> None:
    evening = two_players()
    assert names(evening.leave("ann")) == ["leave_requested"]
    assert code(evening.leave("ann")) == "WRONG_STATE"
    assert code(evening.top_up("ann", 10)) == "WRONG_STATE"
    last = play_to_the_end(evening)
    (left,) = [event.seat_left for event in last.events if event.HasField("seat_left")]
    ended = [event.hand.hand_ended for event in last.events if event.hand.HasField("hand_ended")]
    (mine,) = [seat for seat in ended[0].seats if seat.player_id == "ann"]
    assert (left.player_id, left.reason) == ("ann", table_events_pb2.LEAVE_REASON_ASKED)
    assert left.cash_out_minor == mine.end.minor, "the whole stack"
    assert evening.seat_no("ann") == 0


@pytest.mark.rule("TBL-4")
def test_leaving_between_hands_is_at_once_and_gives_a_top_up_back() -> None:
    evening = Evening(table_settings())
    evening.sit("ann", 1, 100)
    evening.top_up("ann", 100)
    assert names(evening.leave("ann")) == ["top_up_released", "seat_left"]
    assert len(dues(evening.table, VoidReservationEffect)) == 1
    assert code(evening.leave("ann")) == "NOT_SEATED"


@pytest.mark.rule("TBL-17")
def test_three_big_blinds_missed_and_the_seat_is_free() -> None:
    evening = Evening(table_settings())
    for seat, player in enumerate(("ann", "bob", "carl", "dora"), 1):
        evening.sit(player, seat, 100)
    evening.sit_out("dora")
    misses = []
    for _ in range(12):
        evening.settle()
        evening.fold_around()
        dora = evening.table.seats.get(4)
        misses.append(dora.big_missed if dora else -1)
        if dora is None:
            break
    left = [
        event.seat_left
        for step in evening.steps
        for event in step.events
        if event.HasField("seat_left")
    ]
    assert [(one.player_id, one.reason, one.cash_out_minor) for one in left] == [
        ("dora", table_events_pb2.LEAVE_REASON_MISSED_BLINDS, 100)
    ]
    assert misses[-2:] == [2, -1]
    assert sorted(set(misses[:-1])) in ([0, 1, 2], [1, 2])


def test_a_seat_without_chips_goes_after_two_minutes() -> None:
    evening = three_with_a_winner()
    assert sorted(seat.stack for seat in evening.table.seats.values()) == [0, 0, 1200]
    assert not evening.can_begin()
    evening.pass_time(60_000)
    evening.top_up("bob", 100)
    evening.settle()
    assert evening.table.hand_no == 2, "with chips again the seat plays on"
    evening.fold_around()
    evening.pass_time(61_000)
    assert evening.seat_no("carl") == 0
    assert evening.seat_no("bob") == 2
    (left,) = [
        event.seat_left
        for step in evening.steps
        for event in step.events
        if event.HasField("seat_left")
    ]
    assert (left.reason, left.cash_out_minor) == (table_events_pb2.LEAVE_REASON_NO_CHIPS, 0)


def two_players() -> Evening:
    """Return a table with a hand in play between ann (seat 1) and bob (seat 2)."""
    evening = Evening(table_settings())
    evening.sit("ann", 1, 100)
    evening.sit("bob", 2, 100)
    evening.settle()
    assert evening.wait() is not None
    return evening


def play_to_the_end(evening: Evening) -> Step:
    """Check and fold the hand to its end and return the step that ended it."""
    evening.fold_around()
    return next(
        step
        for step in reversed(evening.steps)
        if any(event.hand.HasField("hand_ended") for event in step.events)
    )
