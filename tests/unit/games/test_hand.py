"""The hand as a machine: inputs, refusals, folding, voids, cards shown by choice."""

import json

import pytest

from pokerfloor.games import (
    Act,
    ActKind,
    Begin,
    CardsRevealed,
    Code,
    Event,
    Hand,
    HandVoided,
    Input,
    InvalidSetupError,
    KnownDeck,
    Over,
    Place,
    Refusal,
    RefusedError,
    Resolved,
    Reveal,
    RevealOrdered,
    RevealReason,
    ShowCards,
    ShowdownResult,
    Void,
    WaitBegin,
    play_out,
    seat_place,
)
from tests.support.games.scenario import Scenario, due, refused, table

NOTHING = Resolved(ShowdownResult((), (), ()))


def test_a_hand_waits_to_begin_and_begins_once() -> None:
    hand = Hand(table(100, 100))
    assert hand.waits_for() == WaitBegin()
    assert refused(hand, Act(1, 1, ActKind.FOLD)).code == Code.UNEXPECTED_INPUT
    events = hand.execute(Begin())
    assert not isinstance(events, Refusal)
    again = hand.execute(Begin())
    assert isinstance(again, Refusal)
    assert again.code == Code.UNEXPECTED_INPUT
    assert Hand.begin(table(100, 100)) == (hand, events)


def test_decide_changes_nothing_and_apply_comes_to_the_same_as_do() -> None:
    setup = table(100, 100, 100)
    hand, begun = Hand.begin(setup)
    act = Act(3, 1, ActKind.RAISE, 10)
    before = hand.digest()
    decided = hand.decide(act)
    assert not isinstance(decided, Refusal)
    assert hand.digest() == before
    assert hand.validate(act) is None
    assert hand.digest() == before
    stored = Hand.replay(setup, begun)
    for event in decided:
        stored.apply(event)
    assert hand.execute(act) == decided
    assert stored == hand
    assert stored.digest() == hand.digest() != before
    assert stored.waits_for() == hand.waits_for()


def test_check_answers_what_do_would() -> None:
    hand = Scenario(table(100, 100, 100)).hand
    bad = Act(3, 1, ActKind.CHECK)
    assert hand.validate(bad) == hand.decide(bad) == hand.execute(bad)
    assert refused(hand, bad).code == Code.ACTION_NOT_ALLOWED


def test_the_digest_tells_setups_and_states_apart() -> None:
    hands = [
        Scenario(table(100, 100)).hand,
        Scenario(table(100, 101)).hand,
        Scenario(table(100, 100, burn=False)).hand,
        Scenario(table(100, 100)).play("c").hand,
        Hand(table(100, 100)),
    ]
    assert len({hand.digest() for hand in hands}) == len(hands)
    assert all(len(hand.digest()) == 32 for hand in hands)


def test_the_canonical_state_is_plain_and_whole() -> None:
    def plain(value: object) -> bool:
        if isinstance(value, tuple):
            return all(plain(item) for item in value)
        return isinstance(value, int | str) and not isinstance(value, bool | float)

    hand = Scenario(table(100, 100, 100)).play("r10 a c c").hand
    assert plain(_without_flags(hand.canonical()))
    text = json.dumps(hand.canonical(), separators=(",", ":"))
    assert len(text) < 4000


def _without_flags(value: object) -> object:
    """Booleans inside events (all_in) are JSON booleans; nothing else may be one."""
    if isinstance(value, tuple):
        return tuple(_without_flags(item) for item in value if not isinstance(item, bool))
    return value


@pytest.mark.rule("DLR-7", "DLR-8")
@pytest.mark.parametrize("words", ["", "r10 c", "r10 c c b20", "c c k k k k"])
def test_a_void_hand_gives_every_chip_back(words: str) -> None:
    scenario = Scenario(table(100, 200, 300)).play(words)
    hand = scenario.hand
    assert hand.execute(Void("fouled deck")) == (HandVoided("fouled deck"),)
    result = scenario.over.result
    assert result.voided == "fouled deck"
    assert hand.state.stacks == [100, 200, 300]
    assert [(s.net, s.rake) for s in result.seats] == [(0, 0)] * 3
    assert refused(hand, Void("again")).code == Code.HAND_OVER
    assert Hand.replay(hand.setup, [*scenario.events, HandVoided("fouled deck")]) == hand


@pytest.mark.rule("DLR-8")
def test_a_hand_that_waits_for_cards_can_be_voided() -> None:
    hand = Scenario(table(100, 200), turning=False).play("c k").hand
    hand.execute(Void("misdeal"))
    assert due(hand) == ()


