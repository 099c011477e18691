"""Random setups and random play, for property tests and the bench."""

import random

from pokerfloor.cards import DECKS
from pokerfloor.games import (
    HOLDEM,
    NOTHING_CARRIED,
    Act,
    ActKind,
    AnswerSplit,
    Carried,
    ChooseFacing,
    DiscardCards,
    FirstTie,
    ForcedBet,
    ForcedKind,
    GameRow,
    HandSettings,
    HandSetup,
    Input,
    LegalSet,
    Losers,
    MinRaise,
    Opener,
    RakeCap,
    RakeRule,
    SeatStack,
    SecondRoundFirst,
    Shortage,
    SplitTimeUp,
    SwapCards,
    WaitAction,
    WaitDiscard,
    WaitFacing,
    WaitSplit,
)


def random_setup(rng: random.Random, game: GameRow = HOLDEM) -> HandSetup:
    """Any number of seats and depth of stacks, with all kinds of forced bets and options."""
    burn = rng.random() < 0.8
    most = max(
        seats
        for seats in range(2, game.max_seats + 1)
        if game.cards_needed(seats, burn=burn) <= len(DECKS[game.deck])
    )
    chip = rng.choice([1, 1, 5, 25])
    big = chip * rng.choice([2, 3, 10])
    count = rng.choice([rng.randint(2, most), most])
    numbers = sorted(rng.sample(range(1, 13), count))
    depth = rng.choice([3, 30, 300])
    seats = tuple(SeatStack(seat, chip * rng.randint(1, depth)) for seat in numbers)
    button = rng.choice([*numbers, rng.randint(0, 13)])
    forced = _forced_of(game, rng, numbers, button, chip, big)
    only_antes = all(bet.kind is ForcedKind.ANTE for bet in forced)
    settings = HandSettings(
        smallest_chip_minor=chip,
        min_bet_minor=big,
        big_bet_minor=2 * big,
        min_raise=rng.choice(list(MinRaise)),
        raise_cap=rng.choice([1, 3, 3]),
        heads_up_uncapped=rng.random() < 0.5,
        losers=rng.choice(list(Losers)),
        rake=_random_rake(rng, chip),
        burn=burn,
        short_blind_counts_full=rng.random() < 0.2,
        bring_in_minor=rng.choice([0, chip, big]),
        open_pair_rule=rng.random() < 0.7,
        redeal_when_checked=only_antes and game.draws_from(0) and rng.random() < 0.5,
        seventh_shortage=rng.choice(list(Shortage)),
        second_round_first=rng.choice(list(SecondRoundFirst if _draws(game) else [_AS_FIRST])),
        max_draw=rng.choice([0, 0, 1, 4]) if _draws(game) else 0,
        first_tie=rng.choice(list(FirstTie)),
    )
    return HandSetup(
        hand_no=rng.randint(1, 10**6),
        game=game,
        structure=rng.choice(game.structures),
        settings=settings,
        seats=seats,
        button=button,
        forced=forced,
        carried=_random_carried(game, rng, numbers, chip),
    )


_AS_FIRST = SecondRoundFirst.AS_FIRST


def _draws(game: GameRow) -> bool:
    """Whether up to four cards may be drawn, or fewer if the casino says so."""
    draws = [street.draw for street in game.streets if street.draw is not None]
    return bool(draws) and all(one.min_discards <= 1 and one.max_discards >= 4 for one in draws)


def _random_carried(game: GameRow, rng: random.Random, numbers: list[int], chip: int) -> Carried:
    if not game.carries() or rng.random() < 0.5:
        return NOTHING_CARRIED
    seats = rng.sample(numbers, rng.randint(1, len(numbers))) if rng.random() < 0.5 else []
    return Carried(chip * rng.randint(1, 60), tuple(sorted(seats)))


def _random_rake(rng: random.Random, chip: int) -> RakeRule:
    if rng.random() < 0.4:
        return RakeRule()
    caps = (RakeCap(2, chip * rng.randint(0, 9)), RakeCap(5, chip * rng.randint(1, 30)))
    return RakeRule(rng.randint(1, 1500), rng.choice([(), caps]), rng.random() < 0.7)


