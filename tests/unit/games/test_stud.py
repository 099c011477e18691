"""Seven-card stud, hi/lo and razz: up cards, who opens, the two sizes, the community card."""

from dataclasses import replace

import pytest

from pokerfloor.games import (
    GAMES,
    ActKind,
    Code,
    DeckReshuffled,
    ForcedBet,
    ForcedBetPosted,
    ForcedKind,
    Half,
    HandShown,
    OpenerAnnounced,
    PlacesDealt,
    RevealOrdered,
    RevealReason,
    Shortage,
    ShowdownBegan,
    Structure,
    TurnBegan,
    check_setup,
)
from tests.support.games.scenario import Scenario, antes, stud, table


def played_down(played: Scenario) -> Scenario:
    """Check or call to the showdown."""
    while played.hand.state.turn >= 0:
        played.play("k" if played.legal.can_check else "c")
    return played


HOLE = {1: "2c3cKd5d6d7d8d", 2: "9h9dTc2d3d4hJh", 3: "AhAd4c5cQcQdJs"}


@pytest.mark.rule("STD-1")
def test_the_streets_and_their_up_cards() -> None:
    played = played_down(stud(200, 200, 200, hole=HOLE))
    dealt = [[str(place) for place in event.places] for event in played.of(PlacesDealt)]
    assert dealt[0] == [f"s{seat}.{slot}" for slot in (1, 2, 3) for seat in (1, 2, 3)]
    assert dealt[1:] == [
        [f"burn.{nth}", *[f"s{seat}.{slot}" for seat in (1, 2, 3)]]
        for nth, slot in enumerate((4, 5, 6, 7), start=1)
    ]
    up = [e.places for e in played.of(RevealOrdered) if e.reason is RevealReason.UP_CARD]
    assert [[str(place) for place in places] for places in up] == [
        [f"s{seat}.{slot}" for seat in (1, 2, 3)] for slot in (3, 4, 5, 6)
    ]
    [last] = [e.places for e in played.of(RevealOrdered) if e.reason is RevealReason.SHOWDOWN]
    assert [str(place) for place in last[:3]] == ["s1.1", "s1.2", "s1.7"], "what is still hidden"


@pytest.mark.rule("STD-2")
@pytest.mark.parametrize(
    ("ups", "seat"),
    [(("Kd", "Tc", "4c"), 3), (("2d", "2c", "2h"), 2), (("Ac", "Ad", "Ks"), 3)],
)
def test_the_lowest_up_card_opens_for_the_small_bet(ups: tuple[str, ...], seat: int) -> None:
    hole = {nth: f"{pair}{up}" for nth, (pair, up) in enumerate(zip(PAIRS, ups, strict=True), 1)}
    played = stud(200, 200, 200, hole=hole)
    opened = played.last(ForcedBetPosted)
    assert opened == ForcedBetPosted(seat, ForcedKind.BRING_IN, 10, all_in=False)
    assert played.seat == seat % 3 + 1
    assert (played.legal.call_to, played.legal.raise_min, played.legal.raise_max) == (10, 20, 20)
    played.play("c c")
    assert played.hand.state.street_no == 1, "the opener has no option"


PAIRS = ("9c9d", "8c8d", "7c7d")


@pytest.mark.rule("STD-2", "STD-5")
def test_a_full_opening_is_the_first_of_four_bets() -> None:
    played = stud(200, 200, 200, hole=HOLE).play("r20 r30 r40")
    assert played.legal.raise_max == 0
    assert played.refused(ActKind.RAISE, 50).code == Code.ACTION_NOT_ALLOWED


@pytest.mark.rule("STD-2")
def test_a_smaller_bring_in_is_completed_and_that_is_no_raise() -> None:
    played = stud(200, 200, 200, hole=HOLE, bring_in_minor=4)
    assert played.last(ForcedBetPosted).amount == 4
    assert (played.legal.call_to, played.legal.raise_min) == (4, 10)
    played.play("c r10")
    assert played.seat == 3, "the opener acts again once it is completed"
    assert played.legal.raise_min == 20
    played.play("r20 r30 r40")
    assert played.legal.raise_max == 0


