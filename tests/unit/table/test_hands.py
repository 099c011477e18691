"""A hand at a table: cards, showdown, showing, closing, pausing, and what is refused."""

import pytest

from floor_table.domain import (
    BeginHandIn,
    CardsIn,
    Clock,
    CloseDeckEffect,
    CommandIn,
    DealEffect,
    DeckEffect,
    DeckIn,
    OpenTableIn,
    Operation,
    Refusal,
    RevealEffect,
    SettlementIn,
    ShowdownEffect,
    ShowdownIn,
    Table,
    TimeUpIn,
    TookOverIn,
    decide,
)
from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.internal.showdown.v1.resolution_pb2 import ResolveResponse
from pokerfloor.api.shuffler.v1 import shuffler_pb2
from pokerfloor.api.table.v1 import table_pb2
from tests.support.evening import START_MS, Evening, code, minor, names, table_settings


def heads_up() -> Evening:
    evening = Evening(table_settings())
    evening.sit("ann", 1)
    evening.sit("bob", 2)
    evening.settle()
    return evening


def at_showdown() -> tuple[Evening, ShowdownEffect]:
    evening = heads_up()
    evening.act("call")
    while True:
        due = evening.effects(ShowdownEffect)
        if due:
            return evening, due[0]
        if evening.wait() is not None:
            evening.act("check")
        else:
            (opening,) = evening.effects(RevealEffect)
            given = evening.answer_to(opening)
            assert given is not None
            evening.do(given)


def due_of(evening: Evening, kind: type) -> list[object]:
    return evening.effects(kind)


def test_a_hand_step_by_step() -> None:
    evening = Evening(table_settings())
    evening.sit("ann", 1)
    evening.sit("bob", 2)
    evening.settle()
    by_name = {names(step)[0]: step for step in evening.steps}
    opened = by_name["hand_began"]
    begun = by_name["deck_committed"]
    assert names(begun) == [
        "deck_committed",
        "street_began",
        "forced_bet_posted",
        "forced_bet_posted",
        "places_dealt",
        "turn_began",
        "clock_set",
    ]
    assert opened.hand_no == begun.hand_no == 1
    assert due_of(evening, DealEffect) == [DealEffect(2, begun.table_seq)]
    evening.act("call")
    closing = evening.act("check")
    assert names(closing)[-4:] == [
        "bets_collected",
        "street_began",
        "places_dealt",
        "reveal_ordered",
    ]
    assert isinstance(closing, Step)
    (opening,) = due_of(evening, RevealEffect)
    assert isinstance(opening, RevealEffect)
    assert opening.cause_seq == closing.table_seq
    assert opening.reason == hand_events_pb2.REVEAL_REASON_BOARD
    assert [(place.kind, place.slot) for place in opening.places] == [
        (cards_pb2.PLACE_KIND_BOARD, slot) for slot in (1, 2, 3)
    ]
    given = evening.answer_to(opening)
    assert given is not None
    assert names(evening.do(given)) == ["cards_revealed", "turn_began", "clock_set"]


def test_a_showdown_is_resolved_outside_and_checked_here() -> None:
    evening, due = at_showdown()
    request = due.request
    assert (request.hand.table_id, request.hand.hand_no) == ("t1", 1)
    assert request.cause.table_seq == due.cause_seq
    causes = names(evening.steps[due.cause_seq - 1])
    assert "reveal_ordered" in causes
    assert "showdown_began" in causes
    right = evening.resolve(request)
    digest = evening.table.digest()
    for wrong in _wrong_answers(right):
        assert code(evening.do(ShowdownIn(wrong))) in ("BAD_SHOWDOWN", "UNEXPECTED_INPUT")
        assert evening.table.digest() == digest
    step = evening.do(ShowdownIn(right))
    assert names(step)[:2] == ["hand_shown", "hand_shown"]
    assert "hand_ended" in names(step)
    assert isinstance(step, Step)
    shown = step.events[0].hand.hand_shown
    assert all(card.HasField("proof") for card in shown.cards)
    (closed,) = [d for d in evening.effects(CloseDeckEffect) if d.deck_no == 2]
    assert closed == CloseDeckEffect(2, shuffler_pb2.DECK_STATE_SETTLED, "", step.table_seq)


