"""Every betting game at a table: who posts, who is dealt in, swaps, exchanges, reshuffles."""

import pytest

from floor_table.domain import (
    DealEffect,
    DeckEffect,
    DeckIn,
    Operation,
    Refusal,
    open_effects,
    public_events,
    snapshot,
    step_view,
)
from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.events.v1 import hand_events_pb2, table_events_pb2
from pokerfloor.api.events.v1.table_events_pb2 import HandBegan
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.api.table.v1 import table_pb2, view_pb2
from pokerfloor.api.table.v1.table_pb2 import VIEW_KIND_PLAYER, VIEW_KIND_SPECTATOR
from pokerfloor.cards import SHORT
from pokerfloor.games import Hand, WaitAction
from pokerfloor.games.state import HandState
from tests.support.audience import audience_of
from tests.support.evening import Evening, code, names
from tests.support.game_tables import GAME_TABLES, game_table, stud_table


def table_of(game: str | settings_pb2.TableSettings, *players: int, buy_in: int = 200) -> Evening:
    """Return a table of a game with a hand in play among p1, p2, ..."""
    settings = GAME_TABLES[game]() if isinstance(game, str) else game
    evening = Evening(settings)
    for number in players or (1, 2, 3):
        evening.sit(f"p{number}", number, buy_in)
    evening.settle()
    return evening


def hand(evening: Evening) -> HandState:
    playing = evening.table.playing
    assert isinstance(playing, Hand)
    return playing.state


def opened(evening: Evening) -> HandBegan:
    record = evening.table.record
    assert record is not None
    return record.began


def posted(evening: Evening) -> list[tuple[int, str, int]]:
    kind = hand_events_pb2.ForcedBetKind.Name
    return [
        (bet.seat, kind(bet.kind).removeprefix("FORCED_BET_KIND_").lower(), bet.amount.minor)
        for bet in opened(evening).forced_bets
    ]


def next_hand(evening: Evening) -> None:
    while evening.wait() is not None:  # all but one give up
        evening.act("fold")
        evening.settle(begin=False)
    evening.pass_time(6_000)
    evening.settle()


def turn(evening: Evening) -> WaitAction:
    wait = evening.wait()
    assert wait is not None
    return wait


def your_turn(evening: Evening, player: str) -> view_pb2.YourTurn:
    audience = audience_of(VIEW_KIND_PLAYER, player, evening.table)
    return snapshot(evening.table, audience).table.hand.your_turn


# --- who posts, who is dealt in


@pytest.mark.rule("SHD-2", "SHD-3")
def test_short_deck_has_antes_and_a_blind_by_the_button() -> None:
    evening = table_of("short_deck")
    button = opened(evening).button
    ring = [seat % 3 + 1 for seat in (button, button + 1, button + 2)]
    antes = [(seat, "ante", 2) for seat in ring]
    assert posted(evening) == [*antes, (button, "big_blind", 2)]
    assert turn(evening).seat == ring[0], "left of the button, which is last"
    assert len(evening.deck(opened(evening).deck_no)) == len(SHORT.cards)
    heads_up = table_of("short_deck", 1, 2)
    assert turn(heads_up).seat != opened(heads_up).button


@pytest.mark.rule("SHD-2")
def test_short_deck_with_antes_only() -> None:
    evening = table_of("short_deck_antes")
    assert {kind for _, kind, _ in posted(evening)} == {"ante"}
    legal = turn(evening).legal
    assert (legal.can_check, legal.bet_min) == (True, 2)


@pytest.mark.rule("SHD-2", "TBL-15")
@pytest.mark.parametrize("game", ["short_deck", "stud7", "draw5_antes", "mata_ases"])
def test_where_there_are_no_blinds_a_newcomer_is_dealt_in_with_the_ante(game: str) -> None:
    evening = table_of(game)
    evening.sit("p5", 5)
    evening.sit_out("p3")
    next_hand(evening)
    assert [one.seat for one in opened(evening).seats] == [1, 2, 5]
    assert (5, "ante") in [(seat, kind) for seat, kind, _ in posted(evening)]
    evening.sit_in("p3")
    next_hand(evening)
    assert [one.seat for one in opened(evening).seats] == [1, 2, 3, 5]
    assert "post" not in {kind for _, kind, _ in posted(evening)}


