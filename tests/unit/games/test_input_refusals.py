"""Every sentence, code and field that an input other than an action may be refused with."""

import pytest

from pokerfloor.games import (
    GAMES,
    Act,
    ActKind,
    AnswerSplit,
    Award,
    Begin,
    ChooseFacing,
    Code,
    DiscardCards,
    Half,
    Hand,
    Input,
    Losers,
    Place,
    RakeRule,
    Refusal,
    Resolved,
    Reveal,
    ShowCards,
    ShowdownResult,
    SplitTimeUp,
    SwapCards,
    Void,
    WaitShowdown,
    board_place,
    parse_place,
    resolve,
    seat_place,
)
from tests.support.games.mata_table import checked_down, mata
from tests.support.games.scenario import Scenario, refused, table
from tests.unit.games.test_row_file import from_file

SHOWDOWN = "c c k k k k k k k k k k"
HOLE = {1: "AsAh", 2: "KsKh", 3: "QsQh"}
DRY = "2c3d7h8sTc"


def at_showdown(**settings: object) -> tuple[Hand, ShowdownResult]:
    """A hand of three that waits for its showdown, and what is true of it."""
    played = Scenario(table(100, 100, 100, **settings), HOLE, DRY, resolving=False).play(SHOWDOWN)  # type: ignore[arg-type]  # settings by name
    wait = played.hand.waits_for()
    assert isinstance(wait, WaitShowdown)
    result = resolve(wait.request, played.faces)
    assert isinstance(result, ShowdownResult)
    return played.hand, result


# --- what is no input at all


@pytest.mark.parametrize("given", [(), ("said",), parse_place("b0.1")], ids=repr)
def test_what_is_no_input_is_the_callers_fault_and_changes_nothing(given: object) -> None:
    hand = Hand(table(100, 100, 100))
    before = hand.digest()
    with pytest.raises(AssertionError, match="is not an input of a betting hand"):
        hand.execute(given)  # type: ignore[arg-type]  # what is tested
    assert hand.digest() == before


# --- what comes when it is not waited for

INPUTS: list[tuple[Input, str]] = [
    (Act(1, 1, ActKind.CALL), "an action"),
    (Reveal(((board_place(0, 1), 5),)), "a card"),
    (Resolved(ShowdownResult((), (), ())), "a showdown"),
    (SwapCards(1, 1, (1,)), "a swap"),
    (DiscardCards(1, 1, (1,)), "a discard"),
    (ChooseFacing(1, 1, face_down=True), "a facing"),
    (AnswerSplit(1, agrees=True), "an answer to a split"),
    (SplitTimeUp(), "an answer to a split"),
    (Begin(), "the beginning"),
]


@pytest.mark.parametrize(("given", "what"), INPUTS, ids=[what for _, what in INPUTS])
def test_what_is_not_waited_for(given: Input, what: str) -> None:
    waiting_for_cards = Scenario(table(100, 100, 100), turning=False).play("c c k").hand
    waiting_for_action = Scenario(table(100, 100, 100)).hand
    hand = waiting_for_action if isinstance(given, Reveal | SwapCards) else waiting_for_cards
    if isinstance(given, SwapCards):
        hand = waiting_for_cards
    reason = f"the hand does not wait for {what} now"
    assert refused(hand, given) == Refusal(Code.UNEXPECTED_INPUT, reason)


@pytest.mark.parametrize(
    ("given", "what"), [*INPUTS, (Void("late"), "a void")], ids=[*[w for _, w in INPUTS], "a void"]
)
def test_what_comes_after_the_end(given: Input, what: str) -> None:
    hand = Scenario(table(100, 100, 100)).play("f f").hand
    reason = f"{what} came after the end of the hand"
    assert refused(hand, given) == Refusal(Code.HAND_OVER, reason)


def test_cards_are_shown_after_the_end_only() -> None:
    hand = Scenario(table(100, 100, 100)).hand
    early = refused(hand, ShowCards(1, (seat_place(1, 1),)))
    reason = "the hand does not wait for a show of cards now"
    assert early == Refusal(Code.UNEXPECTED_INPUT, reason)


# --- cards that are revealed


