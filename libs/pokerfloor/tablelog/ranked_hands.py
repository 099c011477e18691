"""Hands with their names (RNK-6) and hands shown as messages, and back."""

from collections.abc import Iterable, Mapping

from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.events.v1 import hand_events_pb2 as pb
from pokerfloor.cards import to_wire
from pokerfloor.games import HandRank, HandShown, Place, ShownHand
from pokerfloor.ranking import Category, RankedHand
from pokerfloor.tablelog.card_messages import NO_PROOFS, known_card, to_revealed
from pokerfloor.tablelog.enum_codes import (
    CATEGORY,
    CATEGORY_CODE,
    HALF,
    HALF_CODE,
    SYSTEM,
    SYSTEM_CODE,
    look_up,
)


def write_ranked_hand(hand: HandRank | RankedHand) -> pb.RankedHand:
    """Return a hand with its name as a message."""
    return pb.RankedHand(
        system=SYSTEM_CODE[hand.system],
        category=CATEGORY_CODE[Category(hand.category)],
        strength=hand.strength,
        name=hand.name,
        cards=[cards_pb2.Card(code=to_wire(card)) for card in hand.cards],
    )


def read_ranked_hand(message: pb.RankedHand, field: str = "rows") -> RankedHand:
    """Return the hand in a message. Raises LogError."""
    system = look_up(SYSTEM, message.system, f"{field}.system")
    category = look_up(CATEGORY, message.category, f"{field}.category")
    cards = tuple([known_card(card, f"{field}.cards") for card in message.cards])
    return RankedHand(system, category, message.strength, message.name, cards)


def write_ranks(ranks: Iterable[HandRank]) -> list[pb.ShownRank]:
    """Return what a shown hand makes as messages."""
    return [
        pb.ShownRank(board=rank.board, half=HALF_CODE[rank.half], hand=write_ranked_hand(rank))
        for rank in ranks
    ]


def read_ranks(messages: Iterable[pb.ShownRank], field: str = "ranks") -> tuple[HandRank, ...]:
    """Return what a shown hand makes. Raises LogError."""
    ranks = []
    for message in messages:
        half = look_up(HALF, message.half, f"{field}.half")
        hand = read_ranked_hand(message.hand, f"{field}.hand")
        ranks.append(
            HandRank(
                message.board,
                half,
                hand.system,
                hand.category.value,
                hand.strength,
                hand.name,
                hand.cards,
            )
        )
    return tuple(ranks)


def write_shown(
    hand: HandShown | ShownHand, proofs: Mapping[Place, cards_pb2.CardProof] = NO_PROOFS
) -> pb.HandShown:
    """Return a shown hand as a message."""
    cards = to_revealed(hand.cards, proofs)
    return pb.HandShown(seat=hand.seat, cards=cards, ranks=write_ranks(hand.ranks))
