"""Mixed games: which games, in sequence and at random, and how a draw chooses (MIX)."""

from collections import Counter

import pytest

from floor_table.domain import (
    BeginHandIn,
    CardsIn,
    CloseDeckEffect,
    DeckEffect,
    Operation,
    RevealEffect,
    replay,
)
from floor_table.domain.settings.check import check_settings
from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.events.v1 import hand_events_pb2, table_events_pb2
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.settings.v1 import settings_pb2 as pb
from pokerfloor.api.shuffler.v1 import shuffler_pb2
from pokerfloor.cards import STANDARD, cards_text, parse_card, parse_cards
from pokerfloor.tablelog import (
    LogError,
    cards_of_game_draw,
    game_drawn,
    mixed_game_name,
    with_defaults,
)
from tests.support.evening import Evening, code, minor, names
from tests.support.mixed_tables import CHOICE, RANDOM, SEQUENCE, mixed_table
from tests.support.table.mixed_evening import chosen, next_hand, opened, sit, stored

# --- MIX-1: which games


@pytest.mark.rule("MIX-1")
def test_four_games_with_the_same_blinds_are_the_default() -> None:
    settings = mixed_table(CHOICE, seats=7)
    assert check_settings(settings) is None
    games = with_defaults(settings).mixed.games
    assert [mixed_game_name(game) for game in games] == ["holdem", "omaha4", "omaha5", "omaha6"]
    assert [game.structure for game in games] == [
        pb.BETTING_STRUCTURE_NO_LIMIT,
        *[pb.BETTING_STRUCTURE_POT_LIMIT] * 3,
    ]
    assert {(game.small_blind.minor, game.big_blind.minor) for game in games} == {(1, 2)}


@pytest.mark.rule("MIX-1", "TBL-1")
@pytest.mark.parametrize(
    ("games", "most", "total"),
    [
        ((), 7, "8 x 6 hole + 5 board + 3 burned = 56 cards"),
        (("holdem", "omaha4"), 10, ""),
        (("holdem", "omaha4_double"), 9, "10 x 4 hole + 10 board + 3 burned = 53 cards"),
        (("omaha5", "holdem"), 8, "9 x 5 hole + 5 board + 3 burned = 53 cards"),
    ],
)
def test_the_seats_are_those_of_the_game_with_the_fewest(
    games: tuple[str, ...], most: int, total: str
) -> None:
    assert check_settings(mixed_table(CHOICE, *games, seats=most)) is None
    if not total:
        return
    refusal = check_settings(mixed_table(CHOICE, *games, seats=most + 1))
    assert refusal is not None
    assert refusal.field == "seats"
    assert total in refusal.reason
    assert f"2 to {most} seats" in refusal.reason


def _changed(change: str) -> pb.TableSettings:  # noqa: C901  # a line or two a change
    settings = mixed_table(SEQUENCE, "holdem", "omaha4")
    first, second = settings.mixed.games
    match change:
        case "one":
            del settings.mixed.games[1]
        case "five":
            for name in ("omaha5", "omaha6", "short_deck"):
                settings.mixed.games.add(game=name)
        case "twice":
            second.game = "holdem"
        case "stud":
            second.game = "stud7"
        case "blinds":
            second.big_blind.CopyFrom(minor(4))
        case "ante":
            first.ante.kind = pb.ANTE_KIND_EVERYONE
            first.ante.amount.CopyFrom(minor(1))
        case "row":
            second.custom_row_json = "{}"
        case "option":
            second.trips_beat_straight = True
        case "rotate":
            settings.mixed.mode, settings.mixed.rotate = RANDOM, pb.ROTATE_CIRCLE
        case "bombs":
            second.game = "swap_holdem"
            settings.bomb_pot.amount.CopyFrom(minor(4))
        case "no blinds":
            settings.mixed.ClearField("big_blind")
    return settings


@pytest.mark.rule("MIX-1", "MIX-2")
@pytest.mark.parametrize(
    ("change", "path"),
    [
        ("one", "mixed.games"),
        ("five", "mixed.games"),
        ("twice", "mixed.games"),
        ("stud", "mixed.games.game"),
        ("blinds", "mixed.games.big_blind"),
        ("ante", "mixed.games.ante"),
        ("row", "mixed.games.custom_row_json"),
        ("option", "mixed.games.trips_beat_straight"),
        ("rotate", "mixed.rotate"),
        ("bombs", "bomb_pot"),
        ("no blinds", "mixed.games.big_blind"),
    ],
)
def test_what_makes_no_mix(change: str, path: str) -> None:
    refusal = check_settings(_changed(change))
    assert refusal is not None
    assert refusal.field == path


