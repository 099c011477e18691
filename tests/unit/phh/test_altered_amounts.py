"""One amount altered in a real hand: it differs, and the action is named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pokerfloor.floorctl.files import read_texts
from pokerfloor.floorctl.main import main
from pokerfloor.phh import Document, Outcome, Replay, read_documents, replay
from tests.support.needed import RECORDED_HANDS

# A bet or raise that the next action of the file calls.
CALLED = re.compile(r"('p\d cbr )(\d+)(',?\s*'p\d cc')")

THREE = """
variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [300, 300, 300]
actions = [
  'd dh p1 AsAh', 'd dh p2 KsKh', 'd dh p3 QsQh',
  'p3 cbr 10', 'p1 cc', 'p2 cc',
  'd db 2c3d7h', 'p1 cc', 'p2 cbr 20', 'p3 cc', 'p1 cc',
  'd db 8s', 'p1 cc', 'p2 cc', 'p3 cc',
  'd db Tc', 'p1 cbr 40', 'p2 cc', 'p3 f',
  'p1 sm AsAh', 'p2 sm KsKh',
]
finishing_stacks = [400, 230, 270]
"""


def play(text: str) -> Replay:
    [(_, document)] = read_documents(text, "three")
    assert isinstance(document, Document)
    return replay(document)


def test_the_record_agrees_as_it_is() -> None:
    assert play(THREE).outcome is Outcome.AGREES


@pytest.mark.parametrize(
    ("find", "altered", "named"),
    [
        ("p3 cbr 10", "p3 cbr 11", "action 4 'p3 cbr 11' made it 10"),
        ("p2 cbr 20", "p2 cbr 16", "action 9 'p2 cbr 16' made it 20"),
        ("p1 cbr 40", "p1 cbr 77", "action 17 'p1 cbr 77' made it 40"),
    ],
)
def test_a_legal_amount_that_ends_otherwise_is_named(find: str, altered: str, named: str) -> None:
    result = play(THREE.replace(find, altered))
    assert result.outcome is Outcome.DIFFERS
    assert named in result.problem


def test_an_illegal_amount_is_named_by_its_refusal() -> None:
    result = play(THREE.replace("p2 cbr 20", "p2 cbr 1"))
    assert result.problem.startswith("action 9 'p2 cbr 1': refused, a bet must make it at least 2")


def test_stacks_that_no_bet_explains_are_told_by_seat_alone() -> None:
    result = play(THREE.replace("[400, 230, 270]", "[400, 270, 230]"))
    assert result.problem == "p2: finishing stack 230, recorded is 270"


@pytest.mark.needs("hands")
def test_in_every_real_hand_with_a_call_one_amount_altered_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tried = 0
    for name, text in read_texts(RECORDED_HANDS / "wsop-2023-43-day5"):
        assert isinstance(text, str)
        found = CALLED.search(text)
        if found is None:
            continue
        tried += 1
        amount = int(found[2])
        other = amount + max(1, amount // 100)
        file = tmp_path / Path(name).name
        file.write_text(text[: found.start(2)] + str(other) + text[found.end(2) :])
        assert main(["replay", str(file)]) == 1, name
        told = capsys.readouterr().out.splitlines()[0]
        assert re.search(rf"action \d+ 'p\d cbr {other}'", told), told
    assert tried > 20
