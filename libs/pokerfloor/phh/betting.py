"""Play a recorded betting hand on the engine, action by action.

Every recorded action must be legal when its turn comes, and the final stacks must be the recorded
ones. Where a source split a pot into half chips, an integer engine is right to differ by half a
chip, the totals being equal (ODD-1).
"""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import Final

from pokerfloor.cards import DECKS, UNKNOWN, Card
from pokerfloor.games import (
    Act,
    ActKind,
    AnswerSplit,
    ChooseFacing,
    DiscardCards,
    Exposed,
    GameRow,
    Hand,
    HandResult,
    Input,
    Over,
    Place,
    Refusal,
    Resolved,
    Reveal,
    RevealReason,
    Structure,
    SwapCards,
    Void,
    WaitAction,
    WaitCards,
    WaitDiscard,
    WaitFacing,
    WaitShowdown,
    WaitSplit,
    resolve,
)
from pokerfloor.phh.actions import Action, Verb
from pokerfloor.phh.document import Document
from pokerfloor.phh.outcomes import DiffersError, Outcome, Replay, amount_text, compare_all, named
from pokerfloor.phh.recorded_cards import RecordedCards
from pokerfloor.phh.settings import own_amount
from pokerfloor.phh.table import setup_of
from pokerfloor.ranking import card_order

_ANSWERS: Final = {("yes",): True, ("no",): False}


def replay_betting(document: Document, game: GameRow, structure: Structure) -> Replay:
    """Play a document. Raises DiffersError, and PhhError for fields that make no sense."""
    return _Player(document, game, structure).play()


