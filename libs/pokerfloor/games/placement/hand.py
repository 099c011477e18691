"""A placement hand: inputs in, events out, and a value that says what it waits for."""

from dataclasses import astuple

from pokerfloor.games.inputs import Begin, Reveal
from pokerfloor.games.machine import Machine
from pokerfloor.games.placement import flow
from pokerfloor.games.placement.apply import apply
from pokerfloor.games.placement.asking import wait_of
from pokerfloor.games.placement.check_setup import check_setup
from pokerfloor.games.placement.events import PlacementEvent
from pokerfloor.games.placement.inputs import (
    ConfirmPlacement,
    PlacementInput,
    PlacementTimeUp,
    Scored,
)
from pokerfloor.games.placement.rows import PLACEMENT_GAMES
from pokerfloor.games.placement.setup import PlacementSetup
from pokerfloor.games.placement.state import PlacementState
from pokerfloor.games.placement.validate import validate
from pokerfloor.games.placement.waits import PlacementWait


def _follow(state: PlacementState, given: PlacementInput) -> None:
    """Apply what follows from an input whose own events have been applied."""
    match given:
        case Begin():
            flow.begin(state)
        case ConfirmPlacement() | PlacementTimeUp():
            flow.after_confirm(state, given.seat)
        case Reveal():
            flow.go_on(state)
        case Scored():
            flow.after_score(state)
        case _:  # nothing follows from a move in the open or from a void
            pass


def canonical_setup(setup: PlacementSetup) -> tuple[object, ...]:
    """Return a setup as nested tuples of numbers and words; catalogue games by their id."""
    game = setup.game
    return (
        setup.hand_no,
        game.id if PLACEMENT_GAMES.get(game.id) == game else astuple(game),
        setup.seats,
        setup.button,
        setup.fantasyland,
        setup.fantasyland_heads_up,
        int(setup.burn),
    )


class PlacementHand(
    Machine[PlacementSetup, PlacementState, PlacementEvent, PlacementInput, PlacementWait]
):
    """One hand of a placement game; see `Machine` for its methods."""

    __slots__ = ()

    _check_setup = staticmethod(check_setup)
    _new_state = PlacementState
    _first_input = Begin
    _wait_of = staticmethod(wait_of)
    _validate = staticmethod(validate)
    _apply = staticmethod(apply)
    _follow = staticmethod(_follow)
    _canonical_setup = staticmethod(canonical_setup)
