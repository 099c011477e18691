"""Random evenings of OFC and Scoop; and that nobody learns of a hidden layout before its time."""

import random
from collections.abc import Callable

import pytest

from floor_table.domain import (
    Operation,
    Table,
    apply_step,
    public_events,
    replay,
    snapshot,
    step_view,
)
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.api.table.v1.table_pb2 import (
    VIEW_KIND_AUDITOR,
    VIEW_KIND_PLAYER,
    VIEW_KIND_SPECTATOR,
)
from pokerfloor.games.placement import PlacementTurn, SlotRow
from pokerfloor.tablelog import replay_placement_hand
from tests.support.audience import audience_of
from tests.support.evening import names
from tests.support.points_evening import (
    NOTHING,
    QUEENS_ON_TOP,
    PointsEvening,
    at_random,
    in_order,
    planted_decks,
    points_settings,
)
from tests.support.table_books import Books

_PLAYERS = ("p1", "p2", "p3", "p4", "p5")
_TABLES: dict[str, Callable[[], settings_pb2.TableSettings]] = {
    "regular": lambda: points_settings(seats=3, mode=1),
    "progressive": lambda: points_settings(seats=2, mode=2, closed_circle=True),
    "ultimate": lambda: points_settings(seats=3, mode=3, slow_player_sits_out=True, ready=True),
    "joker": lambda: points_settings(
        seats=3, mode=4, fantasyland_heads_up=settings_pb2.FANTASYLAND_HEADS_UP_OPEN_FIRST
    ),
    "scoop": lambda: points_settings("scoop", seats=4, ready=True),
}


class Watch:
    """Looks at every step as it is stored."""

    def __init__(self) -> None:
        self.books = Books()
        self.scored = 0
        self.voided = 0
        self.fantasylands = 0
        self.opened_at: int | None = None
        self.steps: list[Step] = []

    def __call__(self, step: Step, before: Table, after: Table) -> None:
        self.steps.append(step)
        assert apply_step(before, step).digest() == after.digest() == step.state_digest
        for event in step.events:
            self.books.note(event)
            if event.HasField("hand_began"):
                self.opened_at = len(self.steps) - 1
                self.fantasylands += bool(event.hand_began.fantasyland)
        happened = names(step)
        self.scored += "points_scored" in happened
        self.voided += "hand_voided" in happened
        if "hand_ended" in happened:
            assert self.opened_at is not None
            hand = replay_placement_hand(self.steps[self.opened_at :])
            assert sum(result.net for result in hand.state.results) == 0
        _check_clocks(after)
        for player in ("p1", "nobody"):
            seen = audience_of(VIEW_KIND_PLAYER, player, before, after)
            step_view(step, after, seen)
            snapshot(after, seen)


def _check_clocks(table: Table) -> None:
    """Exactly while a seat is asked to lay out a clock of its own runs."""
    state = table
    hand = state.playing
    wait = hand.waits_for() if hand is not None else None
    asked = {(turn.seat, turn.turn_no) for turn in getattr(wait, "turns", ())}
    assert {(clock.seat, clock.turn_no) for clock in state.clocks} == asked


class Regulars:
    """Players who lay out, dawdle, vanish and come back, as it comes."""

    def __init__(self, evening: PointsEvening) -> None:
        self.evening = evening
        self.dice = evening.random

    def move(self) -> None:
        evening, dice = self.evening, self.dice
        if dice.random() < 0.9:
            evening.settle()
        roll, player = dice.random(), dice.choice(_PLAYERS)
        if evening.turns() and roll < 0.72:
            self._lay()
        elif roll < 0.78:
            evening.pass_time(dice.choice((10, 5_000, 31_000, 91_000, 125_000)))
        elif roll < 0.86 and evening.seat_no(player):
            seat = evening.table.seats[evening.seat_no(player)]
            evening.connect(player, here=not seat.connected)
        elif roll < 0.94:
            self._change_seats(player)
        elif roll < 0.96:
            evening.take_over(f"owner{evening.table.owner_epoch + 1}")
        elif roll < 0.97 and evening.table.hand_no:
            evening.operate(Operation.VOID, reason="fouled deck", hand_no=evening.table.hand_no)
        else:
            paused = evening.table.paused
            evening.operate(Operation.RESUME if paused else Operation.PAUSE)

    def _lay(self) -> None:
        evening, dice = self.evening, self.dice
        turn = dice.choice(evening.turns())
        roll = dice.random()
        if turn.up and roll < 0.3:
            row = dice.choice([None, *[room.row for room in turn.room]])
            evening.move(dice.choice(turn.places).slot, row)
        elif roll < 0.35:
            evening.confirm(turn, at_random(turn, dice)[1:])
        elif roll < 0.5:
            evening.confirm(turn, in_order(turn))
        else:
            evening.confirm(turn, at_random(turn, dice))

    def _change_seats(self, player: str) -> None:
        evening, dice = self.evening, self.dice
        if not evening.seat_no(player):
            evening.sit(player, 0, dice.choice((500, 1_000, 5_000)))
            return
        dice.choice(
            (
                lambda: evening.ready(player, ready=dice.random() < 0.9),
                lambda: evening.ready(player),
                lambda: evening.leave(player),
                lambda: evening.sit_out(player),
                lambda: evening.sit_in(player),
                lambda: evening.top_up(player, dice.choice((100, 1_000))),
            )
        )()

    def finish(self) -> None:
        """Let the time lay out what is left; nobody does anything any more."""
        evening = self.evening
        for _ in range(50):
            evening.settle(begin=evening.table.matches.match is not None)
            if evening.table.playing is None and evening.table.matches.match is None:
                return
            if evening.table.paused:
                evening.operate(Operation.RESUME)
            evening.pass_time(130_000)
        raise AssertionError("a match that does not end")


