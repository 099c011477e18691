"""How a betting hand comes to its end: who wins, equities before that, split pots, a show of hands.

Equities of an all-in showdown are a remark on the hand and no part of it: nothing that is decided
follows from them, and the hand goes on without. They stand in the log, as an event of a step of
their own, so that every view, a resumed one too, tells the same.
"""

from collections.abc import Iterator
from hashlib import sha256
from typing import Final

from floor_table.domain.any_hand import live_seats, open_split
from floor_table.domain.inputs import Clock, CommandIn, EquityIn, ShowdownIn
from floor_table.domain.parts import Seat
from floor_table.domain.refusal import not_allowed, of_hand, unexpected
from floor_table.domain.step import (
    ClockTable,
    CommandTable,
    EventTable,
    InputTable,
    StepBuilder,
)
from floor_table.domain.table import Table
from floor_table.domain.validate import seat_in_hand, seated
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.common.v1.cards_pb2 import HandRef
from pokerfloor.api.events.v1 import hand_events_pb2 as hand_pb
from pokerfloor.api.events.v1 import table_events_pb2 as pb
from pokerfloor.api.table.v1 import view_pb2
from pokerfloor.games import (
    AnswerSplit,
    Hand,
    Resolved,
    RevealReason,
    ShowCards,
    SplitTimeUp,
    WaitCards,
    WaitShowdown,
    seat_place,
)
from pokerfloor.games import Refusal as HandRefusal
from pokerfloor.refusal import Refusal
from pokerfloor.tablelog import (
    LogError,
    from_resolve_response,
    proofs_of,
    proofs_of_response,
    rake_of_response,
)

#: MAT-6: how long players may think about splitting a pot.
SPLIT_MS: Final = 15_000
_WHOLE_PPM: Final = 1_000_000

# --- who wins


def resolve_showdown(step: StepBuilder, given: ShowdownIn) -> Refusal | None:
    """Take who shows and who wins, after checking that it can be true."""
    table, response = step.table, given.response
    wait = table.playing.waits_for() if table.playing is not None else None
    if not isinstance(wait, WaitShowdown):
        return unexpected("no showdown is waited for")
    if response.hand != HandRef(table_id=table.table_id, hand_no=table.hand_no):
        return unexpected(f"hand {response.hand.hand_no} has another showdown")
    bad = errors_pb2.ERROR_CODE_BAD_SHOWDOWN
    try:
        result = from_resolve_response(response, table.rules.kind)
        proofs = proofs_of(table.revealed_cards) | proofs_of_response(response)
        rake = rake_of_response(response, table.rules.kind)
    except LogError as error:
        return Refusal(bad, error.reason, error.field)
    # Where pots can be carried, only those paid are raked, and the hand reckons that itself.
    if wait.request.raking is None and rake != wait.request.rake:
        return Refusal(bad, f"a rake of {rake} where {wait.request.rake} is due", "rake")
    refused = step.play(Resolved(result), proofs)
    return None if refused is None else of_hand(refused)


# --- equities before that


def equity_cause(table: Table) -> int:
    """Return after which step equities are to be counted, 0 for none.

    Of open hands, and the boards as they lie now, while board cards are still to come (BET-2).
    """
    hand, record = table.playing, table.record
    if record is None or not isinstance(hand, Hand) or not hand.setup.game.board_cards():
        return 0
    wait = hand.waits_for()
    if not isinstance(wait, WaitCards) or wait.reason is not RevealReason.BOARD:
        return 0
    known = record.equity.table_seq if record.equity is not None else 0
    if known >= record.revealed_seq or not _all_open(hand):
        return 0
    return record.revealed_seq


def note_equity(step: StepBuilder, given: EquityIn) -> Refusal | None:
    """Take equities of the hand in play, of the boards as they lie or lay before."""
    table, equity = step.table, given.equity
    hand, record = table.playing, table.record
    if record is None or not isinstance(hand, Hand) or given.hand_no != table.hand_no:
        return unexpected("equities of another hand")
    known = record.equity.table_seq if record.equity is not None else record.began_seq
    if not known < equity.table_seq <= record.revealed_seq or not _all_open(hand):
        return unexpected("equities of another moment")
    total = sum([one.high_ppm + one.low_ppm for one in equity.seats])
    if [one.seat for one in equity.seats] != live_seats(hand):
        return unexpected("equities of other seats")
    if abs(total - _WHOLE_PPM) > len(equity.seats):  # each is rounded
        return unexpected(f"equities of {total} millionths")
    step.emit(hand_pb.HandEvent(equity_shown=equity))
    return None


def _all_open(hand: Hand) -> bool:
    state, live = hand.state, live_seats(hand)
    faces = state.cards.faces
    return len(live) > 1 and all(
        place in faces for seat in live for place in state.hole_places(seat)
    )


