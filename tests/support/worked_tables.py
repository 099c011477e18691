"""An evening at a table told in a few words, as it stands in the rule pages.

A block of kind `table` begins with what the table is (`seats: 9`, `draw: Kd 2c 3c` for the cards
that draw the first button), then after an empty line says what happens: `ann sits on 1`,
`ben sits on 4 with 100 and posts`, `ann sits out`, `ann leaves`, `20 seconds pass`, `all fold`,
`ann raises to 6`; with `-> RAT_HOLE` behind it, it must be refused with that code. A line with a
colon says how things stand; README.md of the pages lists them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from floor_table.domain import Refusal
from pokerfloor.api.events.v1 import hand_events_pb2, table_events_pb2
from pokerfloor.api.events.v1.table_events_pb2 import HandBegan
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.cards import STANDARD, Card, card_text, parse_cards
from tests.support.evening import Evening, code, minor, table_settings
from tests.support.worked_hands import ExampleError

_ACTS: Final = {
    "folds": "fold",
    "checks": "check",
    "calls": "call",
    "bets": "bet",
    "raises to": "raise",
    "goes all-in": "all_in",
}
_Outcome = Step | Refusal | None
_ANTES: Final = {
    "everyone": settings_pb2.ANTE_KIND_EVERYONE,
    "big blind": settings_pb2.ANTE_KIND_BIG_BLIND,
}

#: How a game was found, in the words of the pages.
_METHODS: Final = {
    method: name.removeprefix("CHOICE_METHOD_").lower()
    for name, method in table_events_pb2.ChoiceMethod.items()
}


def play_table(text: str) -> None:
    """Play a block of kind `table`. Raises ExampleError naming the line that is not so."""
    head, _, body = text.partition("\n\n")
    table = _WorkedTable(dict(line.split(": ", 1) for line in head.splitlines()))
    lines = [line.partition("#")[0] for line in body.splitlines()]
    for statement in [part.strip() for line in lines for part in line.split(";")]:
        if statement:
            table.take(statement)
    if not table.checks:
        raise ExampleError("the example claims nothing")


def _settings(head: dict[str, str]) -> settings_pb2.TableSettings:
    small, _, big = head.pop("blinds", "1/2").partition("/")
    settings = table_settings(seats=int(head.pop("seats", "9")), small=int(small), big=int(big))
    if ante := head.pop("ante", ""):
        who, _, amount = ante.rpartition(" ")
        settings.game.ante.kind = _ANTES[who]
        settings.game.ante.amount.CopyFrom(minor(int(amount)))
    if bomb := head.pop("bomb", ""):
        mode, amount, *every = bomb.split()
        settings.bomb_pot.mode = settings_pb2.BombPotMode.Value(f"BOMB_POT_MODE_{mode.upper()}")
        settings.bomb_pot.amount.CopyFrom(minor(int(amount)))
        settings.bomb_pot.every_n = int(every[0]) if every else 0
    if mixed := head.pop("mixed", ""):
        _mix(settings, *mixed.split())
    if head.pop("missed_blinds", "") == "big_and_dead_small":
        settings.seating.missed_blinds = settings_pb2.MISSED_BLINDS_RULE_BIG_AND_DEAD_SMALL
    return settings


def _mix(settings: settings_pb2.TableSettings, mode: str, *words: str) -> None:
    """`sequence circle holdem omaha4`: how the next game is found, and among what."""
    small, big = settings.game.small_blind, settings.game.big_blind
    mixed = settings_pb2.MixedSettings(small_blind=small, big_blind=big)
    mixed.mode = settings_pb2.MixedMode.Value(f"MIXED_MODE_{mode.upper()}")
    for word in words:
        if word in ("hand", "circle"):
            mixed.rotate = settings_pb2.Rotate.Value(f"ROTATE_{word.upper()}")
        else:
            mixed.games.add(game=word)
    settings.mixed.CopyFrom(mixed)


class _WorkedTable:
    """One table under way."""

    def __init__(self, head: dict[str, str]) -> None:
        names = ("draw", "first deck", "second deck", "third deck")
        decks = [parse_cards(head.pop(name, "")) for name in names]
        decks[0] = decks[0] or parse_cards("AsKs")
        settings = _settings(head)
        if head:
            raise ExampleError(f"what is {sorted(head)}?")

        def deck_of(deck_no: int) -> Sequence[Card]:
            first = decks[deck_no - 1] if deck_no <= len(decks) else ()
            return [*first, *[card for card in STANDARD.cards if card not in first]]

        self._evening = Evening(settings, deck_of=deck_of)
        self.checks = 0
        self._doings: list[tuple[str, Callable[..., _Outcome]]] = [
            (r"(\w+) sits on (\d+)(?: with (\d+))?( and posts)?", self._sit),
            (r"(\w+) sits in( and posts)?", self._sit_in),
            (r"(\w+) sits out", self._evening.sit_out),
            (r"(\w+) leaves", self._evening.leave),
            (r"(\w+) tops up (\d+)", lambda who, by: self._evening.top_up(who, int(by))),
            (r"([\d.]+) (seconds|minutes) pass", self._pass),
            (r"all fold", self._fold),
            (r"(\w+) chooses (\w+)", self._choose),
            (r"(\d+) more hands are folded", self._hands),
            (rf"(\w+) ({'|'.join(_ACTS)})(?: (\d+))?", self._act),
        ]

    def take(self, statement: str) -> None:
        name, colon, wanted = statement.partition(": ")
        if colon:
            self.checks += 1
            got = self._say(name)
            if got != wanted.strip():
                raise ExampleError(f"{statement!r}, but it is {got!r}")
            return
        words, arrow, refused = statement.partition(" -> ")
        self.checks += bool(arrow)
        for pattern, do in self._doings:
            if parts := re.fullmatch(pattern, words):
                outcome = do(*parts.groups())
                break
        else:
            raise ExampleError(f"{statement!r} is no statement")
        got = code(outcome) if isinstance(outcome, Refusal) else ""
        if got != refused:
            raise ExampleError(f"{statement!r} is {got or 'allowed'}")
        self._evening.settle(begin=False)

    # --- what happens

    def _sit(self, who: str, seat: str, chips: str | None, posts: str | None) -> _Outcome:
        return self._evening.sit(who, int(seat), int(chips or 200), post=posts is not None)

    def _sit_in(self, who: str, posts: str | None) -> _Outcome:
        return self._evening.sit_in(who, post=posts is not None)

    def _pass(self, number: str, unit: str) -> _Outcome:
        self._evening.pass_time(int(float(number) * (1_000 if unit == "seconds" else 60_000)))
        return None

    def _fold(self) -> _Outcome:
        self._evening.fold_around()
        return None

    def _hands(self, count: str) -> _Outcome:
        for _ in range(int(count)):
            self._hand()
            self._fold()
        return None

    def _choose(self, who: str, game: str) -> _Outcome:
        return self._evening.choose_game(game, player=who)

    def _act(self, who: str, verb: str, to: str | None) -> _Outcome:
        if self._say("to act") != who:
            raise ExampleError(f"{self._say('to act')} is to act, not {who}")
        return self._evening.act(_ACTS[verb], int(to or 0))

    # --- how things stand

    def _say(self, name: str) -> str:
        if name == "hand":
            return self._hand()
        if name == "to act":
            wait = self._evening.wait()
            return "nobody" if wait is None else self._evening.table.player_at(wait.seat)
        if name == "clock":
            return self._clock()
        if name == "choice":
            return self._choice()
        if name == "game":
            return self._game()
        if name == "last action":
            return self._last_action()
        seat = self._evening.seat_no(name)
        if not seat:
            return "no seat"
        held = self._evening.table.seats[seat]
        out = ", sitting out" if held.sitting_out else ""
        return f"seat {seat} with {held.stack}{out}"

    def _hand(self) -> str:
        """Begin the next hand, if one can begin, and say how."""
        before = self._evening.table.hand_no
        self._evening.settle()
        record = self._evening.table.record
        if record is None or self._evening.table.hand_no == before:
            return "none"
        return _opened(record.began)

    def _clock(self) -> str:
        clock = self._evening.table.clock
        if clock is None:
            return "none"
        left = clock.deadline_ms - self._evening.now_ms
        if clock.bank_running:
            return f"{(clock.ends_ms - self._evening.now_ms) / 1_000:g} s of the time bank"
        return f"{left / 1_000:g} s, and {clock.bank_ms / 1_000:g} s in the time bank"

    def _choice(self) -> str:
        """Begin what comes next, and say whose choice it is."""
        self._evening.settle()
        mix = self._evening.table.mix
        if not mix.seat:
            return "none"
        left = (mix.deadline_ms - self._evening.now_ms) / 1_000
        return f"{self._evening.table.player_at(mix.seat)}, {left:g} s"

    def _game(self) -> str:
        """Say what the next hand is, or the one in play, and how that was found."""
        found = [
            event.game_chosen
            for step in self._evening.steps
            for event in step.events
            if event.HasField("game_chosen")
        ]
        if not found or not self._evening.table.mix.chosen:
            return "none"
        cards = "".join(card_text(one.card.code - 1) for one in found[-1].cards)
        return f"{found[-1].game}, {_METHODS[found[-1].method]}{' ' + cards if cards else ''}"

    def _last_action(self) -> str:
        actions = [
            event.hand.action_taken
            for step in self._evening.steps
            for event in step.events
            if event.hand.HasField("action_taken")
        ]
        if not actions:
            return "none"
        name = hand_events_pb2.ActionKind.Name(actions[-1].kind).removeprefix("ACTION_KIND_")
        return f"{self._evening.table.player_at(actions[-1].seat)}, {name.lower()}"


def _opened(opened: HandBegan) -> str:
    """`button 3, 5 small blind 1, 1 big blind 2, dealt 1 3 5`."""
    posts = []
    for bet in opened.forced_bets:
        name = hand_events_pb2.ForcedBetKind.Name(bet.kind).removeprefix("FORCED_BET_KIND_")
        posts.append(f"{bet.seat} {name.lower().replace('_', ' ')} {bet.amount.minor}")
    dealt = " ".join(str(one.seat) for one in opened.seats)
    return ", ".join([f"button {opened.button}", *posts, f"dealt {dealt}"])