def _forced_of(
    game: GameRow, rng: random.Random, numbers: list[int], button: int, chip: int, big: int
) -> tuple[ForcedBet, ...]:
    antes = [ForcedBet(seat, ForcedKind.ANTE, chip) for seat in numbers]
    if game.exposed is not None:
        return tuple(antes)
    if game.streets[0].opener is Opener.LEFT_OF_BUTTON:  # short deck (SHD-2)
        blind = [ForcedBet(button, ForcedKind.BIG_BLIND, big)] if button in numbers else []
        return (*[ante._replace(amount=big) for ante in antes], *blind)
    if game.bomb_pots and rng.random() < 0.15:
        amount = chip * rng.randint(1, 20)
        return tuple([ForcedBet(seat, ForcedKind.BOMB, amount) for seat in numbers])
    if game.draws_from(0) and rng.random() < 0.3:
        return tuple(antes)
    return _random_forced(rng, numbers, button, chip, big)


def _random_forced(
    rng: random.Random, numbers: list[int], button: int, chip: int, big: int
) -> tuple[ForcedBet, ...]:
    order = [seat for seat in numbers if seat > button] + [s for s in numbers if s <= button]
    small = chip * max(1, big // chip // 2)
    if len(order) == 2 and button in order:
        order.reverse()
    forced = [ForcedBet(order[1], ForcedKind.BIG_BLIND, big)]
    if rng.random() < 0.9:
        forced.insert(0, ForcedBet(order[0], ForcedKind.SMALL_BLIND, small))
    style = rng.random()
    if style < 0.25:
        forced += [ForcedBet(seat, ForcedKind.ANTE, chip * 2) for seat in numbers]
    elif style < 0.4:
        forced.append(ForcedBet(order[1], ForcedKind.ANTE_FOR_ALL, big))
    for nth, seat in enumerate(order[2:]):
        chance = rng.random()
        if chance < 0.1:
            forced.append(ForcedBet(seat, ForcedKind.POST, big))
            if rng.random() < 0.5:
                forced.append(ForcedBet(seat, ForcedKind.DEAD_SMALL, small))
        elif chance < 0.2 and nth == 0:
            forced.append(ForcedBet(seat, ForcedKind.STRADDLE, 2 * big))
    if rng.random() < 0.05:  # a game with antes and no blinds
        forced = [ForcedBet(seat, ForcedKind.ANTE, chip * 2) for seat in numbers]
    return tuple(forced)


def legal_acts(legal: LegalSet, rng: random.Random) -> list[tuple[ActKind, int]]:
    """Some actions that the legal set allows, every kind of them at least once."""
    acts = [(ActKind.FOLD, 0)]
    if legal.can_check:
        acts.append((ActKind.CHECK, 0))
    if legal.call_by:
        acts += [(ActKind.CALL, 0), (ActKind.CALL, legal.call_to)]
    kind, low, high = ActKind.BET, legal.bet_min, legal.bet_max
    if legal.raise_max:
        kind, low, high = ActKind.RAISE, legal.raise_min, legal.raise_max
    if high:
        between = rng.choice(legal.sizes_to or range(low, high + 1, legal.step))
        acts += [(kind, low), (kind, high), (kind, between)]
    if legal.all_in_as is not None:
        acts.append((ActKind.ALL_IN, 0))
    return acts


def illegal_acts(wait: WaitAction, rng: random.Random) -> list[Act]:
    """Some actions that must be refused."""
    seat, turn_no, legal = wait
    acts = [
        Act(seat + 1, turn_no, ActKind.FOLD),
        Act(seat, turn_no - 1, ActKind.FOLD),
        Act(seat, turn_no + 1, ActKind.CALL),
        Act(seat, turn_no, ActKind.FOLD, legal.step),
    ]
    if not legal.can_check:
        acts.append(Act(seat, turn_no, ActKind.CHECK))
    if not legal.call_by:
        acts.append(Act(seat, turn_no, ActKind.CALL))
    if legal.all_in_as is None:
        acts.append(Act(seat, turn_no, ActKind.ALL_IN))
    for kind, low, high in (
        (ActKind.BET, legal.bet_min, legal.bet_max),
        (ActKind.RAISE, legal.raise_min, legal.raise_max),
    ):
        if not high:
            acts.append(Act(seat, turn_no, kind, rng.randint(0, 500)))
        else:
            acts += [Act(seat, turn_no, kind, low - legal.step), Act(seat, turn_no, kind, 0)]
            acts += [Act(seat, turn_no, kind, high + legal.step), Act(seat, turn_no, kind, -high)]
            if legal.sizes_to and low + legal.step < high:
                acts.append(Act(seat, turn_no, kind, low + legal.step))
            if legal.step > 1 and low < high:
                acts.append(Act(seat, turn_no, kind, low + 1))
    return acts


def random_act(wait: WaitAction, rng: random.Random) -> Act:
    """One legal action; folding and going all-in are not too frequent."""
    acts = legal_acts(wait.legal, rng)
    if len(acts) > 1 and rng.random() < 0.8:
        acts = acts[1:]
    if len(acts) > 1 and rng.random() < 0.6:
        acts = [act for act in acts if act[0] is not ActKind.ALL_IN] or acts
    kind, amount = rng.choice(acts)
    return Act(wait.seat, wait.turn_no, kind, amount)


def random_discard(wait: WaitDiscard, rng: random.Random) -> DiscardCards:
    slots = [place.slot for place in wait.places]
    given_up = rng.sample(slots, rng.randint(wait.min_discards, wait.max_discards))
    return DiscardCards(wait.seat, wait.turn_no, tuple(given_up))


def random_answer(wait: WaitSplit, rng: random.Random) -> Input:
    """An answer to a split, rather yes than no, or the end of the time to answer."""
    if rng.random() < 0.05:
        return SplitTimeUp()
    return AnswerSplit(rng.choice(wait.seats), rng.random() < 0.85)


def random_input(
    wait: WaitAction | WaitDiscard | WaitFacing | WaitSplit, rng: random.Random
) -> Input:
    """One legal input: an action, a swap, a discard, a facing, an answer to a split."""
    if isinstance(wait, WaitDiscard):
        return random_discard(wait, rng)
    if isinstance(wait, WaitFacing):
        return ChooseFacing(wait.seat, wait.turn_no, rng.random() < 0.5)
    if isinstance(wait, WaitSplit):
        return random_answer(wait, rng)
    slots = list(wait.legal.swap_slots)
    if slots and rng.random() < 0.4:
        swapped = rng.sample(slots, rng.randint(1, len(slots)))
        return SwapCards(wait.seat, wait.turn_no, tuple(swapped))
    return random_act(wait, rng)


def illegal_choices(wait: WaitFacing | WaitSplit) -> list[Input]:
    """Some facings and answers that must be refused."""
    if isinstance(wait, WaitSplit):
        said = [AnswerSplit(seat, agrees=True) for seat in (*wait.agreed, 99)]
        return [*said, ChooseFacing(wait.seats[0], 1, face_down=True)]
    seat, turn_no = wait[:2]
    return [
        ChooseFacing(seat + 1, turn_no, face_down=True),
        ChooseFacing(seat, turn_no + 1, face_down=False),
        DiscardCards(seat, turn_no, ()),
        Act(seat, turn_no, ActKind.CHECK),
        AnswerSplit(seat, agrees=True),
        SplitTimeUp(),
    ]


def illegal_changes(wait: WaitAction | WaitDiscard) -> list[Input]:
    """Some swaps, discards and facings that must be refused."""
    seat, turn_no = wait[:2]
    if isinstance(wait, WaitAction):
        slots = wait.legal.swap_slots
        bad: list[Input] = [
            ChooseFacing(seat, turn_no, face_down=True),
            DiscardCards(seat, turn_no, (1,)),
            SwapCards(seat, turn_no, ()),
            SwapCards(seat, turn_no, (9,)),
            SwapCards(seat + 1, turn_no, slots[:1]),
            SwapCards(seat, turn_no + 1, slots[:1]),
            SwapCards(seat, turn_no, slots[:1] * 2),
        ]
        return bad if slots else [*bad, SwapCards(seat, turn_no, (1,))]
    held = tuple([place.slot for place in wait.places])
    return [
        SwapCards(seat, turn_no, (1,)),
        DiscardCards(seat + 1, turn_no, held[: wait.min_discards]),
        DiscardCards(seat, turn_no - 1, held[: wait.min_discards]),
        DiscardCards(seat, turn_no, (99,)),
        DiscardCards(seat, turn_no, (held[0],) * 2),
        DiscardCards(seat, turn_no, (*held, 99)),
    ]
