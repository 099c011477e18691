"""Hands told in a few words, as they stand in the rule pages: played on the engine, and checked.

A block of kind `hand` begins with what the hand is (`game: omaha4`, `stacks: 100 100 40`,
`blinds: 1/2`, `seat 1: AsKs`, `board: Qh Jh 2c`), then after an empty line says what happens, one
statement a line or several with `;` between them. `3 raises to 7` is done by seat 3 and must be
allowed; with `-> AMOUNT_TOO_LARGE` behind it, it must be refused with that code. A line such as
`pots: 12 (1 2 3)` says how things stand at that moment; README.md of the pages lists them all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from pokerfloor.games import (
    GAMES,
    Act,
    ActKind,
    AnswerSplit,
    BetReturned,
    CardsRevealed,
    Carried,
    ChooseFacing,
    DeckReshuffled,
    DiscardCards,
    FirstTie,
    ForcedBet,
    ForcedKind,
    HandRank,
    HandSetup,
    Input,
    LegalSet,
    Losers,
    MinRaise,
    Place,
    PlacesDealt,
    RakeCap,
    RakeRule,
    Refusal,
    RevealOrdered,
    RevealReason,
    SecondRoundFirst,
    Shortage,
    ShowCards,
    Structure,
    SwapCards,
    WaitAction,
    WaitDiscard,
    WaitFacing,
    WaitSplit,
    seat_place,
)
from tests.support.games.scenario import Scenario, antes, blinds, table

_ACTS: Final = {
    "folds": ActKind.FOLD,
    "checks": ActKind.CHECK,
    "calls": ActKind.CALL,
    "bets": ActKind.BET,
    "raises to": ActKind.RAISE,
    "goes all-in": ActKind.ALL_IN,
}
_STATEMENT: Final = re.compile(
    rf"(?P<seat>\d+) (?P<verb>{'|'.join(_ACTS)}|swaps|discards|stands pat|shows"
    r"|takes it up|takes it down|agrees|does not agree)"
    r"(?P<numbers>(?: \d+)*)(?: -> (?P<code>[A-Z_]+))?"
)
_TRUTH: Final = {"true": True, "false": False}
_SETTINGS: Final[dict[str, Callable[[str], Any]]] = {
    "min_raise": MinRaise,
    "losers": Losers,
    "seventh_shortage": Shortage,
    "second_round_first": SecondRoundFirst,
    "first_tie": FirstTie,
    "max_draw": int,
    "raise_cap": int,
    "bring_in_minor": int,
    "heads_up_uncapped": _TRUTH.__getitem__,
    "short_blind_counts_full": _TRUTH.__getitem__,
    "open_pair_rule": _TRUTH.__getitem__,
    "redeal_when_checked": _TRUTH.__getitem__,
    "burn": _TRUTH.__getitem__,
}


class ExampleError(AssertionError):
    """A worked hand that goes another way than it says; or that says nothing."""


def play_hand(text: str) -> None:
    """Play a block of kind `hand`. Raises ExampleError naming the line that is not so."""
    head, _, body = text.partition("\n\n")
    hand = _WorkedHand(_Header(head))
    lines = [line.partition("#")[0] for line in body.splitlines()]
    for statement in [part.strip() for line in lines for part in line.split(";")]:
        if statement:
            hand.take(statement)
    hand.close()


class _Header:
    """What stands above the empty line."""

    def __init__(self, text: str) -> None:
        self.fields: dict[str, str] = {}
        for line in text.splitlines():
            name, colon, value = line.partition(": ")
            if not colon or name in self.fields:
                raise ExampleError(f"{line!r} says nothing, or again")
            self.fields[name] = value

    def take(self, name: str, default: str = "") -> str:
        return self.fields.pop(name, default)

    def setup(self) -> HandSetup:
        game = GAMES[self.take("game", "holdem")]
        structure = Structure(self.take("structure", game.structures[0]).replace("-", "_"))
        stacks = [int(stack) for stack in self.take("stacks").split()]
        small, _, big = self.take("bets", "2/4").partition("/")
        settings: dict[str, Any] = {"min_bet_minor": int(small), "big_bet_minor": int(big or 0)}
        settings["smallest_chip_minor"] = int(self.take("chip", "1"))
        settings["rake"] = self._rake()
        for pair in self.take("settings").split():
            name, _, value = pair.partition("=")
            settings[name] = _SETTINGS[name](value)
        button = int(self.take("button", str(len(stacks))))
        settings["forced"] = self._forced(len(stacks), button)
        settings["carried"] = Carried(int(self.take("carried", "0")))
        return table(*stacks, game=game, structure=structure, button=button, **settings)

    def _rake(self) -> RakeRule:
        """`rake: 500` or `rake: 500 cap 3`, in basis points; `rake always: 500` without a flop."""
        always = "rake always" in self.fields
        rate, _, cap = self.take("rake always" if always else "rake", "0").partition(" cap ")
        caps = (RakeCap(2, int(cap)),) if cap else ()
        return RakeRule(int(rate), caps, no_flop_no_drop=not always)

    def _forced(self, seats: int, button: int) -> tuple[ForcedBet, ...]:
        bets: list[ForcedBet] = []
        for name, kind in (("antes", ForcedKind.ANTE), ("bomb", ForcedKind.BOMB)):
            if amount := self.take(name):
                bets += antes(int(amount), seats, kind)
        if amount := self.take("button blind"):
            bets.append(ForcedBet(button, ForcedKind.BIG_BLIND, int(amount)))
        if both := self.take("blinds"):
            small, _, big = both.partition("/")
            bets += blinds(int(small), int(big), seats)
        for post in filter(None, self.take("posts").split(", ")):
            seat, *words, amount = post.split()
            bets.append(ForcedBet(int(seat), ForcedKind("_".join(words)), int(amount)))
        return tuple(bets)


class _WorkedHand:
    """One hand under way."""

    def __init__(self, header: _Header) -> None:
        setup = header.setup()
        always = [int(seat) for seat in header.take("always show").split()]
        hole = {seat: header.take(f"seat {seat}") for seat, _ in setup.seats}
        boards = (header.take("board"), header.take("second board"))
        if header.fields:
            raise ExampleError(f"what is {sorted(header.fields)}?")
        named = {seat: cards for seat, cards in hole.items() if cards}
        self._played = Scenario(setup, named, boards[: setup.game.boards], always)
        self._told = dict.fromkeys(("award", "returned"), 0)
        self.checks = 0

    def take(self, statement: str) -> None:
        name, colon, wanted = statement.partition(": ")
        if not colon:
            self._do(statement)
            return
        self.checks += 1
        got = self._say(name)
        if got != wanted.strip():
            raise ExampleError(f"{statement!r}, but it is {got!r}")

    def close(self) -> None:
        """Complain of an example that claims nothing, or tells some awards and not the others."""
        if not self.checks:
            raise ExampleError("the example claims nothing")
        if self._told["award"] and self._next("award") != "nothing":
            raise ExampleError("not every award is told")

    def _do(self, statement: str) -> None:
        parts = _STATEMENT.fullmatch(statement)
        if parts is None:
            raise ExampleError(f"{statement!r} is no statement")
        wait = self._played.hand.waits_for()
        turns = WaitAction | WaitDiscard | WaitFacing
        turn_no = wait.turn_no if isinstance(wait, turns) else 0
        seat, numbers = int(parts["seat"]), tuple(map(int, parts["numbers"].split()))
        given: Input
        if parts["verb"] == "swaps":
            given = SwapCards(seat, turn_no, numbers)
        elif parts["verb"] in ("discards", "stands pat"):
            given = DiscardCards(seat, turn_no, numbers)
        elif parts["verb"] == "shows":
            given = ShowCards(seat, tuple([seat_place(seat, slot) for slot in numbers]))
        elif parts["verb"] in ("takes it up", "takes it down"):
            given = ChooseFacing(seat, turn_no, parts["verb"] == "takes it down")
        elif parts["verb"] in ("agrees", "does not agree"):
            given = AnswerSplit(seat, parts["verb"] == "agrees")
        else:
            given = Act(seat, turn_no, _ACTS[parts["verb"]], *numbers)
        done = self._played.hand.execute(given)
        code = done.code if isinstance(done, Refusal) else None
        if code != parts["code"]:
            why = f"refused: {done.reason}" if isinstance(done, Refusal) else "allowed"
            raise ExampleError(f"{statement!r} is {why}")
        if isinstance(done, Refusal):
            self.checks += 1
            return
        self._played.events += done
        self._played.advance()

    def _say(self, name: str) -> str:
        """Return what is so, in the words of the pages."""
        if name.startswith(("turn ", "discard ", "facing ")):
            return self._turn(name)
        if name.startswith("hand "):
            return self._hand(name)
        if name in self._told:
            return self._next(name)
        sayings: dict[str, Callable[[], str]] = {
            "pots": self._pots,
            "dealt": lambda: _places(self._played.last(PlacesDealt).places),
            "reshuffled": self._reshuffled,
            "revealed": self._revealed,
            "asked to split": self._asked,
            "carried": lambda: _numbers([one.amount for one in self._played.over.result.carried]),
            "exposed": self._exposed,
            "to show": lambda: _places(self._played.over.pending),
            "order": lambda: _numbers(self._played.hand.state.showdown_order),
            "shown": lambda: _numbers([one.seat for one in self._played.over.result.shown]),
            "mucked": lambda: _numbers([one.seat for one in self._played.over.result.mucked]),
            "rake": self._rake,
            "stacks": lambda: _numbers(self._played.stacks),
            "end": lambda: _numbers([one.end for one in self._played.over.result.seats]),
            "to act": lambda: str(self._played.seat),
        }
        if name not in sayings:
            raise ExampleError(f"{name!r} is nothing that can be said")
        return sayings[name]()

    def _turn(self, name: str) -> str:
        wait = self._played.hand.waits_for()
        if isinstance(wait, WaitAction) and name == f"turn {wait.seat}":
            return legal_text(wait.legal)
        if isinstance(wait, WaitDiscard) and name == f"discard {wait.seat}":
            return f"{wait.min_discards} to {wait.max_discards}"
        if isinstance(wait, WaitFacing) and name == f"facing {wait.seat}":
            return f"{wait.place} up, or down and {wait.revealed} up"
        return f"the hand waits for {wait}"

    def _pots(self) -> str:
        pots = self._played.hand.state.pots
        return " + ".join([f"{pot.amount} ({_numbers(pot.eligible)})" for pot in pots])

    def _exposed(self) -> str:
        due = [e for e in self._played.of(RevealOrdered) if e.reason is RevealReason.ALL_IN]
        return _places(due[-1].places) if due else "nothing"

    def _reshuffled(self) -> str:
        shuffled = self._played.of(DeckReshuffled)
        return f"{len(shuffled[-1].places)} cards" if shuffled else "nothing"

    def _revealed(self) -> str:
        return _places([place for place, _ in self._played.last(CardsRevealed).cards])

    def _asked(self) -> str:
        wait = self._played.hand.waits_for()
        return _numbers(wait.seats) if isinstance(wait, WaitSplit) else "nobody"

    def _rake(self) -> str:
        rake = self._played.over.result.rake
        by_seat = [share for _, share in rake.by_seat]
        return (
            f"{rake.total}, of the pots {_numbers(rake.by_pot)}, of the seats {_numbers(by_seat)}"
        )

    def _next(self, name: str) -> str:
        """Return the next award or returned bet that has not been told."""
        awards = self._played.over.result.awards if name == "award" else ()
        returned = self._played.of(BetReturned) if name == "returned" else ()
        told = self._told[name]
        self._told[name] += 1
        if name == "returned":
            return "nothing" if told >= len(returned) else _gets(returned[told])
        if told >= len(awards):
            return "nothing"
        award = awards[told]
        where = [f"pot {award.pot_no + 1}"]
        if len(self._played.hand.setup.game.pot_parts()) > 1 and award.half != "whole":
            boards = self._played.hand.setup.game.boards > 1
            halves = len(self._played.hand.setup.game.parts) > 1
            where += [f"board {award.board + 1}"] * boards + [str(award.half)] * halves
        return f"{', '.join(where)}, {award.seat} gets {award.amount}"

    def _hand(self, name: str) -> str:
        """`hand 2`, `hand 2 low`, `hand 2 board 1`, `hand 2 board 1 high`."""
        words = name.split()
        for shown in self._played.over.result.shown:
            for rank in shown.ranks:
                if shown.seat == int(words[1]) and _is_part(rank, words[2:]):
                    return rank.name
        return "not shown"


def _is_part(rank: HandRank, words: list[str]) -> bool:
    if words[:1] == ["board"]:
        return rank.board + 1 == int(words[1]) and _is_part(rank, words[2:])
    return not words or words == [rank.half]


def legal_text(legal: LegalSet) -> str:
    """Return all that a seat may do: `fold, call 2, raise to 4-7`; a call says what it adds."""
    words = ["fold", "check" if legal.can_check else f"call {legal.call_by}"]
    for verb, least, most in (
        ("bet", legal.bet_min, legal.bet_max),
        ("raise to", legal.raise_min, legal.raise_max),
    ):
        if legal.sizes_to and most:
            words.append(f"{verb} {' or '.join(map(str, legal.sizes_to))}")
        elif most:
            words.append(f"{verb} {least}" + (f"-{most}" if most > least else ""))
    if legal.swap_slots:
        words.append(f"swap {_numbers(legal.swap_slots)}")
    return ", ".join(words)


def _gets(event: BetReturned) -> str:
    return f"{event.seat} gets {event.amount}"


def _numbers(values: Sequence[int]) -> str:
    return " ".join(map(str, values)) or "nobody"


def _places(places: Sequence[Place]) -> str:
    return " ".join(map(str, places)) or "nothing"
