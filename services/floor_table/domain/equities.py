"""Equities at an all-in showdown: when they are due, and what stands in the log.

They are a remark on the hand and no part of it: nothing that is decided follows from them, and the
hand goes on without. They stand in the log, as an event of a step of their own, so that every view,
a resumed one too, tells the same.
"""

from typing import Final

from floor_table.domain.draft import Draft
from floor_table.domain.dues import DueEquity
from floor_table.domain.inputs import EquityIn
from floor_table.domain.outcome import FloorRefusal
from floor_table.domain.refusals import unexpected
from floor_table.domain.state import TableState
from pokerfloor.api.events.v1 import hand_events_pb2 as pb
from pokerfloor.api.events.v1.table_events_pb2 import TableEvent
from pokerfloor.games import Hand, RevealReason, WaitCards

_WHOLE_PPM: Final = 1_000_000


def due_equity(state: TableState) -> DueEquity | None:
    """Return what the equities are to be told of: the open hands, and the boards as they lie now.

    None unless board cards are still to come to hands that lie open (BET-2), and when they are
    told already.
    """
    hand, record = state.playing, state.record
    if record is None or not isinstance(hand, Hand) or not hand.setup.game.board_cards():
        return None
    wait = hand.waits_for()
    if not isinstance(wait, WaitCards) or wait.reason is not RevealReason.BOARD:
        return None
    told = record.equity.table_seq if record.equity is not None else 0
    if told >= record.turned_up_seq or not _all_open(hand):
        return None
    return DueEquity(record.opened.hand_no, record.turned_up_seq)


def equity_known(draft: Draft, given: EquityIn) -> FloorRefusal | None:
    """Take in equities of the hand in play, of the boards as they lie or lay before."""
    state, equity = draft.state, given.equity
    hand, record = state.playing, state.record
    if record is None or not isinstance(hand, Hand) or given.hand_no != state.hand_no:
        return unexpected("equities of another hand")
    told = record.equity.table_seq if record.equity is not None else record.opened_seq
    if not told < equity.table_seq <= record.turned_up_seq or not _all_open(hand):
        return unexpected("equities of another moment")
    total = sum([one.high_ppm + one.low_ppm for one in equity.seats])
    if [one.seat for one in equity.seats] != _live(hand):
        return unexpected("equities of other seats")
    if abs(total - _WHOLE_PPM) > len(equity.seats):  # each is rounded
        return unexpected(f"equities of {total} millionths")
    draft.emit(TableEvent(hand=pb.HandEvent(equity_shown=equity)))
    return None


def _live(hand: Hand) -> list[int]:
    state = hand.state
    return [seat for seat, gone in zip(state.seats, state.folded, strict=True) if not gone]


def _all_open(hand: Hand) -> bool:
    state, live = hand.state, _live(hand)
    faces = state.cards.faces
    return len(live) > 1 and all(
        place in faces for seat in live for place in state.hole_places(seat)
    )
