"""Equity: the same as counted hand by hand, known counts, samples, and what is refused."""

import random
from dataclasses import replace
from fractions import Fraction
from math import comb

import pytest

from pokerfloor.cards import DECKS, parse_cards
from pokerfloor.equity import MOST_RUNOUTS, Equity, EquityCode, EquityRefusal, equity
from pokerfloor.games import GAMES, GameRow, Half, HoleCardUse, Street
from tests.support.ranking.brute_force_equity import brute_force

BOARD_GAMES = sorted(game for game, row in GAMES.items() if row.board_cards())


def asked(game: GameRow, hands: str, board: str = "", dead: str = "", **more: object) -> Equity:
    cards = [parse_cards(hand) for hand in hands.split()]
    boards = [parse_cards(text) for text in board.split()]
    answer = equity(game, cards, boards, parse_cards(dead), **more)  # type: ignore[arg-type] # passed through
    assert isinstance(answer, Equity), answer
    return answer


def refused(game: GameRow, hands: str, board: str = "", dead: str = "") -> EquityRefusal:
    cards = [parse_cards(hand) for hand in hands.split()]
    answer = equity(game, cards, [parse_cards(text) for text in board.split()], parse_cards(dead))
    assert isinstance(answer, EquityRefusal)
    return answer


def same_as_counted(
    game: GameRow,
    hands: list[tuple[int, ...]],
    boards: list[tuple[int, ...]],
    dead: tuple[int, ...] = (),
) -> None:
    answer = equity(game, hands, boards, dead)
    assert isinstance(answer, Equity), answer
    assert answer.exact
    counted = brute_force(game, hands, boards, dead)
    assert [hand.share for hand in answer.hands] == counted.shares
    assert {
        (part.board, part.half): (
            part.runouts,
            part.nobody,
            [(share.wins, share.ties, share.share) for share in part.shares],
        )
        for part in answer.parts
    } == counted.parts


@pytest.mark.parametrize("game_id", BOARD_GAMES)
@pytest.mark.parametrize("to_come", [0, 1])
def test_random_hands_are_counted_as_by_hand(game_id: str, to_come: int) -> None:
    game = GAMES[game_id]
    rng = random.Random(f"{game_id} {to_come}")
    for count in (2, 3):
        cards = rng.sample(DECKS[game.deck].cards, len(DECKS[game.deck]))
        hands = [tuple(cards.pop() for _ in range(game.hole_cards())) for _ in range(count)]
        boards = [tuple(cards.pop() for _ in range(5 - to_come)) for _ in range(game.boards)]
        dead = tuple(cards.pop() for _ in range(rng.randint(0, 3)))
        same_as_counted(game, hands, boards, dead)


@pytest.mark.parametrize(
    ("game_id", "hands", "board"),
    [
        ("holdem", "AsAh KsKh", "2c3d4d"),  # spades and hearts are alike
        ("holdem", "AsAh KsKh", "2c3c4c"),
        ("holdem", "AsKs QsJs", "Ts9s2s"),  # the other three suits are alike
        ("holdem", "AsKd AhKc", "2s3h4d"),
        ("holdem", "AsKs AhKh", "2s2h3c"),  # exchanged spades and hearts would change the hands
        ("short_deck", "AsAh KsKh JdTd", "6c7d8d"),
        ("omaha4_hilo", "AsAh2s2h 3s3h4s4h", "5c6d7d"),
        ("omaha4_hilo", "As2sKdKc Ah2hQdQc", "3c4d9h"),
    ],
)
def test_suits_that_are_alike_are_counted_together_and_in_full(
    game_id: str, hands: str, board: str
) -> None:
    cards = [parse_cards(hand) for hand in hands.split()]
    same_as_counted(GAMES[game_id], cards, [parse_cards(board)])


def test_a_board_and_dead_cards_that_mirror_each_other_tell_suits_apart() -> None:
    cards = [parse_cards("KsKh"), parse_cards("AcAd")]
    same_as_counted(GAMES["holdem"], cards, [parse_cards("QhJh2h")], parse_cards("QsJs2s"))


def test_a_dead_card_tells_suits_apart() -> None:
    cards = [parse_cards("AsAh"), parse_cards("KsKh")]
    same_as_counted(GAMES["holdem"], cards, [parse_cards("2c2d4d")], parse_cards("Qs"))


@pytest.mark.parametrize("board", ["", "2c2d2h2s"])
def test_all_four_suits_are_alike(board: str) -> None:
    cards = [parse_cards("AcAdAhAs"), parse_cards("KcKdKhKs")]
    dead = tuple(range(16, 44))  # sixes to queens
    same_as_counted(GAMES["omaha4_hilo"], cards, [parse_cards(board)], dead)


