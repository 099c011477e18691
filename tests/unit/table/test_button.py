"""The button and the forced bets at a table (TBL-10 to TBL-16)."""

import pytest

from floor_table.domain import (
    BeginHandIn,
    CardsIn,
    DeckEffect,
    DeckIn,
    Operation,
    RevealEffect,
    next_hand_at,
)
from floor_table.domain.button import Candidate, Plan, plan_hand
from floor_table.domain.parts import LastHand
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.events.v1.table_events_pb2 import HandBegan
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.api.shuffler.v1 import shuffler_pb2
from pokerfloor.cards import STANDARD, parse_cards
from pokerfloor.tablelog import from_place
from tests.support.evening import Evening, code, minor, names, table_settings


def drawn(text: str) -> Evening:
    """Return a table whose first deck, of the draw, begins with these cards."""

    def deck_of(deck_no: int) -> tuple[int, ...]:
        first = parse_cards(text) if deck_no == 1 else ()
        return (*first, *[card for card in STANDARD.cards if card not in first])

    return Evening(table_settings(seats=9), deck_of=deck_of)


def seat(evening: Evening, *seats: int, buy_in: int = 200) -> None:
    for number in seats:
        evening.sit(f"p{number}", number, buy_in)


def hand(evening: Evening) -> HandBegan:
    """Begin the next hand and return how it was opened."""
    evening.settle()
    record = evening.table.record
    assert record is not None
    assert evening.table.hand_no
    return record.began


def posted(opened: HandBegan) -> list[tuple[int, str, int]]:
    return [
        (
            bet.seat,
            hand_events_pb2.ForcedBetKind.Name(bet.kind).removeprefix("FORCED_BET_KIND_").lower(),
            bet.amount.minor,
        )
        for bet in opened.forced_bets
    ]


def dealt(opened: HandBegan) -> list[int]:
    return [one.seat for one in opened.seats]


@pytest.mark.rule("TBL-10")
def test_the_first_button_is_drawn_before_the_first_hand() -> None:
    evening = drawn("KdKh2c")
    seat(evening, 2, 5, 7)
    step = evening.do(BeginHandIn())
    assert names(step) == ["button_draw_began", "places_dealt", "reveal_ordered"]
    (deck,) = evening.effects(DeckEffect)
    assert (deck.deck_no, deck.hand_no) == (1, 0)
    assert deck.purpose == shuffler_pb2.DECK_PURPOSE_BUTTON_DRAW
    assert names(evening.do(DeckIn(1, 0, b"r" * 32, 52))) == ["deck_committed"]
    (opening,) = evening.effects(RevealEffect)
    assert opening.cause_seq == deck.cause_seq
    assert [place.owner for place in opening.places] == [2, 5, 7]
    evening.settle(begin=False)
    assert evening.table.last.button == 5, "the king of hearts beats the king of diamonds"
    opened = hand(evening)
    assert (opened.hand_no, opened.deck_no, opened.button) == (1, 2, 5)
    assert posted(opened) == [(7, "small_blind", 1), (2, "big_blind", 2)]


@pytest.mark.rule("TBL-10")
def test_the_draw_goes_by_rank_before_suit() -> None:
    evening = drawn("QsKc")
    seat(evening, 1, 2)
    evening.settle()
    assert evening.table.last.button == 2


@pytest.mark.rule("TBL-10")
def test_cards_that_are_not_those_of_the_draw_are_refused() -> None:
    evening = drawn("KdKh2c")
    seat(evening, 2, 5)
    evening.do(BeginHandIn())
    evening.do(DeckIn(1, 0, b"r" * 32, 52))
    (opening,) = evening.effects(RevealEffect)
    cards = [evening.opened(1, place) for place in opening.places]
    for wrong in ([], cards[:1], cards[::-1], [cards[0], cards[0]]):
        assert code(evening.do(CardsIn(1, wrong))) == "WRONG_CARDS"
    assert code(evening.do(CardsIn(2, cards))) == "UNEXPECTED_INPUT"
    assert code(evening.do(BeginHandIn())) == "WRONG_STATE"


