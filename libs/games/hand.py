"""A hand: inputs in, events out, and always a value that says what it waits for."""

import json
from collections.abc import Iterable
from dataclasses import fields
from hashlib import sha256
from typing import Final

from libs.games import flow
from libs.games.asking import wait_of
from libs.games.catalogue import GAMES
from libs.games.check_setup import check_setup
from libs.games.ending import hand_ended
from libs.games.events import Event
from libs.games.inputs import Act, Begin, ExchangeCards, Input, Resolved, SwapCards, TurnUp
from libs.games.judge import judge
from libs.games.places import DeckPosition, Place
from libs.games.refusal import Refusal
from libs.games.row_file import row_to_json
from libs.games.setup import HandSettings, HandSetup
from libs.games.state import HandState
from libs.games.waits import Wait


class InvalidSetupError(ValueError):
    """A hand was begun with a setup that `check_setup` refuses; `refusals` says why."""

    def __init__(self, refusals: tuple[Refusal, ...]) -> None:
        super().__init__("; ".join(refusal.reason for refusal in refusals))
        self.refusals = refusals


class Hand:
    """One hand of a betting game; its state is the fold of its events and nothing else.

    Ask with `waits_for`, try an input with `check` or `decide`, which change nothing, and play it
    with `do`; or store what `decide` answered and `apply` it event by event: both come to the same
    state. Raises InvalidSetupError for a setup that cannot be played.
    """

    __slots__ = ("_setup_digest", "_state", "_wait")

    def __init__(self, setup: HandSetup) -> None:
        refusals = check_setup(setup)
        if refusals:
            raise InvalidSetupError(refusals)
        self._state = HandState(setup)
        self._wait: Wait | None = None
        self._setup_digest: str | None = None

    @classmethod
    def begin(cls, setup: HandSetup) -> tuple["Hand", tuple[Event, ...]]:
        """Return a hand that has begun, and its first events."""
        hand = cls(setup)
        events = hand.do(Begin())
        assert not isinstance(events, Refusal)
        return hand, events

    @classmethod
    def fold(cls, setup: HandSetup, events: Iterable[Event]) -> "Hand":
        """Return the hand that these events make."""
        hand = cls(setup)
        for event in events:
            hand.apply(event)
        return hand

    @property
    def setup(self) -> HandSetup:
        """The setup the hand was made with."""
        return self._state.setup

    @property
    def state(self) -> HandState:
        """The state, to be read only."""
        return self._state

    def waits_for(self) -> Wait:
        """Return what the hand waits for now."""
        if self._wait is None:
            self._wait = wait_of(self._state)
        return self._wait

    def check(self, given: Input) -> Refusal | None:
        """Return why an input would be refused, or None. Changes nothing."""
        own = judge(self._state, self.waits_for(), given)
        return own if isinstance(own, Refusal) else None

    def decide(self, given: Input) -> tuple[Event, ...] | Refusal:
        """Return the events that an input causes, or why it is refused. Changes nothing."""
        return self.copy().do(given)

    def do(self, given: Input) -> tuple[Event, ...] | Refusal:
        """Play an input: return its events, already applied, or why it is refused."""
        state = self._state
        own = judge(state, self._wait or self.waits_for(), given)
        if isinstance(own, Refusal):
            return own
        self._wait = None
        for event in own:
            state.apply(event)
        _follow(state, given)
        events = tuple(state.journal)
        state.journal.clear()
        return events

    def apply(self, event: Event) -> None:
        """Fold one event into the state. An event that cannot be true fails an assertion."""
        self._wait = None
        self._state.apply(event)
        self._state.journal.clear()

    def copy(self) -> "Hand":
        """Return an independent copy."""
        twin = object.__new__(Hand)
        twin._state = self._state.copy()
        twin._wait = self._wait
        twin._setup_digest = self._setup_digest
        return twin

    def position(self, place: Place) -> DeckPosition:
        """Return which card of the deck lies at a place dealt. Raises KeyError for any other."""
        return self._state.cards.places[place]

    def canonical(self) -> tuple[object, ...]:
        """Return the whole state, without the setup, as nested tuples of numbers and words."""
        return self._state.canonical()

    def digest(self) -> bytes:
        """Return 32 bytes that tell this state, setup included, from every other.

        SHA-256 over the compact JSON text of [setup digest in hex, canonical state], tuples being
        arrays; the setup digest is made likewise of the setup.
        """
        if self._setup_digest is None:
            self._setup_digest = _sha256(canonical_setup(self._state.setup)).hex()
        return _sha256((self._setup_digest, self._state.canonical()))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hand):
            return NotImplemented
        return self.setup == other.setup and self.canonical() == other.canonical()

    __hash__ = None  # type: ignore[assignment]  # a hand changes


def _follow(state: HandState, given: Input) -> None:
    """Play what the rules say follows from an input that has been applied."""
    match given:
        case Act():
            flow.after_action(state, state.position_of[given.seat])
        case TurnUp():
            flow.after_cards(state)
        case Resolved():
            state.apply(hand_ended(state))
        case Begin():
            flow.begin(state)
        case SwapCards():
            flow.after_swap(state, given.seat, len(given.slots))
        case ExchangeCards():
            flow.after_exchange(state, given.seat, len(given.slots))
        case _:  # nothing follows from a void or from cards shown by choice
            pass


def canonical_setup(setup: HandSetup) -> tuple[object, ...]:
    """Return a setup as nested tuples of numbers and words; a game of the catalogue by its id."""
    game = setup.game
    return (
        setup.hand_no,
        game.id if GAMES.get(game.id) == game else row_to_json(game),
        setup.structure,
        _canonical_settings(setup.settings),
        setup.seats,
        setup.button,
        setup.forced,
    )


def _canonical_settings(settings: HandSettings) -> tuple[object, ...]:
    """Return all settings; those that came later by name, and only where they are not the default.

    So the digest of a hand that was played before there was a setting is still what it was.
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
    }
)


def _sha256(value: tuple[object, ...]) -> bytes:
    return sha256(json.dumps(value, separators=(",", ":")).encode("ascii")).digest()
