"""Mata Ases until the showdown: the deal, who opens, up or down, the community cards."""

from dataclasses import replace

import pytest

from pokerfloor.games import (
    Act,
    ActKind,
    ChooseFacing,
    Code,
    FacingChosen,
    FirstTie,
    ForcedBet,
    ForcedKind,
    HandEnded,
    HandSetup,
    OpenerAnnounced,
    Over,
    PlacesDealt,
    PotAwarded,
    RevealOrdered,
    RevealReason,
    ShowdownBegan,
    SplitTimeUp,
    StreetBegan,
    Structure,
    TurnBegan,
    WaitFacing,
    check_setup,
)
from tests.support.games.mata_table import MATA, checked_down, mata
from tests.support.games.scenario import Scenario, antes, refused, table

UP, BOARD, ALL_IN = RevealReason.UP_CARD, RevealReason.BOARD, RevealReason.ALL_IN


def reveals(played: Scenario) -> list[tuple[RevealReason, list[str]]]:
    return [(due.reason, list(map(str, due.places))) for due in played.of(RevealOrdered)]


@pytest.mark.rule("MAT-1")
def test_one_card_up_one_down_and_three_community_cards() -> None:
    played = mata(1000, 1000, 1000, hole={2: "Kc2d"})
    assert [str(place) for place in played.of(PlacesDealt)[0].places] == [
        *("s1.1", "s2.1", "s3.1"),
        *("s1.2", "s2.2", "s3.2"),
        *("com.1", "com.2", "com.3"),
    ]
    assert reveals(played) == [(UP, ["s1.1", "s2.1", "s3.1"])]
    assert played.hand.state.pot_total == 30
    assert played.legal.bet_min == 10, "the least bet is the ante (MAT-2)"


@pytest.mark.rule("MAT-1")
@pytest.mark.parametrize("seats", range(2, 9))
def test_the_deck_is_enough_for_eight(seats: int) -> None:
    setup = table(*[100] * seats, game=MATA, forced=antes(1, seats))
    assert check_setup(setup) == ()
    assert MATA.cards_needed(8, burn=True) == 46
    assert MATA.cards_sum(8, burn=True) == "8 x 5 hole + 3 community + 3 burned"


@pytest.mark.rule("MAT-1")
def test_who_may_play_it_and_how() -> None:
    def codes(setup: HandSetup) -> list[Code]:
        return [refusal.code for refusal in check_setup(setup)]

    good = table(100, 100, game=MATA, forced=antes(1, 2))
    nine = table(*[100] * 9, game=MATA, forced=antes(1, 9))
    assert codes(nine) == [Code.BAD_SEATS]
    assert codes(replace(good, structure=Structure.POT_LIMIT)) == [Code.BAD_SETTINGS]
    blind = (*good.forced, ForcedBet(1, ForcedKind.BIG_BLIND, 2))
    assert codes(replace(good, forced=blind)) == [Code.BAD_FORCED_BETS]


@pytest.mark.rule("MAT-2")
def test_the_highest_up_card_opens_the_first_round() -> None:
    played = mata(1000, 1000, 1000, hole={1: "Kd3c", 2: "Ac4c", 3: "AdKc"}, button=2)
    # Equal ranks whatever the suit: to the right of the button lies seat 1, then 3, then 2 itself.
    assert played.last(OpenerAnnounced) == OpenerAnnounced(3, "highest card, ace of diamonds")
    assert played.seat == 3
    assert played.legal.can_check
    played.play("k")
    assert played.seat == 1, "from there clockwise"


@pytest.mark.rule("MAT-2")
@pytest.mark.parametrize(
    ("button", "tie", "opens"),
    [
        (1, FirstTie.RIGHT_OF_BUTTON, 4),
        (2, FirstTie.RIGHT_OF_BUTTON, 1),
        (3, FirstTie.RIGHT_OF_BUTTON, 1),
        (4, FirstTie.RIGHT_OF_BUTTON, 1),
        (7, FirstTie.RIGHT_OF_BUTTON, 4),
        (1, FirstTie.LEFT_OF_BUTTON, 4),
        (4, FirstTie.LEFT_OF_BUTTON, 1),
        (7, FirstTie.LEFT_OF_BUTTON, 1),
        (0, FirstTie.LEFT_OF_BUTTON, 1),
        (0, FirstTie.RIGHT_OF_BUTTON, 4),
    ],
)
def test_equal_highest_up_cards(button: int, tie: FirstTie, opens: int) -> None:
    hole = {1: "Kc2c", 2: "Qc3c", 3: "Jc4c", 4: "Ks5c"}
    played = mata(100, 100, 100, 100, hole=hole, button=button, first_tie=tie)
    assert played.seat == opens


