"""Bots choose only what is legal, whatever the legal set."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerfloor.bots import (
    BettingAction,
    BettingChoice,
    Character,
    Situation,
    choose_action,
)
from pokerfloor.bots.holdem_strength import holdem_strength
from pokerfloor.cards import DECKS, STANDARD, parse_cards
from pokerfloor.client import Legal, RaiseRange
from pokerfloor.games import GAMES, HOLDEM

amounts = st.integers(1, 10_000)


@st.composite
def ranges(draw: st.DrawFn) -> RaiseRange:
    low = draw(amounts)
    if draw(st.booleans()):
        return RaiseRange(low, low, (low,))
    return RaiseRange(low, low + draw(amounts))


@st.composite
def legal_sets(draw: st.DrawFn) -> Legal:
    """What a betting turn can offer: something to call or a free check, and perhaps more."""
    owes = draw(st.booleans())
    call_by = draw(amounts) if owes else 0
    option = draw(st.none() | ranges())
    may_bet = not owes and draw(st.booleans())
    return Legal(
        fold=True,
        check=not owes,
        call_by=call_by,
        call_to=call_by,
        call_all_in=owes and option is None and draw(st.booleans()),
        bet=option if may_bet else None,
        raise_=None if may_bet else option,
    )


@st.composite
def situations(draw: st.DrawFn) -> Situation:
    row = draw(st.sampled_from(list(GAMES.values())))
    cards = draw(st.permutations(DECKS[row.deck].cards))
    own = draw(st.sampled_from([0, row.hole_cards_dealt(0), row.hole_cards()]))  # 0: not in time
    shown = draw(st.sampled_from([0, 3, 4, 5])) if row.board_cards() else 0
    boards = [cards[own + at * shown : own + (at + 1) * shown] for at in range(row.boards)]
    return Situation(
        row=row,
        hole_cards=tuple(cards[:own]),
        boards=tuple([tuple(board) for board in boards]),
        middle=(),
        pot=draw(amounts),
        opponents=draw(st.integers(1, 9)),
        legal=draw(legal_sets()),
    )


characters = st.builds(Character, *(st.floats(0, 1) for _ in ("loose", "bold", "bluff", "wild")))


def is_legal(choice: BettingChoice, legal: Legal) -> bool:
    match choice.action:
        case BettingAction.FOLD:
            return legal.fold
        case BettingAction.CHECK:
            return legal.check
        case BettingAction.CALL:
            return legal.call_by > 0
        case BettingAction.BET:
            return allows(legal.bet, choice.to)
        case BettingAction.RAISE:
            return allows(legal.raise_, choice.to)
        case BettingAction.ALL_IN:
            return legal.call_all_in


def allows(option: RaiseRange | None, to: int) -> bool:
    if option is None:
        return False
    return to in option.sizes if option.sizes else option.min_to <= to <= option.max_to


@settings(deadline=None)  # tables of ranks are made when they are first wanted
@given(situations(), characters, st.integers(0, 2**32))
def test_every_choice_is_legal(situation: Situation, character: Character, seed: int) -> None:
    choice = choose_action(situation, character, Random(seed))
    assert is_legal(choice, situation.legal), choice


@settings(deadline=None)  # tables of ranks are made when they are first wanted
@given(situations(), characters, st.integers(0, 2**32))
def test_the_same_source_gives_the_same_choice(
    situation: Situation, character: Character, seed: int
) -> None:
    first = choose_action(situation, character, Random(seed))
    assert choose_action(situation, character, Random(seed)) == first


@settings(deadline=None)  # tables of ranks are made when they are first wanted
@given(situations(), characters, st.integers(0, 2**32))
def test_nobody_folds_for_free(situation: Situation, character: Character, seed: int) -> None:
    choice = choose_action(situation, character, Random(seed))
    assert not (situation.legal.check and choice.action is BettingAction.FOLD)


def test_bots_do_everything_sometimes() -> None:
    legal = Legal(
        fold=True,
        check=False,
        call_by=200,
        call_to=200,
        call_all_in=False,
        bet=None,
        raise_=RaiseRange(400, 10_000),
    )
    random = Random(7)
    kinds: dict[BettingAction, int] = dict.fromkeys(BettingAction, 0)
    all_in = 0
    for _ in range(2_000):
        own = tuple(random.sample(STANDARD.cards, 2))
        situation = Situation(HOLDEM, own, ((),), (), 300, 2, legal)
        choice = choose_action(situation, Character.drawn(random), random)
        kinds[choice.action] += 1
        all_in += choice == BettingChoice(BettingAction.RAISE, 10_000)
    assert (
        min(kinds[BettingAction.FOLD], kinds[BettingAction.CALL], kinds[BettingAction.RAISE]) > 150
    )
    assert 0 < all_in < 200


@pytest.mark.parametrize(
    ("better", "worse", "board"),
    [
        ("AsAh", "7s2h", ""),
        ("AsKs", "AsKh", ""),
        ("AsAh", "KsQh", "2c7d9s"),
        ("7s7h", "AsKh", "7c2d9s"),
        ("AsKs", "QhJd", "2s7s9d"),
        ("KsQh", "5s3h", "KcKdQs2h2c"),
    ],
)
def test_better_hands_look_better(better: str, worse: str, board: str) -> None:
    shown = parse_cards(board)
    assert holdem_strength(parse_cards(better), shown) > holdem_strength(parse_cards(worse), shown)
