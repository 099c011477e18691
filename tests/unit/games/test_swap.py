"""Swap hold'em: new cards for own ones, once a hand, before acting."""

import pytest

from pokerfloor.cards import STANDARD
from pokerfloor.games import (
    GAMES,
    Act,
    ActKind,
    CardsSwapped,
    Code,
    DiscardCards,
    Hand,
    HandShown,
    KnownDeck,
    PlacesDealt,
    RevealOrdered,
    RevealReason,
    ShowCards,
    SwapCards,
    WaitAction,
    play_out,
)
from tests.support.games.scenario import Scenario, done, due, refused, table

SWAP = GAMES["swap_holdem"]


@pytest.mark.rule("SWP-1", "SWP-3")
def test_a_swap_deals_the_next_card_to_the_next_slot_and_the_turn_stays() -> None:
    played = Scenario(table(100, 100, 100, game=SWAP))
    turn = played.turn
    assert turn.legal.swap_slots == (1, 2)
    played.play("s2")
    assert played.last(CardsSwapped) == CardsSwapped(seat=3, slots=(2,), street_no=0)
    dealt = played.last(PlacesDealt)
    assert ([str(place) for place in dealt.places], dealt.first_index) == (["s3.3"], 6)
    assert (played.turn.seat, played.turn.turn_no) == (turn.seat, turn.turn_no)
    assert not played.legal.swap_slots
    held = played.hand.state.hole_places(3)
    assert [str(place) for place in held] == ["s3.1", "s3.3"]


@pytest.mark.rule("SWP-1", "SWP-2")
def test_once_a_hand_and_only_before_acting_on_a_street() -> None:
    played = Scenario(table(100, 100, 100, game=SWAP)).play("s12 c r6")
    # Seat 1 raised without a swap; when the others call, it has its swap on the flop.
    assert list(played.legal.swap_slots) == [1, 2]
    played.play("r12")
    assert played.seat == 3
    assert not played.legal.swap_slots
    refusal = refused(played.hand, SwapCards(3, played.turn.turn_no, (1,)))
    assert refusal.code == Code.SWAP_NOT_ALLOWED
    played.play("f")
    assert played.seat == 1
    assert not played.legal.swap_slots, "it has acted on this street"
    played.play("c")
    assert (played.hand.state.street_no, played.legal.swap_slots) == (1, (1, 2))
    played.play("k s1 k s2 k k")
    assert played.hand.state.street_no == 3
    assert not played.legal.swap_slots


@pytest.mark.rule("SWP-1")
def test_on_the_river_only_by_option() -> None:
    river = Scenario(table(100, 100, game=GAMES["swap_holdem_river"])).play("c k k k k k")
    assert (river.hand.state.street_no, river.legal.swap_slots) == (3, (1, 2))


@pytest.mark.rule("SWP-1", "BET-3")
def test_what_is_no_swap() -> None:
    played = Scenario(table(100, 100, 100, game=SWAP))
    turn_no = played.turn.turn_no
    for swap, code in (
        (SwapCards(1, turn_no, (1,)), Code.NOT_YOUR_TURN),
        (SwapCards(3, turn_no + 1, (1,)), Code.STALE_TURN),
        (SwapCards(3, turn_no, ()), Code.WRONG_SLOTS),
        (SwapCards(3, turn_no, (3,)), Code.WRONG_SLOTS),
        (SwapCards(3, turn_no, (1, 1)), Code.WRONG_SLOTS),
        (DiscardCards(3, turn_no, (1,)), Code.UNEXPECTED_INPUT),
    ):
        assert refused(played.hand, swap).code == code
    plain = Scenario(table(100, 100, 100))
    assert refused(plain.hand, SwapCards(3, 1, (1,))).code == Code.SWAP_NOT_ALLOWED


@pytest.mark.rule("SWP-3")
def test_only_cards_still_held_are_revealed() -> None:
    played = Scenario(table(20, 20, game=SWAP)).play("s1 a s12 c")
    revealed = [e for e in played.of(RevealOrdered) if e.reason is RevealReason.ALL_IN]
    assert [str(place) for place in revealed[0].places] == ["s1.3", "s1.4", "s2.2", "s2.3"]
    shown = {hand.seat: [str(place) for place, _ in hand.cards] for hand in played.of(HandShown)}
    assert shown == {1: ["s1.3", "s1.4"], 2: ["s2.2", "s2.3"]}


@pytest.mark.rule("SWP-3", "SHW-3")
def test_the_winner_can_show_what_it_holds_and_not_what_it_swapped_away() -> None:
    played = Scenario(table(20, 20, game=SWAP)).play("s1 r4 f")
    swapped, kept, new = [played.hand.state.hole_places(2)[0]._replace(slot=k) for k in (1, 2, 3)]
    assert refused(played.hand, ShowCards(2, (swapped,))).code == Code.WRONG_CARDS
    done(played.hand, ShowCards(2, (kept, new)))
    assert due(played.hand) == (kept, new)


@pytest.mark.rule("SWP-4")
def test_ten_players_who_all_swap_both_cards() -> None:
    setup = table(*[100] * 10, game=SWAP)

    def policy(wait: object, hand: Hand) -> Act | SwapCards:
        turn = hand.waits_for()
        assert turn == wait
        assert isinstance(turn, WaitAction)
        seat, turn_no, legal = turn
        if legal.swap_slots:
            return SwapCards(seat, turn_no, legal.swap_slots)
        return Act(seat, turn_no, ActKind.CHECK if legal.can_check else ActKind.CALL)

    hand = Hand(setup)
    play_out(hand, KnownDeck(STANDARD.cards), policy)
    assert hand.state.cards.next_index == 10 * 4 + 5 + 3
