"""Side pots, payouts and minimum raises against slow, obvious second implementations."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerfloor.cards import DECKS
from pokerfloor.games import (
    GAMES,
    HOLDEM,
    Begin,
    Event,
    GameRow,
    Half,
    Hand,
    HandResult,
    HandSetup,
    KnownDeck,
    MinRaise,
    OddChips,
    Over,
    Refusal,
    Structure,
    WaitAction,
    WaitBegin,
    WaitDiscard,
    WaitFacing,
    WaitSplit,
)
from pokerfloor.games.splitting import PartWinners, split_pot
from tests.support.games.chip_oracle import Chips, part_winners, payouts, raise_rules, side_pots
from tests.support.games.random_hands import random_input, random_setup

seeds = st.integers(0, 2**48)


_RULES = (
    "POT-1",
    "POT-2",
    "POT-3",
    "POT-4",
    "ODD-1",
    "ODD-2",
    "LOW-3",
    "BET-10",
    "BET-11",
    "BET-12",
)


# Pots that are carried are held against `tests.support.pot_oracle`, in test_wild_games.
_WITHOUT_CARRIED = {name: game for name, game in GAMES.items() if not game.carries()}


@pytest.mark.rule(*_RULES)
@pytest.mark.parametrize("game", _WITHOUT_CARRIED.values(), ids=_WITHOUT_CARRIED)
def test_random_hands_agree_with_the_oracles(game: GameRow) -> None:
    @settings(max_examples=400 if game is HOLDEM else 25, deadline=None)
    @given(seeds)
    def check(seed: int) -> None:
        _check_hand(game, seed)

    check()


def _check_hand(game: GameRow, seed: int) -> None:
    rng = random.Random(seed)
    setup = random_setup(rng, game)
    by_increments = (
        setup.structure is not Structure.FIXED_LIMIT
        and setup.settings.min_raise is MinRaise.INCREMENT
    )
    cards = DECKS[game.deck].cards
    deck = KnownDeck(rng.sample(cards, len(cards)))
    hand = Hand(setup)
    events: list[Event] = []
    while not isinstance(wait := hand.waits_for(), Over):
        if isinstance(wait, WaitAction):
            if by_increments:
                _check_raise(hand, wait, raise_rules(setup, events, wait.seat))
            done = hand.execute(random_input(wait, rng))
        elif isinstance(wait, WaitDiscard | WaitFacing | WaitSplit):
            done = hand.execute(random_input(wait, rng))
        else:
            done = hand.execute(Begin() if isinstance(wait, WaitBegin) else deck.answer(hand, wait))
        assert not isinstance(done, Refusal)
        events += done
    chip = setup.settings.smallest_chip_minor
    pots = [(pot.amount // chip, frozenset(pot.eligible)) for pot in wait.result.pots]
    assert pots == side_pots(Chips(setup, events))
    _check_awards(setup, events, wait.result)
    if len(game.pot_parts()) == 1 and game.odd_chips is OddChips.LEFT_OF_BUTTON:
        paid = payouts(setup, events, wait.result.rake.by_pot)
        awarded = dict.fromkeys(paid, 0)
        for award in wait.result.awards:
            awarded[award.seat] += award.amount
        assert awarded == paid


def _check_awards(setup: HandSetup, events: list[Event], result: HandResult) -> None:
    """Each part goes to its winners, who differ by a chip at most."""
    chip = setup.settings.smallest_chip_minor
    parts = part_winners(setup, events, result.rake.by_pot)
    shares: dict[tuple[int, int, Half], dict[int, int]] = {}
    for award in result.awards:
        part = shares.setdefault((award.pot_no, award.board, award.half), {})
        assert award.seat not in part
        part[award.seat] = award.amount // chip
    assert shares.keys() == parts.keys()
    for key, (size, winners) in parts.items():
        assert set(shares[key]) <= winners
        amounts = [shares[key].get(seat, 0) for seat in winners]
        assert sum(amounts) == size
        assert max(amounts) - min(amounts) <= 1


def _check_raise(hand: Hand, wait: WaitAction, rules: tuple[int, bool]) -> None:
    state, legal = hand.state, wait.legal
    minimum, is_open = rules
    position = state.turn
    everything = state.bets[position] + state.stacks[position]
    others = [
        bet + stack
        for p, (bet, stack) in enumerate(zip(state.bets, state.stacks, strict=True))
        if p != position and not state.folded[p]
    ]
    level = state.round.level
    possible = is_open and everything > level and max(others) > level
    assert bool(legal.raise_max or legal.bet_max) == possible
    if possible:
        assert (legal.raise_min or legal.bet_min) == min(minimum, everything)


seat_sets = st.sets(st.integers(1, 6), min_size=1)


@pytest.mark.rule("ODD-1", "ODD-2", "ODD-3", "ODD-4", "LOW-3")
@settings(max_examples=300, deadline=None)
@given(
    chips=st.integers(1, 200),
    chip=st.sampled_from([1, 5, 100]),
    boards=st.lists(
        st.tuples(seat_sets, st.sets(st.integers(1, 6)) | st.none()), min_size=1, max_size=2
    ),
    high_order=st.permutations(range(1, 7)),
    low_order=st.permutations(range(1, 7)),
)
def test_every_split_is_whole_and_even(
    chips: int,
    chip: int,
    boards: list[tuple[set[int], set[int] | None]],
    high_order: list[int],
    low_order: list[int],
) -> None:
    orders = {Half.HIGH: high_order, Half.LOW: low_order}
    parts = []
    for board, (highs, lows) in enumerate(boards):
        parts.append(PartWinners(board, Half.HIGH, tuple(highs)))
        if lows is not None:
            parts.append(PartWinners(board, Half.LOW, tuple(lows)))
    awards = split_pot(3, chips * chip, chip, parts, orders)
    assert sum(award.amount for award in awards) == chips * chip
    sizes = _deal_to_parts(chips, parts)
    for part, size in zip(parts, sizes, strict=True):
        amounts = {a.seat: a.amount // chip for a in awards if a[1:3] == part[:2]}
        assert set(amounts) <= set(part.seats)
        assert sum(amounts.values()) == size
        shares = [amounts.get(seat, 0) for seat in part.seats]
        assert not shares or max(shares) - min(shares) <= 1
        _check_odd_chips(part, amounts, parts, orders[part.half])
    won: dict[tuple[int, ...], list[int]] = {}
    for seat in high_order:
        key = tuple(k for k, part in enumerate(parts) if seat in part.seats)
        won.setdefault(key, []).append(sum(a.amount for a in awards if a.seat == seat) // chip)
    assert all(max(totals) - min(totals) <= 1 for totals in won.values())


def _deal_to_parts(chips: int, parts: list[PartWinners]) -> list[int]:
    """ODD-2, one chip at a time: boards in turn, and on each board its halves in turn."""
    sizes = [0] * len(parts)
    boards = sorted({part.board for part in parts})
    for nth in range(chips):
        board = boards[nth % len(boards)]
        halves = [k for k, part in enumerate(parts) if part.board == board and part.seats]
        sizes[halves[nth // len(boards) % len(halves)]] += 1
    return sizes


def _check_odd_chips(
    part: PartWinners, amounts: dict[int, int], parts: list[PartWinners], order: list[int]
) -> None:
    """ODD-1: as many odd chips go to each group of like winners as its places in the order give."""
    winners = [seat for seat in order if seat in part.seats]
    if not winners:
        return
    low = sum(amounts.values()) // len(winners)
    odd = sum(amounts.values()) % len(winners)

    def alike(seat: int) -> tuple[bool, ...]:
        return tuple(seat in other.seats for other in parts)

    due = sorted(alike(seat) for seat in winners[:odd])
    got = sorted(alike(seat) for seat in winners if amounts.get(seat, 0) > low)
    assert got == due
