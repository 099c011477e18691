"""What reports of other engines' users teach about cards, showdowns and the rarer games."""

from __future__ import annotations

from itertools import combinations, permutations
from random import Random
from typing import get_args, get_type_hints

import pytest

from pokerfloor.cards import RED_JOKER, SHORT, STANDARD, parse_cards, rank_of
from pokerfloor.games import (
    GAMES,
    CardsDrawn,
    CardsRevealed,
    DeckReshuffled,
    Event,
    HandShown,
    HoleCardUse,
    RakeRule,
    RevealOrdered,
    RevealReason,
    Structure,
)
from pokerfloor.ranking import (
    HIGH52,
    JOKER_WILD,
    LOW8,
    SHORT36,
    TOP3,
    RankingError,
    Use,
    choose,
)
from tests.support.games.scenario import Scenario, antes, table

SUITS = "cdhs"


def ranked(cards: str) -> int:
    return TOP3.strength(parse_cards(cards))


@pytest.mark.rule("RNK-4")
@pytest.mark.parametrize("ranks", ["A23", "A45", "AKQ", "KQJ", "432"])
def test_three_cards_make_no_straight_and_no_flush_in_any_suits(ranks: str) -> None:
    strengths = {
        ranked("".join(rank + suit for rank, suit in zip(ranks, suits, strict=True)))
        for suits in (*permutations(SUITS, 3), *[(suit,) * 3 for suit in SUITS])
    }
    assert len(strengths) == 1
    assert strengths.pop() < ranked("2c2d3h")


@pytest.mark.rule("RNK-4")
def test_a_pair_on_top_counts_its_one_kicker_and_no_filler() -> None:
    assert ranked("QcQdAh") > ranked("QcQdKh") > ranked("QcQd2h") > ranked("JcJdAh")


@pytest.mark.rule("RNK-1", "RNK-3")
def test_a_joker_is_wild_in_the_decks_that_have_it_and_no_card_elsewhere() -> None:
    hand = parse_cards("5c5dXr7h8s")
    with pytest.raises(RankingError):
        HIGH52.strength(hand)
    with pytest.raises(RankingError):
        SHORT36.strength(parse_cards("9c9dXr7h8s"))
    assert JOKER_WILD.describe(hand).name == "three of a kind, fives"


@pytest.mark.rule("RNK-3")
def test_a_joker_makes_the_best_hand_there_is_and_none_higher() -> None:
    rng = Random(4)
    for _ in range(300):
        four = tuple(rng.sample(STANDARD.cards, 4))
        if len({rank_of(card) for card in four}) == 1:
            continue  # five of one rank
        others = [card for card in STANDARD.cards if card not in four]
        best = max(others, key=lambda card: HIGH52.strength((*four, card)))
        name = HIGH52.describe((*four, best)).name
        if name == "royal flush":
            name = "straight flush, ten to ace"
        assert JOKER_WILD.describe((*four, RED_JOKER)).name == name


@pytest.mark.rule("OMA-1", "LOW-2")
def test_every_hand_of_two_hole_cards_has_the_strength_of_its_best_five() -> None:
    rng = Random(8)
    high, low = (choose(system, Use.EXACTLY_TWO) for system in (HIGH52, LOW8))
    for hole_cards in (4, 5, 6):
        for _ in range(40):
            cards = rng.sample(STANDARD.cards, hole_cards + 5)
            hole, board = tuple(cards[:hole_cards]), tuple(cards[hole_cards:])
            fives = [
                (*two, *three) for two in combinations(hole, 2) for three in combinations(board, 3)
            ]
            assert high.strength(hole, board) == max(map(HIGH52.strength, fives)) > 0
            assert low.strength(hole, board) == max(map(LOW8.strength, fives))


@pytest.mark.rule("RNK-2", "SHD-1")
def test_the_short_deck_has_an_order_of_its_own() -> None:
    def strength(cards: str) -> int:
        return SHORT36.strength(parse_cards(cards))

    assert strength("6s8sTsQsKs") > strength("AcAdAhKcKd")
    assert strength("7c8d9hTsJc") > strength("6c7d8h9sTc") > strength("Ac6d7h8s9c")
    assert strength("Ac6d7h8s9c") > strength("AcAdAhKcQd")
    assert strength("KcAd6h7s8c") < strength("6c6d7h8s9c")  # no way round the ace
    counts: dict[int, int] = {}
    rng = Random(1)
    for _ in range(2000):
        found = SHORT36.strength(rng.sample(SHORT.cards, 5))
        counts[found] = counts.get(found, 0) + 1
    assert len(counts) <= 1404


@pytest.mark.rule("OMA-1", "RNK-6")
@pytest.mark.parametrize("board", ["", "2c", "2c3d"])
@pytest.mark.parametrize("use", [Use.EXACTLY_TWO, Use.ANY])
def test_a_hand_that_is_not_complete_cannot_be_ranked_and_says_so(use: Use, board: str) -> None:
    choice = choose(HIGH52, use)
    hole = parse_cards("AsKsQsJs") if use is Use.EXACTLY_TWO else parse_cards("AsKs")
    with pytest.raises(RankingError):
        choice.describe(hole, parse_cards(board))
    with pytest.raises(RankingError):
        choice.strength(hole, parse_cards(board))