@pytest.mark.rule("TBL-6")
def test_two_ready_seats_make_a_hand() -> None:
    evening = drawn("KdKh")
    evening.keys_missing.add("p2")
    seat(evening, 1, 2)
    assert not evening.can_begin()
    assert code(evening.do(BeginHandIn())) == "WRONG_STATE"
    evening.keys_missing.clear()
    evening.settle(begin=False)
    assert evening.can_begin()
    evening.sit_out("p2")
    assert not evening.can_begin()


@pytest.mark.rule("TBL-6")
def test_the_pause_between_hands() -> None:
    settings = table_settings(between_hands_ms=3_000)
    evening = Evening(settings)
    seat(evening, 1, 2)
    evening.settle()
    evening.fold_around()
    begins_at_ms = next_hand_at(evening.table)
    assert begins_at_ms == evening.now_ms + 3_000
    assert code(evening.do(BeginHandIn())) == "WRONG_STATE"
    evening.now_ms += 3_000
    assert names(evening.do(BeginHandIn())) == ["hand_began"]


@pytest.mark.rule("TBL-11", "TBL-13")
def test_the_button_and_the_blinds_go_round() -> None:
    evening = drawn("Kd2c3c")
    seat(evening, 1, 4, 6)
    rounds = []
    for _ in range(4):
        opened = hand(evening)
        rounds.append((opened.button, *[bet[0] for bet in posted(opened)]))
        evening.fold_around()
    assert rounds == [(1, 4, 6), (4, 6, 1), (6, 1, 4), (1, 4, 6)]


@pytest.mark.rule("TBL-12")
def test_heads_up_the_button_posts_the_small_blind_and_acts_first() -> None:
    evening = drawn("Kd2c")
    seat(evening, 1, 2)
    opened = hand(evening)
    assert opened.button == 1
    assert posted(opened) == [(1, "small_blind", 1), (2, "big_blind", 2)]
    wait = evening.wait()
    assert wait is not None
    assert wait.seat == 1
    evening.act("call")
    evening.act("check")
    evening.settle(begin=False)
    wait = evening.wait()
    assert wait is not None
    assert wait.seat == 2, "after the flop the button acts last"


@pytest.mark.rule("TBL-11")
def test_two_become_three() -> None:
    for newcomer, expected in ((3, (2, 1, 3)), (7, (1, 5, 7))):
        evening = drawn("Kd2c")
        seat(evening, 1, 5)
        assert hand(evening).button == 1
        seat(evening, newcomer)
        evening.fold_around()
        opened = hand(evening)
        small, big = [bet[0] for bet in posted(opened)]
        assert big == newcomer, "the newcomer is dealt in as big blind"
        assert {small, opened.button} == {1, 5}
        if newcomer == 7:
            assert (opened.button, small, big) == expected


@pytest.mark.rule("TBL-11")
def test_when_the_big_blind_would_fall_on_the_same_seat_all_move_on() -> None:
    evening = drawn("Kd2c3c")
    seat(evening, 1, 2, 3)
    assert posted(hand(evening))[1][0] == 3
    evening.leave("p1")  # the button is gone: heads-up seat 3 would post again
    evening.fold_around()
    opened = hand(evening)
    assert (opened.button, posted(opened)[0][0], posted(opened)[1][0]) == (3, 3, 2)


@pytest.mark.rule("TBL-10", "TBL-11")
def test_with_fewer_than_two_left_the_button_is_drawn_again() -> None:
    evening = drawn("Kd2c")
    seat(evening, 1, 2)
    hand(evening)
    evening.leave("p1")
    seat(evening, 5)
    evening.fold_around()
    step = evening.do(BeginHandIn())
    assert names(step)[0] == "button_draw_began"
    evening.settle(begin=False)
    opened = hand(evening)
    assert dealt(opened) == [2, 5]
    assert not [bet for bet in posted(opened) if bet[1] == "post"]