class _Player:
    """One replay under way."""

    def __init__(self, document: Document, game: GameRow, structure: Structure) -> None:
        self._document = document
        self._told = RecordedCards()
        self._folds_left_out = 0
        self._shown: dict[int, bool] = {}  # seat -> tabled (True) or mucked (False)
        setup = setup_of(document, game, structure)
        try:
            self._hand, _ = Hand.begin(setup)
        except ValueError as error:
            raise DiffersError(f"the hand cannot begin: {error}") from error

    def play(self) -> Replay:
        for action in self._document.actions:
            self._take(action)
        if "_void" in self._document.own:
            self._answer_waits(resolving=False)
            self._do(Void(str(self._document.own["_void"]) or "void"), "the end of a void hand")
        self._answer_waits()
        wait = self._hand.waits_for()
        if not isinstance(wait, Over):
            if self._document.finishing_stacks is not None:
                raise DiffersError(f"the record ends, but the hand waits for {_words(wait)}")
            return Replay(Outcome.LEGAL, f"stops while the hand waits for {_words(wait)}")
        return dataclasses.replace(self._compare(wait.result), folds_left_out=self._folds_left_out)

    def _take(self, action: Action) -> None:
        if action.verb is Verb.DEAL_OWN:
            self._answer_waits()
            self._told.deal(action, self._hand.state.cards.places)
        elif action.verb is Verb.DEAL_BOARD:
            self._told.shared.extend(action.cards or ())
        elif action.verb is Verb.SHOW:
            self._show(action)
        elif action.verb is Verb.DISCARD:
            self._discard(action)
        elif action.verb is Verb.BRING_IN:
            self._bring_in(action)
        elif action.verb in (Verb.SWAP, Verb.UP, Verb.DOWN, Verb.SPLIT):
            self._choose(action)
        elif action.verb in (Verb.MOVE, Verb.PLACE):
            raise DiffersError(f"{named(action)}: not in this game")
        else:
            self._act(action)

    def _choose(self, action: Action) -> None:
        """Swap, say how a card comes, or answer whether to split: verbs of ours."""
        seat, self_said = action.player, named(action)
        if action.verb is Verb.SWAP:
            wait = self._turn_before(action)
            if wait.seat != seat:
                raise DiffersError(f"{self_said}: it is p{wait.seat}'s turn")
            self._do(SwapCards(seat, wait.turn_no, _slots(action)), self_said)
            return
        self._answer_waits()
        asked = self._hand.waits_for()
        if action.verb is Verb.SPLIT:
            if action.words not in _ANSWERS:
                raise DiffersError(f"{self_said}: yes or no is wanted")
            agrees = _ANSWERS[action.words]
            # With the first no it is decided; the record tells of those who then say nothing.
            if agrees or isinstance(asked, WaitSplit):
                self._do(AnswerSplit(seat, agrees), self_said)
        elif isinstance(asked, WaitFacing) and asked.seat == seat:
            down = action.verb is Verb.DOWN
            self._do(ChooseFacing(seat, asked.turn_no, face_down=down), self_said)
        else:
            raise DiffersError(f"{self_said}: the hand waits for {_words(asked)}")

    def _show(self, action: Action) -> None:
        self._answer_waits(resolving=False)
        self._shown[action.player] = action.cards != ()
        if not action.cards:
            return
        held = tuple(p for p in self._hand.state.hole_places(action.player) if p in self._told.own)
        if len(action.cards) != len(held):
            raise DiffersError(f"{named(action)}: the seat has {len(held)} cards")
        self._told.find(action, held, action.cards)

    def _discard(self, action: Action) -> None:
        if not self._hand.setup.game.draws_from(0):
            raise DiffersError(f"{named(action)}: not in this game")
        self._answer_waits()
        wait = self._hand.waits_for()
        if not isinstance(wait, WaitDiscard):
            raise DiffersError(f"{named(action)}: the hand waits for {_words(wait)}")
        if wait.seat != action.player:
            raise DiffersError(f"{named(action)}: it is p{wait.seat}'s turn")
        if action.cards is None or len(action.cards) > len(wait.places):
            raise DiffersError(f"{named(action)}: not so many cards are held")
        places = self._told.find(action, wait.places, action.cards)
        slots = tuple(place.slot for place in places)
        self._do(DiscardCards(wait.seat, wait.turn_no, slots), named(action))

    def _bring_in(self, action: Action) -> None:
        """Compare who brings it in: the engine posts it as soon as the up cards lie (STD-2)."""
        if self._hand.setup.game.exposed is None:
            raise DiffersError(f"{named(action)}: not in this game")
        self._answer_waits()
        posted = self._hand.state.bets[action.player - 1]
        if not posted or self._hand.state.turn_no > 1:
            raise DiffersError(f"{named(action)}: p{action.player} does not bring it in")

    def _act(self, action: Action) -> None:
        wait = self._turn_before(action)
        if wait.seat != action.player:
            raise DiffersError(f"{named(action)}: it is p{wait.seat}'s turn")
        legal = wait.legal
        if action.verb is Verb.RAISE_TO:
            kind = ActKind.RAISE if legal.raise_max else ActKind.BET
            to = action.amount
            if to < (legal.raise_min or legal.bet_min) and to == self._reach_of_others(wait.seat):
                to = legal.raise_min or legal.bet_min
            self._do(Act(wait.seat, wait.turn_no, kind, to), named(action))
        elif action.verb is Verb.CALL:
            kind = ActKind.CHECK if legal.can_check else ActKind.CALL
            self._do(Act(wait.seat, wait.turn_no, kind), named(action))
        else:
            self._do(Act(wait.seat, wait.turn_no, ActKind.FOLD), named(action))

    def _reach_of_others(self, seat: int) -> int:
        """Return the largest total that an opponent still in has or can put in front.

        Some sources write a raise as no more than that; the rest of it would come back (POT-2).
        """
        state = self._hand.state
        totals = [bet + stack for bet, stack in zip(state.bets, state.stacks, strict=True)]
        return max(
            total
            for other, total, folded in zip(state.seats, totals, state.folded, strict=True)
            if other != seat and not folded
        )

    def _turn_before(self, action: Action) -> WaitAction:
        """Return the turn that an action answers.

        Some sources leave out the fold of a seat that never acts again: such a seat is folded.
        """
        while True:
            self._answer_waits()
            wait = self._hand.waits_for()
            if not isinstance(wait, WaitAction):
                raise DiffersError(f"{named(action)}: the hand waits for {_words(wait)}")
            if wait.seat == action.player or self._acts_from(action, wait.seat):
                return wait
            if wait.legal.can_check:
                return wait
            self._do(Act(wait.seat, wait.turn_no, ActKind.FOLD), f"the fold of p{wait.seat}")
            self._folds_left_out += 1

    def _acts_from(self, action: Action, seat: int) -> bool:
        later = self._document.actions[self._document.actions.index(action) :]
        return any(other.player == seat for other in later)

    def _answer_waits(self, *, resolving: bool = True) -> None:
        """Turn up what is due and resolve the showdown, as far as the record knows the cards."""
        while True:
            wait = self._hand.waits_for()
            if isinstance(wait, WaitCards):
                if not self._turn_up(wait):
                    return
            elif isinstance(wait, WaitShowdown) and resolving:
                faces = {
                    place: card
                    for place, card in self._told.own.items()
                    if self._shown.get(place.owner, True)
                }
                result = resolve(wait.request, faces)
                if isinstance(result, Refusal):
                    raise DiffersError(f"the showdown: {result.reason}")
                self._do(Resolved(result), "the showdown")
            else:
                return

    def _turn_up(self, wait: WaitCards) -> bool:
        faces = self._told.reveal(wait.places)
        if faces is None:
            return False
        if wait.reason is RevealReason.UP_CARD and UNKNOWN in faces:
            faces = self._guess(wait.places)
        if UNKNOWN in faces:
            raise DiffersError("cards are revealed, and the record does not know them")
        self._do(Reveal(tuple(zip(wait.places, faces, strict=True))), "cards revealed")
        return True

    def _guess(self, places: tuple[Place, ...]) -> tuple[Card, ...]:
        """Return faces of the door cards, with stand-ins for those that the record leaves out.

        They are cards that nobody was dealt, and the furthest from having to bring it in (STD-2).
        On a later street nobody knows who would have acted first.
        """
        game = self._hand.setup.game
        if self._hand.state.street_no:
            raise DiffersError("an up card is not known, and so not who acts first")
        low = game.exposed is Exposed.LOW
        recorded = {card for action in self._document.actions for card in action.cards or ()}
        spare = [card for card in DECKS[game.deck].cards if card not in recorded]
        spare.sort(key=lambda card: card_order(card, ace_low=low), reverse=low)
        for place in places:
            if self._told.own[place] == UNKNOWN:
                self._told.own[place] = spare.pop()
        return tuple(self._told.own[place] for place in places)

    def _do(self, given: Input, what: str) -> None:
        refusal = self._hand.execute(given)
        if isinstance(refusal, Refusal):
            raise DiffersError(f"{what}: refused, {refusal.reason}")

    def _compare(self, result: HandResult) -> Replay:
        self._told.check_all_revealed()
        document = self._document
        carried = sum([pot.amount for pot in result.carried])
        if carried != own_amount(document, "_carried_out", carried):
            raise DiffersError(f"{amount_text(carried, document)} is carried on, not as recorded")
        if document.finishing_stacks is not None:
            ours = [Fraction(entry.end) for entry in result.seats]
            return compare_all("finishing stack", ours, document.finishing_stacks, document)
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
                ours, theirs = (
                    amount_text(won[seat], self._document),
                    amount_text(recorded, self._document),
                )
                raise DiffersError(f"p{seat}: collects {ours}, recorded are {theirs}")
        return Replay(Outcome.AGREES)


def _slots(action: Action) -> tuple[int, ...]:
    if not all(word.isdecimal() and len(word) < 4 for word in action.words):
        raise DiffersError(f"{named(action)}: slots are wanted")
    return tuple([int(word) for word in action.words])


def _words(wait: object) -> str:
    if isinstance(wait, WaitAction):
        return f"p{wait.seat} to act"
    if isinstance(wait, WaitDiscard):
        return f"p{wait.seat} to discard"
    if isinstance(wait, WaitFacing):
        return f"p{wait.seat} to say how a card comes"
    if isinstance(wait, WaitSplit):
        return f"{len(wait.seats)} players to say whether to split"
    if isinstance(wait, WaitCards):
        return f"{len(wait.places)} cards ({wait.reason})"
    return "nothing, it is over" if isinstance(wait, Over) else "the showdown"
