from __future__ import annotations

import pytest

from floor_scoring.read_request import read_layouts, read_pairs, read_scoop, read_stacks
from pokerfloor.api.common.v1 import cards_pb2, errors_pb2
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.scoring.v1 import scoring_pb2
from pokerfloor.cards import parse_cards, to_wire
from pokerfloor.servicekit import FloorError


def cards(text: str) -> list[cards_pb2.Card]:
    return [cards_pb2.Card(code=to_wire(card)) for card in parse_cards(text)]


def layout(seat: int, top: str, middle: str, bottom: str) -> scoring_pb2.Layout:
    return scoring_pb2.Layout(seat=seat, top=cards(top), middle=cards(middle), bottom=cards(bottom))


def two() -> list[scoring_pb2.Layout]:
    return [
        layout(3, "QsQh2d", "8s8h8d3c4c", "AdJd9d6d3d"),
        layout(7, "AsKh7c", "JsJh2s3h5h", "AcAh4s4h6c"),
    ]


def refused(layouts: list[scoring_pb2.Layout]) -> tuple[int, str]:
    with pytest.raises(FloorError) as caught:
        read_layouts(layouts)
    return caught.value.code, caught.value.field


INVALID = errors_pb2.ERROR_CODE_INVALID_FIELD


def test_layouts_are_keyed_by_their_field() -> None:
    read = read_layouts(two())
    assert list(read) == ["layouts[0]", "layouts[1]"]
    assert read["layouts[1]"].middle == parse_cards("JsJh2s3h5h")


@pytest.mark.rule("OFC-1")
@pytest.mark.parametrize("count", [0, 1, 4])
def test_two_or_three_layouts(count: int) -> None:
    assert refused((two() * 2)[:count]) == (INVALID, "layouts")


@pytest.mark.parametrize("seat", [0, 11, 2**32 - 1])
def test_a_seat_that_no_table_has(seat: int) -> None:
    layouts = two()
    layouts[1].seat = seat
    assert refused(layouts) == (INVALID, "layouts[1].seat")


def test_a_seat_twice() -> None:
    layouts = two()
    layouts[1].seat = 3
    assert refused(layouts) == (INVALID, "layouts[1].seat")


@pytest.mark.rule("OFC-34")
@pytest.mark.parametrize("count", [1, 13, 18])
def test_fantasyland_has_fourteen_to_seventeen_cards(count: int) -> None:
    layouts = two()
    layouts[0].fantasyland_cards = count
    assert refused(layouts) == (INVALID, "layouts[0].fantasyland_cards")
    layouts[0].fantasyland_cards = 14
    assert read_layouts(layouts)["layouts[0]"].fantasyland_cards == 14


def test_a_code_that_is_no_card() -> None:
    layouts = two()
    layouts[1].bottom[4].code = 55
    assert refused(layouts) == (errors_pb2.ERROR_CODE_BAD_CARDS, "layouts[1].bottom[4]")


def scoop() -> scoring_pb2.ScoreScoopRequest:
    return scoring_pb2.ScoreScoopRequest(
        board=cards("2c5d9hJsKd"),
        hands=[
            scoring_pb2.ScoopHand(
                seat=3, first=cards("AsAh"), second=cards("3d4d"), third=cards("2s7h")
            ),
            scoring_pb2.ScoopHand(
                seat=7, first=cards("2d3c"), second=cards("KhKc"), third=cards("QhQd")
            ),
        ],
    )


@pytest.mark.rule("SCP-1")
def test_scoop_s_hands_are_keyed_by_their_field() -> None:
    board, hands = read_scoop(scoop())
    assert board == parse_cards("2c5d9hJsKd")
    assert list(hands) == ["hands[0]", "hands[1]"]
    assert hands["hands[1]"].second == parse_cards("KhKc")


@pytest.mark.parametrize(
    ("board", "hands", "seat", "code", "field"),
    [
        (4, 2, 3, errors_pb2.ERROR_CODE_BAD_CARDS, "board"),
        (5, 1, 3, INVALID, "hands"),
        (5, 2, 7, INVALID, "hands[1].seat"),
        (5, 2, 11, INVALID, "hands[0].seat"),
    ],
)
def test_what_scoop_is_not(board: int, hands: int, seat: int, code: int, field: str) -> None:
    request = scoop()
    del request.board[board:]
    del request.hands[hands:]
    request.hands[0].seat = seat
    with pytest.raises(FloorError) as caught:
        read_scoop(request)
    assert (caught.value.code, caught.value.field) == (code, field)


def settling(*points: int) -> scoring_pb2.SettleRequest:
    return scoring_pb2.SettleRequest(
        button=2,
        stacks=[
            scoring_pb2.PointStack(seat=seat, points=stack)
            for seat, stack in enumerate(points, start=1)
        ],
        pairs=[hand_events_pb2.PairPoints(seat_a=1, seat_b=2, scored_points=-4)],
    )


def test_stacks_and_pairs_are_read() -> None:
    request = settling(5, 0)
    assert read_stacks(request) == {1: 5, 2: 0}
    assert read_pairs(request) == [(1, 2, -4)]


@pytest.mark.rule("OFC-22")
@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (settling(5), "stacks"),
        (settling(5, 5, 5, 5, 5), "stacks"),
        (settling(5, -1), "stacks[1].points"),
        (settling(5, 2**53), "stacks[1].points"),
    ],
)
def test_stacks_that_nobody_has(request_: scoring_pb2.SettleRequest, field: str) -> None:
    with pytest.raises(FloorError) as caught:
        read_stacks(request_)
    assert (caught.value.code, caught.value.field) == (INVALID, field)


def test_a_button_that_is_no_seat_and_a_payment_already_made() -> None:
    request = settling(5, 5)
    request.pairs[0].paid_points = -4
    with pytest.raises(FloorError) as caught:
        read_pairs(request)
    assert (caught.value.code, caught.value.field) == (INVALID, "pairs[0].paid_points")
    for button in (0, 11):
        request.button = button
        with pytest.raises(FloorError) as caught:
            read_stacks(request)
        assert (caught.value.code, caught.value.field) == (INVALID, "button")
