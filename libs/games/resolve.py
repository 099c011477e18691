"""The showdown, as a pure function of a request and the faces (SHW, ODD)."""

from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from libs.cards import UNKNOWN, Card
from libs.games.faces import faces_problem
from libs.games.places import Place
from libs.games.refusal import Code, Refusal
from libs.games.rows import GameRow, Half, OddChips, OwnCards
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
from libs.ranking import HIGH52, NO_LOW, RANKINGS, Choice, Use, card_order, choose, high7

_Cards = tuple[Card, ...]
_PartKey = tuple[int, Half]
_Strengths = dict[_PartKey, int]


class _Part(NamedTuple):
    """A half on a board, how strong own cards are there, by which rules, and the board."""

    key: _PartKey
    strength: Callable[[_Cards, _Cards], int]
    choice: Choice
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
    use = Use(game.own_cards_used)
    choices = [(part.half, choose(RANKINGS[part.ranking], use)) for part in game.parts]
    parts = [
        _Part((number, half), _strength(game, choice), choice, board)
        for number, board in enumerate(request.boards)
        for half, choice in choices
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
            tuple([_describe(part, hands[seat]) for part in parts]),
        )
        for seat in request.order
        if seat in showing
    ]
    mucked = [seat for seat in request.order if seat not in showing]
    return ShowdownResult(tuple(shown), tuple(mucked), _award(request, hands, strengths))


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


def _strength(game: GameRow, choice: Choice) -> Callable[[_Cards, _Cards], int]:
    """Return how a game ranks own cards with a board; seven cards of 52 have a way of their own."""
    seven = game.own_cards() + game.board_cards() == 7
    if game.own_cards_used is OwnCards.ANY and choice.system is HIGH52 and seven:
        return lambda own, board: high7(*own, *board)
    return choice.strength


def _describe(part: _Part, own: _Cards) -> HandRank:
    (number, half), _, choice, board = part
    hand = choice.describe(own, board)
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
            if strength != NO_LOW
        }
        if seat in always_show or any(
            strength >= best_shown.get(part, strength) for part, strength in claims.items()
        ):
            showing.add(seat)
            for part, strength in claims.items():
                best_shown[part] = max(strength, best_shown.get(part, strength))
    return showing


def _award(
    request: ShowdownRequest, hands: Mapping[int, _Cards], strengths: Mapping[int, _Strengths]
) -> tuple[Award, ...]:
    """Return the awards, the last side pot first (POT-4)."""
    odd_orders = {part.half: _odd_order(request, hands, part.half) for part in request.game.parts}
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


def _odd_order(
    request: ShowdownRequest, hands: Mapping[int, _Cards], half: Half
) -> tuple[int, ...]:
    """Return the seats in the order in which they get the odd chips of a half (ODD-1)."""
    if request.game.odd_chips is OddChips.LEFT_OF_BUTTON:
        return request.from_button
    if half is Half.LOW:
        lowest = {s: min([card_order(c, ace_low=True) for c in own]) for s, own in hands.items()}
        return tuple(sorted(lowest, key=lowest.__getitem__))
    highest = {seat: max(map(card_order, own)) for seat, own in hands.items()}
    return tuple(sorted(highest, key=highest.__getitem__, reverse=True))


def _winners(game: GameRow, pot: Pot, strengths: Mapping[int, _Strengths]) -> list[PartWinners]:
    parts: list[PartWinners] = []
    for board, half in game.pot_parts():
        claims = [
            (strength, seat)
            for seat in pot.eligible
            if seat in strengths and (strength := strengths[seat][board, half]) != NO_LOW
        ]
        best = max(claims)[0] if claims else NO_LOW
        seats = tuple([seat for strength, seat in claims if strength == best])
        parts.append(PartWinners(board, half, seats))
    return parts
