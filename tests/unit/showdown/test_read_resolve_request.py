"""Every way in which a request can be no showdown, and the field that is named for it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from floor_showdown.read_resolve_request import read_resolve_request
from pokerfloor.api.common.v1 import cards_pb2, money_pb2
from pokerfloor.api.internal.showdown.v1 import resolution_pb2
from pokerfloor.servicekit import FloorError, error_name
from tests.support.showdown.hands import board, code, minor, own, placed, showdown

Request = resolution_pb2.ResolveRequest


def good() -> Request:
    return showdown(
        {1: "AsAd", 4: "KsKd", 6: "9c9d"},
        [(300, (1, 4, 6)), (50, (4, 6))],
        folded=(3,),
        exposed=(6,),
        rake_bp=500,
    ).request


def refused(request: Request) -> tuple[str, str]:
    with pytest.raises(FloorError) as caught:
        read_resolve_request(request)
    assert caught.value.reason
    return error_name(caught.value.code), caught.value.field


def test_a_whole_request() -> None:
    read = read_resolve_request(good())
    assert (read.hand_no, read.game.id, read.order) == (17, "holdem", (1, 4, 6))
    assert [(pot.amount, pot.eligible) for pot in read.pots] == [(300, (1, 4, 6)), (50, (4, 6))]
    assert (read.rake.total, read.rake.by_pot) == (17, (15, 2))
    assert len(read.boards[0]) == 5
    assert [str(place) for place, _ in read.known] == ["s6.1", "s6.2"]


def test_an_empty_request() -> None:
    assert refused(Request()) == ("INVALID_FIELD", "deck.table_id")


def set_path(path: str, value: object) -> Callable[[Request], None]:
    def change(request: Request) -> None:
        at: object = request
        *way, last = path.replace("]", "").replace("[", ".").split(".")
        for step in way:
            at = at[int(step)] if step.isdigit() else getattr(at, step)  # type: ignore[index]  # a repeated field
        if isinstance(value, int | str):
            if last.isdigit():
                at[int(last)] = value  # type: ignore[index]  # as above
            else:
                setattr(at, last, value)
            return
        target = at[int(last)] if last.isdigit() else getattr(at, last)  # type: ignore[index]  # as above
        target.CopyFrom(value)

    return change


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("deck.table_id", "Main 1"),
        ("deck.table_id", "x" * 33),
        ("deck.deck_no", 0),
        ("cause.table_id", "main-2"),
        ("cause.table_seq", 0),
        ("cause.stream_seq", 0),
        ("cause.stream_seq", 2**64 - 1),
        ("began_step.table_id", "main-2"),
        ("began_step.table_seq", 0),
        ("began_step.stream_seq", 2**53),
        ("began.hand_no", 0),
        ("began.deck_no", 17),
        ("hand.hand_no", 18),
        ("seats[1]", 9),
        ("seats[1]", 1),
        ("seat_places[0].places[1]", own(1, 1)),
        ("seat_places[0].places[1]", own(1, 3)),
        ("seat_places[0].places[1]", own(4, 2)),
        ("seat_places[0].places[1]", board(2)),
        ("revealed_cards[0].place", board(6)),
        ("revealed_cards[0].place", cards_pb2.Place(kind=cards_pb2.PLACE_KIND_BURN, slot=1)),
        ("revealed_cards[0].place", own(3, 1)),
        ("revealed_cards[1].place", board(1)),
        ("pots[1].pot_no", 2),
        ("pots[0].amount", minor(0)),
        ("pots[0].amount", minor(-300)),
        ("pots[0].amount", minor(2**53)),
        ("pots[0].amount", money_pb2.Amount(points=300)),
        ("pots[0].amount", money_pb2.Amount()),
        ("pots[1].seats[0]", 3),
        ("pots[1].seats[0]", 6),
        ("contributions[1].amount", minor(-1)),
        ("contributions[1].amount", money_pb2.Amount(tournament_chips=0)),
        ("rake", money_pb2.Amount(points=17)),
    ],
)
def test_the_field_at_fault_is_named(path: str, value: object) -> None:
    request = good()
    set_path(path, value)(request)
    name, field = refused(request)
    assert name == "INVALID_FIELD"
    # A seat twice is found at the second, a place twice at the later card.
    assert field in {path, path.replace("seats[0]", "seats[1]"), path.removesuffix(".hand_no")}


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        ("rake", minor(18), "rake"),
        ("rake", minor(-1), "rake"),
        ("pots[0].amount", minor(301), "contributions"),
        ("contributions[0].amount", minor(349), "contributions"),
        ("contributions[1].seat", 9, "contributions"),
        ("seats[1]", 3, "seat_places"),
        ("seat_places[0].seat", 3, "seat_places"),
        ("seat_places[0].seat", 4, "seat_places"),
        ("began.game.smallest_chip", minor(0), "began"),
        ("began.game.smallest_chip", minor(-5), "began"),
        ("began.seats[1].seat", 1, "began"),
        ("began.seats[1].stack", minor(0), "began"),
        ("began.game.structure", 0, "began.game.structure"),
    ],
)
def test_what_does_not_fit_together(path: str, value: object, field: str) -> None:
    request = good()
    set_path(path, value)(request)
    assert refused(request) == ("INVALID_FIELD", field)


@pytest.mark.parametrize("game", ["", "omaha9", "x" * 5000])
def test_unknown_games(game: str) -> None:
    request = good()
    request.began.game.game = game
    assert refused(request) == ("UNKNOWN_GAME", "began.game.game")


@pytest.mark.parametrize("text", ["??", "Xr", "7d", "9c"])
def test_faces_that_cannot_lie_there(text: str) -> None:
    # 7d is the board's second card, 9c lies open before seat 6.
    request = good()
    request.revealed_cards[0].card.CopyFrom(code(text))
    name, field = refused(request)
    assert (name, field.partition("[")[0]) == ("BAD_CARDS", "revealed_cards")
    request.revealed_cards[0].card.code = 99
    assert refused(request) == ("BAD_CARDS", "revealed_cards[0].card")


def clear(name: str) -> Callable[[Request], None]:
    return lambda request: request.ClearField(name)  # type: ignore[arg-type]  # one of the fields


def cut_seats(request: Request) -> None:
    del request.seats[1:]
    del request.seat_places[1:]


def hand_of_eleven(request: Request) -> None:
    for seat in range(7, 14):
        request.began.seats.add(seat=seat, stack=minor(100))


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (clear("seats"), "seats"),
        (clear("seat_places"), "seat_places"),
        (clear("revealed_cards"), "revealed_cards"),
        (clear("pots"), "pots"),
        (clear("contributions"), "contributions"),
        (clear("rake"), "rake"),
        (lambda request: request.pots[0].ClearField("seats"), "pots[0].seats"),
        (lambda request: request.revealed_cards.pop(4), "revealed_cards"),
        (lambda request: request.seat_places[2].places.pop(), "seat_places[2].places"),
        (lambda request: request.pots.extend([*request.pots] * 3), "pots"),
        (lambda request: request.began.ClearField("seats"), "began.seats"),
        (lambda request: request.began.ClearField("forced_bets"), "began"),
        (cut_seats, "seats"),
        (hand_of_eleven, "began"),
    ],
)
def test_what_is_missing_or_too_much(change: Callable[[Request], object], field: str) -> None:
    request = good()
    change(request)
    assert refused(request) == ("INVALID_FIELD", field)


def test_amounts_are_whole_chips() -> None:
    request = showdown({1: "AsAd", 2: "KsKd"}, [(300, (1, 2))], chip=5).request
    request.pots[0].amount.minor = 301
    assert refused(request) == ("INVALID_FIELD", "pots[0].amount")


def test_a_huge_request_is_refused_soon() -> None:
    request = good()
    request.seats.extend(range(1, 60_000))
    request.began.seats.extend(request.began.seats[0:1] * 1000)
    request.revealed_cards.extend([placed(own(1, 1), 3)] * 1000)
    assert refused(request)[1] == "began"
