"""Omaha, short deck, two boards and bomb pots: what sets them apart from hold'em."""

from typing import Any

import pytest

from pokerfloor.cards import card_text
from pokerfloor.games import (
    GAMES,
    ActKind,
    BetsCollected,
    CardsRevealed,
    Code,
    ForcedBet,
    ForcedKind,
    Half,
    HandShown,
    PlacesDealt,
    Structure,
    check_setup,
)
from pokerfloor.ranking import Category
from tests.support.games.scenario import Scenario, antes, table

POT_LIMIT = Structure.POT_LIMIT


def omaha(name: str, *stacks: int, hole: dict[int, str], board: str) -> Scenario:
    return Scenario(table(*stacks, game=GAMES[name], structure=POT_LIMIT), hole, board)


@pytest.mark.rule("OMA-1")
def test_a_hand_is_two_hole_cards_and_three_of_the_board() -> None:
    # Four spades on the board and one in the hand are no flush, four own aces are a pair.
    played = omaha("omaha4", 50, 50, hole={1: "AsKhQhJd", 2: "AcAdAhTc"}, board="3s4s5s9s9d")
    played.play("c k k k k k k k")
    names = {shown.seat: shown.ranks[0].name for shown in played.of(HandShown)}
    assert names == {1: "pair of nines", 2: "two pair, aces and nines"}
    for shown in played.of(HandShown):
        hole = {card for _, card in shown.cards}
        assert len(hole & set(shown.ranks[0].cards)) == 2
    assert played.stacks == [48, 52]


@pytest.mark.rule("OMA-2", "BET-20")
@pytest.mark.parametrize(("name", "hole"), [("omaha4", 4), ("omaha5", 5), ("omaha6", 6)])
def test_hole_cards_and_the_pot_limit(name: str, hole: int) -> None:
    assert GAMES[name].structures[0] is POT_LIMIT
    played = Scenario(table(100, 100, 100, game=GAMES[name], structure=POT_LIMIT))
    assert len(played.of(PlacesDealt)[0].places) == 3 * hole
    assert (played.legal.raise_min, played.legal.raise_max) == (4, 7)
    assert played.refused(ActKind.ALL_IN).code == Code.AMOUNT_TOO_LARGE
    for structure in Structure:
        setup = table(100, 100, game=GAMES[name], structure=structure, big_bet_minor=4)
        assert check_setup(setup) == ()


@pytest.mark.rule("OMA-3", "LOW-1", "LOW-2", "ODD-2")
def test_the_low_may_be_made_of_other_cards_than_the_high() -> None:
    played = omaha("omaha4_hilo", 50, 50, hole={1: "KhJdTc9c", 2: "QhQc2h3d"}, board="4s5c8dKdQs")
    played.play("c k k k k k k k")
    awards = [(award.half, award.seat, award.amount) for award in played.over.result.awards]
    assert awards == [(Half.HIGH, 2, 2), (Half.LOW, 2, 2)]
    high, low = next(shown.ranks for shown in played.of(HandShown) if shown.seat == 2)
    assert (high.name, low.system) == ("three of a kind, queens", "low8")
    assert sorted(card_text(card)[0] for card in low.cards) == ["2", "3", "4", "5", "8"]
    none = next(s.ranks[1] for s in played.of(HandShown) if s.seat == 1)
    assert (none.category, none.strength) == (Category.NO_LOW, 0)


@pytest.mark.rule("LOW-3")
def test_without_a_qualifying_low_the_high_takes_all() -> None:
    played = omaha("omaha4_hilo", 50, 50, hole={1: "AsAcKhKd", 2: "2h3hJdTc"}, board="4s9c9dTdQs")
    played.play("c k k k k k k k")
    assert [(a.half, a.seat, a.amount) for a in played.over.result.awards] == [(Half.HIGH, 1, 4)]


