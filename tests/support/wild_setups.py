"""Setups for random hands: every game, structure, option and forced bet that a table may have."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from pokerfloor.cards import DECKS
from pokerfloor.games import (
    NOTHING_CARRIED,
    Carried,
    FirstTie,
    ForcedBet,
    ForcedKind,
    GameRow,
    HandSettings,
    HandSetup,
    Losers,
    MinRaise,
    Opener,
    RakeCap,
    RakeRule,
    SeatStack,
    SecondRoundFirst,
    Shortage,
    Structure,
)

Bets = list[ForcedBet]
AS_FIRST = SecondRoundFirst.AS_FIRST


def most_seats(game: GameRow, *, burn: bool) -> int:
    """TBL-1: as many as the row allows and its deck serves."""
    return max(
        seats
        for seats in range(2, game.max_seats + 1)
        if game.cards_needed(seats, burn=burn) <= len(DECKS[game.deck])
    )


def wild_setup(
    rng: Random, game: GameRow, structure: Structure | None = None, seats: int | None = None
) -> HandSetup:
    """Any table at which a game may be played; the same for the same random numbers."""
    burn = rng.random() < 0.8
    chip = rng.choice([1, 1, 5, 25])
    big = chip * rng.choice([1, 2, 3, 4, 10])
    most = most_seats(game, burn=burn)
    count = min(most, seats or rng.choice([2, 3, most, rng.randint(2, most)]))
    numbers = sorted(rng.sample(range(1, 11), count))
    button = rng.choice([*numbers, rng.randint(0, 11)])
    forced = _forced(rng, game, numbers, button, chip, big)
    draws = game.draws_from(0)
    only_antes = {bet.kind for bet in forced} == {ForcedKind.ANTE}
    return HandSetup(
        hand_no=rng.randint(1, 10**6),
        game=game,
        structure=structure or rng.choice(game.structures),
        settings=HandSettings(
            smallest_chip_minor=chip,
            min_bet_minor=big,
            big_bet_minor=big + chip * rng.choice([0, 1, big // chip, big // chip]),
            min_raise=rng.choice(list(MinRaise)),
            raise_cap=rng.choice([1, 3, 3, 4]),
            heads_up_uncapped=rng.random() < 0.5,
            losers=rng.choice(list(Losers)),
            rake=_rake(rng, chip),
            burn=burn,
            short_blind_counts_full=rng.random() < 0.3,
            bring_in_minor=rng.choice([0, chip, big]),
            open_pair_rule=rng.random() < 0.7,
            seventh_shortage=rng.choice(list(Shortage)),
            unread_hands_muck=rng.random() < 0.1,
            redeal_when_checked=draws and only_antes and rng.random() < 0.7,
            second_round_first=rng.choice(list(SecondRoundFirst)) if draws else AS_FIRST,
            max_draw=rng.choice([0, 0, _least_and_one(game)]) if draws else 0,
            first_tie=rng.choice(list(FirstTie)),
        ),
        seats=tuple([SeatStack(seat, chip * _depth(rng, big // chip)) for seat in numbers]),
        button=button,
        forced=tuple(forced),
        carried=_carried(rng, numbers, chip) if game.carries() else NOTHING_CARRIED,
    )


def short_setup(rng: Random, game: GameRow, structure: Structure) -> HandSetup:
    """Many stacks of a few bets each, so that short all-ins come one after the other (BET-12)."""
    setup = wild_setup(rng, game, structure, rng.choice([4, 5, 6]))
    size = rng.choice([2, 3, 4, 8])
    numbers = [seat for seat, _ in setup.seats]
    forced = tuple(_forced(rng, game, numbers, setup.button, 1, size))
    settings = replace(
        setup.settings,
        smallest_chip_minor=1,
        min_bet_minor=size,
        big_bet_minor=2 * size,
        bring_in_minor=rng.choice([0, 1, size]),
        redeal_when_checked=False,
    )
    stacks = [rng.choice([rng.randint(size, 4 * size), 40 * size]) for _ in numbers]
    seats = tuple([SeatStack(*entry) for entry in zip(numbers, stacks, strict=True)])
    return replace(setup, settings=settings, seats=seats, forced=forced)


def _least_and_one(game: GameRow) -> int:
    """DRW-4: a limit that every exchange of the game allows, if there is one."""
    exchanges = [street.draw for street in game.streets if street.draw is not None]
    limit = max(1, max(exchange.max_discards for exchange in exchanges) - 1)
    fits = all(exchange.min_discards <= limit <= exchange.max_discards for exchange in exchanges)
    return limit if fits else 0


def _carried(rng: Random, numbers: list[int], chip: int) -> Carried:
    """MAT-6, MAT-7: nothing, or a pot for all that are dealt in or for some of them."""
    if rng.random() < 0.4:
        return NOTHING_CARRIED
    some = sorted(rng.sample(numbers, rng.randint(1, len(numbers))))
    return Carried(chip * rng.randint(1, 60), rng.choice([(), tuple(some)]))


def _depth(rng: Random, big: int) -> int:
    """Chips of a stack: about one in eight has a single chip, a third less than a few bets."""
    depths = (1, big, 3 * big, 12 * big, 100 * big)
    return rng.randint(1, rng.choices(depths, (12, 12, 20, 36, 20))[0])


def _rake(rng: Random, chip: int) -> RakeRule:
    if rng.random() < 0.4:
        return RakeRule()
    caps = (RakeCap(2, chip * rng.randint(0, 9)), RakeCap(5, chip * rng.randint(1, 30)))
    rate = rng.choice([1, 250, 500, rng.randint(1, 1500), 10_000])
    return RakeRule(rate, rng.choice([(), caps, caps[1:]]), rng.random() < 0.7)


def _everybody(numbers: list[int], kind: ForcedKind, amount: int) -> Bets:
    return [ForcedBet(seat, kind, amount) for seat in numbers]


def _forced(
    rng: Random, game: GameRow, numbers: list[int], button: int, chip: int, big: int
) -> Bets:
    antes = _everybody(numbers, ForcedKind.ANTE, chip * rng.choice([1, 1, 2, 7]))
    first = game.streets[0].opener
    if game.exposed is not None:  # STD-1, MAT-1
        return antes
    if game.bomb_pots and rng.random() < 0.2:
        return _everybody(numbers, ForcedKind.BOMB, chip * rng.randint(1, 20))
    if first is Opener.LEFT_OF_BUTTON:  # SHD-2, with its option antes_only
        blind = ForcedBet(button, ForcedKind.BIG_BLIND, big)
        posted = [blind] if button in numbers and rng.random() < 0.8 else []
        return _everybody(numbers, ForcedKind.ANTE, big) + posted
    if rng.random() < (0.4 if game.draws_from(0) else 0.06):
        return antes
    return _with_blinds(rng, numbers, button, chip, big)


def _with_blinds(rng: Random, numbers: list[int], button: int, chip: int, big: int) -> Bets:
    order = [seat for seat in numbers if seat > button] + [s for s in numbers if s <= button]
    if len(order) == 2 and button in order:
        order.reverse()  # TBL-12
    small = chip * max(1, big // chip // 2)
    forced = [ForcedBet(order[1], ForcedKind.BIG_BLIND, big)]
    if rng.random() < 0.9:  # a dead small blind seat posts none (TBL-11)
        forced.insert(0, ForcedBet(order[0], ForcedKind.SMALL_BLIND, small))
    kind = rng.random()
    if kind < 0.25:
        forced += _everybody(numbers, ForcedKind.ANTE, chip * rng.choice([1, 2, 5]))
    elif kind < 0.4:
        forced.append(ForcedBet(order[1], ForcedKind.ANTE_FOR_ALL, big))
    others = order[2:]
    straddle = 2 * big
    while others and straddle <= 8 * big and rng.random() < 0.2:
        forced.append(ForcedBet(others.pop(0), ForcedKind.STRADDLE, straddle))
        straddle *= 2
    for seat in others:
        chance = rng.random()
        if chance < 0.15:
            forced.append(ForcedBet(seat, ForcedKind.POST, big))
        if chance < 0.08:
            forced.append(ForcedBet(seat, ForcedKind.DEAD_SMALL, small))
    if rng.random() < 0.3:
        rng.shuffle(forced)  # antes come before blinds whatever the order (TBL-14)
    return forced