def candidates(text: str) -> list[Candidate]:
    """Read "1 2 3w 4p": seats, those waiting for the big blind, those posting."""
    return [
        Candidate(
            int(word.rstrip("wpr")), f"p{word.rstrip('wpr')}", word[-1] in "wp", word[-1] == "p"
        )
        for word in text.split()
    ]


def last(button: int, small: int, big: int, seats: str) -> LastHand:
    dealt_in = tuple((int(number), f"p{number}") for number in seats.split())
    return LastHand(button, small, big, f"p{big}", dealt_in)


@pytest.mark.rule("TBL-11", "TBL-15", "TBL-16")
@pytest.mark.parametrize(
    ("who", "before", "plan"),
    [
        # A player waiting for the big blind counts when it falls on that seat.
        ("1 2 3 5w", last(1, 2, 3, "1 2 3"), Plan((1, 2, 3, 5), 2, 3, 5, ())),
        # Waiting elsewhere, it waits on.
        ("1 2w 3 5", last(1, 3, 5, "1 3 5"), Plan((1, 3, 5), 3, 5, 1, ())),
        # Posting, it is in at once, from the left of the big blind.
        ("1 2p 3 5", last(1, 3, 5, "1 3 5"), Plan((1, 2, 3, 5), 3, 5, 1, (2,))),
        # A poster on whom the big blind falls posts that, and nothing else.
        ("1 2 3 5p", last(1, 2, 3, "1 2 3"), Plan((1, 2, 3, 5), 2, 3, 5, ())),
        # Nobody enters by posting between the button and the big blind.
        ("1 2 3p 4 6", last(1, 2, 4, "1 2 4 6"), Plan((1, 2, 4, 6), 2, 4, 6, ())),
        ("1 2 4 5p 6", last(1, 2, 4, "1 2 4 6"), Plan((1, 2, 4, 5, 6), 2, 4, 5, ())),
        # Back after a hand without a blind missed: in for nothing, but it moves no button.
        ("1r 2 3 4 5", last(3, 4, 5, "2 3 4 5"), Plan((1, 2, 3, 4, 5), 4, 5, 1, ())),
        ("1 2r 3 4 5", last(3, 4, 5, "1 3 4 5"), Plan((1, 2, 3, 4, 5), 4, 5, 1, ())),
        # The small blind has gone: the button moves to the next that was there.
        ("1 3 4", last(1, 2, 3, "1 2 3 4"), Plan((1, 3, 4), 3, 4, 1, ())),
        # The big blind has gone: the next two post, and nobody twice.
        ("1 2 4", last(1, 2, 3, "1 2 3 4"), Plan((1, 2, 4), 2, 4, 1, ())),
        # Two become three, the newcomer on either side.
        ("1 4w 5", last(1, 1, 5, "1 5"), Plan((1, 4, 5), 5, 1, 4, ())),
        ("1 5 7p", last(1, 1, 5, "1 5"), Plan((1, 5, 7), 1, 5, 7, ())),
        # Two become four: one is the big blind, the other may post or waits.
        ("1 5 7w 8p", last(1, 1, 5, "1 5"), Plan((1, 5, 7, 8), 1, 5, 7, (8,))),
        ("1 3w 5 7p", last(1, 1, 5, "1 5"), Plan((1, 3, 5), 5, 1, 3, ())),
        # Heads-up after others have gone; the big blind never stays.
        ("2 3", last(1, 2, 3, "1 2 3"), Plan((2, 3), 3, 3, 2, ())),
        ("1 3", last(1, 2, 3, "1 2 3"), Plan((1, 3), 3, 3, 1, ())),
        # Fewer than two from the last hand: draw.
        ("1 5w 6p", last(1, 2, 3, "1 2 3"), None),
    ],
)
def test_where_the_button_goes(who: str, before: LastHand, plan: Plan | None) -> None:
    assert plan_hand(candidates(who), before) == plan


