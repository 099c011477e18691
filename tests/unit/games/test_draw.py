"""Draw games: the draw, all-in seats in it, and the deck that runs out."""

import pytest

from pokerfloor.cards import STANDARD
from pokerfloor.games import (
    GAMES,
    Act,
    ActKind,
    BetsCollected,
    CardsDrawn,
    Code,
    DeckReshuffled,
    DiscardCards,
    ForcedKind,
    Half,
    Hand,
    HandRedealt,
    HandShown,
    KnownDeck,
    PlacesDealt,
    RevealOrdered,
    SecondRoundFirst,
    Structure,
    SwapCards,
    WaitAction,
    WaitDiscard,
    check_setup,
    play_out,
)
from tests.support.games.scenario import Scenario, antes, refused, table

FIXED = Structure.FIXED_LIMIT


@pytest.mark.rule("DRW-1", "DRW-3", "DRW-4")
def test_one_discard_from_the_left_of_the_button_between_two_rounds() -> None:
    played = Scenario(table(100, 100, 100, game=GAMES["draw5"])).play("c c k")
    assert [str(place) for place in played.of(PlacesDealt)[-1].places] == ["burn.1"]
    wait = played.discard
    assert (wait.seat, wait.min_discards, wait.max_discards, len(wait.places)) == (1, 0, 5, 5)
    played.play("x135")
    assert played.last(CardsDrawn) == CardsDrawn(1, wait.turn_no, (1, 3, 5))
    assert [str(place) for place in played.last(PlacesDealt).places] == ["s1.6", "s1.7", "s1.8"]
    played.play("x x12345")
    assert [str(p) for p in played.hand.state.hole_places(1)] == [
        "s1.2",
        "s1.4",
        "s1.6",
        "s1.7",
        "s1.8",
    ]
    assert [place.slot for place in played.hand.state.hole_places(3)] == [6, 7, 8, 9, 10]
    assert played.seat == 3, "the second round begins where the first did"
    played.play("k k k")
    assert len(played.of(HandShown)) == 3
    assert played.last(HandShown).ranks[0].system == "joker_wild"


@pytest.mark.rule("DRW-3")
def test_with_antes_the_first_round_begins_left_of_the_button() -> None:
    setup = table(100, 100, 100, game=GAMES["draw5"], forced=antes(2, 3))
    played = Scenario(setup)
    assert played.seat == 1
    played.play("k k k x x x")
    assert played.seat == 1


def redealing(*stacks: int) -> Scenario:
    game = GAMES["draw5"]
    forced = antes(2, len(stacks))
    return Scenario(table(*stacks, game=game, forced=forced, redeal_when_checked=True))


@pytest.mark.rule("DRW-3")
def test_when_all_check_the_cards_are_dealt_again_for_another_ante() -> None:
    played = redealing(100, 100, 100).play("k k k")
    [redealt] = played.of(HandRedealt)
    assert redealt == HandRedealt(button=1, pot=6)
    [reshuffled] = played.of(DeckReshuffled)
    assert len(set(reshuffled.places)) == 54, "the whole deck"
    last = played.last(PlacesDealt)
    assert [str(place) for place in last.places[:4]] == ["s2.6", "s3.6", "s1.6", "s2.7"]
    assert (last.generation, last.first_index) == (1, 0)
    assert played.stacks == [96, 96, 96]
    assert played.seat == 2
    played.play("k k k")
    assert [event.button for event in played.of(HandRedealt)] == [1, 2]
    played.play("b4 c c x x x k k k")
    assert sum(played.stacks) == 300


@pytest.mark.rule("DRW-3", "POT-1")
def test_who_cannot_post_again_plays_for_what_is_in() -> None:
    played = redealing(100, 3, 100).play("k k k")
    assert played.stacks == [96, 0, 96]
    assert played.seat == 3
    played.play("b2 c x x x")
    pots = played.last(BetsCollected).pots
    assert [(pot.amount, pot.eligible) for pot in pots] == [(9, (1, 2, 3)), (6, (1, 3))]


