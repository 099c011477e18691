"""Playing recorded hands: the right ones agree, and each wrong one says where."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from pokerfloor.cards import DECKS, STANDARD
from pokerfloor.games import (
    GAMES,
    Act,
    ActKind,
    Event,
    ForcedBet,
    ForcedKind,
    Hand,
    HandSettings,
    HandSetup,
    Losers,
    RakeCap,
    RakeRule,
    SeatStack,
    Structure,
    WaitAction,
)
from pokerfloor.games.known_deck import KnownDeck, play_out
from pokerfloor.phh import Document, Heading, Outcome, PhhError, read_documents, replay, write_hand
from pokerfloor.phh.variants import GAMES_BY_VARIANT
from tests.support.games.random_hands import random_act, random_discard, random_setup

HEADS_UP = """
variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [200, 100]
actions = ['d dh p1 AsAh', 'd dh p2 KsKh', 'p2 cbr 6', 'p1 cbr 20', 'p2 cbr 100', 'p1 cc',
           'p2 sm KsKh', 'p1 sm AsAh', 'd db 2c3c4d', 'd db 5h', 'd db 9s']
finishing_stacks = [300, 0]
"""


def play(text: str) -> tuple[Outcome, str]:
    [(_, document)] = read_documents(text, "hand")
    assert isinstance(document, Document), document
    result = replay(document)
    return result.outcome, result.problem


@pytest.mark.rule("TBL-12", "BET-2", "SHW-2")
def test_heads_up_all_in_before_the_flop_agrees() -> None:
    assert play(HEADS_UP) == (Outcome.AGREES, "")


@pytest.mark.parametrize(
    ("find", "replace_by", "problem"),
    [
        ("'p1 cbr 20'", "'p1 cbr 9'", "action 4 'p1 cbr 9': refused"),
        ("'p2 cbr 6'", "'p1 cbr 6'", "action 3 'p1 cbr 6': it is p2's turn"),
        ("'p2 cbr 100'", "'p2 cbr 101'", "action 5 'p2 cbr 101': refused"),
        ("[300, 0]", "[299, 1]", "p1: finishing stack 300, recorded is 299"),
        ("[300, 0]", "[0, 300]", "p1: finishing stack 300, recorded is 0"),
        ("9s", "As", "cards revealed: refused"),
        ("'d db 9s'", "", "the record ends, but the hand waits for 1 cards (board)"),
        ("'d db 9s'", "'d db 9s', 'd db 8s'", "the board cards 8s are never due"),
        ("'d db 9s'", "'d db 9s', 'p1 f'", "action 12 'p1 f': the hand waits for nothing"),
        ("p1 sm AsAh", "p1 sm AsAd", "Ah was dealt there, not Ad"),
        ("d dh p1 AsAh", "d dh p1 As", "2 cards are dealt to a seat"),
        ("'p1 cc'", "'p1 pb'", "not in this game"),
        ("blinds_or_straddles = [1, 2]", "blinds_or_straddles = [1, -2]", "it is p1's turn"),
        ("variant = 'NT'", "variant = 'FT'", "a small and a big bet are wanted"),
        ("actions", "_forced = ['x']\nactions", "_forced: 'x' is no forced bet"),
        ("actions", "_rake_bp = 'x'\nactions", "_rake_bp: expected a whole number"),
        ("actions", "_losers = 'x'\nactions", "_losers: 'x' is none of"),
    ],
)
def test_one_thing_altered_differs_and_is_named(find: str, replace_by: str, problem: str) -> None:
    assert find in HEADS_UP
    outcome, told = play(HEADS_UP.replace(find, replace_by, 1))
    assert outcome is Outcome.DIFFERS
    assert problem in told


def test_a_game_that_is_not_played_here_is_said_to_be_so() -> None:
    assert play(HEADS_UP.replace("'NT'", "'XX'")) == (Outcome.NOT_PLAYED, "variant XX")


def test_a_record_that_stops_without_a_result_is_legal_so_far() -> None:
    text = HEADS_UP.replace("finishing_stacks = [300, 0]", "").replace("'p1 cc',", "")
    outcome, told = play(text.replace(", 'p2 sm KsKh'", ""))
    assert outcome is Outcome.LEGAL, told


SPLIT = """
variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [20, 20, 20]
actions = ['d dh p1 7c2c', 'd dh p2 AsKs', 'd dh p3 AhKh', 'p3 cc', 'p1 f', 'p2 cc',
           'd db QdQcQs', 'p2 cc', 'p3 cc', 'd db 4d', 'p2 cc', 'p3 cc',
           'd db 5d', 'p2 cc', 'p3 cc', 'p2 sm AsKs', 'p3 sm AhKh']