def revealed(text: str, first: int = 5) -> Reveal:
    return Reveal(tuple([(parse_place(t), first + n) for n, t in enumerate(text.split())]))


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (Reveal(()), "no card"),
        (revealed("b0.1 b0.1"), "pending cards: b0.1, b0.2, b0.3"),
        (revealed("b0.1 b0.4"), "pending cards: b0.1, b0.2, b0.3"),
        (revealed("b0.1 b0.2 b0.3 b0.4"), "pending cards: b0.1, b0.2, b0.3"),
        (revealed("b0.1 b0.1 b0.2 b0.3"), "pending cards: b0.1, b0.2, b0.3"),
        (revealed("b0.1 b0.1 b0.2"), "pending cards: b0.1, b0.2, b0.3"),
        (revealed("b0.2"), "b0.1 must be revealed first"),
        (revealed("b0.1 b0.3"), "b0.1 must be revealed first"),
        (revealed("b0.2 b0.1 b0.3"), "b0.1 must be revealed first"),
        (revealed("b0.1 b0.2", 51), "a card is not in the deck"),
        (Reveal(((board_place(0, 1), 7), (board_place(0, 2), 7))), "a card is at two places"),
    ],
)
def test_cards_that_are_not_due(given: Reveal, reason: str) -> None:
    hand = Scenario(table(100, 100, 100), turning=False).play("c c k").hand
    assert refused(hand, given) == Refusal(Code.WRONG_CARDS, reason, "cards")


def test_a_card_seen_elsewhere() -> None:
    hand = Scenario(table(100, 100, 100), turning=False).play("c c k").hand
    assert not isinstance(hand.execute(revealed("b0.1 b0.2")), Refusal)
    seen = refused(hand, revealed("b0.3", 6))
    assert seen == Refusal(Code.WRONG_CARDS, "a card has been seen at another place", "cards")
    wrong = refused(hand, revealed("b0.1"))
    assert wrong.reason == "pending cards: b0.3", "each once"


def test_hole_cards_may_come_in_any_order() -> None:
    hand = Scenario(table(100, 100), turning=False).play("a c").hand
    assert not isinstance(hand.execute(revealed("s2.2 s1.1")), Refusal)
    assert not isinstance(hand.execute(revealed("s2.1 s1.2", 20)), Refusal)


# --- swaps, discards, facings


@pytest.mark.rule("SWP-1")
def test_swaps() -> None:
    no_swap = "no swap: once a hand, before acting, and not on every street"
    river = Scenario(table(100, 100, 100, game=GAMES["swap_holdem"])).play("c c k k k k k k k")
    too_late = refused(river.hand, SwapCards(river.seat, river.turn.turn_no, (1,)))
    assert too_late == Refusal(Code.SWAP_NOT_ALLOWED, no_swap)
    played = Scenario(table(100, 100, 100, game=GAMES["swap_holdem"]))
    seat, turn_no = played.seat, played.turn.turn_no
    wrong: list[tuple[SwapCards, Refusal]] = [
        (
            SwapCards(seat % 3 + 1, turn_no, (1,)),
            Refusal(
                Code.NOT_YOUR_TURN,
                f"it is the turn of seat {seat}, not of seat {seat % 3 + 1}",
                "seat",
            ),
        ),
        (
            SwapCards(seat, turn_no - 1, (1,)),
            Refusal(Code.STALE_TURN, f"this is turn {turn_no}, not turn {turn_no - 1}", "turn_no"),
        ),
        (
            SwapCards(seat, turn_no, ()),
            Refusal(Code.WRONG_SLOTS, "1 to 2 cards must be given up, not 0", "slots"),
        ),
        (
            SwapCards(seat, turn_no, (1, 2, 3)),
            Refusal(Code.WRONG_SLOTS, "1 to 2 cards must be given up, not 3", "slots"),
        ),
        (
            SwapCards(seat, turn_no, (1, 1)),
            Refusal(Code.WRONG_SLOTS, "slots (1, 2) may be named, each once, not (1, 1)", "slots"),
        ),
        (
            SwapCards(seat, turn_no, (3,)),
            Refusal(Code.WRONG_SLOTS, "slots (1, 2) may be named, each once, not (3,)", "slots"),
        ),
    ]
    for given, refusal in wrong:
        assert refused(played.hand, given) == refusal


@pytest.mark.rule("DRW-4")
def test_a_discard_of_a_fixed_number() -> None:
    played = Scenario(table(100, 100, game=from_file("pineapple.json"))).play("c k k k")
    wait = played.discard
    none = refused(played.hand, DiscardCards(wait.seat, wait.turn_no, ()))
    assert none == Refusal(Code.WRONG_SLOTS, "1 cards must be given up, not 0", "slots")
    other = refused(played.hand, DiscardCards(2, wait.turn_no, (1,)))
    assert other == Refusal(Code.NOT_YOUR_TURN, "it is the turn of seat 1, not of seat 2", "seat")


# --- results of a showdown


