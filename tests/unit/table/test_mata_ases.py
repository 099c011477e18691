"""Mata Ases at a table: facings, splits, carried pots and what becomes of them (MAT)."""

from collections.abc import Callable, Sequence

import pytest

from floor_table.domain import (
    Clock,
    Operation,
    Refusal,
    TimeUpIn,
    next_hand_at,
    replay,
    snapshot,
)
from pokerfloor.api.events.v1.table_events_pb2 import CarriedPotClosed, HandBegan
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.settings.v1 import settings_pb2 as pb
from pokerfloor.api.table.v1 import table_pb2, view_pb2
from pokerfloor.api.table.v1.table_pb2 import VIEW_KIND_PLAYER, VIEW_KIND_SPECTATOR
from pokerfloor.cards import STANDARD, Card, parse_cards
from tests.support.audience import audience_of
from tests.support.evening import Evening, code, names
from tests.support.game_tables import antes_table

# Up card, down card, three in the middle, then a card each on three streets: nobody has a pair.
_POOR = "2c3d 7h8s KcQdJh 4h5s 9dTc 6c2h"


def decks(first: str) -> Callable[[int], Sequence[Card]]:
    def deck_of(deck_no: int) -> Sequence[Card]:
        top = parse_cards(first) if deck_no > 1 else ()
        return (*top, *[card for card in STANDARD.cards if card not in top])

    return deck_of


def table_of(
    *, buy_in: int = 200, carry_for: pb.CarryFor.ValueType = pb.CARRY_FOR_NEXT_DEAL
) -> Evening:
    """Return a table of two in a hand in which nobody will have a pair of aces."""
    settings = antes_table("mata_ases", ante=2, carry_for=carry_for)
    settings.buy_in.min_minor = 4
    evening = Evening(settings, deck_of=decks(_POOR))
    evening.sit("p1", 1, buy_in)
    evening.sit("p2", 2, buy_in)
    evening.settle()
    return evening


def check_down(evening: Evening, *, until_split: bool = True) -> None:
    """Check and take every card up, to the split or to the end of the hand."""
    while evening.asks_players and not (until_split and evening.splitting()):
        if evening.facing() is not None:
            evening.face()
        else:
            wait = evening.wait()
            assert wait is not None
            evening.act("check")
        evening.settle(begin=False)


def opened(evening: Evening) -> HandBegan:
    record = evening.table.record
    assert record is not None
    return record.began


def your_turn(evening: Evening, player: str) -> view_pb2.YourTurn:
    audience = audience_of(VIEW_KIND_PLAYER, player, evening.table)
    return snapshot(evening.table, audience).table.hand.your_turn


def carried(evening: Evening) -> int:
    spectator = audience_of(VIEW_KIND_SPECTATOR, "", evening.table)
    return snapshot(evening.table, spectator).table.carried_pot.minor


def stacks(evening: Evening) -> dict[str, int]:
    return {seat.player_id: seat.stack for seat in evening.table.by_number()}


def carry(evening: Evening) -> None:
    """Play the hand to a split that comes to nothing."""
    check_down(evening)
    evening.answer_split("p1", agrees=False)
    assert evening.table.hand_no == 0


@pytest.mark.rule("MAT-3")
def test_each_says_before_the_card_how_it_comes() -> None:
    evening = table_of()
    while evening.facing() is None:
        evening.act("check")
        evening.settle(begin=False)
    wait = evening.facing()
    assert wait is not None
    player = f"p{wait.seat}"
    view = your_turn(evening, player)
    assert list(view.choices) == [view_pb2.CHOICE_KIND_FACING]
    assert not view.HasField("legal")
    assert evening.table.clock is not None
    step = evening.face(down=True)
    assert names(step)[:3] == ["facing_chosen", "places_dealt", "reveal_ordered"]
    assert isinstance(step, Step)
    (place,) = step.events[2].hand.reveal_ordered.places
    assert (place.owner, place.slot) == (wait.seat, 2), "the earlier down card comes up"
    again = table_pb2.ChooseFacingCommand(hand_no=1, turn_no=wait.turn_no, face_down=True)
    refused = evening.command(player, table_pb2.TableCommand(choose_facing=again))
    assert code(refused) == "UNEXPECTED_INPUT"


