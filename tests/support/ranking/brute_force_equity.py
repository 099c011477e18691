"""Equity the slow and obvious way: every run-out, ranked hand by hand."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from pokerfloor.cards import DECKS, Card
from pokerfloor.games import GameRow, Half
from pokerfloor.ranking import NO_LOW, RANKINGS, Use, choose


class Counted(NamedTuple):
    """Per (board, half): run-outs, those of nobody, and (wins, ties, share) by hand."""

    parts: dict[tuple[int, Half], tuple[int, int, list[tuple[int, int, Fraction]]]]
    shares: list[Fraction]


def brute_force(
    game: GameRow,
    hands: Sequence[Sequence[Card]],
    boards: Sequence[Sequence[Card]],
    dead: Sequence[Card] = (),
) -> Counted:
    seen = {card for cards in (*hands, *boards, dead) for card in cards}
    unseen = [card for card in DECKS[game.deck].cards if card not in seen]
    counted = Counted({}, [Fraction()] * len(hands))
    for number, board in enumerate(boards):
        runouts = list(combinations(unseen, game.board_cards() - len(board)))
        for part in game.parts:
            counted.parts[number, part.half] = (
                len(runouts),
                0,
                [(0, 0, Fraction())] * len(hands),
            )
        for runout in runouts:
            winners = {
                part.half: _winners(game, part.ranking, hands, (*board, *runout))
                for part in game.parts
            }
            for half, won in winners.items():
                _count(counted, (number, half), won)
            halves = [won for won in winners.values() if won]
            for won in halves:
                for hand in won:
                    counted.shares[hand] += Fraction(
                        1, len(halves) * len(won) * len(runouts) * len(boards)
                    )
    return counted


def _winners(
    game: GameRow, ranking: str, hands: Sequence[Sequence[Card]], board: Sequence[Card]
) -> list[int]:
    choice = choose(RANKINGS[ranking], Use(game.hole_cards_used))
    strengths = [choice.strength(hand, board) for hand in hands]
    best = max(strengths)
    return [n for n, strength in enumerate(strengths) if strength == best != NO_LOW]


def _count(counted: Counted, key: tuple[int, Half], won: list[int]) -> None:
    runouts, nobody, shares = counted.parts[key]
    for hand in won:
        wins, ties, share = shares[hand]
        alone = len(won) == 1
        shares[hand] = (
            wins + alone,
            ties + (not alone),
            share + Fraction(1, len(won) * runouts),
        )
    counted.parts[key] = (runouts, nobody + (not won), shares)
