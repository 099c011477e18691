"""Worked examples can fail: each kind of block, with one thing wrong in it, is refused."""

from __future__ import annotations

import re

import pytest

from tests.support.rule_pages import Block, Example, PageError, read_page
from tests.support.run_example import run_example
from tests.support.worked_hands import ExampleError

HAND = """\
game: omaha4
stacks: 100 100 100
blinds: 1/2
seat 1: AsKs3d2d
seat 3: QhQdJc9d
board: Kd Kc 8s 5h 4s

turn 3: fold, call 2, raise to 4-7
3 raises to 8 -> AMOUNT_TOO_LARGE
3 raises to 7; 1 calls; 2 folds
pots: 16 (1 3)
1 checks; 3 checks; 1 checks; 3 checks; 1 checks; 3 checks
award: pot 1, 1 gets 16
end: 109 98 93
"""
REFUSED = """\
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 100]
actions = ["d dh p1 2c7d", "d dh p2 AsKs", "p2 cbr 3"]
# refused at action 3: a raise must make it at least 4, not 3
"""
PHH = """\
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 100]
actions = ["d dh p1 2c7d", "d dh p2 AsKs", "p2 cbr 6", "p1 f"]
finishing_stacks = [98, 102]
"""
TABLE = """\
draw: Kd 2c 3c

ann sits on 1; ben sits on 4 with 100; cy sits on 6
hand: button 1, 4 small blind 1, 6 big blind 2, dealt 1 4 6
to act: ann
clock: 20 s, and 30 s in the time bank
ben sits on 2 -> ALREADY_SEATED
all fold
ben: seat 4 with 99
"""
LAYOUT = """\
stacks: 50 50

turns: 1
1 lays BBBBBB -> SLOT_NOT_HELD
"""
CONSOLE = """\
$ floorctl rank badugi As2d3c4h
low: badugi, 4-3-2-A; 4h3c2dAs; badugi ...
"""
DOCTEST = ">>> 1 + 1\n2\n"


def run(kind: str, text: str) -> None:
    run_example(Example("a page", 1, ("BET-20",), (Block(kind, 2, text),)))


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("hand", HAND),
        ("phh", PHH),
        ("phh", REFUSED),
        ("table", TABLE),
        ("console", CONSOLE),
        ("pycon", DOCTEST),
        ("layout", "stacks: 50 50\n\nturns: 1\n1 lays BBBBT\nlayout 1: T 5, M, B 1 2 3 4\n"),
    ],
)
def test_a_right_example_passes_and_one_that_claims_nothing_does_not(kind: str, text: str) -> None:
    run(kind, text)
    claims = {
        "hand": text.split("\n\n", maxsplit=1)[0] + "\n\n3 calls\n",
        "phh": re.sub("(?m)^(# refused|finishing_stacks).*$", "", text),
        "table": "draw: Kd 2c\n\nann sits on 1\n",
        "console": "$ floorctl rank badugi As2d3c4h\n",
        "pycon": ">>> one = 1\n",
        "layout": "stacks: 50 50\n\n1 lays BBBBT\n",
    }
    with pytest.raises(ExampleError):
        run(kind, claims[kind])