def test_aces_against_kings() -> None:
    part = asked(GAMES["holdem"], "AsAh KsKh").parts[0]
    aces, kings = part.shares
    assert part.runouts == 1_712_304
    assert (aces.wins, aces.ties, kings.wins) == (1_410_336, 9_308, 292_660)
    assert aces.share + kings.share == 1
    assert (aces.win_ppm, aces.tie_ppm, aces.share_ppm) == (823_648, 5_436, 826_366)


@pytest.mark.rule("LOW-3")
def test_a_low_that_nobody_makes_goes_to_the_high() -> None:
    answer = asked(GAMES["omaha4_hilo"], "AsAh2c3d KsKhQcQd", "KdJcTh9s8s")
    assert answer.hands[1].share == 1
    assert answer.parts[1].half is Half.LOW
    assert (answer.parts[1].runouts, answer.parts[1].nobody) == (1, 1)
    assert [share.share for share in answer.parts[1].shares] == [0, 0]


def test_hands_alike_share_what_they_win() -> None:
    answer = asked(GAMES["omaha4_hilo"], "As2sKdKc Ah2hKsKh QcQdJcTc", "3c4d8hQh9s")
    assert [hand.share for hand in answer.hands] == [Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)]
    assert [share.ties for share in answer.parts[1].shares] == [1, 1, 0]


@pytest.mark.rule("DBL-2")
def test_boards_are_counted_apart_and_share_the_pot() -> None:
    answer = asked(GAMES["holdem_double"], "AsAh KsKh", "KdKc2d3h4s 2c3c7d8h9s")
    assert [part.shares[0].wins for part in answer.parts] == [0, 1]
    assert [hand.share for hand in answer.hands] == [Fraction(1, 2)] * 2


def test_two_empty_boards_are_each_like_one() -> None:
    one = asked(GAMES["short_deck"], "AsAh KsKh")
    row = replace(GAMES["short_deck"], id="short_deck_double", boards=2)
    two = asked(row, "AsAh KsKh")
    assert two.hands == one.hands
    assert [part.shares for part in two.parts] == [one.parts[0].shares] * 2


@pytest.mark.parametrize(
    ("game_id", "hands", "board"),
    [
        ("holdem", "AsAh KsKh", "2c7d8d"),
        ("holdem", "AsKd QcQh 7s7h", "2c7d8d"),
        ("omaha4_hilo", "AsAh2c3d KsKh9c8d", "4h5hQs"),
        ("holdem_double", "AsAh KsKh", "2c7d8d KcTd3s"),
    ],
)
def test_samples_come_near_the_exact_shares(game_id: str, hands: str, board: str) -> None:
    game = GAMES[game_id]
    exact = asked(game, hands, board)
    for seed in range(3):
        source = random.Random(seed).randbytes
        drawn = asked(game, hands, board, max_runouts=1, samples=20_000, samples_source=source)
        assert not drawn.exact
        assert sum(hand.share for hand in drawn.hands) == 1
        for hand, wanted in zip(drawn.hands, exact.hands, strict=True):
            assert 500 < hand.standard_error_ppm < 3_600
            assert abs(hand.share_ppm - wanted.share_ppm) < 4 * hand.standard_error_ppm


def test_the_standard_error_is_that_of_the_samples() -> None:
    # A flip without ties: the error of a share p of n samples is sqrt(p * (1 - p) / (n - 1)).
    source = random.Random(5).randbytes
    game = GAMES["holdem"]
    drawn = asked(game, "KsKh QcQd", "2c7d8d3s", max_runouts=1, samples=1000, samples_source=source)
    share = float(drawn.hands[0].share)
    assert drawn.parts[0].shares[0].ties == 0
    wanted = (share * (1 - share) / 999) ** 0.5 * 1_000_000
    assert abs(drawn.hands[0].standard_error_ppm - wanted) <= 1


def test_the_same_bytes_give_the_same_answer() -> None:
    answers = [
        asked(
            GAMES["holdem"],
            "AsAh KsKh",
            max_runouts=1,
            samples=500,
            samples_source=random.Random(seed).randbytes,
        )
        for seed in (1, 1, 2)
    ]
    assert answers[0] == answers[1] != answers[2]


def test_a_board_that_is_full_is_exact_beside_one_that_is_sampled() -> None:
    source = random.Random(1).randbytes
    answer = asked(
        GAMES["holdem_double"],
        "AsAh KsKh",
        "2d3h4s5d6d 7c8d9h",
        max_runouts=1,
        samples=100,
        samples_source=source,
    )
    assert [part.exact for part in answer.parts] == [True, False]
    assert not answer.exact
    alone = asked(
        GAMES["holdem"],
        "AsAh KsKh",
        "7c8d9h",
        "2d3h4s5d6d",
        max_runouts=1,
        samples=100,
        samples_source=random.Random(1).randbytes,
    )
    error = alone.hands[0].standard_error_ppm
    assert error > 0
    assert abs(answer.hands[0].standard_error_ppm - error / 2) <= 1  # half of the pot is certain


