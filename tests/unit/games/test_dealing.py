"""Places in real dealing order, burns, openers (HLD-1 to HLD-3, TBL-12)."""

import pytest

from pokerfloor.games import (
    CardsRevealed,
    Code,
    ForcedBet,
    ForcedKind,
    Hand,
    Place,
    PlaceKind,
    PlacesDealt,
    Reveal,
    RevealOrdered,
    RevealReason,
    WaitCards,
    board_place,
    burn_place,
    parse_place,
    seat_place,
)
from tests.support.games.scenario import Scenario, done, due, refused, table


def dealt(hand: Scenario) -> list[tuple[str, int]]:
    return [
        (str(p), e.first_index + k) for e in hand.of(PlacesDealt) for k, p in enumerate(e.places)
    ]


@pytest.mark.rule("HLD-1", "HLD-2")
def test_one_card_at_a_time_from_the_left_of_the_button_and_a_burn_before_each_street() -> None:
    hand = Scenario(table(100, 100, 100, button=1)).play("c c k k k k k k k k k k")
    texts = "s2.1 s3.1 s1.1 s2.2 s3.2 s1.2 burn.1 b0.1 b0.2 b0.3 burn.2 b0.4 burn.3 b0.5"
    assert dealt(hand) == [(text, index) for index, text in enumerate(texts.split())]


@pytest.mark.rule("HLD-1")
@pytest.mark.parametrize(("button", "first"), [(2, 3), (4, 1), (0, 1), (3, 1)])
def test_the_button_may_lie_on_an_empty_seat(button: int, first: int) -> None:
    setup = table(100, 100, 100, button=button)
    hand = Scenario(setup)
    assert hand.of(PlacesDealt)[0].places[0].owner == first


@pytest.mark.rule("HLD-1", "TBL-12")
@pytest.mark.parametrize("button", [1, 2])
def test_heads_up_from_the_big_blind_and_the_button_acts_first_then_last(button: int) -> None:
    other = 3 - button
    forced = (
        ForcedBet(button, ForcedKind.SMALL_BLIND, 1),
        ForcedBet(other, ForcedKind.BIG_BLIND, 2),
    )
    hand = Scenario(table(100, 100, forced=forced, button=button))
    assert [p.owner for p in hand.of(PlacesDealt)[0].places] == [other, button] * 2
    assert hand.seat == button
    hand.play("c k")
    assert hand.seat == other


@pytest.mark.rule("HLD-1")
def test_heads_up_with_the_button_on_an_empty_seat() -> None:
    forced = (ForcedBet(1, ForcedKind.SMALL_BLIND, 1), ForcedBet(2, ForcedKind.BIG_BLIND, 2))
    hand = Scenario(table(100, 100, forced=forced, button=3))
    assert [p.owner for p in hand.of(PlacesDealt)[0].places] == [2, 1, 2, 1]
    assert hand.seat == 1


@pytest.mark.rule("HLD-3")
def test_the_openers() -> None:
    hand = Scenario(table(100, 100, 100, 100)).play("c")
    assert hand.hand.state.seats[hand.hand.state.turn] == 4
    hand.play("c f k")
    assert hand.seat == 2  # seat 1 has folded
    straddles = (ForcedBet(3, ForcedKind.STRADDLE, 4), ForcedBet(4, ForcedKind.STRADDLE, 8))
    double = Scenario(table(100, 100, 100, 100, 100, extra=straddles))
    assert double.seat == 5
    assert (double.legal.call_to, double.legal.raise_min) == (8, 16)


@pytest.mark.rule("HLD-3", "BET-2")
def test_the_opener_that_is_all_in_is_passed_over() -> None:
    hand = Scenario(table(2, 100, 100, 100)).play("c c c k")
    assert hand.hand.state.street_no == 1
    assert hand.seat == 2


