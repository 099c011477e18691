"""The table service's own metrics. No label holds a table, hand or player."""

from __future__ import annotations

from typing import Final

from prometheus_client import Counter, Gauge, Histogram

from pokerfloor.api.history.v1 import step_pb2

_FAST: Final = (0.0005, 0.001, 0.002, 0.003, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1, 5, 30)

STEPS: Final = Counter(
    "floor_table_steps_total", "Steps stored, by the kind of input that caused them.", ["input"]
)
ACTION_SECONDS: Final = Histogram(
    "floor_table_action_seconds",
    "Time of an accepted command from its arrival until its step is stored.",
    buckets=_FAST,
)
PREPARE_SECONDS: Final = Histogram(
    "floor_table_prepare_seconds", "Time to decide an input and make its step.", buckets=_FAST
)
REFUSALS: Final = Counter(
    "floor_table_refusals_total", "Commands refused, by the error's code.", ["code"]
)
HANDS_STARTED: Final = Counter("floor_table_hands_started_total", "Hands begun.")
HANDS_ENDED: Final = Counter(
    "floor_table_hands_ended_total", "Hands over, by outcome: ended or voided.", ["outcome"]
)
TIMEOUTS: Final = Counter("floor_table_timeouts_total", "Turns whose time ran out.")
TABLES: Final = Gauge("floor_table_tables", "Tables owned here, by state.", ["state"])
STREAMS: Final = Gauge("floor_table_streams", "Attached streams, by view.", ["view"])
SLOW_CLIENTS: Final = Counter(
    "floor_table_slow_clients_total",
    "Streams that could not keep up, by what was done: snapshot or dropped.",
    ["done"],
)
APPENDS_IN_DOUBT: Final = Gauge(
    "floor_table_appends_in_doubt", "Tables that wait to learn whether their step is stored."
)
HOUSE_FAULTS: Final = Counter(
    "floor_table_house_faults_total",
    "Times a table's clocks were set again after an outage (CLK-5).",
)
EFFECTS: Final = Counter("floor_table_effects_total", "Effects that were done, by kind.", ["kind"])
EFFECTS_RETRIED: Final = Counter(
    "floor_table_effects_retried_total", "Attempts that failed and are made again.", ["kind"]
)
QUEUE_FULL: Final = Counter(
    "floor_table_queue_full_total", "Commands answered OVERLOADED because the queue was full."
)
OWNERS_LOST: Final = Counter(
    "floor_table_owners_lost_total", "Tables given up because another owner wrote or holds them."
)
ACTORS_FAILED: Final = Counter(
    "floor_table_actors_failed_total", "Tables that failed and were read again from their log."
)
PUBLIC_EVENTS_SENT: Final = Counter("floor_table_public_events_total", "Public events sent.")
RECOVERY_SECONDS: Final = Histogram(
    "floor_table_recovery_seconds",
    "Time to rebuild one table from its log.",
    buckets=(0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120),
)


def count_step(step: step_pb2.Step) -> None:
    """Count a stored step and what is in it."""
    STEPS.labels(step.input.WhichOneof("input") or "none").inc()
    for event in step.events:
        match event.WhichOneof("event"):
            case "hand_began":
                HANDS_STARTED.inc()
            case "time_ran_out":
                TIMEOUTS.inc()
            case "hand":
                if event.hand.WhichOneof("event") == "hand_ended":
                    HANDS_ENDED.labels("ended").inc()
                elif event.hand.WhichOneof("event") == "hand_voided":
                    HANDS_ENDED.labels("voided").inc()
            case _:
                pass
