"""Who shows, who mucks, who wins (SHW-1 to SHW-4), and results that are refused."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from pokerfloor.cards import parse_cards
from pokerfloor.games import (
    GAMES,
    Code,
    Deal,
    DealTo,
    Half,
    Hand,
    HandMucked,
    HandShown,
    HoleCardUse,
    Losers,
    Place,
    PlacesDealt,
    Refusal,
    Resolved,
    RevealOrdered,
    RevealReason,
    ShowdownBegan,
    ShowdownRequest,
    ShowdownResult,
    Street,
    WaitShowdown,
    resolve,
    seat_place,
)
from tests.support.games.scenario import Scenario, table

DRY = "2c3d7h8sTc"


def shown(hand: Scenario) -> list[int]:
    return [event.seat for event in hand.of(HandShown)]


def mucked(hand: Scenario) -> list[int]:
    return [event.seat for event in hand.of(HandMucked)]


@pytest.mark.rule("SHW-1")
def test_the_last_to_bet_on_the_last_street_shows_first() -> None:
    hand = Scenario(table(100, 100, 100, 100)).play("c c c k k k k k k k k k k b4 c c f")
    assert hand.last(ShowdownBegan).order == (2, 3, 4)
    raised = Scenario(table(100, 100, 100)).play("c c k k k k k k k b4 c r8 c c")
    assert raised.last(ShowdownBegan).order == (3, 1, 2)


@pytest.mark.rule("SHW-1")
def test_without_a_bet_there_the_first_active_seat_left_of_the_button_shows_first() -> None:
    hand = Scenario(table(100, 100, 100)).play("c f k b4 c k k k k")
    assert hand.last(ShowdownBegan).order == (2, 3)
    empty_button = Scenario(table(100, 100, 100, button=9)).play("c c k k k k k k k k k k")
    assert empty_button.last(ShowdownBegan).order == (1, 2, 3)


@pytest.mark.rule("SHW-2")
def test_losers_show_by_default_and_may_muck_by_option() -> None:
    hole = {1: "AsAh", 2: "KsKh", 3: "QsQh"}
    words = "c c k k k k k k k k k k"
    assert shown(Scenario(table(100, 100, 100), hole, DRY).play(words)) == [1, 2, 3]
    muck = Scenario(table(100, 100, 100, losers=Losers.MUCK), hole, DRY).play(words)
    assert (shown(muck), mucked(muck)) == ([1], [2, 3])
    assert not set(muck.hand.state.cards.faces) & {seat_place(2, 1), seat_place(3, 1)}


@pytest.mark.rule("SHW-2")
def test_a_hand_that_beats_or_ties_what_was_shown_is_shown() -> None:
    hole = {1: "QsQh", 2: "KsKh", 3: "KdKc"}
    hand = Scenario(table(100, 100, 100, losers=Losers.MUCK), hole, DRY)
    hand.play("c c k k k k k k k k k k")
    assert (shown(hand), mucked(hand)) == ([1, 2, 3], [])
    assert hand.awards() == [(0, 2, 3), (0, 3, 3)]


@pytest.mark.rule("SHW-2")
def test_always_show() -> None:
    hole = {1: "AsAh", 2: "KsKh", 3: "QsQh"}
    hand = Scenario(table(100, 100, 100, losers=Losers.MUCK), hole, DRY, always_show=[3])
    hand.play("c c k k k k k k k k k k")
    assert (shown(hand), mucked(hand)) == ([1, 3], [2])


@pytest.mark.rule("SHW-2")
def test_side_pots_are_shown_before_the_main_pot() -> None:
    # Seat 1 is all-in in the main pot; seats 2 and 3 play on.
    hole = {1: "QsQh", 2: "9s9h", 3: "KsKh"}
    hand = Scenario(table(20, 100, 100, losers=Losers.MUCK), hole, DRY)
    hand.play("r10 a c c b10 c k k k k")
    assert hand.last(ShowdownBegan).order == (2, 3, 1)
    assert (shown(hand), mucked(hand)) == ([2, 3], [1])


@pytest.mark.rule("SHW-2")
def test_a_hand_beaten_in_the_side_pot_may_be_good_for_nothing_else() -> None:
    # Seat 2 is beaten by seat 3 in both pots and mucks; seat 1 wins the main pot and shows.
    hole = {1: "AsAh", 2: "9s9h", 3: "KsKh"}
    hand = Scenario(table(20, 100, 100, losers=Losers.MUCK), hole, DRY)
    hand.play("r10 a c c k k k k k b2 c")
    assert hand.last(ShowdownBegan).order == (3, 2, 1)
    assert (shown(hand), mucked(hand)) == ([3, 1], [2])


@pytest.mark.rule("SHW-2", "BET-2")
def test_nobody_mucks_in_an_all_in_showdown() -> None:
    hole = {1: "AsAh", 2: "KsKh", 3: "QsQh"}
    hand = Scenario(table(100, 100, 100, losers=Losers.MUCK), hole, DRY).play("a c c")
    assert (shown(hand), mucked(hand)) == ([1, 2, 3], [])
    assert [e.reason for e in hand.of(RevealOrdered)].count(RevealReason.SHOWDOWN) == 0


@pytest.mark.rule("SHW-2")
def test_only_the_hands_at_the_showdown_are_due_to_the_showdown_service() -> None:
    hand = Scenario(table(100, 100, 100)).play("c f k k k k k k k")
    due = [e for e in hand.of(RevealOrdered) if e.reason is RevealReason.SHOWDOWN]
    assert [p.owner for e in due for p in e.places] == [2, 2, 3, 3]


@pytest.mark.rule("SHW-4", "RNK-6")
def test_the_result_names_the_hands() -> None:
    hand = Scenario(table(100, 100), hole={1: "AsAh", 2: "KsKh"}, board="Ac2d7h7s9c").play("a c")
    result = hand.over.result
    rank = result.shown[0].ranks[0]
    assert (result.shown[0].seat, rank.board, rank.half, rank.system) == (1, 0, Half.HIGH, "high52")
    assert rank.name == "full house, aces over sevens"
    assert set(rank.cards) == set(parse_cards("AsAhAc7h7s"))
    assert [(a.pot_no, a.board, a.half, a.seat, a.amount) for a in result.awards] == [
        (0, 0, Half.HIGH, 1, 200)
    ]


@pytest.mark.rule("HLD-4")
def test_the_board_plays_and_all_share() -> None:
    hole = {1: "2c3d", 2: "2h3s", 3: "2d3c"}
    hand = Scenario(table(101, 101, 101), hole, board="AsKsQsJsTs").play("a c c")
    assert hand.awards() == [(0, 1, 101), (0, 2, 101), (0, 3, 101)]


@pytest.mark.rule("ODD-1")
def test_the_odd_chip_goes_left_of_the_button() -> None:
    hole = {1: "2c3d", 2: "4h5s", 3: "2d3c"}
    hand = Scenario(table(100, 100, 100), hole, board="AsKsQsJsTs", always_show=[])
    hand.play("c f k k k k k k k")
    assert hand.awards() == [(0, 2, 3), (0, 3, 2)]


def requested(**settings: Any) -> tuple[Hand, dict[Place, int]]:
    """A hand of three that waits for its showdown, and its faces."""
    hole = {1: "AsAh", 2: "KsKh", 3: "QsQh"}
    setup = table(100, 100, 100, **settings)
    scenario = Scenario(setup, hole, DRY, resolving=False).play("c c k k k k k k k k k k")
    return scenario.hand, dict(scenario.faces)


def request_of(hand: Hand) -> ShowdownRequest:
    wait = hand.waits_for()
    assert isinstance(wait, WaitShowdown)
    return wait.request


def resolved(hand: Hand, known: dict[Place, int]) -> ShowdownResult:
    result = resolve(request_of(hand), known)
    assert isinstance(result, ShowdownResult), result
    return result


@pytest.mark.rule("POT-5", "SHW-2")
@pytest.mark.parametrize(
    "spoil",
    [
        lambda r: r._replace(awards=()),
        lambda r: r._replace(awards=(r.awards[0]._replace(amount=5),)),
        lambda r: r._replace(awards=(r.awards[0]._replace(amount=7),)),
        lambda r: r._replace(awards=(r.awards[0]._replace(seat=9),)),
        lambda r: r._replace(awards=(r.awards[0]._replace(pot_no=1),)),
        lambda r: r._replace(awards=(r.awards[0]._replace(board=1),)),
        lambda r: r._replace(awards=(r.awards[0]._replace(half=Half.LOW),)),
        lambda r: r._replace(
            awards=(r.awards[0]._replace(amount=-1), r.awards[0]._replace(amount=7))
        ),
        lambda r: r._replace(shown=r.shown[1:]),
        lambda r: r._replace(shown=r.shown[:2], mucked=(3,)),
        lambda r: r._replace(shown=(*r.shown, r.shown[0])),
        lambda r: r._replace(shown=(r.shown[0]._replace(cards=r.shown[1].cards), *r.shown[1:])),
        lambda r: r._replace(shown=(r.shown[0]._replace(ranks=()), *r.shown[1:])),
        lambda r: r._replace(
            shown=(
                r.shown[0]._replace(
                    cards=(r.shown[0].cards[0], (r.shown[0].cards[1][0], r.shown[1].cards[0][1]))
                ),
                *r.shown[1:],
            )
        ),
        lambda r: r._replace(
            shown=(
                r.shown[0]._replace(cards=(r.shown[0].cards[0], (r.shown[0].cards[1][0], 60))),
                *r.shown[1:],
            )
        ),
    ],
)
def test_a_wrong_result_is_refused_and_changes_nothing(
    spoil: Callable[[ShowdownResult], ShowdownResult],
) -> None:
    hand, known = requested()
    result = resolved(hand, known)
    before = hand.digest()
    refusal = hand.execute(Resolved(spoil(result)))
    assert isinstance(refusal, Refusal)
    assert refusal.code == Code.WRONG_RESULT
    assert hand.digest() == before
    assert not isinstance(hand.execute(Resolved(result)), Refusal)


def test_a_winner_must_have_shown() -> None:
    hand, known = requested(losers=Losers.MUCK)
    result = resolved(hand, known)
    stolen = result._replace(awards=(result.awards[0]._replace(seat=2),))
    refusal = hand.execute(Resolved(stolen))
    assert isinstance(refusal, Refusal)
    assert "without having shown" in refusal.reason


@pytest.mark.rule("DLR-3")
def test_unread_hands_are_refused_or_mucked() -> None:
    hand, known = requested()
    request = request_of(hand)
    del known[seat_place(2, 1)]
    refusal = resolve(request, known)
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.field) == (Code.WRONG_CARDS, "faces")
    hand, known = requested(unread_hands_muck=True)
    del known[seat_place(1, 2)]
    result = resolved(hand, known)
    assert result.mucked == (1,)
    assert [award.seat for award in result.awards] == [2]
    assert not isinstance(hand.execute(Resolved(result)), Refusal)
    nobody = resolve(request._replace(unread_hands_muck=True), {})
    assert isinstance(nobody, Refusal)


def test_a_face_at_two_places_is_refused() -> None:
    hand, known = requested()
    known[seat_place(2, 1)] = known[seat_place(1, 1)]
    refusal = resolve(request_of(hand), known)
    assert isinstance(refusal, Refusal)
    assert refusal.code == Code.WRONG_CARDS


@pytest.mark.rule("OMA-1")
def test_a_row_with_exactly_two_hole_cards() -> None:
    holdem = GAMES["holdem"]
    first = replace(holdem.streets[0], deals=(Deal(DealTo.SEAT_DOWN, 4),))
    omaha = replace(
        holdem,
        id="test-omaha",
        hole_cards_used=HoleCardUse.EXACTLY_TWO,
        streets=(first, *holdem.streets[1:]),
    )
    # Four spades on the board: one own spade makes no flush; seat 2 has two.
    hole = {1: "AsAhAdKc", 2: "2s3s4d5d"}
    hand = Scenario(table(100, 100, game=omaha), hole, board="Ks9s8s7s2h").play("a c")
    assert hand.awards() == [(0, 2, 200)]
    assert hand.over.result.shown[1].ranks[0].category == "flush"


@pytest.mark.rule("DBL-1", "DBL-2", "ODD-2")
def test_a_row_with_two_boards() -> None:
    double = replace(GAMES["holdem"], id="test-double", boards=2)
    hole = {1: "AsAh", 2: "KsKh", 3: "2c7d"}
    boards = ("Ac3d4h8sTc", "Kc3s5h8dTs")
    hand = Scenario(table(100, 100, 101, game=double), hole, boards).play("a c c")
    dealt = hand.of(PlacesDealt)[1].places
    assert [str(place) for place in dealt] == [
        "burn.1",
        *("b0.1", "b0.2", "b0.3"),
        *("b1.1", "b1.2", "b1.3"),
    ]
    assert hand.awards() == [(0, 1, 150), (0, 2, 150)]
    assert [(a.board, a.seat) for a in hand.over.result.awards] == [(0, 1), (1, 2)]
    assert len(hand.over.result.shown[0].ranks) == 2


def test_a_street_may_burn_nothing() -> None:
    street = GAMES["holdem"].streets[3]
    assert isinstance(street, Street)
    hand = Scenario(table(100, 100, burn=False)).play("a c")
    assert not [p for e in hand.of(PlacesDealt) for p in e.places if str(p).startswith("burn")]