@pytest.mark.rule("MAT-2", "STD-3")
def test_an_opener_that_is_all_in_is_passed_over() -> None:
    played = mata(1000, 10, 1000, hole={1: "Qc2c", 2: "Kc2d", 3: "Jc3c"})
    announced = played.last(OpenerAnnounced)
    assert announced == OpenerAnnounced(
        3, "next to seat 2, which is all-in: highest card, king of clubs"
    )
    assert played.seat == 3


@pytest.mark.rule("MAT-2", "RNK-5")
def test_later_rounds_are_opened_by_the_best_up_cards() -> None:
    hole = {1: "Kc2c7d9d3s", 2: "Qc3cQd5s6s", 3: "Jc4c8d9c9h"}
    played = mata(1000, 1000, 1000, hole=hole, middle="AsAhAd").play("k k k")
    played.play("u u u")
    # The community pair of aces is nobody's: only up cards of the seat count.
    assert played.last(OpenerAnnounced) == OpenerAnnounced(2, "highest hand, pair of queens")
    assert played.seat == 2
    played.play("f k k u u")
    assert (played.seat, played.last(OpenerAnnounced).seat) == (1, 1), "seat 2 has folded"


@pytest.mark.rule("MAT-2")
def test_equal_up_cards_open_nearest_to_the_left_of_the_button() -> None:
    hole = {1: "Kc2c7d", 2: "9c3c8d", 3: "Kd4c7s"}
    played = mata(1000, 1000, 1000, hole=hole, button=1).play("k k k u u u")
    assert played.seat == 3, "the same K-7, whatever the suits"
    hole[3] = "Kd4c6s"
    assert mata(1000, 1000, 1000, hole=hole, button=1).play("k k k u u u").seat == 1


@pytest.mark.rule("MAT-3")
def test_each_seat_says_up_or_down_before_its_card_is_dealt() -> None:
    played = mata(1000, 1000, hole={1: "Kc2c7d", 2: "Qc3c8d"}, button=2).play("k k")
    assert [street.name for street in played.of(StreetBegan)] == ["first round", "second round"]
    wait = played.facing
    assert (wait.seat, str(wait.place), str(wait.revealed)) == (1, "s1.3", "s1.2")
    dealt = [str(place) for event in played.of(PlacesDealt)[1:] for place in event.places]
    assert dealt == ["burn.1"], "a card is burned, and nothing is dealt before it is said"
    played.play("d")
    assert played.last(FacingChosen) == FacingChosen(1, wait.turn_no, face_down=True)
    assert [str(place) for place in played.last(PlacesDealt).places] == ["s1.3"]
    assert reveals(played)[-1] == (UP, ["s1.2"]), "the earlier down card is revealed"
    assert played.facing.seat == 2
    played.play("u")
    assert [str(place) for place in played.of(PlacesDealt)[-1].places] == ["s2.3"]
    assert reveals(played)[-2] == (UP, ["s2.3"])
    state = played.hand.state
    assert [len(state.up_cards(index)) for index in (0, 1)] == [2, 2]


@pytest.mark.rule("MAT-3", "MAT-5")
@pytest.mark.parametrize("choices", ["u u u", "d d d", "u d u", "d u d", "u u d"])
def test_in_the_end_one_card_lies_down(choices: str) -> None:
    played = mata(1000, 1000, hole={1: "Kc2c7d5s9h", 2: "Qc3c8dTsTh"})
    down = 2
    for street, choice in enumerate(choices.split(), 3):
        while not isinstance(played.hand.waits_for(), WaitFacing):
            played.play("k")
        assert played.facing.revealed.slot == down
        played.play(f"{choice} u")
        down = street if choice == "d" else down
    places = played.hand.state.hole_places(1)
    assert [place.slot for place in places if place not in played.hand.state.cards.faces] == [down]
    assert len(played.hand.state.up_cards(0)) == 4


