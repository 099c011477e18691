"""Games from files: some that must run, and rows that once passed and could not be played."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from pokerfloor.cards import STANDARD, STANDARD_TWO_JOKERS
from pokerfloor.games import (
    GAMES,
    Act,
    ActKind,
    BetTier,
    CardsRevealed,
    Deal,
    DealTo,
    DeckReshuffled,
    DiscardCards,
    DrawRound,
    Event,
    Exposed,
    ForcedKind,
    GameRow,
    Half,
    Hand,
    HandShown,
    HoleCardUse,
    KnownDeck,
    OddChips,
    PlacesDealt,
    PotPart,
    RevealOrdered,
    RevealReason,
    Street,
    Structure,
    WaitAction,
    WaitDiscard,
    check_row,
    play_out,
    row_from_json,
)
from pokerfloor.ranking import HIGH52
from tests.support.games.scenario import Scenario, antes, table

ROWS = Path(__file__).parent / "rows"
HOLDEM, STUD = GAMES["holdem"], GAMES["stud7"]
RAGS = "2c3d7h8sTc"


def from_file(name: str) -> GameRow:
    row = row_from_json((ROWS / name).read_text(encoding="utf-8"))
    assert isinstance(row, GameRow), row
    assert row.id not in GAMES
    return row


def test_pineapple_gives_up_one_card_before_the_flop() -> None:
    row = from_file("pineapple_before_flop.json")
    hand = Scenario(table(100, 100, 100, game=row), {1: "AsAhKd", 2: "QsQhJd", 3: "KsKh4d"}, RAGS)
    hand.play("c c k")
    assert (hand.discard.seat, hand.discard.min_discards, hand.discard.max_discards) == (1, 1, 1)
    assert not hand.of(CardsRevealed), "no flop before the discards"
    hand.play("x3 x3 x3")
    assert [len(event.cards) for event in hand.of(CardsRevealed)] == [3]
    hand.play("k k k " * 3)
    assert [len(shown.cards) for shown in hand.of(HandShown)] == [2, 2, 2]
    assert hand.stacks == [104, 98, 98]


def test_pineapple_all_in_before_the_flop_discards_first_and_is_exposed_then() -> None:
    hand = Scenario(table(9, 9, game=from_file("pineapple_before_flop.json")), turning=False)
    hand.play("a c")
    assert not hand.of(RevealOrdered)
    hand.play("x1 x2")
    hand.turning = True
    hand.advance()
    reasons = [event.reason for event in hand.of(RevealOrdered)]
    assert reasons[:2] == [RevealReason.BOARD, RevealReason.ALL_IN]
    assert sum(hand.stacks) == 18


def test_pineapple_as_a_bomb_pot() -> None:
    row = from_file("pineapple_before_flop.json")
    hand = Scenario(table(100, 100, 100, game=row, forced=antes(5, 3, ForcedKind.BOMB)))
    assert hand.discard.seat == 1
    hand.play("x1 x2 x3 b5 f c k k k k")
    assert sum(hand.stacks) == 300


def test_irish_gives_up_two_cards_before_the_turn() -> None:
    row = from_file("irish.json")
    hand = Scenario(table(100, 100, game=row, structure=Structure.POT_LIMIT)).play("c k k k")
    hand.play("x12 x34 k k k k")
    assert [len(shown.cards) for shown in hand.of(HandShown)] == [2, 2]


@pytest.mark.rule("DRW-5", "TBL-1")
def test_a_board_is_dealt_from_used_cards_when_the_draw_has_used_up_the_deck() -> None:
    row = from_file("draw_omaha.json")
    assert row.cards_needed(10, burn=True) == 52
    for seed in range(10):
        cards = Random(seed).sample(STANDARD.cards, 52)
        events: list[Event] = []
        hand = Hand(table(*[100] * 10, game=row, structure=Structure.POT_LIMIT))
        play_out(hand, KnownDeck(cards), _stays, events.append, _changes_all)
        places = [place for e in events if isinstance(e, PlacesDealt) for place in e.places]
        assert len(set(places)) == len(places) == 10 * 8 + 5 + 3
        assert len([event for event in events if isinstance(event, DeckReshuffled)]) > 3
        assert len([event for event in events if isinstance(event, HandShown)]) == 10


def _stays(wait: WaitAction, _: Hand) -> Act:
    kind = ActKind.CHECK if wait.legal.can_check else ActKind.CALL
    return Act(wait.seat, wait.turn_no, kind)


def _changes_all(wait: WaitDiscard, _: Hand) -> DiscardCards:
    return DiscardCards(wait.seat, wait.turn_no, tuple([place.slot for place in wait.places]))


def stud_dealt(*deals: tuple[Deal, ...], **changes: object) -> GameRow:
    """Stud with other deals, street by street."""
    streets = [
        replace(street, deals=dealt, open_pair=False)
        for street, dealt in zip(STUD.streets, deals, strict=False)
    ]
    return replace(
        STUD,
        id="other",
        streets=tuple(streets),
        community_last=False,
        **changes,  # type: ignore[arg-type]  # fields by name
    )


UP, DOWN = (Deal(DealTo.SEAT_UP, 1),), (Deal(DealTo.SEAT_DOWN, 1),)


def refused(row: GameRow, field: str, words: str) -> None:
    refusal = check_row(row)
    assert refusal is not None
    assert (refusal.code, refusal.field) == ("BAD_GAME_ROW", field)
    assert words in refusal.reason


def test_a_game_of_up_cards_alone_has_nothing_to_expose() -> None:
    refused(stud_dealt(*[UP] * 5), "streets", "face down on the first street")
    refused(stud_dealt(UP, DOWN, UP, UP, UP), "streets", "face down on the first street")
    assert check_row(stud_dealt(DOWN + UP, UP, UP, UP)) is None


def test_a_deck_must_be_ranked_card_by_card() -> None:
    jokers = STANDARD_TWO_JOKERS.name
    refused(replace(HOLDEM, id="other", deck=jokers), "deck", "high52 does not rank every card")
    draw = replace(GAMES["draw5"], id="other", odd_chips=OddChips.BY_CARD)
    refused(draw, "deck", "a joker has no rank")
    stud5 = stud_dealt(DOWN + UP, UP, UP, UP, deck=jokers, parts=GAMES["draw5"].parts)
    refused(stud5, "deck", "a joker has no rank")
    assert check_row(stud_dealt(DOWN + UP, UP, UP, UP, parts=STUD.parts)) is None


def test_a_hand_has_hole_cards_and_a_board_has_seven_cards_at_most() -> None:
    gone = replace(HOLDEM.streets[3], draw=DrawRound(2, 2, replaced=False))
    refused(
        replace(HOLDEM, id="other", streets=(*HOLDEM.streets[:3], gone)), "streets", "hole cards"
    )
    flop = replace(HOLDEM.streets[1], deals=(Deal(DealTo.BOARD, 7),))
    long = replace(
        GAMES["omaha4"], id="other", streets=(GAMES["omaha4"].streets[0], flop, *HOLDEM.streets[2:])
    )
    refused(long, "streets", "4 hole and 9 board cards, at most 7 each")


def test_an_up_card_is_revealed_once_also_where_the_blinds_open() -> None:
    """A row with up cards in which no exposed hand opens a street."""
    first = replace(HOLDEM.streets[0], deals=(Deal(DealTo.SEAT_DOWN, 4),))
    second = Street("the up card", 0, UP, HOLDEM.streets[1].opener, BetTier.SMALL)
    row = replace(
        HOLDEM,
        id="last_one_up",
        streets=(first, second),
        hole_cards_used=HoleCardUse.ANY,
        parts=(PotPart(Half.HIGH, HIGH52.name),),
        bomb_pots=False,
    )
    assert check_row(row) is None
    assert row.exposed is not Exposed.HIGH
    hand = Scenario(table(50, 50, game=row)).play("c k k k")
    revealed = [place for event in hand.of(RevealOrdered) for place in event.places]
    assert len(revealed) == len(set(revealed)) == 10
    assert [len(shown.cards) for shown in hand.of(HandShown)] == [5, 5]


@pytest.mark.rule("DRW-3")
def test_burns_are_numbered_on_after_a_redeal() -> None:
    row = from_file("draw_omaha.json")
    burning = replace(row.streets[2], burns=1)
    row = replace(row, streets=(*row.streets[:2], burning, row.streets[3]))
    setup = table(
        100,
        100,
        game=row,
        forced=antes(2, 2),
        structure=Structure.NO_LIMIT,
        redeal_when_checked=True,
    )
    hand = Scenario(setup).play("k k b2 c x56 x7 k k k k k k")
    burned = [
        str(place)
        for event in hand.of(PlacesDealt)
        for place in event.places
        if str(place).startswith("burn")
    ]
    assert len(set(burned)) == len(burned) == (52 - 8) + 3
    assert sum(hand.stacks) == 200