finishing_stacks = [19, 20.5, 20.5]
"""


@pytest.mark.rule("ODD-1", "ODD-4")
def test_half_chips_agree_up_to_half_a_chip_with_equal_totals() -> None:
    [(_, document)] = read_documents(SPLIT, "hand")
    assert isinstance(document, Document)
    result = replay(document)
    assert (result.outcome, result.half_chips) == (Outcome.AGREES, True)
    assert play(SPLIT.replace("19, 20.5, 20.5", "19.5, 20, 20.5"))[0] is Outcome.DIFFERS
    assert play(SPLIT.replace("19, 20.5, 20.5", "19, 21, 20.5"))[0] is Outcome.DIFFERS


def test_a_fold_left_out_of_the_record_is_taken_for_a_seat_that_never_acts_again() -> None:
    [(_, document)] = read_documents(SPLIT.replace("'p1 f', ", ""), "hand")
    assert isinstance(document, Document)
    result = replay(document)
    assert (result.outcome, result.folds_left_out) == (Outcome.AGREES, 1)
    # A seat that acts later was not folded: the record is wrong.
    wrong = SPLIT.replace("'p3 cc', 'p1 f', 'p2 cc'", "'p3 cc', 'p2 cc', 'p1 f'")
    assert play(wrong)[0] is Outcome.DIFFERS


def random_hand(chance: random.Random) -> tuple[HandSetup, list[Event]]:
    count = chance.randint(2, 9)
    seats = sorted(chance.sample(range(1, 11), count))
    button = chance.choice(seats)
    order = sorted(seats, key=lambda seat: (seat <= button, seat))
    small, big = (order[1], order[0]) if count == 2 else (order[0], order[1])
    forced = [
        ForcedBet(small, ForcedKind.SMALL_BLIND, 50),
        ForcedBet(big, ForcedKind.BIG_BLIND, 100),
    ]
    if chance.random() < 0.3:
        forced += [ForcedBet(seat, ForcedKind.ANTE, 25) for seat in seats]
    elif chance.random() < 0.3:
        forced.append(ForcedBet(big, ForcedKind.ANTE_FOR_ALL, 100))
    if count > 3 and chance.random() < 0.3:
        forced.append(ForcedBet(order[3], ForcedKind.POST, 100))
    structure = chance.choice([Structure.NO_LIMIT, Structure.FIXED_LIMIT])
    setup = HandSetup(
        hand_no=chance.randint(1, 9999),
        game=GAMES["holdem"],
        structure=structure,
        settings=HandSettings(
            smallest_chip_minor=25,
            min_bet_minor=100,
            big_bet_minor=200 if structure is Structure.FIXED_LIMIT else 0,
            losers=chance.choice(list(Losers)),
            rake=RakeRule(rate_bp=chance.choice([0, 500]), caps=(RakeCap(2, 300),)),
        ),
        seats=tuple(SeatStack(seat, 25 * chance.randint(1, 400)) for seat in seats),
        button=button,
        forced=tuple(forced),
    )

    def policy(wait: WaitAction, _: Hand) -> Act:
        legal = wait.legal
        choices = [
            Act(wait.seat, wait.turn_no, ActKind.CHECK if legal.can_check else ActKind.CALL)
        ] * 4
        if not legal.can_check:
            choices.append(Act(wait.seat, wait.turn_no, ActKind.FOLD))
        for kind, least, most in (
            (ActKind.BET, legal.bet_min, legal.bet_max),
            (ActKind.RAISE, legal.raise_min, legal.raise_max),
        ):
            if most:
                steps = (most - least) // legal.step
                to = chance.choice([least, most, least + legal.step * chance.randint(0, steps)])
                choices.append(Act(wait.seat, wait.turn_no, kind, to))
        return chance.choice(choices)

    deck = list(STANDARD.cards)
    chance.shuffle(deck)
    hand, events = Hand.begin(setup)
    log = list(events)
    play_out(hand, KnownDeck(deck), policy, log.append)
    return setup, log


@pytest.mark.parametrize("decimals", [0, 2])
def test_what_is_written_replays_to_the_same_stacks(decimals: int) -> None:
    chance = random.Random(20)
    for number in range(300):
        setup, log = random_hand(chance)
        names = {entry.seat: f'P"{entry.seat}' for entry in setup.seats}
        heading = Heading(
            decimals, names, venue="Floor", table="T\n1", hand=number, time="10:11:12"
        )
        text = write_hand(setup, log, heading)
        assert play(text) == (Outcome.AGREES, ""), text


@pytest.mark.parametrize("variant", GAMES_BY_VARIANT)
def test_what_is_written_of_any_game_replays_to_the_same_stacks(variant: str) -> None:
    name, structure = GAMES_BY_VARIANT[variant]
    chance = random.Random(21)
    for _ in range(60):
        setup = replace(random_setup(chance, GAMES[name]), structure=structure)
        setup = replace(setup, settings=replace(setup.settings, redeal_when_checked=False))
        cards = DECKS[setup.game.deck].cards
        deck = KnownDeck(chance.sample(cards, len(cards)))
        hand, events = Hand.begin(setup)
        log = list(events)
        play_out(
            hand,
            deck,
            lambda wait, _: random_act(wait, chance),
            log.append,
            discard=lambda wait, _: random_discard(wait, chance),
        )
        text = write_hand(setup, log, Heading(2, {}))
        assert play(text) == (Outcome.AGREES, ""), text


STUD = """
variant = 'F7S'
antes = [1, 1, 1]
bring_in = 2
small_bet = 4
big_bet = 8
starting_stacks = [100, 100, 100]
actions = ['d dh p1 ????2c', 'd dh p2 QhQcKd', 'd dh p3 ??????',
           'p1 pb', 'p2 cbr 4', 'p3 f', 'p1 f']