def _wrong_answers(right: ResolveResponse) -> list[ResolveResponse]:
    wrong = [ResolveResponse() for _ in range(6)]
    for one in wrong:
        one.CopyFrom(right)
    wrong[0].hand.hand_no = 2
    wrong[1].awards[0].amount.minor += 1
    wrong[2].rake.total.minor = 1
    del wrong[3].steps[0]
    wrong[4].steps[0].shown.cards[0].card.code = wrong[4].steps[1].shown.cards[0].card.code
    wrong[5].awards[0].amount.Clear()
    return wrong


def test_an_all_in_hand_is_exposed_and_shown_with_the_proofs_it_has() -> None:
    evening = heads_up()
    evening.act("all_in")
    step = evening.act("call")
    assert names(step)[-1] == "reveal_ordered"
    (opening,) = due_of(evening, RevealEffect)
    assert isinstance(opening, RevealEffect)
    assert opening.reason == hand_events_pb2.REVEAL_REASON_ALL_IN
    evening.settle(begin=False)
    ended = evening.steps[-1]
    shown = [event.hand.hand_shown for event in ended.events if event.hand.HasField("hand_shown")]
    assert len(shown) == 2
    assert all(card.HasField("proof") for hand in shown for card in hand.cards)


def test_answers_that_nobody_waits_for() -> None:
    evening = heads_up()
    card = cards_pb2.RevealedCard(
        place=cards_pb2.Place(kind=cards_pb2.PLACE_KIND_BOARD, owner=0, slot=1),
        card=cards_pb2.Card(code=3),
    )
    digest = evening.table.digest()
    for given, expected in (
        (DeckIn(2, 0, b"r" * 32, 52), "UNEXPECTED_INPUT"),
        (DeckIn(3, 0, b"r" * 32, 52), "UNEXPECTED_INPUT"),
        (CardsIn(2, [card]), "UNEXPECTED_INPUT"),
        (CardsIn(1, [card]), "UNEXPECTED_INPUT"),
        (CardsIn(2, [cards_pb2.RevealedCard()]), "WRONG_CARDS"),
        (ShowdownIn(ResolveResponse()), "UNEXPECTED_INPUT"),
        (BeginHandIn(), "WRONG_STATE"),
        (TimeUpIn(Clock.SHOW), "WRONG_STATE"),
        (TimeUpIn(Clock.NO_CHIPS), "WRONG_STATE"),
        (SettlementIn(paused=False), "WRONG_STATE"),
    ):
        assert code(evening.do(given)) == expected, given
    assert evening.table.digest() == digest


def test_wrong_cards_for_the_board_change_nothing() -> None:
    evening = heads_up()
    evening.act("call")
    evening.act("check")
    (opening,) = due_of(evening, RevealEffect)
    assert isinstance(opening, RevealEffect)
    cards = [evening.opened(2, place) for place in opening.places]
    cards[1].card.code = cards[0].card.code
    digest = evening.table.digest()
    assert code(evening.do(CardsIn(2, cards))) == "WRONG_CARDS"
    assert evening.table.digest() == digest


