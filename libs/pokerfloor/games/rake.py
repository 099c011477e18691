"""The rake (POT-10, POT-11)."""

from collections.abc import Collection, Sequence
from functools import lru_cache

from pokerfloor.games.setup import RakeRule
from pokerfloor.games.showdown import Pot, Rake, Raking


def compute_rake(
    rule: RakeRule,
    pots: Sequence[Pot],
    paid: Sequence[tuple[int, int]],
    chip: int,
    *,
    dropped: bool,
) -> Rake:
    """Return the rake of final pots.

    `paid` is what each seat dealt in has put into the pots, as (seat, amount), without returned
    bets. `chip` is the smallest chip; `dropped`: the flop was dealt (POT-10). The total is shared
    among the pots in whole chips, ties to the earlier pot, and among the seats in minor units, ties
    to the lower seat number.
    """
    total = _total(rule, pots, len(paid), chip) if dropped or not rule.no_flop_no_drop else 0
    if not total:
        return no_rake(tuple([seat for seat, _ in paid]), len(pots))
    by_pot = largest_remainder(total // chip, [pot.amount for pot in pots])
    put_in = [amount for _, amount in paid]
    # If there is only a carried pot, all seats have the same share.
    by_seat = largest_remainder(total, put_in if any(put_in) else [1] * len(put_in))
    return Rake(
        total,
        tuple([chips * chip for chips in by_pot]),
        tuple([(seat, share) for (seat, _), share in zip(paid, by_seat, strict=True)]),
    )


def rake_of(raking: Raking, pots: Sequence[Pot], unpaid: Collection[int] = ()) -> Rake:
    """Return the rake of final pots; those numbered in `unpaid` are carried and not raked."""
    paid = [pot._replace(amount=0) if pot.no in unpaid else pot for pot in pots]
    return compute_rake(raking.rule, paid, raking.paid, raking.chip, dropped=raking.dropped)


@lru_cache(maxsize=4096)
def no_rake(seats: tuple[int, ...], pots: int) -> Rake:
    """Return a rake of zero."""
    return Rake(0, (0,) * pots, tuple([(seat, 0) for seat in seats]))


def _total(rule: RakeRule, pots: Sequence[Pot], players: int, chip: int) -> int:
    total = rule.rate_bp * sum([pot.amount for pot in pots]) // 10_000
    caps = [cap.cap_minor for cap in rule.caps if players >= cap.players]
    if caps:
        total = min(total, caps[-1])
    return total - total % chip


def largest_remainder(units: int, weights: Sequence[int]) -> list[int]:
    """Share `units` in proportion to `weights`; the rest goes to the largest remainders.

    On equal remainders the earlier weight comes first. The weights must not all be zero.
    """
    whole = sum(weights)
    shares = [units * weight // whole for weight in weights]
    by_remainder = sorted(range(len(weights)), key=lambda k: (-(units * weights[k] % whole), k))
    for k in by_remainder[: units - sum(shares)]:
        shares[k] += 1
    return shares
