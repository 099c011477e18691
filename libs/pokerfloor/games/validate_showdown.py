"""Validate the result of a showdown: places, cards, eligible seats and sums."""

from collections.abc import Mapping
from typing import Final

from pokerfloor.games.carrying import pot_winners, settle
from pokerfloor.games.faces import faces_problem
from pokerfloor.games.refusal import Code, Refusal
from pokerfloor.games.setup import Losers
from pokerfloor.games.showdown import Award, HandRank, Pot, ShowdownRequest, ShowdownResult
from pokerfloor.ranking import NO_LOW

_MUCK: Final = Losers.MUCK


def validate_result(request: ShowdownRequest, result: ShowdownResult) -> Refusal | None:
    """Return why the result cannot answer the request, or None.

    Hands are not ranked again: the caller does not know the faces of mucked hands.
    """
    problem = _validate_hands(request, result)
    if problem:
        return Refusal(Code.WRONG_RESULT, problem, "result")
    carries = request.game.carries()
    problem = (_validate_carrying if carries else _validate_awards)(request, result)
    if problem:
        return Refusal(Code.WRONG_RESULT, problem, "result.awards")
    return None


def _validate_hands(request: ShowdownRequest, result: ShowdownResult) -> str:
    shown = [hand.seat for hand in result.shown]
    if sorted([*shown, *result.mucked]) != sorted(request.order):
        return f"seats {request.order} show down, not {(*shown, *result.mucked)}"
    may_muck = request.losers is _MUCK or request.unread_hands_muck
    if result.mucked and (request.all_in or not may_muck):
        return f"seats {result.mucked} may not muck"
    places = dict(request.seats)
    seen = [card for board in request.boards for card in board]
    parts = request.game.pot_parts()
    for seat, cards, ranks in result.shown:
        if tuple([place for place, _ in cards]) != places[seat]:
            return f"the cards of seat {seat} are not at its places"
        if tuple([rank[:2] for rank in ranks]) != parts:
            return f"seat {seat} is not ranked for each part of a pot, in order"
        seen += [card for _, card in cards]
    if request.known:
        faces = {place: card for hand in result.shown for place, card in hand.cards}
        for place, card in request.known:
            if faces.get(place, card) != card:
                return f"the card at {place} is known to be another"
    return faces_problem(request.game.deck, seen)


def _validate_carrying(request: ShowdownRequest, result: ShowdownResult) -> str:
    """Return what contradicts the shown hands; a mucked hand wins nothing (MAT-6)."""
    assert request.raking is not None, "no rake inputs"
    strengths = {hand.seat: hand.ranks[0].strength for hand in result.shown}
    winners = pot_winners(request.game, request.pots, strengths)
    carried = tuple([pot.no for pot, seats in zip(request.pots, winners, strict=True) if not seats])
    if result.carried != carried:
        return f"pots {carried} are carried, not {result.carried}"
    _, awards = settle(request.game, request.pots, winners, request.raking, request.from_button)
    return "" if result.awards == awards else f"the awards are {awards}, not {result.awards}"


def _validate_awards(request: ShowdownRequest, result: ShowdownResult) -> str:
    if result.carried:
        return f"pots {result.carried} carried in a game that carries none"
    ranks = {hand.seat: hand.ranks for hand in result.shown}
    paid = [0] * len(request.pots)
    last_no = len(request.pots) - 1
    for award in result.awards:
        if not 0 <= award.pot_no <= last_no:
            return f"pot {award.pot_no} is not the next from the last to the main pot"
        last_no = award.pot_no
        problem = _validate_award(request.pots[award.pot_no], award, ranks)
        if problem:
            return problem
        if award.amount % request.smallest_chip_minor:
            return f"{award.amount} is not a whole number of chips"
        paid[award.pot_no] += award.amount
    for pot, rake, amount in zip(request.pots, request.rake.by_pot, paid, strict=True):
        if amount != pot.amount - rake:
            return f"pot {pot.no} pays {amount} instead of {pot.amount} less a rake of {rake}"
    return ""


def _validate_award(pot: Pot, award: Award, ranks: Mapping[int, tuple[HandRank, ...]]) -> str:
    if award.seat not in pot.eligible:
        return f"seat {award.seat} cannot win pot {pot.no}"
    if award.amount <= 0:
        return f"an award of {award.amount} to seat {award.seat}"
    contested = len(pot.eligible) > 1
    if contested and award.seat not in ranks:
        return f"seat {award.seat} wins pot {pot.no} without having shown"
    if contested and not any(
        (rank.board, rank.half) == (award.board, award.half) and rank.strength != NO_LOW
        for rank in ranks[award.seat]
    ):
        return f"seat {award.seat} has no {award.half} hand on board {award.board}"
    return ""
