"""Mata Ases at the showdown: who qualifies, what is carried or split, and what it is raked."""

from dataclasses import replace

import pytest

from pokerfloor.games import (
    GAMES,
    AnswerSplit,
    Carried,
    CarriedPotAdded,
    Code,
    GameRow,
    HandEnded,
    HandMucked,
    HandShown,
    HandVoided,
    Losers,
    Pot,
    PotAwarded,
    PotCarried,
    RakeCap,
    RakeRule,
    RakeTaken,
    Resolved,
    ShowdownResult,
    SplitAnswered,
    SplitProposed,
    SplitTimeUp,
    Void,
    WaitShowdown,
    WaitSplit,
    check_setup,
    resolve,
    row_from_json,
    row_to_json,
)
from tests.support.games.mata_table import MATA, checked_down, mata
from tests.support.games.scenario import Scenario, antes, refused, table

POOR = {1: "Kc2c7d5s9h", 2: "Qc3c8dTs4h", 3: "Jc4c6d9sTh"}
NOTHING = "2h6cKh"  # community cards: give seat 1 a pair of kings at best
RAKE = RakeRule(rate_bp=1000)


def poor(*stacks: int, **options: object) -> Scenario:
    """A hand checked down in which nobody qualifies."""
    return checked_down(mata(*stacks, hole=POOR, middle=NOTHING, **options))  # type: ignore[arg-type]  # by name


@pytest.mark.rule("MAT-5", "MAT-6")
@pytest.mark.parametrize(
    ("hole", "middle", "qualifies", "name"),
    [
        ("AcAs2d3h4c", "6d7h9c", True, "pair of aces"),  # the weakest of all
        ("KcKsQdJh9c", "2d3h7c", False, "pair of kings"),  # the strongest that does not
        ("KcKsAdQhJc", "2d3h7c", False, "pair of kings"),
        ("2c2s3d3h4c", "Jd9h7c", True, "two pair, threes and twos"),
        ("AcKsQd9h8c", "As3h7c", True, "pair of aces"),  # the community ace counts
        ("KcQsTd9h8c", "AsAh7c", False, "high card, ace"),  # but one of the middle only
        ("2c2s2d9h8c", "AsAh7c", True, "three of a kind, twos"),
        ("KcQsTd9h8c", "JsJh7c", True, "straight, nine to king"),
        ("Kc9sTd4h8c", "KsKh7c", False, "pair of kings"),  # never three kings
    ],
)
def test_a_pair_of_aces_or_better(hole: str, middle: str, qualifies: bool, name: str) -> None:
    played = mata(1000, 1000, hole={1: hole, 2: "5c5s8h4sTh"}, middle=middle, always_show=(1, 2))
    checked_down(played)
    shown = played.of(HandShown)
    assert [hand.ranks[0].name for hand in shown if hand.seat == 1] == [name]
    assert isinstance(played.hand.waits_for(), WaitSplit) is not qualifies
    if qualifies:
        assert played.awards() == [(0, 1, 20)]


@pytest.mark.rule("MAT-6")
def test_only_a_hand_that_wins_is_shown() -> None:
    hole = {1: "AcAs2d3h4c", 2: "AdAhKd3c4s", 3: "Jc4d6d9sTh"}
    played = checked_down(mata(1000, 1000, 1000, hole=hole, middle="7h6c8h"))
    # Seat 1 would be first to show and has a pair of aces, but seat 2 has the king with it.
    assert [hand.seat for hand in played.of(HandShown)] == [2]
    assert played.of(HandMucked) == [HandMucked(1), HandMucked(3)]
    assert played.awards() == [(0, 2, 30)]


@pytest.mark.rule("MAT-6", "SHW-2")
@pytest.mark.parametrize("losers", Losers)
def test_nobody_shows_when_nobody_qualifies(losers: Losers) -> None:
    played = poor(1000, 1000, losers=losers)
    assert played.of(HandShown) == []
    assert played.of(HandMucked) == [HandMucked(1), HandMucked(2)]
    shows = poor(1000, 1000, losers=losers, always_show=(2,))
    assert [hand.seat for hand in shows.of(HandShown)] == [2]
    assert isinstance(shows.hand.waits_for(), WaitSplit)