@pytest.mark.rule("MAT-3", "CLK-2")
def test_without_an_answer_the_card_comes_up() -> None:
    evening = table_of()
    while evening.facing() is None:
        evening.act("check")
        evening.settle(begin=False)
    evening.pass_time(50_002)
    chosen = [s for s in evening.steps if "facing_chosen" in names(s)][-1]
    assert names(chosen)[:4] == ["time_bank_changed", "time_ran_out", "sat_out", "facing_chosen"]
    assert not chosen.events[3].hand.facing_chosen.face_down


@pytest.mark.rule("MAT-6")
def test_a_pot_without_a_good_hand_is_carried_after_the_first_no() -> None:
    evening = table_of()
    check_down(evening)
    for player in ("p1", "p2"):
        assert list(your_turn(evening, player).choices) == [view_pb2.CHOICE_KIND_SPLIT]
        assert your_turn(evening, player).deadline_ms == evening.now_ms + 15_000
    assert evening.table.clock is None
    step = evening.answer_split("p2", agrees=False)
    assert names(step)[:2] == ["split_answered", "pot_carried"]
    assert "hand_ended" in names(step)
    assert isinstance(step, Step)
    ended = next(e.hand.hand_ended for e in step.events if e.hand.HasField("hand_ended"))
    assert (ended.carried_in.minor, ended.carried_out.minor) == (0, 4)
    assert carried(evening) == 4
    evening.settle()
    assert opened(evening).carried.minor == 4
    assert not opened(evening).carried_seats, "everybody dealt in may win it"
    assert carried(evening) == 0, "it lies in the hand's main pot now"
    check_down(evening)
    evening.answer_split("p1", agrees=False)
    assert carried(evening) == 8, "it grows until somebody wins"
    assert replay("t1", evening.steps).digest() == evening.table.digest()


@pytest.mark.rule("MAT-6")
def test_it_is_split_when_all_agree() -> None:
    evening = table_of()
    carry(evening)
    evening.settle()
    check_down(evening)
    assert names(evening.answer_split("p1", agrees=True)) == ["split_answered"]
    assert code(evening.answer_split("p1", agrees=True)) == "ACTION_NOT_ALLOWED"
    assert list(your_turn(evening, "p2").choices) == [view_pb2.CHOICE_KIND_SPLIT]
    assert not your_turn(evening, "p1").choices
    evening.answer_split("p2", agrees=True)
    assert (carried(evening), stacks(evening)) == (0, {"p1": 200, "p2": 200})


@pytest.mark.rule("MAT-6")
def test_silence_is_a_no() -> None:
    evening = table_of()
    check_down(evening)
    evening.answer_split("p1", agrees=True)
    due = evening.next_timer()
    assert due is not None
    assert (due.clock, due.at_ms) == (Clock.SPLIT, evening.now_ms + 15_001)
    assert isinstance(evening.do(TimeUpIn(Clock.SPLIT)), Refusal), "not before its time"
    assert code(evening.command("p2", _answer(evening), late_ms=15_001)) == "TOO_LATE"
    evening.pass_time(15_001)
    assert (evening.table.hand_no, carried(evening)) == (0, 4)


def _answer(evening: Evening) -> table_pb2.TableCommand:
    wanted = table_pb2.AnswerSplitCommand(hand_no=evening.table.hand_no, agrees=True)
    return table_pb2.TableCommand(answer_split=wanted)


@pytest.mark.rule("MAT-6", "CLK-5")
def test_a_new_owner_gives_the_whole_time_again() -> None:
    evening = table_of()
    check_down(evening)
    evening.now_ms += 14_000
    evening.take_over()
    due = evening.next_timer()
    assert due is not None
    assert due.at_ms == evening.now_ms + 15_001