@pytest.mark.rule("TBL-11")
@pytest.mark.parametrize("game", ["short_deck", "stud7"])
def test_where_there_are_no_blinds_the_button_goes_round(game: str) -> None:
    evening = table_of(game)
    buttons = []
    for _ in range(6):
        buttons.append(opened(evening).button)
        next_hand(evening)
    assert buttons[3:] == buttons[:3]
    assert sorted(buttons[:3]) == [1, 2, 3]


@pytest.mark.rule("TBL-17")
def test_where_there_are_no_blinds_misses_are_counted_by_the_button() -> None:
    evening = table_of("stud7", 1, 2, 3, 4)
    gone = next(seat for seat in (1, 2, 3, 4) if seat != opened(evening).button)
    evening.sit_out(f"p{gone}")
    missed = []
    for _ in range(12):
        next_hand(evening)
        seat = evening.table.seats.get(gone)
        missed.append(seat.big_missed if seat else -1)
        if seat is None:
            break
    assert missed[-1] == -1, "removed from the seat"
    assert max(missed) == 2, "with the third time"
    left = [event.seat_left for step in evening.steps for event in step.events]
    assert [one.reason for one in left if one.seat == gone] == [
        table_events_pb2.LEAVE_REASON_MISSED_BLINDS
    ]


@pytest.mark.rule("STD-1", "STD-2", "STD-3")
def test_stud_opens_by_the_up_cards() -> None:
    evening = table_of("stud7", 1, 2, 3, 4)
    begun = [step for step in evening.steps if "deck_committed" in names(step)][-1]
    assert names(begun)[-2:] == ["places_dealt", "reveal_ordered"]
    due = begun.events[-1].hand.reveal_ordered
    assert due.reason == hand_events_pb2.REVEAL_REASON_UP_CARD
    assert [place.slot for place in due.places] == [3] * 4
    up = [step for step in evening.steps if "cards_revealed" in names(step)][-1]
    kinds = names(up)
    assert kinds[0] == "cards_revealed"
    assert {"forced_bet_posted", "opener_announced", "turn_began", "clock_set"} <= set(kinds)
    bring_in = next(
        e.hand.forced_bet_posted for e in up.events if e.hand.HasField("forced_bet_posted")
    )
    assert (bring_in.kind, bring_in.amount.minor) == (hand_events_pb2.FORCED_BET_KIND_BRING_IN, 1)
    state = hand(evening)
    worst = min(state.seats, key=lambda seat: state.up_cards(state.index_of[seat])[0])
    assert bring_in.seat == worst
    spectator = audience_of(VIEW_KIND_SPECTATOR, "", evening.table)
    view = snapshot(evening.table, spectator).table.hand
    assert [card.place.slot for card in view.revealed_cards] == [3] * 4


@pytest.mark.rule("STD-6")
def test_the_common_card_lies_in_the_middle_for_all_to_see() -> None:
    evening = table_of(stud_table("stud7"), *range(1, 9))
    while evening.table.playing is not None:
        wait = evening.wait()
        if wait is not None:
            evening.act("check" if wait.legal.can_check else "call")
        evening.settle(begin=False)
    turned = [
        card
        for step in evening.steps
        for event in step.events
        for card in event.hand.cards_revealed.cards
        if card.place.kind == cards_pb2.PLACE_KIND_COMMUNITY
    ]
    assert [(card.place.owner, card.place.slot) for card in turned] == [(0, 1)]
    shown = [
        e.hand.hand_shown for s in evening.steps for e in s.events if e.hand.HasField("hand_shown")
    ]
    assert {len(one.cards) for one in shown} == {6}, "and the common one"


# --- swaps


