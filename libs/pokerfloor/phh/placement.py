"""Play a recorded placement hand on the engine: who laid what where, and the points it makes."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

from pokerfloor.cards import UNKNOWN
from pokerfloor.games import (
    HandResult,
    Over,
    Refusal,
    Reveal,
    Void,
    WaitCards,
)
from pokerfloor.games.placement import (
    ConfirmPlacement,
    FantasylandHeadsUp,
    FantasylandSeat,
    LayoutRow,
    MovePlacement,
    PlacementGame,
    PlacementHand,
    PlacementInput,
    PlacementSetup,
    PlacementTurn,
    Scored,
    SlotRow,
    WaitPlacements,
    WaitScoring,
)
from pokerfloor.phh.actions import Action, Verb
from pokerfloor.phh.document import Document
from pokerfloor.phh.errors import PhhError
from pokerfloor.phh.outcomes import DiffersError, Outcome, Replay, compare_all, named
from pokerfloor.phh.placement_write import IN_HAND
from pokerfloor.phh.points import rules_of, score
from pokerfloor.phh.recorded_cards import RecordedCards
from pokerfloor.phh.table import seats_of

_ROWS: Final = {row.value: row for row in LayoutRow}


def replay_placement(document: Document, game: PlacementGame) -> Replay:
    """Play a document. Raises DiffersError, and PhhError for fields that make no sense."""
    return _Player(document, game).play()


class _Player:
    """One replay under way."""

    def __init__(self, document: Document, game: PlacementGame) -> None:
        self._document = document
        self._rules = rules_of(document)
        self._told = RecordedCards()
        try:
            self._hand, _ = PlacementHand.begin(_setup(document, game))
        except ValueError as error:
            raise DiffersError(f"the hand cannot begin: {error}") from error

    def play(self) -> Replay:
        for action in self._document.actions:
            self._take(action)
        if "_void" in self._document.own:
            self._answer_waits()
            self._do(Void(str(self._document.own["_void"]) or "void"), "the end of a void hand")
        self._answer_waits()
        wait = self._hand.waits_for()
        if not isinstance(wait, Over):
            raise DiffersError(f"the record ends, but the hand waits for {_words(wait)}")
        return self._compare(wait.result)

    def _take(self, action: Action) -> None:
        if action.verb is Verb.DEAL_OWN:
            self._answer_waits()
            self._told.deal(action, self._hand.state.cards.places)
        elif action.verb is Verb.DEAL_BOARD:
            self._told.shared.extend(action.cards or ())
        elif action.verb in (Verb.MOVE, Verb.PLACE):
            self._lay(action)
        else:
            raise DiffersError(f"{named(action)}: not in this game")

    def _lay(self, action: Action) -> None:
        self._answer_waits()
        wait = self._hand.waits_for()
        turn = wait.turn_of(action.player) if isinstance(wait, WaitPlacements) else None
        if turn is None:
            raise DiffersError(f"{named(action)}: the hand waits for {_words(wait)}")
        if action.verb is Verb.MOVE:
            self._do(_move(action, turn), named(action))
            return
        laid = tuple([SlotRow(slot, _row(action, row)) for slot, row in _placements(action)])
        self._do(ConfirmPlacement(turn.seat, turn.turn_no, laid), named(action))

    def _answer_waits(self) -> None:
        """Turn up what is due as far as the record knows the cards, and count the points."""
        while True:
            wait = self._hand.waits_for()
            if isinstance(wait, WaitScoring):
                self._do(Scored(score(wait.request, self._rules)), "the score")
            elif not isinstance(wait, WaitCards) or not self._turn_up(wait):
                return

    def _turn_up(self, wait: WaitCards) -> bool:
        faces = self._told.reveal(wait.places)
        if faces is None:
            return False
        if UNKNOWN in faces:
            raise DiffersError("cards are revealed, and the record does not know them")
        self._do(Reveal(tuple(zip(wait.places, faces, strict=True))), "cards revealed")
        return True

    def _do(self, given: PlacementInput, what: str) -> None:
        refusal = self._hand.execute(given)
        if isinstance(refusal, Refusal):
            raise DiffersError(f"{what}: refused, {refusal.reason}")

    def _compare(self, result: HandResult) -> Replay:
        self._told.check_all_revealed()
        document, state = self._document, self._hand.state
        if document.finishing_stacks is None:
            return Replay(Outcome.LEGAL, "no result is recorded")
        if state.score is not None:
            pairs = [f"p{one.a} p{one.b} {one.scored} {one.paid}" for one in state.score.pairs]
            self._check("_points", pairs)
            earned = [f"p{one.seat} {one.cards}" for one in state.fantasyland_earned]
            self._check("_fantasyland_earned", earned)
        ours = [Fraction(entry.end) for entry in result.seats]
        return compare_all("finishing stack", ours, document.finishing_stacks, document)

    def _check(self, field: str, ours: list[str]) -> None:
        recorded = self._document.own.get(field, [] if field == "_fantasyland_earned" else ours)
        if recorded != ours:
            raise DiffersError(f"{field}: {ours}, recorded is {recorded}")


def _setup(document: Document, game: PlacementGame) -> PlacementSetup:
    heads_up = document.own.get("_fantasyland_heads_up", FantasylandHeadsUp.HIDDEN)
    try:
        heads_up = FantasylandHeadsUp(heads_up)
    except ValueError as error:
        raise PhhError(
            f"{heads_up!r} is none of {list(FantasylandHeadsUp)}", "_fantasyland_heads_up"
        ) from error
    return PlacementSetup(
        hand_no=1,
        game=game,
        seats=seats_of(document),
        button=document.players,
        fantasyland=tuple(sorted(_fantasyland(document))),
        fantasyland_heads_up=heads_up,
        burn=bool(document.own.get("_burn", True)),
    )


def _fantasyland(document: Document) -> list[FantasylandSeat]:
    lines: Sequence[Any] = document.own.get("_fantasyland", [])
    seats: list[FantasylandSeat] = []
    for line in lines:
        try:
            player, cards = str(line).split()
            seats.append(FantasylandSeat(int(player.removeprefix("p")), int(cards)))
        except ValueError as error:
            raise PhhError(f"{line!r} is no Fantasyland", "_fantasyland") from error
    return seats


def _move(action: Action, turn: PlacementTurn) -> MovePlacement:
    moved = _placements(action)
    if len(moved) != 1:
        raise DiffersError(f"{named(action)}: one card is moved at a time")
    ((slot, row),) = moved
    laid = None if row == IN_HAND else _row(action, row)
    return MovePlacement(turn.seat, turn.turn_no, slot, laid)


def _placements(action: Action) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    for word in action.words:
        slot, _, row = word.partition("=")
        if not slot.isdecimal() or len(slot) > 3:
            raise DiffersError(f"{named(action)}: {word!r} is no slot and row")
        found.append((int(slot), row))
    return found


def _row(action: Action, row: str) -> LayoutRow:
    if row not in _ROWS:
        raise DiffersError(f"{named(action)}: {row!r} is none of {', '.join(_ROWS)}")
    return _ROWS[row]


def _words(wait: object) -> str:
    if isinstance(wait, WaitPlacements):
        return " and ".join([f"p{turn.seat}" for turn in wait.turns]) + " to set cards"
    if isinstance(wait, WaitCards):
        return f"{len(wait.places)} cards ({wait.reason})"
    return "nothing, it is over" if isinstance(wait, Over) else "the score"
