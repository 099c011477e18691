"""A showdown from its request and the faces: odd chips by card, mucking, unread hands."""

from typing import Any

import pytest

from pokerfloor.cards import parse_cards
from pokerfloor.games import (
    GAMES,
    NO_RAKE,
    Award,
    Code,
    Half,
    Losers,
    Place,
    Pot,
    Rake,
    Refusal,
    ShowdownRequest,
    ShowdownResult,
    resolve,
    seat_place,
)
from pokerfloor.games.rake import no_rake
from pokerfloor.games.showdown import Raking, SeatPlaces

BOARD = "2c3d7h8sTc"


def asked(
    hands: dict[int, str],
    pots: list[tuple[int, tuple[int, ...]]],
    game: str,
    board: str,
    **more: Any,
) -> tuple[ShowdownRequest, dict[Place, int]]:
    """A request for these hands in seat order, pots as (amount, seats), and its faces."""
    cards = {seat: parse_cards(text) for seat, text in hands.items()}
    places = {
        seat: [seat_place(seat, n + 1) for n in range(len(hole))] for seat, hole in cards.items()
    }
    request = ShowdownRequest(
        hand_no=1,
        game=GAMES[game],
        smallest_chip_minor=1,
        losers=Losers.MUCK,
        unread_hands_muck=False,
        all_in=False,
        pots=tuple([Pot(no, amount, seats) for no, (amount, seats) in enumerate(pots)]),
        rake=no_rake(tuple(hands), len(pots)),
        seats=tuple([SeatPlaces(seat, tuple(of)) for seat, of in places.items()]),
        order=tuple(hands),
        from_button=tuple(hands),
        boards=(tuple(parse_cards(board)),),
        known=(),
    )
    faces = {
        place: card
        for seat, hole in cards.items()
        for place, card in zip(places[seat], hole, strict=True)
    }
    return request._replace(**more), faces


def resolved(
    hands: dict[int, str],
    *pots: tuple[int, tuple[int, ...]],
    game: str = "holdem",
    board: str = BOARD,
    always_show: tuple[int, ...] = (),
    unread: tuple[int, ...] = (),
    **more: Any,
) -> ShowdownResult:
    request, faces = asked(hands, list(pots), game, board, **more)
    known = {place: card for place, card in faces.items() if place.owner not in unread}
    result = resolve(request, known, always_show)
    assert isinstance(result, ShowdownResult), result
    return result


def refusal(request: ShowdownRequest, faces: dict[Place, int]) -> Refusal:
    answer = resolve(request, faces)
    assert isinstance(answer, Refusal), answer
    return answer


def shown(result: ShowdownResult) -> list[int]:
    return [hand.seat for hand in result.shown]


def paid(result: ShowdownResult) -> list[tuple[int, int]]:
    return [(award.seat, award.amount) for award in result.awards]


# --- odd chips by card (ODD-1): in stud the suits decide, spades high


@pytest.mark.rule("ODD-1")
def test_in_stud_the_odd_chip_of_tied_highs_goes_to_the_highest_card() -> None:
    straights = {1: "AsKdQhJcTc2d3h", 2: "AhKcQdJhTd2c3c"}
    assert paid(resolved(straights, (7, (1, 2)), game="stud7", board="")) == [(1, 4), (2, 3)]
    revealed = {1: straights[2], 2: straights[1]}
    assert paid(resolved(revealed, (7, (1, 2)), game="stud7", board="")) == [(2, 4), (1, 3)]


@pytest.mark.rule("ODD-1")
def test_in_razz_the_odd_chip_goes_to_the_lowest_card_and_the_ace_is_low() -> None:
    # Two wheels. The lowest cards are the aces, and clubs are lower than spades.
    wheels = {1: "As2c3d4h5sKsQd", 2: "Ac2s3h4d5dKdQh"}
    assert paid(resolved(wheels, (7, (1, 2)), game="razz", board="")) == [(2, 4), (1, 3)]
    revealed = {1: wheels[2], 2: wheels[1]}
    assert paid(resolved(revealed, (7, (1, 2)), game="razz", board="")) == [(1, 4), (2, 3)]


@pytest.mark.rule("ODD-1", "ODD-2")
def test_in_stud_hilo_each_half_has_its_own_order() -> None:
    # 16: eight each. Three wheels are three equal straights and three equal lows: 3, 3, 2 twice.
    # The aces: seat 1 spade, 2 heart, 3 club. The high's two odd chips go to seats 1 and 2 (spade,
    # heart); those of the low are due to seats 3 (club) and 2, which has had no more than seat 1.
    wheels = {1: "As2h3d4h5sKsQd", 2: "Ah2s3h4d5dKdQh", 3: "Ac2c3c4c5hKhQs"}
    result = resolved(wheels, (16, (1, 2, 3)), game="stud7_hilo", board="")
    assert [(a.half, a.seat, a.amount) for a in result.awards] == [
        (Half.HIGH, 1, 3),
        (Half.HIGH, 2, 3),
        (Half.HIGH, 3, 2),
        (Half.LOW, 3, 3),
        (Half.LOW, 2, 3),
        (Half.LOW, 1, 2),
    ]


# --- who shows (SHW-2)

PAIRS = {1: "AsAh", 2: "QsQh", 3: "KsKh"}


@pytest.mark.rule("SHW-2")
def test_a_beaten_hand_that_is_shown_all_the_same_lowers_no_bar() -> None:
    result = resolved(PAIRS, (6, (1, 2, 3)), always_show=(2,))
    assert (shown(result), result.mucked) == ([1, 2], (3,))


