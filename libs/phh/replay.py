"""Play a recorded hand on the engine and compare how it ends.

Every recorded action must be legal when its turn comes, and the final stacks must be the recorded
ones. Where a source split a pot into half chips, an integer engine is right to differ by half a
chip, the totals being equal (ODD-1).
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from libs.cards import UNKNOWN, Card, cards_text
from libs.games import (
    Act,
    ActKind,
    Hand,
    HandResult,
    Input,
    OpeningReason,
    Over,
    Place,
    Refusal,
    Resolved,
    TurnUp,
    WaitAction,
    WaitCards,
    WaitShowdown,
    own_place,
    resolve,
)
from libs.phh.actions import Action, Verb
from libs.phh.document import Document
from libs.phh.errors import PhhError
from libs.phh.table import GAMES_BY_VARIANT, setup_of

HALF_CHIP = Fraction(1, 2)


class Outcome(StrEnum):
    """How a replay went."""

    AGREES = "agrees"  # legal, and the recorded result is ours
    LEGAL = "legal"  # legal; the file records no result, or stops in mid-hand
    DIFFERS = "differs"  # an action is refused, or a result is another
    NOT_PLAYED = "not played"  # a game that this floor does not have


@dataclass(frozen=True, slots=True)
class Replay:
    """The outcome; `problem` names the action or the seat where it differs."""

    outcome: Outcome
    problem: str = ""
    half_chips: bool = False
    folds_left_out: int = 0


class _DiffersError(Exception):
    """The record and the engine part here."""


def replay(document: Document) -> Replay:
    """Play a document; never raises for what stands in it."""
    if document.variant not in GAMES_BY_VARIANT:
        return Replay(Outcome.NOT_PLAYED, f"variant {document.variant}")
    try:
        return _Player(document).play()
    except (_DiffersError, PhhError) as error:
        return Replay(Outcome.DIFFERS, str(error))


class _Player:
    """One replay under way."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._faces: dict[Place, Card] = {}
        self._board: list[Card] = []
        self._folds_left_out = 0
        self._shown: dict[int, bool] = {}  # seat -> tabled (True) or mucked (False)
        setup = setup_of(document)
        try:
            self._hand, _ = Hand.begin(setup)
        except ValueError as error:
            raise _DiffersError(f"the hand cannot begin: {error}") from error
        self._own_slots = setup.game.own_cards()

    def play(self) -> Replay:
        for action in self._document.actions:
            self._take(action)
        self._answer_waits()
        wait = self._hand.waits_for()
        if not isinstance(wait, Over):
            if self._document.finishing_stacks is not None:
                raise _DiffersError(f"the record ends, but the hand waits for {_words(wait)}")
            return Replay(Outcome.LEGAL, f"stops while the hand waits for {_words(wait)}")
        return dataclasses.replace(self._compare(wait.result), folds_left_out=self._folds_left_out)

    def _take(self, action: Action) -> None:
        if action.verb is Verb.DEAL_OWN:
            self._learn(action, action.player, action.cards or ())
        elif action.verb is Verb.DEAL_BOARD:
            self._board.extend(action.cards or ())
        elif action.verb is Verb.SHOW:
            self._show(action)
        else:
            self._act(action)

    def _learn(self, action: Action, seat: int, cards: tuple[Card, ...]) -> None:
        if len(cards) != self._own_slots:
            raise _DiffersError(f"{_named(action)}: {self._own_slots} cards are dealt to a seat")
        for slot, card in enumerate(cards, start=1):
            place = own_place(seat, slot)
            known = self._faces.get(place, UNKNOWN)
            if UNKNOWN not in (known, card) and known != card:
                dealt, shown = cards_text((known,)), cards_text((card,))
                raise _DiffersError(f"{_named(action)}: {dealt} was dealt there, not {shown}")
            if card != UNKNOWN or place not in self._faces:
                self._faces[place] = card

    def _show(self, action: Action) -> None:
        self._shown[action.player] = action.cards != ()
        if action.cards:
            self._learn(action, action.player, action.cards)

    def _act(self, action: Action) -> None:
        if action.verb not in (Verb.FOLD, Verb.CALL, Verb.RAISE_TO):
            raise _DiffersError(f"{_named(action)}: not in this game")
        wait = self._turn_before(action)
        if wait.seat != action.player:
            raise _DiffersError(f"{_named(action)}: it is p{wait.seat}'s turn")
        legal = wait.legal
        if action.verb is Verb.RAISE_TO:
            kind = ActKind.RAISE if legal.raise_max else ActKind.BET
            self._do(Act(wait.seat, wait.turn_no, kind, action.amount), _named(action))
        elif action.verb is Verb.CALL:
            kind = ActKind.CHECK if legal.can_check else ActKind.CALL
            self._do(Act(wait.seat, wait.turn_no, kind), _named(action))
        else:
            self._do(Act(wait.seat, wait.turn_no, ActKind.FOLD), _named(action))

    def _turn_before(self, action: Action) -> WaitAction:
        """Return the turn that an action answers.

        Some sources leave out the fold of a seat that never acts again: such a seat is folded.
        """
        while True:
            self._answer_waits()
            wait = self._hand.waits_for()
            if not isinstance(wait, WaitAction):
                raise _DiffersError(f"{_named(action)}: the hand waits for {_words(wait)}")
            if wait.seat == action.player or self._acts_from(action, wait.seat):
                return wait
            if wait.legal.can_check:
                return wait
            self._do(Act(wait.seat, wait.turn_no, ActKind.FOLD), f"the fold of p{wait.seat}")
            self._folds_left_out += 1

    def _acts_from(self, action: Action, seat: int) -> bool:
        later = self._document.actions[self._document.actions.index(action) :]
        return any(other.player == seat for other in later)

    def _answer_waits(self) -> None:
        """Turn up what is due and resolve the showdown, as far as the record knows the cards."""
        while True:
            wait = self._hand.waits_for()
            if isinstance(wait, WaitCards):
                if not self._turn_up(wait):
                    return
            elif isinstance(wait, WaitShowdown):
                faces = {
                    place: card
                    for place, card in self._faces.items()
                    if self._shown.get(place.owner, True)
                }
                result = resolve(wait.request, faces)
                if isinstance(result, Refusal):
                    raise _DiffersError(f"the showdown: {result.reason}")
                self._do(Resolved(result), "the showdown")
            else:
                return

    def _turn_up(self, wait: WaitCards) -> bool:
        if wait.reason is OpeningReason.BOARD:
            if len(self._board) < len(wait.places):
                return False
            due = tuple(self._board[: len(wait.places)])
            del self._board[: len(wait.places)]
            if UNKNOWN in due:
                raise _DiffersError("a board card is unknown")
        else:
            due = tuple(self._faces.get(place, UNKNOWN) for place in wait.places)
            if UNKNOWN in due:
                raise _DiffersError("hands are exposed, and the record does not know them")
        self._do(TurnUp(tuple(zip(wait.places, due, strict=True))), "cards turned up")
        return True

    def _do(self, given: Input, what: str) -> None:
        refusal = self._hand.do(given)
        if isinstance(refusal, Refusal):
            raise _DiffersError(f"{what}: refused, {refusal.reason}")

    def _compare(self, result: HandResult) -> Replay:
        if self._board:
            raise _DiffersError(f"the board cards {cards_text(self._board)} are never due")
        document = self._document
        if document.finishing_stacks is not None:
            ours = [Fraction(entry.end) for entry in result.seats]
            return _compare_all("finishing stack", ours, document.finishing_stacks, document)
        if document.winnings is not None:
            return self._compare_winnings(result, document.winnings)
        return Replay(Outcome.LEGAL, "no result is recorded")

    def _compare_winnings(self, result: HandResult, winnings: tuple[Fraction, ...]) -> Replay:
        """Winnings are what was collected after rake. An unknown rake may only make them less."""
        won = {seat.seat: 0 for seat in result.seats}
        for award in result.awards:
            won[award.seat] += award.amount
        for seat, recorded in enumerate(winnings, start=1):
            if (recorded > 0) != (won[seat] > 0) or recorded > won[seat]:
                ours, theirs = _text(won[seat], self._document), _text(recorded, self._document)
                raise _DiffersError(f"p{seat}: collects {ours}, recorded are {theirs}")
        return Replay(Outcome.AGREES)