@pytest.mark.rule("MAT-7")
def test_void_leaves_the_carried_pot_as_it_was() -> None:
    evening = table_of()
    carry(evening)
    evening.settle()
    evening.act("bet", 10)
    evening.operate(Operation.VOID, reason="fouled deck", hand_no=evening.table.hand_no)
    assert carried(evening) == 4
    evening.settle()
    assert opened(evening).carried.minor == 4


@pytest.mark.rule("MAT-7")
def test_it_is_everybody_s_who_is_dealt_in_next_or_the_same_players() -> None:
    for option, seats in ((pb.CARRY_FOR_NEXT_DEAL, []), (pb.CARRY_FOR_SAME_PLAYERS, [1, 2])):
        evening = table_of(carry_for=option)
        carry(evening)
        evening.sit("p3", 3)
        evening.settle()
        assert [seat.seat for seat in opened(evening).seats] == [1, 2, 3]
        assert list(opened(evening).carried_seats) == seats


@pytest.mark.rule("MAT-7")
def test_without_any_of_the_same_players_it_waits() -> None:
    evening = table_of(carry_for=pb.CARRY_FOR_SAME_PLAYERS)
    carry(evening)
    evening.sit_out("p1")
    evening.sit_out("p2")
    evening.sit("p3", 3)
    evening.sit("p4", 4)
    evening.settle()
    assert [seat.seat for seat in opened(evening).seats] == [3, 4]
    assert not opened(evening).HasField("carried")
    assert carried(evening) == 4
    check_down(evening)
    evening.answer_split("p3", agrees=False)
    assert carried(evening) == 8, "carried pots become one"
    evening.sit_in("p1")
    evening.settle()
    assert (opened(evening).carried.minor, list(opened(evening).carried_seats)) == (8, [1, 3, 4])


@pytest.mark.rule("MAT-7")
def test_whom_a_carried_pot_has_left_without_chips_has_30_s_to_add_some() -> None:
    evening = table_of(buy_in=6)
    evening.sit("p3", 3)
    evening.act("all_in")
    evening.act("call")
    evening.settle(begin=False)
    check_down(evening)
    evening.answer_split("p1", agrees=False)
    assert stacks(evening) == {"p1": 0, "p2": 0, "p3": 200}
    evening.sit("p4", 4)
    begins_at_ms = next_hand_at(evening.table)
    assert begins_at_ms == evening.now_ms + 30_000
    evening.top_up("p1", 100)
    evening.settle(begin=False)
    begins_at_ms = next_hand_at(evening.table)
    assert begins_at_ms == evening.now_ms + 30_000, "p2 has its time still"
    evening.top_up("p2", 100)
    evening.settle(begin=False)
    begins_at_ms = next_hand_at(evening.table)
    assert begins_at_ms is not None
    assert begins_at_ms <= evening.now_ms
    evening.settle()
    assert opened(evening).carried.minor == 12


def closed(evening: Evening) -> CarriedPotClosed:
    evening.operate(Operation.CLOSE)
    step = evening.steps[-1]
    assert evening.table.closed
    assert evening.table.carried is None
    return next(e.carried_pot_closed for e in step.events if e.HasField("carried_pot_closed"))


@pytest.mark.rule("MAT-7")
def test_when_the_table_closes_those_of_the_last_showdown_share_it() -> None:
    evening = table_of()
    carry(evening)
    evening.sit("p3", 3)
    shares = {share.player_id: share.amount.minor for share in closed(evening).shares}
    assert shares == {"p1": 2, "p2": 2}
    left = [event.seat_left for event in evening.steps[-1].events if event.HasField("seat_left")]
    assert {one.player_id: one.cash_out_minor for one in left} == {"p1": 200, "p2": 200, "p3": 200}


@pytest.mark.rule("MAT-7")
def test_with_none_of_them_left_it_goes_to_suspense() -> None:
    evening = table_of()
    carry(evening)
    evening.leave("p1")
    evening.leave("p2")
    pot = closed(evening)
    assert (len(pot.shares), pot.suspense.minor) == (0, 4)
    assert replay("t1", evening.steps).digest() == evening.table.digest()