@pytest.mark.rule("STD-2")
def test_who_is_all_in_from_the_ante_does_not_open() -> None:
    played = stud(200, 200, 1, hole=HOLE)
    assert played.last(ForcedBetPosted).seat == 1
    short = stud(200, 200, 5, hole=HOLE)
    assert short.last(ForcedBetPosted) == ForcedBetPosted(3, ForcedKind.BRING_IN, 4, all_in=True)
    assert short.legal.call_to == 10, "owed in full though it was posted short"
    nobody = stud(1, 200, 1, hole=HOLE)
    assert not [bet for bet in nobody.of(ForcedBetPosted) if bet.kind is ForcedKind.BRING_IN]
    assert nobody.hand.state.ended


@pytest.mark.rule("STD-2", "BET-2")
def test_a_bring_in_is_not_posted_before_the_deal() -> None:
    setup = table(
        100,
        100,
        game=GAMES["stud7"],
        structure=Structure.FIXED_LIMIT,
        big_bet_minor=4,
        forced=(*antes(1, 2), ForcedBet(1, ForcedKind.BRING_IN, 1)),
    )
    assert [refusal.code for refusal in check_setup(setup)] == [Code.BAD_FORCED_BETS]
    large = replace(setup, forced=antes(1, 2))
    bad = replace(large, settings=replace(large.settings, bring_in_minor=3))
    assert [r.field for r in check_setup(bad)] == ["settings.bring_in_minor"]
    no_limit = replace(large, structure=Structure.NO_LIMIT)
    assert [r.field for r in check_setup(no_limit)] == ["structure"]


@pytest.mark.rule("STD-3", "RNK-5", "SHW-1")
def test_the_best_exposed_hand_acts_first_on_later_streets() -> None:
    # Fourth street: K5 against T2 and 45; fifth: a pair of queens for seat 3 later.
    played = stud(200, 200, 200, hole=HOLE).play("c c")
    assert (played.hand.state.street_no, played.seat) == (1, 1)
    played_down(played)
    first: dict[int, int] = {}
    street = 0
    for event in played.events:
        if isinstance(event, PlacesDealt):
            street += 1
            continue
        if isinstance(event, TurnBegan):
            first.setdefault(street, event.seat)
    assert first == {1: 1, 2: 1, 3: 1, 4: 3, 5: 3}
    assert played.last(ShowdownBegan).order[0] == 3


@pytest.mark.rule("STD-3")
def test_of_equal_exposed_hands_the_first_from_the_button_and_if_it_is_all_in_the_next() -> None:
    hole = {1: "2c3cKd5d", 2: "9h9dKc5h", 3: "AhAd4c4h"}
    assert stud(200, 200, 200, hole={**hole, 3: "AhAd4c3h"}).play("c c").seat == 1
    played = stud(11, 200, 200, hole={**hole, 3: "AhAd4c3h"}).play("c c")
    assert played.seat == 2


@pytest.mark.rule("STD-4", "BET-33")
def test_an_open_pair_on_fourth_street_lets_everybody_bet_either_size() -> None:
    pair = {1: "2c3cKd5d", 2: "9h9dTcTh", 3: "AhAd4c5h"}
    played = stud(500, 500, 500, hole=pair).play("c c")
    assert (played.seat, played.legal.sizes_to) == (2, (10, 20))
    assert played.refused(ActKind.BET, 15).code == Code.AMOUNT_NOT_A_SIZE
    played.play("b10")
    assert list(played.legal.sizes_to) == [20, 30]
    played.play("r30")
    assert not played.legal.sizes_to
    assert (played.legal.raise_min, played.legal.raise_max) == (50, 50)
    without = stud(500, 500, 500, hole=pair, open_pair_rule=False).play("c c")
    assert (without.legal.bet_min, without.legal.bet_max, without.legal.sizes_to) == (10, 10, ())
    no_pair = stud(500, 500, 500, hole=HOLE).play("c c")
    assert no_pair.legal.sizes_to == ()
    hidden = {1: "2c3cKd5d", 2: "9hThTc8h", 3: "AhAd4c5h"}
    assert stud(500, 500, 500, hole=hidden).play("c c").legal.sizes_to == ()


