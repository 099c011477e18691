"""What the scoring service has said, checked and played (OFC-10 to OFC-35, SCP-2 to SCP-5)."""

from floor_table.domain.draft import Draft
from floor_table.domain.hand_flow import go_on
from floor_table.domain.inputs import ScoringIn
from floor_table.domain.outcome import FloorRefusal
from floor_table.domain.refusals import of_hand, unexpected
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.games.placement import PlacementHand, Scored, WaitScoring
from pokerfloor.tablelog import LogError, from_score_response


def hand_scored(draft: Draft, given: ScoringIn) -> FloorRefusal | None:
    """Take in the scores of a hand, after checking that they can be true."""
    state = draft.state
    hand = state.playing
    wait = hand.waits_for() if isinstance(hand, PlacementHand) else None
    if not isinstance(wait, WaitScoring):
        return unexpected("no scores are waited for")
    if given.hand_no != state.hand_no:
        return unexpected(f"hand {given.hand_no} has another score")
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
