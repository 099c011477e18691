"""Slow, obvious second implementations, which read the events of a hand and nothing else."""

from collections.abc import Sequence
from itertools import combinations

from pokerfloor.cards import Card
from pokerfloor.games import (
    ActionTaken,
    ActKind,
    BetReturned,
    CardsRevealed,
    Event,
    ForcedBetPosted,
    ForcedKind,
    GameRow,
    Half,
    HandSetup,
    HandShown,
    HoleCardUse,
    PlaceKind,
    StreetBegan,
)
from pokerfloor.ranking import RANKINGS

DEAD = (ForcedKind.ANTE, ForcedKind.BOMB, ForcedKind.ANTE_FOR_ALL, ForcedKind.DEAD_SMALL)


class Chips:
    """What each seat put in, in chips, by kind."""

    def __init__(self, setup: HandSetup, events: Sequence[Event]) -> None:
        chip = setup.settings.smallest_chip_minor
        self.antes = {seat: 0 for seat, _ in setup.seats}
        self.live = dict(self.antes)
        self.dead = 0
        self.folded: set[int] = set()
        for event in events:
            if isinstance(event, ForcedBetPosted):
                if event.kind in (ForcedKind.ANTE, ForcedKind.BOMB):
                    self.antes[event.seat] += event.amount // chip
                elif event.kind in (ForcedKind.ANTE_FOR_ALL, ForcedKind.DEAD_SMALL):
                    self.dead += event.amount // chip
                else:
                    self.live[event.seat] += event.amount // chip
            elif isinstance(event, ActionTaken):
                self.live[event.seat] += event.by // chip
                if event.kind is ActKind.FOLD:
                    self.folded.add(event.seat)
            elif isinstance(event, BetReturned):
                self.live[event.seat] -= event.amount // chip


def side_pots(chips: Chips) -> list[tuple[int, frozenset[int]]]:
    """POT-1, one chip of height at a time: (chips, who can win them), main pot first."""
    living = frozenset(chips.live) - chips.folded
    pots: dict[frozenset[int], int] = {living: chips.dead} if chips.dead else {}
    for paid in (chips.antes, chips.live):
        below = living
        for height in range(1, max(paid.values()) + 1):
            payers = {seat for seat, amount in paid.items() if amount >= height}
            contenders = frozenset(payers & living) or below
            pots[contenders] = pots.get(contenders, 0) + len(payers)
            below = contenders
    return [(size, seats) for seats, size in sorted(pots.items(), key=lambda pot: -len(pot[0]))]


PartKey = tuple[int, int, Half]  # pot, board, half


