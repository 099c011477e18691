"""The calls of everybody: ranking, and equities."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from floor_showdown.deadline import CallContext, budget_s
from floor_showdown.equity_worker import EquityWorker
from floor_showdown.hand_equity import check_request, hand_refusal, hand_task, live_hand
from floor_showdown.hand_log import HandLog
from floor_showdown.metrics import RANKS
from floor_showdown.named_equity import named_refusal, read_named_task
from floor_showdown.rank import rank
from floor_showdown.shuffler_calls import RecordReader
from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.showdown.v1 import showdown_pb2, showdown_pb2_grpc
from pokerfloor.cards import Card
from pokerfloor.equity import Equity, EquityRefusal
from pokerfloor.games import Half, Place
from pokerfloor.servicekit import accepted, bind_log
from pokerfloor.tablelog import SYSTEM

_PPM = 1_000_000


class ShowdownService(showdown_pb2_grpc.ShowdownServiceServicer):
    """Keeps no state. Requests and answers, which hold faces, are never logged."""

    def __init__(
        self,
        log: HandLog,
        records: RecordReader,
        *,
        of_hands: EquityWorker,
        of_named_cards: EquityWorker,
        timeout_ms: int,
    ) -> None:
        self._hands = log
        self._records = records
        self._of_hands = of_hands
        self._of_named_cards = of_named_cards
        self._timeout_s = timeout_ms / 1000

    async def Rank(  # noqa: N802 - the proto names it
        self, request: showdown_pb2.RankRequest, context: object
    ) -> showdown_pb2.RankResponse:
        """Rank cards that the caller names (RNK-6). Raises FloorError; see `rank`."""
        del context
        hand = rank(request)
        RANKS.labels(SYSTEM[hand.system]).inc()
        return showdown_pb2.RankResponse(hand=hand)

    async def GetHandEquity(  # noqa: N802 - the proto names it
        self, request: showdown_pb2.GetHandEquityRequest, context: CallContext
    ) -> showdown_pb2.GetHandEquityResponse:
        """Count the equities of the seats of a hand that are still in, by seat.

        Raises FloorError: what `check_request`, `HandLog.of_hand`, `live_hand`, `hand_task`,
        `RecordReader.faces` and `EquityWorker.count` say.
        """
        clock = asyncio.get_running_loop().time
        deadline_s = clock() + budget_s(context, self._timeout_s)
        with bind_log(table_id=request.table_id[:32], hand_no=request.hand_no):
            check_request(request)
            steps = await self._hands.of_hand(
                request.table_id,
                request.hand_no,
                request.at_table_seq,
                request.began_step if request.HasField("began_step") else None,
                deadline_s - clock(),
            )
            live = accepted(live_hand(steps))
            disclosed: Mapping[Place, Card] = {}
            if request.disclosure_reason:
                deck = cards_pb2.DeckRef(table_id=request.table_id, deck_no=live.deck_no)
                left_s = deadline_s - clock()
                disclosed = await self._records.faces(deck, request.disclosure_reason, left_s)
            task = accepted(hand_task(live, disclosed, quick=request.quick))
            answer = await self._of_hands.count(task, deadline_s - clock())
            if isinstance(answer, EquityRefusal):
                answer = accepted(hand_refusal(answer))
        equity = _shown(answer, live.seats)
        equity.table_seq = steps[-1].table_seq
        return showdown_pb2.GetHandEquityResponse(equity=equity)

    async def ComputeEquity(  # noqa: N802 - the proto names it
        self, request: showdown_pb2.ComputeEquityRequest, context: CallContext
    ) -> showdown_pb2.ComputeEquityResponse:
        """Count the equities of the hands that the caller names, numbered from 1.

        Nothing of the request is bound to the log. Raises FloorError: what `read_named_task` and
        `EquityWorker.count` say.
        """
        task = read_named_task(request)
        answer = await self._of_named_cards.count(task, budget_s(context, self._timeout_s))
        if isinstance(answer, EquityRefusal):
            answer = accepted(named_refusal(answer))
        hands = range(1, len(task.hands) + 1)
        return showdown_pb2.ComputeEquityResponse(equity=_shown(answer, hands))


def _shown(answer: Equity, seats: Sequence[int]) -> hand_events_pb2.EquityShown:
    """Return the message of an answer whose hands are those of `seats`, in their order."""
    shown = hand_events_pb2.EquityShown(exact=answer.exact)
    for seat, hand in zip(seats, answer.hands, strict=True):
        low = round(dict(hand.by_half).get(Half.LOW, 0) * _PPM)
        shown.seats.add(
            seat=seat,
            high_ppm=hand.share_ppm - low,
            low_ppm=low,
            error_ppm=hand.standard_error_ppm,
        )
    return shown
