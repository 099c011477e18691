"""The events of a hand in words, with the face of every card."""

from __future__ import annotations

from collections.abc import Iterable

from pokerfloor.cards import cards_text
from pokerfloor.games import (
    ActionTaken,
    BetReturned,
    BetsCollected,
    CardsDrawn,
    CardsSwapped,
    DeckReshuffled,
    Event,
    FacingChosen,
    ForcedBetPosted,
    Half,
    Hand,
    HandEnded,
    HandMucked,
    HandRank,
    HandShown,
    KnownDeck,
    OpenerAnnounced,
    Place,
    PlaceKind,
    PlacesDealt,
    PotAwarded,
    PotCarried,
    RevealOrdered,
    RevealReason,
    ShowdownBegan,
    SplitAnswered,
    SplitProposed,
    StreetBegan,
    seat_place,
)

_FACING = {True: "down, and turns the earlier one up", False: "up"}
_LIE_OPEN = {RevealReason.UP_CARD: "face up", RevealReason.ALL_IN: "all in, hands face up"}
_GROUPS = {PlaceKind.BURN: "burned", PlaceKind.COMMUNITY: "community card"}


class Teller:
    """Tells one hand; asks the deck for faces, so only for hands whose every card may be seen."""

    def __init__(self, hand: Hand, deck: KnownDeck) -> None:
        self._hand = hand
        self._deck = deck
        self._boards = hand.setup.game.boards

    def tell(self, event: Event) -> list[str]:
        """Return the lines for an event that has been applied; none for what others tell."""
        match event:
            case StreetBegan():
                return ["", event.name]
            case ShowdownBegan():
                return ["", "showdown"]
            case HandShown():
                return self._shown(event)
            case HandMucked():
                return [f"  seat {event.seat} mucks"]
            case PotAwarded():
                return [self._awarded(event)]
            case HandEnded():
                return ["", *[f"  seat {seat.seat}: {seat.net:+}" for seat in event.seats]]
            case _:
                return self._cards(event) or _said(event) or _chips(event)

    def _cards(self, event: Event) -> list[str]:
        match event:
            case PlacesDealt():
                return self._dealt(event.places)
            case RevealOrdered():
                return self._turned_up(event)
            case CardsSwapped() | CardsDrawn():
                return [self._changed(event)]
            case DeckReshuffled():
                return [f"  {len(event.places)} cards are shuffled into a new deck"]
            case _:
                return []

    def _faces(self, places: Iterable[Place]) -> str:
        return cards_text([card for _, card in self._deck.faces(self._hand, places)])

    def _dealt(self, places: tuple[Place, ...]) -> list[str]:
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
            return "face down in the middle"
        return _GROUPS[place.kind]

    def _turned_up(self, event: RevealOrdered) -> list[str]:
        """Tell which own cards everybody sees from now on: the deal names those face down too."""
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

    def _changed(self, event: CardsSwapped | CardsDrawn) -> str:
        if not event.slots:
            return f"  seat {event.seat} stands pat"
        verb = "swaps" if isinstance(event, CardsSwapped) else "gives up"
        places = [seat_place(event.seat, slot) for slot in event.slots]
        return f"  seat {event.seat} {verb} {self._faces(places)}"

    def _shown(self, event: HandShown) -> list[str]:
        head = f"  seat {event.seat} shows {cards_text([card for _, card in event.cards])}"
        return [f"{head}: {self._part(rank)}{rank.name}" for rank in event.ranks]

    def _part(self, part: HandRank | PotAwarded) -> str:
        """Return which board and half, where there are two."""
        words = [f"board {part.board + 1}"] if self._boards > 1 else []
        if len(self._hand.setup.game.parts) > 1:
            words.append(str(part.half))
        return f"{', '.join(words)}: " if words else ""

    def _awarded(self, event: PotAwarded) -> str:
        part = "" if event.half is Half.WHOLE else self._part(event)
        return f"  {part}seat {event.seat} wins {event.amount} of pot {event.pot_no + 1}"


def _said(event: Event) -> list[str]:
    match event:
        case OpenerAnnounced():
            return [f"  seat {event.seat} starts: {event.reason}"]
        case FacingChosen():
            return [f"  seat {event.seat} takes the next card {_FACING[event.face_down]}"]
        case SplitProposed():
            return ["  nobody has a hand to win with: is it to be split?"]
        case SplitAnswered():
            return [f"  seat {event.seat} says {'yes' if event.agrees else 'no'}"]
        case _:
            return []


def _chips(event: Event) -> list[str]:
    match event:
        case ForcedBetPosted():
            return [f"  seat {event.seat}: {event.kind.replace('_', ' ')} {event.amount}"]
        case ActionTaken():
            to = f" to {event.to}" if event.by else ""
            return [f"  seat {event.seat}: {event.kind}{to}{', all in' if event.all_in else ''}"]
        case BetReturned():
            return [f"  {event.amount} that nobody called go back to seat {event.seat}"]
        case PotCarried():
            return [f"  {event.amount} of pot {event.pot_no + 1} are carried to the next hand"]
        case BetsCollected():
            return [f"  in the pots: {' + '.join([str(pot.amount) for pot in event.pots])}"]
        case _:
            return []