@pytest.mark.rule("HLD-2")
def test_board_cards_are_due_before_anybody_acts() -> None:
    scenario = Scenario(table(100, 100), turning=False).play("c k")
    flop = tuple(board_place(0, k) for k in (1, 2, 3))
    assert scenario.events[-1] == RevealOrdered(RevealReason.BOARD, flop)
    assert scenario.hand.waits_for() == WaitCards(flop, RevealReason.BOARD)


class TestTurningUp:
    places = tuple(board_place(0, k) for k in (1, 2, 3))

    def waiting(self) -> Hand:
        return Scenario(table(100, 100), turning=False).play("c k").hand

    def test_cards_may_come_one_by_one(self) -> None:
        hand = self.waiting()
        assert hand.execute(Reveal(((self.places[0], 5),))) == (
            CardsRevealed(((self.places[0], 5),)),
        )
        assert due(hand) == self.places[1:]
        events = done(hand, Reveal(((self.places[1], 6), (self.places[2], 7))))
        assert len(events) == 2
        assert hand.state.cards.boards == [[5, 6, 7]]

    @pytest.mark.parametrize(
        "cards",
        [
            (),
            ((seat_place(1, 1), 5),),
            ((board_place(0, 4), 5),),
            ((burn_place(1), 5),),
            ((board_place(0, 1), -1),),
            ((board_place(0, 1), 52),),
            ((board_place(0, 1), 5), (board_place(0, 2), 5)),
            ((board_place(0, 1), 5), (board_place(0, 1), 6)),
        ],
    )
    def test_wrong_cards_are_refused(self, cards: tuple[tuple[Place, int], ...]) -> None:
        hand = self.waiting()
        refusal = refused(hand, Reveal(cards))
        assert (refusal.code, refusal.field) == (Code.WRONG_CARDS, "cards")

    def test_board_cards_come_in_the_order_of_their_slots(self) -> None:
        hand = self.waiting()
        refusal = refused(hand, Reveal(((self.places[2], 5),)))
        assert refusal.code == Code.WRONG_CARDS

    def test_a_card_seen_in_the_hand_is_refused(self) -> None:
        scenario = Scenario(table(100, 100)).play("c k k k")
        assert scenario.hand.state.cards.boards[0][3]
        hand = self.waiting()
        hand.execute(Reveal(((self.places[0], 5),)))
        refusal = refused(hand, Reveal(((self.places[1], 5),)))
        assert "seen" in refusal.reason

    def test_nothing_is_due_while_a_seat_acts(self) -> None:
        hand = Scenario(table(100, 100)).hand
        refusal = refused(hand, Reveal(((self.places[0], 5),)))
        assert refusal.code == Code.UNEXPECTED_INPUT


def test_places_have_a_text_form_that_reads_back() -> None:
    for place in (seat_place(10, 2), board_place(1, 5), burn_place(3), seat_place(0, 1)):
        assert parse_place(str(place)) == place
    assert str(Place(PlaceKind.SEAT, 3, 1)) == "s3.1"


@pytest.mark.parametrize(
    "text",
    ["", "s3", "s3.0", "s.1", "x1.1", "s3.1 ", "s03.1", "b-1.1", "burn.0", "burn1.1", "s3.+1"],
)
def test_other_texts_are_no_places(text: str) -> None:
    with pytest.raises(ValueError, match="not a place"):
        parse_place(text)


def test_a_place_dealt_twice_or_a_gap_in_the_deck_stops_the_hand() -> None:
    hand = Scenario(table(100, 100)).hand
    with pytest.raises(AssertionError, match="twice"):
        hand.copy().apply(PlacesDealt((seat_place(1, 1),), 0, 4))
    with pytest.raises(AssertionError, match="expected"):
        hand.copy().apply(PlacesDealt((seat_place(1, 3),), 0, 5))
    with pytest.raises(AssertionError, match="generation"):
        hand.copy().apply(PlacesDealt((seat_place(1, 3),), 1, 4))
