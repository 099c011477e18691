"""Public bug reports about button, blinds, seats, clocks and connections, as scenarios of a table.

Each is a symptom that was reported of some other program; the rule says what is right here.
"""

from itertools import pairwise

import pytest

from floor_table.domain import (
    Audience,
    BeginHandIn,
    Clock,
    CloseDeckEffect,
    ConnectionIn,
    DealEffect,
    ReservationIn,
    ReserveEffect,
    ShowdownEffect,
    TimeUpIn,
    open_effects,
    snapshot,
    step_view,
)
from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.events.v1.table_events_pb2 import HandBegan
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.table.v1 import view_pb2
from pokerfloor.api.table.v1.table_pb2 import (
    VIEW_KIND_PLAYER,
    VIEW_KIND_SPECTATOR,
    SitDownCommand,
    TableCommand,
)
from pokerfloor.cards import STANDARD, Card, parse_cards
from tests.support.audience import audience_of
from tests.support.evening import Evening, code, names, table_settings


def table_of(*players: str, first: str = "", later: str = "") -> Evening:
    """Players at seats 1, 2, ...; the first deck, of the draw, and the later ones begin so."""

    def deck_of(deck_no: int) -> tuple[Card, ...]:
        cards = parse_cards(first if deck_no == 1 else later)
        return (*cards, *[card for card in STANDARD.cards if card not in cards])

    evening = Evening(table_settings(), deck_of=deck_of)
    for seat, player in enumerate(players, 1):
        evening.sit(player, seat)
    return evening


def opened(evening: Evening) -> HandBegan:
    """Begin the next hand and tell how it was opened."""
    evening.settle()
    record = evening.table.record
    assert record is not None
    assert evening.table.hand_no
    return record.began


def dealt_in(hand: HandBegan) -> list[str]:
    return [seat.player_id for seat in hand.seats]


def posts_of(hand: HandBegan, seat: int) -> list[tuple[int, int]]:
    return [(bet.kind, bet.amount.minor) for bet in hand.forced_bets if bet.seat == seat]


def to_act(evening: Evening) -> str:
    wait = evening.wait()
    assert wait is not None
    return evening.table.player_at(wait.seat)


def all_chips(evening: Evening) -> int:
    state = evening.table
    return state.chips_in - state.chips_out - state.raked


@pytest.mark.rule("TBL-11", "TBL-13")
def test_after_a_bust_the_blinds_go_on_to_everybody_once_a_round() -> None:
    """Reported: after a bust the button slides on; someone pays twice or never."""
    evening = Evening(table_settings(), seed=3)
    for seat, player in enumerate(("ann", "bob", "cat", "dan", "eve"), 1):
        evening.sit(player, seat, 40 if player == "cat" else 400)
    first = opened(evening)
    while "cat" in dealt_in(first) and evening.table.seats[3].stack:
        if evening.wait() is None:
            first = opened(evening)
        wait = evening.wait()
        assert wait is not None
        if wait.seat == 3 and wait.legal.all_in_as is not None:
            evening.act("all_in")
        elif wait.legal.call_by:
            evening.act("call")
        else:
            evening.act("check")
        evening.settle(begin=False)
        evening.now_ms += 10
    paid: list[str] = []
    for _ in range(8):
        hand = opened(evening)
        assert "cat" not in dealt_in(hand)
        (big,) = [
            bet.seat
            for bet in hand.forced_bets
            if bet.kind == hand_events_pb2.FORCED_BET_KIND_BIG_BLIND
        ]
        paid.append(evening.table.player_at(big))
        evening.fold_around()
    assert all(one != other for one, other in pairwise(paid)), "nobody twice"
    assert set(paid[:4]) == set(paid[4:]) == {"ann", "bob", "dan", "eve"}, "everybody in turn"


@pytest.mark.rule("TBL-16")
def test_the_small_blind_alone_was_missed_and_only_one_big_blind_is_charged() -> None:
    """Reported: missed only the small blind, charged both on return."""
    evening = table_of("ann", "bob", "cat", "dan", first="Kd2c3c4c")
    opened(evening)  # button 1, blinds 2 and 3
    evening.sit_out("cat")
    evening.fold_around()
    opened(evening)  # the small blind passes seat 3
    evening.sit_in("cat", post=True)
    evening.fold_around()
    back = opened(evening)
    assert posts_of(back, 3) == [(hand_events_pb2.FORCED_BET_KIND_POST, 2)]