INPUTS: Final[InputTable] = {EquityIn: note_equity, ShowdownIn: resolve_showdown}

# --- splitting a pot that nobody qualified for (MAT-6)


def answer_split(step: StepBuilder, given: CommandIn) -> Refusal | None:
    """Say whether to split a pot that nobody qualified for; the first no decides."""
    table, wanted = step.table, given.command.answer_split
    seat = seat_in_hand(table, given, wanted.hand_no, "answer_split")
    if isinstance(seat, Refusal):
        return seat
    if not isinstance(table.playing, Hand):
        return unexpected("no pot is split in this game")
    executed = step.execute(AnswerSplit(seat.seat, wanted.agrees))
    if isinstance(executed, HandRefusal):
        return of_hand(executed, {"seat": ""})
    if given.arrived_at_ms > table.split_until_ms:
        return Refusal(errors_pb2.ERROR_CODE_TOO_LATE, "the time to answer is over")
    step.record(executed)
    return None


def _split_up(step: StepBuilder) -> None:
    """Take silence for a no."""
    if 0 < step.table.split_until_ms < step.now_ms:
        step.must_play(SplitTimeUp())


# --- the show of a winner whom nobody called (SHW-3)


def show_cards(step: StepBuilder, given: CommandIn) -> Refusal | None:
    """Show hole cards after a win without a showdown, within 5 s."""
    table, wanted = step.table, given.command.show_cards
    seat = seated(table, given.sender)
    if isinstance(seat, Refusal):
        return seat
    record, hand = table.record, table.hand
    if record is None or not isinstance(hand, Hand) or record.began.hand_no != wanted.hand_no:
        reason = f"hand {wanted.hand_no} has nothing more to show"
        return Refusal(errors_pb2.ERROR_CODE_NO_HAND, reason, "show_cards.hand_no")
    if record.context.players.get(seat.seat) != given.sender:
        return not_allowed("you were not dealt into that hand")
    held = {place.slot for place in hand.state.hole_places(seat.seat)}
    if not wanted.slots or not held.issuperset(wanted.slots):
        reason = f"own slots are {', '.join(map(str, sorted(held)))}"
        return Refusal(errors_pb2.ERROR_CODE_BAD_SLOT, reason, "show_cards.slots")
    if table.hand_over and given.arrived_at_ms > table.show_until_ms:
        return Refusal(errors_pb2.ERROR_CODE_TOO_LATE, "the time to show is over")
    places = tuple([seat_place(seat.seat, slot) for slot in wanted.slots])
    refused = step.play(ShowCards(seat.seat, places))
    fields = {"seat": "", "places": "show_cards.slots"}
    return None if refused is None else of_hand(refused, fields)


def _show_up(step: StepBuilder) -> None:
    table = step.table
    if table.hand_over and step.now_ms > table.show_until_ms and not table.hand_shows:
        step.emit(pb.ShowingClosed(hand_no=table.hands))


COMMANDS: Final[CommandTable] = {"answer_split": answer_split, "show_cards": show_cards}
CLOCKS: Final[ClockTable] = {Clock.SHOW: _show_up, Clock.SPLIT: _split_up}


def timers(table: Table) -> Iterator[tuple[int, Clock]]:
    """Yield when the time to answer or to show is over."""
    if table.split_until_ms:
        yield table.split_until_ms + 1, Clock.SPLIT
    if table.hand_over and not table.hand_shows:
        yield table.show_until_ms + 1, Clock.SHOW


# --- events


def _showing_closed(table: Table, event: pb.ShowingClosed) -> None:
    if not table.hand_over or table.record is None or event.hand_no != table.hands:
        raise LogError(f"hand {event.hand_no} has nothing to show", "showing_closed.hand_no")
    table.close_show()


def _equity_shown(table: Table, event: hand_pb.EquityShown) -> None:
    digest = sha256(event.SerializeToString(deterministic=True)).hexdigest()
    table.record = table.hand_record._replace(equity=event, equity_digest=digest)


def _split_proposed(table: Table, _: hand_pb.SplitProposed) -> None:
    table.split_until_ms = table.at_ms + SPLIT_MS


EVENTS: Final[EventTable] = {"showing_closed": _showing_closed}
HAND_EVENTS: Final[EventTable] = {
    "equity_shown": _equity_shown,
    "split_proposed": _split_proposed,
}

# --- views


def split_turn(table: Table, seat: Seat) -> view_pb2.YourTurn | None:
    """Return "your turn" of a seat that is asked whether to split a pot."""
    split = open_split(table.playing)
    if split is None or seat.seat not in split.seats:
        return None
    return view_pb2.YourTurn(
        hand_no=table.hand_no,
        seat=seat.seat,
        deadline_ms=table.split_until_ms,
        choices=[view_pb2.CHOICE_KIND_SPLIT],
    )
