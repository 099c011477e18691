"""What a hand asks of a showdown, what it says at its end, and what a void leaves."""

import pytest

from pokerfloor.cards import DECKS, cards_text
from pokerfloor.games import (
    GAMES,
    Carried,
    ForcedBet,
    ForcedKind,
    Half,
    Hand,
    HandEnded,
    HandMucked,
    HandShown,
    HandVoided,
    InvalidSetupError,
    Losers,
    Place,
    PlaceKind,
    Pot,
    PotAwarded,
    RakeRule,
    Raking,
    Refusal,
    SeatResult,
    ShowdownBegan,
    Void,
    WaitShowdown,
    board_place,
    burn_place,
    community_place,
    parse_place,
    seat_place,
)
from pokerfloor.games.faces import faces_problem
from tests.support.games.mata_table import checked_down, mata
from tests.support.games.scenario import Scenario, antes, table

HOLE = {1: "AsAh", 2: "KsKh", 3: "QsQh"}
DRY = "2c3d7h8sTc"
CHECKED = "c c k k k k k k k k k k"


@pytest.mark.rule("SHW-4", "POT-10", "POT-11")
def test_the_result_of_a_hand_won_without_a_showdown() -> None:
    rule = RakeRule(1000, no_flop_no_drop=False)
    played = Scenario(table(100, 100, 100, small=5, big=10, rake=rule)).play("r30 f f")
    result = played.over.result
    # 5 and 10 are called as far as they go: 25 in the pot, 20 come back; the rake is 2.
    assert result.pots == (Pot(0, 25, (3,)),)
    assert result.rake == (2, (2,), ((1, 0), (2, 1), (3, 1)))
    assert result.awards == (PotAwarded(0, 0, Half.WHOLE, 3, 23),)
    assert played.last(HandEnded) == HandEnded(
        (
            SeatResult(1, 100, 95, -5, 0),
            SeatResult(2, 100, 90, -10, 1),
            SeatResult(3, 100, 113, 13, 1),
        ),
        2,
    )
    assert (result.hand_no, result.shown, result.mucked, result.voided) == (1, (), (), "")


@pytest.mark.rule("SHW-4", "SHW-2")
def test_the_result_of_a_showdown() -> None:
    played = Scenario(table(100, 100, 100, losers=Losers.MUCK), HOLE, DRY).play(CHECKED)
    result = played.over.result
    assert [shown.seat for shown in result.shown] == [1]
    assert result.mucked == (HandMucked(2), HandMucked(3))
    assert result.rake == (0, (0,), ((1, 0), (2, 0), (3, 0)))
    assert result.awards == (PotAwarded(0, 0, Half.HIGH, 1, 6),)
    assert [seat.net for seat in result.seats] == [4, -2, -2]
    assert isinstance(played.of(HandShown)[0], HandShown)


@pytest.mark.rule("SHW-4")
def test_a_void_gives_everything_back() -> None:
    played = Scenario(table(100, 90, 80)).play("r20 c c")
    before = played.hand.state.stacks
    assert sum(before) == 270 - 60
    events = played.hand.execute(Void("power cut"))
    assert not isinstance(events, Refusal)
    assert events == (HandVoided("power cut"),)
    result = played.over.result
    assert result.seats == (
        SeatResult(1, 100, 100, 0, 0),
        SeatResult(2, 90, 90, 0, 0),
        SeatResult(3, 80, 80, 0, 0),
    )
    assert (result.voided, result.awards) == ("power cut", ())
    assert result.pots == (Pot(0, 60, (1, 2, 3)),), "as they were"
    assert result.rake == (0, (0,), ((1, 0), (2, 0), (3, 0)))
    assert played.stacks == [100, 90, 80]


@pytest.mark.rule("MAT-6", "MAT-3")
def test_a_void_asks_nobody_for_anything_any_more() -> None:
    choosing = mata(200, 200, 200, carried=Carried(5)).play("k k k").hand
    assert choosing.state.to_choose
    splitting = checked_down(mata(200, 200, hole={1: "Kc2c7d5s9h", 2: "Qc3c8dTs4h"})).hand
    for hand in (choosing, splitting):
        assert not isinstance(hand.execute(Void("late")), Refusal)
        state = hand.state
        assert (state.to_choose, state.split, state.rake, state.turn) == ((), (), None, -1)
        assert state.ended


@pytest.mark.rule("SHW-1", "SHW-2", "POT-11")
def test_what_is_asked_of_a_showdown() -> None:
    setup = table(20, 100, 100, rake=RakeRule(1000), unread_hands_muck=True)
    played = Scenario(setup, HOLE, DRY, resolving=False).play("r10 a c c b10 c k k k k")
    wait = played.hand.waits_for()
    assert isinstance(wait, WaitShowdown)
    request = wait.request
    assert (request.hand_no, request.game, request.smallest_chip_minor) == (1, GAMES["holdem"], 1)
    assert (request.losers, request.unread_hands_muck, request.all_in) == (Losers.SHOW, True, False)
    assert request.pots == (Pot(0, 60, (1, 2, 3)), Pot(1, 20, (2, 3)))
    assert request.rake == (8, (6, 2), ((1, 2), (2, 3), (3, 3)))
    assert [(seat, [str(place) for place in places]) for seat, places in request.seats] == [
        (1, ["s1.1", "s1.2"]),
        (2, ["s2.1", "s2.2"]),
        (3, ["s3.1", "s3.2"]),
    ]
    assert request.order == (2, 3, 1)
    assert request.from_button == (1, 2, 3)
    assert [len(board) for board in request.boards] == [5]
    assert (request.known, request.raking) == ((), None)