@pytest.mark.rule("TBL-2", "TBL-15")
@pytest.mark.parametrize("streets", range(4))
def test_a_seat_taken_in_mid_hand_is_not_dealt_in_and_freezes_nothing(streets: int) -> None:
    """Reported: a seat taken in mid-hand is dealt in, or freezes the game."""
    evening = table_of("ann", "bob")
    opened(evening)
    for _ in range(streets):
        while evening.wait() is not None:
            wait = evening.wait()
            assert wait is not None
            closes = wait.legal.can_check and wait.seat == _closer(evening)
            evening.act("check" if wait.legal.can_check else "call")
            evening.settle(begin=False)
            if closes:
                break
    before = evening.wait()
    evening.sit("late", 4)
    assert evening.wait() == before, "the same turn, the same choices"
    assert not evening.table.in_hand(4)
    evening.fold_around()
    ended = [
        event.hand.hand_ended
        for step in evening.steps
        for event in step.events
        if event.hand.HasField("hand_ended")
    ]
    assert [seat.player_id for seat in ended[0].seats] == ["ann", "bob"]
    assert dealt_in(opened(evening)) == ["ann", "bob", "late"]


def _closer(evening: Evening) -> int:
    """The seat whose check closes the street: heads-up the big blind first, then the button."""
    hand = evening.table.playing
    assert hand is not None
    button = evening.table.record.began.button  # type: ignore[union-attr]  # a hand is open
    return 3 - button if hand.state.street_no == 0 else button


@pytest.mark.rule("CLK-2")
def test_time_out_checks_where_that_is_free_on_every_street() -> None:
    """Reported: a time-out folds a hand that could check."""
    evening = table_of("ann", "bob")
    opened(evening)
    evening.act("call")
    checked: set[int] = set()
    while (wait := evening.wait()) is not None:
        hand = evening.table.playing
        assert hand is not None
        checked.add(hand.state.street_no)
        assert wait.legal.can_check
        while evening.wait() == wait:
            timer = evening.next_timer()
            assert timer is not None
            evening.pass_time(timer.at_ms - evening.now_ms)
        ran_out = [step for step in evening.steps if "time_ran_out" in names(step)][-1]
        (taken,) = [
            event.hand.action_taken
            for event in ran_out.events
            if event.hand.HasField("action_taken")
        ]
        assert (taken.seat, taken.kind) == (wait.seat, hand_events_pb2.ACTION_KIND_CHECK)
    assert checked == {0, 1, 2, 3}


@pytest.mark.rule("CLK-2", "CLK-5")
def test_nobody_times_out_before_the_cards_are_there_and_one_sit_in_is_enough() -> None:
    """Reported: both time out before the cards arrived; sit-in then takes several tries."""
    evening = table_of("ann", "bob")
    evening.settle()
    evening.fold_around()
    evening.do(BeginHandIn())
    digest = evening.table.digest()
    evening.now_ms += 120_000  # the shuffler is away for two minutes
    for clock in (Clock.BASE, Clock.BANK):
        assert code(evening.do(TimeUpIn(clock))) == "WRONG_STATE"
    assert evening.table.digest() == digest
    evening.settle(begin=False)
    wait = evening.wait()
    assert wait is not None
    clock_now = evening.table.clock
    assert clock_now is not None
    assert clock_now.deadline_ms == evening.now_ms + 20_000, "the whole base time from the cards on"
    player = to_act(evening)
    evening.pass_time(50_002)
    assert evening.table.seats[wait.seat].sitting_out
    assert names(evening.sit_in(player)) == ["sat_in"]
    assert set(dealt_in(opened(evening))) == {"ann", "bob"}


@pytest.mark.rule("TBL-16", "TBL-17")
def test_fold_and_sit_out_is_neither_dealt_nor_blinded_again() -> None:
    """Reported: "fold and sit out" still deals and blinds the player."""
    evening = table_of("ann", "bob", "cat", first="Kd2c3c")
    opened(evening)
    player = to_act(evening)
    seat = evening.seat_no(player)
    evening.act("fold")
    assert names(evening.sit_out(player)) == ["sat_out"]
    stack = None
    for _ in range(3):
        evening.fold_around()
        stack = stack or evening.table.seats[seat].stack
        hand = opened(evening)
        assert player not in dealt_in(hand)
        assert posts_of(hand, seat) == []
        assert evening.table.seats[seat].stack == stack
    assert names(evening.sit_in(player, post=True))[0] == "sat_in", "at once, whenever asked"


