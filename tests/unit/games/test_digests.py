"""Digests of hands are kept in logs: what they are made of is pinned here, step by step.

A digest that differs means that hands on record can no longer be checked. A new field of a state
stands in its canonical form only where it is not the default.
"""

import json
import random
from collections.abc import Callable
from hashlib import sha256

import pytest

from pokerfloor.cards import DECKS
from pokerfloor.games import (
    GAMES,
    Carried,
    ForcedBet,
    ForcedKind,
    GameRow,
    Hand,
    KnownDeck,
    Losers,
    Over,
    RakeRule,
    Refusal,
    Shortage,
    Structure,
    Void,
    WaitBegin,
    WaitCards,
    WaitShowdown,
    canonical_setup,
)
from tests.support.games.mata_table import checked_down, mata
from tests.support.games.random_hands import random_input, random_setup
from tests.support.games.scenario import Scenario, antes, table

FIXED = Structure.FIXED_LIMIT
HOLE = {1: "AsAh", 2: "KsKh", 3: "QsQh"}
POOR = {1: "Kc2c7d5s9h", 2: "Qc3c8dTs4h", 3: "Jc4c6d9sTh"}


def holdem() -> Scenario:
    """Side pots, rake, a mucked hand."""
    setup = table(30, 200, 200, losers=Losers.MUCK, rake=RakeRule(500))
    return Scenario(setup, HOLE, "2c3d7h8sTc").play("r10 a c c b20 c k k k k")


def swap() -> Scenario:
    return Scenario(table(100, 100, 100, game=GAMES["swap_holdem"])).play(
        "s12 c s1 c k k s2 b4 c f"
    )


def stud() -> Scenario:
    """An open pair, the larger bet, the turn of the next."""
    setup = table(
        *[200] * 3,
        game=GAMES["stud7"],
        structure=FIXED,
        forced=antes(1, 3),
        big=10,
        big_bet_minor=20,
    )
    hole = {1: "AcAd4c5c", 2: "2c3d9h9d", 3: "KcKd7c8c"}
    return Scenario(setup, hole).play("c c b20 r40")


def draw() -> Scenario:
    """The deck runs out in mid-hand."""
    setup = table(*[100] * 6, game=GAMES["draw27_single"])
    return Scenario(setup).play("c c c c c k x12345 x12345 x12345 x12345 x12345 x")


def redealt() -> Scenario:
    setup = table(*[100] * 3, game=GAMES["draw5"], forced=antes(2, 3), redeal_when_checked=True)
    return Scenario(setup).play("k k k k k k b4 c c x")


def facings() -> Scenario:
    """Carried into the hand; one card is down, the next seat has not said."""
    return mata(200, 200, 200, hole=POOR, carried=Carried(5, (1, 3))).play("k k k d u d k b20")


def split() -> Scenario:
    """Nobody qualifies: one has agreed to split, and then one does not."""
    return checked_down(mata(200, 200, 200, hole=POOR, middle="2h6cKh")).play("y2 n1")


def bomb() -> Scenario:
    setup = table(*[100] * 3, game=GAMES["omaha4_hilo_double"], forced=antes(5, 3, ForcedKind.BOMB))
    return Scenario(setup, {1: "As2s3dKd"}, ("4c5d8hTsJs", "QsQhQdKcKh")).play("k k b10 c f")


def voided() -> Scenario:
    played = Scenario(table(100, 100, 100, 100, extra=(ForcedBet(3, ForcedKind.POST, 2),)))
    played.play("k c c")
    played.events += played.hand.execute(Void("power cut"))  # type: ignore[arg-type]  # accepted
    return played


@pytest.mark.parametrize(
    ("hand", "digest"),
    [
        (holdem, "076838d2b8ef16d1"),
        (swap, "335d491635be7167"),
        (stud, "0dc291826ad25393"),
        (draw, "0efedc2587362ed3"),
        (redealt, "2b3209b42e40a2ed"),
        (facings, "dd6bd8a0aa4368cf"),
        (split, "575c963d605fb9a1"),
        (bomb, "88c4975662f4a21a"),
        (voided, "a00d16fb38ef65e1"),
    ],
)
def test_the_digests_of_a_hand_after_each_event(hand: Callable[[], Scenario], digest: str) -> None:
    played = hand()
    folded = Hand(played.hand.setup)
    steps = sha256(folded.digest())
    for event in played.events:
        folded.apply(event)
        steps.update(folded.digest())
    assert folded == played.hand
    assert steps.hexdigest()[:16] == digest


def test_a_digest_can_be_made_anew_from_what_is_stored() -> None:
    hand = holdem().hand

    def made_of(value: object) -> str:
        return sha256(json.dumps(value, separators=(",", ":")).encode()).hexdigest()

    setup = made_of(canonical_setup(hand.setup))
    assert hand.digest().hex() == made_of([setup, hand.canonical()])


def test_a_setup_is_its_first_settings_in_order_and_later_ones_by_name() -> None:
    plain = canonical_setup(table(100, 90))
    assert json.loads(json.dumps(plain)) == [
        1,
        "holdem",
        "no_limit",
        [1, 2, 0, "increment", 3, False, "show", [0, [], True], True, False],
        [[1, 100], [2, 90]],
        2,
        [[2, "small_blind", 1], [1, "big_blind", 2]],
    ]
    stud = GAMES["stud7"]
    short = Shortage.RESHUFFLE_BURNS
    later = canonical_setup(
        table(100, 90, game=stud, structure=FIXED, bring_in_minor=1, seventh_shortage=short)
    )
    assert json.loads(json.dumps(later[3]))[10:] == [
        ["bring_in_minor", 1],
        ["seventh_shortage", "reshuffle_burns"],
    ]
    carried = canonical_setup(mata(100, 100, carried=Carried(5, (1,))).hand.setup)
    assert json.loads(json.dumps(carried[-1])) == [5, [1]]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_copy_is_the_same_hand_and_goes_its_own_way(game: GameRow) -> None:
    rng = random.Random(game.id)
    setup = random_setup(rng, game)
    cards = list(DECKS[setup.game.deck].cards)
    rng.shuffle(cards)
    deck = KnownDeck(cards)
    hand, _ = Hand.begin(setup)
    while not isinstance(wait := hand.waits_for(), Over):
        assert not isinstance(wait, WaitBegin)
        given = (
            deck.answer(hand, wait)
            if isinstance(wait, WaitCards | WaitShowdown)
            else random_input(wait, rng)
        )
        before = hand.digest()
        twin = hand.copy()
        assert twin == hand
        assert twin.waits_for() == wait
        assert twin.digest() == before
        events = twin.execute(given)
        assert not isinstance(events, Refusal)
        assert hand.digest() == before
        assert hand.waits_for() == wait
        assert hand.decide(given) == events
        assert hand.execute(given) == events
        assert twin == hand
        assert twin.digest() == hand.digest()
        assert twin.state.cards.boards == hand.state.cards.boards
        assert twin.state.cards.held == hand.state.cards.held
        assert twin.state.up == hand.state.up


def test_hands_are_equal_only_with_the_same_setup_and_state() -> None:
    hand, other_stack, later = (
        Hand(table(100, 100)),
        Hand(table(100, 101)),
        Hand.begin(table(100, 100))[0],
    )
    assert hand == Hand(table(100, 100))
    assert hand != other_stack
    assert hand != later
    other_setup = Hand(table(100, 100, losers=Losers.MUCK))
    assert hand.canonical() == other_setup.canonical()
    assert hand != other_setup
    assert hand != "a hand"
