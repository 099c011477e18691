"""The events of a hand in words, with the face of every card."""

from __future__ import annotations

from collections.abc import Iterable

from libs.cards import cards_text
from libs.games import (
    ActionTaken,
    BetReturned,
    BetsCollected,
    CardsExchanged,
    CardsSwapped,
    DeckReshuffled,
    Event,
    ForcedBetPosted,
    Half,
    Hand,
    HandEnded,
    HandMucked,
    HandRank,
    HandShown,
    KnownDeck,
    Place,
    PlaceKind,
    PlacesDealt,
    PotAwarded,
    ShowdownBegan,
    StreetBegan,
    own_place,
)

_GROUPS = {PlaceKind.BURN: "burned", PlaceKind.COMMUNITY: "common card"}


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
            case PlacesDealt():
                return self._dealt(event.places)
            case CardsSwapped() | CardsExchanged():
                return [self._changed(event)]
            case DeckReshuffled():
                return [f"  {len(event.places)} cards are shuffled into a new deck"]
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
                return _chips(event)

    def _faces(self, places: Iterable[Place]) -> str:
        return cards_text([card for _, card in self._deck.faces(self._hand, places)])

    def _dealt(self, places: tuple[Place, ...]) -> list[str]:
        groups: dict[str, list[Place]] = {}
        for place in places:
            groups.setdefault(self._group(place), []).append(place)
        return [f"  {name}: {self._faces(group)}" for name, group in groups.items()]

    def _group(self, place: Place) -> str:
        if place.kind is PlaceKind.OWN:
            return f"seat {place.owner} is dealt"
        if place.kind is PlaceKind.BOARD:
            return f"board {place.owner + 1}" if self._boards > 1 else "board"
        return _GROUPS[place.kind]

    def _changed(self, event: CardsSwapped | CardsExchanged) -> str:
        if not event.slots:
            return f"  seat {event.seat} stands pat"
        verb = "swaps" if isinstance(event, CardsSwapped) else "gives up"
        places = [own_place(event.seat, slot) for slot in event.slots]
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


def _chips(event: Event) -> list[str]:
    match event:
        case ForcedBetPosted():
            return [f"  seat {event.seat}: {event.kind.replace('_', ' ')} {event.amount}"]
        case ActionTaken():
            to = f" to {event.to}" if event.by else ""
            return [f"  seat {event.seat}: {event.kind}{to}{', all in' if event.all_in else ''}"]
        case BetReturned():
            return [f"  {event.amount} that nobody called go back to seat {event.seat}"]
        case BetsCollected():
            return [f"  in the pots: {' + '.join([str(pot.amount) for pot in event.pots])}"]
        case _:
            return []
