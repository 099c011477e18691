"""What the wallet shows of itself. No label names a table or a player."""

from __future__ import annotations

from typing import Final

from prometheus_client import Counter, Gauge, Histogram

ENTRIES: Final = Counter("floor_wallet_entries_total", "Entries posted.", ["kind"])
HANDS: Final = Counter("floor_wallet_hands_settled_total", "Hands settled, void ones too.")
STEPS: Final = Counter("floor_wallet_steps_total", "Steps of table logs read.")
GROUP_SIZE: Final = Histogram(
    "floor_wallet_group_size",
    "Units of work committed together.",
    buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256),
)
SETTLE_SECONDS: Final = Histogram(
    "floor_wallet_settle_seconds",
    "Time from a step being stored in the log to it being in the book.",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30, 300),
)
LAG_STEPS: Final = Gauge("floor_wallet_lag_steps", "Stored steps of all tables not yet read.")
STOPPED_TABLES: Final = Gauge("floor_wallet_stopped_tables", "Tables that cannot be settled.")
STOPS: Final = Counter("floor_wallet_stops_total", "Times that a table's settlement stopped.")
BOOK_TOTAL: Final = Gauge(
    "floor_wallet_book_total_minor", "Sum of all accounts; anything but 0 is broken.", ["currency"]
)
OUTBOX_EVENTS: Final = Gauge("floor_wallet_outbox_events", "Facts waiting to be published.")
OUTBOX_AGE_SECONDS: Final = Gauge(
    "floor_wallet_outbox_age_seconds", "Age of the oldest fact that waits."
)
EXPIRED: Final = Counter("floor_wallet_reservations_expired_total", "Reservations that expired.")
