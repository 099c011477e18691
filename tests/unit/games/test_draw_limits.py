"""How many cards may be drawn if a table sets less than the game allows (DRW-3)."""

from dataclasses import replace

import pytest

from pokerfloor.games import GAMES, DrawRound, Structure, check_setup
from tests.support.games.scenario import antes, table

DRAW = GAMES["draw5"]
# The same game with at least two cards drawn.
AT_LEAST_TWO = replace(
    DRAW,
    streets=tuple(
        [
            replace(street, draw=street.draw and DrawRound(2, 5, replaced=True))
            for street in DRAW.streets
        ]
    ),
)


@pytest.mark.rule("DRW-3")
@pytest.mark.parametrize(
    ("most", "good"), [(0, True), (1, False), (2, True), (5, True), (6, False)]
)
def test_a_table_sets_a_number_that_the_game_has(most: int, good: bool) -> None:
    setup = table(
        100,
        100,
        game=AT_LEAST_TWO,
        structure=Structure.FIXED_LIMIT,
        max_draw=most,
        big_bet_minor=4,
        extra=antes(1, 2),
    )
    refusals = check_setup(setup)
    wrong = [] if good else ["settings.max_draw"]
    assert [refusal.field for refusal in refusals] == wrong