@pytest.mark.rule("DLR-8", "BET-3")
def test_nothing_is_accepted_after_the_end() -> None:
    scenario = Scenario(table(100, 100)).play("f")
    hand = scenario.hand
    before = hand.digest()
    inputs: list[Input] = [Act(1, 2, ActKind.CHECK), Reveal(()), NOTHING, Begin(), Void("late")]
    for given in inputs:
        assert refused(hand, given).code == Code.HAND_OVER
    assert hand.digest() == before


def test_a_showdown_that_nobody_waits_for_is_refused() -> None:
    hand = Scenario(table(100, 100)).hand
    assert refused(hand, NOTHING).code == Code.UNEXPECTED_INPUT
    assert refused(hand, ShowCards(1, (seat_place(1, 1),))).code == Code.UNEXPECTED_INPUT


@pytest.mark.rule("SHW-3")
def test_a_winner_without_a_showdown_may_show_one_card_or_all() -> None:
    scenario = Scenario(table(100, 100)).play("f")
    hand = scenario.hand
    one = (seat_place(1, 2),)
    assert hand.execute(ShowCards(1, one)) == (RevealOrdered(RevealReason.CHOSEN, one),)
    over = hand.waits_for()
    assert isinstance(over, Over)
    assert over.pending == one
    assert over.result.seats[0].net == 1  # paid before anything is shown
    other = (seat_place(1, 1),)
    assert refused(hand, ShowCards(1, other)).code == Code.WRONG_CARDS  # one is still due
    assert hand.execute(Reveal(((one[0], 7),))) == (CardsRevealed(((one[0], 7),)),)
    assert due(hand) == ()
    assert not isinstance(hand.execute(ShowCards(1, (seat_place(1, 1),))), Refusal)


@pytest.mark.rule("SHW-3")
@pytest.mark.parametrize(
    ("seat", "places", "code"),
    [
        (2, (seat_place(2, 1),), Code.ACTION_NOT_ALLOWED),
        (1, (seat_place(2, 1),), Code.WRONG_CARDS),
        (1, (), Code.WRONG_CARDS),
        (1, (seat_place(1, 3),), Code.WRONG_CARDS),
        (1, (seat_place(1, 1), seat_place(1, 1)), Code.WRONG_CARDS),
    ],
)
def test_nobody_else_and_nothing_else_is_shown(
    seat: int, places: tuple[Place, ...], code: Code
) -> None:
    hand = Scenario(table(100, 100)).play("f").hand
    assert refused(hand, ShowCards(seat, places)).code == code


@pytest.mark.rule("SHW-3")
def test_a_winner_at_a_showdown_or_of_a_void_hand_has_no_such_choice() -> None:
    hand = Scenario(table(100, 100)).play("a c").hand
    winner = hand.state.awards[0].seat
    assert (
        refused(hand, ShowCards(winner, (seat_place(winner, 1),))).code == Code.ACTION_NOT_ALLOWED
    )
    void = Scenario(table(100, 100)).hand
    void.execute(Void("x"))
    assert refused(void, ShowCards(1, (seat_place(1, 1),))).code == Code.ACTION_NOT_ALLOWED


def test_a_bad_setup_cannot_be_begun() -> None:
    with pytest.raises(InvalidSetupError) as caught:
        Hand.begin(table(100, 100, forced=()))
    assert [r.code for r in caught.value.refusals] == [Code.BAD_FORCED_BETS]


def test_playing_out_a_known_deck() -> None:
    seen: list[Event] = []
    over = play_out(
        Hand(table(100, 100)),
        KnownDeck(range(52)),
        lambda wait, _: Act(wait.seat, wait.turn_no, ActKind.ALL_IN),
        seen.append,
    )
    # Seat 1 (big blind) has the cards 0 and 2, seat 2 the cards 1 and 3, the board 5 to 7, 9, 11.
    assert over.result.shown[0].cards == ((seat_place(1, 1), 0), (seat_place(1, 2), 2))
    assert Hand.replay(table(100, 100), seen).waits_for() == over


def test_an_illegal_policy_is_told() -> None:
    with pytest.raises(RefusedError) as caught:
        play_out(
            Hand(table(100, 100)),
            KnownDeck(range(52)),
            lambda wait, _: Act(wait.seat, wait.turn_no, ActKind.CHECK),
        )
    assert caught.value.refusal.code == Code.ACTION_NOT_ALLOWED


def test_an_unknown_face_in_a_known_deck_is_told() -> None:
    deck = [-1, *range(1, 52)]
    with pytest.raises(RefusedError):
        play_out(
            Hand(table(100, 100)),
            KnownDeck(deck),
            lambda wait, _: Act(wait.seat, wait.turn_no, ActKind.ALL_IN),
        )