@pytest.mark.rule("OFC-2", "OFC-6", "OFC-21", "OFC-22", "OFC-40", "OFC-41", "OFC-42", "SCP-6")
@pytest.mark.parametrize("table", _TABLES)
def test_whatever_players_do_every_hand_ends_scored_and_no_point_is_lost(table: str) -> None:
    fantasylands = 0
    for seed in range(2):
        watch = Watch()
        settings = _TABLES[table]()
        # The first hand has queens on top, so that all this happens in Fantasyland as well.
        order = {2: ((1, 2), {1: QUEENS_ON_TOP, 2: NOTHING})}
        decks = planted_decks(settings, {} if table == "scoop" else order, seed)
        evening = PointsEvening(settings, seed, deck_of=decks, watch=watch)
        regulars = Regulars(evening)
        for player in _PLAYERS[:2]:
            evening.sit(player)
            evening.ready(player)
        for player in _PLAYERS[:2]:
            evening.ready(player)
        evening.play_hand()
        for _ in range(200):
            regulars.move()
        regulars.finish()
        opened = evening.table.hands
        assert opened == watch.scored + watch.voided, "every hand ends scored or voided"
        assert watch.scored
        state = evening.table
        assert sum(s.stack for s in state.by_number()) == state.chips_in - state.chips_out
        assert replay("t1", evening.steps).digest() == evening.table.digest()
        fantasylands += watch.fantasylands
    if table != "scoop":
        assert fantasylands, "no Fantasyland in all these hands"


def _views(
    evening: PointsEvening, lay: Callable[[PlacementTurn], tuple[SlotRow, ...]]
) -> dict[str, list[bytes]]:
    """Play a hidden hand so, and return what each onlooker gets until the layouts are opened."""
    views: dict[str, list[bytes]] = {}
    evening.settle()
    owner = evening.table.player_at(1)
    turn = next((one for one in evening.turns() if one.seat == 1), None)
    start = evening.table
    seen: list[tuple[Step, Table]] = []
    first = len(evening.steps)
    while turn is not None and len(evening.turns()) > 1:
        evening.confirm(turn, lay(turn))
        seen.append((evening.steps[-1], evening.table))
        evening.settle(begin=False)
        turn = next((one for one in evening.turns() if one.seat == 1), None)
    assert len(evening.steps) > first
    for kind, player in (
        (VIEW_KIND_PLAYER, evening.table.player_at(2)),
        (VIEW_KIND_SPECTATOR, ""),
        (VIEW_KIND_PLAYER, owner),
        (VIEW_KIND_AUDITOR, ""),
    ):
        audience = audience_of(kind, player, start)
        name = f"{kind}/{player}"
        views[name] = [
            step_view(step, table, audience).SerializeToString(deterministic=True)
            for step, table in seen
        ]
        views[name] += [
            snapshot(table, audience).SerializeToString(deterministic=True) for _, table in seen
        ]
    views["public"] = [
        event.SerializeToString(deterministic=True)
        for step, _ in seen
        for _, event in public_events(step)
    ]
    return views


@pytest.mark.rule("OFC-3", "OFC-32", "SCP-1")
@pytest.mark.parametrize("kind", ["scoop", "fantasyland", "aside"])
def test_what_others_get_does_not_depend_on_where_hidden_cards_are_laid(kind: str) -> None:
    def play(seed: int) -> tuple[dict[str, list[bytes]], str]:
        dice = random.Random(seed)
        if kind == "scoop":
            evening = PointsEvening(points_settings("scoop", seats=2), players="ab")
        else:
            settings = points_settings(seats=2)
            in_fantasyland = 1 if kind == "fantasyland" else 2
            hands = {in_fantasyland: QUEENS_ON_TOP, 3 - in_fantasyland: NOTHING}
            decks = planted_decks(settings, {2: ((1, 2), hands)})
            evening = PointsEvening(settings, players="ab", deck_of=decks)
            evening.play_hand()
        return _views(evening, lambda turn: at_random(turn, dice)), evening.table.player_at(1)

    base, owner = play(1)
    own_name = f"{VIEW_KIND_PLAYER}/{owner}"
    differs = False
    for seed in range(2, 8):
        other, _ = play(seed)
        assert other.keys() == base.keys()
        for name, views in base.items():
            if name in (own_name, f"{VIEW_KIND_AUDITOR}/"):
                differs = differs or views != other[name]
            else:
                assert views == other[name], f"{name} learns of a hidden layout"
    assert differs, "the owner sees the own layout"