@pytest.mark.rule("MAT-3")
def test_a_facing_that_is_not_due_is_refused() -> None:
    played = mata(1000, 1000, hole={1: "Kc2c", 2: "Qc3c"})
    turn = played.turn
    early = refused(played.hand, ChooseFacing(turn.seat, turn.turn_no, face_down=False))
    assert early.code is Code.UNEXPECTED_INPUT
    played.play("k k")
    wait = played.facing
    other = refused(played.hand, ChooseFacing(2, wait.turn_no, face_down=False))
    assert (other.code, other.field) == (Code.NOT_YOUR_TURN, "seat")
    stale = refused(played.hand, ChooseFacing(1, wait.turn_no - 1, face_down=False))
    assert (stale.code, stale.field) == (Code.STALE_TURN, "turn_no")
    act = refused(played.hand, Act(1, wait.turn_no, ActKind.CHECK))
    assert act.code is Code.UNEXPECTED_INPUT
    assert refused(played.hand, SplitTimeUp()).code is Code.UNEXPECTED_INPUT


@pytest.mark.rule("MAT-4")
def test_the_community_cards_are_revealed_after_the_third_card_and_before_the_betting() -> None:
    played = mata(1000, 1000, hole={1: "Kc2c7d", 2: "Qc3c8d"}).play("k k u")
    assert BOARD not in [reason for reason, _ in reveals(played)]
    played.play("u")
    assert reveals(played)[-1] == (BOARD, ["com.1", "com.2", "com.3"])
    kinds = [type(event) for event in played.events]
    board = kinds.index(OpenerAnnounced, kinds.index(FacingChosen))
    assert kinds[board - 1].__name__ == "CardsRevealed"
    checked_down(played)
    assert [reason for reason, _ in reveals(played)].count(BOARD) == 1


@pytest.mark.rule("MAT-2", "MAT-5")
def test_four_rounds_with_two_to_five_hole_cards() -> None:
    hole = {1: "AcAs7d5s9h", 2: "Kc3c8dTsTh"}
    played = checked_down(mata(1000, 1000, hole=hole))
    assert len(played.of(StreetBegan)) == 4
    assert len(played.of(ShowdownBegan)) == 1
    assert [str(p) for p in played.of(RevealOrdered)[-1].places] == ["s1.2", "s2.2"]
    assert MATA.hole_cards() == 5


@pytest.mark.rule("BET-2", "MAT-3")
def test_all_choose_to_the_end_when_all_are_all_in() -> None:
    hole = {1: "AcKs7d5s9h", 2: "KcQc8dTsTh", 3: "2c4c6c8s9s"}
    played = mata(50, 80, 500, hole=hole, middle="AsJcJs").play("a a c")
    # Seat 3 has chips left and nobody to bet against; it chooses like the others.
    turns = len(played.of(TurnBegan))
    played.play("d u d u d u d u d")
    assert len(played.of(FacingChosen)) == 9
    assert len(played.of(TurnBegan)) == turns - 1 + 9, "no more turns to bet"
    reasons = [reason for reason, _ in reveals(played)]
    assert reasons.count(ALL_IN) == 1
    assert reasons[-1] is ALL_IN, "exposed after the last choice, not before"
    assert reveals(played)[-1][1] == ["s1.5", "s2.4", "s3.5"]
    assert [(pot.no, pot.eligible) for pot in played.split.pots] == [(1, (2, 3))]
    assert played.play("t").over.result.mucked == ()


@pytest.mark.rule("BET-2")
def test_between_two_all_in_seats_and_one_that_can_bet_nothing_is_asked() -> None:
    hole = {1: "AcKs7d5s9h", 2: "KcAs8dTsTh"}
    played = mata(10, 500, hole=hole, middle="AhJcJs").play("d u u d u u")
    assert played.of(OpenerAnnounced) == [], "nobody is to begin"
    assert isinstance(played.hand.waits_for(), Over)


@pytest.mark.rule("MAT-6", "POT-3")
def test_the_last_one_in_takes_the_pot_without_qualifying() -> None:
    played = mata(1000, 1000, hole={1: "Kc2c", 2: "Qc3c"}).play("b50 f")
    assert played.of(PotAwarded)[0].seat == 1
    assert played.last(HandEnded).carried_out == 0
    assert reveals(played) == [(UP, ["s1.1", "s2.1"])], "the community cards stay hidden"
