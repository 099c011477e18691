"""The rule pages of the product: their examples run, and no rule of the rulebook is missing.

What is compared with the rulebook is skipped where it does not lie beside the repository.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest
from google.protobuf.descriptor import Descriptor

from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.cards import parse_cards
from pokerfloor.ranking import RANKINGS
from pokerfloor.scoring import Row, royalty
from tests.support.needed import RULEBOOK, need
from tests.support.rule_pages import PAGES, Example, Page, read_pages
from tests.support.rules import survey
from tests.support.run_example import run_example

NO_PAGE_YET = {"TLT", "DLR"}
# So many words in a row are no accident.
COPIED = 12

PAGE_LIST = read_pages()
EXAMPLES = [
    pytest.param(example, id=example.name, marks=pytest.mark.rule(*example.rules))
    for page in PAGE_LIST
    for example in page.examples
]


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_runs(example: Example) -> None:
    run_example(example)


def test_every_page_has_rules_and_examples() -> None:
    assert len(PAGE_LIST) >= 17
    assert len({page.name for page in PAGE_LIST}) == len(PAGE_LIST)
    for page in PAGE_LIST:
        assert len(page.rules) >= 2, page.name
        assert len(page.examples) >= 3, page.name


def test_examples_show_rules_that_there_are() -> None:
    known = survey().pages
    unknown = {rule for page in PAGE_LIST for one in page.examples for rule in one.rules} - {*known}
    assert not unknown


def test_every_rule_has_a_test() -> None:
    assert not survey().untested()


def test_the_index_names_every_page_and_every_family() -> None:
    index = (PAGES / "README.md").read_text(encoding="utf-8")
    for page in PAGE_LIST:
        assert f"]({page.name})" in index, f"{page.name} is not in the index"
        families = {rule.split("-")[0] for rule in (*page.rules, *page.not_offered)}
        assert all(family in index for family in families), page.name
    assert all(f"({family})" in index for family in NO_PAGE_YET)


@pytest.mark.parametrize("page", PAGE_LIST, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Page) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.text):
        assert (PAGES / target).is_file(), target


# --- settings


def test_settings_are_named_as_they_are() -> None:
    named = {path for page in PAGE_LIST for path in _paths(page.text)}
    assert len(named) > 40
    fields = settings_pb2.TableSettings.DESCRIPTOR
    assert not [path for path in sorted(named) if not _is_field(path, fields)]


def _paths(text: str) -> Iterator[str]:
    rooms = "game|buy_in|clock|rake|seating|bomb_pot|dealing|mixed|tournament"
    return (found[1] for found in re.finditer(rf"`((?:{rooms})(?:\.\w+)+)`", text))


def _is_field(path: str, message: Descriptor | None) -> bool:
    for name in path.split("."):
        field = message.fields_by_name.get(name) if message is not None else None
        if field is None:
            return False
        message = field.message_type
    return True


# --- the rulebook


@cache
def _rulebook() -> dict[str, str]:
    need("rulebook")
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(RULEBOOK.glob("*.md"))}


def test_every_rule_of_the_rulebook_stands_once() -> None:
    text = "".join(_rulebook().values())
    wanted = Counter(re.findall(r"^- \*\*([A-Z]{3}-\d+)\*\*", text, flags=re.MULTILINE))
    wanted = Counter({rule: n for rule, n in wanted.items() if rule[:3] not in NO_PAGE_YET})
    assert len(wanted) > 100
    there = Counter([rule for page in PAGE_LIST for rule in (*page.rules, *page.not_offered)])
    assert not {rule: n for rule, n in there.items() if n > 1}
    assert not wanted.keys() - there.keys(), "of the rulebook, on no page"
    own = {rule for rule in there if rule not in wanted}
    assert {rule[:3] for rule in own} == {"RAZ", "LOB"}, "rules of our own"


def test_no_sentence_is_copied() -> None:
    copied = {run for text in _rulebook().values() for run in _runs(text)}
    for page in PAGES.glob("*.md"):
        text = page.read_text(encoding="utf-8")
        same = [" ".join(run) for run in _runs(text) if run in copied]
        assert not same, page.name


def _runs(text: str) -> Iterator[tuple[str, ...]]:
    words = re.findall(r"[a-z0-9]+", text.lower())
    return zip(*[words[start:] for start in range(COPIED)], strict=False)


# --- the bonuses of open-face Chinese


def _table(page: Page, corner: str) -> dict[str, list[str]]:
    """Return a table of a page by the first word of its rows; the head is its first row."""
    rows = [line.strip("| ").split(" | ") for line in page.text.splitlines() if line[:1] == "|"]
    begin = next(number for number, row in enumerate(rows) if row[0] == corner)
    table = {rows[begin][0]: rows[begin][1:]}
    for row in rows[begin + 2 :]:
        if len(row) != len(rows[begin]):
            break
        table[row[0]] = row[1:]
    return table


FIVE = {
    "three of a kind": "5s5h5d3c2c",
    "straight": "9s8h7d6c5c",
    "flush": "JcTc8c6c4c",
    "full house": "7s7h7d3c3d",
    "four of a kind": "4s4h4d4c2c",
    "straight flush": "9h8h7h6h5h",
    "royal flush": "AdKdQdJdTd",
}
NONE = {"high card": "KsQd9c8c7c", "pair": "AsAdKc3c2c", "two pair": "AsAdKcKs2c"}


@pytest.mark.rule("OFC-12")
def test_the_bonuses_on_the_page_are_those_that_are_paid() -> None:
    [page] = [page for page in PAGE_LIST if page.name == "ofc.md"]
    five = _table(page, "in the row")
    assert five.pop("in the row") == ["bottom", "middle"]
    assert five.keys() == FIVE.keys()
    five.update({kind: ["0", "0"] for kind in NONE})
    for kind, cards in (FIVE | NONE).items():
        hand = RANKINGS["high52"].describe(parse_cards(cards))
        paid = [royalty(row, hand, fouled=False).points for row in (Row.BOTTOM, Row.MIDDLE)]
        assert paid == list(map(int, five[kind])), kind
    top = _table(page, "on top")
    ranks = top.pop("on top")
    assert ranks == list("23456789TJQKA")
    for rank, *bonuses in zip(ranks, *top.values(), strict=True):
        other = "3" if rank == "2" else "2"
        for cards, bonus in zip(
            (f"{rank}h{rank}d{other}c", f"{rank}h{rank}d{rank}c"), bonuses, strict=True
        ):
            hand = RANKINGS["top3"].describe(parse_cards(cards))
            assert royalty(Row.TOP, hand, fouled=False).points == int(bonus), cards
    assert list(top) == ["a pair of", "three of a kind of"]
