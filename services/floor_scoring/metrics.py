"""What the scoring service counts; times of calls are counted by servicekit."""

from typing import Final

from prometheus_client import Counter

SCORED_HANDS: Final = Counter(
    "floor_scoring_hands_total", "Hands scored; the mode is `scoop` for Scoop.", ["mode", "players"]
)
SCORED_LAYOUTS: Final = Counter(
    "floor_scoring_layouts_total", "Open-face layouts scored, live or fouled (OFC-5).", ["state"]
)
FANTASYLANDS: Final = Counter(
    "floor_scoring_fantasylands_total",
    "Fantasylands earned, by entering or by staying (OFC-30, OFC-33).",
    ["by"],
)
SETTLEMENTS: Final = Counter(
    "floor_scoring_settlements_total",
    "Pairs of seats settled, by what was paid (OFC-22).",
    ["reason"],
)
