"""The vote for a bomb pot (BMB-2)."""

from libs.floorapi.floor.common.v1 import errors_pb2
from libs.floorapi.floor.events.v1 import table_events_pb2 as pb
from libs.floorapi.floor.events.v1.table_events_pb2 import TableEvent
from libs.floorapi.floor.settings.v1 import settings_pb2
from services.table.domain.draft import Draft
from services.table.domain.inputs import CommandIn
from services.table.domain.outcome import FloorRefusal
from services.table.domain.refusals import wrong_state
from services.table.domain.seat_commands import seated


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
