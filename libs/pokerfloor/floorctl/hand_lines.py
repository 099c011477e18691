"""The events of a betting hand as lines, with the face of every card: one row for each event."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from pokerfloor.cards import cards_text
from pokerfloor.games import (
    ActionTaken,
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
    Half,
    Hand,
    HandEnded,
    HandMucked,
    HandRank,
    HandRedealt,
    HandShown,
    HandVoided,
    KnownDeck,
    OpenerAnnounced,
    Place,
    PlaceKind,
    PlacesDealt,
    PotAwarded,
    PotCarried,
    RakeTaken,
    RevealOrdered,
    RevealReason,
    ShowdownBegan,
    SplitAnswered,
    SplitProposed,
    StreetBegan,
    TurnBegan,
    seat_place,
)

_FACING = {True: "down, and turns the earlier one up", False: "up"}
_LIE_OPEN = {RevealReason.UP_CARD: "face up", RevealReason.ALL_IN: "all in, hands face up"}
_GROUPS = {PlaceKind.BURN: "burned", PlaceKind.COMMUNITY: "community card"}


class HandLines:
    """The lines of one hand; asks the deck for faces, so only for hands whose cards may be seen."""

    def __init__(self, hand: Hand, deck: KnownDeck) -> None:
        self._hand = hand
        self._deck = deck
        self._boards = hand.setup.game.boards

    def of(self, event: Event) -> list[str]:
        """Return the lines of an event that has been applied; none for what others say."""
        lines = LINES[type(event)]
        return [] if lines is None else lines(self, event)

    def _faces(self, places: Iterable[Place]) -> str:
        return cards_text([card for _, card in self._deck.faces(self._hand, places)])

    def dealt(self, places: tuple[Place, ...]) -> list[str]:
        """Return what is dealt, by group of places."""
        groups: dict[str, list[Place]] = {}
        for place in places:
            groups.setdefault(self._group(place), []).append(place)
        return [f"  {name}: {self._faces(group)}" for name, group in groups.items()]

    def _group(self, place: Place) -> str:
        if place.kind is PlaceKind.SEAT:
            return f"seat {place.owner} is dealt"
        if place.kind is PlaceKind.BOARD:
            return f"board {place.owner + 1}" if self._boards > 1 else "board"
        if place.kind is PlaceKind.COMMUNITY and self._hand.setup.game.community_cards():
            return "face down, for all"
        return _GROUPS[place.kind]

    def revealed(self, event: RevealOrdered) -> list[str]:
        """Return which dealt cards everybody sees from now on: the deal names all of them."""
        if event.reason not in _LIE_OPEN:
            return []
        seats: dict[int, list[Place]] = {}
        for place in event.places:
            if place.kind is PlaceKind.SEAT:
                seats.setdefault(place.owner, []).append(place)
        if not seats:
            return []
        shown = [f"seat {seat} {self._faces(places)}" for seat, places in seats.items()]
        return [f"  {_LIE_OPEN[event.reason]}: {', '.join(shown)}"]

    def replaced(self, event: CardsSwapped | CardsDrawn) -> str:
        """Return which cards a seat swaps or discards."""
        if not event.slots:
            return f"  seat {event.seat} stands pat"
        verb = "swaps" if isinstance(event, CardsSwapped) else "discards"
        places = [seat_place(event.seat, slot) for slot in event.slots]
        return f"  seat {event.seat} {verb} {self._faces(places)}"

    def shown(self, event: HandShown) -> list[str]:
        """Return what a seat shows, and what it makes on each board and half."""
        head = f"  seat {event.seat} shows {cards_text([card for _, card in event.cards])}"
        return [f"{head}: {self._part(rank)}{rank.name}" for rank in event.ranks]

    def _part(self, part: HandRank | PotAwarded) -> str:
        """Return which board and half, where there are two."""
        words = [f"board {part.board + 1}"] if self._boards > 1 else []
        if len(self._hand.setup.game.parts) > 1:
            words.append(str(part.half))
        return f"{', '.join(words)}: " if words else ""

    def awarded(self, event: PotAwarded) -> str:
        """Return who wins what."""
        part = "" if event.half is Half.WHOLE else self._part(event)
        return f"  {part}seat {event.seat} wins {event.amount} of pot {event.pot_no + 1}"


def _ended(event: HandEnded) -> list[str]:
    return ["", *[f"  seat {seat.seat}: {seat.net:+}" for seat in event.seats]]


def _action(event: ActionTaken) -> list[str]:
    to = f" to {event.to}" if event.by else ""
    return [f"  seat {event.seat}: {event.kind}{to}{', all in' if event.all_in else ''}"]


def _pots(event: BetsCollected) -> list[str]:
    return [f"  in the pots: {' + '.join([str(pot.amount) for pot in event.pots])}"]


def _plain(text: Callable[[Any], str]) -> Callable[[HandLines, Any], list[str]]:
    return lambda _, event: [text(event)]


#: The lines of every event of a betting hand; None where another event says it.
LINES: Final[Mapping[type[Any], Callable[[HandLines, Any], list[str]] | None]] = {
    StreetBegan: lambda _, event: ["", event.name],
    ForcedBetPosted: _plain(lambda e: f"  seat {e.seat}: {e.kind.replace('_', ' ')} {e.amount}"),
    PlacesDealt: lambda lines, event: lines.dealt(event.places),
    OpenerAnnounced: _plain(lambda e: f"  seat {e.seat} starts: {e.reason}"),
    TurnBegan: None,
    ActionTaken: lambda _, event: _action(event),
    CardsSwapped: lambda lines, event: [lines.replaced(event)],
    CardsDrawn: lambda lines, event: [lines.replaced(event)],
    FacingChosen: _plain(lambda e: f"  seat {e.seat} takes the next card {_FACING[e.face_down]}"),
    DeckReshuffled: _plain(lambda e: f"  {len(e.places)} cards are shuffled into a new deck"),
    HandRedealt: None,
    CarriedPotAdded: None,
    BetReturned: _plain(lambda e: f"  {e.amount} that nobody called go back to seat {e.seat}"),
    BetsCollected: lambda _, event: _pots(event),
    RevealOrdered: lambda lines, event: lines.revealed(event),
    CardsRevealed: None,
    ShowdownBegan: lambda _lines, _event: ["", "showdown"],
    HandShown: lambda lines, event: lines.shown(event),
    HandMucked: _plain(lambda e: f"  seat {e.seat} mucks"),
    SplitProposed: _plain(lambda _: "  nobody has a hand to win with: is it to be split?"),
    SplitAnswered: _plain(lambda e: f"  seat {e.seat} says {'yes' if e.agrees else 'no'}"),
    RakeTaken: None,
    PotAwarded: lambda lines, event: [lines.awarded(event)],
    PotCarried: _plain(
        lambda e: f"  {e.amount} of pot {e.pot_no + 1} are carried to the next hand"
    ),
    HandEnded: lambda _, event: _ended(event),
    HandVoided: None,
}
