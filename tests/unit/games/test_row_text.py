"""The text of a row, to the letter, and where its limits lie."""

import json
from dataclasses import replace

import pytest

from pokerfloor.games import GAMES, HOLDEM, Code, GameRow, Refusal, row_from_json, row_to_json

MINE = replace(HOLDEM, id="mine")


def refused(text: str) -> Refusal:
    refusal = row_from_json(text)
    assert isinstance(refusal, Refusal)
    assert refusal.code is Code.BAD_GAME_ROW
    return refusal


def test_a_row_is_written_for_people_two_spaces_deep_and_with_a_last_line_end() -> None:
    lines = row_to_json(HOLDEM).split("\n")
    assert lines[:6] == [
        "{",
        '  "id": "holdem",',
        '  "name": "Texas hold\'em",',
        '  "deck": "standard52",',
        '  "max_seats": 10,',
        '  "boards": 1,',
    ]
    assert lines[-2:] == ["}", ""]


def test_a_row_may_have_just_as_many_characters() -> None:
    text = row_to_json(MINE)
    longest = text + " " * (65_536 - len(text))
    assert row_from_json(longest) == MINE
    assert refused(longest + " ").reason == "a row has at most 65536 characters"


@pytest.mark.parametrize(
    ("text", "reason", "field"),
    [
        ("[]", "expected an object, not []", ""),
        ('{"id": "a", "id": "b"}', "'id' occurs twice in one object", "id"),
        ("7", "expected an object, not 7", ""),
        ('"' + "x" * 38 + '"', f"expected an object, not '{'x' * 38}'", ""),
        ('"' + "x" * 39 + '"', f"expected an object, not '{'x' * 36}...", ""),
    ],
)
def test_what_is_no_row(text: str, reason: str, field: str) -> None:
    assert refused(text) == Refusal(Code.BAD_GAME_ROW, reason, field)


def test_what_is_no_json() -> None:
    refusal = refused("{")
    assert refusal.reason.startswith("not JSON: Expecting property name")
    assert refusal.field == ""


def test_a_word_that_is_none_of_those_wanted_is_quoted() -> None:
    row = json.loads(row_to_json(MINE))
    row["streets"][1]["tier"] = "huge"
    refusal = refused(json.dumps(row))
    assert (refusal.reason, refusal.field) == (
        "'huge' is none of small, big",
        "streets[1].tier",
    )


def test_fields_with_a_default_may_be_left_out_and_the_id_of_a_game_is_its_own() -> None:
    row = json.loads(row_to_json(MINE))
    for name in ("structures", "bomb_pots", "community_last", "exposed", "odd_chips"):
        del row[name]
    read = row_from_json(json.dumps(row))
    assert isinstance(read, GameRow)
    assert read == replace(MINE, bomb_pots=False)
    taken = refused(row_to_json(replace(HOLDEM, max_seats=9)))
    assert (taken.reason, taken.field) == (
        "'holdem' is the id of a different game of the catalogue",
        "id",
    )
    assert row_from_json(row_to_json(GAMES["stud7"])) == GAMES["stud7"]
