"""The showdown, as a pure function of a request and the faces (SHW, ODD)."""

from collections.abc import Callable, Collection, Mapping
from itertools import combinations
from typing import NamedTuple

from libs.cards import UNKNOWN, Card
from libs.games.faces import faces_problem
from libs.games.places import Place
from libs.games.refusal import Code, Refusal
from libs.games.rows import GameRow, Half, OwnCards
from libs.games.setup import Losers
from libs.games.showdown import (
    Award,
    HandRank,
    Pot,
    ShowdownRequest,
    ShowdownResult,
    ShownHand,
)
from libs.games.splitting import PartWinners, split_pot
from libs.ranking import HIGH52, RANKINGS, RankingSystem, high7

_Cards = tuple[Card, ...]
_PartKey = tuple[int, Half]
_Strengths = dict[_PartKey, int]


class _Part(NamedTuple):
    """A half on a board, how strong own cards are there, by which system, and the board."""

    key: _PartKey
    strength: Callable[[_Cards, _Cards], int]
    ranking: str
    board: _Cards


def resolve(
    request: ShowdownRequest,
    faces: Mapping[Place, Card],
    always_show: Collection[int] = (),
) -> ShowdownResult | Refusal:
    """Return who shows, who mucks and who wins what.

    `faces` must have the own cards of every seat in the request that are not known in it; a seat
    with a missing or unknown face is mucked where the settings allow that, else the answer is a
    refusal (WRONG_CARDS). `always_show` are the seats that show even when beaten (SHW-2).
    """
    hands = _read_hands(request, faces)
    problem = _problem(request, hands)
    if problem:
        return Refusal(Code.WRONG_CARDS, problem, "faces")
    game = request.game
    parts = [
        _Part((number, part.half), _strength(game, RANKINGS[part.ranking]), part.ranking, board)
        for number, board in enumerate(request.boards)
        for part in game.parts
    ]
    strengths = {
        seat: {key: strength(own, board) for key, strength, _, board in parts}
        for seat, own in hands.items()
    }
    showing = _who_shows(request, strengths, always_show)
    places = {entry.seat: entry.places for entry in request.seats}
    shown = [
        ShownHand(
            seat,
            tuple(zip(places[seat], hands[seat], strict=True)),
            tuple([_describe(game, part, hands[seat]) for part in parts]),
        )
        for seat in request.order
        if seat in showing
    ]
    mucked = [seat for seat in request.order if seat not in showing]
    return ShowdownResult(tuple(shown), tuple(mucked), _award(request, strengths))


def _read_hands(request: ShowdownRequest, faces: Mapping[Place, Card]) -> dict[int, _Cards]:
    """Return the own cards of the seats whose every face is known."""
    lookup = {**faces, **dict(request.known)} if request.known else faces
    hands: dict[int, _Cards] = {}
    for seat, places in request.seats:
        cards = tuple([lookup.get(place, UNKNOWN) for place in places])
        if UNKNOWN not in cards:
            hands[seat] = cards
    return hands


def _problem(request: ShowdownRequest, hands: Mapping[int, _Cards]) -> str:
    unread = [entry.seat for entry in request.seats if entry.seat not in hands]
    if unread and (request.all_in or not request.unread_hands_muck):
        return f"no faces for the cards of seats {unread}"
    for pot in request.pots:
        if len(pot.eligible) > 1 and hands.keys().isdisjoint(pot.eligible):
            return f"no face of any seat that can win pot {pot.no}"
    seen = [card for cards in (*request.boards, *hands.values()) for card in cards]
    return faces_problem(request.game.deck, seen)


def _strength(game: GameRow, system: RankingSystem) -> Callable[[_Cards, _Cards], int]:
    """Return how a game ranks own cards with a board."""
    rank = system.strength
    if game.own_cards_used is OwnCards.EXACTLY_TWO:
        return lambda own, board: max(map(rank, _two_and_three(own, board)))
    if system is HIGH52 and game.own_cards() + game.board_cards() == 7:
        return lambda own, board: high7(*own, *board)
    return lambda own, board: rank((*own, *board))


def _two_and_three(own: _Cards, board: _Cards) -> list[_Cards]:
    """Return every hand of two own cards and three of the board (OMA-1)."""
    return [(*two, *three) for two in combinations(own, 2) for three in combinations(board, 3)]


def _describe(game: GameRow, part: _Part, own: _Cards) -> HandRank:
    (number, half), _, ranking, board = part
    system = RANKINGS[ranking]
    cards = (*own, *board)
    if game.own_cards_used is OwnCards.EXACTLY_TWO:
        cards = max(_two_and_three(own, board), key=system.strength)
    hand = system.describe(cards)
    return HandRank(number, half, hand.system, hand.category, hand.strength, hand.name, hand.cards)


def _who_shows(
    request: ShowdownRequest,
    strengths: Mapping[int, _Strengths],
    always_show: Collection[int],
) -> Collection[int]:
    """Return the seats that show (SHW-2): a hand is mucked if nothing it is in can be won."""
    if request.all_in or request.losers is Losers.SHOW:
        return strengths.keys()
    contested = [pot for pot in request.pots if len(pot.eligible) > 1]
    best_shown: dict[tuple[int, int, Half], int] = {}
    showing: set[int] = set()
    for seat in request.order:
        if seat not in strengths:
            continue
        claims = {
            (pot.no, *part): strength
            for pot in contested
            if seat in pot.eligible
            for part, strength in strengths[seat].items()
        }
        if seat in always_show or any(
            strength >= best_shown.get(part, strength) for part, strength in claims.items()
        ):
            showing.add(seat)
            for part, strength in claims.items():
                best_shown[part] = max(strength, best_shown.get(part, strength))
    return showing


def _award(request: ShowdownRequest, strengths: Mapping[int, _Strengths]) -> tuple[Award, ...]:
    """Return the awards, the last side pot first (POT-4)."""
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
            request.from_button,
        )
    return tuple([award for award in awards if award.amount])


def _winners(game: GameRow, pot: Pot, strengths: Mapping[int, _Strengths]) -> list[PartWinners]:
    parts: list[PartWinners] = []
    for board in range(game.boards):
        for part in game.parts:
            claims = [
                (strengths[seat][board, part.half], seat)
                for seat in pot.eligible
                if seat in strengths
            ]
            best = max(claims)[0]
            seats = tuple([seat for strength, seat in claims if strength == best])
            parts.append(PartWinners(board, part.half, seats))
    return parts
