"""How a bot answers a turn of any game: bets, discards, swaps, layouts, choices."""

from __future__ import annotations

from random import Random
from typing import Final

from pokerfloor.bots.betting import (
    BettingAction,
    BettingChoice,
    Character,
    Situation,
    choose_action,
)
from pokerfloor.bots.discards import choose_discards
from pokerfloor.bots.placing import lay_out
from pokerfloor.client import Turn
from pokerfloor.tablelog import game_row

# How often a bot swaps cards when it may, takes a card face down, and agrees to split a pot.
_SWAPS: Final = 0.3
_FACES_DOWN: Final = 0.4
_AGREES_TO_SPLIT: Final = 0.8


async def answer_turn(turn: Turn, character: Character, random: Random) -> None:
    """Answer a turn. Raises CommandRefused or NoAnswer."""
    if turn.placement is not None:
        await lay_out(turn, random)
    elif turn.discard is not None:
        row = game_row(turn.game)
        await turn.discard_cards(
            choose_discards(row, turn.hole_cards, turn.own_slots, turn.discard, random)
        )
    elif turn.asks_facing:
        await turn.choose_facing(face_down=random.random() < _FACES_DOWN)
    elif turn.asks_split:
        await turn.answer_split(agrees=random.random() < _AGREES_TO_SPLIT)
    else:
        if turn.swap is not None and random.random() < _SWAPS:
            count = random.randint(turn.swap.least, turn.swap.most)
            turn = await turn.swap_cards(random.sample(turn.swap.slots, count))
        await send_choice(turn, choose_action(situation_of(turn), character, random))


def situation_of(turn: Turn) -> Situation:
    """Return what a bot looks at when it is to bet."""
    return Situation(
        game_row(turn.game),
        turn.hole_cards,
        turn.boards,
        turn.community_cards,
        turn.pot,
        turn.opponents,
        turn.legal,
    )


async def send_choice(turn: Turn, choice: BettingChoice) -> None:
    """Send a choice. Raises CommandRefused or NoAnswer."""
    match choice.action:
        case BettingAction.FOLD:
            await turn.fold()
        case BettingAction.CHECK:
            await turn.check()
        case BettingAction.CALL:
            await turn.call()
        case BettingAction.BET:
            await turn.bet_to(choice.to)
        case BettingAction.RAISE:
            await turn.raise_to(choice.to)
        case BettingAction.ALL_IN:
            await turn.all_in()