finishing_stacks = [97, 104, 99]
"""


@pytest.mark.rule("STD-2")
def test_an_up_card_that_the_record_leaves_out_does_not_open() -> None:
    assert play(STUD) == (Outcome.AGREES, "")


@pytest.mark.parametrize(
    ("find", "replace_by", "problem"),
    [
        ("'p1 pb'", "'p2 pb'", "action 4 'p2 pb': p2 does not bring it in"),
        ("'p1 f']", "'p1 f', 'p1 pb']", "action 8 'p1 pb': p1 does not bring it in"),
        ("'p2 cbr 4'", "'p2 cbr 6'", "action 5 'p2 cbr 6': refused"),
        ("????2c", "??2c", "action 1 'd dh p1 ??2c': 3 cards are dealt to a seat"),
        ("'p1 pb'", "'p1 sd 2c'", "not in this game"),
        ("'p1 f']", "'p1 cc', 'd dh p1 3c', 'd dh p2 ??']", "not known, and so not who acts first"),
    ],
)
def test_what_is_wrong_in_stud_is_named(find: str, replace_by: str, problem: str) -> None:
    assert find in STUD
    outcome, told = play(STUD.replace(find, replace_by, 1))
    assert outcome is Outcome.DIFFERS
    assert problem in told


DRAW = """
variant = 'N2L1D'
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [50, 50]
actions = ['d dh p1 2c3c4c5d9h', 'd dh p2 ??????????', 'p2 cc', 'p1 cc', 'p1 sd 9h', 'd dh p1 7h',
           'p2 sd ??', 'd dh p2 ??', 'p1 cbr 2', 'p2 cc', 'p1 sm 7h5d4c3c2c', 'p2 sm Kd8h4h3s2d']
finishing_stacks = [54, 46]
"""


@pytest.mark.rule("DRW-4")
@pytest.mark.parametrize(
    ("find", "replace_by", "problem"),
    [
        ("x", "x", ""),
        ("'p1 sd 9h'", "'p1 sd 9c'", "action 5 'p1 sd 9c': 9c is not held"),
        ("'p1 sd 9h'", "'p2 sd ??'", "action 5 'p2 sd ??': it is p1's turn"),
        ("'p1 sd 9h'", "'p1 sd ????????????'", "not so many cards are held"),
        ("7h5d4c3c2c", "7h5d4c3c2h", "2c was dealt there, not 2h"),
        ("'p2 sd ??', 'd dh p2 ??', 'p1 cbr 2'", "'p1 cbr 2'", "the hand waits for p2 to discard"),
    ],
)
def test_a_draw(find: str, replace_by: str, problem: str) -> None:
    outcome, told = play(DRAW.replace(find, replace_by, 1))
    assert (outcome is Outcome.AGREES) == (not problem), told
    assert problem in told


def test_a_raise_written_as_no_more_than_can_be_called() -> None:
    """The opponent has 9 in all; the least raise over 6 is to 10."""
    text = HEADS_UP.replace("[200, 100]", "[200, 9]").replace("'p2 cbr 100', 'p1 cc'", "'p2 cc'")
    text = text.replace("'p1 cbr 20'", "'p1 cbr 9'").replace("[300, 0]", "[209, 0]")
    assert play(text) == (Outcome.AGREES, "")
    assert play(text.replace("'p1 cbr 9'", "'p1 cbr 8'"))[0] is Outcome.DIFFERS


def test_a_lone_blind_is_the_big_blind() -> None:
    text = SPLIT.replace("[1, 2, 0]", "[2, 0, 0]")
    text = text.replace("'p3 cc', 'p1 f', 'p2 cc',", "'p2 cc', 'p3 cc', 'p1 f',")
    assert play(text.replace("19, 20.5, 20.5", "18, 21, 21")) == (Outcome.AGREES, "")


def test_an_altered_copy_of_a_written_hand_differs() -> None:
    setup, log = random_hand(random.Random(4))
    text = write_hand(setup, log, Heading(0, {}))
    line = next(line for line in text.splitlines() if line.startswith("finishing_stacks"))
    first = line.split("[")[1].split(",")[0]
    assert (
        play(text.replace(line, line.replace(f"[{first}", f"[{int(first) + 25}")))[0]
        is Outcome.DIFFERS
    )


def test_an_unfinished_hand_is_not_written() -> None:
    setup, log = random_hand(random.Random(4))
    with pytest.raises(PhhError, match="not finished"):
        write_hand(setup, log[:-1], Heading(0, {}))
