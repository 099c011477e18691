"""Bomb pots at a table: by schedule and by vote (BMB-1 to BMB-3)."""

import pytest

from floor_table.domain import replay, snapshot
from floor_table.domain.button import passed
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.events.v1.table_events_pb2 import HandBegan
from pokerfloor.api.settings.v1 import settings_pb2 as pb
from pokerfloor.api.table.v1.table_pb2 import VIEW_KIND_SPECTATOR
from tests.support.audience import audience_of
from tests.support.evening import Evening, code, names
from tests.support.game_tables import bomb_table, game_table

EVERY = pb.BOMB_POT_MODE_EVERY_HAND
VOTE = pb.BOMB_POT_MODE_WHEN_ALL_AGREE


def table_of(settings: pb.TableSettings, *players: int) -> Evening:
    evening = Evening(settings)
    for number in players or (1, 2, 3):
        evening.sit(f"p{number}", number)
    evening.settle()
    return evening


def opened(evening: Evening) -> HandBegan:
    record = evening.table.record
    assert record is not None
    return record.began


def next_hand(evening: Evening) -> HandBegan:
    while evening.wait() is not None:
        evening.act("fold")
        evening.settle(begin=False)
    evening.pass_time(6_000)
    evening.settle()
    return opened(evening)


def votes(evening: Evening) -> list[int]:
    return list(evening.table.bomb_votes)


def bombs(evening: Evening, hands: int) -> list[bool]:
    found = [opened(evening).bomb_pot]
    found += [next_hand(evening).bomb_pot for _ in range(hands - 1)]
    return found


@pytest.mark.rule("BMB-1", "BMB-3")
def test_everybody_posts_the_same_and_play_begins_on_the_flop() -> None:
    evening = table_of(bomb_table(EVERY, "holdem", boards=2))
    hand = opened(evening)
    assert {(bet.kind, bet.amount.minor) for bet in hand.forced_bets} == {
        (hand_events_pb2.FORCED_BET_KIND_BOMB, 8)
    }
    assert [bet.seat for bet in hand.forced_bets] == [
        hand.button % 3 + 1,
        (hand.button + 1) % 3 + 1,
        hand.button,
    ]
    assert (hand.bomb_pot, hand.game.boards) == (True, 2)
    wait = evening.wait()
    assert wait is not None
    assert wait.seat == hand.button % 3 + 1, "left of the button"
    assert (wait.legal.can_check, wait.legal.bet_min) == (True, 2), "the least bet is the big blind"
    view = snapshot(evening.table, audience_of(VIEW_KIND_SPECTATOR, "", evening.table)).table.hand
    assert view.street_name == "flop"
    assert len(view.revealed_cards) == 6
    assert view.pots[0].amount.minor == 24
    assert evening.table.settings.game.boards == 1, "the table itself has one board"


@pytest.mark.rule("BMB-1")
def test_a_short_stack_posts_what_there_is() -> None:
    settings = bomb_table(EVERY, "holdem")
    settings.buy_in.min_minor = 2
    evening = Evening(settings)
    evening.sit("p1", 1, 4)
    evening.sit("p2", 2)
    evening.sit("p3", 3)
    evening.settle()
    posted = [
        event.hand.forced_bet_posted
        for step in evening.steps
        for event in step.events
        if event.hand.HasField("forced_bet_posted")
    ]
    assert {(bet.seat, bet.amount.minor, bet.all_in) for bet in posted} == {
        (1, 4, True),
        (2, 8, False),
        (3, 8, False),
    }


@pytest.mark.rule("BMB-2")
def test_every_n_hands_and_once_a_circle() -> None:
    every_third = table_of(bomb_table(pb.BOMB_POT_MODE_EVERY_N_HANDS, every_n=3))
    assert bombs(every_third, 7) == [False, False, True, False, False, True, False]
    circle = table_of(bomb_table(pb.BOMB_POT_MODE_ONCE_A_CIRCLE, "holdem"))
    found = [(opened(circle).button, opened(circle).bomb_pot)]
    for _ in range(8):
        hand = next_hand(circle)
        found.append((hand.button, hand.bomb_pot))
    assert {bomb for button, bomb in found[1:] if button == 1} == {True}
    assert {bomb for button, bomb in found if button != 1} == {False}
    never = table_of(bomb_table(pb.BOMB_POT_MODE_NEVER))
    assert bombs(never, 3) == [False] * 3