@pytest.mark.rule("STD-1", "SHW-2")
def test_down_cards_of_stud_are_unknown_on_every_street_until_the_showdown() -> None:
    setup = table(
        100,
        100,
        100,
        game=GAMES["stud7"],
        structure=Structure.FIXED_LIMIT,
        big_bet_minor=4,
        forced=antes(1, 3),
    )
    hand = Scenario(setup, turning=False, resolving=False)
    hand.turning = True
    hand.advance()
    for up in range(1, 6):
        known = hand.hand.state.cards.faces
        assert {place.slot for place in known} == set(range(3, min(7, 3 + up)))
        assert len(known) == 3 * min(4, up)
        street = hand.hand.state.street_no
        while hand.hand.state.street_no == street and not hand.hand.state.showdown_order:
            hand.play("k" if hand.legal.can_check else "c")
    assert hand.last(RevealOrdered).reason is RevealReason.SHOWDOWN
    assert len(hand.hand.state.cards.faces) == 12  # as it was: this opening is for no spectator


def test_no_event_has_a_face_but_those_that_turn_cards_up() -> None:
    faced = set()
    for event in get_args(Event):
        hints = get_type_hints(event)
        if any("cards" in name or "faces" in name for name in hints):
            faced.add(event)
    assert faced == {CardsRevealed, HandShown}


@pytest.mark.rule("POT-4", "ODD-2", "OMA-3")
def test_five_card_omaha_hi_lo_with_several_pots_adds_up() -> None:
    hole = {1: "As2s3dKhKc", 2: "Ad2dQhQcJh", 3: "AhAc9h9cTd", 4: "4c5cTh9dJc"}
    setup = table(
        31,
        77,
        203,
        203,
        game=GAMES["omaha5_hilo"],
        structure=Structure.NO_LIMIT,
        rake=RakeRule(500),
    )
    hand = Scenario(setup, hole, "3c4h8sKd9s").play("a a a c")
    result = hand.over.result
    assert len(result.pots) == 3
    assert sum(seat.net for seat in result.seats) + result.rake.total == 0
    assert all(seat.end >= 0 for seat in result.seats)
    for pot in result.pots:
        paid = sum(award.amount for award in result.awards if award.pot_no == pot.no)
        assert paid == pot.amount - result.rake.by_pot[pot.no]


@pytest.mark.rule("POT-1", "POT-4", "ODD-2", "OMA-3")
def test_lows_that_are_in_lower_pots_only_have_no_part_in_the_side_pots() -> None:
    # PokerKit 0.7.7 pays some of seat 5's 48 to seats 1 and 4.
    hole = {1: "TcAcKc2c", 2: "4hAd5d8c", 3: "9h5c8s7d", 4: "KdTd6hQs", 5: "AsTs4s3d"}
    setup = table(40, 4, 12, 35, 28, game=GAMES["omaha4_hilo"], structure=Structure.NO_LIMIT)
    hand = Scenario(setup, hole, "QcAhJs2s3s").play("a a c c c")
    assert [pot.amount for pot in hand.over.result.pots] == [5 * 4, 4 * 8, 3 * 16, 2 * 7]
    assert sorted(hand.awards()) == [
        *[(0, 2, 10), (0, 5, 10)],  # the wheel has the low, the flush the high
        *[(1, 3, 16), (1, 5, 16)],
        *[(2, 5, 48)],  # nobody here has a low
        *[(3, 1, 7), (3, 4, 7)],
    ]
    assert hand.stacks == [12, 10, 16, 7, 74]


@pytest.mark.rule("DRW-5")
def test_folded_cards_are_never_dealt_again() -> None:
    setup = table(*[100] * 6, game=GAMES["draw5"])
    hand = Scenario(setup).play("f f c c c k")
    hand.play("x12345 x12345")
    stub = hand.hand.state.cards.left()
    assert stub == 54 - 30 - 1 - 10
    hand.play("x12345 x12345")
    given_up = {event.seat for event in hand.of(CardsDrawn)}
    folded = {3, 4}
    assert given_up & folded == set()
    for event in hand.of(DeckReshuffled):
        assert not {place.owner for place in event.places if place.kind == "s"} & folded


@pytest.mark.rule("POT-4", "ODD-1")
def test_two_share_the_side_pot_and_a_third_has_the_main_one() -> None:
    hole = {1: "AsAh", 2: "KsKh", 3: "KdKc"}
    hand = Scenario(table(20, 71, 71), hole, "2c3d7h8sTc").play("a a c")
    assert hand.awards() == [(1, 2, 51), (1, 3, 51), (0, 1, 60)]


@pytest.mark.rule("OMA-1")
def test_use_of_hole_cards_has_a_row_for_each_way() -> None:
    assert {use.value for use in Use} == {used.value for used in HoleCardUse}