@pytest.mark.rule("SHW-2", "POT-5")
def test_hands_that_a_result_cannot_have() -> None:
    hand, good = at_showdown()
    first, second, third = good.shown

    def said(result: ShowdownResult) -> str:
        refusal = refused(hand, Resolved(result))
        assert (refusal.code, refusal.field) == (Code.WRONG_RESULT, "result")
        return refusal.reason

    assert said(good._replace(shown=(first, second))) == "seats (1, 2, 3) show down, not (1, 2)"
    mucked = good._replace(shown=(first, second), mucked=(3,))
    assert said(mucked) == "seats (3,) may not muck"
    elsewhere = first._replace(cards=second.cards)
    assert said(good._replace(shown=(elsewhere, second, third))) == (
        "the cards of seat 1 are not at its places"
    )
    turned_round = first._replace(cards=first.cards[::-1])
    assert said(good._replace(shown=(turned_round, second, third))) == (
        "the cards of seat 1 are not at its places"
    )
    unranked = second._replace(ranks=())
    assert said(good._replace(shown=(first, unranked, third))) == (
        "seat 2 is not ranked for each part of a pot, in order"
    )
    twice = second._replace(cards=((second.cards[0][0], first.cards[0][1]), second.cards[1]))
    assert said(good._replace(shown=(first, twice, third))) == "a card is at two places"
    on_board = second._replace(cards=((second.cards[0][0], 0), second.cards[1]))
    assert said(good._replace(shown=(first, on_board, third))) == "a card is at two places"


@pytest.mark.rule("SHW-2", "BET-2")
def test_in_an_all_in_showdown_nobody_mucks_whatever_the_option() -> None:
    played = Scenario(table(100, 100, losers=Losers.MUCK), HOLE, DRY, resolving=False).play("a c")
    wait = played.hand.waits_for()
    assert isinstance(wait, WaitShowdown)
    result = resolve(wait.request, played.faces)
    assert isinstance(result, ShowdownResult)
    mucked = result._replace(shown=result.shown[:1], mucked=(2,))
    assert refused(played.hand, Resolved(mucked)).reason == "seats (2,) may not muck"
    king = result.shown[1]._replace(
        cards=((seat_place(2, 1), 30), result.shown[1].cards[1]),
    )
    known = refused(played.hand, Resolved(result._replace(shown=(result.shown[0], king))))
    assert known.reason == "the card at s2.1 is known to be another"


@pytest.mark.rule("POT-5", "DLR-3")
def test_who_may_muck_by_option() -> None:
    for settings in ({"losers": Losers.MUCK}, {"unread_hands_muck": True}):
        hand, good = at_showdown(**settings)
        mucked = good._replace(shown=good.shown[:1], mucked=(2, 3))
        assert not isinstance(hand.validate(Resolved(mucked)), Refusal)


@pytest.mark.rule("POT-4", "POT-5")
@pytest.mark.parametrize(
    ("awards", "reason"),
    [
        ((), "pot 0 pays 0 instead of 6 less a rake of 0"),
        ((Award(0, 0, Half.HIGH, 1, 5),), "pot 0 pays 5 instead of 6 less a rake of 0"),
        ((Award(1, 0, Half.HIGH, 1, 6),), "pot 1 is not the next from the last to the main pot"),
        ((Award(-1, 0, Half.HIGH, 1, 6),), "pot -1 is not the next from the last to the main pot"),
        ((Award(0, 0, Half.HIGH, 9, 6),), "seat 9 cannot win pot 0"),
        ((Award(0, 0, Half.HIGH, 1, 0),), "an award of 0 to seat 1"),
        ((Award(0, 0, Half.LOW, 1, 6),), "seat 1 has no low hand on board 0"),
        ((Award(0, 1, Half.HIGH, 1, 6),), "seat 1 has no high hand on board 1"),
        ((Award(0, 0, Half.WHOLE, 1, 6),), "seat 1 has no whole hand on board 0"),
    ],
)
def test_awards_that_cannot_be(awards: tuple[Award, ...], reason: str) -> None:
    hand, good = at_showdown()
    refusal = refused(hand, Resolved(good._replace(awards=awards)))
    assert refusal == Refusal(Code.WRONG_RESULT, reason, "result.awards")


@pytest.mark.rule("POT-4", "POT-5", "ODD-4")
def test_more_awards_that_cannot_be() -> None:
    hand, good = at_showdown(losers=Losers.MUCK)
    muck = good._replace(shown=good.shown[:1], mucked=(2, 3))

    def said(result: ShowdownResult, of: Hand) -> str:
        refusal = refused(of, Resolved(result))
        assert (refusal.code, refusal.field) == (Code.WRONG_RESULT, "result.awards")
        return refusal.reason

    to_mucked = (Award(0, 0, Half.HIGH, 2, 6),)
    assert said(muck._replace(awards=to_mucked), hand) == "seat 2 wins pot 0 without having shown"
    carried = said(good._replace(carried=(0,)), hand)
    assert carried == "pots (0,) carried in a game that carries none"
    chips, result = at_showdown(small=5, big=10, smallest_chip_minor=5)
    split = (Award(0, 0, Half.HIGH, 1, 16), Award(0, 0, Half.HIGH, 2, 14))
    assert said(result._replace(awards=split), chips) == "16 is not a whole number of chips"
    raked, result = at_showdown(small=5, big=10, rake=RakeRule(1000))
    whole = (Award(0, 0, Half.HIGH, 1, 30),)
    assert said(result._replace(awards=whole), raked) == (
        "pot 0 pays 30 instead of 30 less a rake of 3"
    )
    # Two awards of one pot are fine.
    halves = (Award(0, 0, Half.HIGH, 1, 4), Award(0, 0, Half.HIGH, 2, 2))
    shown, result = at_showdown()
    assert not isinstance(shown.validate(Resolved(result._replace(awards=halves))), Refusal)


