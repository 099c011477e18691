"""What the rows of the catalogue say, street by street, beside the rules that say it."""

from dataclasses import replace

import pytest

from pokerfloor.games import GAMES, GameRow, Street, check_row
from pokerfloor.games.catalogue import _by_id

HOLDEM = """
pre-flop: 0 burned, 2 seat_down; left_of_blinds opens, small bets
flop: 1 burned, 3 board; left_of_button opens, small bets
turn: 1 burned, 1 board; left_of_button opens, big bets
river: 1 burned, 1 board; left_of_button opens, big bets
"""
STUD = """
third street: 0 burned, 2 seat_down, 1 seat_up; bring_in opens, small bets
fourth street: 1 burned, 1 seat_up; best_exposed opens, small bets, open_pair
fifth street: 1 burned, 1 seat_up; best_exposed opens, big bets
sixth street: 1 burned, 1 seat_up; best_exposed opens, big bets
seventh street: 1 burned, 1 seat_down; best_exposed opens, big bets
"""
DRAW5 = """
before the draw: 0 burned, 5 seat_down; left_of_blinds opens, small bets
the draw: 1 burned; left_of_blinds opens, big bets, 0 to 5 replaced
"""
TRIPLE_DRAW = """
before the draw: 0 burned, 5 seat_down; left_of_blinds opens, small bets
first draw: 1 burned; left_of_button opens, small bets, 0 to 5 replaced
second draw: 1 burned; left_of_button opens, big bets, 0 to 5 replaced
third draw: 1 burned; left_of_button opens, big bets, 0 to 5 replaced
"""
MATA_ASES = """
first round: 0 burned, 1 seat_up, 1 seat_down, 3 community; highest_up opens, small bets
second round: 1 burned, 1 seat_either; best_exposed opens, small bets, community_up
third round: 1 burned, 1 seat_either; best_exposed opens, big bets
fourth round: 1 burned, 1 seat_either; best_exposed opens, big bets
"""
SWAP_BEFORE_RIVER = "\n".join(
    line + ", swap" if line and "river" not in line else line for line in HOLDEM.split("\n")
)


def said(street: Street) -> str:
    dealt = "".join([f", {deal.count} {deal.to}" for deal in street.deals])
    words = (
        f"{street.name}: {street.burns} burned{dealt}; {street.opener} opens, {street.tier} bets"
    )
    if street.draw is not None:
        min_discards, max_discards, replaced = (
            street.draw.min_discards,
            street.draw.max_discards,
            street.draw.replaced,
        )
        words += f", {min_discards} to {max_discards} {'replaced' if replaced else 'gone'}"
    options = [name for name in ("swap", "open_pair", "community_up") if getattr(street, name)]
    return "".join([words, *[f", {name}" for name in options]])


FAMILIES = {
    "holdem": HOLDEM,
    **{f"omaha{count}": HOLDEM.replace("2 seat", f"{count} seat") for count in (4, 5, 6)},
    "short_deck": HOLDEM.replace("left_of_blinds", "left_of_button"),
    "swap_holdem_river": HOLDEM.replace("bets", "bets, swap"),
    "swap_holdem": SWAP_BEFORE_RIVER,
    "stud7": STUD,
    "razz": STUD.replace(", open_pair", ""),
    "draw5": DRAW5,
    "draw27_single": DRAW5.replace(
        "draw: 1 burned; left_of_blinds", "draw: 1 burned; left_of_button"
    ),
    "draw27_triple": TRIPLE_DRAW,
    "badugi": TRIPLE_DRAW.replace("5 seat", "4 seat").replace("to 5", "to 4"),
    "mata_ases": MATA_ASES,
}


def family(game: str) -> str:
    return max([name for name in FAMILIES if game.startswith(name)], key=len)


@pytest.mark.rule("HLD-2", "HLD-3", "OMA-1", "SHD-3", "SWP-1", "STD-1", "STD-4", "DRW-3", "MAT-1")
@pytest.mark.parametrize("row", GAMES.values(), ids=GAMES)
def test_the_streets_of_every_game(row: GameRow) -> None:
    expected = FAMILIES[family(row.id)].strip().split("\n")
    assert [said(street) for street in row.streets] == expected
    assert row.boards == (2 if row.id.endswith("_double") else 1)


LIMITS = {
    "holdem": "no_limit, pot_limit, fixed_limit",
    "omaha": "pot_limit, no_limit, fixed_limit",
    "draw27_triple": "fixed_limit, pot_limit, no_limit",
    "badugi": "fixed_limit, pot_limit, no_limit",
    "stud": "fixed_limit",
    "razz": "fixed_limit",
    "mata": "no_limit",
}


