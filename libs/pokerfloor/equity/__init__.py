"""Equity: the share of a pot that each known hand wins over all boards that may still come."""

from pokerfloor.equity.equity import equity
from pokerfloor.equity.question import MOST_HANDS, MOST_RUNOUTS, EquityCode, EquityRefusal
from pokerfloor.equity.runouts import SamplesSource
from pokerfloor.equity.shares import PPM, Equity, HandEquity, PartEquity, PartShare

__all__ = [
    "MOST_HANDS",
    "MOST_RUNOUTS",
    "PPM",
    "Equity",
    "EquityCode",
    "EquityRefusal",
    "HandEquity",
    "PartEquity",
    "PartShare",
    "SamplesSource",
    "equity",
]