@pytest.mark.parametrize(
    ("kind", "text", "old", "new"),
    [
        ("hand", HAND, "raise to 4-7", "raise to 4-8"),
        ("hand", HAND, "AMOUNT_TOO_LARGE", "AMOUNT_TOO_SMALL"),
        ("hand", HAND, "3 raises to 8 ->", "3 raises to 7 ->"),
        ("hand", HAND, "3 raises to 7;", "3 raises to 8;"),
        ("hand", HAND, "16 (1 3)", "16 (1 2)"),
        ("hand", HAND, "1 gets 16", "3 gets 16"),
        ("hand", HAND, "109 98 93", "109 97 94"),
        ("hand", HAND, "board: Kd Kc", "board: Qc Jh"),
        ("hand", HAND, "turn 3:", "turn 2:"),
        ("hand", HAND, "pots:", "piles:"),
        ("hand", HAND, "blinds:", "blinders:"),
        ("hand", HAND, "2 folds", "2 dances"),
        ("phh", PHH, "[98, 102]", "[99, 101]"),
        ("phh", PHH, "cbr 6", "cbr 3"),
        ("phh", REFUSED, "cbr 3", "cbr 4"),
        ("phh", REFUSED, "at least 4", "at least 5"),
        ("phh", REFUSED, "at action 3", "at action 2"),
        ("table", TABLE, "button 1", "button 4"),
        ("table", TABLE, "dealt 1 4 6", "dealt 1 4"),
        ("table", TABLE, "act: ann", "act: ben"),
        ("table", TABLE, "and 30 s", "and 31 s"),
        ("table", TABLE, "ALREADY_SEATED", "SEAT_TAKEN"),
        ("table", TABLE, "with 99", "with 100"),
        ("layout", LAYOUT, "turns: 1", "turns: 2"),
        ("layout", LAYOUT, "1 lays BBBBBB -> SLOT_NOT_HELD", "1 lays BBBBB -> ROW_OVERFILLED"),
        ("console", CONSOLE, "4-3-2-A", "4-3-2"),
        ("console", CONSOLE, "4h3c2dAs", "4h3c2d"),
        ("pycon", DOCTEST, "\n2\n", "\n3\n"),
    ],
)
def test_an_example_with_one_thing_wrong_fails(kind: str, text: str, old: str, new: str) -> None:
    assert text.count(old) == 1
    with pytest.raises((ExampleError, AssertionError, ValueError)):
        run(kind, text.replace(old, new))


def test_every_award_is_told_or_none() -> None:
    text = HAND.replace("blinds: 1/2", "blinds: 1/2\nrake: 0").replace(
        "award: pot 1, 1 gets 16\n", ""
    )
    run("hand", text)
    split = "stacks: 9 9\nblinds: 1/2\nboard: Ts Js Qs Ks As\n\n2 goes all-in; 1 goes all-in\n"
    run("hand", split + "award: pot 1, 1 gets 9\naward: pot 1, 2 gets 9\n")
    with pytest.raises(ExampleError, match="not every award"):
        run("hand", split + "award: pot 1, 1 gets 9\n")


def test_a_block_of_another_kind_is_no_example() -> None:
    with pytest.raises(ExampleError, match="of no kind that is run"):
        run("text", "whatever")


def test_a_page_is_rules_and_examples() -> None:
    text = """\
# A page

- **BET-1** A rule.
  More of it, with **BET-2** in it.
- **BET-3** Another.

**Example (BET-1, BET-3).** What it shows.

```hand
stacks: 1 1
```

```pycon
>>> 1
```

## Not offered yet

- **BET-4** Later.
"""
    page = read_page("a.md", text)
    assert page.rules == {"BET-1": 3, "BET-3": 5}
    assert page.not_offered == {"BET-4": 19}
    [example] = page.examples
    assert (example.name, example.rules) == ("a.md:7", ("BET-1", "BET-3"))
    assert [(block.kind, block.line) for block in example.blocks] == [("hand", 9), ("pycon", 13)]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("- **BET-1** One.\n- **BET-1** Two.\n", "a.md:2: BET-1 stands twice"),
        ("- **BET-1** One.\n## Not offered yet\n- **BET-1** Two.\n", "a.md:3: BET-1 stands twice"),
        ("**Example (BET-1).** And nothing.\n", "a.md:1: an example without a block"),
        ("**Example (BET-1; BET-2).** So.\n", "a.md:1: 'BET-1; BET-2' are no rule ids"),
        ("```hand\n```\n", "a.md:1: a block that belongs to no example"),
        ("**Example (BET-1).** So.\n\n```hand\n", "a.md:3: a block without an end"),
    ],
)
def test_a_page_of_another_form_is_refused(text: str, reason: str) -> None:
    with pytest.raises(PageError, match=re.escape(reason)):
        read_page("a.md", text)