@pytest.mark.rule("ODD-3")
def test_quartering_and_the_odd_chip_of_equal_hands() -> None:
    # Seats 1 and 2 make the same low, seat 2 alone the high.
    hole = {1: "2h3dKcQc", 2: "2c3s8c8h", 3: "9h9cTsTc"}
    setup = table(60, 60, 60, game=GAMES["omaha4_hilo"], structure=POT_LIMIT, small=1, big=2)
    played = Scenario(setup, hole, "4s5c8d7dKs").play("c c k b4 c f k k k k")
    pot = 14
    high = [(a.seat, a.amount) for a in played.over.result.awards if a.half is Half.HIGH]
    low = [(a.seat, a.amount) for a in played.over.result.awards if a.half is Half.LOW]
    assert sum(amount for _, amount in high + low) == pot
    assert high == [(2, 7)]
    assert low == [(1, 4), (2, 3)]


@pytest.mark.rule("OMA-2")
@pytest.mark.parametrize(
    ("name", "burn", "most"),
    [
        ("omaha4", True, 10),
        ("omaha5", True, 8),
        ("omaha6", True, 7),
        ("omaha5", False, 9),
        ("omaha4_double", True, 9),
        ("omaha5_double", True, 7),
        ("omaha6_double", True, 6),
        ("omaha4_double", False, 10),
        ("omaha5_hilo_double", False, 8),
        ("omaha6_hilo_double", False, 7),
        ("swap_holdem", True, 10),
        ("swap_holdem_double", True, 9),
        ("swap_holdem_double", False, 10),
        ("short_deck", True, 10),
        ("stud7", True, 8),
        ("draw5", True, 6),
    ],
)
@pytest.mark.rule("TBL-1", "SWP-4", "DBL-3", "STD-1", "DRW-1", "SHD-1")
def test_how_many_seats_the_deck_serves(name: str, burn: bool, most: int) -> None:
    game = GAMES[name]
    structure = game.structures[0]
    for seats in range(2, 11):
        forced = antes(1, seats) if game.exposed else None
        setup = table(
            *[100] * seats,
            game=game,
            structure=structure,
            forced=forced,
            burn=burn,
            big_bet_minor=4,
        )
        assert (check_setup(setup) == ()) == (seats <= most), seats


def test_the_sum_is_told_when_the_deck_does_not_suffice() -> None:
    [refusal] = check_setup(table(*[100] * 10, game=GAMES["swap_holdem_double"]))
    assert refusal.code == Code.DECK_TOO_SMALL
    assert refusal.reason == (
        "10 x 2 hole + 10 x 2 swapped + 10 board + 3 burned = 53 cards, the deck has 52"
    )


def short_deck(*stacks: int, ante: int = 10, hole: dict[int, str] | None = None) -> Scenario:
    seats = len(stacks)
    forced = (*antes(ante, seats), ForcedBet(seats, ForcedKind.BIG_BLIND, ante))
    setup = table(*stacks, game=GAMES["short_deck"], forced=forced, big=ante)
    return Scenario(setup, hole, "6h8c8dJcQc")


@pytest.mark.rule("SHD-2", "SHD-3")
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_the_seat_left_of_the_button_opens_every_street_and_the_button_has_the_option(
    seats: int,
) -> None:
    played = short_deck(*[500] * seats)
    assert played.of(PlacesDealt)[0].places[0].owner == 1
    assert played.seat == 1
    assert (played.legal.call_to, played.legal.raise_min) == (10, 20)
    played.play(" ".join(["c"] * (seats - 1)))
    assert played.seat == seats
    assert played.legal.can_check
    assert played.legal.raise_min == 20
    played.play("k")
    for _ in range(3):
        assert played.seat == 1
        assert played.legal.bet_min == 10
        played.play(" ".join(["k"] * seats))
    assert sum(played.stacks) == 500 * seats


@pytest.mark.rule("RNK-2", "SHD-1")
def test_a_flush_beats_a_full_house_and_three_of_a_kind_by_option_a_straight() -> None:
    assert GAMES["short_deck"].deck == "short36"
    played = short_deck(500, 500, hole={1: "6d6c", 2: "7cTc"}).play("c k k k k k k k")
    assert played.stacks == [480, 520]
    assert [shown.ranks[0].category for shown in played.of(HandShown)] == [
        Category.FULL_HOUSE,
        Category.FLUSH,
    ]
    assert GAMES["short_deck_trips"].parts[0].ranking != GAMES["short_deck"].parts[0].ranking


