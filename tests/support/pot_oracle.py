"""The awards of a hand found again: the pots chip by chip, the hands by every five cards.

What the rules leave no room for is exact: who wins a part, its size, and who gets its odd chips
among seats that do not win the same parts (ODD-1, ODD-2). Where ODD-3 lets like winners take turns,
what their group gets is exact, and they differ by a chip at most.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from pokerfloor.cards import Card, parse_cards, rank_of, suit_of
from pokerfloor.games import (
    ActionTaken,
    ActKind,
    BetReturned,
    CardsRevealed,
    CarriedPotAdded,
    Event,
    ForcedBetPosted,
    ForcedKind,
    GameRow,
    Half,
    HandRedealt,
    HandResult,
    HandSetup,
    HandShown,
    HoleCardUse,
    OddChips,
    PlaceKind,
    SplitAnswered,
)
from pokerfloor.ranking import RANKINGS

_Key = tuple[int, int, Half]
_Parts = dict[_Key, tuple[int, set[int]]]


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


def check_result(setup: HandSetup, events: Sequence[Event], result: HandResult) -> None:
    """Pots, rake and awards of a hand that was not voided."""
    chip = setup.settings.smallest_chip_minor
    pots = [(pot.amount // chip, frozenset(pot.eligible)) for pot in result.pots]
    assert pots == _pots(setup, events), "POT-1"
    pot_nos = [award.pot_no for award in result.awards]
    assert pot_nos == sorted(pot_nos, reverse=True), "POT-4: the last side pot first"
    got: dict[_Key, dict[int, int]] = {}
    for award in result.awards:
        part = got.setdefault((award.pot_no, award.board, award.half), {})
        assert award.seat not in part, "one award of a part to a seat"
        assert award.amount % chip == 0
        part[award.seat] = award.amount // chip
    due = _parts(setup, events, result)
    carried = {pot.pot_no for pot in result.carried}
    assert carried == {no for no in range(len(pots)) if not any(key[0] == no for key in due)}
    assert got.keys() == {key for key, part in due.items() if part[0]}, "the parts that are won"
    for key, (size, winners) in due.items():
        amounts = got.get(key, {})
        assert set(amounts) <= winners
        assert sum(amounts.values()) == size, "ODD-2"
        order = [seat for seat in odd_order(setup, events, key[2]) if seat in winners]
        _check_part(amounts, order, due, key)
    _check_alike(got, due)


def _pots(setup: HandSetup, events: Sequence[Event]) -> list[tuple[int, frozenset[int]]]:
    """POT-1, MAT-6, MAT-7: a carried pot lies in the main one, or is for those with a claim."""
    chips = Chips(setup, events)
    amount = sum(event.amount for event in events if isinstance(event, CarriedPotAdded))
    pots = {seats: size for size, seats in side_pots(chips)}
    if amount:
        living = frozenset(chips.live) - chips.folded
        claims = (living & frozenset(setup.carried.seats)) or living
        pots[claims] = pots.get(claims, 0) + amount // setup.settings.smallest_chip_minor
    ordered = sorted(pots.items(), key=lambda pot: -len(pot[0]))
    return [(size, seats) for seats, size in ordered]


def _parts(setup: HandSetup, events: Sequence[Event], result: HandResult) -> _Parts:
    """For each part of each pot that is paid its chips, dealt out one by one, and who wins it.

    A part that nobody qualifies for is left out (LOW-3); a pot without any is carried (MAT-6),
    unless all of the showdown agree to split it.
    """
    chip, game = setup.settings.smallest_chip_minor, setup.game
    strengths = _strengths(game, events)
    answers = [event.agrees for event in events if isinstance(event, SplitAnswered)]
    parts: _Parts = {}
    for pot in result.pots:
        left = (pot.amount - result.rake.by_pot[pot.no]) // chip
        if len(pot.eligible) == 1:
            parts[pot.no, 0, Half.WHOLE] = (left, set(pot.eligible))
            continue
        winners = {
            (board, half): _best(strengths[board, half], pot.eligible)
            for board, half in game.pot_parts()
        }
        if answers and all(answers) and not any(winners.values()):
            winners = {key: set(pot.eligible) for key in winners}
        sizes = dict.fromkeys(winners, 0)
        for nth in range(left if any(winners.values()) else 0):
            board = nth % game.boards
            halves = [key for key in winners if key[0] == board and winners[key]]
            sizes[halves[nth // game.boards % len(halves)]] += 1
        won = {key: seats for key, seats in winners.items() if seats}
        parts |= {(pot.no, *key): (sizes[key], seats) for key, seats in won.items()}
    return parts


def _best(strengths: dict[int, int], eligible: Sequence[int]) -> set[int]:
    claims = {seat: strength for seat, strength in strengths.items() if seat in eligible}
    best = max(claims.values(), default=0)
    return {seat for seat, strength in claims.items() if strength == best and best}


def _strengths(game: GameRow, events: Sequence[Event]) -> dict[tuple[int, Half], dict[int, int]]:
    """By part and seat: the best of all hands that may be made; 0 where none qualifies.

    The faces come from the events: a mucked hand is one that did not win.
    """
    boards: list[list[Card]] = [[] for _ in range(game.boards)]
    for event in events:
        if isinstance(event, CardsRevealed):
            for place, card in event.cards:
                if place.kind is not PlaceKind.SEAT:
                    boards[place.owner].append(card)
    hands = {e.seat: [card for _, card in e.cards] for e in events if isinstance(e, HandShown)}
    found: dict[tuple[int, Half], dict[int, int]] = {}
    for number, board in enumerate(boards):
        for part in game.parts:
            strength = RANKINGS[part.ranking].strength
            least = strength(parse_cards(part.qualifier)) if part.qualifier else 0
            best = {
                seat: max(map(strength, _makes(game, hole, board))) for seat, hole in hands.items()
            }
            found[number, part.half] = {s: b if b >= least else 0 for s, b in best.items()}
    return found


def _makes(game: GameRow, hole: list[Card], board: list[Card]) -> list[tuple[Card, ...]]:
    if game.hole_cards_used is HoleCardUse.EXACTLY_TWO:
        return [(*two, *three) for two in combinations(hole, 2) for three in combinations(board, 3)]
    if game.hole_cards_used is HoleCardUse.AT_MOST_ONE_OF_BOARD:
        fours = [(*four, one) for four in combinations(hole, 4) for one in board]
        return [*combinations(hole, 5), *fours]
    cards = (*hole, *board)
    return list(combinations(cards, min(5, len(cards))))


def _check_part(got: dict[int, int], order: list[int], due: _Parts, key: _Key) -> None:
    """ODD-1: the odd chips go to the first in order, or to who wins the same as they do."""
    size = due[key][0]
    each, odd = divmod(size, len(order))
    for group in _groups(order, due, key[0]):
        lucky = sum(seat in group for seat in order[:odd])
        assert sum(got.get(seat, 0) for seat in group) == each * len(group) + lucky
        assert {got.get(seat, 0) - each for seat in group} <= {0, 1}


def _groups(order: list[int], due: _Parts, pot_no: int) -> list[list[int]]:
    """The winners of a part, together with those who win exactly the same parts of the pot."""
    alike: dict[tuple[_Key, ...], list[int]] = {}
    for seat in order:
        won = tuple(
            key for key, (_, winners) in due.items() if key[0] == pot_no and seat in winners
        )
        alike.setdefault(won, []).append(seat)
    return list(alike.values())


def _check_alike(got: dict[_Key, dict[int, int]], due: _Parts) -> None:
    """ODD-3: who wins exactly the same parts of a pot gets as much, but for a chip."""
    for pot_no in {key[0] for key in due}:
        winners = {seat for key, (_, won) in due.items() if key[0] == pot_no for seat in won}
        for group in _groups(sorted(winners), due, pot_no):
            totals = [
                sum(part.get(seat, 0) for key, part in got.items() if key[0] == pot_no)
                for seat in group
            ]
            assert max(totals) - min(totals) <= 1


def odd_order(setup: HandSetup, events: Sequence[Event], half: Half) -> list[int]:
    """ODD-1: left of the button, or by the own cards: the highest, among lows the lowest."""
    button = setup.button
    for event in events:
        if isinstance(event, HandRedealt):
            button = event.button
    numbers = [seat for seat, _ in setup.seats]
    clockwise = [s for s in numbers if s > button] + [s for s in numbers if s <= button]
    if setup.game.odd_chips is OddChips.LEFT_OF_BUTTON:
        return clockwise
    hole = {
        event.seat: [card for place, card in event.cards if place.kind is PlaceKind.SEAT]
        for event in events
        if isinstance(event, HandShown)
    }
    if half is Half.WHOLE:
        return clockwise
    if half is Half.LOW:
        return sorted(hole, key=lambda seat: min(_low_card(card) for card in hole[seat]))
    return sorted(hole, key=lambda seat: max(_high_card(card) for card in hole[seat]), reverse=True)


def _high_card(card: Card) -> tuple[int, int]:
    return rank_of(card), suit_of(card)


def _low_card(card: Card) -> tuple[int, int]:
    return (rank_of(card) + 1) % 13, suit_of(card)
