"""Write a hand that was played here as PHH, so that players' tools read it and `replay` agrees.

Where the format has no word, own fields with an underscore say it exactly (see README.md), and
own verbs (see `actions`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, assert_never

from pokerfloor.cards import UNKNOWN, Card, cards_text
from pokerfloor.games import (
    ActionTaken,
    ActKind,
    BetReturned,
    BetsCollected,
    CardsDrawn,
    CardsRevealed,
    CardsSwapped,
    CarriedPotAdded,
    DeckReshuffled,
    Event,
    FacingChosen,
    ForcedBetPosted,
    ForcedKind,
    HandEnded,
    HandMucked,
    HandRedealt,
    HandSetup,
    HandShown,
    HandVoided,
    Opener,
    OpenerAnnounced,
    Place,
    PlaceKind,
    PlacesDealt,
    PotAwarded,
    PotCarried,
    RakeTaken,
    RevealOrdered,
    ShowdownBegan,
    SplitAnswered,
    SplitProposed,
    StreetBegan,
    Structure,
    TurnBegan,
    seat_place,
)
from pokerfloor.phh.actions import Verb
from pokerfloor.phh.errors import PhhError
from pokerfloor.phh.heading import Heading, heading_fields, void_fields
from pokerfloor.phh.settings import settings_fields
from pokerfloor.phh.toml import toml_amount, toml_list, toml_strings
from pokerfloor.phh.variants import game_fields

_ANTES: Final = frozenset(
    {ForcedKind.ANTE, ForcedKind.ANTE_FOR_ALL, ForcedKind.BOMB, ForcedKind.DEAD_SMALL}
)
_BLINDS: Final = frozenset(
    {ForcedKind.SMALL_BLIND, ForcedKind.BIG_BLIND, ForcedKind.STRADDLE, ForcedKind.POST}
)


_SHARED: Final = (PlaceKind.BOARD, PlaceKind.COMMUNITY)


def write_hand(setup: HandSetup, events: Sequence[Event], heading: Heading) -> str:
    """Return the PHH document of a finished hand. Raises PhhError where that cannot be."""
    order = positions(setup)
    writer = _Writer(setup, events, heading, order)
    ends = writer.ends()
    fields: list[tuple[str, str]] = [
        *game_fields(setup.game, setup.structure),
        ("ante_trimming_status", "true"),
        ("antes", writer.amounts(writer.posted_antes())),
        *writer.bets(),
        ("starting_stacks", writer.amounts([writer.stack(seat) for seat in order])),
        ("actions", toml_strings(_together(writer.actions()))),
        *heading_fields(heading, order),
        ("finishing_stacks", writer.amounts([ends[seat] for seat in order])),
        *writer.own_fields(),
    ]
    return "".join(f"{name} = {value}\n" for name, value in fields)


def _together(actions: Iterator[str]) -> list[str]:
    """Return actions with the cards of one deal in one: a reshuffle may have parted it (DRW-5).

    Else only where nothing else stands between them.
    """
    lines: list[str] = []
    for action in actions:
        last = lines[-1].split() if lines else []
        if action.startswith("d dh") and last[:3] == action.split()[:3]:
            lines[-1] += action.split()[3]
        else:
            lines.append(action)
    return lines


def positions(setup: HandSetup) -> list[int]:
    """Return the seats in PHH's order: first left of the button, last the button itself."""
    seats = [entry.seat for entry in setup.seats]
    return sorted(seats, key=lambda seat: (seat <= setup.button, seat))


def _own_words(event: CardsSwapped | FacingChosen | SplitAnswered) -> str:
    """Return the verb and the arguments of what the format has no word for."""
    if isinstance(event, CardsSwapped):
        return " ".join([Verb.SWAP, *map(str, event.slots)])
    if isinstance(event, FacingChosen):
        return Verb.DOWN if event.face_down else Verb.UP
    return f"{Verb.SPLIT} {'yes' if event.agrees else 'no'}"


