"""Random evenings at a table of every game: what must hold after every step of every one."""

import random

import pytest

from floor_table.domain import (
    Table,
    apply_step,
    public_events,
    replay,
    snapshot,
    step_view,
)
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.events.v1.table_events_pb2 import HandBegan, TableEvent
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.table.v1.table_pb2 import (
    VIEW_KIND_AUDITOR,
    VIEW_KIND_PLAYER,
    VIEW_KIND_SPECTATOR,
)
from pokerfloor.games import Hand, WaitSplit
from pokerfloor.tablelog import Posting, from_places, mixed_game_name, replay_hand
from tests.support.audience import audience_of
from tests.support.evening import Evening
from tests.support.game_tables import GAME_TABLES
from tests.support.mixed_tables import MIXED_TABLES
from tests.support.regulars import Regulars
from tests.support.table_books import Books

_PLAYERS = 9
# Of each game in the default run: some two thousand in all, and those of OFC and Scoop besides.
_HANDS = 65
_MOST_EVENINGS = 12
# How often a step's views are looked at, each player's in turn.
_LOOKS = 0.1
TABLES = {**GAME_TABLES, **MIXED_TABLES}


class Watch:
    """Looks at every step as it is stored."""

    def __init__(self, seed: int) -> None:
        self.books = Books()
        self.random = random.Random(seed)
        self.opened: HandBegan | None = None
        self.kinds: set[str] = set()

    def __call__(self, step: Step, before: Table, after: Table) -> None:
        assert apply_step(before, step).digest() == after.digest() == step.state_digest
        names: set[str] = set()
        for event in step.events:
            self.books.note(event)
            names |= {event.WhichOneof("event") or "", event.hand.WhichOneof("event") or ""}
            which = event.WhichOneof("event")
            if which == "hand_began":
                self._check_opened(event.hand_began, before)
        _check_clock(after)
        self.kinds |= names
        if self.random.random() < _LOOKS or "cards_drawn" in names:
            _look(step, before, after)

    def _check_opened(self, opened: HandBegan, before: Table) -> None:
        self.opened = opened
        games = before.rules.games
        assert not games or mixed_game_name(opened.game) in {
            *games,
            *[f"{g}_double" for g in games],
        }
        assert not before.choosing, "the game is known before a hand begins"
        assert len(opened.seats) >= 2
        for dealt in opened.seats:
            assert before.seats[dealt.seat].ready
        posted: dict[int, list[int]] = {}
        for bet in opened.forced_bets:
            posted.setdefault(bet.kind, []).append(bet.seat)
        seats = {dealt.seat for dealt in opened.seats}
        rules = before.rules
        if opened.bomb_pot:
            assert posted.keys() == {hand_events_pb2.FORCED_BET_KIND_BOMB}
            assert {*posted[hand_events_pb2.FORCED_BET_KIND_BOMB]} == seats
            return
        big = posted.get(hand_events_pb2.FORCED_BET_KIND_BIG_BLIND, [])
        antes = posted.get(hand_events_pb2.FORCED_BET_KIND_ANTE, [])
        if opened.big_blind_seat:  # a mix's hand of short deck
            assert big == [opened.button]
            assert {*antes} == seats
        elif rules.posting is Posting.BLINDS:
            assert len(big) == 1
        else:
            everybody = {one.seat for one in before.seats.values() if one.ready}
            assert {*antes} == seats == everybody, "a newcomer is dealt in with the ante"
            assert big == ([opened.button] if rules.posting is Posting.BUTTON_BLIND else [])


def _check_clock(table: Table) -> None:
    """Exactly while a seat is asked a clock runs, and none while the deck is shuffled."""
    state, hand = table, table.playing
    wait = hand.waits_for() if hand is not None else None
    asked = hasattr(wait, "turn_no") and not state.shuffling
    assert (state.clock is not None) == asked
    if state.clock is not None:
        assert (state.clock.seat, state.clock.turn_no) == (wait.seat, wait.turn_no)  # type: ignore[union-attr]  # a turn


def _look(step: Step, before: Table, after: Table) -> None:
    spectator = audience_of(VIEW_KIND_SPECTATOR, "", before, after)
    seen = [*step_view(step, after, spectator).events]
    assert seen == [public.event for _, public in public_events(step)]
    auditor = audience_of(VIEW_KIND_AUDITOR, "", after)
    assert [*step_view(step, after, auditor).events] == [*step.events]
    choosing = after.mix.seat
    turns = 0
    for number in range(1, _PLAYERS + 1):
        name = f"player{number}"
        audience = audience_of(VIEW_KIND_PLAYER, name, before, after)
        view = step_view(step, after, audience)
        _check_slots(view.events, audience.seat)
        turns += view.HasField("your_turn")
        _check_places(after, name)
    hand = after.playing
    wait = hand.waits_for() if hand is not None else None
    assert (
        turns == 1 if choosing else turns <= (len(wait.seats) if isinstance(wait, WaitSplit) else 1)
    )
    _check_slots(seen, 0)


def _check_slots(events: object, own_seat: int) -> None:
    """Which cards were given up in an exchange is the owner's to know; how many, everybody's."""
    for event in events:  # type: ignore[attr-defined]  # events of a view
        assert isinstance(event, TableEvent)
        which = event.hand.WhichOneof("event")
        if which == "cards_drawn":
            exchanged = event.hand.cards_drawn
            own = exchanged.seat == own_seat
            assert len(exchanged.discarded_slots) == (exchanged.count if own else 0)
        elif which == "reveal_ordered":
            due = event.hand.reveal_ordered
            at_showdown = due.reason == hand_events_pb2.REVEAL_REASON_SHOWDOWN
            assert bool(due.places) != at_showdown
        elif which == "deck_reshuffled":
            assert not event.hand.deck_reshuffled.places
            assert event.hand.deck_reshuffled.size


