"""Whether a stored step justifies a reveal, and to whom: who may see which card, and when."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple, TypeAlias

from floor_shuffler.domain.deck import Decision, Deck, Reveal
from floor_shuffler.domain.events import cards_revealed
from floor_shuffler.domain.following import follow
from floor_shuffler.domain.refs import SEAT, Cause, Place
from floor_shuffler.domain.refusals import not_justified, uncommitted
from floor_shuffler.domain.steps import (
    StoredStep,
    ends_hand,
    folded_by,
    reveals_ordered_by,
    set_in_rows_by,
)
from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.common.v1.identity_pb2 import (
    ROLE_SERVICE_SCORING,
    ROLE_SERVICE_SHOWDOWN,
    ROLE_SERVICE_TABLE,
)
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.refusal import Refusal

_Reason: TypeAlias = hand_events_pb2.RevealReason.ValueType
#: The reason for which each place is revealed.
Reasons: TypeAlias = Mapping[Place, _Reason]

_SEAT_ONLY: Final = frozenset({SEAT})
_TABLE_CARDS: Final = frozenset({cards_pb2.PLACE_KIND_BOARD, cards_pb2.PLACE_KIND_COMMUNITY})

# Which kinds of places can be revealed for a reason. A burned card never is, and a card dealt to a
# seat never as a card of the board.
_KINDS_OF_REASON: Final[Mapping[int, frozenset[int]]] = {
    hand_events_pb2.REVEAL_REASON_BOARD: _TABLE_CARDS,
    hand_events_pb2.REVEAL_REASON_ALL_IN: _SEAT_ONLY,
    hand_events_pb2.REVEAL_REASON_SHOWDOWN: _SEAT_ONLY,
    hand_events_pb2.REVEAL_REASON_UP_CARD: _SEAT_ONLY | {cards_pb2.PLACE_KIND_COMMUNITY},
    hand_events_pb2.REVEAL_REASON_OWNER_SHOWS: _SEAT_ONLY,
    hand_events_pb2.REVEAL_REASON_PLACEMENT: _SEAT_ONLY,
    hand_events_pb2.REVEAL_REASON_BUTTON_DRAW: frozenset({cards_pb2.PLACE_KIND_BUTTON_DRAW}),
    hand_events_pb2.REVEAL_REASON_GAME_DRAW: frozenset({cards_pb2.PLACE_KIND_GAME_DRAW}),
    hand_events_pb2.REVEAL_REASON_SCORING: _SEAT_ONLY,
}

# Who alone may ask for cards that are revealed for this reason; for all others it is the table.
_ROLE_OF_REASON: Final[Mapping[int, int]] = {
    hand_events_pb2.REVEAL_REASON_SHOWDOWN: ROLE_SERVICE_SHOWDOWN,
    hand_events_pb2.REVEAL_REASON_SCORING: ROLE_SERVICE_SCORING,
}

_OWNER_SHOWS: Final = hand_events_pb2.REVEAL_REASON_OWNER_SHOWS
_PLACEMENT: Final = hand_events_pb2.REVEAL_REASON_PLACEMENT


class Asker(NamedTuple):
    """Who asks: the subject and the roles of the caller's token."""

    subject: str
    roles: frozenset[int]


def justify(
    deck: Deck, step: step_pb2.Step, places: Sequence[Place], asker: Asker
) -> Reasons | Refusal:
    """Return the reason for which a step of the deck's hand reveals each place to this asker.

    A place that the step names for several reasons is revealed for the least of those that fit.
    """
    ordered: dict[Place, set[_Reason]] = {}
    for place, reason in reveals_ordered_by(step):
        ordered.setdefault(place, set()).add(reason)
    in_rows = set(set_in_rows_by(step))
    reasons: dict[Place, _Reason] = {}
    for place in places:
        named = ordered.get(place)
        if not named:
            return not_justified("the step does not reveal a place that is asked for", "places")
        fitting = {reason for reason in named if place.kind in _KINDS_OF_REASON.get(reason, ())}
        if not fitting:
            return not_justified("such a place is never revealed for such a reason", "places")
        if not _is_owners_wish(deck, step, place):
            fitting.discard(_OWNER_SHOWS)
        if not fitting:
            return not_justified("only its owner's command shows a card")
        if place not in in_rows:
            fitting.discard(_PLACEMENT)
        if not fitting:
            return not_justified("the step does not set a card in a row that it reveals", "places")
        allowed = {
            reason
            for reason in fitting
            if _ROLE_OF_REASON.get(reason, ROLE_SERVICE_TABLE) in asker.roles
        }
        if not allowed:
            return not_justified("for this reason another service asks")
        reasons[place] = min(allowed)
    return reasons


def needs_hand(reasons: Reasons) -> bool:
    """Tell whether a reveal hangs on what the hand was before, beside the step."""
    return any(place.kind == SEAT for place in reasons)


def reveal(
    deck: Deck, steps: Sequence[StoredStep], cause: Cause, reasons: Reasons, asker: Asker
) -> Decision[None]:
    """Reveal what a step justifies; see `justify`.

    `steps` are the deck's up to and with the cause, but for those applied before; where
    `needs_hand`, all of them from the hand's beginning.
    """
    followed = follow(deck, steps)
    if followed.refusal:
        return followed.refuse(followed.refusal)
    deck = followed.deck
    if not all(place in deck.dealt for place in reasons):
        return followed.refuse(not_justified("no card was dealt to a place", "places"))
    if not deck.are_committed(reasons):
        return followed.refuse(uncommitted())
    refusal = _refuse_by_hand(deck, steps, cause, reasons)
    if refusal:
        return followed.refuse(refusal)
    event = cards_revealed(deck.id, list(reasons), cause, asker.subject)
    new = Reveal(cause.table_seq, asker.subject, reasons)
    revealed = replace(deck, reveals=(*deck.reveals, new))
    return Decision(revealed, (*followed.events, event), None)


def _refuse_by_hand(
    deck: Deck, hand: Iterable[StoredStep], cause: Cause, reasons: Reasons
) -> Refusal | None:
    """Refuse seats' cards that no rule of any game reveals; the step's word is not enough.

    Those of a seat that folded; and, but by their owner's wish, those of a hand that is over or
    that nobody contests any more.
    """
    own = {place: reason for place, reason in reasons.items() if place.kind == SEAT}
    if not own:
        return None
    folded: set[int] = set()
    over = False
    for step, at in hand:
        # The step itself may hold a fold and what follows from it, but the hand goes on until it.
        folded.update(folded_by(step))
        over = over or (at != cause and ends_hand(step))
    if any(place.owner in folded for place in own):
        return not_justified("a seat that is asked for has folded", "places")
    contested = len(deck.players.keys() - folded) > 1
    if (over or not contested) and set(own.values()) != {_OWNER_SHOWS}:
        return not_justified("the hand is over; only its owner can show a card")
    return None


def _is_owners_wish(deck: Deck, step: step_pb2.Step, place: Place) -> bool:
    """Tell whether the owner of the place sent the command that led to the step (SHW-3)."""
    sender = step.command_sender
    return bool(sender) and sender == deck.players.get(place.owner)