@pytest.mark.parametrize(
    ("game_id", "hands", "board", "dead", "code", "words"),
    [
        ("holdem", "AsAh AsKh", "", "", EquityCode.BAD_CARDS, "As is named twice"),
        ("holdem", "AsAh KsKh", "2c3dAs", "", EquityCode.BAD_CARDS, "As is named twice"),
        ("holdem", "AsAh KsKh", "2c3d4h", "2c", EquityCode.BAD_CARDS, "2c is named twice"),
        ("holdem", "AsAh KsKh", "", "2c2c", EquityCode.BAD_CARDS, "2c is named twice"),
        ("holdem", "AsAh KsKhQh", "", "", EquityCode.BAD_CARDS, "hand 2 has 3 cards"),
        ("omaha4", "AsAh KsKh", "", "", EquityCode.BAD_CARDS, "hand 1 has 2 cards"),
        ("holdem", "AsAh KsKh", "2c3c4c5c6c7c", "", EquityCode.BAD_CARDS, "board 1 has 6"),
        ("holdem", "AsAh KsKh", "2c3c4c 5c6c7c", "", EquityCode.BAD_CARDS, "1, not 2"),
        ("short_deck", "AsAh KsKh", "2c", "", EquityCode.BAD_CARDS, "2c is not in the deck"),
        ("holdem", "AsAh Xr2h", "", "", EquityCode.BAD_CARDS, "Xr is not in the deck"),
        ("holdem", "AsAh", "", "", EquityCode.BAD_HANDS, "2 to 10 hands, not 1"),
        ("stud7", "AsAh KsKh", "", "", EquityCode.UNKNOWN_GAME, "no board"),
    ],
)
def test_refusals(
    game_id: str, hands: str, board: str, dead: str, code: EquityCode, words: str
) -> None:
    refusal = refused(GAMES[game_id], hands, board, dead)
    assert refusal.code is code
    assert words in refusal.reason


def test_too_many_hands() -> None:
    deck = DECKS["standard52"].cards
    hands = [deck[2 * nth : 2 * nth + 2] for nth in range(11)]
    answer = equity(GAMES["holdem"], hands)
    assert isinstance(answer, EquityRefusal)
    assert (answer.code, answer.field) == (EquityCode.BAD_HANDS, "hands")


def test_a_row_that_cannot_be_played_or_ranked_by_arrays() -> None:
    bad = replace(GAMES["holdem"], id="bad", boards=3)
    assert refused(bad, "AsAh KsKh").code is EquityCode.UNKNOWN_GAME
    jokers = replace(GAMES["holdem"], id="jokers", deck="joker53")
    assert refused(jokers, "AsAh KsKh").code is EquityCode.UNKNOWN_GAME


def test_too_many_dead_cards_for_a_board() -> None:
    dead = tuple(card for card in range(52) if card not in parse_cards("AsAhKsKh2c2d2h2s"))
    answer = equity(GAMES["holdem"], [parse_cards("AsAh"), parse_cards("KsKh")], (), dead)
    assert isinstance(answer, EquityRefusal)
    assert answer.reason == "5 board cards are to come and 4 cards are left"


def test_too_many_runouts_without_a_source() -> None:
    hands = [parse_cards("AsAh"), parse_cards("KsKh")]
    answer = equity(GAMES["holdem"], hands, max_runouts=1_712_303)
    assert isinstance(answer, EquityRefusal)
    assert answer.code is EquityCode.TOO_MANY_RUNOUTS
    assert f"{comb(48, 5):,}" in answer.reason


@pytest.mark.parametrize("limit", [0, -1, MOST_RUNOUTS + 1])
@pytest.mark.parametrize("field", ["max_runouts", "samples"])
def test_limits_outside_their_range(field: str, limit: int) -> None:
    hands = [parse_cards("AsAh"), parse_cards("KsKh")]
    answer = equity(GAMES["holdem"], hands, **{field: limit})  # type: ignore[arg-type] # by name
    assert isinstance(answer, EquityRefusal)
    assert (answer.code, answer.field) == (EquityCode.BAD_LIMIT, field)


def test_a_game_in_no_list() -> None:
    """Five-card Omaha with a board of six."""
    omaha = GAMES["omaha5"]
    last: Street = replace(omaha.streets[3], name="last")
    row = replace(omaha, id="six_board", streets=(*omaha.streets, last))
    assert row.hole_cards_used is HoleCardUse.EXACTLY_TWO
    rng = random.Random(7)
    cards = rng.sample(range(52), 15)
    same_as_counted(row, [tuple(cards[:5]), tuple(cards[5:10])], [tuple(cards[10:15])])
