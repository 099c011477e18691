"""DealCards, ResealCards, RevealCards: how a card leaves the shuffler during a hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Final

from floor_shuffler import checks
from floor_shuffler.deck import Deck, Opening, not_justified
from floor_shuffler.desk import Asked, Desk, deck_ref, step_ref, wrong_state
from floor_shuffler.metrics import BOXES, CARDS_OPENED, SEATS_WITHOUT_KEY
from floor_shuffler.places import KINDS_OF_REASON, OWN, Place
from floor_shuffler.seat_keys import SeatKeys
from floor_shuffler.steps import dealt_by, due_by, is_of, laid_out_by
from floor_shuffler.table_log import StoredStep
from pokerfloor.api.common.v1 import cards_pb2, errors_pb2
from pokerfloor.api.common.v1.identity_pb2 import (
    ROLE_SERVICE_SCORING,
    ROLE_SERVICE_SHOWDOWN,
    ROLE_SERVICE_TABLE,
)
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.internal.shuffler.v1 import dealing_pb2
from pokerfloor.api.shuffler.v1 import events_pb2
from pokerfloor.fairness import fingerprint, seal
from pokerfloor.servicekit import FloorError, Identity, current_identity, get_logger, new_id

# Who alone may ask for cards that are turned up for this reason; for all others it is the table.
_ASKERS: Final[Mapping[int, int]] = {
    hand_events_pb2.REVEAL_REASON_SHOWDOWN: ROLE_SERVICE_SHOWDOWN,
    hand_events_pb2.REVEAL_REASON_SCORING: ROLE_SERVICE_SCORING,
}

_OWNER_SHOWS: Final = hand_events_pb2.REVEAL_REASON_OWNER_SHOWS

# Own cards that are dealt open: everybody sees them in the next moment.
_FOR_EVERYONE: Final = frozenset(
    {hand_events_pb2.REVEAL_REASON_UP_CARD, hand_events_pb2.REVEAL_REASON_ALL_IN}
)
_PLACEMENT: Final = hand_events_pb2.REVEAL_REASON_PLACEMENT

_log = get_logger("shuffler.dealing")


class Dealing:
    """Seals cards to their owners and turns cards up, as the log says and not otherwise."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def deal(self, request: dealing_pb2.DealCardsRequest) -> dealing_pb2.DealCardsResponse:
        """Deal the places of a stored step; each own card is sealed to its seat's live keys."""
        deck_id, ref = checks.deck(request.deck), checks.cause(request.cause)
        async with self._desk.watched(Asked("DealCards", deck_id.table_id, deck_id, cause=ref)):
            deck = await self._desk.dealable(deck_id, request.owner_epoch)
            stored = await self._desk.log.cause(deck_id.table_id, ref)
            news = await self._desk.take_in(stored, deck)
            places = [place for dealt in dealt_by(stored.step) for place in dealt.places]
            if not places:
                raise not_justified("the step deals no cards")
            own = {place for place in places if place.kind == OWN}
            again, deck.unsealed = own - deck.unsealed, deck.unsealed - own
            if news or again != own:
                await self._desk.store.run(self._desk.store.store.save_deck, deck)
            _check_committed(deck, places)
            # What the step turns up for everybody is no secret of its owner's.
            turned_up = {place for place, reason in due_by(stored.step) if reason in _FOR_EVERYONE}
            places = [place for place in places if place not in turned_up]
            keys = await self._keys(deck, {place.owner for place in places if place.kind == OWN})
            # The step's openings may have been asked for before, which dealt its cards.
            for seat in keys:
                if any(place.owner == seat for place in again):
                    await self._record_sealed_again(deck, seat, places, keys[seat])
            return dealing_pb2.DealCardsResponse(
                seats=[self._boxes(deck, seat, places, keys[seat]) for seat in sorted(keys)]
            )

    async def reseal(
        self, request: dealing_pb2.ResealCardsRequest
    ) -> dealing_pb2.ResealCardsResponse:
        """Seal all own cards of a seat that do not lie open again to its live keys."""
        deck_id, seat = checks.deck(request.deck), checks.seat(request.seat)
        async with self._desk.watched(Asked("ResealCards", deck_id.table_id, deck_id)):
            deck = await self._desk.dealable(deck_id, request.owner_epoch)
            if seat not in deck.players:
                raise not_justified("the seat is not dealt in", "seat")
            # The table may have stopped between dealing in the log and asking for the cards.
            if await self._desk.catch_up(deck, None):
                await self._desk.store.run(self._desk.store.store.save_deck, deck)
            keys = (await self._keys(deck, {seat}))[seat]
            if not keys:
                raise FloorError(
                    errors_pb2.ERROR_CODE_NO_SEAT_KEY, "the player in this seat has no key", "seat"
                )
            places = [
                place
                for place in deck.hole_places(seat)
                if deck.is_committed(place) and not deck.opened_for_everyone(place)
            ]
            await self._record_sealed_again(deck, seat, places, keys)
            return dealing_pb2.ResealCardsResponse(seat=self._boxes(deck, seat, places, keys))

    async def open(
        self, request: dealing_pb2.RevealCardsRequest
    ) -> dealing_pb2.RevealCardsResponse:
        """Turn cards up that a stored step says are due, for the one who may ask for them."""
        deck_id, ref = checks.deck(request.deck), checks.cause(request.cause)
        places = checks.places(request.places)
        asker = current_identity()
        needs_epoch = asker.has_role(ROLE_SERVICE_TABLE) or request.owner_epoch
        epoch = request.owner_epoch if needs_epoch else None
        asked = Asked("RevealCards", deck_id.table_id, deck_id, places, ref)
        async with self._desk.watched(asked):
            deck = await self._desk.dealable(deck_id, epoch)
            stored = await self._desk.log.cause(deck_id.table_id, ref)
            if not is_of(stored.step, deck):
                raise not_justified("the step belongs to another hand")
            reasons = _reasons(stored, deck, places, asker)
            await self._desk.take_in(stored, deck)
            for place in places:
                if place not in deck.dealt:
                    raise not_justified("no card was dealt to a place", "places")
            _check_committed(deck, places)
            if not deck.has_opened(stored.cause.table_seq, asker.subject, places):
                await self._check_hand(deck, stored, reasons)
                await self._record_opened(deck, stored, reasons, asker)
            return dealing_pb2.RevealCardsResponse(cards=[deck.face_up(place) for place in places])

    async def _check_hand(
        self, deck: Deck, stored: StoredStep, reasons: Mapping[Place, int]
    ) -> None:
        """Refuse own cards that no rule of any game turns up; the step's word is not enough.

        Those of a seat that gave up; and, but by their owner's wish, those of a hand that is over
        or that nobody contests any more. Raises FloorError NOT_JUSTIFIED.
        """
        own = {place: reason for place, reason in reasons.items() if place.kind == OWN}
        if not own:
            return
        # What the step itself adds is read too: it may hold a fold and what follows from it.
        before = await self._desk.hand_before(deck, stored)
        ended = before.ended
        before.read(stored.step)
        if any(place.owner in before.folded for place in own):
            raise not_justified("a seat that is asked for has folded", "places")
        contested = len(deck.players.keys() - before.folded) > 1
        if (ended or not contested) and set(own.values()) != {_OWNER_SHOWS}:
            raise not_justified("the hand is over; only its owner can show a card")

    async def _keys(self, deck: Deck, seats: Iterable[int]) -> Mapping[int, Sequence[bytes]]:
        """Give the live keys of the players who were dealt in; none where another sits by now."""
        found: Mapping[int, SeatKeys] = await self._desk.store.run(
            self._desk.store.store.seats, deck.id.table_id, sorted(seats)
        )
        keys = {
            seat: found[seat].live_for(deck.players[seat]) if seat in found else []
            for seat in seats
        }
        for seat, live in keys.items():
            if not live:
                SEATS_WITHOUT_KEY.inc()
                _log.warning("a seat has no key", table_id=deck.id.table_id, seat=seat)
        return keys

    def _boxes(
        self, deck: Deck, seat: int, places: Sequence[Place], keys: Sequence[bytes]
    ) -> dealing_pb2.SeatBoxes:
        boxes = [
            cards_pb2.SealedBox(
                place=place.message(),
                key_fingerprint=fingerprint(key),
                ciphertext=seal(deck.for_owner(place), key),
            )
            for place in places
            if (place.kind, place.owner) == (OWN, seat)
            for key in keys
        ]
        BOXES.inc(len(boxes))
        return dealing_pb2.SeatBoxes(seat=seat, boxes=boxes)

    async def _record_sealed_again(
        self, deck: Deck, seat: int, places: Sequence[Place], keys: Sequence[bytes]
    ) -> None:
        own = [place.message() for place in places if (place.kind, place.owner) == (OWN, seat)]
        if not own or not keys:
            return
        event = events_pb2.CardsResealed(
            deck=deck_ref(deck.id),
            seat=seat,
            places=own,
            key_fingerprints=[fingerprint(key) for key in keys],
        )
        await self._desk.events.append(
            events_pb2.ShufflerEvent(cards_resealed=event), new_id(), deck.id.table_id
        )

    async def _record_opened(
        self, deck: Deck, stored: StoredStep, reasons: dict[Place, int], asker: Identity
    ) -> None:
        event = events_pb2.CardsRevealed(
            deck=deck_ref(deck.id),
            places=[place.message() for place in reasons],
            cause=step_ref(deck.id.table_id, stored.cause),
            asked_by=asker.subject,
        )
        # The same step can turn up some cards now and others later: what is asked is in the id.
        what = sha256(repr((asker.subject, list(reasons))).encode()).hexdigest()[:16]
        await self._desk.events.append(
            events_pb2.ShufflerEvent(cards_revealed=event),
            f"{deck.id.table_id}/{deck.id.deck_no}/opened/{stored.cause.table_seq}/{what}",
            deck.id.table_id,
        )
        deck.openings.append(Opening(stored.cause.table_seq, asker.subject, reasons))
        await self._desk.store.run(self._desk.store.store.save_deck, deck)
        for reason in reasons.values():
            CARDS_OPENED.labels(_reason_name(reason)).inc()


