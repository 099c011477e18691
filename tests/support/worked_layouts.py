"""Placement hands told in a few words, as they stand in the rule pages: who lays out, and where.

A block of kind `layout` begins with what the hand is (`game: ofc`, `stacks: 50 50`,
`fantasyland: 2 14`), then after an empty line says what happens: `1 lays BBBMT` lays the cards of
the turn, in the order received, in bottom, middle and top row (`D` discards one);
`1 moves 3 to T` and `1 takes 3 back` name a card by its place; `time is up for 1`. Behind `->`
stands the code of a refusal. A line with a colon says how things stand; README.md of the pages
lists them.
"""

from __future__ import annotations

import re
from typing import Final

from pokerfloor.cards import DECKS
from pokerfloor.games import Refusal, Reveal, SeatStack, WaitCards
from pokerfloor.games.placement import (
    PLACEMENT_GAMES,
    ConfirmPlacement,
    FantasylandHeadsUp,
    FantasylandSeat,
    LayoutRow,
    MovePlacement,
    PlacementHand,
    PlacementInput,
    PlacementSetup,
    PlacementTimeUp,
    PlacementTurn,
    SlotRow,
    WaitPlacements,
    faces_at,
)
from tests.support.worked_hands import ExampleError

_ROWS: Final = {
    "T": LayoutRow.TOP,
    "M": LayoutRow.MIDDLE,
    "B": LayoutRow.BOTTOM,
    "D": LayoutRow.DISCARD,
}


def play_layout(text: str) -> None:
    """Play a block of kind `layout`. Raises ExampleError naming the line that is not so."""
    head, _, body = text.partition("\n\n")
    hand = _WorkedLayout(_setup(dict(line.split(": ", 1) for line in head.splitlines())))
    lines = [line.partition("#")[0] for line in body.splitlines()]
    for statement in [part.strip() for line in lines for part in line.split(";")]:
        if statement:
            hand.take(statement)
    if not hand.checks:
        raise ExampleError("the example claims nothing")


def _setup(head: dict[str, str]) -> PlacementSetup:
    stacks = head.pop("stacks").split()
    fantasyland = [one.split() for one in head.pop("fantasyland", "").split(", ") if one]
    setup = PlacementSetup(
        hand_no=1,
        game=PLACEMENT_GAMES[head.pop("game", "ofc")],
        seats=tuple([SeatStack(seat, int(stack)) for seat, stack in enumerate(stacks, 1)]),
        button=len(stacks),
        fantasyland=tuple([FantasylandSeat(int(seat), int(cards)) for seat, cards in fantasyland]),
        fantasyland_heads_up=FantasylandHeadsUp(head.pop("fantasyland_heads_up", "hidden")),
    )
    if head:
        raise ExampleError(f"what is {sorted(head)}?")
    return setup


class _WorkedLayout:
    """One hand under way; the deck lies in its plain order."""

    def __init__(self, setup: PlacementSetup) -> None:
        self._cards = DECKS[setup.game.deck].cards
        self.checks = 0
        self._seen = ""
        self._hand, _ = PlacementHand.begin(setup)
        self._turn_up()

    def take(self, statement: str) -> None:
        name, colon, wanted = statement.partition(": ")
        if colon:
            self.checks += 1
            got = self._say(name)
            if got != wanted.strip():
                raise ExampleError(f"{statement!r}, but it is {got!r}")
            return
        words, arrow, code = statement.partition(" -> ")
        self.checks += bool(arrow)
        done = self._hand.execute(self._meant(words))
        got = done.code if isinstance(done, Refusal) else ""
        if got != code:
            why = f"refused: {done.reason}" if isinstance(done, Refusal) else "allowed"
            raise ExampleError(f"{statement!r} is {why}")
        self._turn_up()

    def _meant(self, words: str) -> PlacementInput:
        if parts := re.fullmatch(r"(\d+) lays ([TMBD]+)", words):
            turn = self._turn(int(parts[1]))
            slots = [place.slot for place in turn.places]
            laid = zip(slots, parts[2], strict=True)
            rows = tuple([SlotRow(slot, _ROWS[letter]) for slot, letter in laid])
            return ConfirmPlacement(turn.seat, turn.turn_no, rows)
        if parts := re.fullmatch(r"(\d+) moves (\d+) to ([TMB])", words):
            turn = self._turn(int(parts[1]))
            return MovePlacement(turn.seat, turn.turn_no, int(parts[2]), _ROWS[parts[3]])
        if parts := re.fullmatch(r"(\d+) takes (\d+) back", words):
            turn = self._turn(int(parts[1]))
            return MovePlacement(turn.seat, turn.turn_no, int(parts[2]), None)
        if parts := re.fullmatch(r"time is up for (\d+)", words):
            turn = self._turn(int(parts[1]))
            return PlacementTimeUp(turn.seat, turn.turn_no)
        raise ExampleError(f"{words!r} is no statement")

    def _turn_up(self) -> None:
        """Turn up what is due; keep the places that this has shown."""
        while isinstance(wait := self._hand.waits_for(), WaitCards):
            self._seen = " ".join(map(str, wait.places))
            done = self._hand.execute(Reveal(faces_at(self._hand, self._cards, wait.places)))
            if isinstance(done, Refusal):
                raise ExampleError(done.reason)

    def _turn(self, seat: int) -> PlacementTurn:
        wait = self._hand.waits_for()
        turn = wait.turn_of(seat) if isinstance(wait, WaitPlacements) else None
        if turn is None:
            raise ExampleError(f"it is not seat {seat}'s turn: {wait}")
        return turn

    def _say(self, name: str) -> str:
        wait = self._hand.waits_for()
        if name == "turns":
            turns = wait.turns if isinstance(wait, WaitPlacements) else ()
            return " ".join([str(turn.seat) for turn in turns]) or type(wait).__name__
        if name == "revealed":
            seen, self._seen = self._seen, ""
            return seen or "nothing"
        if parts := re.fullmatch(r"turn (\d+)", name):
            turn = self._turn(int(parts[1]))
            room = " ".join([f"{row.row[0].upper()}{row.cards}" for row in turn.room])
            seen = "in the open" * turn.up or "hidden" * turn.hidden or "own eyes"
            return f"{len(turn.places)} cards, {turn.to_place} to place, room {room}, {seen}"
        if parts := re.fullmatch(r"layout (\d+)", name):
            return self._layout(int(parts[1]))
        raise ExampleError(f"{name!r} is nothing that can be said")

    def _layout(self, seat: int) -> str:
        layout = self._hand.state.layouts[seat]
        words = [
            f"{letter} {' '.join([str(place.slot) for place in layout.row(row)])}".strip()
            for letter, row in _ROWS.items()
            if letter != "D"
        ]
        return ", ".join(words)
