"""Games from data files: a game that is in no list is played without a change of code."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pokerfloor.games import (
    GAMES,
    HOLDEM,
    Code,
    GameRow,
    Hand,
    HandShown,
    PlacesDealt,
    Refusal,
    Structure,
    canonical_setup,
    row_from_json,
    row_to_json,
)
from tests.support.games.scenario import Scenario, table

ROWS = Path(__file__).parent / "rows"


def from_file(name: str) -> GameRow:
    row = row_from_json((ROWS / name).read_text(encoding="utf-8"))
    assert isinstance(row, GameRow), row
    return row


@pytest.mark.parametrize("row", GAMES.values(), ids=GAMES)
def test_every_game_is_a_data_file(row: GameRow) -> None:
    text = row_to_json(row)
    assert row_from_json(text) == row
    assert json.loads(text)["id"] == row.id


def test_five_card_omaha_with_one_burn_less() -> None:
    row = from_file("omaha5_two_burns.json")
    assert row.id not in GAMES
    played = Scenario(table(100, 100, 100, game=row, structure=Structure.POT_LIMIT))
    played.play("c c k k k k k k k k k k")
    dealt = [str(place) for event in played.of(PlacesDealt) for place in event.places]
    assert len(dealt) == 3 * 5 + 5 + 2
    assert [place for place in dealt if place.startswith("burn")] == ["burn.1", "burn.2"]
    assert len(played.of(HandShown)) == 3
    assert len(played.last(HandShown).ranks[0].cards) == 5


def test_pineapple_with_one_discard() -> None:
    row = from_file("pineapple.json")
    hole = {1: "AsAhKd", 2: "QsQhJd"}
    played = Scenario(table(100, 100, game=row), hole, "2c3d7h8sTc").play("c k k k")
    wait = played.discard
    assert (wait.seat, wait.min_discards, wait.max_discards, len(wait.places)) == (1, 1, 1, 3)
    played.play("x3 x1")
    assert [str(place) for place in played.hand.state.hole_places(1)] == ["s1.1", "s1.2"]
    played.play("k k k k")
    names = {shown.seat: shown.ranks[0].name for shown in played.of(HandShown)}
    assert names[1] == "pair of aces"
    assert played.stacks == [102, 98]


def test_pineapple_all_in_discards_before_the_hands_are_exposed() -> None:
    played = Scenario(table(20, 20, game=from_file("pineapple.json"))).play("a c x1 x2")
    assert [len(shown.cards) for shown in played.of(HandShown)] == [2, 2]
    assert sum(played.stacks) == 40


def test_the_digest_tells_a_row_of_a_file_from_another_of_the_same_id() -> None:
    row = from_file("pineapple.json")
    other = replace(row, max_seats=8)
    first, second = (Hand(table(100, 100, game=game)) for game in (row, other))
    assert first.digest() != second.digest()
    assert canonical_setup(table(100, 100))[1] == "holdem"


def changed(path: list[str | int], value: object) -> str:
    """The text of hold'em under another id, with one thing changed; None takes it away."""
    root: Any = json.loads(row_to_json(replace(HOLDEM, id="mine")))
    inner = root
    for step in path[:-1]:
        inner = inner[step]
    if value is None:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return json.dumps(root)


@pytest.mark.parametrize(
    ("path", "value", "field", "words"),
    [
        (["deck"], None, "deck", "deck is missing"),
        (["max_seats"], "x", "max_seats", "expected a whole number, not 'x'"),
        (["max_seats"], True, "max_seats", "expected a whole number, not True"),
        (["max_seats"], 2.0, "max_seats", "expected a whole number, not 2.0"),
        (["bomb_pots"], 1, "bomb_pots", "expected true or false, not 1"),
        (["name"], 7, "name", "expected a text, not 7"),
        (["streets"], {}, "streets", "expected a list, not {}"),
        (["streets", 1], [], "streets[1]", "expected an object, not []"),
        (["streets", 1, "deals", 0, "count"], "3", "streets[1].deals[0].count", "not '3'"),
        (["streets", 1, "deals", 0, "to"], "moon", "streets[1].deals[0].to", "none of seat_down"),
        (["streets", 2, "colour"], "red", "streets[2].colour", "'colour' is none of name, burns"),
        (
            ["streets", 0, "draw"],
            {"min_discards": 1},
            "streets[0].draw.max_discards",
            "max_discards is missing",
        ),
        (["parts", 0, "half"], "top", "parts[0].half", "none of high, low, whole"),
        (["parts", 0, "ranking"], "x", "parts", "no ranking system is called 'x'"),
        (["deck"], "tarot", "deck", "no deck is called 'tarot'"),
        (["id"], "omaha4", "id", "is the id of a different game of the catalogue"),
        (["x" * 99], 1, "x" * 40, "none of id, name"),
    ],
)
def test_what_is_wrong_is_named(
    path: list[str | int], value: object, field: str, words: str
) -> None:
    refusal = row_from_json(changed(path, value))
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.field) == (Code.BAD_GAME_ROW, field)
    assert words in refusal.reason


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not JSON"),
        ("[" * 50_000, "not JSON"),
        ("[]", "expected an object"),
        ('{"id": "a", "id": "b"}', "'id' occurs twice"),
        ("x" * 65_537, "at most 65536 characters"),
    ],
)
def test_what_is_no_row_at_all(text: str, words: str) -> None:
    refusal = row_from_json(text)
    assert isinstance(refusal, Refusal)
    assert words in refusal.reason
