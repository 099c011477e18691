"""Our hands are read and played by another engine: PokerKit ends them on the same stacks.

A hand is played at random here, written as PHH, and its actions are played there. Where the two
follow other rules, the setups keep out of it: a blind posted short (BET-11), an all-in of less than
a bet in fixed-limit (BET-33). Of several odd chips PokerKit gives all to one seat, and we one each
to several (ODD-1): then a stack may differ by a chip for each winner.
"""

from __future__ import annotations

import warnings
from random import Random

import pytest

from pokerfloor.games import (
    GAMES,
    ForcedBet,
    ForcedKind,
    GameRow,
    HandSettings,
    HandSetup,
    Losers,
    Opener,
    SeatStack,
    Shortage,
    Structure,
)
from pokerfloor.phh import Heading, write_hand
from pokerfloor.phh.variants import GAMES_BY_VARIANT
from tests.support.watched_hand import WatchedHand

notation = pytest.importorskip("pokerkit.notation", reason="PokerKit is not installed")

_MOST_SEATS = 6


def forced_bets(game: GameRow, rng: Random, seats: int, big: int) -> tuple[ForcedBet, ...]:
    """The usual forced bets of a game, the button on the last seat."""
    everyone = range(1, seats + 1)
    if game.exposed is not None:
        return tuple([ForcedBet(seat, ForcedKind.ANTE, big // 4) for seat in everyone])
    if game.streets[0].opener is Opener.LEFT_OF_BUTTON:
        antes = [ForcedBet(seat, ForcedKind.ANTE, big) for seat in everyone]
        return (*antes, ForcedBet(seats, ForcedKind.BIG_BLIND, big))
    small_seat, big_seat = (1, 2) if seats > 2 else (2, 1)
    blinds = (
        ForcedBet(small_seat, ForcedKind.SMALL_BLIND, big // 2),
        ForcedBet(big_seat, ForcedKind.BIG_BLIND, big),
    )
    if rng.random() < 0.7:
        return blinds
    return (*blinds, *[ForcedBet(seat, ForcedKind.ANTE, big // 4) for seat in everyone])


def usual_setup(game: GameRow, structure: Structure, rng: Random) -> HandSetup:
    seats, big = rng.randint(2, _MOST_SEATS), rng.choice([4, 20, 100])
    least, most = 2 * big, rng.choice([5, 20, 100]) * big
    if structure is Structure.FIXED_LIMIT:
        least = most = 1_000 * big  # nobody is ever all-in
    stacks = [rng.randint(least, most) for _ in range(seats)]
    return HandSetup(
        hand_no=1,
        game=game,
        structure=structure,
        settings=HandSettings(
            smallest_chip_minor=1,
            min_bet_minor=big,
            big_bet_minor=2 * big,
            bring_in_minor=big // 2 if game.exposed is not None else 0,
            losers=rng.choice(list(Losers)),
            open_pair_rule=False,  # PokerKit has no such rule
            seventh_shortage=Shortage.COMMUNITY,
        ),
        seats=tuple([SeatStack(seat, stack) for seat, stack in enumerate(stacks, start=1)]),
        button=seats,
        forced=forced_bets(game, rng, seats, big),
    )


def played_there(text: str) -> tuple[list[int], list[int]]:
    """Play a document with PokerKit: the stacks it ends on, and those we wrote."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it has no words for our own fields
        history = notation.HandHistory.loads(text)
        *_, (state, _) = history.state_actions
    assert not state.status, f"PokerKit waits for more:\n{text}"
    return list(state.stacks), list(history.finishing_stacks)


@pytest.mark.rule("BET-1", "BET-11", "BET-30", "POT-1", "STD-2", "STD-5", "DRW-4", "SHD-3", "OMA-1")
@pytest.mark.parametrize("variant", GAMES_BY_VARIANT)
@pytest.mark.parametrize(
    "hands", [pytest.param(60, id="some"), pytest.param(1_000, id="many", marks=pytest.mark.slow)]
)
def test_pokerkit_ends_our_hands_on_our_stacks(variant: str, hands: int) -> None:
    game_id, structure = GAMES_BY_VARIANT[variant]
    odd = 0
    for number in range(hands):
        rng = Random(f"{variant} {number}")
        setup = usual_setup(GAMES[game_id], structure, rng)
        played = WatchedHand(setup, rng, thrifty=True).play()
        text = write_hand(setup, played.events, Heading(decimals=0, players={}))
        theirs, ours = played_there(text)
        assert sum(theirs) == sum(ours)
        if theirs != ours:
            odd += 1
            apart = max(abs(one - other) for one, other in zip(theirs, ours, strict=True))
            assert apart < len(setup.seats), (theirs, text)
    assert odd <= max(1, hands // 20)