def _check_committed(deck: Deck, places: Iterable[Place]) -> None:
    """Refuse cards of a generation whose root is not public yet (WRONG_DECK_STATE)."""
    if not all(deck.is_committed(place) for place in places):
        raise wrong_state("the deck was shuffled again, and that is not committed yet")


def _reasons(
    stored: StoredStep, deck: Deck, places: Sequence[Place], asker: Identity
) -> dict[Place, int]:
    """Give the reason for which each place may be opened to this asker. Raises NOT_JUSTIFIED."""
    due: dict[Place, set[int]] = {}
    for place, reason in due_by(stored.step):
        due.setdefault(place, set()).add(reason)
    reasons: dict[Place, int] = {}
    laid_out = set(laid_out_by(stored.step))
    for place in places:
        named = due.get(place)
        if not named:
            raise not_justified("the step does not turn up a place that is asked for", "places")
        fitting = [reason for reason in named if place.kind in KINDS_OF_REASON.get(reason, ())]
        if not fitting:
            raise not_justified("such a place is never turned up for such a reason", "places")
        fitting = [reason for reason in fitting if _is_owners_wish(reason, place, stored, deck)]
        if not fitting:
            raise not_justified("only its owner's command shows a card")
        fitting = [reason for reason in fitting if reason != _PLACEMENT or place in laid_out]
        if not fitting:
            raise not_justified("the step does not lay a card out that it turns up", "places")
        allowed = [
            reason for reason in fitting if asker.has_role(_ASKERS.get(reason, ROLE_SERVICE_TABLE))
        ]
        if not allowed:
            raise not_justified("for this reason another service asks")
        reasons[place] = min(allowed)
    return reasons


def _is_owners_wish(reason: int, place: Place, stored: StoredStep, deck: Deck) -> bool:
    """Tell whether a card that its owner shows is shown by the owner's own command (SHW-3)."""
    if reason != _OWNER_SHOWS:
        return True
    sender = stored.step.command_sender
    return bool(sender) and sender == deck.players.get(place.owner)


def _reason_name(reason: int) -> str:
    name: str = hand_events_pb2.RevealReason.Name(reason)  # type: ignore[arg-type]  # open enum
    return name.removeprefix("OPENING_REASON_").lower()