@pytest.mark.rule("SWP-1", "SWP-3")
def test_a_swap_comes_before_acting_and_everybody_sees_which() -> None:
    evening = table_of("swap_holdem")
    wait = turn(evening)
    player = f"p{wait.seat}"
    view = your_turn(evening, player)
    assert list(view.choices) == [view_pb2.CHOICE_KIND_SWAP]
    assert (view.swap.least, view.swap.most, list(view.swap.slots)) == (1, 2, [1, 2])
    before = evening.table.clock
    step = evening.swap(2)
    assert isinstance(step, Step)
    assert names(step) == ["cards_swapped", "places_dealt"], "the same turn, the same clock"
    assert evening.table.clock == before
    assert list(step.events[0].hand.cards_swapped.slots) == [2]
    spectator = audience_of(VIEW_KIND_SPECTATOR, "", evening.table)
    assert [*step_view(step, evening.table, spectator).events] == [*step.events]
    assert not your_turn(evening, player).HasField("swap"), "once a hand"
    assert your_turn(evening, player).legal.can_fold
    assert DealEffect(opened(evening).deck_no, step.table_seq) in open_effects(evening.table)
    assert code(evening.swap(1)) == "ACTION_NOT_ALLOWED"
    assert evening.act("call")
    others = snapshot(evening.table, spectator).table.hand.seats
    mine = next(seat for seat in others if seat.seat == wait.seat)
    assert [place.slot for place in mine.places] == [1, 3]
    assert mine.cards_changed == 1


@pytest.mark.rule("SWP-1")
def test_what_is_no_swap() -> None:
    evening = table_of("swap_holdem")
    assert code(evening.swap(3)) == "BAD_SLOT"
    assert code(evening.swap(1, 1)) == "BAD_SLOT"
    assert code(evening.swap()) == "BAD_SLOT"
    assert code(evening.swap(1, late_ms=60_001)) == "TOO_LATE"
    plain = Evening(game_table("holdem"))
    plain.sit("p1", 1)
    plain.sit("p2", 2)
    plain.settle()
    assert code(plain.swap(1)) == "ACTION_NOT_ALLOWED"


# --- exchanges


def at_the_draw(evening: Evening) -> None:
    """Call around until somebody is to exchange."""
    while evening.exchanging() is None:
        wait = turn(evening)
        evening.act("check" if wait.legal.can_check else "call")
        evening.settle(begin=False)


@pytest.mark.rule("DRW-3", "DRW-4")
def test_all_see_how_many_are_exchanged_and_only_the_owner_which() -> None:
    evening = table_of("draw5")
    at_the_draw(evening)
    wait = evening.exchanging()
    assert wait is not None
    owner = f"p{wait.seat}"
    view = your_turn(evening, owner)
    assert list(view.choices) == [view_pb2.CHOICE_KIND_DISCARD]
    assert not view.HasField("legal")
    assert (view.discard.least, view.discard.most) == (0, 5)
    assert list(view.discard.slots) == [1, 2, 3, 4, 5]
    step = evening.exchange(2, 5)
    assert isinstance(step, Step)
    assert names(step) == ["cards_drawn", "places_dealt", "turn_began", "clock_set"]
    for kind, name, slots in (
        (VIEW_KIND_PLAYER, owner, [2, 5]),
        (VIEW_KIND_PLAYER, f"p{wait.seat % 3 + 1}", []),
        (VIEW_KIND_SPECTATOR, "", []),
    ):
        seen = step_view(step, evening.table, audience_of(kind, name, evening.table)).events[0]
        exchanged = seen.hand.cards_drawn
        assert (exchanged.count, list(exchanged.discarded_slots)) == (2, slots)
    (public, *_) = [event for _, event in public_events(step)]
    assert not public.event.hand.cards_drawn.discarded_slots
    assert step.events[0].hand.cards_drawn.discarded_slots, "the log keeps them"


