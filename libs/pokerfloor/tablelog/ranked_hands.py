"""A hand with its name (RNK-6) as a message, and back."""

from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.events.v1 import hand_events_pb2 as pb
from pokerfloor.cards import to_wire
from pokerfloor.games import HandRank
from pokerfloor.ranking import Category, RankedHand
from pokerfloor.tablelog.card_messages import known_card
from pokerfloor.tablelog.errors import LogError


def write_ranked_hand(hand: HandRank | RankedHand) -> pb.RankedHand:
    """Return a hand with its name as a message."""
    return pb.RankedHand(
        system=hand.system,
        category=str(hand.category),
        strength=hand.strength,
        name=hand.name,
        cards=[cards_pb2.Card(code=to_wire(card)) for card in hand.cards],
    )


def read_ranked_hand(message: pb.RankedHand, field: str = "rows") -> RankedHand:
    """Return the hand in a message. Raises LogError."""
    try:
        category = Category(message.category)
    except ValueError as error:
        raise LogError(f"no hand is a {message.category!r}", f"{field}.category") from error
    cards = tuple([known_card(card, f"{field}.cards") for card in message.cards])
    return RankedHand(message.system, category, message.strength, message.name, cards)
