"""How a deck begins, is committed, is shuffled again and ends; numbers without gaps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from floor_shuffler.domain.deck import (
    COMMITTED,
    SETTLED,
    VOID,
    Decision,
    Deck,
    DeckOrder,
    DeckSpec,
)
from floor_shuffler.domain.events import deck_closed, deck_committed, deck_created
from floor_shuffler.domain.following import follow
from floor_shuffler.domain.refs import Cause, Place
from floor_shuffler.domain.refusals import (
    id_reused,
    not_justified,
    number_gap,
    unknown_deck,
    wrong_state,
)
from floor_shuffler.domain.steps import (
    HAND,
    DeckBegin,
    DeckHistory,
    StoredStep,
    begins,
    ends,
)
from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.api.shuffler.v1 import events_pb2, shuffler_pb2
from pokerfloor.cards import Card
from pokerfloor.fairness import DeckId
from pokerfloor.refusal import Refusal

# --- the beginning


def begin_of(step: step_pb2.Step, deck: DeckId, spec: DeckSpec) -> DeckBegin | Refusal:
    """Return the hand or draw that the step begins with this deck."""
    for begin in begins(step):
        if begin.deck_no == deck.deck_no:
            if (begin.hand_no, begin.purpose) != (spec.hand_no, spec.purpose):
                return not_justified("the step begins this deck for something else")
            return begin
    return not_justified("the step begins no hand or draw with this deck")


def check_repeat(deck: Deck, spec: DeckSpec, began: Cause) -> Refusal | None:
    """Refuse a repeat that asks for another deck under the same number."""
    if (deck.spec, deck.began) != (spec, began):
        return id_reused("this deck was created with other content")
    return None


def create(begin: DeckBegin, began: Cause, spec: DeckSpec, order: DeckOrder) -> Decision[None]:
    """Create a deck of an order."""
    deck = Deck(
        id=order.deck,
        hand_no=begin.hand_no,
        purpose=begin.purpose,
        composition=spec.composition,
        began=began,
        players=begin.players,
        generations=(order,),
        sets_aside=begin.sets_aside,
    )
    return Decision(deck, (_created(deck),), None)


def commit(deck: Deck) -> Decision[None]:
    """Make the root of the newest generation public; a repeat changes nothing."""
    if deck.generations and deck.committed_generations == len(deck.generations):
        return Decision(deck, (), None)
    if deck.closed:
        return Decision(deck, (), wrong_state("the deck ended before it was committed"))
    order = deck.newest
    event = deck_committed(deck.id, order.generation, order.commitment.root)
    committed = replace(deck, state=COMMITTED, committed_generations=len(deck.generations))
    return Decision(committed, (event,), None)


# --- a later generation: used cards are shuffled together in mid-hand (DRW-5, STD-6)


def has_generation(
    deck: Deck, spec: DeckSpec, generation: int, places: Sequence[Place]
) -> bool | Refusal:
    """Tell whether this generation was created before; refuse one that cannot be created now."""
    if spec != deck.spec:
        return id_reused("this deck was created with other content")
    if generation < len(deck.generations):
        if deck.reshuffled[generation - 1] != places:
            return id_reused("this generation was made of other cards")
        return True
    if deck.state != COMMITTED or deck.committed_generations != len(deck.generations):
        return wrong_state("the deck is not committed yet, or its hand is over")
    return False


def gather(
    deck: Deck, steps: Sequence[StoredStep], generation: int, places: Sequence[Place]
) -> Decision[tuple[Card, ...]]:
    """Gather the cards that the log shuffles together into a generation.

    `steps` are the deck's up to and with the one named, but for those applied before.
    """
    followed = follow(deck, steps)
    if followed.refusal:
        return followed.refuse(followed.refusal)
    deck = followed.deck
    if generation != len(deck.generations):
        return followed.refuse(wrong_state("a generation before this one is not made yet"))
    if deck.reshuffled[generation - 1 : generation] != (places,):
        return followed.refuse(not_justified("the log shuffles no such cards together"))
    return Decision(deck, followed.events, deck.cards_at(places))


def add_generation(deck: Deck, order: DeckOrder) -> Decision[None]:
    """Add the next generation to a deck."""
    more = replace(deck, generations=(*deck.generations, order))
    return Decision(more, (_created(more, order.generation),), None)


# --- the end


def ends_deck(deck: Deck, outcome: shuffler_pb2.DeckState.ValueType, stored: StoredStep) -> bool:
    """Tell whether this step ends the deck's hand or draw in this way."""
    hand_no = deck.hand_no if deck.purpose == HAND else 0
    return stored.cause.table_seq > deck.began.table_seq and any(
        (end.outcome, end.hand_no) == (outcome, hand_no) for end in ends(stored.step)
    )