@pytest.mark.rule("LOW-3", "POT-5")
def test_a_hand_without_a_low_wins_no_low_half() -> None:
    hole = {1: "AsAhKdKh", 2: "QsQhJdJh"}
    setup = table(100, 100, game=GAMES["omaha4_hilo"])
    played = Scenario(setup, hole, "2c3dThJsTc", resolving=False).play("a c")
    wait = played.hand.waits_for()
    assert isinstance(wait, WaitShowdown)
    result = resolve(wait.request, played.faces)
    assert isinstance(result, ShowdownResult)
    low = (Award(0, 0, Half.HIGH, 1, 100), Award(0, 0, Half.LOW, 1, 100))
    refusal = refused(played.hand, Resolved(result._replace(awards=low)))
    assert refusal.reason == "seat 1 has no low hand on board 0"


@pytest.mark.rule("POT-4")
def test_side_pots_are_paid_before_the_main_pot() -> None:
    played = Scenario(table(20, 100, 100), HOLE, DRY, resolving=False).play(
        "r10 a c c b10 c k k k k"
    )
    wait = played.hand.waits_for()
    assert isinstance(wait, WaitShowdown)
    result = resolve(wait.request, played.faces)
    assert isinstance(result, ShowdownResult)
    assert [award.pot_no for award in result.awards] == [1, 0]
    refusal = refused(played.hand, Resolved(result._replace(awards=result.awards[::-1])))
    assert refusal.reason == "pot 1 is not the next from the last to the main pot"


# --- after the end


@pytest.mark.rule("SHW-3")
def test_what_a_winner_can_show() -> None:
    hand = Scenario(table(100, 100, 100)).play("f f").hand

    def said(seat: int, *places: Place) -> tuple[Code, str, str | None]:
        refusal = refused(hand, ShowCards(seat, places))
        return refusal.code, refusal.reason, refusal.field

    first, second = seat_place(2, 1), seat_place(2, 2)
    assert said(1, seat_place(1, 1)) == (
        Code.ACTION_NOT_ALLOWED,
        "seat 1 did not win without a showdown",
        "seat",
    )
    both = (Code.WRONG_CARDS, "seat 2 can show s2.1, s2.2", "places")
    assert said(2) == both
    assert said(2, seat_place(1, 1)) == both
    assert said(2, first, first) == (Code.WRONG_CARDS, "a place is named twice", "places")
    assert not isinstance(hand.execute(ShowCards(2, (first,))), Refusal)
    assert said(2, second) == both, "the first is due"
    assert not isinstance(hand.execute(Reveal(((first, 3),))), Refusal)
    assert said(2, first) == (Code.WRONG_CARDS, "seat 2 can show s2.2", "places")
    assert not isinstance(hand.execute(ShowCards(2, (second,))), Refusal)
    assert not isinstance(hand.execute(Reveal(((second, 4),))), Refusal)
    assert said(2, first) == (Code.WRONG_CARDS, "seat 2 can show no more cards", "places")


@pytest.mark.rule("SHW-3")
def test_who_won_at_a_showdown_shows_nothing_more() -> None:
    hand = Scenario(table(100, 100, 100), HOLE, DRY).play(SHOWDOWN).hand
    refusal = refused(hand, ShowCards(1, (seat_place(1, 1),)))
    assert refusal == Refusal(
        Code.ACTION_NOT_ALLOWED, "seat 1 did not win without a showdown", "seat"
    )


@pytest.mark.rule("MAT-6")
def test_who_is_asked_for_a_split() -> None:
    poor = {1: "Kc2c7d5s9h", 2: "Qc3c8dTs4h", 3: "Jc4c6d9sTh"}
    hand = checked_down(mata(200, 200, 200, hole=poor, middle="2h6cKh")).hand
    reason = "seats (1, 2, 3) are asked for an answer, not seat 9"
    refusal = refused(hand, AnswerSplit(9, agrees=True))
    assert refusal == Refusal(Code.ACTION_NOT_ALLOWED, reason, "seat")
