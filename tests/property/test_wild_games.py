"""Games that nobody has thought of: any row and any setup that is not refused can be played."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from pokerfloor.cards import DECKS
from pokerfloor.games import (
    GAMES,
    ForcedBet,
    ForcedKind,
    GameRow,
    HandSetup,
    Over,
    Refusal,
    Structure,
    check_row,
    check_setup,
    row_from_json,
    row_to_json,
)
from tests.support.pot_oracle import check_result
from tests.support.watched_hand import WatchedHand
from tests.support.wild_rows import wild_row
from tests.support.wild_setups import wild_setup


def few_or_many(few: int, many: int) -> pytest.MarkDecorator:
    """The default form of a test and the long one."""
    long = pytest.param(many, id="many", marks=pytest.mark.slow)
    return pytest.mark.parametrize("count", [pytest.param(few, id="some"), long])


def _play(row: GameRow, rng: Random) -> None:
    setup = wild_setup(rng, row)
    assert check_setup(setup) == (), setup
    # The rules know no bring-in outside fixed-limit; what the engine makes of it is its own.
    known = row.exposed is None or setup.structure is Structure.FIXED_LIMIT or bool(row.down_slot())
    hand = WatchedHand(setup, rng, closely=0.1, oracle=known).play()
    over = hand.hand.waits_for()
    assert isinstance(over, Over)
    check_result(setup, hand.events, over.result)


@few_or_many(2500, 60_000)
def test_a_row_that_is_not_refused_can_be_played(count: int) -> None:
    played = 0
    for number in range(count):
        rng = Random(f"row {number}")
        row = wild_row(rng)
        refusal = check_row(row)
        if refusal is not None:
            assert refusal.reason
            assert isinstance(row_from_json(row_to_json(row)), Refusal)
            continue
        if row.cards_needed(2, burn=True) > len(DECKS[row.deck]):
            continue
        assert row_from_json(row_to_json(row)) == row
        played += 1
        for _ in range(3):
            try:
                _play(row, rng)
            except Exception as error:
                raise AssertionError(f"row {number}: {error}") from error
    assert played > count // 40


@few_or_many(2000, 60_000)
def test_any_forced_bets_that_are_not_refused_can_be_played(count: int) -> None:
    played = 0
    games = list(GAMES.values())
    for number in range(count):
        rng = Random(f"forced {number}")
        setup = wild_setup(rng, rng.choice(games))
        setup = replace(setup, forced=_anything(rng, setup))
        if check_setup(setup):
            continue
        played += 1
        try:
            WatchedHand(setup, rng, closely=0.1).play()
        except Exception as error:
            raise AssertionError(f"forced {number}: {error}") from error
    assert played > count // 8


def _anything(rng: Random, setup: HandSetup) -> tuple[ForcedBet, ...]:
    """Any kinds of forced bets, by anybody, in any order; antes and bombs by everybody."""
    chip = setup.settings.smallest_chip_minor
    forced: list[ForcedBet] = []
    for _ in range(rng.randint(1, 5)):
        kind, amount = rng.choice(list(ForcedKind)), chip * rng.randint(1, 20)
        everybody = kind in (ForcedKind.ANTE, ForcedKind.BOMB)
        seats = setup.seats if everybody else [rng.choice(setup.seats)]
        forced += [ForcedBet(seat, kind, amount) for seat, _ in seats]
    rng.shuffle(forced)
    return tuple(forced)