def end_in(
    history: DeckHistory, deck: Deck, outcome: shuffler_pb2.DeckState.ValueType
) -> Cause | Refusal:
    """Return the earlier step that ended the deck's hand or draw in this way.

    A hand that was won without a showdown is put away some seconds after it ended, when its winner
    can show no more (SHW-3).
    """
    ended = history.ended.get(deck.id.deck_no)
    if ended is None or ended[0].outcome != outcome:
        return not_justified("the log does not end the deck's hand in this way")
    return ended[1]


def check_outcome(deck: Deck, outcome: shuffler_pb2.DeckState.ValueType) -> Refusal | None:
    """Refuse an outcome that the deck cannot have."""
    if deck.closed and deck.state != outcome:
        return wrong_state("the deck has ended otherwise")
    if outcome == SETTLED and not deck.committed_generations:
        return wrong_state("a deck that was never committed cannot be settled")
    return None


def check_uncreated(
    deck: DeckId, outcome: shuffler_pb2.DeckState.ValueType, last_deck_no: int
) -> Refusal | None:
    """Refuse the end of an unknown deck, unless its hand was voided before it was created."""
    if outcome != VOID or deck.deck_no <= last_deck_no:
        return unknown_deck(deck)
    return None


def check_readable(deck: Deck) -> Refusal | None:
    """Refuse to show a deck whole while its hand goes on."""
    return None if deck.closed else wrong_state("a deck is read when its hand is over")


def close(
    deck: Deck, outcome: shuffler_pb2.DeckState.ValueType, void_reason: str, cause: Cause
) -> Decision[None]:
    """End a deck."""
    closed = replace(deck, state=outcome, void_reason=void_reason)
    return Decision(closed, (deck_closed(deck.id, outcome, void_reason, cause),), None)


def is_next(new: DeckId, last_deck_no: int, last: Deck | None) -> bool:
    """Tell whether a deck's number is the table's next, and the deck before has ended."""
    return new.deck_no == last_deck_no + 1 and (last is None or last.closed)


def end_earlier(
    new: DeckId, last_deck_no: int, last: Deck | None, history: DeckHistory
) -> Sequence[Decision[None]] | Refusal:
    """End what the log has ended before the deck `new`, so that numbers have no gaps.

    A table can stop, or find no shuffler, between the end of a hand and its CloseDeck; and a hand
    can be voided before its deck was ever asked for.
    """
    if new.deck_no <= last_deck_no:
        return number_gap(last_deck_no)
    decisions: list[Decision[None]] = []
    if last is not None and not last.closed:
        ended = history.ended.get(last.id.deck_no)
        if ended is None or check_outcome(last, ended[0].outcome):
            return wrong_state("the hand of the deck before has not ended")
        end, cause = ended
        decisions.append(close(last, end.outcome, end.reason, cause))
    for deck_no in range(last_deck_no + 1, new.deck_no):
        never_made = _never_made(DeckId(new.table_id, deck_no), history)
        if never_made is None:
            return number_gap(last_deck_no)
        decisions.append(never_made)
    return decisions


def _never_made(deck: DeckId, history: DeckHistory) -> Decision[None] | None:
    """Create and end a deck that was never asked for, if the log has its hand as void."""
    begun, ended = history.begun.get(deck.deck_no), history.ended.get(deck.deck_no)
    if begun is None or ended is None or ended[0].outcome != VOID:
        return None
    (begin, began), (end, cause) = begun, ended
    never = Deck(
        id=deck,
        hand_no=begin.hand_no,
        purpose=begin.purpose,
        composition=cards_pb2.DECK_COMPOSITION_UNSPECIFIED,
        began=began,
        players=begin.players,
        generations=(),
    )
    closed = close(never, VOID, end.reason, cause)
    return Decision(closed.deck, (_created(never), *closed.events), None)


def _created(deck: Deck, generation: int = 0) -> events_pb2.ShufflerEvent:
    return deck_created(
        deck.id, deck.hand_no, deck.purpose, deck.composition, deck.began, generation
    )
