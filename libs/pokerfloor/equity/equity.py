"""Equity of known hands, over all run-outs or, if there are too many, over a sample."""

from collections.abc import Sequence
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerfloor.cards import Card
from pokerfloor.equity.question import (
    MOST_RUNOUTS,
    EquityCode,
    EquityRefusal,
    Question,
    read_question,
)
from pokerfloor.equity.runouts import Runouts, SamplesSource, all_runouts, sampled_runouts
from pokerfloor.equity.shares import BoardEquity, Equity, count_board, whole_pot
from pokerfloor.games import GameRow, HoleCardUse
from pokerfloor.ranking import RANKINGS, RankingSystem
from pokerfloor.ranking.batch import sum_batch, two_hole_cards_batch


class _Limits(NamedTuple):
    max_runouts: int
    samples: int
    source: SamplesSource | None


def equity(
    game_row: GameRow,
    hands: Sequence[Sequence[Card]],
    boards: Sequence[Sequence[Card]] = (),
    dead: Sequence[Card] = (),
    *,
    max_runouts: int = MOST_RUNOUTS,
    samples: int = 100_000,
    samples_source: SamplesSource | None = None,
) -> Equity | EquityRefusal:
    """Return the share of the pot of each hand if all play to the end.

    `boards` are the cards on each board, none to all; omitted boards are empty. `dead` are cards
    known to be out of the deck. Each board is counted separately, over all ways to complete it from
    the unseen cards. If there are more than `max_runouts` ways (at most MOST_RUNOUTS), `samples`
    run-outs are drawn from `samples_source`; without a source the result is TOO_MANY_RUNOUTS. Cards
    that could still be swapped or drawn are assumed to be kept.
    """
    for field, limit in (("max_runouts", max_runouts), ("samples", samples)):
        if not 1 <= limit <= MOST_RUNOUTS:
            reason = f"{field} is 1 to {MOST_RUNOUTS:,}, not {limit:,}"
            return EquityRefusal(EquityCode.BAD_LIMIT, reason, field)
    question = read_question(game_row, hands, boards, dead)
    if isinstance(question, EquityRefusal):
        return question
    limits = _Limits(max_runouts, samples, samples_source)
    answers: list[BoardEquity] = []
    for number in range(game_row.boards):
        answer = _board(question, number, limits)
        if isinstance(answer, EquityRefusal):
            return answer
        answers.append(answer)
    return whole_pot(answers)


def _board(question: Question, number: int, limits: _Limits) -> BoardEquity | EquityRefusal:
    game, board, unseen = question.game, question.boards[number], question.unseen
    to_come = game.board_cards() - len(board)
    count = comb(len(unseen), to_come)
    exact = count <= limits.max_runouts
    if exact:
        runouts = all_runouts(unseen, to_come, (*question.hands, board))
        assert int(runouts.weights.sum()) == count, "the weights must add up"
    elif limits.source is None:
        reason = f"{count:,} run-outs, more than {limits.max_runouts:,}, and no source of samples"
        return EquityRefusal(EquityCode.TOO_MANY_RUNOUTS, reason, "max_runouts")
    else:
        runouts = sampled_runouts(unseen, to_come, limits.samples, limits.source)
    strengths = {
        part.half: [
            _strengths(game.hole_cards_used, RANKINGS[part.ranking], hand, board, runouts)
            for hand in question.hands
        ]
        for part in game.parts
    }
    return count_board(number, strengths, runouts.weights, exact=exact)


def _strengths(
    used: HoleCardUse,
    system: RankingSystem,
    hand: Sequence[Card],
    board: Sequence[Card],
    runouts: Runouts,
) -> NDArray[np.int32]:
    """Return the strengths of a hand on a board, for each run-out."""
    if used is HoleCardUse.EXACTLY_TWO:
        return two_hole_cards_batch(system, hand, [*board, *runouts.places])
    return sum_batch(system).strengths([*hand, *board, *runouts.places])