@pytest.mark.rule("DBL-1", "DBL-2", "ODD-2")
def test_two_boards_are_dealt_side_by_side_and_win_half_each() -> None:
    setup = table(50, 51, game=GAMES["holdem_double"], small=1, big=2)
    hole = {1: "AsAc", 2: "KhKd"}
    played = Scenario(setup, hole, ("2c3d4h9sTs", "KsQd7h7c2d")).play("r9 c k k k k k k")
    flop = played.of(PlacesDealt)[1].places
    assert [str(place) for place in flop] == (
        ["burn.1", "b0.1", "b0.2", "b0.3", "b1.1", "b1.2", "b1.3"]
    )
    revealed = played.of(CardsRevealed)[0].cards
    assert [place for place, _ in revealed] == list(flop[1:])
    assert [(a.board, a.seat, a.amount) for a in played.over.result.awards] == [
        (0, 1, 9),
        (1, 2, 9),
    ]
    assert [rank.board for rank in played.last(HandShown).ranks] == [0, 1]


@pytest.mark.rule("DBL-3")
def test_which_games_have_two_boards() -> None:
    doubled = {name.removesuffix("_double") for name in GAMES if name.endswith("_double")}
    omahas = {f"omaha{hole}{low}" for hole in (4, 5, 6) for low in ("", "_hilo")}
    assert doubled == {"holdem", "swap_holdem", "swap_holdem_river"} | omahas


def bomb(*stacks: int, amount: int = 20, name: str = "holdem") -> Scenario:
    forced = antes(amount, len(stacks), ForcedKind.BOMB)
    return Scenario(table(*stacks, game=GAMES[name], forced=forced, big=5))


@pytest.mark.rule("BMB-1", "BMB-3")
def test_a_bomb_pot_is_played_from_the_flop() -> None:
    played = bomb(200, 200, 200)
    assert played.hand.state.street_no == 1
    assert played.hand.state.pot_total == 60
    assert played.seat == 1
    assert (played.legal.can_check, played.legal.bet_min) == (True, 5)
    played.play("b5 c c").play("k k k").play("k k k")
    assert sum(played.stacks) == 600


@pytest.mark.rule("BMB-1", "POT-1")
def test_who_has_less_is_all_in_for_it() -> None:
    played = bomb(200, 7, 200)
    pots = played.of(BetsCollected)[0].pots
    assert [(pot.amount, pot.eligible) for pot in pots] == [(21, (1, 2, 3)), (26, (1, 3))]
    assert played.seat == 1
    all_in = bomb(20, 20, 200)
    assert all_in.over.result.pots[0].amount == 60
    assert all_in.hand.state.turn_no == 0


@pytest.mark.rule("BMB-1", "BMB-2", "DBL-3")
def test_which_bomb_pots_are_refused() -> None:
    forced = antes(20, 3, ForcedKind.BOMB)
    for name in ("omaha6_hilo", "holdem_double", "omaha4_double"):
        assert check_setup(table(100, 100, 100, game=GAMES[name], forced=forced)) == ()
    short = table(100, 100, 100, game=GAMES["short_deck"], forced=forced)
    mixed = table(100, 100, 100, forced=(*forced, ForcedBet(1, ForcedKind.SMALL_BLIND, 1)))
    missing = table(100, 100, 100, forced=forced[:2])
    for setup in (short, mixed, missing):
        assert [r.code for r in check_setup(setup)] == [Code.BAD_FORCED_BETS]


@pytest.mark.rule("BET-21")
def test_a_short_blind_in_the_pot_limit() -> None:
    def most(**settings: Any) -> int:
        stacks = (100, 1, 100)
        game = GAMES["omaha4"]
        return Scenario(
            table(*stacks, small=2, big=5, game=game, structure=POT_LIMIT, **settings)
        ).legal.raise_max

    # A call of 5 on the 2 and the 1 makes a pot of 8; the big blind in full makes it 12.
    assert most() == 5 + 8
    assert most(short_blind_counts_full=True) == 5 + 12
