"""Which tables the floor on one machine opens, and which bots sit there."""

from deploy.local.menu.betting import CURRENCY
from deploy.local.menu.game_names import UnknownGameError
from deploy.local.menu.plans import TablePlan, bot_plans, table_plans

__all__ = ["CURRENCY", "TablePlan", "UnknownGameError", "bot_plans", "table_plans"]