@pytest.mark.rule("TBL-11")
def test_the_same_player_does_not_post_again_from_another_seat() -> None:
    # p3 posted the big blind, left and sits down again at seat 5.
    before = last(1, 2, 3, "1 2 3")
    back = [*candidates("1 2"), Candidate(5, "p3", entering=True, post=True)]
    assert plan_hand(back, before) == Plan((1, 2), 2, 2, 1, ())
    drawn_again = before._replace(button=1, dealt=(), drawn=True)
    two = [Candidate(1, "p1", entering=False, post=False), back[-1]]
    assert plan_hand(two, drawn_again) == Plan((1, 5), 5, 5, 1, ())


@pytest.mark.rule("TBL-15")
def test_a_newcomer_posts_live_and_is_dealt_in() -> None:
    evening = drawn("Kd2c3c")
    seat(evening, 1, 3, 5)
    hand(evening)
    evening.sit("late", 2, 200, post=True)
    assert 2 not in dealt(evening.table.record.began), "never in a hand that is running"  # type: ignore[union-attr]  # a hand is open
    evening.fold_around()
    opened = hand(evening)
    assert (opened.button, dealt(opened)) == (3, [1, 2, 3, 5])
    assert posted(opened) == [(5, "small_blind", 1), (1, "big_blind", 2), (2, "post", 2)]
    wait = evening.wait()
    assert wait is not None
    assert (wait.seat, wait.legal.can_check) == (2, True), "the post is its bet"


@pytest.mark.rule("TBL-16")
@pytest.mark.parametrize("dead_small", [False, True])
def test_coming_back_after_missed_blinds(*, dead_small: bool) -> None:
    settings = table_settings(seats=9)
    if dead_small:
        settings.seating.missed_blinds = settings_pb2.MISSED_BLINDS_RULE_BIG_AND_DEAD_SMALL
    first = parse_cards("Kd2c3c4c")
    rest = [card for card in STANDARD.cards if card not in first]
    evening = Evening(settings, deck_of=lambda _: (*first, *rest))
    seat(evening, 1, 2, 3, 4)
    hand(evening)  # button 1, blinds 2 and 3
    evening.sit_out("p4")
    evening.fold_around()
    hand(evening)  # button 2, blinds 3 and 1: the big blind passes seat 4
    evening.fold_around()
    assert evening.table.seats[4].big_missed == 1
    hand(evening)  # button 3, blinds 1 and 2: the small blind passes it as well
    evening.sit_in("p4", post=True)
    evening.fold_around()
    missed = evening.table.seats[4]
    assert (missed.big_missed, missed.small_missed) == (1, True)
    opened = hand(evening)  # button 1, blinds 2 and 3
    assert opened.button == 1
    extra = [bet for bet in posted(opened) if bet[0] == 4]
    assert extra == [(4, "post", 2), (4, "dead_small", 1)][: 1 + dead_small]
    evening.fold_around()
    assert not evening.table.seats[4].entering


@pytest.mark.rule("TBL-16")
def test_a_small_blind_that_was_not_missed_is_not_owed() -> None:
    settings = table_settings(seats=9)
    settings.seating.missed_blinds = settings_pb2.MISSED_BLINDS_RULE_BIG_AND_DEAD_SMALL
    first = parse_cards("Kd2c3c4c")
    rest = [card for card in STANDARD.cards if card not in first]
    evening = Evening(settings, deck_of=lambda _: (*first, *rest))
    seat(evening, 1, 2, 3, 4)
    hand(evening)  # button 1, blinds 2 and 3
    evening.sit_out("p4")
    evening.fold_around()
    hand(evening)  # button 2, blinds 3 and 1: the big blind passes seat 4
    evening.sit_in("p4", post=True)
    evening.fold_around()
    opened = hand(evening)  # button 3, blinds 1 and 2: nobody enters in between
    assert dealt(opened) == [1, 2, 3]
    evening.fold_around()
    opened = hand(evening)  # button 1, blinds 2 and 3
    assert [bet for bet in posted(opened) if bet[0] == 4] == [(4, "post", 2)]