@pytest.mark.rule("SHW-1")
def test_the_first_to_show_is_left_of_the_button_as_mata_ases_is_no_stud() -> None:
    played = mata(100, 100, 100, hole=POOR, middle=NOTHING, button=1)
    wait = checked_down(played).split
    assert wait.seats == (2, 3, 1)


@pytest.mark.rule("MAT-6")
def test_a_pot_is_carried_when_time_is_up() -> None:
    played = poor(1000, 1000, 1000)
    assert played.last(SplitProposed) == SplitProposed((1, 2, 3))
    assert played.split == WaitSplit((1, 2, 3), (), (Pot(0, 30, (1, 2, 3)),))
    played.play("y2")
    assert played.split.seats == (1, 3)
    assert played.split.agreed == (2,)
    played.play("t")
    assert played.of(SplitAnswered)[1:] == [
        SplitAnswered(1, agrees=False),
        SplitAnswered(3, agrees=False),
    ]
    assert played.last(PotCarried) == PotCarried(0, 30, (1, 2, 3))
    assert played.of(PotAwarded) == []
    ended = played.last(HandEnded)
    assert (ended.carried_in, ended.carried_out, ended.rake) == (0, 30, 0)
    assert [seat.net for seat in ended.seats] == [-10, -10, -10]
    assert played.over.result.carried == (PotCarried(0, 30, (1, 2, 3)),)


@pytest.mark.rule("MAT-6")
def test_one_who_does_not_agree_is_enough() -> None:
    played = poor(1000, 1000, 1000).play("y1 n3")
    assert played.last(PotCarried).amount == 30
    assert len(played.of(SplitAnswered)) == 2, "seat 2 is not asked any more"


@pytest.mark.rule("MAT-6", "ODD-1")
def test_all_agree_to_split_and_the_odd_chips_go_left_of_the_button() -> None:
    played = checked_down(mata(1000, 1000, 1000, hole=POOR, middle=NOTHING, carried=Carried(5)))
    played.play("y3 y1 y2")
    assert played.of(PotCarried) == []
    assert played.awards() == [(0, 1, 12), (0, 2, 12), (0, 3, 11)]
    ended = played.last(HandEnded)
    assert (ended.carried_in, ended.carried_out) == (5, 0)


@pytest.mark.rule("MAT-6")
def test_answers_that_are_not_asked_for_are_refused() -> None:
    early = mata(1000, 1000, hole=POOR)
    assert refused(early.hand, AnswerSplit(1, agrees=True)).code is Code.UNEXPECTED_INPUT
    played = poor(1000, 1000, 1000).play("y2")
    for seat in (2, 4):
        refusal = refused(played.hand, AnswerSplit(seat, agrees=True))
        assert (refusal.code, refusal.field) == (Code.ACTION_NOT_ALLOWED, "seat")
    played.play("n1")
    assert refused(played.hand, AnswerSplit(3, agrees=True)).code is Code.HAND_OVER
    assert refused(played.hand, SplitTimeUp()).code is Code.HAND_OVER


@pytest.mark.rule("MAT-6", "ODD-1")
def test_equal_hands_share_with_the_odd_chip_left_of_the_button() -> None:
    hole = {1: "AcAs2d3h4c", 2: "AdAh2s3c4s", 3: "Jc4d6d9sTh"}
    setup = {"hole": hole, "middle": "7hKcKh", "ante": 5, "button": 2}
    played = checked_down(mata(1000, 1000, 1000, **setup))  # type: ignore[arg-type]  # by name
    assert played.awards() == [(0, 1, 8), (0, 2, 7)]


