"""A hand with its name (RNK-6) as a message, and back."""

from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.events.v1 import hand_events_pb2 as pb
from pokerfloor.cards import to_wire
from pokerfloor.games import HandRank
from pokerfloor.ranking import Category, RankedHand
from pokerfloor.tablelog.card_messages import known_card
from pokerfloor.tablelog.words import CATEGORY, CATEGORY_CODE, SYSTEM, SYSTEM_CODE, look_up


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
