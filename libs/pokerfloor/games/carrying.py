"""Pots with a qualifier: who wins them, what they pay, and what is carried over (MAT-6).

Such a game has one part and one board, so the best qualifying hand wins a whole pot.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from pokerfloor.cards import parse_cards
from pokerfloor.games.rake import rake_of
from pokerfloor.games.rows import GameRow, Half
from pokerfloor.games.showdown import Award, Pot, Rake, Raking
from pokerfloor.games.splitting import PartWinners, split_pot
from pokerfloor.ranking import RANKINGS

Winners = tuple[tuple[int, ...], ...]


@lru_cache
def least_strength(game: GameRow) -> int:
    """Return the strength of the weakest hand that can win a pot."""
    part = game.parts[0]
    return RANKINGS[part.ranking].strength(parse_cards(part.qualifier))


def pot_winners(game: GameRow, pots: Sequence[Pot], strengths: Mapping[int, int]) -> Winners:
    """Return the winners of each pot; none for a pot that nobody qualifies for.

    `strengths` are the strengths of the known hands by seat. A pot that only one seat can win goes
    to that seat, whatever it holds (POT-3).
    """
    least = least_strength(game)
    winners: list[tuple[int, ...]] = []
    for pot in pots:
        if len(pot.eligible) == 1:
            winners.append(pot.eligible)
            continue
        claims = {seat: strengths[seat] for seat in pot.eligible if seat in strengths}
        best = max(claims.values(), default=0)
        good = best >= least
        winners.append(tuple([s for s, strength in claims.items() if good and strength == best]))
    return tuple(winners)


def settle(
    game: GameRow,
    pots: Sequence[Pot],
    winners: Winners,
    raking: Raking,
    from_button: Sequence[int],
) -> tuple[Rake, tuple[Award, ...]]:
    """Return the rake and the awards of the pots that have winners, the last pot first (POT-4).

    A pot without winners is carried whole and is raked only when it is won (MAT-7).
    """
    unpaid = [pot.no for pot, seats in zip(pots, winners, strict=True) if not seats]
    rake = rake_of(raking, pots, unpaid)
    awards: list[Award] = []
    for pot in reversed(pots):
        if pot.no in unpaid:
            continue
        half = Half.WHOLE if len(pot.eligible) == 1 else game.parts[0].half
        parts = [PartWinners(0, half, winners[pot.no])]
        amount = pot.amount - rake.by_pot[pot.no]
        awards += split_pot(pot.no, amount, raking.chip, parts, {half: from_button})
    return rake, tuple(awards)
