"""Real hands: every one agrees with its record. Skipped where the recorded hands are not there."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from pokerfloor.floorctl.files import read_texts
from pokerfloor.floorctl.main import main
from pokerfloor.phh import Document, Outcome, read_documents, replay
from tests.support.needed import RECORDED_HANDS

# The eight hands that the source ended on half chips (session/hand).
HALF_CHIPS = {"102/0", "32/23", "41b/204", "60/88", "75b/76", "88/128", "91/43", "91/53"}


@pytest.mark.needs("hands")
@pytest.mark.rule("BET-1", "BET-11", "BET-12", "POT-1", "POT-2", "HLD-1", "HLD-3", "ODD-1", "SHW-1")
def test_all_pluribus_hands_agree() -> None:
    outcomes: Counter[Outcome] = Counter()
    halves = set()
    for name, text in read_texts(RECORDED_HANDS / "pluribus-10000.tar.gz"):
        assert isinstance(text, str)
        for _, document in read_documents(text, name):
            assert isinstance(document, Document), f"{name}: {document}"
            result = replay(document)
            assert result.outcome is Outcome.AGREES, f"{name}: {result.problem}"
            outcomes[result.outcome] += 1
            if result.half_chips:
                halves.add(name.split("pluribus/", 1)[1].removesuffix(".phh"))
    assert outcomes == {Outcome.AGREES: 10_000}
    assert halves == HALF_CHIPS


@pytest.mark.needs("hands")
def test_every_game_of_the_other_files_agrees(capsys: pytest.CaptureFixture[str]) -> None:
    folders = [
        RECORDED_HANDS / "wsop-2023-43-day5",
        RECORDED_HANDS / "annotated",
        RECORDED_HANDS / "other",
    ]
    assert main(["replay", *map(str, folders)]) == 0
    summary = capsys.readouterr().out.strip()
    assert summary.startswith("72 hands: 67 agree")
    assert "0 differ" in summary
    assert "5 legal, no result recorded" in summary  # the annotated hands have no final stacks
    assert summary.count("\n") == 0


@pytest.mark.needs("hands")
def test_one_amount_altered_is_found_and_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    [(_, text)] = list(read_texts(RECORDED_HANDS / "other" / "wsop-2019-42-day3-00-01-07.phh"))
    assert isinstance(text, str)
    altered = tmp_path / "altered.phh"
    altered.write_text(text.replace("p2 cbr 2250000", "p2 cbr 2300000"))
    assert main(["replay", str(altered)]) == 1
    assert "altered.phh: p1: finishing stack" in capsys.readouterr().out
