"""A table that asks for another showdown than the one in the log: nothing is opened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

from floor_showdown.justification import check_justified
from pokerfloor.api.internal.showdown.v1 import resolution_pb2
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.games import Resolved, ShowdownResult, Void, WaitShowdown, resolve
from pokerfloor.servicekit import error_name
from tests.support.showdown.hands import code, minor, own, placed
from tests.support.showdown.played_hands import Played, played

Request = resolution_pb2.ResolveRequest
HANDS: Final = {2: "AsAd", 5: "KsKd", 7: "5h5c"}


def refused(hand: Played) -> tuple[str, str]:
    refusal = check_justified(hand.request, hand.steps)
    assert refusal is not None
    return error_name(refusal.code), refusal.field


def ended(hand: Played) -> Played:
    wait = hand.hand.waits_for()
    assert isinstance(wait, WaitShowdown)
    faces = {
        place: hand.cards[place.owner, place.slot] - 1
        for entry in wait.request.seats
        for place in entry.places
    }
    result = resolve(wait.request, faces)
    assert isinstance(result, ShowdownResult)
    return hand.then(Resolved(result))


@pytest.mark.parametrize("all_in", [False, True])
def test_what_the_log_says_is_justified(all_in: bool) -> None:
    hand = played(HANDS, always_show=[7], rake_bp=500, all_in=all_in, stacks={2: 40})
    assert hand.request.all_in == all_in
    assert check_justified(hand.request, hand.steps) is None


def always_show_all(request: Request) -> None:
    request.began.always_show[:] = [2, 5, 7]


def losers_show(request: Request) -> None:
    request.began.game.losers = settings_pb2.LOSERS_RULE_SHOW


def other_players(request: Request) -> None:
    request.began.seats[1].player_id = "mallory"


def everything_is_exposed(request: Request) -> None:
    request.all_in = True


def another_board(request: Request) -> None:
    request.revealed_cards[4].card.CopyFrom(code("Kc"))


def an_own_card_is_open(request: Request) -> None:
    request.revealed_cards.append(placed(own(5, 1), 50))


def other_pots(request: Request) -> None:
    request.pots[0].seats[:] = [5, 7]


def a_side_pot(request: Request) -> None:
    request.pots[0].amount.CopyFrom(minor(60))
    request.pots.add(pot_no=1, amount=minor(30), seats=[5, 7])


def another_order(request: Request) -> None:
    request.seats[:] = [7, 5, 2]


def one_seat_less(request: Request) -> None:
    del request.seats[0], request.seat_places[0]


def other_contributions(request: Request) -> None:
    request.contributions[0].amount.minor += 5
    request.contributions[1].amount.minor -= 5


def no_rake(request: Request) -> None:
    request.rake.minor = 0


def another_deck(request: Request) -> None:
    request.deck.deck_no += 1


def another_resolution(request: Request) -> None:
    request.hand.hand_no = 18


@pytest.mark.rule("SHW-2")
@pytest.mark.parametrize(
    ("lie", "field"),
    [
        (always_show_all, "began"),
        (losers_show, "began"),
        (other_players, "began"),
        (everything_is_exposed, "all_in"),
        (another_board, "revealed_cards"),
        (an_own_card_is_open, "revealed_cards"),
        (other_pots, "pots"),
        (a_side_pot, "pots"),
        (another_order, "seats"),
        (one_seat_less, "seats"),
        (other_contributions, "contributions"),
        (no_rake, "rake"),
        (another_deck, "deck"),
        (another_resolution, "hand"),
    ],
)
def test_anything_else_is_not(lie: Callable[[Request], None], field: str) -> None:
    hand = played(HANDS, always_show=[7], rake_bp=500)
    lie(hand.request)
    assert refused(hand) == ("NOT_JUSTIFIED", field)


def test_a_hand_that_waits_for_no_showdown() -> None:
    hand = played(HANDS)
    before = Played(hand.request, hand.cards, hand.steps[:-1], hand.hand)
    assert refused(before) == ("NOT_JUSTIFIED", "cause")
    assert refused(ended(hand)) == ("NOT_JUSTIFIED", "cause")
    assert refused(hand.then(Void("misdeal"))) == ("NOT_JUSTIFIED", "cause")


def test_steps_that_are_no_hand() -> None:
    hand = played(HANDS)
    late = Played(hand.request, hand.cards, hand.steps[1:], hand.hand)
    assert refused(late) == ("NOT_JUSTIFIED", "began_step")
    twice = Played(hand.request, hand.cards, [hand.steps[0], *hand.steps], hand.hand)
    assert refused(twice) == ("NOT_JUSTIFIED", "cause")
    torn = Played(hand.request, hand.cards, [hand.steps[0], *hand.steps[4:]], hand.hand)
    assert refused(torn) == ("NOT_JUSTIFIED", "cause")
