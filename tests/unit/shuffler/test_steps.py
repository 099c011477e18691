from __future__ import annotations

from floor_shuffler.domain.deck import SETTLED, VOID
from floor_shuffler.domain.refs import Cause
from floor_shuffler.domain.steps import (
    BUTTON_DRAW,
    GAME_DRAW,
    HAND,
    DeckHistory,
    StoredStep,
    begins,
    dealt_by,
    ends,
    reveals_ordered_by,
    seated_by,
)
from pokerfloor.api.events.v1 import hand_events_pb2 as hand_pb2
from pokerfloor.api.events.v1 import table_events_pb2 as table_pb2
from tests.support.shuffler import made_steps as made


def read(*steps: list[made.Event]) -> DeckHistory:
    history = DeckHistory()
    for table_seq, events in enumerate(steps, 1):
        step = made.step("t", table_seq, events)
        history.read(StoredStep(step, Cause(table_seq, table_seq + 100)))
    return history


def outcomes(history: DeckHistory) -> dict[int, tuple[int, str]]:
    return {deck_no: (end.outcome, end.reason) for deck_no, (end, _) in history.ended.items()}


def test_a_day_of_hands_and_draws() -> None:
    history = read(
        [made.draw_began(1, 1, 2)],
        [made.drawn(2)],
        [made.hand_began(1, 2, {1: "a", 2: "b"})],
        [made.ended(1)],
        [made.hand_began(2, 3, {1: "a", 2: "b"})],
        [made.voided(2, "misdeal")],
        [made.hand_began(3, 4, {1: "a"})],
    )
    assert [history.begun[deck_no][0].purpose for deck_no in (1, 2, 3, 4)] == [
        BUTTON_DRAW,
        HAND,
        HAND,
        HAND,
    ]
    assert outcomes(history) == {1: (SETTLED, ""), 2: (SETTLED, ""), 3: (VOID, "misdeal")}
    assert history.ended[3][1] == Cause(6, 106)


def test_an_end_and_the_next_begin_in_one_step() -> None:
    history = read(
        [made.hand_began(1, 1, {1: "a"})],
        [made.ended(1), made.hand_began(2, 2, {1: "a"})],
    )
    assert outcomes(history) == {1: (SETTLED, "")}


def test_a_draw_begun_again_and_one_at_closing() -> None:
    closing = made.Event(table_closing=table_pb2.TableClosing(closed_by="ops"))
    history = read([made.draw_began(1, 1, 2)], [made.draw_began(2, 1, 2)], [closing])
    assert outcomes(history) == {1: (VOID, "another draw began"), 2: (VOID, "the table closes")}


def test_a_finished_draw_stays_settled() -> None:
    history = read([made.draw_began(1, 1, 2)], [made.drawn(1)], [made.draw_began(2, 1, 2)])
    assert outcomes(history) == {1: (SETTLED, "")}


def test_a_draw_for_a_game_ends_with_the_game_that_was_drawn() -> None:
    history = read(
        [made.game_draw_began(1, "holdem", "omaha4")],
        [made.game_found("omaha4", "random")],
        [made.game_found("holdem", "choice")],
        [made.game_draw_began(2, "holdem", "omaha4")],
        [made.game_found("holdem", "sequence")],
    )
    assert [history.begun[deck_no][0].purpose for deck_no in (1, 2)] == [GAME_DRAW, GAME_DRAW]
    assert outcomes(history) == {1: (SETTLED, "")}, "a game that was chosen ends no draw"


def test_what_a_step_says() -> None:
    places = made.board(1, 2)
    step = made.step(
        "t",
        5,
        [
            made.seated(3, "carol"),
            made.dealt(places, 4),
            made.due(hand_pb2.REVEAL_REASON_BOARD, places[:1]),
        ],
        hand_no=1,
    )
    assert list(begins(step)) == []
    assert list(ends(step)) == []
    assert [dealt.places for dealt in dealt_by(step)] == [places]
    assert list(reveals_ordered_by(step)) == [(places[0], hand_pb2.REVEAL_REASON_BOARD)]
    assert seated_by(step, 3) == "carol"
    assert seated_by(step, 4) is None