@pytest.mark.rule("MAT-6", "POT-4")
def test_each_pot_is_resolved_by_itself() -> None:
    # Seat 1, all-in for the main pot, has the aces; the side pot is between two poor hands.
    hole = {1: "AcAs2d3h4c", 2: "Qc3c8dTs4h", 3: "Jc4d6d9sTh"}
    played = mata(30, 1000, 1000, hole=hole, middle="2h6cKh").play("b20 c c")
    played.play("u u u b100 c u u u k k u u u k k")
    assert played.split.pots == (Pot(1, 200, (2, 3)),)
    assert played.split.seats == (2, 3, 1), "all of the showdown have a say"
    played.play("t")
    assert played.awards() == [(0, 1, 90)]
    assert played.last(PotCarried) == PotCarried(1, 200, (1, 2, 3))
    assert played.last(HandEnded).carried_out == 200


@pytest.mark.rule("MAT-6", "POT-1")
def test_what_is_split_is_split_among_those_who_could_have_won_it() -> None:
    hole = {1: "AcAs2d3h4c", 2: "Qc3c8dTs4h", 3: "Jc4d6d9sTh"}
    played = mata(30, 1000, 1000, hole=hole, middle="2h6cKh").play("b20 c c")
    played.play("u u u b100 c u u u k k u u u k k y1 y2 y3")
    assert played.awards() == [(1, 2, 100), (1, 3, 100), (0, 1, 90)]


@pytest.mark.rule("MAT-6", "POT-3")
def test_a_side_pot_that_the_others_folded_needs_no_hand() -> None:
    hole = {1: "Jd5c2d9h4c", 2: "Qc3c8dTs4h", 3: "Jc4d6d9sTh"}
    played = mata(30, 1000, 1000, hole=hole, middle="2h6cKh").play("b20 c c")
    played.play("u u u b100 c u u u b50 f")
    checked_down(played)
    assert played.split.pots == (Pot(0, 90, (1, 2)),)
    played.play("t")
    assert played.awards() == [(1, 2, 200)]
    assert played.last(PotCarried).amount == 90


@pytest.mark.rule("MAT-6", "MAT-7", "POT-5")
def test_a_chain_of_carried_pots_grows_until_somebody_wins() -> None:
    stacks, carried, brought = [1000, 1000, 1000], 0, 3000
    for _ in range(3):
        played = poor(*stacks, carried=Carried(carried)).play("t")
        ended = played.last(HandEnded)
        assert ended.carried_in == carried
        assert ended.carried_out == carried + 30
        stacks, carried = played.stacks, ended.carried_out
        assert sum(stacks) + carried == brought
    assert carried == 90
    hole = {**POOR, 2: "AcAs2d3h4d"}
    won = checked_down(mata(*stacks, hole=hole, middle=NOTHING, carried=Carried(carried)))
    assert won.last(CarriedPotAdded) == CarriedPotAdded(90)
    assert won.awards() == [(0, 2, 120)]
    assert sum(won.stacks) == brought
    nets = [seat.net for seat in won.last(HandEnded).seats]
    assert nets == [-10, 110, -10]


@pytest.mark.rule("MAT-7")
def test_a_carried_pot_lies_in_the_main_pot_and_matches_nothing() -> None:
    played = mata(10, 1000, 1000, hole=POOR, middle=NOTHING, carried=Carried(500))
    assert played.hand.state.pot_total == 530
    assert played.legal.call_by == 0
    played.play("b20 f")
    # Seat 1 is all-in from the ante: the bet that nobody called goes back (POT-2).
    assert played.hand.state.pots == (Pot(0, 530, (1, 2)),)


@pytest.mark.rule("MAT-7")
def test_only_the_same_players_can_win_what_is_theirs() -> None:
    # The best hand is seat 3's, who has come new: it wins the antes, the carried pot goes to 2.
    hole = {1: "Jd5c2d9h4c", 2: "AcAs2h3h4h", 3: "AdAhKd3c4s"}
    played = checked_down(
        mata(1000, 1000, 1000, hole=hole, middle="7hTc8h", carried=Carried(90, (1, 2)))
    )
    assert played.hand.state.pots == (Pot(0, 30, (1, 2, 3)), Pot(1, 90, (1, 2)))
    assert played.awards() == [(1, 2, 90), (0, 3, 30)]


