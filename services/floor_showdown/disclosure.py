"""A finished hand's whole deck, for an auditor: asked of the shuffler in the auditor's own name."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

import grpc

from pokerfloor.api.common.v1 import cards_pb2, errors_pb2
from pokerfloor.api.shuffler.v1 import shuffler_pb2
from pokerfloor.cards import Card
from pokerfloor.games import Place
from pokerfloor.servicekit import FloorError, current_identity, error_name, error_of, get_logger
from pokerfloor.tablelog import LogError, from_card, from_place

_PASSED_ON: Final = frozenset(
    {
        errors_pb2.ERROR_CODE_UNKNOWN_DECK,
        errors_pb2.ERROR_CODE_WRONG_DECK_STATE,
        errors_pb2.ERROR_CODE_UNAVAILABLE,
        errors_pb2.ERROR_CODE_OVERLOADED,
        errors_pb2.ERROR_CODE_RATE_LIMITED,
        # The caller's own token, which was passed on, may have run out meanwhile.
        errors_pb2.ERROR_CODE_TOKEN_EXPIRED,
    }
)

_log = get_logger("showdown.disclosure")

# The stub's `ReadDeckRecord`, or what stands for it.
ReadCall: TypeAlias = Callable[..., Awaitable[shuffler_pb2.ReadDeckRecordResponse]]


class Disclosure:
    """Reads deck records with the caller's token, so that the shuffler's event names the auditor.

    This service's own identity may not read one.
    """

    def __init__(self, read_record: ReadCall) -> None:
        self._read_record = read_record

    async def faces(
        self, deck: cards_pb2.DeckRef, reason: str, budget_s: float
    ) -> dict[Place, Card]:
        """Return the card of every place that was dealt in the hand.

        Raises FloorError: the shuffler's word on the deck (it tells of closed ones only),
        UNAVAILABLE, else INTERNAL.
        """
        request = shuffler_pb2.ReadDeckRecordRequest(deck=deck, reason=reason)
        caller = (("authorization", f"Bearer {current_identity().token}"),)
        try:
            record = await self._read_record(request, metadata=caller, timeout=max(budget_s, 0))
        except grpc.RpcError as failure:
            raise _said_by_shuffler(error_of(failure)) from failure
        try:
            orders = [[from_card(card) for card in one.cards] for one in record.generations]
            return {
                from_place(dealt.place): orders[dealt.deck_index.generation][dealt.deck_index.index]
                for dealt in record.dealt
            }
        except (LogError, IndexError):
            _log.error("the shuffler's record does not fit together")
            reason = "the shuffler's record does not fit together"
            raise FloorError(errors_pb2.ERROR_CODE_INTERNAL, reason) from None


def _said_by_shuffler(error: FloorError) -> FloorError:
    if error.code in _PASSED_ON:
        return FloorError(error.code, error.reason)
    name = error_name(error.code)
    _log.error("shuffler refused a record", code=name, reason=error.reason)
    return FloorError(errors_pb2.ERROR_CODE_INTERNAL, f"the shuffler refused with {name}")