@pytest.mark.rule("CLK-3", "TBL-4")
def test_coming_back_exactly_when_a_hand_begins() -> None:
    """Reported: rejoin exactly at hand start: "unknown player" and a dead client."""
    evening = table_of("ann", "bob", "cat")
    opened(evening)
    evening.leave("cat")
    evening.fold_around()
    before = evening.table
    evening.do(BeginHandIn())
    evening.sit("cat", 3)  # while the deck is being made
    evening.settle(begin=False)
    begun = evening.steps[-1]
    audience = audience_of(VIEW_KIND_PLAYER, "cat", before, evening.table)
    view = snapshot(evening.table, audience).table
    assert view.own_seat == 3
    assert view.seats[2].state == view_pb2.SEAT_STATE_ENTERING
    assert [seat.seat for seat in view.hand.seats] == [1, 2]
    assert not step_view(begun, evening.table, audience).HasField("your_turn")
    evening.fold_around()
    assert evening.seat_no("cat") == 3
    assert "cat" in dealt_in(opened(evening))


@pytest.mark.rule("CLK-1")
def test_who_only_watches_or_has_folded_is_warned_of_no_time() -> None:
    """Reported: time-out warnings while watching."""
    evening = table_of("ann", "bob", "cat")
    opened(evening)
    folded = to_act(evening)
    evening.act("fold")
    evening.pass_time(20_001)
    bank = evening.steps[-1]
    assert names(bank) == ["time_bank_started"]
    assert bank.events[0].time_bank_started.seat != evening.seat_no(folded)
    for audience in (
        audience_of(VIEW_KIND_PLAYER, folded, evening.table),
        Audience(VIEW_KIND_SPECTATOR),
    ):
        assert not step_view(bank, evening.table, audience).HasField("your_turn")
    assert evening.table.seats[evening.seat_no(folded)].bank_ms == 30_000


@pytest.mark.rule("CLK-3")
def test_one_player_drops_and_every_seat_is_shown_as_it_is() -> None:
    """Reported: one player drops, the other seat is shown empty."""
    evening = table_of("ann", "bob")
    for seat in (1, 2):
        evening.do(ConnectionIn(seat, connected=True))
    opened(evening)
    evening.do(ConnectionIn(1, connected=False))
    for player in ("ann", "bob", ""):
        view = snapshot(evening.table, audience_of(VIEW_KIND_PLAYER, player, evening.table)).table
        assert [(seat.player_id, seat.connected) for seat in view.seats[:2]] == [
            ("ann", False),
            ("bob", True),
        ]
        assert [seat.state for seat in view.seats[:2]] == [view_pb2.SEAT_STATE_PLAYING] * 2
        assert len(view.hand.seats) == 2


@pytest.mark.rule("CLK-3")
def test_all_in_and_gone_the_hand_is_played_to_its_end() -> None:
    """CLK-3: a player who is all-in when the connection is lost plays the hand to its end."""
    evening = table_of("ann", "bob", later="AsKs2dAhKh3d4s9hTsJd5h6c6d8s")
    for seat in (1, 2):
        evening.do(ConnectionIn(seat, connected=True))
    opened(evening)
    gone = evening.seat_no(to_act(evening))
    evening.act("all_in")
    evening.do(ConnectionIn(gone, connected=False))
    evening.act("call")
    evening.settle(begin=False)
    result = evening.table.last_result
    assert result is not None
    assert {seat.seat for seat in result.seats} == {1, 2}
    assert sum(seat.end.minor for seat in result.seats) == 400
    assert max(seat.end.minor for seat in result.seats) == 400


@pytest.mark.rule("TBL-4", "POT-5")
@pytest.mark.parametrize("leaver", [1, 2])
def test_leaving_between_showdown_and_payout_changes_no_payout(leaver: int) -> None:
    """Reported: the loser leaves before the payout and the winner is debited; or all is gone."""
    evening = table_of("ann", "bob", later="AsKs2dAhKh3d4s9hTsJd5h6c6d8s")
    opened(evening)
    evening.act("all_in")
    evening.act("call")
    due: list[ShowdownEffect] = []
    while not due:
        for one in open_effects(evening.table):
            given = evening.answer_to(one)
            if isinstance(one, ShowdownEffect):
                due.append(one)
            elif given is not None:
                evening.do(given)
                break
    player = evening.table.player_at(leaver)
    assert names(evening.leave(player)) == ["leave_requested"]
    assert all_chips(evening) == 400
    evening.settle(begin=False)
    result = evening.table.last_result
    assert result is not None
    ends = {seat.player_id: seat.end.minor for seat in result.seats}
    assert sorted(ends.values()) == [0, 400]
    (left,) = [
        event.seat_left
        for step in evening.steps
        for event in step.events
        if event.HasField("seat_left")
    ]
    assert (left.player_id, left.cash_out_minor) == (player, ends[player])
    assert all_chips(evening) == 400 - ends[player]