def _compare_all(
    what: str, ours: list[Fraction], recorded: tuple[Fraction, ...], document: Document
) -> Replay:
    off = [
        (seat, mine - theirs)
        for seat, (mine, theirs) in enumerate(zip(ours, recorded, strict=True), 1)
    ]
    wrong = [seat for seat, difference in off if difference]
    if not wrong:
        return Replay(Outcome.AGREES)
    halves = all(abs(difference) <= HALF_CHIP for _, difference in off)
    if halves and sum(ours) == sum(recorded):
        return Replay(Outcome.AGREES, half_chips=True)
    seat = wrong[0]
    mine, theirs = _text(ours[seat - 1], document), _text(recorded[seat - 1], document)
    return Replay(Outcome.DIFFERS, f"p{seat}: {what} {mine}, recorded is {theirs}")


def _text(amount: Fraction | int, document: Document) -> str:
    value = Fraction(amount) / document.scale
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.2f}"


def _named(action: Action) -> str:
    return f"action {action.number} {action.text!r}"


def _words(wait: object) -> str:
    if isinstance(wait, WaitAction):
        return f"p{wait.seat} to act"
    if isinstance(wait, WaitCards):
        return f"{len(wait.places)} cards ({wait.reason})"
    return "nothing, it is over" if isinstance(wait, Over) else "the showdown"
