"""Whole hands six-handed on one core: hold'em, short deck and stud beside PokerKit, and every game.

Compared is a hand from its setup to its last chip paid, played through the public interfaces with
everything on: here every event and every assertion, there all automations, and one game object for
all hands, which is its fastest ordinary use. Both play the same streets with the same burns, antes,
blinds and stacks, and everybody checks or calls; in stud the bring-in is the small bet here and a
chip less there, where it may not be a full one. A hand beaten at the showdown is mucked by both.
The rounds take turns, so that a busy machine slows down both; what counts is the median of their
ratios. Our decks are shuffled beforehand: that is no work of an engine's (and a thousandth of
PokerKit's time for a hand).

In the list of every game all hands are shown, which is a table's default.
"""

import random
import sys
from collections.abc import Callable
from importlib.metadata import version
from itertools import cycle
from statistics import median
from time import process_time
from typing import Final

from pokerkit import (
    Automation,
    FixedLimitSevenCardStud,
    NoLimitShortDeckHoldem,
    NoLimitTexasHoldem,
    State,
)

from pokerfloor.cards import DECKS
from pokerfloor.games import (
    COMPILED,
    GAMES,
    HOLDEM,
    Act,
    ActKind,
    ForcedBet,
    ForcedKind,
    GameRow,
    Hand,
    HandSettings,
    HandSetup,
    KnownDeck,
    Losers,
    Opener,
    SeatStack,
    WaitAction,
    play_out,
)

ROUNDS: Final = 9
SECONDS: Final = 0.4
SEATS: Final = 6
STACK: Final = 10_000
SMALL, BIG = 50, 100
WANTED_RATIO: Final = 30

_CHECK, _CALL, _FOLD = ActKind.CHECK, ActKind.CALL, ActKind.FOLD
_BET, _RAISE = ActKind.BET, ActKind.RAISE

Play = Callable[[], object]
Policy = Callable[[WaitAction, Hand], Act]

AUTOMATIONS: Final = tuple(Automation)
STACKS: Final = (STACK,) * SEATS
THEIR_HOLDEM: Final = NoLimitTexasHoldem(AUTOMATIONS, True, 0, (SMALL, BIG), BIG)
THEIR_SHORT_DECK: Final = NoLimitShortDeckHoldem(AUTOMATIONS, True, BIG, {-1: BIG}, BIG)
THEIR_STUD: Final = FixedLimitSevenCardStud(AUTOMATIONS, True, BIG, BIG - 1, BIG, 2 * BIG)


def check_or_call(wait: WaitAction, _: Hand) -> Act:
    """Go to the showdown."""
    seat, turn_no, legal = wait
    return Act(seat, turn_no, _CHECK if legal.can_check else _CALL)


def at_random(rng: random.Random) -> Policy:
    """Return a policy of folds, calls and minimum raises, a third each."""

    def policy(wait: WaitAction, _: Hand) -> Act:
        legal, choice = wait.legal, rng.random()
        if choice < 1 / 3:
            return Act(wait.seat, wait.turn_no, _CHECK if legal.can_check else _FOLD)
        if choice < 2 / 3 and (legal.raise_min or legal.bet_min):
            kind = _RAISE if legal.raise_min else _BET
            return Act(wait.seat, wait.turn_no, kind, legal.raise_min or legal.bet_min)
        return Act(wait.seat, wait.turn_no, _CHECK if legal.can_check else _CALL)

    return policy


def playing(game: GameRow, policy: Policy = check_or_call, losers: Losers = Losers.SHOW) -> Play:
    """Return how to play a hand of a game; where there are draws, everybody stands pat."""
    cards = DECKS[game.deck].cards
    shuffled = [random.Random(seed).sample(cards, len(cards)) for seed in range(500)]
    next_deck = cycle([KnownDeck(deck) for deck in shuffled]).__next__
    setup = setup_of(game, losers)
    return lambda: play_out(Hand(setup), next_deck(), policy)


def setup_of(game: GameRow, losers: Losers) -> HandSetup:
    """Return six equal stacks with the usual forced bets of a game."""
    seats = range(1, SEATS + 1)
    forced: tuple[ForcedBet, ...] = (
        ForcedBet(1, ForcedKind.SMALL_BLIND, SMALL),
        ForcedBet(2, ForcedKind.BIG_BLIND, BIG),
    )
    antes = tuple([ForcedBet(seat, ForcedKind.ANTE, BIG) for seat in seats])
    if game.exposed is not None:
        forced = antes
    elif game.streets[0].opener is Opener.LEFT_OF_BUTTON:
        forced = (*antes, ForcedBet(SEATS, ForcedKind.BIG_BLIND, BIG))
    return HandSetup(
        hand_no=1,
        game=game,
        structure=game.structures[0],
        settings=HandSettings(
            smallest_chip_minor=1, min_bet_minor=BIG, big_bet_minor=2 * BIG, losers=losers
        ),
        seats=tuple([SeatStack(seat, STACK) for seat in seats]),
        button=SEATS,
        forced=forced,
    )


