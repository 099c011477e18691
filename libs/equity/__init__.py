"""Equity: what each of some known hands wins of a pot over every board that may still come."""

from libs.equity.equity import equity
from libs.equity.question import MOST_HANDS, MOST_RUNOUTS, EquityCode, EquityRefusal
from libs.equity.runouts import SamplesSource
from libs.equity.shares import PPM, Equity, HandEquity, PartEquity, PartShare

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