@pytest.mark.rule("BMB-2")
def test_by_vote_when_all_who_are_dealt_in_agree() -> None:
    evening = table_of(bomb_table(VOTE, "holdem"))
    assert names(evening.vote("p1")) == ["bomb_pot_voted"]
    assert code(evening.vote("p1")) == "WRONG_STATE"
    evening.vote("p2")
    assert not next_hand(evening).bomb_pot, "the third has not"
    assert votes(evening) == [1, 2], "and the others' votes stand"
    evening.vote("p3")
    evening.vote("p2", agrees=False)
    assert not next_hand(evening).bomb_pot
    evening.vote("p2")
    view = snapshot(evening.table, audience_of(VIEW_KIND_SPECTATOR, "", evening.table)).table
    assert list(view.bomb_pot_votes) == [1, 2, 3]
    assert replay("t1", evening.steps).digest() == evening.table.digest()
    assert next_hand(evening).bomb_pot
    assert votes(evening) == [], "a vote is for one bomb pot"
    assert not next_hand(evening).bomb_pot


@pytest.mark.rule("BMB-2")
def test_who_is_not_dealt_in_is_not_asked_and_who_leaves_takes_the_vote_along() -> None:
    evening = table_of(bomb_table(VOTE, "holdem"), 1, 2, 3, 4)
    for player in ("p1", "p2", "p4"):
        evening.vote(player)
    evening.sit_out("p3")
    evening.leave("p4")
    assert next_hand(evening).bomb_pot
    assert [seat.seat for seat in opened(evening).seats] == [1, 2]


def test_a_vote_where_there_is_none() -> None:
    for settings in (bomb_table(EVERY), game_table("holdem")):
        evening = table_of(settings)
        assert code(evening.vote("p1")) == "ACTION_NOT_ALLOWED"
    assert code(evening.vote("nobody")) == "NOT_SEATED"


@pytest.mark.rule("BMB-2")
def test_the_button_moves_and_misses_are_not_owed() -> None:
    evening = table_of(bomb_table(EVERY, "holdem"), 1, 2, 3, 4)
    evening.sit_out("p3")
    buttons = []
    for _ in range(8):
        hand = next_hand(evening)
        buttons.append(hand.button)
    assert buttons == [(1, 2, 4)[((1, 2, 4).index(buttons[0]) + step) % 3] for step in range(8)]
    assert evening.table.seats[3].big_missed == 0, "nobody is removed for bomb pots missed"


@pytest.mark.rule("BMB-2", "TBL-17")
def test_what_passes_in_the_hand_after_a_bomb_pot_is_counted_from_there() -> None:
    """Seat 3 is absent; the blinds pass it either in a bomb pot (not owed) or in another hand."""
    owed = in_bombs = 0
    for seed in range(6):
        settings = bomb_table(pb.BOMB_POT_MODE_EVERY_N_HANDS, "holdem", every_n=2)
        evening = Evening(settings, seed)
        for number in (1, 2, 3, 4, 5):
            evening.sit(f"p{number}", number)
        evening.settle()
        evening.sit_out("p3")
        for _ in range(10):
            before, last = evening.table.seats[3].big_missed, evening.table.last
            bomb = opened(evening).bomb_pot
            next_hand(evening)
            if 3 not in evening.table.seats:
                break
            missed = evening.table.seats[3].big_missed - before
            went_by = passed(last.big, evening.table.last.big, 3)
            assert missed == (went_by and not bomb), "a bomb pot counts nothing"
            owed += missed
            in_bombs += went_by and bomb
    assert owed > 3
    assert in_bombs > 3


@pytest.mark.rule("TBL-15", "BMB-1")
def test_who_enters_by_posting_posts_the_bomb_and_no_more() -> None:
    evening = table_of(bomb_table(EVERY, "holdem"), 1, 2, 3)
    evening.sit("p5", 5, post=True)
    seen = []
    for _ in range(4):
        hand = next_hand(evening)
        seen.append(5 in [seat.seat for seat in hand.seats])
        assert {bet.kind for bet in hand.forced_bets} == {hand_events_pb2.FORCED_BET_KIND_BOMB}
    assert any(seen)
    evening.sit("p6", 6)
    waits = [6 in [seat.seat for seat in next_hand(evening).seats] for _ in range(6)]
    assert True in waits, "or waits until the big blind would be on the seat"
