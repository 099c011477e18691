"""`floorctl deal`: a random hand, every card open, street by street."""

from __future__ import annotations

import argparse
import random

from pokerfloor.cards import DECKS, Card
from pokerfloor.floorctl.arguments import ArgumentError, read_game, refuse
from pokerfloor.floorctl.hand_lines import HandLines
from pokerfloor.games import (
    Act,
    ActKind,
    ChooseFacing,
    DiscardCards,
    ForcedBet,
    ForcedKind,
    GameRow,
    Hand,
    HandSettings,
    HandSetup,
    InvalidSetupError,
    KnownDeck,
    Opener,
    SeatStack,
    Structure,
    SwapCards,
    WaitAction,
    WaitDiscard,
    WaitFacing,
    play_out,
)
from pokerfloor.limits import MAX_SEATS

_CHIP = 1
_SMALL_BET = 2
_BIG_BET = 4
_STACK = 200
_MOST_STACK = 1_000_000
_SEATS = 4


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "deal",
        help="play a random hand and print it street by street",
        description="Deals a hand from a shuffled deck to players who mostly check and call, and "
        f"prints it with every card open. Blinds {_CHIP}/{_SMALL_BET} (or antes). "
        "The same arguments give the same hand.",
    )
    parser.add_argument("game", metavar="GAME", help="a game's id, or a row in a .json file")
    parser.add_argument("--seats", type=int, metavar="N", help=f"default {_SEATS}")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="default %(default)s")
    parser.add_argument(
        "--structure", choices=[str(one) for one in Structure], help="default: the game's usual"
    )
    parser.add_argument(
        "--bomb", type=int, metavar="AMOUNT", help="a bomb pot: everybody posts it, no blinds"
    )
    parser.add_argument(
        "--stacks",
        metavar="A,B,…",
        help=f"one for each seat, short ones for side pots; default {_STACK} each",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play the hand; returns the exit code."""
    try:
        game = read_game(args.game)
        stacks = _stacks(args.stacks, args.seats)
        hand = Hand(_setup(game, stacks, args.structure, args.bomb))
    except ArgumentError as error:
        return refuse("deal", error.code, str(error))
    except InvalidSetupError as error:
        return refuse("deal", error.refusals[0].code, error.refusals[0].reason)
    rng = random.Random(args.seed)  # noqa: S311 - a hand to be had again, not a game for money
    cards = DECKS[game.deck].cards
    deck = KnownDeck(rng.sample(cards, len(cards)), reshuffle=_Reshuffles(args.seed))
    lines = HandLines(hand, deck)
    print(f"{game.name}, {hand.setup.structure}, {len(stacks)} seats, button on {len(stacks)}")
    player = _Player(rng)
    play_out(
        hand,
        deck,
        player.act,
        lambda event: _print(lines.of(event)),
        player.discard,
        player.facing,
    )
    return 0


def _print(lines: list[str]) -> None:
    for line in lines:
        print(line)


def _stacks(text: str | None, seats: int | None) -> list[int]:
    """Return what each seat begins with. Raises ArgumentError."""
    stacks = None if text is None else _numbers(text)
    if seats is None:
        seats = _SEATS if stacks is None else len(stacks)
    if not 2 <= seats <= MAX_SEATS:
        raise ArgumentError("BAD_SEATS", f"2 to {MAX_SEATS} seats, not {seats}")
    if stacks is None:
        return [_STACK] * seats
    if len(stacks) != seats:
        raise ArgumentError("BAD_STACKS", f"{len(stacks)} stacks for {seats} seats")
    for stack in stacks:
        if not 1 <= stack <= _MOST_STACK:
            raise ArgumentError("BAD_STACKS", f"a stack is 1 to {_MOST_STACK}, not {stack}")
    return stacks


def _numbers(text: str) -> list[int]:
    try:
        return [int(word) for word in text.split(",")]
    except ValueError:
        raise ArgumentError("BAD_STACKS", f"{text!r} is no list of numbers") from None


def _setup(game: GameRow, stacks: list[int], structure: str | None, bomb: int | None) -> HandSetup:
    seats = len(stacks)
    return HandSetup(
        hand_no=1,
        game=game,
        structure=game.structures[0] if structure is None else Structure(structure),
        settings=HandSettings(
            smallest_chip_minor=_CHIP,
            min_bet_minor=_SMALL_BET,
            big_bet_minor=_BIG_BET,
            bring_in_minor=_CHIP,
        ),
        seats=tuple([SeatStack(seat, stack) for seat, stack in enumerate(stacks, start=1)]),
        button=seats,
        forced=_forced(game, seats) if bomb is None else _bomb(seats, bomb),
    )


def _forced(game: GameRow, seats: int) -> tuple[ForcedBet, ...]:
    """Return the blinds; antes in stud; antes and the button's blind in short deck (SHD-2)."""
    everybody = range(1, seats + 1)
    if game.exposed is not None:
        # In Mata Ases the least bet is the ante (MAT-2).
        ante = _SMALL_BET if game.streets[0].opener is Opener.HIGHEST_UP else _CHIP
        return tuple([ForcedBet(seat, ForcedKind.ANTE, ante) for seat in everybody])
    if game.streets[0].opener is Opener.LEFT_OF_BUTTON:
        antes = [ForcedBet(seat, ForcedKind.ANTE, _SMALL_BET) for seat in everybody]
        return (*antes, ForcedBet(seats, ForcedKind.BIG_BLIND, _SMALL_BET))
    small, big = (2, 1) if seats == 2 else (1, 2)
    return (
        ForcedBet(small, ForcedKind.SMALL_BLIND, _CHIP),
        ForcedBet(big, ForcedKind.BIG_BLIND, _SMALL_BET),
    )


def _bomb(seats: int, amount: int) -> tuple[ForcedBet, ...]:
    """Return what everybody posts in a bomb pot (BMB-1)."""
    return tuple([ForcedBet(seat, ForcedKind.BOMB, amount) for seat in range(1, seats + 1)])


class _Reshuffles:
    """The order of later generations of the deck, the same each time it is asked for."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def __call__(self, generation: int, cards: tuple[Card, ...]) -> list[Card]:
        rng = random.Random(f"{self._seed}/{generation}")  # noqa: S311 - as the deck itself
        return rng.sample(cards, len(cards))


class _Player:
    """Mostly checks and calls; now and then bets a little or all, folds, swaps and draws."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def act(self, wait: WaitAction, _hand: Hand) -> Act | SwapCards:
        seat, turn_no, legal = wait
        if legal.swap_slots and self._rng.random() < 0.3:
            return SwapCards(seat, turn_no, (self._rng.choice(legal.swap_slots),))
        mood = self._rng.random()
        if mood < 0.2 and legal.bet_max:
            return Act(seat, turn_no, ActKind.BET, self._amount(legal.bet_min, legal.bet_max))
        if mood < 0.1 and legal.raise_max:
            to = self._amount(legal.raise_min, legal.raise_max)
            return Act(seat, turn_no, ActKind.RAISE, to)
        if legal.can_check:
            return Act(seat, turn_no, ActKind.CHECK)
        kind = ActKind.FOLD if mood > 0.8 or not legal.call_by else ActKind.CALL
        return Act(seat, turn_no, kind)

    def _amount(self, least: int, most: int) -> int:
        return most if self._rng.random() < 0.25 else least

    def discard(self, wait: WaitDiscard, _hand: Hand) -> DiscardCards:
        count = self._rng.randint(
            wait.min_discards, min(wait.max_discards, max(wait.min_discards, 3))
        )
        discarded = self._rng.sample(wait.places, count)
        return DiscardCards(wait.seat, wait.turn_no, tuple([place.slot for place in discarded]))

    def facing(self, wait: WaitFacing, _hand: Hand) -> ChooseFacing:
        return ChooseFacing(wait.seat, wait.turn_no, face_down=self._rng.random() < 0.5)
