"""What the shuffler counts. No label ever holds a table, a place or a face."""

from collections.abc import Iterable
from typing import Final

from prometheus_client import Counter, Gauge, Histogram

from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.events.v1 import hand_events_pb2, table_events_pb2
from pokerfloor.api.shuffler.v1 import events_pb2, shuffler_pb2

DECKS: Final = Counter(
    "floor_shuffler_decks_total",
    "Decks that came to this: created, committed, reshuffled, settled, void.",
    ["became"],
)
DECKS_UNCLOSED: Final = Gauge(
    "floor_shuffler_decks_unclosed", "Decks that are neither settled nor void."
)
PLACES_DEALT: Final = Counter("floor_shuffler_places_dealt_total", "Places that got a card.")
CARDS_REVEALED: Final = Counter(
    "floor_shuffler_cards_revealed_total", "Cards revealed, by the reason in the log.", ["reason"]
)
BOXES: Final = Counter("floor_shuffler_boxes_total", "Cards sealed to a player's key.")
SEATS_WITHOUT_KEY: Final = Counter(
    "floor_shuffler_seats_without_key_total", "Seats dealt to that had no key to seal to."
)
KEYS: Final = Counter("floor_shuffler_keys_total", "Seat keys registered.", ["reason"])
REFUSALS: Final = Counter(
    "floor_shuffler_refusals_total", "Requests for cards that were refused.", ["call", "code"]
)
RECORDS_READ: Final = Counter("floor_shuffler_records_read_total", "Closed decks read by auditors.")
LOG_READS: Final = Counter(
    "floor_shuffler_log_reads_total", "Times that steps before a cause were read."
)
GENERATOR_HEALTHY: Final = Gauge(
    "floor_shuffler_generator_healthy", "1 while the generator may deal."
)
STORE_SECONDS: Final = Histogram(
    "floor_shuffler_store_seconds",
    "Time of one access to the deck records, waiting included.",
    buckets=(0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 1),
)

_NEVER_MADE: Final = cards_pb2.DECK_COMPOSITION_UNSPECIFIED


def count_events(events: Iterable[events_pb2.ShufflerEvent]) -> None:
    """Count what came of a deck or a seat's keys, once it is stored."""
    for event in events:
        if event.HasField("deck_created"):
            if event.deck_created.generation:
                DECKS.labels("reshuffled").inc()
                continue
            DECKS_UNCLOSED.inc()
            if event.deck_created.composition != _NEVER_MADE:
                DECKS.labels("created").inc()
        elif event.HasField("deck_committed"):
            DECKS.labels("committed").inc()
        elif event.HasField("deck_closed"):
            DECKS_UNCLOSED.dec()
            settled = event.deck_closed.outcome == shuffler_pb2.DECK_STATE_SETTLED
            DECKS.labels("settled" if settled else "void").inc()
        elif event.HasField("cards_dealt"):
            PLACES_DEALT.inc(len(event.cards_dealt.dealt))
        elif event.HasField("seat_key_registered"):
            name = table_events_pb2.KeyReason.Name(event.seat_key_registered.reason)
            KEYS.labels(name.removeprefix("KEY_REASON_").lower()).inc()


def count_revealed(reasons: Iterable[hand_events_pb2.RevealReason.ValueType]) -> None:
    """Count cards by the reasons for which they were revealed."""
    for reason in reasons:
        name = hand_events_pb2.RevealReason.Name(reason)
        CARDS_REVEALED.labels(name.removeprefix("REVEAL_REASON_").lower()).inc()
