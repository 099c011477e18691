"""When a bomb pot is played, and by which game (BMB-1, BMB-2)."""

from floor_table.domain.rules import TableRules
from floor_table.domain.seating import LastHand, Plan
from pokerfloor.api.settings.v1 import settings_pb2 as pb
from pokerfloor.games import ForcedBet, ForcedKind


def bomb_game(settings: pb.TableSettings) -> pb.GameSettings:
    """Return the game of a table's bomb pots: the table's own, with the boards agreed for them."""
    game = pb.GameSettings()
    game.CopyFrom(settings.game)
    game.boards = settings.bomb_pot.boards or game.boards
    return game


def bomb_pot_bets(rules: TableRules, plan: Plan) -> list[ForcedBet]:
    """Return what everybody dealt in posts (BMB-1); who enters posts no more than that."""
    return [ForcedBet(seat, ForcedKind.BOMB, rules.bomb_amount) for seat in plan.from_button()]


def is_bomb_pot(
    rules: TableRules, plan: Plan, last: LastHand, hand_no: int, votes: frozenset[int]
) -> bool:
    """Tell whether the next hand is a bomb pot.

    `votes` are the seats that agree to one. A circle is over when the button comes round past the
    lowest seat again.
    """
    match rules.bomb_mode:
        case pb.BOMB_POT_MODE_EVERY_HAND:
            return True
        case pb.BOMB_POT_MODE_EVERY_N_HANDS:
            return hand_no % rules.bomb_every == 0
        case pb.BOMB_POT_MODE_ONCE_A_CIRCLE:
            return not last.drawn and plan.button <= last.button
        case pb.BOMB_POT_MODE_WHEN_ALL_AGREE:
            return votes.issuperset(plan.dealt)
        case _:
            return False