@pytest.mark.rule("MAT-7")
def test_what_nobody_of_the_same_players_wins_stays_theirs() -> None:
    hole = {**POOR, 3: "AdAh2d3h4d"}
    options = {"hole": hole, "middle": NOTHING, "carried": Carried(90, (1, 2))}
    played = checked_down(mata(1000, 1000, 1000, **options)).play("t")  # type: ignore[arg-type]  # by name
    assert played.awards() == [(0, 3, 30)]
    assert played.of(PotCarried) == [PotCarried(1, 90, (1, 2))]
    both = checked_down(
        mata(1000, 1000, 1000, hole=POOR, middle=NOTHING, carried=Carried(90, (1, 2)))
    ).play("t")
    assert both.of(PotCarried) == [PotCarried(1, 90, (1, 2)), PotCarried(0, 30, (1, 2, 3))]
    assert both.last(HandEnded).carried_out == 120


@pytest.mark.rule("MAT-7", "POT-1", "POT-3")
def test_a_claim_is_given_up_with_the_hand() -> None:
    hole = {1: "Jd5c2d9h4c", 2: "Qs3d2h3h4h", 3: "Kd9hTd3c4s"}
    carried = Carried(90, (1, 2))
    played = mata(1000, 1000, 1000, hole=hole, middle="7hTc8h", carried=carried).play("b20 f c")
    assert played.hand.state.pots == (Pot(0, 70, (2, 3)), Pot(1, 90, (2,)))
    alone = checked_down(played).play("t")
    assert alone.awards() == [(1, 2, 90)], "the last one with a claim needs no hand"
    gone = mata(1000, 1000, 1000, hole=hole, middle="7hTc8h", carried=carried).play("b20 f f")
    assert gone.awards() == [(0, 3, 120)], "with no claim left it is the main pot's"


@pytest.mark.rule("MAT-7", "POT-10")
def test_a_carried_pot_is_raked_once_when_it_is_won() -> None:
    carried = poor(1000, 1000, 1000, rake=RAKE).play("t")
    assert carried.of(RakeTaken) == []
    assert carried.last(HandEnded).carried_out == 30
    hole = {**POOR, 2: "AcAs2d3h4d"}
    won = checked_down(
        mata(*carried.stacks, hole=hole, middle=NOTHING, carried=Carried(30), rake=RAKE)
    )
    assert won.last(RakeTaken) == RakeTaken(6, (6,), ((1, 2), (2, 2), (3, 2)))
    assert won.awards() == [(0, 2, 54)]
    assert sum(won.stacks) + 6 == 3000


@pytest.mark.rule("MAT-6", "POT-10", "POT-11")
def test_what_is_split_is_raked_and_what_is_carried_is_not() -> None:
    hole = {1: "AcAs2d3h4c", 2: "Qc3c8dTs4h", 3: "Jc4d6d9sTh"}

    def showdown(rake: RakeRule) -> Scenario:
        played = mata(30, 1000, 1000, hole=hole, middle="2h6cKh", rake=rake).play("b20 c c")
        return played.play("u u u b100 c u u u k k u u u k k")

    carried = showdown(RAKE).play("t")
    assert carried.last(RakeTaken)[:2] == (9, (9, 0))
    assert carried.awards() == [(0, 1, 81)]
    split = showdown(RAKE).play("y1 y2 y3")
    assert split.last(RakeTaken)[:2] == (29, (9, 20))
    assert split.awards() == [(1, 2, 90), (1, 3, 90), (0, 1, 81)]
    # The cap is one for the hand: by it the main pot pays less when the side pot is paid as well.
    capped = RAKE._replace(caps=(RakeCap(2, 9),))
    assert showdown(capped).play("t").last(RakeTaken)[:2] == (9, (9, 0))
    assert showdown(capped).play("y1 y2 y3").last(RakeTaken)[:2] == (9, (3, 6))


