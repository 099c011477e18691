"""Having hands opened by the shuffler, with this service's own identity."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final, TypeAlias

import grpc

from floor_showdown.metrics import OPENING_RETRIES, OPENING_SECONDS
from pokerfloor.api.common.v1 import cards_pb2, errors_pb2
from pokerfloor.api.internal.shuffler.v1 import dealing_pb2
from pokerfloor.servicekit import Backoff, FloorError, error_name, error_of, get_logger

_BLACK_JOKER_CODE: Final = 54
_FIRST_PAUSE_MS: Final = 20
_LONGEST_PAUSE_MS: Final = 500

# What the caller can do something about, or must know; the rest is between the shuffler and us.
_PASSED_ON: Final = frozenset(
    {
        errors_pb2.ERROR_CODE_CAUSE_NOT_FOUND,
        errors_pb2.ERROR_CODE_NOT_JUSTIFIED,
        errors_pb2.ERROR_CODE_UNKNOWN_DECK,
        errors_pb2.ERROR_CODE_WRONG_DECK_STATE,
        errors_pb2.ERROR_CODE_UNAVAILABLE,
        errors_pb2.ERROR_CODE_OVERLOADED,
        errors_pb2.ERROR_CODE_RATE_LIMITED,
    }
)
_FIELD: Final[Mapping[int, str]] = {
    errors_pb2.ERROR_CODE_CAUSE_NOT_FOUND: "cause",
    errors_pb2.ERROR_CODE_NOT_JUSTIFIED: "cause",
    errors_pb2.ERROR_CODE_UNKNOWN_DECK: "deck",
    errors_pb2.ERROR_CODE_WRONG_DECK_STATE: "deck",
}

_log = get_logger("showdown.openings")


# The stub's `RevealCards`, or what stands for it.
OpenCall: TypeAlias = Callable[..., Awaitable[dealing_pb2.RevealCardsResponse]]


class Openings:
    """Asks the shuffler, again while it cannot be reached and there is time.

    Opening is idempotent by place, so a call of which nobody knows whether it was done may be made
    again.
    """

    def __init__(self, open_cards: OpenCall, attempt_ms: int) -> None:
        self._open_cards = open_cards
        self._attempt_s = attempt_ms / 1000

    async def open(
        self,
        deck: cards_pb2.DeckRef,
        cause: cards_pb2.StepRef,
        places: Sequence[cards_pb2.Place],
        budget_s: float,
    ) -> Sequence[cards_pb2.RevealedCard]:
        """Return the cards in the order of the places, for none without a call.

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
            outcome = "opened"
        finally:
            seconds = asyncio.get_running_loop().time() - began_s
            OPENING_SECONDS.labels(outcome).observe(seconds)
        return response.cards

    async def _ask(
        self, request: dealing_pb2.RevealCardsRequest, deadline_s: float
    ) -> dealing_pb2.RevealCardsResponse:
        clock = asyncio.get_running_loop().time
        backoff = Backoff(_FIRST_PAUSE_MS, _LONGEST_PAUSE_MS)
        while (left_s := deadline_s - clock()) > 0:
            try:
                return await self._open_cards(request, timeout=min(left_s, self._attempt_s))
            except grpc.RpcError as failure:
                error = error_of(failure)
            if error.code != errors_pb2.ERROR_CODE_UNAVAILABLE:
                raise _said_by_shuffler(error)
            OPENING_RETRIES.inc()
            _log.warning("shuffler not reached", reason=error.reason)
            await backoff.sleep(at_most_ms=int((deadline_s - clock()) * 1000))
        raise FloorError(
            errors_pb2.ERROR_CODE_UNAVAILABLE, "the shuffler does not answer; try again"
        )


def _said_by_shuffler(error: FloorError) -> FloorError:
    if error.code in _PASSED_ON:
        return FloorError(error.code, error.reason, _FIELD.get(error.code, ""))
    # Passed on, "token expired" would be read as the caller's token, and a field as the caller's.
    name = error_name(error.code)
    _log.error("shuffler refused", code=name, reason=error.reason, field=error.field)
    return FloorError(errors_pb2.ERROR_CODE_INTERNAL, f"the shuffler refused with {name}")


def _check_answer(
    request: dealing_pb2.RevealCardsRequest, response: dealing_pb2.RevealCardsResponse
) -> None:
    as_asked = [opened.place for opened in response.cards] == list(request.places)
    if as_asked and all(opened.card.code <= _BLACK_JOKER_CODE for opened in response.cards):
        return
    _log.error("shuffler answered other places or no cards", asked=len(request.places))
    raise FloorError(
        errors_pb2.ERROR_CODE_INTERNAL, "the shuffler's answer does not fit the question"
    )
