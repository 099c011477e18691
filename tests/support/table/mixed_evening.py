"""Helpers of the tests of mixed games: a table whose decks are known, and how a game was found."""

from floor_table.domain import Refusal
from pokerfloor.api.events.v1.table_events_pb2 import GameChosen, HandBegan
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.settings.v1 import settings_pb2 as pb
from pokerfloor.cards import STANDARD, parse_cards
from tests.support.evening import Evening


def sit(
    settings: pb.TableSettings, players: int = 3, draw: str = "Kd2c3c", **decks: str
) -> Evening:
    """Return a table with p1, p2, ... on seats 1, 2, ...; seat 1 draws the button.

    `deck2="7s"` are the first cards of the second deck.
    """

    def deck_of(deck_no: int) -> list[int]:
        first = parse_cards(decks.get(f"deck{deck_no}", draw if deck_no == 1 else ""))
        return [*first, *[card for card in STANDARD.cards if card not in first]]

    evening = Evening(settings, deck_of=deck_of)
    for number in range(1, players + 1):
        evening.sit(f"p{number}", number)
    evening.settle()
    return evening


def opened(evening: Evening) -> HandBegan:
    record = evening.table.record
    assert record is not None
    return record.began


def chosen(evening: Evening) -> GameChosen:
    """Return how the last game was found."""
    found = [
        event.game_chosen
        for step in evening.steps
        for event in step.events
        if event.HasField("game_chosen")
    ]
    return found[-1]


def next_hand(evening: Evening) -> None:
    evening.fold_around()
    evening.now_ms += 6_000
    evening.settle()


def stored(outcome: Step | Refusal) -> Step:
    assert isinstance(outcome, Step), outcome
    return outcome
