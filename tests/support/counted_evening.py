"""An evening whose outside counts equities at all-in showdowns, as the showdown service does."""

from floor_table.domain import EquityEffect, EquityIn, RevealEffect, TableInput
from pokerfloor.api.events.v1.hand_events_pb2 import EquityShown
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.equity import Equity, equity
from pokerfloor.games import Hand
from tests.support.evening import Evening, table_settings


class Counted(Evening):
    """An evening whose outside counts equities, as long as it is willing."""

    willing = True

    def answer_to(self, due: object) -> TableInput | None:
        if isinstance(due, EquityEffect):
            return self.equities(due) if self.willing else None
        if self.willing and isinstance(due, RevealEffect) and self.due_equity() is not None:
            return None  # the board waits a moment
        return super().answer_to(due)

    def due_equity(self) -> EquityEffect | None:
        dues = self.effects(EquityEffect)
        assert len(dues) <= 1
        return dues[0] if dues else None

    def equities(self, due: EquityEffect) -> EquityIn:
        hand = self.table.playing
        assert isinstance(hand, Hand)
        state = hand.state
        seats = [seat for seat, gone in zip(state.seats, state.folded, strict=True) if not gone]
        hands = [[state.cards.faces[place] for place in state.hole_places(seat)] for seat in seats]
        answer = equity(
            hand.setup.game,
            hands,
            state.cards.boards,
            max_runouts=2_000,
            samples=500,
            samples_source=self.random.randbytes,
        )
        assert isinstance(answer, Equity)
        shown = EquityShown(exact=answer.exact, table_seq=due.cause_seq)
        for seat, share in zip(seats, answer.hands, strict=True):
            shown.seats.add(seat=seat, high_ppm=share.share_ppm)
        return EquityIn(due.hand_no, shown)

    def open_one(self) -> None:
        """Answer one opening, and nothing else."""
        (due,) = self.effects(RevealEffect)
        given = Evening.answer_to(self, due)
        assert given is not None
        assert isinstance(self.do(given), Step)


def equities() -> Counted:
    """Three all-in showdowns: with equities, without any, and with late ones."""
    evening = Counted(table_settings(), 21, table_id="equities")
    for player in ("ann", "bob", "cat"):
        evening.sit(player, buy_in=40)
    for willing in (True, False):
        _all_in(evening)
        evening.willing = willing
        evening.settle(begin=False)
        _buy_again(evening)
    _all_in(evening)
    evening.willing = False
    while (due := evening.due_equity()) is None:
        evening.open_one()
    of_hands = evening.equities(due)
    evening.open_one()
    assert isinstance(evening.do(of_hands), Step), "late, and taken in"
    evening.settle(begin=False)
    return evening


def _all_in(evening: Counted) -> None:
    evening.settle()
    while (wait := evening.wait()) is not None:
        evening.now_ms += 1_500
        evening.act("all_in" if wait.legal.all_in_as else "call")


def _buy_again(evening: Counted) -> None:
    for seat in evening.table.by_number():
        if not seat.stack:
            evening.top_up(seat.player_id, 40)
            evening.settle(begin=False)
