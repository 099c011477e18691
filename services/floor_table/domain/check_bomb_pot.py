"""What is wrong with the bomb pots of a table (BMB-1, BMB-2)."""

from collections.abc import Iterator

from floor_table.domain.bomb_pots import bomb_game
from floor_table.domain.check_game import MOST_MINOR, least_bet, seat_problems
from pokerfloor.api.settings.v1 import settings_pb2 as pb
from pokerfloor.tablelog import StakeKind, from_amount, game_row


def bomb_pot_problems(settings: pb.TableSettings, kind: StakeKind) -> Iterator[tuple[str, str]]:
    """Yield (path, reason) for all that is wrong with a table's bomb pots. Raises LogError."""
    bomb, row = settings.bomb_pot, game_row(settings.game)
    if bomb.mode == pb.BOMB_POT_MODE_NEVER:
        return
    if not row.bomb_pots:
        yield "bomb_pot", f"{row.name} is not played as a bomb pot"
        return
    chip = from_amount(settings.game.smallest_chip, kind, "game.smallest_chip")
    amount = from_amount(bomb.amount, kind, "bomb_pot.amount")
    least = least_bet(settings, kind)
    # Who enters by posting posts the bomb pot's amount in its place (TBL-15).
    if not least <= amount <= MOST_MINOR or amount % chip:
        yield "bomb_pot.amount", f"{amount} is not {least} or more in chips of {chip}"
    if bomb.mode == pb.BOMB_POT_MODE_EVERY_N_HANDS:
        if not 1 <= bomb.every_n <= 10_000:
            yield "bomb_pot.every_n", "a bomb pot every 1 to 10,000 hands"
    elif bomb.every_n:
        yield "bomb_pot.every_n", "a number of hands is for every_n_hands only"
    burn = not settings.game.no_burn
    for _, reason in seat_problems(settings.seats, game_row(bomb_game(settings)), burn=burn):
        yield "bomb_pot.boards", reason