@pytest.mark.rule("STD-4", "BET-30")
def test_fifth_to_seventh_street_are_played_at_the_big_bet() -> None:
    played = stud(500, 500, 500, hole=HOLE).play("c c")
    sizes = []
    while not played.hand.state.ended:
        sizes.append(played.legal.bet_min)
        played.play("k k k")
    assert sizes == [10, 20, 20, 20]


@pytest.mark.rule("STD-5", "BET-31")
def test_heads_up_there_is_no_cap() -> None:
    played = stud(500, 500, hole={1: "2c3cKd", 2: "9h9dTc"}, heads_up_uncapped=True)
    played.play("r20 r30 r40 r50 r60")
    assert played.legal.raise_min == 70


@pytest.mark.rule("STD-6")
@pytest.mark.parametrize("burn", [True, False])
def test_a_community_card_when_the_deck_is_short(burn: bool) -> None:
    # Eight seats have 48 cards; after three burns one is left, and its burn is left out.
    played = played_down(stud(*[500] * 8, burn=burn))
    assert [str(place) for place in played.of(PlacesDealt)[-1].places] == ["com.1"]
    [due] = played.of(RevealOrdered)[-2:-1]
    assert [str(place) for place in due.places] == ["com.1"]
    shown = played.last(HandShown)
    assert (len(shown.cards), len(shown.ranks[0].cards)) == (6, 5)
    assert sum(played.stacks) == 500 * 8


@pytest.mark.rule("STD-6")
def test_the_burn_is_left_out_where_that_makes_the_cards_suffice() -> None:
    # Seven have 42 cards, three are burned: seven are left.
    played = played_down(stud(*[500] * 7))
    last = [str(place) for place in played.of(PlacesDealt)[-1].places]
    assert last == [f"s{seat}.7" for seat in range(1, 8)]


@pytest.mark.rule("STD-6")
def test_by_option_the_last_card_and_the_burns_are_shuffled_for_the_rest() -> None:
    # Eight up to fifth street, seven on sixth, five on seventh: two cards are left, three burned.
    shuffling = Shortage.RESHUFFLE_BURNS
    played = stud(*[500] * 8, seventh_shortage=shuffling)
    for leave in (8, 8, 7, 5):
        in_hand = played.hand.state.in_hand
        folds = in_hand - leave
        while played.hand.state.in_hand > leave and folds:
            played.play("b20" if played.legal.can_check and played.legal.bet_max == 20 else "f")
        street = played.hand.state.street_no
        while played.hand.state.street_no == street and not played.hand.state.ended:
            played.play("k" if played.legal.can_check else "c")
    [reshuffled] = played.of(DeckReshuffled)
    assert [str(p) for p in reshuffled.places] == ["burn.1", "burn.2", "burn.3", "burn.4"]
    dealt = played.of(PlacesDealt)[-3:]
    assert [(len(event.places), event.generation) for event in dealt] == [(1, 0), (1, 0), (4, 1)]
    assert {place.slot for place in (*dealt[0].places, *dealt[2].places)} == {7}


@pytest.mark.rule("STD-6")
def test_the_community_card_is_used_when_the_burns_are_too_few_as_well() -> None:
    played = played_down(stud(*[500] * 8, seventh_shortage=Shortage.RESHUFFLE_BURNS))
    assert not played.of(DeckReshuffled)
    assert [str(place) for place in played.of(PlacesDealt)[-1].places] == ["com.1"]