@pytest.mark.rule("DRW-3")
def test_no_redeal_after_a_fold_or_a_bet_nor_by_default() -> None:
    assert not redealing(100, 100, 100).play("k f k").of(HandRedealt)
    assert not redealing(100, 100, 100).play("b2 c c").of(HandRedealt)
    setup = table(100, 100, game=GAMES["draw5"], forced=antes(2, 2))
    assert not Scenario(setup).play("k k").of(HandRedealt)
    blinds = table(100, 100, game=GAMES["draw5"], redeal_when_checked=True)
    assert [refusal.code for refusal in check_setup(blinds)] == [Code.BAD_FORCED_BETS]


@pytest.mark.rule("DRW-4", "BET-3")
def test_what_is_no_discard() -> None:
    played = Scenario(table(100, 100, 100, game=GAMES["draw5"])).play("c c k")
    turn_no = played.discard.turn_no
    for given, code in (
        (DiscardCards(2, turn_no, ()), Code.NOT_YOUR_TURN),
        (DiscardCards(1, turn_no - 1, ()), Code.STALE_TURN),
        (DiscardCards(1, turn_no, (6,)), Code.WRONG_SLOTS),
        (DiscardCards(1, turn_no, (1, 1)), Code.WRONG_SLOTS),
        (SwapCards(1, turn_no, (1,)), Code.UNEXPECTED_INPUT),
        (Act(1, turn_no, ActKind.CHECK), Code.UNEXPECTED_INPUT),
    ):
        assert refused(played.hand, given).code == code


@pytest.mark.rule("DRW-4", "BET-2")
def test_all_in_seats_discard_too_and_hands_are_exposed_after_the_last_choice() -> None:
    played = Scenario(table(20, 20, 100, game=GAMES["draw27_triple"], structure=Structure.NO_LIMIT))
    played.play("a c c")
    for _ in range(3):
        assert not [event for event in played.of(RevealOrdered) if event.places]
        played.play("x x1 x" if played.hand.state.street_no == 1 else "x x x")
    assert len(played.of(RevealOrdered)) == 1
    assert len(played.of(HandShown)) == 3


@pytest.mark.rule("DRW-5")
def test_the_deck_runs_out_and_used_cards_come_back_never_ones_own() -> None:
    setup = table(*[100] * 6, game=GAMES["draw27_single"], structure=Structure.NO_LIMIT)
    played = Scenario(setup).play("c c c c c k")
    assert played.hand.state.cards.left() == 52 - 31
    played.play("x12345 x12345 x12345 x12345")
    assert played.hand.state.cards.left() == 1
    played.play("x12345")
    [reshuffled] = played.of(DeckReshuffled)
    owners = {place.owner for place in reshuffled.places}
    assert owners == {0, 1, 2, 3, 4}, "the burn and those who have finished"
    assert (reshuffled.generation, len(reshuffled.places)) == (1, 21)
    first, second = played.of(PlacesDealt)[-2:]
    assert (len(first.places), first.generation) == (1, 0)
    assert (len(second.places), second.generation, second.first_index) == (4, 1, 0)
    played.play("x1")
    assert len(played.of(DeckReshuffled)) == 1


@pytest.mark.rule("DRW-5")
def test_a_known_deck_gives_the_faces_of_later_generations() -> None:
    setup = table(*[100] * 6, game=GAMES["draw27_triple"], structure=FIXED, big_bet_minor=4)
    hand = Hand(setup)

    def check_or_call(wait: WaitAction, _: Hand) -> Act:
        kind = ActKind.CHECK if wait.legal.can_check else ActKind.CALL
        return Act(wait.seat, wait.turn_no, kind)

    def all_five(wait: WaitDiscard, _: Hand) -> DiscardCards:
        slots = tuple(place.slot for place in wait.places)
        return DiscardCards(wait.seat, wait.turn_no, slots)

    deck = KnownDeck(STANDARD.cards, reshuffle=lambda _, cards: cards[::-1])
    over = play_out(hand, deck, check_or_call, discard=all_five)
    assert hand.state.cards.generation > 1
    shown = [card for entry in over.result.shown for _, card in entry.cards]
    assert len(set(shown)) == 30
    assert sum(hand.state.stacks) == 600