@pytest.mark.rule("MIX-1")
def test_the_same_game_in_two_structures_is_two_games() -> None:
    settings = mixed_table(SEQUENCE, "holdem", "holdem")
    limit = settings.mixed.games[1]
    limit.structure = pb.BETTING_STRUCTURE_FIXED_LIMIT
    limit.big_bet.CopyFrom(minor(4))
    evening = sit(settings)
    assert evening.table.rules.games == ("holdem", "holdem_fixed_limit")
    next_hand(evening)
    assert opened(evening).game.structure == pb.BETTING_STRUCTURE_FIXED_LIMIT


@pytest.mark.rule("MIX-1", "SHD-2")
def test_short_deck_in_a_mix_is_posted_as_short_deck_and_owes_no_blinds() -> None:
    evening = sit(mixed_table(SEQUENCE, "holdem", "short_deck"), 4, "Kd2c3c4c")
    assert [(bet.seat, bet.amount.minor) for bet in opened(evening).forced_bets] == [(2, 1), (3, 2)]
    stored(evening.sit_out("p4"))
    evening.sit("p5", 5)
    next_hand(evening)
    hand = opened(evening)
    antes = [
        bet.seat for bet in hand.forced_bets if bet.kind == hand_events_pb2.FORCED_BET_KIND_ANTE
    ]
    blinds = [
        (bet.seat, bet.amount.minor) for bet in hand.forced_bets if bet.seat not in antes[:-1]
    ]
    assert sorted(antes) == [1, 2, 3, 5], "who has just sat down is in with the ante"
    assert (hand.button, blinds[-1]) == (2, (2, 2)), "the button posts the blind"
    assert (hand.small_blind_seat, hand.big_blind_seat) == (3, 5)
    next_hand(evening)
    hand = opened(evening)
    assert (hand.game.game, hand.button) == ("holdem", 3)
    assert [(bet.seat, bet.amount.minor) for bet in hand.forced_bets] == [(5, 1), (1, 2)]
    assert evening.table.seats[4].big_missed == 0, "nobody misses blinds of short deck"


# --- MIX-2: in sequence


def _games(evening: Evening, hands: int) -> list[str]:
    found = [opened(evening).game.game]
    for _ in range(hands - 1):
        next_hand(evening)
        found.append(opened(evening).game.game)
    return found


@pytest.mark.rule("MIX-2")
def test_a_sequence_moves_on_each_hand() -> None:
    evening = sit(mixed_table(SEQUENCE, "holdem", "omaha4", "omaha5"))
    assert _games(evening, 5) == ["holdem", "omaha4", "omaha5", "holdem", "omaha4"]
    assert (chosen(evening).game, chosen(evening).method) == (
        "omaha4",
        table_events_pb2.CHOICE_METHOD_SEQUENCE,
    )
    assert names(evening.steps[-1])
    with_hand = [names(step) for step in evening.steps if "game_chosen" in names(step)]
    assert all(kinds == ["game_chosen", "hand_began"] for kinds in with_hand)


@pytest.mark.rule("MIX-2")
def test_a_sequence_moves_on_with_the_circle() -> None:
    evening = sit(mixed_table(SEQUENCE, "holdem", "omaha4", by_circle=True))
    assert _games(evening, 7) == ["holdem"] * 3 + ["omaha4"] * 3 + ["holdem"]


@pytest.mark.rule("MIX-2")
def test_a_void_hand_is_played_again_as_the_same_game() -> None:
    evening = sit(mixed_table(SEQUENCE, "holdem", "omaha4"))
    stored(evening.operate(Operation.VOID, reason="fouled deck", hand_no=1))
    evening.settle()
    assert opened(evening).hand_no == 2
    assert opened(evening).game.game == "holdem"
    next_hand(evening)
    assert opened(evening).game.game == "omaha4"


@pytest.mark.rule("MIX-2", "BMB-2")
def test_bomb_pots_are_of_the_game_that_is_next() -> None:
    settings = mixed_table(SEQUENCE, "holdem", "omaha4")
    settings.bomb_pot.mode, settings.bomb_pot.boards = pb.BOMB_POT_MODE_EVERY_HAND, 2
    settings.bomb_pot.amount.CopyFrom(minor(4))
    evening = sit(settings)
    assert (opened(evening).bomb_pot, opened(evening).game.boards) == (True, 2)
    assert _games(evening, 3) == ["holdem", "omaha4", "holdem"]


# --- MIX-3: the draw