class _Writer:
    """The parts of one document."""

    def __init__(
        self, setup: HandSetup, events: Sequence[Event], heading: Heading, order: list[int]
    ) -> None:
        self._setup = setup
        self._events = events
        self._heading = heading
        self._player = {seat: number for number, seat in enumerate(order, start=1)}
        # The forced bets' arrays are written small blind first, also heads-up.
        self._posting_order = order[::-1] if len(order) == 2 else order
        self._stacks = dict(setup.seats)

    def stack(self, seat: int) -> int:
        return self._stacks[seat]

    def amount(self, minor: int) -> str:
        return toml_amount(minor, self._heading.decimals)

    def amounts(self, values: Sequence[int]) -> str:
        return toml_list([self.amount(value) for value in values])

    def ends(self) -> dict[int, int]:
        """Return what every seat has after the hand; a void one gives all back (DLR-8)."""
        for event in self._events:
            if isinstance(event, HandVoided):
                return dict(self._setup.seats)
            if isinstance(event, HandEnded):
                return {entry.seat: entry.end for entry in event.seats}
        raise PhhError("the hand is not finished", "actions")

    def posted_antes(self) -> list[int]:
        return [self._forced(seat, _ANTES) for seat in self._posting_order]

    def posted_blinds(self) -> list[int]:
        return [self._forced(seat, _BLINDS) for seat in self._posting_order]

    def _forced(self, seat: int, wanted: frozenset[ForcedKind]) -> int:
        return sum(
            bet.amount for bet in self._setup.forced if bet.seat == seat and bet.kind in wanted
        )

    def bets(self) -> Iterator[tuple[str, str]]:
        settings = self._setup.settings
        if self._setup.game.exposed is None:
            yield "blinds_or_straddles", self.amounts(self.posted_blinds())
        elif self._setup.game.streets[0].opener is Opener.BRING_IN:
            yield "bring_in", self.amount(settings.bring_in_minor or settings.min_bet_minor)
        if self._setup.structure is Structure.FIXED_LIMIT:
            yield "small_bet", self.amount(settings.min_bet_minor)
            yield "big_bet", self.amount(settings.big_bet_minor)
        else:
            yield "min_bet", self.amount(settings.min_bet_minor)

    def actions(self) -> Iterator[str]:
        """Tell the hand. All discards of a street stand before the cards that come for them.

        At our tables a seat is given its cards before the next one is asked (DRW-4); recorded hands
        have it in the format's order, and others read no other.
        """
        faces = self._faces()
        for street in self._streets():
            drawn: list[str] = []
            drawing = False
            for event in street:
                if isinstance(event, CardsDrawn):
                    drawing = True
                    yield self._discard(event, faces)
                elif isinstance(event, PlacesDealt) and drawing:
                    drawn += self._deals(event, faces)
                else:
                    lines = list(self._lines(event, faces))
                    if lines:
                        yield from drawn
                        drawn.clear()
                    yield from lines
            yield from drawn

    def _streets(self) -> Iterator[list[Event]]:
        street: list[Event] = []
        for event in self._events:
            if isinstance(event, StreetBegan):
                yield street
                street = []
            street.append(event)
        yield street

    def _discard(self, event: CardsDrawn, faces: Mapping[Place, Card]) -> str:
        places = [seat_place(event.seat, slot) for slot in event.slots]
        cards = cards_text([faces.get(place, UNKNOWN) for place in places])
        return f"p{self._player[event.seat]} sd {cards}".rstrip()

    def _lines(self, event: Event, faces: Mapping[Place, Card]) -> Iterator[str]:
        match event:
            case PlacesDealt():
                yield from self._deals(event, faces)
            case ForcedBetPosted() if event.kind is ForcedKind.BRING_IN:
                yield f"p{self._player[event.seat]} pb"
            case ActionTaken():
                yield f"p{self._player[event.seat]} {self._verb(event)}"
            case CardsSwapped() | FacingChosen() | SplitAnswered():
                yield f"p{self._player[event.seat]} {_own_words(event)}"
            case CardsRevealed() | HandShown() | HandMucked():
                yield from self._shows(event)
            case (
                StreetBegan()
                | ForcedBetPosted()
                | OpenerAnnounced()
                | TurnBegan()
                | CardsDrawn()
                | DeckReshuffled()
                | HandRedealt()
                | CarriedPotAdded()
                | BetReturned()
                | BetsCollected()
                | RevealOrdered()
                | ShowdownBegan()
                | SplitProposed()
                | RakeTaken()
                | PotAwarded()
                | PotCarried()
                | HandEnded()
                | HandVoided()
            ):
                pass  # it follows from the others, or a field of the document says it
            case _:
                assert_never(event)

    def _shows(self, event: CardsRevealed | HandShown | HandMucked) -> Iterator[str]:
        if isinstance(event, CardsRevealed):
            board = [card for place, card in event.cards if place.kind in _SHARED]
            if board:
                yield f"d db {cards_text(board)}"
        elif isinstance(event, HandShown):
            cards = cards_text([card for _, card in event.cards])
            yield f"p{self._player[event.seat]} sm {cards}"
        else:
            yield f"p{self._player[event.seat]} sm"

    def _faces(self) -> dict[Place, Card]:
        """Every face that was ever revealed: hole cards that were not stay unknown."""
        faces: dict[Place, Card] = {}
        for event in self._events:
            if isinstance(event, CardsRevealed | HandShown):
                faces.update(event.cards)
        return faces

    def _deals(self, event: PlacesDealt, faces: Mapping[Place, Card]) -> Iterator[str]:
        own: dict[int, list[Card]] = {}
        for place in event.places:
            if place.kind is PlaceKind.SEAT:
                own.setdefault(place.owner, []).append(faces.get(place, UNKNOWN))
        for seat, cards in own.items():
            yield f"d dh p{self._player[seat]} {cards_text(cards)}"

    def _verb(self, event: ActionTaken) -> str:
        if event.kind is ActKind.FOLD:
            return "f"
        if event.kind in (ActKind.CHECK, ActKind.CALL):
            return "cc"
        return f"cbr {self.amount(event.to)}"

    def own_fields(self) -> Iterator[tuple[str, str]]:
        setup = self._setup
        forced = [
            f"p{self._player[bet.seat]} {bet.kind} {self.amount(bet.amount)}"
            for bet in setup.forced
        ]
        yield "_forced", toml_strings(forced)
        yield from settings_fields(setup.settings, setup.game, setup.structure, self.amount)
        if setup.carried.amount:
            yield "_carried_in", self.amount(setup.carried.amount)
            claims = sorted([self._player[seat] for seat in setup.carried.seats])
            yield "_carried_claims", toml_list([str(claim) for claim in claims])
        carried = [event.amount for event in self._events if isinstance(event, PotCarried)]
        if carried:
            yield "_carried_out", self.amount(sum(carried))
        yield from void_fields(self._events)
