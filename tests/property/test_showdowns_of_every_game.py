"""The showdown service resolves every showdown of every game, from what the log justifies."""

import asyncio
from collections.abc import Sequence

import pytest

from floor_showdown.justification import check_justified
from floor_showdown.read_resolve_request import read_resolve_request
from floor_showdown.resolution_service import resolve_justified
from floor_showdown.shuffler_calls import Revealer
from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.internal.showdown.v1.resolution_pb2 import ResolveRequest, ResolveResponse
from tests.support.evening import Evening
from tests.support.game_tables import GAME_TABLES
from tests.support.mixed_tables import MIXED_TABLES
from tests.support.regulars import Regulars

TABLES = {**GAME_TABLES, **MIXED_TABLES}


class Resolved(Evening):
    """An evening whose showdowns the service's own parts resolve."""

    showdowns = 0

    def resolve(self, request: ResolveRequest) -> ResolveResponse:
        asked = ResolveRequest()
        asked.CopyFrom(request)
        for ref in (asked.cause, asked.began_step):
            ref.table_id = self.table.table_id
        steps = [step for step in self.steps if step.hand_no == self.table.hand_no]
        asked.began_step.table_seq = steps[0].table_seq
        asked.began_step.stream_seq = steps[0].table_seq
        asked.cause.stream_seq = asked.cause.table_seq
        answer = asyncio.run(self._answer(asked, steps))
        self.showdowns += 1
        known = super().resolve(request)
        for step in known.steps:
            step.shown.ClearField("cards")
        told = ResolveResponse()
        told.CopyFrom(answer)
        for step in told.steps:
            step.shown.ClearField("cards")
        assert told == known
        return answer

    async def _answer(self, asked: ResolveRequest, steps: Sequence[Step]) -> ResolveResponse:
        assert check_justified(asked, steps) is None
        deck = _Deck(self, asked.deck.deck_no)
        return await resolve_justified(read_resolve_request(asked), asked, deck, 5)


class _Deck(Revealer):
    """The shuffler's answers, from the evening's deck."""

    def __init__(self, evening: Evening, deck_no: int) -> None:
        self._evening = evening
        self._deck_no = deck_no

    async def reveal(
        self,
        deck: cards_pb2.DeckRef,
        cause: cards_pb2.StepRef,
        places: Sequence[cards_pb2.Place],
        budget_s: float,
    ) -> Sequence[cards_pb2.RevealedCard]:
        del deck, cause, budget_s
        return [self._evening.opened(self._deck_no, place) for place in places]


@pytest.mark.rule("SHW-1", "SHW-2", "SHW-4", "ODD-4", "DBL-2", "LOW-3", "MAT-6")
@pytest.mark.parametrize("name", TABLES)
def test_every_showdown_of_an_evening(name: str) -> None:
    evening = Resolved(TABLES[name](), 4)
    players = Regulars(evening, 7)
    for player in players.names[:4]:
        evening.sit(player, buy_in=evening.table.rules.least_buy_in)
    for _ in range(40):
        players.evening_of(30)
        if evening.showdowns > 5:
            break
    assert evening.showdowns > 5
