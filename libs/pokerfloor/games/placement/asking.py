"""What a placement hand waits for, as a value computed from its state."""

from pokerfloor.games.placement.rows import Shown
from pokerfloor.games.placement.state import NOT_BEGUN, PlacementState, faces_of_row
from pokerfloor.games.placement.waits import (
    FinishedLayout,
    PlacementTurn,
    PlacementWait,
    ScoringRequest,
    WaitPlacements,
    WaitScoring,
)
from pokerfloor.games.setup import SeatStack
from pokerfloor.games.showdown import Rake
from pokerfloor.games.waits import HandResult, Over, WaitBegin, WaitCards


def wait_of(state: PlacementState) -> PlacementWait:
    """Return what the hand waits for."""
    if state.ended:
        return Over(hand_result(state), ())
    if state.stage == NOT_BEGUN:
        return WaitBegin()
    if state.cards.pending:
        assert state.cards.reveal_reason is not None
        return WaitCards(state.cards.pending, state.cards.reveal_reason)
    if state.turns:
        return WaitPlacements(
            tuple([_turn(state, s) for s in state.plan.order if s in state.turns])
        )
    return WaitScoring(scoring_request(state))


def _turn(state: PlacementState, seat: int) -> PlacementTurn:
    turn = state.turns[seat]
    return PlacementTurn(
        seat,
        turn.turn_no,
        state.street_of(seat),
        state.to_lay[seat],
        state.to_place(seat),
        state.room(seat),
        state.present_street().shown is Shown.UP,
        state.hides(),
        turn.tentative,
    )


def scoring_request(state: PlacementState) -> ScoringRequest:
    """Return the request to score the hand; all layouts must be finished and revealed."""
    order = state.plan.order
    assert all(state.is_complete(seat) for seat in order), "the hand waits for nothing"
    rows = [row for row, _ in state.setup.game.rows]
    layouts = [
        FinishedLayout(
            seat,
            tuple([(row, faces_of_row(state, seat, row)) for row in rows]),
            state.plan.packets.get(seat, 0),
        )
        for seat in order
    ]
    return ScoringRequest(
        state.setup.hand_no,
        state.setup.game,
        state.setup.button,
        tuple([SeatStack(seat, state.stacks[seat]) for seat in order]),
        tuple(layouts),
        tuple(state.cards.board),
    )


def hand_result(state: PlacementState) -> HandResult:
    """Return the result of a finished hand. It has no pots; the points are in the state."""
    no_rake = Rake(0, (), tuple([(seat, 0) for seat, _ in state.setup.seats]))
    return HandResult(
        hand_no=state.setup.hand_no,
        pots=(),
        awards=(),
        rake=no_rake,
        shown=(),
        mucked=(),
        seats=state.results,
        voided=state.voided,
    )