@pytest.mark.rule("DRW-4")
def test_what_is_no_exchange() -> None:
    evening = table_of("draw5_options")
    at_the_draw(evening)
    assert code(evening.exchange(1, 2, 3, 4, 5)) == "BAD_SLOT", "at most four by this option"
    assert code(evening.exchange(6)) == "BAD_SLOT"
    assert code(evening.exchange(1, 1)) == "BAD_SLOT"
    assert code(evening.exchange(1, late_ms=60_001)) == "TOO_LATE"
    before = evening.table.digest()
    wait = evening.exchanging()
    assert wait is not None
    other = evening.table.player_at(wait.seat % 3 + 1)
    given = evening.command_in(other, _exchange_of(evening, wait.turn_no))
    assert code(evening.do(given)) == "NOT_YOUR_TURN"
    stale = evening.command_in(f"p{wait.seat}", _exchange_of(evening, wait.turn_no - 1))
    assert code(evening.do(stale)) == "STALE_TURN"
    assert evening.table.digest() == before
    assert not isinstance(evening.exchange(), Refusal), "stand pat"


def _exchange_of(evening: Evening, turn_no: int) -> table_pb2.TableCommand:
    wanted = table_pb2.DiscardCommand(hand_no=evening.table.hand_no, turn_no=turn_no)
    return table_pb2.TableCommand(discard=wanted)


@pytest.mark.rule("CLK-2")
def test_without_an_answer_all_cards_are_kept() -> None:
    evening = table_of("draw5")
    at_the_draw(evening)
    wait = evening.exchanging()
    assert wait is not None
    evening.pass_time(20_001)
    assert evening.exchanging() == wait, "the time bank runs"
    evening.pass_time(30_000)
    step = next(s for s in reversed(evening.steps) if "cards_drawn" in names(s))
    assert names(step)[:4] == ["time_bank_changed", "time_ran_out", "sat_out", "cards_drawn"]
    exchanged = step.events[3].hand.cards_drawn
    assert (exchanged.seat, exchanged.count) == (wait.seat, 0)


@pytest.mark.rule("CLK-2")
def test_where_a_card_must_go_the_first_one_goes_without_an_answer() -> None:
    evening = table_of("pineapple")
    at_the_draw(evening)
    evening.pass_time(50_002)
    step = next(s for s in reversed(evening.steps) if "cards_drawn" in names(s))
    exchanged = next(e.hand.cards_drawn for e in step.events if e.hand.HasField("cards_drawn"))
    assert list(exchanged.discarded_slots) == [1]


# --- the deck shuffled in mid-hand


def exhausted() -> tuple[Evening, Step]:
    """Return a draw hand at the moment when the deck has run out, and the step that said so."""
    evening = table_of(game_table("draw27_triple", structure=1), *range(1, 7))
    for _ in range(200):
        if evening.exchanging() is not None:
            step = evening.exchange(*[p.slot for p in evening.exchanging().places])  # type: ignore[union-attr]  # just seen
            assert isinstance(step, Step)
            if "deck_reshuffled" in names(step):
                return evening, step
        else:
            wait = turn(evening)
            evening.act("check" if wait.legal.can_check else "call")
        evening.settle(begin=False)
    raise AssertionError("the deck never runs out")


@pytest.mark.rule("DRW-5")
def test_a_reshuffle_is_a_generation_of_its_own_and_nobody_is_asked_before_its_root() -> None:
    evening, step = exhausted()
    table = evening.table
    assert table.shuffling == 1
    assert table.clock is None, "no clock runs for the house's shuffling"
    assert not your_turn(evening, table.player_at(hand(evening).seats[hand(evening).turn])).turn_no
    decks = [due for due in open_effects(table) if isinstance(due, DeckEffect)]
    assert len(decks) == 1
    due = decks[0]
    reshuffled = next(
        e.hand.deck_reshuffled for e in step.events if e.hand.HasField("deck_reshuffled")
    )
    assert (due.generation, due.cause_seq) == (1, step.table_seq)
    assert [*due.reshuffled] == [*reshuffled.places]
    assert DealEffect(due.deck_no, step.table_seq) not in open_effects(table), (
        "not before the root is known"
    )
    for wrong in (
        DeckIn(due.deck_no, 0, b"r" * 32, 52),
        DeckIn(due.deck_no, 2, b"r" * 32, 5),
        DeckIn(due.deck_no, 1, b"r" * 31, 5),
        DeckIn(due.deck_no + 1, 1, b"r" * 32, 5),
    ):
        assert isinstance(evening.do(wrong), Refusal)
    for player in ("p1", "p2", "p3"):
        seat = evening.seat_no(player)
        given = evening.command_in(player, _exchange_of(evening, hand(evening).turn_no))
        assert code(evening.do(given)) == "UNEXPECTED_INPUT", seat
    root = evening.answer_to(due)
    assert root is not None
    committed = evening.do(root)
    assert names(committed) == ["deck_committed", "clock_set"]
    assert isinstance(committed, Step)
    assert committed.events[0].deck_committed.generation == 1
    assert DealEffect(due.deck_no, step.table_seq) in open_effects(evening.table)
    view = snapshot(evening.table, audience_of(VIEW_KIND_SPECTATOR, "", evening.table)).table.hand
    assert len(view.later_roots) == 1
    evening.take_over()
    assert evening.table.shuffling == 0


