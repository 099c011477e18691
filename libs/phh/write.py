"""Write a hand that was played here as PHH, so that players' tools read it and `replay` agrees.

Where the format has no word, own fields with an underscore say it exactly: `_forced` (who posted
what), `_smallest_chip`, `_rake_bp`, `_rake_caps`, `_no_flop_no_drop`, `_losers`, `_min_raise`,
`_burn`, `_short_blind_counts_full`, and in fixed-limit `_raise_cap`, `_heads_up_uncapped`,
`_seventh_shortage` and `_open_pair_rule`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from libs.cards import UNKNOWN, Card, cards_text
from libs.games import (
    ActionTaken,
    ActKind,
    CardsExchanged,
    CardsTurnedUp,
    Event,
    ForcedBetPosted,
    ForcedKind,
    HandEnded,
    HandMucked,
    HandRedealt,
    HandSetup,
    HandShown,
    HandVoided,
    Place,
    PlaceKind,
    PlacesDealt,
    Structure,
    own_place,
)
from libs.phh.errors import PhhError
from libs.phh.table import GAMES_BY_VARIANT

_VARIANTS: Final = {row: code for code, row in GAMES_BY_VARIANT.items()}
_ANTES: Final = frozenset(
    {ForcedKind.ANTE, ForcedKind.ANTE_FOR_ALL, ForcedKind.BOMB, ForcedKind.DEAD_SMALL}
)
_BLINDS: Final = frozenset(
    {ForcedKind.SMALL_BLIND, ForcedKind.BIG_BLIND, ForcedKind.STRADDLE, ForcedKind.POST}
)


_SHARED: Final = (PlaceKind.BOARD, PlaceKind.COMMUNITY)


@dataclass(frozen=True, slots=True)
class Heading:
    """What stands around the hand. `decimals` are those of the currency's minor unit."""

    decimals: int
    players: Mapping[int, str]  # by seat
    venue: str = ""
    table: str = ""
    currency: str = ""
    hand: int = 0
    year: int = 0
    month: int = 0
    day: int = 0
    time: str = ""  # "hh:mm:ss", UTC


def write_hand(setup: HandSetup, events: Sequence[Event], heading: Heading) -> str:
    """Return the PHH document of a finished hand. Raises PhhError for one that cannot be told."""
    variant = _VARIANTS.get((setup.game.id, setup.structure))
    if variant is None:
        raise PhhError(f"no code for {setup.structure} {setup.game.name}", "variant")
    if any(isinstance(event, HandVoided) for event in events):
        raise PhhError("the hand is void", "actions")
    if any(isinstance(event, HandRedealt) for event in events):
        raise PhhError("the hand was dealt again, for which there is no word", "actions")
    ended = [event for event in events if isinstance(event, HandEnded)]
    if len(ended) != 1:
        raise PhhError("the hand is not finished", "actions")
    order = positions(setup)
    writer = _Writer(setup, events, heading, order)
    ends = {entry.seat: entry.end for entry in ended[0].seats}
    fields: list[tuple[str, str]] = [
        ("variant", _string(variant)),
        ("ante_trimming_status", "true"),
        ("antes", writer.amounts(writer.posted_antes())),
        *writer.bets(),
        ("starting_stacks", writer.amounts([writer.stack(seat) for seat in order])),
        ("actions", _list([_string(action) for action in _together(writer.actions())])),
        *writer.heading(),
        ("seats", _list([str(seat) for seat in order])),
        ("players", _list([_string(heading.players.get(seat, "")) for seat in order])),
        ("finishing_stacks", writer.amounts([ends[seat] for seat in order])),
        *writer.own_fields(),
    ]
    return "".join(f"{name} = {value}\n" for name, value in fields)


def _together(actions: Iterator[str]) -> list[str]:
    """Return actions with the cards of one deal in one: a reshuffle may have parted it (DRW-5)."""
    told: list[str] = []
    for action in actions:
        last = told[-1].split() if told else []
        if action.startswith("d dh") and last[:3] == action.split()[:3]:
            told[-1] += action.split()[3]
        else:
            told.append(action)
    return told