@pytest.mark.rule("SHW-2")
def test_a_beaten_hand_is_mucked_where_nobody_has_a_low() -> None:
    no_lows = {1: "AsAhKdKhQcQdJs", 2: "TsTc9s9hJcJdQh", 3: "8s8c9c9dTdThKs"}
    result = resolved(no_lows, (6, (1, 2, 3)), game="stud7_hilo", board="")
    assert (shown(result), result.mucked) == ([1], (2, 3))
    # One with a low shows, though its high is beaten.
    result = resolved({**no_lows, 2: "2c3s4h6d7cJdQh"}, (6, (1, 2, 3)), game="stud7_hilo", board="")
    assert (shown(result), result.mucked) == ([1, 2], (3,))


@pytest.mark.rule("SHW-2")
def test_heads_up_the_beaten_hand_is_mucked_and_the_winner_shows() -> None:
    result = resolved({1: "AsAh", 2: "QsQh"}, (6, (1, 2)))
    assert (shown(result), result.mucked) == ([1], (2,))
    second = resolved({1: "QsQh", 2: "AsAh"}, (6, (1, 2)))
    assert (shown(second), second.mucked) == ([1, 2], ())


@pytest.mark.rule("SHW-2", "POT-3")
def test_a_pot_that_is_one_seats_alone_needs_no_showing() -> None:
    result = resolved(PAIRS, (6, (1, 2, 3)), (4, (2,)))
    assert (shown(result), result.mucked) == ([1], (2, 3))
    assert paid(result) == [(2, 4), (1, 6)]


@pytest.mark.rule("SHW-2", "MAT-6")
def test_the_same_holds_where_pots_may_be_carried() -> None:
    hands = {1: "AsAh2c4d6h", 2: "QsQh3c5d7h", 3: "KsKh3d5h8c"}
    pots = [(6, (1, 2, 3)), (4, (2,))]
    raking = Raking(NO_RAKE, ((1, 2), (2, 6), (3, 2)), 1, dropped=True)
    result = resolved(hands, *pots, game="mata_ases", board="9d", raking=raking)
    assert (shown(result), result.mucked) == ([1], (2, 3))
    assert (paid(result), result.carried) == ([(2, 4), (1, 6)], ())
    without_aces = {**hands, 1: "JsJh2c4d6h"}
    carried = resolved(without_aces, *pots, game="mata_ases", board="9d", raking=raking)
    assert (shown(carried), paid(carried), carried.carried) == ([], [(2, 4)], (0,))


@pytest.mark.rule("POT-3", "POT-10")
def test_a_pot_that_is_one_seats_alone_is_paid_whole_less_its_rake() -> None:
    rake = Rake(3, (2, 1), ((1, 1), (2, 1), (3, 1)))
    result = resolved(PAIRS, (6, (1, 2, 3)), (4, (2,)), rake=rake)
    assert result.awards == (Award(1, 0, Half.WHOLE, 2, 3), Award(0, 0, Half.HIGH, 1, 4))


# --- hands that nobody could read (DLR-3)


@pytest.mark.rule("DLR-3", "SHW-2")
def test_after_an_unread_hand_the_others_show_as_ever() -> None:
    result = resolved(PAIRS, (6, (1, 2, 3)), unread=(1,), unread_hands_muck=True)
    assert (shown(result), result.mucked) == ([2, 3], (1,))
    assert paid(result) == [(3, 6)]


@pytest.mark.rule("DLR-3")
def test_an_unread_hand_alone_in_a_pot_is_paid_it() -> None:
    result = resolved(PAIRS, (6, (1, 2, 3)), (4, (2,)), unread=(2,), unread_hands_muck=True)
    assert paid(result) == [(2, 4), (1, 6)]
    assert result.mucked == (2, 3)


@pytest.mark.rule("DLR-3")
def test_what_cannot_be_resolved_says_why() -> None:
    request, faces = asked(PAIRS, [(6, (1, 2, 3)), (4, (2, 3))], "holdem", BOARD)
    only_first = {place: card for place, card in faces.items() if place.owner == 1}
    unread = refusal(request, only_first)
    assert unread == Refusal(Code.WRONG_CARDS, "no faces for the cards of seats [2, 3]", "faces")
    nobody = refusal(request._replace(unread_hands_muck=True), only_first)
    assert nobody.reason == "no face of any seat that can win pot 1"
    # An all-in hand has been exposed: it cannot be mucked for want of a face.
    exposed = refusal(request._replace(unread_hands_muck=True, all_in=True), only_first)
    assert exposed.reason == unread.reason


@pytest.mark.rule("DLR-3", "MAT-6")
def test_where_pots_may_be_carried_a_pot_of_unread_hands_is() -> None:
    hands = {1: "AsAh2c4d6h", 2: "QsQh3c5d7h", 3: "KsKh3d5h8c"}
    raking = Raking(NO_RAKE, ((1, 2), (2, 2), (3, 2)), 1, dropped=True)
    result = resolved(
        hands,
        (6, (1, 2, 3)),
        game="mata_ases",
        board="9d",
        raking=raking,
        unread=(1, 2, 3),
        unread_hands_muck=True,
    )
    assert (result.shown, result.mucked, result.awards) == ((), (1, 2, 3), ())
    assert result.carried == (0,)


def test_faces_already_revealed_come_with_the_request() -> None:
    request, faces = asked(PAIRS, [(6, (1, 2, 3))], "holdem", BOARD)
    known = tuple(faces.items())
    from_request = resolve(request._replace(known=known, all_in=True), {})
    assert from_request == resolve(request._replace(all_in=True), faces)
    assert isinstance(from_request, ShowdownResult)
    assert shown(from_request) == [1, 2, 3]
