"""What somebody may see of the choice of a game (MIX-3): everybody sees it, one seat is asked."""

from floor_table.domain.audiences import Audience
from floor_table.domain.state import TableState
from pokerfloor.api.events.v1.table_events_pb2 import GameChoiceOpened
from pokerfloor.api.table.v1 import view_pb2 as pb
from pokerfloor.api.table.v1.table_pb2 import VIEW_KIND_PLAYER

GAME = "game"


def open_choice(state: TableState) -> GameChoiceOpened | None:
    """Return the choice that is open, None for none."""
    mix = state.mix
    if not mix.seat:
        return None
    return GameChoiceOpened(seat=mix.seat, games=state.rules.games, deadline_ms=mix.deadline_ms)


def choice_turn(state: TableState, audience: Audience) -> pb.YourTurn | None:
    """Return "your turn" for the player who chooses the next game."""
    choice = open_choice(state)
    if choice is None or (audience.kind, audience.seat) != (VIEW_KIND_PLAYER, choice.seat):
        return None
    if state.seats[choice.seat].player_id != audience.player_id:
        return None
    return pb.YourTurn(
        hand_no=state.hands + 1,
        seat=choice.seat,
        deadline_ms=choice.deadline_ms,
        choices=[pb.CHOICE_KIND_GAME],
        games=choice.games,
    )
