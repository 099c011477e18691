"""Tables of Mata Ases for the tests."""

from typing import Any

from pokerfloor.games import GAMES, NOTHING_CARRIED, Carried, WaitAction, WaitFacing
from tests.support.games.scenario import Scenario, antes, table

MATA = GAMES["mata_ases"]


def mata(
    *stacks: int,
    hole: dict[int, str] | None = None,
    middle: str = "",
    ante: int = 10,
    carried: Carried = NOTHING_CARRIED,
    button: int | None = None,
    always_show: tuple[int, ...] = (),
    **settings: Any,
) -> Scenario:
    """Seats 1, 2, … with these stacks, the button on the last one; hole cards slot by slot."""
    setup = table(
        *stacks,
        game=MATA,
        forced=antes(ante, len(stacks)),
        big=ante,
        carried=carried,
        button=button,
        **settings,
    )
    return Scenario(setup, hole, middle, always_show)


def checked_down(played: Scenario) -> Scenario:
    """Check or call and take every card up, as far as that goes."""
    while True:
        wait = played.hand.waits_for()
        if isinstance(wait, WaitFacing):
            played.play("u")
        elif isinstance(wait, WaitAction):
            played.play("k" if wait.legal.can_check else "c")
        else:
            return played
