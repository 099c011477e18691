"""What the showdown service counts; times of calls are counted by servicekit."""

from typing import Final

from prometheus_client import Counter, Histogram

RANKS: Final = Counter("floor_showdown_ranks_total", "Hands ranked by `Rank`.", ["system"])
RESOLVED: Final = Counter(
    "floor_showdown_resolved_total", "Showdowns resolved; a repeat counts again.", ["game", "kind"]
)
HANDS: Final = Counter(
    "floor_showdown_hands_total", "Hands at the showdowns resolved: shown or mucked.", ["end"]
)
BAD_SHOWDOWNS: Final = Counter(
    "floor_showdown_bad_total", "Showdowns whose cards did not fit together."
)
REVEAL_SECONDS: Final = Histogram(
    "floor_showdown_reveal_seconds",
    "Time until the shuffler had revealed the hands, attempts and pauses included.",
    ["outcome"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
REVEAL_RETRIES: Final = Counter(
    "floor_showdown_reveal_retries_total", "Further attempts to have hands revealed."
)
LOG_SECONDS: Final = Histogram(
    "floor_showdown_log_seconds",
    "Time until a hand's steps were read from the table log.",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
NOT_JUSTIFIED: Final = Counter(
    "floor_showdown_not_justified_total",
    "Showdowns asked for that the table log does not justify, by what it has otherwise.",
    ["field"],
)
EQUITIES: Final = Counter(
    "floor_showdown_equities_total",
    "Equities asked for: of a hand at a table or of named cards, and how they were answered.",
    ["kind", "how"],
)
EQUITY_SECONDS: Final = Histogram(
    "floor_showdown_equity_seconds",
    "Time until equities were counted, the wait for others included.",
    ["kind"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
