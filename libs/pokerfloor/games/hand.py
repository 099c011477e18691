"""A betting hand: inputs in, events out, and a value that says what it waits for."""

from dataclasses import fields
from typing import Final

from pokerfloor.games import flow
from pokerfloor.games.apply import apply
from pokerfloor.games.asking import wait_of
from pokerfloor.games.catalogue import GAMES
from pokerfloor.games.check_setup import check_setup
from pokerfloor.games.ending import hand_ended
from pokerfloor.games.events import Event
from pokerfloor.games.inputs import (
    Act,
    AnswerSplit,
    Begin,
    ChooseFacing,
    DiscardCards,
    Input,
    Resolved,
    Reveal,
    SplitTimeUp,
    SwapCards,
)
from pokerfloor.games.machine import Machine
from pokerfloor.games.paying import after_answer
from pokerfloor.games.row_file import row_to_json
from pokerfloor.games.setup import HandSettings, HandSetup
from pokerfloor.games.state import HandState
from pokerfloor.games.validate import validate
from pokerfloor.games.waits import Wait


def _follow(state: HandState, given: Input) -> None:
    """Apply what follows from an input whose own events have been applied."""
    match given:
        case Act():
            flow.after_action(state, state.index_of[given.seat])
        case Reveal():
            flow.after_cards(state)
        case Resolved():
            if not state.split:
                apply(state, hand_ended(state))
        case Begin():
            flow.begin(state)
        case SwapCards():
            flow.after_swap(state, given.seat, len(given.slots))
        case DiscardCards():
            flow.after_discard(state, given.seat, len(given.slots))
        case ChooseFacing():
            flow.after_facing(state, given.seat)
        case AnswerSplit() | SplitTimeUp():
            after_answer(state)
        case _:  # nothing follows from a void or from cards shown by choice
            pass


def canonical_setup(setup: HandSetup) -> tuple[object, ...]:
    """Return a setup as nested tuples of numbers and words; catalogue games by their id."""
    game = setup.game
    return (
        setup.hand_no,
        game.id if GAMES.get(game.id) == game else row_to_json(game),
        setup.structure,
        _canonical_settings(setup.settings),
        setup.seats,
        setup.button,
        setup.forced,
        *((setup.carried,) if setup.carried.amount else ()),
    )


def _canonical_settings(settings: HandSettings) -> tuple[object, ...]:
    """Return all settings; later ones by name, and only if they are not the default.

    So adding a setting does not change the digest of an older hand.
    """
    values = [(field, getattr(settings, field.name)) for field in fields(settings)]
    first = [value for field, value in values if field.name not in _LATER_SETTINGS]
    later = [
        (field.name, value)
        for field, value in values
        if field.name in _LATER_SETTINGS and value != field.default
    ]
    return (*first, *later)


_LATER_SETTINGS: Final = frozenset(
    {
        "short_blind_counts_full",
        "bring_in_minor",
        "open_pair_rule",
        "seventh_shortage",
        "redeal_when_checked",
        "second_round_first",
        "max_draw",
        "first_tie",
    }
)


class Hand(Machine[HandSetup, HandState, Event, Input, Wait]):
    """One hand of a betting game; see `Machine` for its methods."""

    __slots__ = ()

    _check_setup = staticmethod(check_setup)
    _new_state = HandState
    _first_input = Begin
    _wait_of = staticmethod(wait_of)
    _validate = staticmethod(validate)
    _apply = staticmethod(apply)
    _follow = staticmethod(_follow)
    _canonical_setup = staticmethod(canonical_setup)