@pytest.mark.rule("BET-3")
def test_actions_that_are_refused() -> None:
    evening = heads_up()
    wait = evening.wait()
    assert wait is not None
    acting, other = evening.table.player_at(wait.seat), evening.table.player_at(3 - wait.seat)
    fold, raise_ = hand_events_pb2.ACTION_KIND_FOLD, hand_events_pb2.ACTION_KIND_RAISE
    check, call = hand_events_pb2.ACTION_KIND_CHECK, hand_events_pb2.ACTION_KIND_CALL
    for player, wanted, expected, field in (
        (other, {"kind": fold}, "NOT_YOUR_TURN", ""),
        ("zoe", {"kind": fold}, "NOT_SEATED", ""),
        (acting, {"kind": fold, "turn_no": 2}, "STALE_TURN", "act.turn_no"),
        (acting, {"kind": fold, "hand_no": 2}, "INVALID_FIELD", "act.hand_no"),
        (acting, {"kind": 0}, "INVALID_FIELD", "act.kind"),
        (acting, {"kind": check}, "ACTION_NOT_ALLOWED", "act.kind"),
        (acting, {"kind": raise_}, "INVALID_FIELD", "act.to"),
        (acting, {"kind": raise_, "to": minor(3)}, "AMOUNT_TOO_SMALL", "act.to"),
        (acting, {"kind": raise_, "to": minor(201)}, "AMOUNT_TOO_LARGE", "act.to"),
        (acting, {"kind": raise_, "to": minor(-4)}, "INVALID_FIELD", "act.to"),
        (acting, {"kind": raise_, "to": minor(2**60)}, "INVALID_FIELD", "act.to"),
        (acting, {"kind": call, "to": minor(9)}, "INVALID_FIELD", "act.to"),
    ):
        command = table_pb2.ActCommand(**{"hand_no": 1, "turn_no": 1, **wanted})  # type: ignore[arg-type]  # fields by name
        outcome = evening.command(player, table_pb2.TableCommand(act=command))
        assert (code(outcome), getattr(outcome, "field", None)) == (expected, field)
    chips = table_pb2.ActCommand(hand_no=1, turn_no=1, kind=raise_)
    chips.to.tournament_chips = 10
    outcome = evening.command(acting, table_pb2.TableCommand(act=chips))
    assert code(outcome) == "INVALID_FIELD"
    evening.fold_around()
    old = table_pb2.ActCommand(hand_no=1, turn_no=1, kind=fold)
    assert code(evening.command(acting, table_pb2.TableCommand(act=old))) == "HAND_OVER"
    new = table_pb2.ActCommand(hand_no=2, turn_no=1, kind=fold)
    assert code(evening.command(acting, table_pb2.TableCommand(act=new))) == "NO_HAND"


@pytest.mark.rule("SHW-3")
def test_a_winner_without_a_showdown_may_show() -> None:
    evening = heads_up()
    evening.act("fold")
    (winner,) = [
        event.hand.pot_awarded.seat
        for event in evening.steps[-1].events
        if event.hand.HasField("pot_awarded")
    ]
    player, loser = evening.table.player_at(winner), evening.table.player_at(3 - winner)

    def show(who: str, *slots: int, hand_no: int = 1, late_ms: int = 0) -> Step | Refusal:
        wanted = table_pb2.ShowCardsCommand(hand_no=hand_no, slots=slots)
        return evening.command(who, table_pb2.TableCommand(show_cards=wanted), late_ms=late_ms)

    assert not [d for d in evening.effects(CloseDeckEffect) if d.deck_no == 2]
    assert code(show(loser, 1)) == "ACTION_NOT_ALLOWED"
    assert code(show(player, 3)) == "BAD_SLOT"
    assert code(show(player)) == "BAD_SLOT"
    assert code(show(player, 1, hand_no=7)) == "NO_HAND"
    assert code(show(player, 1, late_ms=5_001)) == "TOO_LATE"
    step = show(player, 2, late_ms=5_000)
    assert names(step) == ["reveal_ordered"]
    assert isinstance(step, Step)
    assert step.hand_no == 1
    assert not evening.can_begin(), "the cards come before the next hand"
    (opening,) = due_of(evening, RevealEffect)
    assert isinstance(opening, RevealEffect)
    assert opening.reason == hand_events_pb2.REVEAL_REASON_OWNER_SHOWS
    evening.take_over()
    evening.settle(begin=False)
    assert names(evening.steps[-1]) == ["cards_revealed"]
    assert code(show(player, 2)) == "WRONG_CARDS"
    evening.pass_time(5_001)
    assert names(evening.steps[-1]) == ["showing_closed"]
    assert [d for d in evening.effects(CloseDeckEffect) if d.deck_no == 2]
    assert code(show(player, 1)) == "NO_HAND"


@pytest.mark.rule("SHW-3")
def test_showing_does_not_hold_the_next_hand_up() -> None:
    evening = heads_up()
    evening.act("fold")
    assert evening.can_begin()
    evening.settle()
    assert evening.table.hand_no == 2
    assert [d for d in evening.effects(CloseDeckEffect) if d.deck_no == 2]


@pytest.mark.rule("DLR-8")
def test_voiding_a_hand() -> None:
    evening = heads_up()
    void = Operation.VOID
    assert code(evening.operate(void, hand_no=1)) == "INVALID_FIELD"
    assert code(evening.operate(void, reason="x", hand_no=2)) == "UNKNOWN_HAND"
    evening.act("raise", 20)
    step = evening.operate(void, reason="fouled deck", hand_no=1)
    assert names(step) == ["hand_voided"]
    assert isinstance(step, Step)
    closed = evening.effects(CloseDeckEffect)
    assert closed[-1] == CloseDeckEffect(
        2, shuffler_pb2.DECK_STATE_VOID, "fouled deck", step.table_seq
    )
    assert code(evening.operate(void, reason="x", hand_no=1)) == "HAND_OVER"
    evening.do(BeginHandIn())
    assert due_of(evening, DeckEffect)
    assert code(evening.operate(void, reason="x", hand_no=2)) == "WRONG_STATE"


