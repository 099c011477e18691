"""The vote for a bomb pot (BMB-2)."""

from floor_table.domain.draft import Draft
from floor_table.domain.inputs import CommandIn
from floor_table.domain.outcome import FloorRefusal
from floor_table.domain.refusals import wrong_state
from floor_table.domain.seat_commands import seated
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.events.v1 import table_events_pb2 as pb
from pokerfloor.api.events.v1.table_events_pb2 import TableEvent
from pokerfloor.api.settings.v1 import settings_pb2


def vote_bomb_pot(draft: Draft, given: CommandIn) -> FloorRefusal | None:
    """Agree to a bomb pot, or no longer. A vote stands until one is played or the seat is left."""
    state, agrees = draft.state, given.command.vote_bomb_pot.agrees
    seat = seated(state, given.sender)
    if isinstance(seat, FloorRefusal):
        return seat
    if state.rules.bomb_mode != settings_pb2.BOMB_POT_MODE_WHEN_ALL_AGREE:
        reason = "nobody votes for bomb pots at this table"
        return FloorRefusal(errors_pb2.ERROR_CODE_ACTION_NOT_ALLOWED, reason)
    if agrees == (seat.seat in state.bomb_votes):
        return wrong_state("you have said so already")
    voted = pb.BombPotVoted(seat=seat.seat, agrees=agrees)
    draft.emit(TableEvent(bomb_pot_voted=voted))
    return None