@pytest.mark.parametrize(
    ("name", "hands", "winner"),
    [
        ("draw27_single", {1: "2c3d4h5s7c", 2: "2d3h4s5c6d"}, 1),  # a straight is bad
        ("draw27_triple", {1: "Ac2d3h4s6c", 2: "8d7h6s5c3d"}, 2),  # the ace is high
        ("badugi", {1: "2c3d4hKs", 2: "Ac2dAh3s"}, 1),  # four cards beat three
    ],
)
def test_the_low_games(name: str, hands: dict[int, str], winner: int) -> None:
    game = GAMES[name]
    setup = table(100, 100, game=game, structure=game.structures[0], big_bet_minor=4)
    played = Scenario(setup, hands).play("c k")
    while not played.hand.state.ended:
        played.play("x x k k")
    assert [(a.half, a.seat) for a in played.over.result.awards] == [(Half.LOW, winner)]


@pytest.mark.rule("BET-30")
def test_the_tiers_of_a_triple_draw() -> None:
    setup = table(100, 100, game=GAMES["draw27_triple"], structure=FIXED, big_bet_minor=4)
    played = Scenario(setup).play("c k")
    sizes = []
    while not played.hand.state.ended:
        played.play("x x")
        sizes.append(played.legal.bet_min)
        played.play("k k")
    assert sizes == [2, 4, 4]


@pytest.mark.rule("DRW-6", "POT-1")
def test_equal_hands_share_and_blinds_are_the_default() -> None:
    hole = {1: "2c3d4h5sXr", 2: "2d3h4s5cXb"}
    played = Scenario(table(50, 50, game=GAMES["draw5"]), hole).play("c k x x k k")
    assert played.stacks == [50, 50]
    assert played.last(BetsCollected).pots[0].amount == 4
    assert all(bet.kind is not ForcedKind.ANTE for bet in played.hand.setup.forced)


@pytest.mark.rule("DRW-3")
@pytest.mark.parametrize(
    ("rule", "seats"),
    [(SecondRoundFirst.AS_FIRST, (3, 3)), (SecondRoundFirst.LEFT_OF_BUTTON, (3, 1))],
)
def test_who_begins_the_second_round(rule: SecondRoundFirst, seats: tuple[int, int]) -> None:
    played = Scenario(table(100, 100, 100, game=GAMES["draw5"], second_round_first=rule))
    first = played.seat
    played.play("c c k x x x")
    assert (first, played.seat) == seats


@pytest.mark.rule("DRW-3")
def test_with_antes_both_rounds_begin_left_of_the_button_anyway() -> None:
    left = SecondRoundFirst.LEFT_OF_BUTTON
    setup = table(100, 100, 100, game=GAMES["draw5"], forced=antes(2, 3), second_round_first=left)
    played = Scenario(setup).play("k k k x x x")
    assert played.seat == 1


@pytest.mark.rule("DRW-4")
@pytest.mark.parametrize("most", [0, 4, 5])
def test_the_most_that_may_be_drawn(most: int) -> None:
    played = Scenario(table(100, 100, game=GAMES["draw5"], max_draw=most)).play("c k")
    wait = played.discard
    assert (wait.min_discards, wait.max_discards) == (0, most or 5)
    five = DiscardCards(wait.seat, wait.turn_no, (1, 2, 3, 4, 5))
    if most == 4:
        refusal = refused(played.hand, five)
        assert (refusal.code, refusal.field) == (Code.WRONG_SLOTS, "slots")
        played.play("x1234")
    else:
        played.give(five)


@pytest.mark.rule("DRW-3", "DRW-4")
@pytest.mark.parametrize(
    ("game", "settings", "field"),
    [
        ("draw5", {"max_draw": 6}, "settings.max_draw"),
        ("draw5", {"max_draw": -1}, "settings.max_draw"),
        ("badugi", {"max_draw": 5}, "settings.max_draw"),
        ("badugi", {"max_draw": 4}, None),
        ("holdem", {"max_draw": 3}, "settings.max_draw"),
        (
            "holdem",
            {"second_round_first": SecondRoundFirst.LEFT_OF_BUTTON},
            "settings.second_round_first",
        ),
        ("draw27_single", {"second_round_first": SecondRoundFirst.LEFT_OF_BUTTON}, None),
    ],
)
def test_settings_of_the_draw(game: str, settings: dict[str, object], field: str | None) -> None:
    structure = GAMES[game].structures[0]
    setup = table(100, 100, game=GAMES[game], structure=structure, big_bet_minor=4, **settings)  # type: ignore[arg-type]  # fields by name
    assert [refusal.field for refusal in check_setup(setup)] == ([field] if field else [])