def test_pausing_and_resuming() -> None:
    evening = heads_up()
    assert names(evening.operate(Operation.PAUSE, reason="a fly")) == ["table_paused"]
    assert code(evening.operate(Operation.PAUSE)) == "WRONG_STATE"
    evening.fold_around()
    assert not evening.can_begin(), "the hand was played on, but no new one begins"
    assert names(evening.do(SettlementIn(paused=True))) == ["table_paused"]
    assert names(evening.operate(Operation.RESUME)) == ["table_resumed"]
    assert not evening.can_begin(), "one reason to pause is left"
    assert names(evening.do(SettlementIn(paused=False))) == ["table_resumed"]
    assert evening.can_begin()
    assert code(evening.operate(Operation.RESUME)) == "WRONG_STATE"


def test_closing_plays_the_hand_to_its_end_and_returns_all_stacks() -> None:
    evening = heads_up()
    evening.wallet_says_no = 1.0
    assert names(evening.operate(Operation.CLOSE)) == ["table_closing"]
    assert code(evening.operate(Operation.CLOSE)) == "TABLE_CLOSED"
    assert code(evening.sit("carl")) == "TABLE_CLOSED"
    evening.act("fold")
    last = names(evening.steps[-1])
    assert last[-3:] == ["seat_left", "seat_left", "table_closed"]
    assert evening.table.closed
    assert sum(gone.left_with for gone in evening.table.departed) == 400
    assert code(evening.sit("carl")) == "TABLE_CLOSED"
    assert code(evening.do(BeginHandIn())) == "TABLE_CLOSED"
    assert names(evening.do(TookOverIn("two"))) == ["owner_changed"]
    assert not evening.can_begin()


def test_closing_in_a_draw_waits_for_its_cards() -> None:
    evening = Evening(table_settings())
    evening.sit("ann", 1)
    evening.sit("bob", 2)
    evening.do(BeginHandIn())
    assert names(evening.operate(Operation.CLOSE)) == ["table_closing"]
    evening.settle()
    assert evening.table.closed
    assert "button_drawn" in names(evening.steps[-1])


def test_a_table_is_opened_once_and_nothing_is_done_before() -> None:
    table = Table("t1")
    refused = decide(table, BeginHandIn(), START_MS)
    assert isinstance(refused, Refusal)
    assert code(refused) == "UNKNOWN_TABLE"
    evening = heads_up()
    given = OpenTableIn("ops", "other", b"1" * 32, table_settings(), "one")
    assert code(evening.do(given)) == "TABLE_EXISTS"


@pytest.mark.parametrize("command_id", ["", "x" * 129, "a\n", "a b", "\u00e9"])
def test_command_ids(command_id: str) -> None:
    evening = heads_up()
    command = table_pb2.TableCommand(leave=table_pb2.LeaveCommand())
    given = CommandIn("ann", command_id, b"d" * 32, command, evening.now_ms, has_seal_key=True)
    assert code(evening.do(given)) == "BAD_COMMAND_ID"


def test_commands_that_are_for_the_stream() -> None:
    evening = heads_up()
    for name in ("attach", "ping"):
        command = table_pb2.TableCommand()
        getattr(command, name).SetInParent()
        assert code(evening.command("ann", command)) == "INVALID_FIELD"
    assert code(evening.command("ann", table_pb2.TableCommand())) == "INVALID_FIELD"


def test_without_a_sealing_key_no_seat() -> None:
    evening = heads_up()
    wanted = table_pb2.SitDownCommand(buy_in_minor=100, display_name="zoe")
    given = evening.command_in("zoe", table_pb2.TableCommand(sit_down=wanted))
    bare = CommandIn(
        given.sender, given.command_id, given.digest, given.command, evening.now_ms, False
    )
    assert code(evening.do(bare)) == "SEAL_KEY_MISSING"