def _check_places(table: Table, name: str) -> None:
    """What a snapshot says of own places: the owner's true ones, and how many all have changed."""
    hand = table.playing
    if not isinstance(hand, Hand):
        return
    audience = audience_of(VIEW_KIND_PLAYER, name, table)
    view = snapshot(table, audience).table.hand
    for seat in view.seats:
        dealt_to = hand.state.cards.places
        held = [place for place in hand.state.hole_places(seat.seat) if place in dealt_to]
        shown = from_places(seat.places)
        if seat.seat == audience.seat or not hand.setup.game.draws_from(0):
            assert list(shown) == sorted(held)
        else:
            assert len(shown) - seat.cards_changed == len(held)
            assert set(held) <= set(shown)
            slots = [place.slot for place in shown]
            no_gap = list(range(slots[0], slots[-1] + 1)) if slots else []
            assert slots == no_gap, "a gap would tell which card is gone"
    dealt = {(one.place.kind, one.place.owner, one.place.slot) for one in view.dealt}
    assert len(dealt) == len(hand.state.cards.places)
    assert len(view.later_roots) == hand.state.cards.generation - bool(table.shuffling)


def _evening(name: str, seed: int, moves: int) -> tuple[Evening, Watch]:
    watch = Watch(seed)
    evening = Evening(TABLES[name](), seed, watch=watch)
    players = Regulars(evening, _PLAYERS)
    for player in players.names[:4]:
        evening.sit(player, buy_in=evening.table.rules.least_buy_in)
    players.evening_of(moves)
    return evening, watch


@pytest.mark.rule("POT-5", "TBL-15", "CLK-2", "DRW-4", "DRW-5", "SWP-3", "BMB-1", "SHD-2")
@pytest.mark.parametrize("name", TABLES)
def test_whatever_happens_in_an_evening(name: str) -> None:
    hands, seed = 0, 0
    while hands < _HANDS:
        hands += check_whole(*_evening(name, seed, moves=240))
        seed += 1
    assert seed <= _MOST_EVENINGS, "an evening has some hands"


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_hundreds_of_evenings(name: str) -> None:
    hands = sum(check_whole(*_evening(name, seed, moves=250)) for seed in range(1_000, 1_060))
    assert hands > 200


def check_whole(evening: Evening, watch: Watch) -> int:
    """What must hold of the evening as a whole; gives how many hands there were."""
    table = evening.table
    assert table.playing is None, "every hand ends"
    assert replay(table.table_id, evening.steps).digest() == table.digest()
    carried = table.carried
    assert watch.books.pot == (carried.amount if carried else 0)
    stacks = {seat.player_id: seat.stack for seat in table.seats.values() if not seat.pending}
    assert stacks == watch.books.escrow
    hands: dict[int, list[Step]] = {}
    for step in evening.steps:
        hands.setdefault(step.hand_no, []).append(step)
    for hand_no, steps in hands.items():
        if hand_no:
            hand = replay_hand(steps)
            assert hand.state.ended
            (opened,) = [
                event.hand_began
                for step in steps
                for event in step.events
                if event.HasField("hand_began")
            ]
            _check_cards(evening, hand, opened.deck_no)
    return len([hand_no for hand_no in hands if hand_no])


def _check_cards(evening: Evening, hand: Hand, deck_no: int) -> None:
    """Every face is the one that lies there in the deck, and no card is open twice."""
    faces = hand.state.cards.faces
    assert len(set(faces.values())) == len(faces)
    for place, face in faces.items():
        generation, index = hand.deck_index(place)
        order = evening.reshuffled[deck_no, generation] if generation else evening.deck(deck_no)
        assert order[index] == face


def test_everything_that_these_games_have_comes_up() -> None:
    kinds: set[str] = set()
    for name in ("draw5_antes", "swap_holdem", "mata_ases"):
        for seed in range(3, 7):
            kinds |= _evening(name, seed, moves=250)[1].kinds
    assert {"cards_drawn", "cards_swapped", "deck_reshuffled", "hand_redealt"} <= kinds
    assert {"facing_chosen", "split_proposed", "split_answered", "pot_carried"} <= kinds
    assert {"carried_pot_added", "opener_announced"} <= kinds


@pytest.mark.rule("MIX-1", "MIX-2", "MIX-3")
@pytest.mark.parametrize("name", MIXED_TABLES)
def test_every_game_of_a_mix_is_played(name: str) -> None:
    kinds: set[str] = set()
    played: set[str] = set()
    for seed in range(3):
        evening, watch = _evening(name, seed, moves=250)
        kinds |= watch.kinds
        for step in evening.steps:
            for event in step.events:
                if event.WhichOneof("event") == "hand_began" and not event.hand_began.bomb_pot:
                    played.add(mixed_game_name(event.hand_began.game))
    assert played == {*evening.table.rules.games}
    if name == "mixed_choice":
        assert {"game_choice_opened", "game_draw_began"} <= kinds
    assert ("game_draw_began" in kinds) == (name in ("mixed_choice", "mixed_random"))