@pytest.mark.rule("STD-7", "ODD-1")
def test_odd_chips_go_by_the_highest_hole_card() -> None:
    # The same straight to the six; seat 2 holds the king as well.
    hole = {1: "2c3d4h5s6c9cTh", 2: "2d3h4s5c6dJsKs", 3: "7c7dQh"}
    played = stud(500, 500, 500, hole=hole).play("c f")
    played_down(played)
    awards = {award.seat: award.amount for award in played.over.result.awards}
    assert awards == {1: 11, 2: 12}


@pytest.mark.rule("STD-8", "LOW-2", "ODD-2")
def test_hi_lo_any_five_of_seven_for_each_half() -> None:
    hole = {1: "AcAd2h3s4c8dKh", 2: "QcQdQhKsJc9d9h"}
    played = played_down(stud(500, 500, hole=hole, name="stud7_hilo"))
    assert [(a.half, a.seat) for a in played.over.result.awards] == [(Half.HIGH, 2), (Half.LOW, 1)]


def test_razz_is_opened_by_the_highest_card_and_won_by_the_lowest_hand() -> None:
    hole = {1: "2c3cAd4d8h9hKc", 2: "AhAcKsQdQhJdJh"}
    played = stud(500, 500, hole=hole, name="razz")
    assert played.last(ForcedBetPosted).seat == 2, "the ace is low"
    played.play("c")
    assert played.seat == 1
    played_down(played)
    assert [(a.half, a.seat) for a in played.over.result.awards] == [(Half.LOW, 1)]


@pytest.mark.rule("STD-2", "STD-3")
def test_who_starts_is_announced_on_every_street_and_why() -> None:
    played = played_down(stud(200, 200, 200, hole=HOLE))
    announced = [(opener.seat, opener.reason) for opener in played.of(OpenerAnnounced)]
    assert announced == [
        (3, "lowest card, four of clubs"),
        (1, "highest hand, high card, king"),
        (1, "highest hand, high card, king"),
        (3, "highest hand, pair of queens"),
        (3, "highest hand, pair of queens"),
    ]
    assert [opener.seat for opener in played.of(OpenerAnnounced)] == [
        next(
            turn.seat
            for turn in played.events[at:]
            if isinstance(turn, TurnBegan | ForcedBetPosted)
        )
        for at, event in enumerate(played.events)
        if isinstance(event, OpenerAnnounced)
    ]


@pytest.mark.rule("STD-2")
def test_in_razz_the_highest_card_and_the_lowest_hand_are_announced() -> None:
    played = played_down(stud(200, 200, hole={1: "2c3cKs5d", 2: "9h9d7c3d"}, name="razz"))
    reasons = [opener.reason for opener in played.of(OpenerAnnounced)]
    assert reasons[:2] == ["highest card, king of spades", "lowest hand, 7-3"]


@pytest.mark.rule("STD-2", "BET-2")
def test_an_all_in_seat_is_announced_with_the_one_that_starts_for_it() -> None:
    played = stud(1, 200, 200, hole={1: "AcAd2c", 2: "KcKd9c", 3: "QcQdJc"})
    why = "next to seat 1, which is all-in: lowest card, two of clubs"
    assert played.of(OpenerAnnounced) == [OpenerAnnounced(2, why)]
    nobody = stud(1, 1, 200, hole={1: "AcAd2c", 2: "KcKd9c", 3: "QcQdJc"})
    assert nobody.of(OpenerAnnounced) == [], "nobody can bet"


@pytest.mark.rule("STD-3")
def test_who_starts_for_an_all_in_seat_is_neither_out_nor_all_in() -> None:
    hole = {1: "AcAdKs4h", 2: "QcQdJc5h", 3: "KcKd9c6h", 4: "TcTd2c7h", 5: "JdJh3c8h"}
    played = stud(11, 200, 11, 200, 200, hole=hole).play("c c f c")
    announced = played.of(OpenerAnnounced)[-1]
    assert announced.reason.startswith("next to seat 1, which is all-in: ")
    assert announced.seat == played.seat == 4, "seat 2 has folded and seat 3 is all-in too"
