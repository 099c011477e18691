"""Stud when the deck is short, by what lies open, and dealing again (STD-3, STD-6, DRW-3)."""

from dataclasses import replace

import pytest

from pokerfloor.cards import cards_text
from pokerfloor.games import (
    GAMES,
    HandRedealt,
    PlacesDealt,
    Shortage,
    ShowdownBegan,
    Structure,
    check_row,
)
from tests.support.games.scenario import Scenario, antes, table

FIXED = Structure.FIXED_LIMIT


def stud(*stacks: int, hole: dict[int, str], name: str = "stud7") -> Scenario:
    setup = table(
        *stacks,
        game=GAMES[name],
        structure=FIXED,
        forced=antes(1, len(stacks)),
        big=10,
        big_bet_minor=20,
    )
    return Scenario(setup, hole)


def passive(played: Scenario, *, street_no: int = 9) -> Scenario:
    """Check and call until a street or the end."""
    while not played.hand.state.ended and played.hand.state.street_no < street_no:
        played.play("k" if played.legal.can_check else "c")
    return played


@pytest.mark.rule("STD-6")
def test_by_default_burns_are_not_shuffled_and_the_community_card_has_its_burn() -> None:
    # Eight up to fifth street, seven on sixth, five on seventh: two cards are left for five.
    setup = table(
        *[500] * 8,
        game=GAMES["stud7"],
        structure=FIXED,
        forced=antes(1, 8),
        big=10,
        big_bet_minor=20,
        seventh_shortage=Shortage.COMMUNITY,
    )
    played = Scenario(setup)
    for leave in (8, 8, 7, 5):
        street = played.hand.state.street_no
        while played.hand.state.in_hand > leave:
            played.play("b20" if played.legal.can_check and played.legal.bet_max == 20 else "f")
        passive(played, street_no=street + 1)
    assert played.hand.state.in_hand == 5
    last = [str(place) for place in played.of(PlacesDealt)[-1].places]
    assert last == ["burn.4", "com.1"]


# Eight seats, six hole cards each, the third to the sixth up. Seat 5 shows three aces, seat 7 four
# spades, and seat 2 a low; the community card is the two of spades.
EIGHT = {
    1: "2c3cKd9s7dJh",
    2: "2d3d4c5c6c7c",
    3: "KcKhQd9c7hJd",
    4: "QcQhJs9h7sTd",
    5: "2h3hAdAcAhTc",
    6: "8c8hTh6h5hJc",
    7: "8d8sTs6s5sKs",
    8: "4d4hQs6d5d3s",
}


@pytest.mark.rule("STD-3", "STD-6", "SHW-1")
def test_with_a_community_card_the_best_exposed_hand_shows_first() -> None:
    high = passive(stud(*[500] * 8, hole=EIGHT))
    assert [str(place) for place in high.of(PlacesDealt)[-1].places] == ["com.1"]
    assert cards_text(high.hand.state.cards.boards[0]) == "2s"
    assert high.last(ShowdownBegan).order == (7, 8, 1, 2, 3, 4, 5, 6)
    low = passive(stud(*[500] * 8, hole=EIGHT, name="razz"))
    assert low.last(ShowdownBegan).order == (2, 3, 4, 5, 6, 7, 8, 1)


@pytest.mark.rule("STD-4")
def test_a_pair_that_has_been_folded_opens_no_second_size() -> None:
    stud7 = GAMES["stud7"]
    later = tuple([replace(s, open_pair=s.name == "fifth street") for s in stud7.streets])
    row = replace(stud7, id="test", streets=later)
    assert check_row(row) is None
    setup = table(
        *[500] * 3, game=row, structure=FIXED, forced=antes(1, 3), big=10, big_bet_minor=20
    )
    hole = {1: "2c3cKd4d5h", 2: "9h9dTcThJd", 3: "AhAd4c5d8s"}
    shown = Scenario(setup, hole).play("c c k k k")
    assert shown.hand.state.street_no == 2
    assert shown.legal.sizes_to == (), "the larger size is the street's own"
    assert shown.hand.state.shows_open_pair()
    folded = Scenario(setup, hole).play("c c b10 c f")
    assert not folded.hand.state.folded[1]
    gone = Scenario(setup, hole).play("c c k b10 c f")
    assert gone.hand.state.folded[1]
    assert not gone.hand.state.shows_open_pair()


@pytest.mark.rule("DRW-3")
def test_cards_are_not_dealt_again_when_only_one_seat_could_have_bet() -> None:
    setup = table(100, 2, game=GAMES["draw5"], forced=antes(2, 2), redeal_when_checked=True)
    played = Scenario(setup)
    assert not played.of(HandRedealt)
    played.play("x x")
    assert sum(played.stacks) == 102
