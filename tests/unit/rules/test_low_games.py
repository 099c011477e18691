"""Razz and the lowball draws, by the rules of the product's own pages (RAZ, LOB), and DRW-2."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from pokerfloor.cards import STANDARD, cards_text, parse_cards, rank_of, suit_of
from pokerfloor.games import (
    GAMES,
    ActKind,
    ForcedBet,
    ForcedBetPosted,
    ForcedKind,
    HandSetup,
    HandShown,
    PlacesDealt,
    Structure,
    check_setup,
)
from pokerfloor.ranking import RANKINGS, card_order
from tests.support.games.scenario import Scenario, antes, blinds, table

FIXED = Structure.FIXED_LIMIT


def razz(*stacks: int, hole: dict[int, str], **settings: Any) -> Scenario:
    """A razz table of 10/20, the button on the last seat."""
    given: dict[str, Any] = {"big_bet_minor": 20, **settings}
    setup = table(
        *stacks, game=GAMES["razz"], structure=FIXED, forced=antes(1, len(stacks)), big=10, **given
    )
    return Scenario(setup, hole)


def draw(name: str, *stacks: int, structure: Structure = FIXED, small: int = 5) -> HandSetup:
    return table(
        *stacks,
        game=GAMES[name],
        structure=structure,
        small=small,
        big=2 * small,
        big_bet_minor=4 * small,
    )


def played_down(played: Scenario) -> Scenario:
    """Check or call to the showdown."""
    while played.hand.state.turn >= 0:
        played.play("k" if played.legal.can_check else "c")
    return played


# --- razz


@pytest.mark.rule("RAZ-1")
def test_razz_is_stud_by_dealing_betting_and_seats() -> None:
    row, stud = GAMES["razz"], GAMES["stud7"]
    assert (row.max_seats, row.structures, row.community_last) == (8, (FIXED,), True)
    assert [street.deals for street in row.streets] == [street.deals for street in stud.streets]
    assert [street.burns for street in row.streets] == [0, 1, 1, 1, 1]
    assert [street.tier for street in row.streets] == [street.tier for street in stud.streets]


@pytest.mark.rule("RAZ-1")
def test_razz_ranks_by_five_different_low_cards_first() -> None:
    low = RANKINGS["low_a5"].strength
    best_first = (
        "5d4d3d2dAd KhKc",  # a straight flush does no harm
        "6s4d3c2hAs KhKc",
        "7s5d3c2hAs KhKc",
        "8s7d6c5h4s KhKc",
        "KsQdJcTh9s KhKc",
        "AsAdAcAh 4h3c2s",  # four aces leave four ranks: a pair of aces
        "2s2d2c2h 5h4c3s",
    )
    strengths = [low(parse_cards(cards.replace(" ", ""))) for cards in best_first]
    assert strengths == sorted(strengths, reverse=True)
    assert len(set(strengths)) == len(strengths)


@pytest.mark.rule("RAZ-1")
def test_in_razz_somebody_always_wins_the_whole_pot() -> None:
    played = razz(50, 50, hole={1: "KsKdKhQsQdQhJs", 2: "KcQcJcJdJhTsTd"})
    played_down(played)
    ranks = {shown.seat: [str(rank.half) for rank in shown.ranks] for shown in played.of(HandShown)}
    assert ranks == {1: ["low"], 2: ["low"]}
    assert [seat for _, seat, _ in played.awards()] == [2], "one pair of tens beats two pair"


@pytest.mark.rule("RAZ-2")
@pytest.mark.parametrize(
    ("ups", "opener"),
    [
        (("Ac", "Kd", "Qs"), 2),  # the ace is low
        (("Kc", "Kd", "Kh"), 3),
        (("Ks", "Kd", "Kh"), 1),
        (("2c", "Ad", "2d"), 3),
    ],
)
def test_the_highest_card_brings_it_in(ups: tuple[str, ...], opener: int) -> None:
    hidden = ("3c4c", "5c6c", "7c8c")
    hole = {seat: down + up for seat, (down, up) in enumerate(zip(hidden, ups, strict=True), 1)}
    played = razz(100, 100, 100, hole=hole, bring_in_minor=3)
    [posted] = [one for one in played.of(ForcedBetPosted) if one.kind is ForcedKind.BRING_IN]
    assert (posted.seat, posted.amount) == (opener, 3)
    highest = max(range(3), key=lambda n: card_order(parse_cards(ups[n])[0], ace_low=True))
    assert highest + 1 == opener


@pytest.mark.rule("RAZ-3")
@pytest.mark.parametrize(
    ("fourth", "first"),
    [
        (("8d7d", "8h6d", "KsQs"), 2),
        (("8d7d", "8h7h", "Ks2d"), 1),  # equal: the first from the left of the button
        (("2d2h", "8h7h", "KsQs"), 2),  # no pair is lower than any pair
        (("2d2h", "3h3d", "KsKh"), 1),
        (("Td9d", "Th9h", "KsAd"), 1),  # the ace does not make a king low
    ],
)
def test_the_lowest_open_hand_begins(fourth: tuple[str, ...], first: int) -> None:
    hidden = ("4c5c", "4s5s", "4h5h")
    hole = {seat: down + up for seat, (down, up) in enumerate(zip(hidden, fourth, strict=True), 1)}
    played = razz(100, 100, 100, hole=hole)
    while played.hand.state.street_no == 0:
        played.play("c")
    assert played.seat == first


@pytest.mark.rule("RAZ-4")
def test_an_open_pair_changes_no_size_in_razz() -> None:
    for name, sizes in (("razz", ()), ("stud7", (10, 20))):
        setup = table(
            200,
            200,
            game=GAMES[name],
            structure=FIXED,
            forced=antes(1, 2),
            big=10,
            big_bet_minor=20,
        )
        played = Scenario(setup, {1: "4c5c9d9h", 2: "2s3sKdQh"}).play("c")
        assert played.legal.sizes_to == sizes
        assert played.legal.bet_min == 10


@pytest.mark.rule("RAZ-5")
def test_the_lowest_open_hand_shows_first_and_the_odd_chip_goes_by_the_lowest_card() -> None:
    # Both have 8-6-4-3-2. Open lie Q-8-6-4 and 8-6-4-3, and the two of clubs is seat 2's.
    hole = {1: "2d3d4h6s8dQhKh", 2: "QdJc8c6d4s3h2c", 3: "9hTsKsTd"}
    played = razz(100, 100, 100, hole=hole, bring_in_minor=2).play("c c")
    while played.hand.state.turn >= 0:
        played.play("f" if played.seat == 3 else "k")
    assert played.hand.state.showdown_order == (2, 1)
    assert played.awards() == [(0, 2, 5), (0, 1, 4)], "9 in the pot: antes of 1 and calls of 2"


# --- lowball draws


@pytest.mark.rule("LOB-1")
def test_deuce_to_seven_is_the_high_order_upside_down() -> None:
    # Hands of five random ranks and suits: whatever is worse as a high hand is better here, but
    # that the ace is high even in A-2-3-4-5, which is no straight.
    high, low = RANKINGS["high52"].strength, RANKINGS["low_27"].strength
    deck = STANDARD.cards
    hands = [tuple(deck[(start + step * k) % 52] for k in range(5)) for start, step in _STEPS]
    wheels = {frozenset(range(4)) | {12}}
    hands = [hand for hand in hands if {*map(rank_of, hand)} not in wheels]
    assert len(hands) > 300
    by_high = sorted(hands, key=high)
    assert [low(hand) for hand in by_high] == sorted(map(low, hands), reverse=True)
    wheel, seven = parse_cards("As2d3h4s5d"), parse_cards("Ks7d6h5s4d")
    assert low(wheel) < low(seven)


_STEPS = list(product(range(52), (1, 3, 5, 9, 11, 15, 17)))


@pytest.mark.rule("LOB-1", "LOB-4")
def test_seats_structures_and_blinds_of_the_lowball_draws() -> None:
    for name, first in (
        ("draw27_single", Structure.NO_LIMIT),
        ("draw27_triple", FIXED),
        ("badugi", FIXED),
    ):
        row = GAMES[name]
        assert (row.max_seats, row.structures[0], {*row.structures}) == (6, first, {*Structure})
        assert row.deck == STANDARD.name
        assert check_setup(draw(name, *[100] * 6, structure=first)) == ()
        assert check_setup(draw(name, *[100] * 7, structure=first))


@pytest.mark.rule("LOB-2", "LOB-3")
@pytest.mark.parametrize(
    ("name", "draws"), [("draw27_single", 1), ("draw27_triple", 3), ("badugi", 3)]
)
def test_each_draw_is_burned_for_and_goes_round_from_the_button(name: str, draws: int) -> None:
    played = Scenario(draw(name, 100, 100, 100)).play("c c k")
    for nth in range(1, draws + 1):
        assert [str(place) for place in played.last(PlacesDealt).places] == [f"burn.{nth}"]
        for seat in (1, 2, 3):
            assert played.discard.seat == seat
            hole = len(played.discard.places)
            assert (played.discard.min_discards, played.discard.max_discards) == (0, hole)
            played.play("x")
        assert played.seat == 1, "left of the button, though seat 3 began the first round"
        played.play("k k k")
    assert played.over.result.seats


@pytest.mark.rule("LOB-2")
def test_a_seat_that_is_all_in_draws_too() -> None:
    hole = {1: "2c3d4h5sKd7c", 2: "2d3c4s6h8d", 3: "9c9d9hTcTd"}
    setup = draw("draw27_single", 10, 40, 40, structure=Structure.NO_LIMIT)
    played = Scenario(setup, hole).play("c c k x5 x x")
    assert played.hand.state.street_no == 1
    played.play("k k")
    assert played.stacks == [30, 30, 30], "the seven that it drew is the best hand there is"


@pytest.mark.rule("LOB-4")
def test_the_sizes_of_a_fixed_limit_badugi() -> None:
    played = Scenario(draw("badugi", 200, 200, small=5))
    sizes = [played.legal.raise_min - 10]
    played.play("c k")
    while not played.of(HandShown):
        played.play("x x")
        sizes.append(played.legal.bet_min)
        played.play("k k")
    assert sizes == [10, 10, 20, 20]


@pytest.mark.rule("LOB-5")
def test_badugi_counts_cards_of_different_ranks_and_suits() -> None:
    strength = RANKINGS["badugi"].strength
    best_first = (
        ("As2d3c4h", "4h3c2dAs"),
        ("2s3d4c5h", "5h4c3d2s"),
        ("TsJdQcKh", "KhQcJdTs"),
        ("As2s3d4h", "4h3dAs"),  # the two spades: the ace stays
        ("2c2d3h4s", "4s3h2c"),  # one of the pair
        ("Js9d9hKs", "Js9d"),  # two spades and a pair: jack and nine, and no third
        ("KsKdKcKh", "Ks"),
    )
    hands = [parse_cards(cards) for cards, _ in best_first]
    strengths = [strength(hand) for hand in hands]
    assert strengths == sorted(strengths, reverse=True)
    assert len(set(strengths)) == len(strengths)
    for hand, (_, plays) in zip(hands, best_first, strict=True):
        described = RANKINGS["badugi"].describe(hand)
        cards = described.cards
        assert len(cards) == len(plays) // 2
        assert len({*map(rank_of, cards)}) == len({*map(suit_of, cards)}) == len(cards)
        assert [rank_of(card) for card in cards] == [rank_of(c) for c in parse_cards(plays)], (
            cards_text(cards)
        )


# --- five-card draw: who posts


@pytest.mark.rule("DRW-2")
def test_two_blinds_or_an_ante_from_everybody() -> None:
    with_blinds = Scenario(table(100, 100, 100, game=GAMES["draw5"]))
    assert [(p.seat, p.kind, p.amount) for p in with_blinds.of(ForcedBetPosted)] == [
        (1, ForcedKind.SMALL_BLIND, 1),
        (2, ForcedKind.BIG_BLIND, 2),
    ]
    assert with_blinds.seat == 3
    with_antes = Scenario(table(100, 100, 100, game=GAMES["draw5"], forced=antes(2, 3)))
    assert {p.kind for p in with_antes.of(ForcedBetPosted)} == {ForcedKind.ANTE}
    assert (with_antes.seat, with_antes.legal.can_check, with_antes.legal.bet_min) == (1, True, 2)
    assert with_antes.refused(ActKind.BET, 1)
    uneven = (*antes(2, 2), *blinds(1, 2, 3))
    assert check_setup(table(100, 100, 100, game=GAMES["draw5"], forced=uneven))
    assert not check_setup(
        table(100, 100, 100, game=GAMES["draw5"], forced=(ForcedBet(2, ForcedKind.BIG_BLIND, 2),))
    )
