"""What bots make of their cards in any game: legal discards, and better hands look better."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerfloor.bots import choose_discards, hand_strength
from pokerfloor.cards import DECKS, is_joker, parse_cards
from pokerfloor.client import SlotRange
from pokerfloor.games import GAMES, GameRow

JOKER_DECKS = [deck for deck, found in DECKS.items() if any(map(is_joker, found.cards))]
DRAWS = [row for row in GAMES.values() if row.draws_from(0)]


@settings(deadline=None)  # tables of ranks are made when they are first wanted
@given(st.sampled_from(DRAWS), st.integers(0, 2**32), st.integers(0, 5), st.booleans())
def test_every_discard_is_legal(row: GameRow, seed: int, most: int, complete: bool) -> None:
    random = Random(seed)
    held = row.hole_cards_dealt(0)
    own = random.sample(DECKS[row.deck].cards, held)
    slots = tuple(sorted(random.sample(range(1, 20), held)))
    least = random.randint(0, min(most, held))
    choice = SlotRange(least, max(least, min(most, held)), slots)
    discarded = choose_discards(row, own if complete else own[1:], slots, choice, random)
    assert choice.least <= len(discarded) <= choice.most
    assert len(set(discarded)) == len(discarded)
    assert set(discarded) <= set(slots)


@pytest.mark.parametrize(
    ("game", "own", "kept"),
    [
        ("draw5", "AsAh9c5d2s", "AsAh"),
        ("draw5", "Xr9c5d2sKs", "XrKs"),
        ("draw5_no_joker", "5s6h7c8d9s", "5s6h7c8d9s"),
        ("draw27_single", "2s3h3c7dKs", "2s3h7d"),
        ("badugi", "As2s3hKd", "As3hKd"),
    ],
)
def test_what_bots_keep(game: str, own: str, kept: str) -> None:
    row, cards = GAMES[game], parse_cards(own)
    slots = tuple(range(1, len(cards) + 1))
    choice = SlotRange(0, len(cards), slots)
    discarded = choose_discards(row, cards, slots, choice, Random(1))
    left = {card for slot, card in zip(slots, cards, strict=True) if slot not in discarded}
    assert left == set(parse_cards(kept))


@pytest.mark.parametrize(
    ("game", "better", "worse", "board"),
    [
        ("omaha4", "AsAhKdKc", "2s7h9dJc", ""),
        ("omaha4", "AsAhKdKc", "2s7h9dJc", "AcAd5h"),
        ("stud7", "AsAhAd", "2s7h9d", ""),
        ("razz", "As2h3d", "KsKhKd", ""),
        ("badugi", "As2h3d4c", "As2s3s4s", ""),
        ("draw5", "XrAsAhAdAc", "2s3s5d8hKc", ""),
        ("short_deck", "AsAh", "6s8h", ""),
    ],
)
def test_better_hands_look_better(game: str, better: str, worse: str, board: str) -> None:
    row, boards = GAMES[game], (parse_cards(board),)
    good = hand_strength(row, parse_cards(better), boards, ())
    assert good > hand_strength(row, parse_cards(worse), boards, ())


@pytest.mark.parametrize("row", [row for row in GAMES.values() if row.deck in JOKER_DECKS])
def test_a_joker_among_too_few_cards_is_as_good_as_an_ace(row: GameRow) -> None:
    few, ace = parse_cards("Xr Kc"), parse_cards("Ah Kc")
    assert hand_strength(row, few, [()]) == hand_strength(row, ace, [()])
