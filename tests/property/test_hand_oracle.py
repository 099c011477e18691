"""Legal actions, pots and awards of random hands against slow, obvious second implementations."""

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
    KnownDeck,
    Over,
    Refusal,
    WaitAction,
    WaitBegin,
    WaitDiscard,
    WaitFacing,
    WaitSplit,
)
from pokerfloor.games.splitting import PartWinners, split_pot
from tests.support.betting_oracle import SlowBetting
from tests.support.games.random_hands import random_input, random_setup
from tests.support.pot_oracle import check_result

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


@pytest.mark.rule(*_RULES)
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_random_hands_agree_with_the_oracles(game: GameRow) -> None:
    @settings(max_examples=400 if game is HOLDEM else 25, deadline=None)
    @given(seeds)
    def check(seed: int) -> None:
        _check_hand(game, seed)

    check()


def _check_hand(game: GameRow, seed: int) -> None:
    rng = random.Random(seed)
    setup = random_setup(rng, game)
    cards = DECKS[game.deck].cards
    deck = KnownDeck(rng.sample(cards, len(cards)))
    hand, betting = Hand(setup), SlowBetting(setup)
    events: list[Event] = []
    while not isinstance(wait := hand.waits_for(), Over):
        if isinstance(wait, WaitAction):
            assert wait.legal == betting.legal(wait.seat)
        if isinstance(wait, WaitBegin):
            done = hand.execute(Begin())
        elif isinstance(wait, WaitAction | WaitDiscard | WaitFacing | WaitSplit):
            done = hand.execute(random_input(wait, rng))
        else:
            done = hand.execute(deck.answer(hand, wait))
        assert not isinstance(done, Refusal)
        for event in done:
            betting.see(event)
        events += done
    check_result(setup, events, wait.result)


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