@pytest.mark.rule("POT-10")
def test_no_flop_no_drop_means_the_second_round() -> None:
    first = mata(1000, 1000, hole=POOR, rake=RAKE).play("b50 f")
    assert first.of(RakeTaken) == []
    second = mata(1000, 1000, hole=POOR, rake=RAKE).play("k k u u b50 f")
    assert second.last(RakeTaken).total == 2


@pytest.mark.rule("MAT-7", "DLR-8")
def test_a_void_hand_gives_the_carried_pot_back_to_being_carried() -> None:
    played = mata(1000, 1000, hole=POOR, middle=NOTHING, carried=Carried(70)).play("b50 c")
    played.give(Void("misdeal"))
    assert played.last(HandVoided) == HandVoided("misdeal")
    assert played.stacks == [1000, 1000]
    result = played.over.result
    assert (result.carried_in, result.carried, result.voided) == (70, (), "misdeal")
    asked = poor(1000, 1000, carried=Carried(70))
    asked.give(Void("misdeal"))
    assert asked.stacks == [1000, 1000]


@pytest.mark.rule("MAT-6")
def test_a_result_that_is_not_what_was_shown_is_refused() -> None:
    setup = table(100, 100, game=MATA, forced=antes(10, 2), big=10)
    played = Scenario(setup, {1: "AcAs2d3h4c", 2: POOR[2]}, "7hKc9h", resolving=False)
    checked_down(played)
    wait = played.hand.waits_for()
    assert isinstance(wait, WaitShowdown)
    good = resolve(wait.request, played.faces)
    assert isinstance(good, ShowdownResult)
    for bad in (
        good._replace(carried=(0,), awards=()),
        good._replace(awards=(good.awards[0]._replace(amount=10),)),
        good._replace(shown=(), mucked=(1, 2)),
        good._replace(carried=(0,)),
    ):
        refusal = refused(played.hand, Resolved(bad))
        assert refusal.code is Code.WRONG_RESULT


@pytest.mark.rule("MAT-6", "MAT-7")
@pytest.mark.parametrize(
    ("carried", "field"),
    [
        (Carried(-10), "carried"),
        (Carried(5), "carried"),
        (Carried(10, (3,)), "carried"),
        (Carried(10, (2, 1)), "carried"),
        (Carried(10, (1, 1)), "carried"),
        (Carried(0, (1,)), "carried"),
    ],
)
def test_carried_pots_that_cannot_be(carried: Carried, field: str) -> None:
    setup = table(100, 100, game=MATA, forced=antes(10, 2), big=10, smallest_chip_minor=10)
    assert check_setup(setup) == ()
    refusals = check_setup(replace(setup, carried=carried))
    assert [(refusal.code, refusal.field) for refusal in refusals] == [
        (Code.BAD_CARRIED_POT, field)
    ]


@pytest.mark.rule("MAT-6")
def test_nothing_is_carried_in_other_games() -> None:
    setup = table(100, 100, carried=Carried(10))
    assert [refusal.code for refusal in check_setup(setup)] == [Code.BAD_CARRIED_POT]


@pytest.mark.rule("MAT-6")
@pytest.mark.parametrize("qualifier", ["AcAd4c3d", "AcAd4c3d2x", "AcAc4c3d2h", "aces"])
def test_the_least_hand_is_data(qualifier: str) -> None:
    text = row_to_json(MATA).replace('"id": "mata_ases"', '"id": "mata_mine"')
    jacks = row_from_json(text.replace("AcAd4c3d2h", "JcJd4c3d2h"))
    assert isinstance(jacks, GameRow)
    assert jacks.carries()
    bad = row_from_json(text.replace("AcAd4c3d2h", qualifier))
    assert not isinstance(bad, GameRow)
    assert (bad.code, bad.field) == (Code.BAD_GAME_ROW, "parts")


def test_games_without_a_least_hand_carry_nothing() -> None:
    assert [game.id for game in GAMES.values() if game.carries()] == ["mata_ases"]
    assert [game.id for game in GAMES.values() if game.down_slot()] == ["mata_ases"]
