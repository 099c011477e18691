"""The base of every hand: inputs in, events out, the state built by applying the events."""

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any, Generic, Protocol, Self, TypeVar

from pokerfloor.games.places import DeckIndex, Place
from pokerfloor.games.refusal import Refusal


class InvalidSetupError(ValueError):
    """The setup of a hand is invalid; `refusals` are those of `check_setup`."""

    def __init__(self, refusals: tuple[Refusal, ...]) -> None:
        super().__init__("; ".join(refusal.reason for refusal in refusals))
        self.refusals = refusals


class Cards(Protocol):
    """The part of a state that knows where cards lie."""

    @property
    def places(self) -> Mapping[Place, DeckIndex]:
        """Which card of the deck lies at each place dealt."""
        ...


class State(Protocol):
    """What a machine needs from the state of a kind of hand.

    `journal` holds the events applied since it was last cleared; it is not part of the state.
    """

    setup: Any
    journal: list[Any]

    @property
    def cards(self) -> Cards:
        """The cards."""
        ...

    def copy(self) -> Self:
        """Return an independent copy."""
        ...

    def canonical(self) -> tuple[object, ...]:
        """Return the whole state, without the setup, as nested tuples of numbers and words."""
        ...


SetupT = TypeVar("SetupT")
StateT = TypeVar("StateT", bound=State)
EventT = TypeVar("EventT")
InputT = TypeVar("InputT")
WaitT = TypeVar("WaitT")


class Machine(ABC, Generic[SetupT, StateT, EventT, InputT, WaitT]):
    """One hand; its state is built by applying its events and depends on nothing else.

    `waits_for` returns what the hand waits for. `validate` and `decide` try an input and change
    nothing, `execute` plays it. A caller that stores first calls `decide`, stores the events and
    then `apply`s each of them: both ways lead to the same state. Raises InvalidSetupError for an
    invalid setup.

    A kind of hand defines its rules by the methods with a leading underscore.
    """

    __slots__ = ("_setup_digest", "_state", "_wait")

    def __init__(self, setup: SetupT) -> None:
        refusals = self._check_setup(setup)
        if refusals:
            raise InvalidSetupError(refusals)
        self._state = self._new_state(setup)
        self._wait: WaitT | None = None
        self._setup_digest: str | None = None

    @staticmethod
    @abstractmethod
    def _check_setup(setup: SetupT, /) -> tuple[Refusal, ...]: ...

    @staticmethod
    @abstractmethod
    def _new_state(setup: SetupT, /) -> StateT: ...

    @staticmethod
    @abstractmethod
    def _first_input() -> InputT: ...

    @staticmethod
    @abstractmethod
    def _wait_of(state: StateT, /) -> WaitT: ...

    @staticmethod
    @abstractmethod
    def _validate(state: StateT, wait: WaitT, given: InputT, /) -> Iterable[EventT] | Refusal: ...

    @staticmethod
    @abstractmethod
    def _apply(state: StateT, event: EventT, /) -> None: ...

    @staticmethod
    @abstractmethod
    def _follow(state: StateT, given: InputT, /) -> None: ...

    @staticmethod
    @abstractmethod
    def _canonical_setup(setup: SetupT, /) -> tuple[object, ...]: ...

    @classmethod
    def begin(cls, setup: SetupT) -> tuple[Self, tuple[EventT, ...]]:
        """Return a hand that has begun, and its first events."""
        hand = cls(setup)
        events = hand.execute(cls._first_input())
        assert not isinstance(events, Refusal)
        return hand, events

    @classmethod
    def replay(cls, setup: SetupT, events: Iterable[EventT]) -> Self:
        """Return the hand built by applying these events."""
        hand = cls(setup)
        for event in events:
            hand.apply(event)
        return hand

    @property
    def setup(self) -> SetupT:
        """The setup of the hand."""
        setup: SetupT = self._state.setup
        return setup

    @property
    def state(self) -> StateT:
        """The state; read only."""
        return self._state

    def waits_for(self) -> WaitT:
        """Return what the hand waits for now."""
        if self._wait is None:
            self._wait = self._wait_of(self._state)
        return self._wait

    def validate(self, given: InputT) -> Refusal | None:
        """Return why an input would be refused, or None. Changes nothing."""
        caused = self._validate(self._state, self.waits_for(), given)
        return caused if isinstance(caused, Refusal) else None

    def decide(self, given: InputT) -> tuple[EventT, ...] | Refusal:
        """Return the events that an input causes, or why it is refused. Changes nothing."""
        return self.copy().execute(given)

    def execute(self, given: InputT) -> tuple[EventT, ...] | Refusal:
        """Execute an input. Return its events, already applied, or why it is refused."""
        state = self._state
        wait = self.waits_for() if self._wait is None else self._wait
        caused = self._validate(state, wait, given)
        if isinstance(caused, Refusal):
            return caused
        self._wait = None
        for event in caused:
            self._apply(state, event)
        self._follow(state, given)
        events = tuple(state.journal)
        state.journal.clear()
        return events

    def apply(self, event: EventT) -> None:
        """Apply one event to the state. An impossible event raises AssertionError."""
        self._wait = None
        self._apply(self._state, event)
        self._state.journal.clear()

    def copy(self) -> Self:
        """Return an independent copy."""
        twin = object.__new__(type(self))
        twin._state = self._state.copy()
        twin._wait = self._wait
        twin._setup_digest = self._setup_digest
        return twin

    def deck_index(self, place: Place) -> DeckIndex:
        """Return the deck index of a dealt place. Raises KeyError for any other."""
        return self._state.cards.places[place]

    def canonical(self) -> tuple[object, ...]:
        """Return the whole state, without the setup, as nested tuples of numbers and words."""
        return self._state.canonical()

    def digest(self) -> bytes:
        """Return the 32-byte digest of the setup and the state.

        SHA-256 over the compact JSON text of [setup digest in hex, canonical state], with tuples as
        arrays. The setup digest is computed in the same way from the setup.
        """
        if self._setup_digest is None:
            self._setup_digest = _sha256(self._canonical_setup(self._state.setup)).hex()
        return _sha256((self._setup_digest, self._state.canonical()))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return self.setup == other.setup and self.canonical() == other.canonical()

    __hash__ = None  # type: ignore[assignment]  # a hand is mutable


def _sha256(value: tuple[object, ...]) -> bytes:
    return sha256(json.dumps(value, separators=(",", ":")).encode("ascii")).digest()
