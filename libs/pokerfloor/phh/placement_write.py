"""Write a placement hand: layouts and points, for which the format has no words.

The cards and the players stand in the format's own fields and verbs, all else in ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import assert_never

from pokerfloor.cards import UNKNOWN, Card, cards_text
from pokerfloor.games import (
    CardsRevealed,
    HandEnded,
    HandVoided,
    Place,
    PlaceKind,
    PlacesDealt,
    RevealOrdered,
    StreetBegan,
    TurnBegan,
)
from pokerfloor.games.placement import (
    FantasylandEarned,
    HiddenPlacement,
    LayoutRevealed,
    LayoutRow,
    PlacementConfirmed,
    PlacementEvent,
    PlacementMoved,
    PlacementSetup,
    PointsScored,
    SlotRow,
)
from pokerfloor.phh.actions import Verb
from pokerfloor.phh.errors import PhhError
from pokerfloor.phh.heading import Heading, heading_fields, void_fields
from pokerfloor.phh.points import rules_fields
from pokerfloor.phh.toml import toml_list, toml_string, toml_strings, toml_truth
from pokerfloor.phh.variants import placement_fields
from pokerfloor.scoring import OfcRules

#: A card of the first street that was taken back from its row.
IN_HAND = "hand"


def write_placement_hand(
    setup: PlacementSetup, events: Sequence[PlacementEvent], heading: Heading, rules: OfcRules
) -> str:
    """Return the PHH document of a finished hand; amounts are points.

    `rules` are the table's mode and options. Raises PhhError for a hand that is not finished.
    """
    seats = [entry.seat for entry in setup.seats]
    order = sorted(seats, key=lambda seat: (seat <= setup.button, seat))
    player = {seat: f"p{number}" for number, seat in enumerate(order, start=1)}
    stacks = dict(setup.seats)
    ends = _ends(setup, events)
    fields = [
        *placement_fields(setup.game),
        ("antes", toml_list(["0"] * len(order))),
        ("starting_stacks", toml_list([str(stacks[seat]) for seat in order])),
        ("actions", toml_strings(list(_actions(events, player)))),
        *heading_fields(heading, order),
        ("finishing_stacks", toml_list([str(ends[seat]) for seat in order])),
        *rules_fields(setup.game, rules),
        ("_burn", toml_truth(setup.burn)),
        ("_fantasyland_heads_up", toml_string(setup.fantasyland_heads_up)),
        (
            "_fantasyland",
            toml_strings([f"{player[one.seat]} {one.cards}" for one in setup.fantasyland]),
        ),
        *_results(events, player),
        *void_fields(events),
    ]
    return "".join(f"{name} = {value}\n" for name, value in fields)


def _ends(setup: PlacementSetup, events: Iterable[PlacementEvent]) -> dict[int, int]:
    for event in events:
        if isinstance(event, HandVoided):
            return dict(setup.seats)
        if isinstance(event, HandEnded):
            return {entry.seat: entry.end for entry in event.seats}
    raise PhhError("the hand is not finished", "actions")


def _results(
    events: Iterable[PlacementEvent], player: Mapping[int, str]
) -> Iterator[tuple[str, str]]:
    """Yield each pair's points as "first second scored paid", then who earned Fantasyland."""
    fantasyland: list[str] = []
    for event in events:
        if isinstance(event, PointsScored):
            pairs = [f"{player[p.a]} {player[p.b]} {p.scored} {p.paid}" for p in event.pairs]
            yield "_points", toml_strings(pairs)
        elif isinstance(event, FantasylandEarned):
            fantasyland.append(f"{player[event.seat]} {event.cards}")
    if fantasyland:
        yield "_fantasyland_earned", toml_strings(fantasyland)


def _actions(events: Sequence[PlacementEvent], player: Mapping[int, str]) -> Iterator[str]:
    faces = _faces(events)
    dealt: dict[int, list[int]] = {}  # slots not set yet, by seat
    for event in events:
        match event:
            case PlacesDealt():
                yield from _deals(event, faces, player, dealt)
            case CardsRevealed():
                board = [card for place, card in event.cards if place.kind is PlaceKind.BOARD]
                if board:
                    yield f"d db {cards_text(board)}"
            case PlacementMoved():
                row = event.row or IN_HAND
                yield f"{player[event.seat]} {Verb.MOVE} {event.slot}={row}"
            case PlacementConfirmed() if event.placements:
                laid = _with_discards(event.placements, dealt.pop(event.seat, []))
                yield f"{player[event.seat]} {Verb.PLACE} {laid}"
            case HiddenPlacement():
                laid = _with_discards(event.placements, dealt.pop(event.seat, []))
                yield f"{player[event.seat]} {Verb.PLACE} {laid}"
            case (
                StreetBegan()
                | TurnBegan()
                | RevealOrdered()
                | PlacementConfirmed()
                | LayoutRevealed()
                | PointsScored()
                | FantasylandEarned()
                | HandEnded()
                | HandVoided()
            ):
                pass  # it follows from the others, or a field of the document says it
            case _:
                assert_never(event)


def _deals(
    event: PlacesDealt,
    faces: Mapping[Place, Card],
    player: Mapping[int, str],
    dealt: dict[int, list[int]],
) -> Iterator[str]:
    own: dict[int, list[Card]] = {}
    for place in event.places:
        if place.kind is PlaceKind.SEAT:
            own.setdefault(place.owner, []).append(faces.get(place, UNKNOWN))
            dealt.setdefault(place.owner, []).append(place.slot)
    for seat, cards in own.items():
        yield f"d dh {player[seat]} {cards_text(cards)}"


def _with_discards(placements: Iterable[SlotRow], slots: Iterable[int]) -> str:
    """Return every card of a street by slot; those that nobody sees are discarded."""
    laid = dict.fromkeys(slots, LayoutRow.DISCARD) | dict(placements)
    return " ".join([f"{slot}={row}" for slot, row in sorted(laid.items())])


def _faces(events: Iterable[PlacementEvent]) -> dict[Place, Card]:
    faces: dict[Place, Card] = {}
    for event in events:
        if isinstance(event, CardsRevealed):
            faces.update(event.cards)
    return faces