@pytest.mark.rule("TBL-1", "BMB-2", "LOW-1", "OMA-3")
@pytest.mark.parametrize("row", GAMES.values(), ids=GAMES)
def test_what_else_the_rows_say(row: GameRow) -> None:
    limits = [words for start, words in LIMITS.items() if row.id.startswith(start)]
    assert ", ".join(row.structures) == (limits or [LIMITS["holdem"]])[0]
    assert row.bomb_pots == row.id.startswith(("holdem", "omaha"))
    assert row.community_last == row.id.startswith(("stud", "razz"))
    assert (len(row.parts) == 2) == ("hilo" in row.id)
    seats = 8 if row.id.startswith(("stud", "razz", "mata")) else 10
    assert row.max_seats == (6 if row.id.startswith(("draw", "badugi")) else seats)
    assert row.rake_from_street == 1
    used = "exactly_two" if row.id.startswith("omaha") else "any"
    assert row.hole_cards_used == ("at_most_one_of_board" if row.id == "mata_ases" else used)


@pytest.mark.parametrize(
    ("game", "name", "deck", "ranking"),
    [
        ("holdem_double", "Texas hold'em, two boards", "standard52", ["high52"]),
        ("omaha4", "Omaha", "standard52", ["high52"]),
        ("omaha4_hilo", "Omaha hi/lo eight or better", "standard52", ["high52", "low8"]),
        ("omaha5_double", "five-card Omaha, two boards", "standard52", ["high52"]),
        (
            "omaha6_hilo_double",
            "six-card Omaha hi/lo eight or better, two boards",
            "standard52",
            ["high52", "low8"],
        ),
        ("short_deck", "short deck hold'em", "short36", ["short36"]),
        ("draw5", "five-card draw with two jokers", "joker54", ["joker_wild"]),
        ("draw5_no_joker", "five-card draw", "standard52", ["high52"]),
        (
            "draw5_one_joker_bug_natural",
            "five-card draw with one joker as a bug, natural hands win ties",
            "joker53",
            ["joker_bug_natural"],
        ),
        ("badugi", "badugi", "standard52", ["badugi"]),
    ],
)
def test_names_decks_and_rankings(game: str, name: str, deck: str, ranking: list[str]) -> None:
    row = GAMES[game]
    assert (row.name, row.deck, [part.ranking for part in row.parts]) == (name, deck, ranking)


def test_an_id_stands_once_and_for_a_row_that_can_be_played() -> None:
    holdem = GAMES["holdem"]
    assert dict(_by_id([holdem])) == {"holdem": holdem}
    assert all(check_row(row) is None for row in GAMES.values())
    with pytest.raises(AssertionError, match="two games have the id holdem"):
        _by_id([holdem, holdem])
    with pytest.raises(TypeError):
        GAMES["holdem"] = holdem  # type: ignore[index]  # nobody adds to it


@pytest.mark.rule("TBL-1", "SWP-4", "DRW-5", "STD-6")
@pytest.mark.parametrize(
    ("game", "seats", "burn", "needed", "words"),
    [
        ("holdem", 6, True, 20, "6 x 2 hole + 5 board + 3 burned"),
        ("holdem", 6, False, 17, "6 x 2 hole + 5 board"),
        ("omaha6_double", 6, True, 49, "6 x 6 hole + 10 board + 3 burned"),
        ("swap_holdem", 10, True, 48, "10 x 2 hole + 10 x 2 swapped + 5 board + 3 burned"),
        ("stud7", 8, True, 52, "8 x 6 hole + 1 community + 3 burned"),
        ("draw5", 6, True, 36, "6 x 5 hole + 5 drawn + 1 burned"),
        ("badugi", 6, True, 39, "6 x 4 hole + 12 drawn + 3 burned"),
        ("mata_ases", 8, True, 46, "8 x 5 hole + 3 community + 3 burned"),
    ],
)
def test_how_many_cards_a_game_needs(
    game: str, seats: int, burn: bool, needed: int, words: str
) -> None:
    row = GAMES[game]
    assert row.cards_needed(seats, burn=burn) == needed
    assert row.cards_sum(seats, burn=burn) == words


@pytest.mark.rule("STD-6")
def test_with_a_community_card_the_last_burn_is_not_counted() -> None:
    stud = GAMES["stud7"]
    last = replace(stud.streets[-1], burns=0)
    no_last_burn = replace(stud, id="test", streets=(*stud.streets[:-1], last))
    assert no_last_burn.cards_sum(8, burn=True) == "8 x 6 hole + 1 community + 3 burned"


@pytest.mark.rule("STD-1", "MAT-3")
def test_which_hole_cards_come_up_and_down() -> None:
    assert GAMES["stud7"].up_slots() == {3, 4, 5, 6}
    assert GAMES["mata_ases"].up_slots() == {1}
    assert (GAMES["mata_ases"].down_slot(), GAMES["stud7"].down_slot()) == (2, 0)
    stud = GAMES["stud7"]
    assert [stud.hole_cards_dealt(street_no) for street_no in range(5)] == [3, 4, 5, 6, 7]
    assert (stud.hole_cards(), stud.board_cards(), stud.burns()) == (7, 0, 4)
    double = GAMES["omaha4_double"]
    assert double.pot_parts() == ((0, "high"), (1, "high"))
    assert GAMES["omaha4_hilo"].pot_parts() == ((0, "high"), (0, "low"))
    mata = GAMES["mata_ases"]
    assert (mata.hole_cards(), mata.board_cards(), mata.community_cards()) == (5, 0, 3)
