"""What the scoring service has said, checked and played (OFC-10 to OFC-35, SCP-2 to SCP-5)."""

from libs.floorapi.floor.common.v1 import errors_pb2
from libs.floorlog import LogError, from_score_response
from libs.games.placement import PlacementHand, Scored, WaitScoring
from services.table.domain.draft import Draft
from services.table.domain.hand_flow import go_on
from services.table.domain.inputs import ScoringIn
from services.table.domain.outcome import FloorRefusal
from services.table.domain.refusals import of_hand, unexpected
from services.table.domain.state import TableState


def scoring_id(state: TableState) -> str:
    """Return the id of the scores that the hand in play waits for."""
    return f"{state.table_id}/{state.hand_no}"


def hand_scored(draft: Draft, given: ScoringIn) -> FloorRefusal | None:
    """Take in the scores of a hand, after checking that they can be true."""
    state = draft.state
    hand = state.playing
    wait = hand.waits_for() if isinstance(hand, PlacementHand) else None
    if not isinstance(wait, WaitScoring):
        return unexpected("no scores are waited for")
    if given.scoring_id != scoring_id(state):
        return unexpected(f"{given.scoring_id!r} is another hand's score")
    try:
        result = from_score_response(wait.request, given.scored, given.settled)
    except LogError as error:
        code = errors_pb2.ERROR_CODE_BAD_SHOWDOWN
        return FloorRefusal(code, error.reason, error.field)
    before = state.last
    refused = draft.play(Scored(result))
    if refused is not None:
        return of_hand(refused)
    go_on(draft, before)
    return None