@pytest.mark.rule("MAT-6", "MAT-7")
def test_what_is_asked_where_pots_may_be_carried() -> None:
    game = GAMES["mata_ases"]
    rule = RakeRule(500)
    setup = table(100, 100, game=game, forced=antes(10, 2), big=10, rake=rule)
    played = checked_down(Scenario(setup, {1: "AcAs2d3h4c"}, "6d7h9c", resolving=False))
    wait = played.hand.waits_for()
    assert isinstance(wait, WaitShowdown)
    assert wait.request.losers is Losers.MUCK, "who does not win need not show"
    assert wait.request.raking == Raking(rule, ((1, 10), (2, 10)), 1, dropped=True)


@pytest.mark.rule("SHW-2", "POT-3")
def test_who_is_alone_in_a_pot_shows_in_the_order_of_the_others() -> None:
    # Seat 3's ante is short; seat 1 folds to seat 2, which is alone in the side pot.
    played = Scenario(table(100, 100, 2, forced=antes(4, 3), min_bet_minor=4), HOLE, DRY)
    played.play("b10 f" if played.seat == 1 else "k b10 f")
    assert [shown.seat for shown in played.of(HandShown)] == [1, 3]


@pytest.mark.rule("SHW-1", "POT-3")
def test_who_is_alone_in_a_side_pot_shows_no_earlier_for_it() -> None:
    # Seat 1 is all-in; seat 3 folds to a bet of seat 2 on the turn: nobody bets on the river.
    played = Scenario(table(20, 100, 100), HOLE, DRY).play("r10 a c c b30 c b20 f")
    assert played.last(ShowdownBegan).order == (1, 2)


@pytest.mark.rule("POT-11", "TBL-16")
def test_a_dead_blind_counts_among_what_a_seat_put_in() -> None:
    dead = ForcedBet(3, ForcedKind.DEAD_SMALL, 50)
    setup = table(1000, 1000, 1000, small=50, big=100, extra=(dead,), rake=RakeRule(1000))
    played = Scenario(setup, HOLE, DRY).play("c c k k k k k k k k k k")
    # Pot 350, rake 35: shares of 100, 100 and 150.
    assert played.over.result.rake == (35, (35,), ((1, 10), (2, 10), (3, 15)))


@pytest.mark.rule("POT-5")
def test_an_award_of_nothing_stops_the_hand() -> None:
    hand = Scenario(table(100, 100), HOLE, DRY, resolving=False).play("a c").hand
    with pytest.raises(AssertionError):
        hand.copy().apply(PotAwarded(0, 0, Half.HIGH, 1, 0))
    hand.copy().apply(PotAwarded(0, 0, Half.HIGH, 1, 1))


def test_before_it_begins_nobody_has_cards() -> None:
    for game in ("holdem", "stud7"):
        hand = Hand(
            table(
                100,
                100,
                game=GAMES[game],
                structure=GAMES[game].structures[0],
                forced=antes(1, 2),
                big_bet_minor=4,
            )
        )
        assert (hand.state.hole_dealt(), hand.state.hole_places(1)) == (0, ())


@pytest.mark.rule("MAT-3", "BET-2")
def test_the_down_card_is_no_up_card_even_when_it_lies_open() -> None:
    played = mata(30, 30, hole={1: "Kc2c7d5s9h", 2: "Qc3c8dTs4h"}).play("a c")
    played.play("u u u u u u")
    state = played.hand.state
    assert seat_place(1, 2) in state.cards.faces
    assert cards_text(state.up_cards(0)) == "Kc7d5s9h"


def test_what_cannot_begin_says_everything_that_is_wrong() -> None:
    with pytest.raises(InvalidSetupError) as caught:
        Hand(table(100, 100, button=-1, forced=()))
    refusals = caught.value.refusals
    assert len(refusals) == 2
    assert str(caught.value) == (
        "a button on seat -1; nobody posts anything, so there is nothing to play for"
    )
    assert str(caught.value) == "; ".join([refusal.reason for refusal in refusals])


def test_all_the_cards_of_a_deck_can_lie_together_and_no_other() -> None:
    for name, deck in DECKS.items():
        assert faces_problem(name, deck.cards) == ""
    assert faces_problem("short36", (0,)) == "a card is not in the deck"
    assert faces_problem("short36", (51, 51)) == "a card is at two places"


def test_places_of_nobody_have_owner_zero() -> None:
    assert burn_place(3) == Place(PlaceKind.BURN, 0, 3)
    assert community_place(2) == Place(PlaceKind.COMMUNITY, 0, 2)
    assert [str(place) for place in (burn_place(3), community_place(2), board_place(1, 4))] == [
        "burn.3",
        "com.2",
        "b1.4",
    ]
    assert parse_place("com.2") == community_place(2)
    assert parse_place("burn.12") == burn_place(12)
    for text in ("mid.x", "mid1.1", "com.0", "b0.1.2", "s1.2.3", "burn.1.1", "s10.01"):
        with pytest.raises(ValueError, match="is not a place"):
            parse_place(text)