@pytest.mark.rule("TBL-4", "POT-5")
def test_leaving_in_mid_hand_keeps_what_is_behind() -> None:
    """Reported: kicked in mid-hand, the whole stack is gone."""
    evening = table_of("ann", "bob", "cat")
    opened(evening)
    player = to_act(evening)
    evening.act("raise", 20)
    evening.leave(player)
    evening.act("call")
    evening.act("fold")
    evening.settle(begin=False)
    evening.fold_around()
    (left,) = [
        event.seat_left
        for step in evening.steps
        for event in step.events
        if event.HasField("seat_left")
    ]
    result = evening.table.last_result
    assert result is not None
    (mine,) = [seat for seat in result.seats if seat.player_id == player]
    assert left.cash_out_minor == mine.end.minor >= 180
    assert all_chips(evening) + left.cash_out_minor == 600


@pytest.mark.rule("CLK-1", "CLK-4")
def test_a_clock_is_in_milliseconds_from_setting_to_sounding() -> None:
    """Reported: a turn timer off by a unit: 1 to 3 s instead of 30."""
    settings = table_settings()
    settings.clock.base_ms, settings.clock.bank_ms = 30_000, 5_000
    evening = Evening(settings)
    for player in ("ann", "bob"):
        evening.sit(player)
    evening.settle()
    step = evening.steps[-1]
    (clock_set,) = [event.clock_set for event in step.events if event.HasField("clock_set")]
    assert clock_set.deadline_ms - step.at_ms == 30_000
    assert clock_set.bank_ms == 5_000
    base = evening.next_timer()
    assert base is not None
    assert (base.clock, base.at_ms - step.at_ms) == (Clock.BASE, 30_001)
    evening.pass_time(30_001)
    bank = evening.next_timer()
    assert bank is not None
    assert (bank.clock, bank.at_ms - step.at_ms) == (Clock.BANK, 35_001)
    evening.pass_time(5_000)
    ran_out = next(one for one in evening.steps if "time_ran_out" in names(one))
    assert ran_out.at_ms - step.at_ms == 35_001


@pytest.mark.rule("TBL-2", "TBL-4", "TBL-13")
@pytest.mark.parametrize("what", ["sits", "leaves", "is refused", "drops"])
def test_whatever_happens_at_the_deal_the_blinds_have_their_cards(what: str) -> None:
    """Reported: the blinds do not see their cards when someone sits or leaves at the deal."""
    evening = table_of("ann", "bob", "cat")
    opened(evening)
    evening.fold_around()
    evening.do(BeginHandIn())
    if what == "sits":
        evening.sit("late", 5)
    elif what == "leaves":
        assert names(evening.leave("cat")) == ["leave_requested"]
    elif what == "is refused":
        evening.wallet_says_no = 1.0
        evening.sit("poor", 5)
    else:
        evening.do(ConnectionIn(1, connected=True))
        evening.do(ConnectionIn(1, connected=False))
    evening.settle(begin=False)
    dealt: list[Step] = [step for step in evening.steps if "places_dealt" in names(step)]
    (places,) = [
        event.hand.places_dealt.places
        for event in dealt[-1].events
        if event.hand.HasField("places_dealt")
    ]
    own = [place for place in places if place.kind == cards_pb2.PLACE_KIND_SEAT]
    assert sorted((place.owner, place.slot) for place in own) == [
        (seat, slot) for seat in (1, 2, 3) for slot in (1, 2)
    ]
    deck_no = evening.table.deck_no
    deals = evening.effects(DealEffect)
    assert deals == [DealEffect(deck_no, dealt[-1].table_seq)]
    evening.fold_around()
    evening.pass_time(5_001)
    assert [
        due
        for due in open_effects(evening.table)
        if isinstance(due, CloseDeckEffect) and due.deck_no == deck_no
    ]


@pytest.mark.rule("TBL-2")
def test_a_seat_held_for_somebody_is_never_dealt_in() -> None:
    """TBL-2: until the wallet has said yes the seat is pending and is never dealt in."""
    evening = table_of("ann", "bob")
    opened(evening)
    wanted = SitDownCommand(seat=4, buy_in_minor=200, display_name="late", post_to_enter=True)
    evening.command("late", TableCommand(sit_down=wanted))
    evening.act("fold")
    assert names(evening.do(BeginHandIn())) == ["hand_began"]
    record = evening.table.record
    assert record is not None
    assert dealt_in(record.began) == ["ann", "bob"]
    (due,) = evening.effects(ReserveEffect)
    assert names(evening.do(ReservationIn(due.reservation_id, held=True)))[0] == "seat_taken"
    assert not evening.table.in_hand(4)