@pytest.mark.rule("DRW-5")
def test_a_table_that_stops_while_it_shuffles_goes_on_with_that() -> None:
    evening, _ = exhausted()
    evening.take_over()
    assert evening.table.shuffling == 1
    evening.settle(begin=False)
    assert evening.exchanging() is not None or evening.wait() is not None
    assert evening.table.clock is not None


def test_a_hand_can_be_voided_while_its_deck_is_shuffled() -> None:
    evening, _ = exhausted()
    stacks = {seat.player_id: seat.stack for seat in evening.table.by_number()}
    evening.operate(Operation.VOID, reason="fouled deck", hand_no=evening.table.hand_no)
    assert not evening.effects(DeckEffect)
    assert {s.player_id: s.stack for s in evening.table.by_number()} == stacks


@pytest.mark.rule("DRW-3")
def test_a_hand_that_all_have_checked_is_dealt_again() -> None:
    evening = table_of("draw5_antes")
    first = opened(evening).button
    deals = len(hand(evening).cards.places)
    for _ in range(3):
        evening.act("check")
    step = evening.steps[-1]
    assert {"hand_redealt", "deck_reshuffled", "forced_bet_posted"} <= set(names(step))
    redealt = next(e.hand.hand_redealt for e in step.events if e.hand.HasField("hand_redealt"))
    assert (redealt.pot.minor, redealt.button != first) == (3, True)
    evening.settle(begin=False)
    assert opened(evening).hand_no == evening.table.hand_no == 1, "the same hand"
    spectator = audience_of(VIEW_KIND_SPECTATOR, "", evening.table)
    view = snapshot(evening.table, spectator).table
    assert view.button == redealt.button
    assert [len(seat.places) for seat in view.hand.seats] == [5, 5, 5]
    assert [seat.cards_changed for seat in view.hand.seats] == [0, 0, 0]
    assert len(hand(evening).cards.places) > deals
    assert sum(pot.amount for pot in hand(evening).pots) + sum(hand(evening).antes) >= 6
    next_hand(evening)
    assert opened(evening).button != redealt.button, "the next hand's button follows from there"


# --- two boards, high and low


@pytest.mark.rule("DBL-1", "ODD-2", "LOW-3")
def test_two_boards_and_two_halves_are_paid_apart() -> None:
    evening = table_of("omaha5_hilo_double", 1, 2)
    while evening.table.playing is not None:
        wait = evening.wait()
        if wait is not None:
            evening.act("check" if wait.legal.can_check else "call")
        evening.settle(begin=False)
    last = next(s for s in reversed(evening.steps) if "hand_shown" in names(s))
    shown = [e.hand.hand_shown for e in last.events if e.hand.HasField("hand_shown")]
    for one in shown:
        assert [(rank.board, rank.half) for rank in one.ranks] == [(0, 1), (0, 2), (1, 1), (1, 2)]
    awards = [e.hand.pot_awarded for e in last.events if e.hand.HasField("pot_awarded")]
    assert {award.board for award in awards} == {0, 1}
    assert sum(award.amount.minor for award in awards) == 4


def test_the_deck_is_the_game_s() -> None:
    for game, cards in (("draw5", 54), ("draw5_options", 53), ("short_deck", 36), ("razz", 52)):
        evening = table_of(game, 1, 2)
        assert len(evening.deck(opened(evening).deck_no)) == cards