def their_call_down(game: Callable[[tuple[int, ...], int], State]) -> Play:
    """Return how PokerKit plays a hand in which everyone checks or calls."""

    def play() -> None:
        state = game(STACKS, SEATS)
        while state.status:
            state.check_or_call()

    return play


def their_stud() -> None:
    """Play one hand in which the bring-in is not completed and everyone checks or calls."""
    state = THEIR_STUD(STACKS, SEATS)
    state.post_bring_in()
    while state.status:
        state.check_or_call()


def their_random(rng: random.Random) -> Play:
    """Return how PokerKit plays a hand of folds, calls and minimum raises, a third each."""

    def play() -> None:
        state = THEIR_HOLDEM(STACKS, SEATS)
        while state.status:
            choice = rng.random()
            if choice < 1 / 3 and state.can_fold():
                state.fold()
            elif 1 / 3 <= choice < 2 / 3 and state.can_complete_bet_or_raise_to():
                state.complete_bet_or_raise_to(state.min_completion_betting_or_raising_to_amount)
            else:
                state.check_or_call()

    return play


def rate(play: Play, seconds: float = SECONDS) -> float:
    """Return hands a second of processor time, over about so many of it."""
    hands, start = 0, process_time()
    while (passed := process_time() - start) < seconds:
        for _ in range(10):
            play()
        hands += 10
    return hands / passed


def compare(name: str, ours: Play, theirs: Play, wanted: float = 0) -> bool:
    """Print the rates and their ratio; tell whether it is what is wanted."""
    rate(ours), rate(theirs)  # warm up
    rates = [(rate(ours), rate(theirs)) for _ in range(ROUNDS)]
    ratios = [mine / other for mine, other in rates]
    mine, other = (median(values) for values in zip(*rates, strict=True))
    print(
        f"{name:<28} {mine:7,.0f} hands/s   PokerKit {version('pokerkit')} {other:7,.1f} hands/s   "
        f"ratio {median(ratios):5.1f} (from {min(ratios):.1f} to {max(ratios):.1f})"
        f"{f', wanted {wanted}' if wanted else ''}",
        flush=True,
    )
    return median(ratios) >= wanted


def beside_pokerkit() -> int:
    """Print how many times as fast as PokerKit we are; return how many games miss the target."""
    their_holdem = their_call_down(THEIR_HOLDEM)
    their_short_deck = their_call_down(THEIR_SHORT_DECK)
    missed = 0
    for game, theirs in (
        (HOLDEM, their_holdem),
        (GAMES["short_deck"], their_short_deck),
        (GAMES["stud7"], their_stud),
    ):
        ours = playing(game, losers=Losers.MUCK)
        missed += not compare(f"{game.id}, call-down", ours, theirs, WANTED_RATIO)
    # Told only: what is left out of a hand is less there than here.
    policy = at_random(random.Random(1))
    ours = playing(HOLDEM, policy, Losers.MUCK)
    compare("holdem, random actions", ours, their_random(random.Random(1)))
    return missed


def least_rate(game: GameRow) -> int:
    """Return the hands a second that are wanted of a game."""
    return 600 if game.boards > 1 or 5 <= game.hole_cards() <= 6 else 1000


def every_game() -> int:
    """Print the rate of every game; return how many are slower than is wanted."""
    slow = 0
    for game in GAMES.values():
        play = playing(game)
        play()
        best = max(rate(play, SECONDS / 4) for _ in range(3))
        wanted = least_rate(game)
        slow += best < wanted
        print(f"{game.id:<28} {best:7,.0f} hands/s, wanted {wanted:,}")
    return slow


def main() -> int:
    """Print the rates and ratios; 1 when any of them is below what is wanted."""
    rules = "rules compiled" if COMPILED else "rules as written, not compiled"
    print(f"{SEATS} seats, one core, {rules}, losers muck, median of {ROUNDS} rounds in turns")
    missed = beside_pokerkit()
    print("every game, check/call to showdown, all hands shown, best of three")
    slow = every_game()
    if missed or slow:
        print(f"MISSED: {missed} ratios below {WANTED_RATIO}, {slow} games below their rate")
    return int(bool(missed or slow))


if __name__ == "__main__":
    sys.exit(main())