@pytest.mark.rule("MIX-3")
@pytest.mark.parametrize("count", [2, 3, 4])
def test_every_game_is_drawn_by_as_many_cards_as_any_other(count: int) -> None:
    """Of all orders of the draw's cards each game has the same share: no bias is left."""
    games = [f"g{number}" for number in range(count)]
    draws: Counter[str] = Counter()
    whole = [(one,) for one in STANDARD.cards]
    if cards_of_game_draw(count) == 2:
        whole = [(one, two) for one in STANDARD.cards for two in STANDARD.cards if one != two]  # type: ignore[misc]  # pairs
    for cards in whole:
        draws[game_drawn(games, cards)] += 1
    assert len(set(draws.values())) == 1
    assert sum(draws.values()) == len(whole)


@pytest.mark.rule("MIX-3")
def test_which_card_draws_which_game() -> None:
    four = ("a", "b", "c", "d")
    assert [game_drawn(four, [parse_card(f"9{suit}")]) for suit in "cdhs"] == list(four)
    three = four[:3]
    assert game_drawn(three, parse_cards("2cAs")) == "a"
    assert game_drawn(three, parse_cards("As3c")) == "b", "the ace of spades chooses nothing"
    with pytest.raises(AssertionError):
        game_drawn(three, parse_cards("AsAs"))


@pytest.mark.rule("MIX-2", "MIX-3")
def test_at_random_a_card_is_turned_up_before_each_hand() -> None:
    evening = sit(mixed_table(RANDOM, "holdem", "omaha4"), deck2="7s", deck4="9c")
    began = next(step for step in evening.steps if "game_draw_began" in names(step))
    assert names(began) == ["game_draw_began", "places_dealt", "reveal_ordered"]
    [place] = began.events[1].hand.places_dealt.places
    assert (place.kind, place.owner, place.slot) == (cards_pb2.PLACE_KIND_GAME_DRAW, 0, 1)
    event = chosen(evening)
    assert (event.game, event.method, event.deck_no) == (
        "omaha4",
        table_events_pb2.CHOICE_METHOD_RANDOM,
        2,
    )
    assert cards_text([card.card.code - 1 for card in event.cards]) == "7s"
    assert (opened(evening).game.game, opened(evening).deck_no) == ("omaha4", 3)
    next_hand(evening)
    assert (chosen(evening).deck_no, opened(evening).game.game) == (4, "holdem")


@pytest.mark.rule("MIX-3")
def test_what_a_draw_asks_of_the_shuffler() -> None:
    evening = Evening(mixed_table(RANDOM, "holdem", "omaha4", "omaha5"))
    evening.sit("p1", 1)
    evening.sit("p2", 2)
    evening.settle(begin=False)
    while not evening.table.choosing:
        evening.do(BeginHandIn())
        if not evening.table.choosing:
            evening.settle(begin=False)
    [due] = evening.effects(DeckEffect)
    assert (due.purpose, due.hand_no) == (shuffler_pb2.DECK_PURPOSE_GAME_DRAW, 0)
    assert due.composition == cards_pb2.DECK_COMPOSITION_STANDARD_52
    given = evening.answer_to(due)
    assert given is not None
    stored(evening.do(given))
    [opening] = evening.effects(RevealEffect)
    assert opening.reason == hand_events_pb2.REVEAL_REASON_GAME_DRAW
    assert len(opening.places) == 2, "three games: one card more than the one that chooses none"
    cards = evening.answer_to(opening)
    assert isinstance(cards, CardsIn)
    swapped = CardsIn(cards.deck_no, [*reversed(cards.cards)])
    assert code(evening.do(swapped)) == "WRONG_CARDS"
    assert code(evening.do(CardsIn(cards.deck_no, [cards.cards[0]] * 2))) == "WRONG_CARDS"
    stored(evening.do(cards))
    closing = evening.effects(CloseDeckEffect)
    assert closing[-1].deck_no == opening.deck_no
    assert closing[-1].outcome == shuffler_pb2.DECK_STATE_SETTLED


@pytest.mark.rule("MIX-3")
def test_a_log_whose_cards_choose_another_game_is_not_believed() -> None:
    evening = sit(mixed_table(RANDOM, "holdem", "omaha4"), deck2="7s")
    number = next(at for at, step in enumerate(evening.steps) if "game_chosen" in names(step))
    forged = Step.FromString(evening.steps[number].SerializeToString())
    forged.events[0].game_chosen.game = "holdem"
    with pytest.raises(LogError, match="another game"):
        replay(evening.table.table_id, [*evening.steps[:number], forged])