def part_winners(
    setup: HandSetup, events: Sequence[Event], rake_by_pot: Sequence[int]
) -> dict[PartKey, tuple[int, set[int]]]:
    """For each part of each contested pot its chips, dealt out one by one, and who wins it.

    The faces come from the events: a mucked hand is one that did not win. A part that nobody
    qualifies for has no chips (LOW-3, ODD-2, POT-3).
    """
    chip = setup.settings.smallest_chip_minor
    game = setup.game
    strengths = _strengths(game, events)
    parts: dict[PartKey, tuple[int, set[int]]] = {}
    for no, ((size, seats), rake) in enumerate(
        zip(side_pots(Chips(setup, events)), rake_by_pot, strict=True)
    ):
        left = size - rake // chip
        if len(seats) == 1:
            parts[no, 0, Half.WHOLE] = (left, set(seats))
            continue
        chips = dict.fromkeys(game.pot_parts(), 0)
        winners = {key: _best(strengths, seats, key) for key in chips}
        boards = range(game.boards)
        for nth in range(left):
            board = boards[nth % len(boards)]
            halves = [key for key in chips if key[0] == board and winners[key]]
            chips[halves[nth // len(boards) % len(halves)]] += 1
        parts |= {(no, *key): (chips[key], winners[key]) for key in chips if chips[key]}
    return parts


def payouts(
    setup: HandSetup, events: Sequence[Event], rake_by_pot: Sequence[int]
) -> dict[int, int]:
    """What each seat gets where a pot is not divided into parts: the chips in turn (ODD-1)."""
    chip = setup.settings.smallest_chip_minor
    numbers = [seat for seat, _ in setup.seats]
    order = [s for s in numbers if s > setup.button] + [s for s in numbers if s <= setup.button]
    paid = dict.fromkeys(numbers, 0)
    for size, winners in part_winners(setup, events, rake_by_pot).values():
        in_turn = [seat for seat in order if seat in winners]
        for nth in range(size):
            paid[in_turn[nth % len(in_turn)]] += chip
    return paid


_Strengths = dict[tuple[int, Half], dict[int, int]]


def _best(strengths: _Strengths, seats: frozenset[int], key: tuple[int, Half]) -> set[int]:
    claims = {seat: strength for seat, strength in strengths[key].items() if seat in seats}
    best = max(claims.values(), default=0)
    return {seat for seat, strength in claims.items() if strength == best and best}


def _strengths(game: GameRow, events: Sequence[Event]) -> _Strengths:
    """By part and seat: the best of all hands that may be made; 0 where none qualifies."""
    boards: list[list[Card]] = [[] for _ in range(game.boards)]
    for event in events:
        if isinstance(event, CardsRevealed):
            for place, card in event.cards:
                if place.kind in (PlaceKind.BOARD, PlaceKind.COMMUNITY):
                    boards[place.owner].append(card)
    hands = {
        event.seat: [card for _, card in event.cards]
        for event in events
        if isinstance(event, HandShown)
    }
    return {
        (number, part.half): {
            seat: max(map(RANKINGS[part.ranking].strength, _hands(game, hole, board)))
            for seat, hole in hands.items()
        }
        for number, board in enumerate(boards)
        for part in game.parts
    }


def _hands(game: GameRow, hole: list[Card], board: list[Card]) -> list[tuple[Card, ...]]:
    if game.hole_cards_used is HoleCardUse.EXACTLY_TWO:
        return [(*two, *three) for two in combinations(hole, 2) for three in combinations(board, 3)]
    cards = (*hole, *board)
    return list(combinations(cards, min(5, len(cards))))


def raise_rules(setup: HandSetup, events: Sequence[Event], seat: int) -> tuple[int, bool]:
    """BET-10 to BET-12 for no-limit by increments, read off the history of the street.

    Returns the least that the next full bet or raise makes it, and whether the betting is open to
    the seat.
    """
    level, increment = 0, setup.settings.min_bet_minor
    short_since: dict[int, int] = {}  # seat that has acted since the last full one -> sum of shorts
    front: dict[int, int] = {}
    for event in events:
        if isinstance(event, StreetBegan):
            level, increment, short_since, front = 0, setup.settings.min_bet_minor, {}, {}
        elif isinstance(event, ForcedBetPosted):
            if event.kind in DEAD:
                continue
            front[event.seat] = front.get(event.seat, 0) + event.amount
            full = next(b.amount for b in setup.forced if b[:2] == (event.seat, event.kind))
            if event.kind is ForcedKind.BIG_BLIND:
                level, increment = max(level, full), max(increment, full)
            elif event.kind is ForcedKind.STRADDLE and event.amount == full:
                level, increment = max(level, front[event.seat]), front[event.seat]
            level = max(level, front[event.seat])
        elif isinstance(event, ActionTaken):
            by = event.to - level
            if event.kind in (ActKind.BET, ActKind.RAISE):
                if by >= increment:
                    increment, short_since = by, {}
                else:
                    short_since = {other: total + by for other, total in short_since.items()}
                level = event.to
            short_since[event.seat] = 0
    is_open = seat not in short_since or short_since[seat] >= increment
    return level + increment, is_open
