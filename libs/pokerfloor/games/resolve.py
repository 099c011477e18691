"""The showdown as a pure function of the request and the faces (SHW, ODD)."""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from operator import ge
from typing import Final

from pokerfloor.cards import UNKNOWN, Card
from pokerfloor.games.carrying import pot_winners, settle
from pokerfloor.games.faces import faces_problem
from pokerfloor.games.places import Place
from pokerfloor.games.refusal import Code, Refusal
from pokerfloor.games.rows import GameRow, Half, OddChips
from pokerfloor.games.setup import Losers
from pokerfloor.games.showdown import (
    Award,
    HandRank,
    Pot,
    ShowdownRequest,
    ShowdownResult,
    ShownHand,
)
from pokerfloor.games.splitting import PartWinners, split_pot
from pokerfloor.ranking import NO_LOW, RANKINGS, Choice, Use, card_order, choose

_Cards = tuple[Card, ...]
_make = tuple.__new__  # half the time of calling the class
_MUCK: Final = Losers.MUCK  # an Enum lookup costs as much as comparing two hands
_Part = tuple[int, Half, Choice, _Cards]  # board number, half, how it is won, board
_Strengths = dict[int, list[int]]  # by seat, in the order of the parts of a pot


def resolve(
    request: ShowdownRequest,
    faces: Mapping[Place, Card],
    always_show: Collection[int] = (),
) -> ShowdownResult | Refusal:
    """Return who shows, who mucks and who wins what.

    `faces` must have the hole cards of every seat in the request, except those already `known`. A
    seat with a missing or unknown face is mucked if the settings allow that, else the request is
    refused (WRONG_CARDS). `always_show` are the seats that show even when beaten (SHW-2).
    """
    hands = _read_hands(request, faces)
    problem = _problem(request, hands)
    if problem:
        return Refusal(Code.WRONG_CARDS, problem, "faces")
    game = request.game
    parts = [
        (number, half, choice, board)
        for number, board in enumerate(request.boards)
        for half, choice in _choices(game)
    ]
    ways = [(choice.unchecked, board) for _, _, choice, board in parts]
    strengths = {
        seat: [strength_of(hole, board) for strength_of, board in ways]
        for seat, hole in hands.items()
    }
    if game.carries():
        winners, awards, carried = _settle(request, strengths)
        everybody = strengths.keys() if request.all_in else ()
        showing: Collection[int] = {*winners, *always_show, *everybody} & strengths.keys()
    else:
        showing = _who_shows(request, strengths, always_show)
        awards, carried = _award(request, hands, strengths), ()
    places = dict(request.seats)
    shown = [
        _shown(seat, places[seat], hands[seat], parts, strengths[seat])
        for seat in request.order
        if seat in showing
    ]
    mucked = [seat for seat in request.order if seat not in showing]
    return _make(ShowdownResult, (tuple(shown), tuple(mucked), awards, carried))


def _read_hands(request: ShowdownRequest, faces: Mapping[Place, Card]) -> dict[int, _Cards]:
    """Return the hole cards of the seats with all faces known."""
    lookup = dict(faces)
    lookup.update(request.known)
    face_at = lookup.get
    hands: dict[int, _Cards] = {}
    for seat, places in request.seats:
        cards = tuple([face_at(place, UNKNOWN) for place in places])
        if UNKNOWN not in cards:
            hands[seat] = cards
    return hands


def _problem(request: ShowdownRequest, hands: Mapping[int, _Cards]) -> str:
    if len(hands) < len(request.seats):
        unread = [entry.seat for entry in request.seats if entry.seat not in hands]
        if request.all_in or not request.unread_hands_muck:
            return f"no faces for the cards of seats {unread}"
        # In a game that carries pots, a pot that no known hand can win is carried (MAT-6).
        for pot in () if request.game.carries() else request.pots:
            if len(pot.eligible) > 1 and hands.keys().isdisjoint(pot.eligible):
                return f"no face of any seat that can win pot {pot.no}"
    seen = [card for cards in (*request.boards, *hands.values()) for card in cards]
    return faces_problem(request.game.deck, seen)


@lru_cache(maxsize=256)
def _choices(game: GameRow) -> tuple[tuple[Half, Choice], ...]:
    """Return how hole cards and a board are ranked for each half."""
    use = Use(game.hole_cards_used)
    return tuple([(part.half, choose(RANKINGS[part.ranking], use)) for part in game.parts])


