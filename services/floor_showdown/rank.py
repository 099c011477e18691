"""Ranking cards that the caller names (RNK-6)."""

from __future__ import annotations

from collections.abc import Sequence

from floor_showdown.named_cards import read_cards
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.showdown.v1 import showdown_pb2
from pokerfloor.cards import Card
from pokerfloor.ranking import RANKINGS, WRONG_NUMBER_OF_CARDS, RankingError
from pokerfloor.servicekit import FloorError
from pokerfloor.tablelog import SYSTEM, write_ranked_hand


def rank(request: showdown_pb2.RankRequest) -> hand_events_pb2.RankedHand:
    """Return what the cards make in the system asked for.

    Raises FloorError UNKNOWN_GAME (`system`) or BAD_CARDS (`cards`, or the card at fault; of a card
    that is there twice, the second).
    """
    name = SYSTEM.get(request.system)
    if name is None:
        known = ", ".join(RANKINGS)
        raise FloorError(
            errors_pb2.ERROR_CODE_UNKNOWN_GAME, f"the ranking systems are {known}", "system"
        )
    cards = read_cards(request.cards, "cards")
    try:
        hand = RANKINGS[name].describe(cards)
    except RankingError as error:
        raise FloorError(
            errors_pb2.ERROR_CODE_BAD_CARDS, error.reason, _field_at_fault(error, cards)
        ) from error
    return write_ranked_hand(hand)


def _field_at_fault(error: RankingError, cards: Sequence[Card]) -> str:
    if error.code == WRONG_NUMBER_OF_CARDS:
        return "cards"
    at_fault = [index for index, card in enumerate(cards) if card in error.cards]
    repeats = [index for index in at_fault if cards[index] in cards[:index]]
    return f"cards[{(repeats or at_fault)[0]}]"
