"""Bots that play every game of the floor through the client. See README.md for the API."""

from pokerfloor.bots.betting import (
    BettingAction,
    BettingChoice,
    Character,
    Situation,
    choose_action,
)
from pokerfloor.bots.bot import Bot, BotPlan, Pace
from pokerfloor.bots.crowd import PROOF_FAILED_EXIT, CrowdPlan, run_crowd
from pokerfloor.bots.discards import choose_discards
from pokerfloor.bots.game_choice import choose_game_when_asked
from pokerfloor.bots.hand_strength import hand_strength
from pokerfloor.bots.layouts import choose_layout
from pokerfloor.bots.placing import choose_rows, lay_out, say_ready_when_asked
from pokerfloor.bots.scoop import choose_scoop
from pokerfloor.bots.turns import answer_turn, send_choice, situation_of

__all__ = [
    "PROOF_FAILED_EXIT",
    "BettingAction",
    "BettingChoice",
    "Bot",
    "BotPlan",
    "Character",
    "CrowdPlan",
    "Pace",
    "Situation",
    "answer_turn",
    "choose_action",
    "choose_discards",
    "choose_game_when_asked",
    "choose_layout",
    "choose_rows",
    "choose_scoop",
    "hand_strength",
    "lay_out",
    "run_crowd",
    "say_ready_when_asked",
    "send_choice",
    "situation_of",
]