def _shown(
    seat: int,
    places: Sequence[Place],
    hole: _Cards,
    parts: Sequence[_Part],
    strengths: Sequence[int],
) -> ShownHand:
    """Return a hand with its rank for each part of a pot."""
    cards = tuple(zip(places, hole, strict=True))
    ranks = [
        _make(HandRank, (no, half, *choice.hand(hole, board, strengths[part])))
        for part, (no, half, choice, board) in enumerate(parts)
    ]
    return _make(ShownHand, (seat, cards, tuple(ranks)))


def _who_shows(
    request: ShowdownRequest,
    strengths: _Strengths,
    always_show: Collection[int],
) -> Collection[int]:
    """Return the seats that show (SHW-2); a hand that cannot win or tie any part is mucked."""
    if request.all_in or request.losers is not _MUCK:
        return strengths.keys()
    contested = [pot for pot in request.pots if len(pot.eligible) > 1]
    # By pot, the best strength shown so far for each part; a hand without a low is below it.
    best_shown = {pot.no: [NO_LOW + 1] * len(request.game.pot_parts()) for pot in contested}
    showing: set[int] = set()
    for seat in request.order:
        if seat not in strengths:
            continue
        hole = strengths[seat]
        to_beat = [best_shown[no] for no, _, eligible in contested if seat in eligible]
        if seat in always_show or [best for best in to_beat if any(map(ge, hole, best))]:
            showing.add(seat)
            for best in to_beat:
                best[:] = map(max, best, hole)
    return showing


def _settle(
    request: ShowdownRequest, strengths: _Strengths
) -> tuple[set[int], tuple[Award, ...], tuple[int, ...]]:
    """Return the winners of contested pots, the awards, and the pots without a winner (MAT-6)."""
    assert request.raking is not None, "no rake inputs"
    best = {seat: of_seat[0] for seat, of_seat in strengths.items()}
    winners = pot_winners(request.game, request.pots, best)
    _, awards = settle(request.game, request.pots, winners, request.raking, request.from_button)
    pots = list(zip(request.pots, winners, strict=True))
    contested = {seat for pot, seats in pots if len(pot.eligible) > 1 for seat in seats}
    return contested, awards, tuple([pot.no for pot, seats in pots if not seats])


def _award(
    request: ShowdownRequest, hands: Mapping[int, _Cards], strengths: _Strengths
) -> tuple[Award, ...]:
    """Return the awards, the last side pot first (POT-4)."""
    odd_orders = _OddOrders(request, hands)
    awards: list[Award] = []
    for pot, rake in zip(reversed(request.pots), reversed(request.rake.by_pot), strict=True):
        if len(pot.eligible) == 1:
            awards.append(Award(pot.no, 0, Half.WHOLE, pot.eligible[0], pot.amount - rake))
            continue
        awards += split_pot(
            pot.no,
            pot.amount - rake,
            request.smallest_chip_minor,
            _winners(request.game, pot, strengths),
            odd_orders,
        )
    return tuple([award for award in awards if award.amount])


class _OddOrders(dict[Half, tuple[int, ...]]):
    """By half, the order in which seats get its odd chips; computed on demand."""

    def __init__(self, request: ShowdownRequest, hands: Mapping[int, _Cards]) -> None:
        super().__init__()
        self._request = request
        self._hands = hands

    def __missing__(self, half: Half) -> tuple[int, ...]:
        self[half] = order = _odd_order(self._request, self._hands, half)
        return order


def _odd_order(
    request: ShowdownRequest, hands: Mapping[int, _Cards], half: Half
) -> tuple[int, ...]:
    """Return the order in which seats get the odd chips of a half (ODD-1)."""
    if request.game.odd_chips is OddChips.LEFT_OF_BUTTON:
        return request.from_button
    if half is Half.LOW:
        lowest = {s: min([card_order(c, ace_low=True) for c in hole]) for s, hole in hands.items()}
        return tuple(sorted(lowest, key=lowest.__getitem__))
    highest = {seat: max(map(card_order, hole)) for seat, hole in hands.items()}
    return tuple(sorted(highest, key=highest.__getitem__, reverse=True))


def _winners(game: GameRow, pot: Pot, strengths: _Strengths) -> list[PartWinners]:
    winners: list[PartWinners] = []
    known = [seat for seat in pot.eligible if seat in strengths]
    for part, (board, half) in enumerate(game.pot_parts()):
        claims = [strengths[seat][part] for seat in known]
        best = max(claims)
        seats = [seat for seat, claim in zip(known, claims, strict=True) if claim == best]
        seats_of_part = tuple(seats) if best != NO_LOW else ()
        winners.append(_make(PartWinners, (board, half, seats_of_part)))
    return winners
