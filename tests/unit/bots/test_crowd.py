"""The plan of a crowd travels as JSON."""

from __future__ import annotations

import json

from pokerfloor.bots import BotPlan, CrowdPlan, Pace


def test_a_plan_is_read_as_it_was_written() -> None:
    bot = BotPlan("bot-001", "Ada", "main-1", "XPM", 100, 6_000, 20_000)
    plan = CrowdPlan("127.0.0.1:1", "127.0.0.1:2", Pace(1, 25, 100, 500), [bot])
    assert CrowdPlan.from_json(json.loads(json.dumps(plan.to_json()))) == plan
