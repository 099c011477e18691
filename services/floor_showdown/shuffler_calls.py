"""What is asked of the shuffler: hands at a showdown, and the record of a closed deck."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final, TypeAlias

import grpc

from floor_showdown.metrics import REVEAL_RETRIES, REVEAL_SECONDS
from pokerfloor.api.common.v1 import cards_pb2, errors_pb2
from pokerfloor.api.internal.shuffler.v1 import dealing_pb2
from pokerfloor.api.shuffler.v1 import shuffler_pb2
from pokerfloor.cards import Card
from pokerfloor.games import Place
from pokerfloor.servicekit import (
    Backoff,
    FloorError,
    current_identity,
    error_name,
    error_of,
    get_logger,
)
from pokerfloor.tablelog import LogError, from_card, from_place

_BLACK_JOKER_CODE: Final = 54
_FIRST_PAUSE_MS: Final = 20
_LONGEST_PAUSE_MS: Final = 500

# What the caller can do something about, or must know, and the caller's field that it is about;
# the rest is between the shuffler and us.
_PASSED_ON: Final[Mapping[int, str]] = {
    errors_pb2.ERROR_CODE_UNKNOWN_DECK: "deck",
    errors_pb2.ERROR_CODE_WRONG_DECK_STATE: "deck",
    errors_pb2.ERROR_CODE_UNAVAILABLE: "",
    errors_pb2.ERROR_CODE_OVERLOADED: "",
    errors_pb2.ERROR_CODE_RATE_LIMITED: "",
}
_PASSED_ON_FROM_REVEALS: Final[Mapping[int, str]] = {
    **_PASSED_ON,
    errors_pb2.ERROR_CODE_CAUSE_NOT_FOUND: "cause",
    errors_pb2.ERROR_CODE_NOT_JUSTIFIED: "cause",
}
_PASSED_ON_FROM_RECORDS: Final[Mapping[int, str]] = {
    **dict.fromkeys(_PASSED_ON, ""),  # the caller named a hand, and no deck
    # The caller's own token, which was passed on, may have run out meanwhile.
    errors_pb2.ERROR_CODE_TOKEN_EXPIRED: "",
}

# The stub's calls, or what stands for them.
RevealCall: TypeAlias = Callable[..., Awaitable[dealing_pb2.RevealCardsResponse]]
ReadCall: TypeAlias = Callable[..., Awaitable[shuffler_pb2.ReadDeckRecordResponse]]

_log = get_logger("showdown.shuffler")


class Revealer:
    """Has cards revealed with this service's own identity.

    It asks again while the shuffler cannot be reached and there is time. A reveal is idempotent by
    place, so a call of which nobody knows whether it was done may be made again.
    """

    def __init__(self, reveal_cards: RevealCall, attempt_ms: int) -> None:
        self._reveal_cards = reveal_cards
        self._attempt_s = attempt_ms / 1000

    async def reveal(
        self,
        deck: cards_pb2.DeckRef,
        cause: cards_pb2.StepRef,
        places: Sequence[cards_pb2.Place],
        budget_s: float,
    ) -> Sequence[cards_pb2.RevealedCard]:
        """Return the cards in the order of the places; for none without a call.

        Raises FloorError: what the shuffler said where it concerns the caller (CAUSE_NOT_FOUND,
        NOT_JUSTIFIED, ...), UNAVAILABLE when `budget_s` is over, else INTERNAL.
        """
        if not places:
            return ()
        request = dealing_pb2.RevealCardsRequest(deck=deck, places=places, cause=cause)
        began_s = asyncio.get_running_loop().time()
        outcome = "failed"
        try:
            response = await self._ask(request, began_s + budget_s)
            _check_answer(request, response)
            outcome = "revealed"
        finally:
            seconds = asyncio.get_running_loop().time() - began_s
            REVEAL_SECONDS.labels(outcome).observe(seconds)
        return response.cards

    async def _ask(
        self, request: dealing_pb2.RevealCardsRequest, deadline_s: float
    ) -> dealing_pb2.RevealCardsResponse:
        clock = asyncio.get_running_loop().time
        backoff = Backoff(_FIRST_PAUSE_MS, _LONGEST_PAUSE_MS)
        while (left_s := deadline_s - clock()) > 0:
            try:
                return await self._reveal_cards(request, timeout=min(left_s, self._attempt_s))
            except grpc.RpcError as failure:
                error = error_of(failure)
            if error.code != errors_pb2.ERROR_CODE_UNAVAILABLE:
                raise _from_shuffler(error, _PASSED_ON_FROM_REVEALS)
            REVEAL_RETRIES.inc()
            _log.warning("shuffler_unreachable", reason=error.reason)
            await backoff.sleep(at_most_ms=int((deadline_s - clock()) * 1000))
        raise FloorError(
            errors_pb2.ERROR_CODE_UNAVAILABLE, "the shuffler does not answer; try again"
        )


class RecordReader:
    """Reads the records of closed decks for auditors, with the auditor's own token.

    So the shuffler's event names the auditor. This service's own identity may not read one.
    """

    def __init__(self, read_record: ReadCall) -> None:
        self._read_record = read_record

    async def faces(
        self, deck: cards_pb2.DeckRef, reason: str, budget_s: float
    ) -> dict[Place, Card]:
        """Return the card of every place that was dealt in the hand.

        Raises FloorError: the shuffler's word on the deck (it shows closed ones only),
        UNAVAILABLE, else INTERNAL.
        """
        request = shuffler_pb2.ReadDeckRecordRequest(deck=deck, reason=reason)
        caller = (("authorization", f"Bearer {current_identity().token}"),)
        try:
            record = await self._read_record(request, metadata=caller, timeout=max(budget_s, 0))
        except grpc.RpcError as failure:
            raise _from_shuffler(error_of(failure), _PASSED_ON_FROM_RECORDS) from failure
        try:
            orders = [[from_card(card) for card in one.cards] for one in record.generations]
            return {
                from_place(dealt.place): orders[dealt.deck_index.generation][dealt.deck_index.index]
                for dealt in record.dealt
            }
        except (LogError, IndexError):
            _log.error("deck_record_inconsistent")
            reason = "the shuffler's record does not fit together"
            raise FloorError(errors_pb2.ERROR_CODE_INTERNAL, reason) from None


def _from_shuffler(error: FloorError, passed_on: Mapping[int, str]) -> FloorError:
    if error.code in passed_on:
        return FloorError(error.code, error.reason, passed_on[error.code])
    # Passed on, "token expired" would be read as the caller's token, and a field as the caller's.
    name = error_name(error.code)
    _log.error("shuffler_refused", code=name, reason=error.reason, field=error.field)
    return FloorError(errors_pb2.ERROR_CODE_INTERNAL, f"the shuffler refused with {name}")


def _check_answer(
    request: dealing_pb2.RevealCardsRequest, response: dealing_pb2.RevealCardsResponse
) -> None:
    as_asked = [revealed.place for revealed in response.cards] == list(request.places)
    if as_asked and all(revealed.card.code <= _BLACK_JOKER_CODE for revealed in response.cards):
        return
    _log.error("shuffler_answer_unfit", asked=len(request.places))
    raise FloorError(
        errors_pb2.ERROR_CODE_INTERNAL, "the shuffler's answer does not fit the question"
    )
