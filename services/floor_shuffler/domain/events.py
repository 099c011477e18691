"""What is published about decks and keys: the events of the shuffler's stream, with their ids.

An event is published before what it tells about is stored or answered. After a crash between the
two it is published again under the same id, so all that it says follows from its id and from what
was stored before. Where every occurrence is an event of its own, the id is left to the stream.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256

from floor_shuffler.domain.refs import Cause, DeckIndex, Place, deck_ref
from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.shuffler.v1 import events_pb2, shuffler_pb2
from pokerfloor.fairness import DeckId, fingerprint


def deck_created(
    deck: DeckId,
    hand_no: int,
    purpose: shuffler_pb2.DeckPurpose.ValueType,
    composition: cards_pb2.DeckComposition.ValueType,
    began: Cause,
    generation: int = 0,
) -> events_pb2.ShufflerEvent:
    """Return the event of a new deck, or of one that was shuffled again in mid-hand."""
    event = events_pb2.DeckCreated(
        deck=deck_ref(deck),
        hand_no=hand_no,
        purpose=purpose,
        composition=composition,
        generation=generation,
    )
    which = f"generation/{generation}" if generation else f"{began.table_seq}/{composition}"
    return events_pb2.ShufflerEvent(
        event_id=f"{_of(deck)}/created/{which}", table_id=deck.table_id, deck_created=event
    )


def deck_committed(deck: DeckId, generation: int, root: bytes) -> events_pb2.ShufflerEvent:
    """Return the event of a public root."""
    event = events_pb2.DeckCommitted(deck=deck_ref(deck), generation=generation, root=root)
    return events_pb2.ShufflerEvent(
        event_id=f"{_of(deck)}/committed/{generation}", table_id=deck.table_id, deck_committed=event
    )


def deck_closed(
    deck: DeckId,
    outcome: shuffler_pb2.DeckState.ValueType,
    void_reason: str,
    cause: Cause,
) -> events_pb2.ShufflerEvent:
    """Return the event of a deck's end."""
    event = events_pb2.DeckClosed(
        deck=deck_ref(deck),
        outcome=outcome,
        void_reason=void_reason,
        cause=cause.message(deck.table_id),
    )
    why = f"/{_digest(void_reason)}" if void_reason else ""
    return events_pb2.ShufflerEvent(
        event_id=f"{_of(deck)}/closed/{cause.table_seq}/{outcome}{why}",
        table_id=deck.table_id,
        deck_closed=event,
    )


def cards_dealt(
    deck: DeckId, dealt: Mapping[Place, DeckIndex], cause: Cause
) -> events_pb2.ShufflerEvent:
    """Return the event of a step that deals cards."""
    event = events_pb2.CardsDealt(
        deck=deck_ref(deck),
        dealt=[
            shuffler_pb2.DealtPlace(place=place.message(), deck_index=at.message())
            for place, at in dealt.items()
        ],
        cause=cause.message(deck.table_id),
    )
    return events_pb2.ShufflerEvent(
        event_id=f"{_of(deck)}/dealt/{cause.table_seq}",
        table_id=deck.table_id,
        cards_dealt=event,
    )


def cards_resealed(
    deck: DeckId, seat: int, places: Iterable[Place], keys: Iterable[bytes]
) -> events_pb2.ShufflerEvent:
    """Return the event of a seat's boxes that are made again."""
    event = events_pb2.CardsResealed(
        deck=deck_ref(deck),
        seat=seat,
        places=[place.message() for place in places],
        key_fingerprints=[fingerprint(key) for key in keys],
    )
    return events_pb2.ShufflerEvent(table_id=deck.table_id, cards_resealed=event)


def cards_revealed(
    deck: DeckId, places: Sequence[Place], cause: Cause, asker: str
) -> events_pb2.ShufflerEvent:
    """Return the event of faces that leave for an asker."""
    event = events_pb2.CardsRevealed(
        deck=deck_ref(deck),
        places=[place.message() for place in places],
        cause=cause.message(deck.table_id),
        asked_by=asker,
    )
    # The same step can reveal some cards now and others later: what is asked is in the id.
    what = _digest(repr((asker, [tuple(place) for place in places])))
    return events_pb2.ShufflerEvent(
        event_id=f"{_of(deck)}/revealed/{cause.table_seq}/{what}",
        table_id=deck.table_id,
        cards_revealed=event,
    )


def seat_key_registered(
    table_id: str, registration: int, event: events_pb2.SeatKeyRegistered
) -> events_pb2.ShufflerEvent:
    """Return the event of a key that becomes live, the seat's `registration`th."""
    what = f"{event.seat}/{registration}/{event.fingerprint.hex()}/{event.reason}"
    return events_pb2.ShufflerEvent(
        event_id=f"{table_id}/key/{what}", table_id=table_id, seat_key_registered=event
    )


def record_read(deck: DeckId, auditor: str, reason: str) -> events_pb2.ShufflerEvent:
    """Return the event of an auditor who reads a closed deck."""
    event = events_pb2.DeckRecordRead(deck=deck_ref(deck), auditor=auditor, reason=reason)
    return events_pb2.ShufflerEvent(table_id=deck.table_id, deck_record_read=event)


def _of(deck: DeckId) -> str:
    return f"{deck.table_id}/{deck.deck_no}"


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]
