"""How bets become pots (POT-1, POT-2). Lists are by seat index: seats dealt in, in seat order."""

from collections.abc import Sequence

from pokerfloor.games.setup import NOTHING_CARRIED, Carried
from pokerfloor.games.showdown import Pot


def uncalled(bets: Sequence[int], folded: Sequence[bool]) -> tuple[int, int]:
    """Return (seat index, amount) of the uncalled part of a bet, or (-1, 0).

    The bet of a folded seat counts as a call up to its amount; it is never returned itself.
    """
    top = max(bets)
    if bets.count(top) > 1:
        return -1, 0
    index = bets.index(top)
    second = max([bet for other, bet in enumerate(bets) if other != index], default=0)
    if folded[index]:
        return -1, 0
    return index, top - second


def form_pots(
    seats: Sequence[int],
    antes: Sequence[int],
    live: Sequence[int],
    dead: int,
    folded: Sequence[bool],
    carried: Carried = NOTHING_CARRIED,
) -> tuple[Pot, ...]:
    """Return the pots, main pot first (POT-1).

    `antes` and `live` are what each seat put in of either kind in the whole hand. `dead` goes to
    the main pot, which every seat still in can win, and does not count as a call. A layer that only
    folded seats paid for goes to the pot below it. A seat short of its ante has nothing live, so
    layers nest: the eligible seats of each pot are among those of the pot before it. A carried pot
    goes to the main pot, or is its own layer that only its `seats` can win (MAT-7); then it need
    not nest. If none of these seats is still in, it goes to the main pot too.
    """
    still_in = [index for index, gone in enumerate(folded) if not gone]
    if not carried.amount and _paid_alike(antes, still_in) and _paid_alike(live, still_in):
        # One pot: the fast path.
        everything = dead + sum(antes) + sum(live)
        return (Pot(0, everything, tuple([seats[p] for p in still_in])),) if everything else ()
    layers = [(dead, tuple(still_in)), *_layers(antes, still_in), *_layers(live, still_in)]
    if carried.amount:
        claims = [index for index in still_in if seats[index] in carried.seats]
        layers.append((carried.amount, tuple(claims or still_in)))
    amounts: dict[tuple[int, ...], int] = {}
    for amount, eligible in layers:
        if amount:
            amounts[eligible] = amounts.get(eligible, 0) + amount
    nested = sorted(amounts.items(), key=_widest_first)
    pots = [
        Pot(no, amount, tuple([seats[index] for index in eligible]))
        for no, (eligible, amount) in enumerate(nested)
    ]
    return tuple(pots)


def _paid_alike(paid: Sequence[int], still_in: list[int]) -> bool:
    return len({paid[index] for index in still_in}) <= 1


def _widest_first(pot: tuple[tuple[int, ...], int]) -> int:
    return -len(pot[0])


def _layers(paid: Sequence[int], still_in: list[int]) -> list[tuple[int, tuple[int, ...]]]:
    """Return (amount, eligible seat indexes) for each level that a seat still in has paid up to."""
    levels = sorted({paid[index] for index in still_in} - {0})
    if not levels:  # only folded seats paid, if any: their chips go to the main pot
        return [(sum(paid), tuple(still_in))]
    layers: list[tuple[int, tuple[int, ...]]] = []
    below = 0
    for level in levels:
        # The top layer also takes what folded seats paid above it.
        ceiling = level if level != levels[-1] else max(paid)
        amount = sum([min(chips, ceiling) - below for chips in paid if chips > below])
        layers.append((amount, tuple([p for p in still_in if paid[p] >= level])))
        below = level
    return layers