@pytest.mark.rule("TBL-16")
def test_missing_only_the_small_blind_costs_one_big_blind() -> None:
    evening = drawn("Kd2c3c4c")
    seat(evening, 1, 2, 3, 4)
    hand(evening)  # button 1, blinds 2 and 3
    evening.sit_out("p3")
    evening.fold_around()
    hand(evening)  # seat 3 would have been the small blind: button 2, blinds 4 and 1
    evening.sit_in("p3", post=True)
    evening.fold_around()
    back = evening.table.seats[3]
    assert (back.big_missed, back.small_missed) == (0, True)
    opened = hand(evening)  # button 4, blinds 1 and 2
    assert [bet for bet in posted(opened) if bet[0] == 3] == [(3, "post", 2)]


@pytest.mark.rule("TBL-13", "TBL-14")
def test_antes() -> None:
    for kind, expected in (
        (settings_pb2.ANTE_KIND_EVERYONE, [(2, "ante", 1), (3, "ante", 1), (1, "ante", 1)]),
        (settings_pb2.ANTE_KIND_BIG_BLIND, [(3, "ante_for_all", 1)]),
    ):
        settings = table_settings()
        settings.game.ante.kind = kind
        settings.game.ante.amount.CopyFrom(minor(1))
        first = parse_cards("Kd2c3c")
        rest = [card for card in STANDARD.cards if card not in first]
        evening = Evening(settings, deck_of=lambda _, deck=(*first, *rest): deck)  # type: ignore[misc]  # bound on purpose
        seat(evening, 1, 2, 3)
        assert posted(hand(evening))[:-2] == expected


@pytest.mark.rule("TBL-11")
def test_a_void_hand_counts_for_nothing() -> None:
    evening = drawn("Kd2c3c")
    seat(evening, 1, 2, 3)
    first = hand(evening)
    evening.act("raise", 10)
    step = evening.operate(Operation.VOID, reason="fouled deck", hand_no=1)
    assert names(step) == ["hand_voided"]
    assert [held.stack for held in evening.table.by_number()] == [200, 200, 200]
    again = hand(evening)
    assert (again.button, posted(again)) == (first.button, posted(first))
    assert again.deck_no == first.deck_no + 1


@pytest.mark.rule("TBL-11")
def test_after_a_bust_nobody_pays_the_big_blind_twice() -> None:
    # Seat 1 goes out in the first hand, as the button.
    def deck_of(deck_no: int) -> tuple[int, ...]:
        text = "Kd2c3c" if deck_no == 1 else "AsKs2dAhKh3d4s9hTsJd5h6c6d8s"
        first = parse_cards(text)
        return (*first, *[card for card in STANDARD.cards if card not in first])

    evening = Evening(table_settings(), deck_of=deck_of)
    seat(evening, 1, buy_in=40)
    seat(evening, 2, 3)
    assert posted(hand(evening)) == [(2, "small_blind", 1), (3, "big_blind", 2)]
    evening.act("all_in")
    evening.act("call")
    evening.act("fold")
    evening.settle(begin=False)
    assert evening.table.seats[1].stack == 0
    opened = hand(evening)
    assert dealt(opened) == [2, 3]
    assert posted(opened) == [(3, "small_blind", 1), (2, "big_blind", 2)]


def test_places_of_a_draw_are_no_places_of_a_hand() -> None:
    evening = drawn("KdKh")
    seat(evening, 1, 2)
    evening.do(BeginHandIn())
    evening.do(DeckIn(1, 0, b"r" * 32, 52))
    (opening,) = evening.effects(RevealEffect)
    with pytest.raises(ValueError, match="a place of kind 5"):
        from_place(opening.places[0])
