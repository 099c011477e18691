"""Steps made by hand, as a table would write them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from floor_shuffler.domain.refs import Place
from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.events.v1 import hand_events_pb2 as hand_pb2
from pokerfloor.api.events.v1 import table_events_pb2 as table_pb2
from pokerfloor.api.history.v1 import step_pb2

Event = table_pb2.TableEvent

OWN = cards_pb2.PLACE_KIND_SEAT
BOARD = cards_pb2.PLACE_KIND_BOARD
BURN = cards_pb2.PLACE_KIND_BURN
DRAW = cards_pb2.PLACE_KIND_BUTTON_DRAW
GAME = cards_pb2.PLACE_KIND_GAME_DRAW


def own(seat: int, slot: int) -> Place:
    return Place(OWN, seat, slot)


def board(*slots: int) -> list[Place]:
    return [Place(BOARD, 0, slot) for slot in slots]


def burn(slot: int) -> Place:
    return Place(BURN, 0, slot)


def hole_cards(*seats: int) -> list[Place]:
    """Two cards a seat, in dealing order."""
    return [own(seat, slot) for slot in (1, 2) for seat in seats]


def hand_began(hand_no: int, deck_no: int, players: Mapping[int, str]) -> Event:
    seats = [table_pb2.HandSeat(seat=s, player_id=p) for s, p in sorted(players.items())]
    return Event(hand_began=table_pb2.HandBegan(hand_no=hand_no, deck_no=deck_no, seats=seats))


def draw_began(deck_no: int, *seats: int) -> Event:
    return Event(button_draw_began=table_pb2.ButtonDrawBegan(deck_no=deck_no, seats=seats))


def drawn(seat: int) -> Event:
    return Event(button_drawn=table_pb2.ButtonDrawn(seat=seat))


def game_draw_began(deck_no: int, *games: str) -> Event:
    return Event(game_draw_began=table_pb2.GameDrawBegan(deck_no=deck_no, games=games))


def game_found(game: str, how: str) -> Event:
    return Event(
        game_chosen=table_pb2.GameChosen(
            game=game, method=table_pb2.ChoiceMethod.Value(f"CHOICE_METHOD_{how.upper()}")
        )
    )


def dealt(places: Iterable[Place], first: int, generation: int = 0) -> Event:
    event = hand_pb2.PlacesDealt(
        places=[place.message() for place in places],
        first=cards_pb2.DeckIndex(generation=generation, index=first),
    )
    return Event(hand=hand_pb2.HandEvent(places_dealt=event))


def due(reason: hand_pb2.RevealReason.ValueType, places: Iterable[Place]) -> Event:
    event = hand_pb2.RevealOrdered(reason=reason, places=[place.message() for place in places])
    return Event(hand=hand_pb2.HandEvent(reveal_ordered=event))


def exchanged(seat: int, *slots: int) -> Event:
    event = hand_pb2.CardsDrawn(seat=seat, count=len(slots), discarded_slots=slots)
    return Event(hand=hand_pb2.HandEvent(cards_drawn=event))


def reshuffled(generation: int, places: Iterable[Place]) -> Event:
    messages = [place.message() for place in places]
    event = hand_pb2.DeckReshuffled(generation=generation, size=len(messages), places=messages)
    return Event(hand=hand_pb2.HandEvent(deck_reshuffled=event))


def laid_out(seat: int, *slots: int) -> Event:
    """A confirmation of these cards of a seat, all in the top row."""
    placements = [hand_pb2.SlotPlacement(slot=s, row=hand_pb2.LAYOUT_ROW_TOP) for s in slots]
    confirmed = hand_pb2.PlacementConfirmed(seat=seat, placements=placements)
    return Event(hand=hand_pb2.HandEvent(placement_confirmed=confirmed))


def folded(seat: int) -> Event:
    action = hand_pb2.ActionTaken(seat=seat, kind=hand_pb2.ACTION_KIND_FOLD)
    return Event(hand=hand_pb2.HandEvent(action_taken=action))


def ended(hand_no: int) -> Event:
    return Event(hand=hand_pb2.HandEvent(hand_ended=hand_pb2.HandEnded(hand_no=hand_no)))


def voided(hand_no: int, reason: str = "the floor burned down") -> Event:
    event = hand_pb2.HandVoided(hand_no=hand_no, reason=reason)
    return Event(hand=hand_pb2.HandEvent(hand_voided=event))


def seated(seat: int, player_id: str) -> Event:
    return Event(seat_taken=table_pb2.SeatTaken(seat=seat, player_id=player_id))


def step(
    table_id: str,
    table_seq: int,
    events: Iterable[Event],
    *,
    hand_no: int = 0,
    epoch: int = 1,
    sender: str = "",
) -> step_pb2.Step:
    return step_pb2.Step(
        schema_version=1,
        table_id=table_id,
        table_seq=table_seq,
        hand_no=hand_no,
        owner_epoch=epoch,
        command_sender=sender,
        events=events,
    )
