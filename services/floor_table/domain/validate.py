"""What several features validate alike."""

from collections.abc import Sequence

from floor_table.domain.inputs import CardsIn, CommandIn
from floor_table.domain.parts import Draw, Seat
from floor_table.domain.refusal import invalid, unexpected
from floor_table.domain.table import Table
from pokerfloor.api.common.v1 import cards_pb2, errors_pb2
from pokerfloor.cards import STANDARD, Card
from pokerfloor.refusal import Refusal
from pokerfloor.tablelog import from_card


def seated(table: Table, player_id: str) -> Seat | Refusal:
    """Return the seat of a player, once the wallet has said yes."""
    seat = table.seat_of(player_id)
    if seat is None:
        return not_seated()
    if seat.pending:
        reason = "the seat is pending until the wallet has answered"
        return Refusal(errors_pb2.ERROR_CODE_SEAT_PENDING, reason)
    return seat


def not_seated() -> Refusal:
    """Refuse a player who has no seat."""
    return Refusal(errors_pb2.ERROR_CODE_NOT_SEATED, "you do not sit at this table")


def seat_in_hand(table: Table, given: CommandIn, hand_no: int, command: str) -> Seat | Refusal:
    """Return the seat of a player who speaks of the hand in play."""
    seat = seated(table, given.sender)
    if isinstance(seat, Refusal):
        return seat
    if 1 <= hand_no <= table.hands and hand_no != table.hand_no:
        reason = f"hand {hand_no} is over"
        return Refusal(errors_pb2.ERROR_CODE_HAND_OVER, reason, f"{command}.hand_no")
    if table.playing is None:
        return Refusal(errors_pb2.ERROR_CODE_NO_HAND, "no hand is being played")
    if hand_no != table.hand_no:
        return invalid(f"there is no hand {hand_no}", f"{command}.hand_no")
    return seat


def drawn_cards(
    draw: Draw, given: CardsIn, places: Sequence[cards_pb2.Place]
) -> list[Card] | Refusal:
    """Return the faces of a draw, in the order of its places. Raises LogError."""
    if not draw.root:
        return unexpected(f"deck {draw.deck_no} is not committed yet")
    faces = [from_card(one.card) for one in given.cards]
    fit = [one.place for one in given.cards] == places and len(set(faces)) == len(faces)
    if not fit or not all(face in STANDARD for face in faces):
        reason = "the cards are not those of the draw"
        return Refusal(errors_pb2.ERROR_CODE_WRONG_CARDS, reason, "cards")
    return faces
