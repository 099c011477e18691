"""A deck whose every card is known, and the policies that answer for seats."""

import pytest

from pokerfloor.cards import DECKS, STANDARD, UNKNOWN, parse_cards
from pokerfloor.games import (
    GAMES,
    Act,
    ActKind,
    ChooseFacing,
    Code,
    DiscardCards,
    Hand,
    HandSetup,
    HandShown,
    KnownDeck,
    Losers,
    RefusedError,
    WaitAction,
    WaitDiscard,
    WaitFacing,
    play_out,
    seat_place,
)
from pokerfloor.games.known_deck import take_up
from tests.support.games.scenario import antes, table
from tests.unit.games.test_row_file import from_file

DECK = STANDARD.cards  # from the two of clubs up


def passive(turn: WaitAction, _hand: Hand) -> Act:
    kind = ActKind.CHECK if turn.legal.can_check else ActKind.CALL
    return Act(turn.seat, turn.turn_no, kind)


def shown(setup: HandSetup, deck: KnownDeck) -> list[int]:
    hand, _ = Hand.begin(setup)
    return [one.seat for one in play_out(hand, deck, passive).result.shown]


@pytest.mark.rule("SHW-2")
def test_who_always_shows_is_known_to_the_deck() -> None:
    setup = table(100, 100, 100, losers=Losers.MUCK)
    # Aces for seat 1, nothing for the others; then burn and board.
    order = parse_cards("Ac2c3dAd4d5h2d7h9sJc2hKs2sTd")
    assert shown(setup, KnownDeck(order)) == [1]
    assert shown(setup, KnownDeck(order, always_show=(3,))) == [1, 3]


@pytest.mark.rule("DRW-4")
def test_who_stands_pat_gives_up_as_little_as_the_game_takes() -> None:
    hand, _ = Hand.begin(table(100, 100, game=from_file("pineapple.json")))
    over = play_out(hand, KnownDeck(DECK), passive)
    assert [tuple(place for place, _ in one.cards) for one in over.result.shown] == [
        (seat_place(1, 2), seat_place(1, 3)),
        (seat_place(2, 2), seat_place(2, 3)),
    ]
    draw, _ = Hand.begin(table(100, 100, game=GAMES["draw5_no_joker"]))
    kept = play_out(draw, KnownDeck(DECK), passive).result.shown
    assert [place.slot for place, _ in kept[0].cards] == [1, 2, 3, 4, 5]


@pytest.mark.rule("MAT-3")
def test_who_says_nothing_takes_its_cards_up() -> None:
    hand, _ = Hand.begin(table(100, 100, 100, game=GAMES["mata_ases"], forced=antes(2, 3), big=2))
    play_out(hand, KnownDeck(DECK), passive)
    assert hand.state.down == (2, 2, 2), "the first card down stayed the one"
    place = seat_place(1, 3)
    assert take_up(WaitFacing(1, 7, place, seat_place(1, 2)), hand) == ChooseFacing(
        1, 7, face_down=False
    )


@pytest.mark.rule("DRW-5")
def test_a_later_generation_is_in_the_order_it_was_shuffled_to() -> None:
    asked: list[tuple[int, tuple[int, ...]]] = []

    def backwards(generation: int, cards: tuple[int, ...]) -> tuple[int, ...]:
        asked.append((generation, cards))
        return cards[::-1]

    def all_new(wait: WaitDiscard, _hand: Hand) -> DiscardCards:
        slots = tuple([place.slot for place in wait.places])
        return DiscardCards(wait.seat, wait.turn_no, slots)

    setup = table(*[100] * 6, game=GAMES["draw27_single"])
    cards = DECKS[setup.game.deck].cards
    as_named, reversed_ = Hand.begin(setup)[0], Hand.begin(setup)[0]
    plain = play_out(as_named, KnownDeck(cards), passive, discard=all_new)
    other = play_out(reversed_, KnownDeck(cards, reshuffle=backwards), passive, discard=all_new)
    # 31 are dealt and burned; of 21 left, four seats take five each and the fifth takes one. Then
    # the burn and what the first four gave up are shuffled: 21 cards.
    [used] = as_named.state.cards.reshuffled
    named = tuple([cards[as_named.state.cards.places[place].index] for place in used])
    assert set(asked) == {(1, named)}
    held = {one.seat: [card for _, card in one.cards] for one in plain.result.shown}
    assert held[5] == [cards[51], *named[:4]]
    assert held[6] == list(named[4:9])
    revealed = {one.seat: [card for _, card in one.cards] for one in other.result.shown}
    assert revealed[5] == [cards[51], *named[::-1][:4]]
    assert revealed[6] == list(named[::-1][4:9])
    assert revealed[1] == held[1]


def test_what_is_refused_is_raised_with_the_reason_and_what_it_was_for() -> None:
    hand, _ = Hand.begin(table(100, 100))
    with pytest.raises(RefusedError) as caught:
        play_out(hand, KnownDeck(DECK), lambda turn, _: Act(turn.seat, 9, ActKind.FOLD))
    assert caught.value.refusal.code == Code.STALE_TURN
    assert str(caught.value) == (
        f"STALE_TURN: this is turn 1, the action answers turn 9 ({Act(2, 9, ActKind.FOLD)})"
    )
    unread, _ = Hand.begin(table(100, 100))
    with pytest.raises(RefusedError) as missing:
        play_out(unread, KnownDeck([UNKNOWN, *DECK[1:]]), passive)
    assert missing.value.refusal.code == Code.WRONG_CARDS
    assert "WaitShowdown" in str(missing.value)
    assert str(missing.value).startswith("WRONG_CARDS: no faces for the cards of seats [1]")


def test_every_event_is_watched_once_it_has_been_applied() -> None:
    hand, _ = Hand.begin(table(100, 100))
    seen: list[object] = []
    play_out(hand, KnownDeck(DECK), passive, seen.append)
    again = Hand.begin(table(100, 100))[0]
    for event in seen:
        again.apply(event)  # type: ignore[arg-type]  # an event
    assert again == hand
    assert sum(isinstance(event, HandShown) for event in seen) == 2