def positions(setup: HandSetup) -> list[int]:
    """Return the seats in PHH's order: first left of the button, last the button itself."""
    seats = [entry.seat for entry in setup.seats]
    return sorted(seats, key=lambda seat: (seat <= setup.button, seat))


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
        decimals = self._heading.decimals
        if decimals == 0:
            return str(minor)
        whole, rest = divmod(minor, 10**decimals)
        return f"{whole}.{rest:0{decimals}d}"

    def amounts(self, values: Sequence[int]) -> str:
        return _list([self.amount(value) for value in values])

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
        else:
            yield "bring_in", self.amount(settings.bring_in_minor or settings.min_bet_minor)
        if self._setup.structure is Structure.FIXED_LIMIT:
            yield "small_bet", self.amount(settings.min_bet_minor)
            yield "big_bet", self.amount(settings.big_bet_minor)
        else:
            yield "min_bet", self.amount(settings.min_bet_minor)

    def actions(self) -> Iterator[str]:
        faces = self._faces()
        for event in self._events:
            match event:
                case PlacesDealt():
                    yield from self._deals(event, faces)
                case ForcedBetPosted() if event.kind is ForcedKind.BRING_IN:
                    yield f"p{self._player[event.seat]} pb"
                case CardsExchanged():
                    places = [own_place(event.seat, slot) for slot in event.slots]
                    cards = cards_text([faces.get(place, UNKNOWN) for place in places])
                    yield f"p{self._player[event.seat]} sd {cards}".rstrip()
                case ActionTaken():
                    yield f"p{self._player[event.seat]} {self._verb(event)}"
                case CardsTurnedUp():
                    board = [card for place, card in event.cards if place.kind in _SHARED]
                    if board:
                        yield f"d db {cards_text(board)}"
                case HandShown():
                    cards = cards_text([card for _, card in event.cards])
                    yield f"p{self._player[event.seat]} sm {cards}"
                case HandMucked():
                    yield f"p{self._player[event.seat]} sm"
                case _:
                    pass

    def _faces(self) -> dict[Place, Card]:
        """Every face that was ever turned up: own cards that were not stay unknown."""
        faces: dict[Place, Card] = {}
        for event in self._events:
            if isinstance(event, CardsTurnedUp | HandShown):
                faces.update(event.cards)
        return faces

    def _deals(self, event: PlacesDealt, faces: Mapping[Place, Card]) -> Iterator[str]:
        own: dict[int, list[Card]] = {}
        for place in event.places:
            if place.kind is PlaceKind.OWN:
                own.setdefault(place.owner, []).append(faces.get(place, UNKNOWN))
        for seat, cards in own.items():
            yield f"d dh p{self._player[seat]} {cards_text(cards)}"

    def _verb(self, event: ActionTaken) -> str:
        if event.kind is ActKind.FOLD:
            return "f"
        if event.kind in (ActKind.CHECK, ActKind.CALL):
            return "cc"
        return f"cbr {self.amount(event.to)}"

    def heading(self) -> Iterator[tuple[str, str]]:
        heading = self._heading
        if heading.venue:
            yield "venue", _string(heading.venue)
        if heading.table:
            yield "table", _string(heading.table)
        if heading.currency:
            yield "currency", _string(heading.currency)
        for name in ("hand", "year", "month", "day"):
            value: int = getattr(heading, name)
            if value:
                yield name, str(value)
        if heading.time:
            yield "time", heading.time
            yield "time_zone", _string("UTC")

    def own_fields(self) -> Iterator[tuple[str, str]]:
        settings = self._setup.settings
        yield (
            "_forced",
            _list(
                [
                    _string(f"p{self._player[bet.seat]} {bet.kind} {self.amount(bet.amount)}")
                    for bet in self._setup.forced
                ]
            ),
        )
        yield "_smallest_chip", self.amount(settings.smallest_chip_minor)
        yield "_losers", _string(settings.losers)
        yield "_min_raise", _string(settings.min_raise)
        yield "_rake_bp", str(settings.rake.rate_bp)
        yield "_short_blind_counts_full", _truth(settings.short_blind_counts_full)
        yield "_burn", _truth(settings.burn)
        if self._setup.structure is Structure.FIXED_LIMIT:
            yield "_raise_cap", str(settings.raise_cap)
            yield "_heads_up_uncapped", _truth(settings.heads_up_uncapped)
            yield "_seventh_shortage", _string(settings.seventh_shortage)
            yield "_open_pair_rule", _truth(settings.open_pair_rule)
        caps = [f"[{cap.players}, {self.amount(cap.cap_minor)}]" for cap in settings.rake.caps]
        yield "_rake_caps", _list(caps)
        yield "_no_flop_no_drop", _truth(settings.rake.no_flop_no_drop)


def _truth(value: bool) -> str:
    return "true" if value else "false"


def _string(text: str) -> str:
    """Return a TOML basic string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\U{ord(c):08x}" for c in escaped) + '"'


def _list(values: Sequence[str]) -> str:
    return "[" + ", ".join(values) + "]"
