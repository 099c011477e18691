"""What the scoring service counts; times of calls are counted by floorkit."""

from typing import Final

from prometheus_client import Counter

SCORED_HANDS: Final = Counter("floor_scoring_hands_total", "Hands scored.", ["mode", "players"])
SCORED_LAYOUTS: Final = Counter(
    "floor_scoring_layouts_total", "Layouts scored, live or dead (OFC-5).", ["state"]
)
