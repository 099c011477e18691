"""Random evenings at one table: what must hold after every step of every one of them."""

import random
from collections.abc import Iterable, Iterator

import pytest

from floor_table.domain import (
    Refusal,
    Table,
    answer_for,
    apply_step,
    decide,
    public_events,
    replay,
    snapshot,
    step_view,
)
from pokerfloor.api.common.v1 import errors_pb2, identity_pb2
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.events.v1.table_events_pb2 import HandBegan, TableEvent
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.api.table.v1 import table_pb2
from pokerfloor.api.table.v1.table_pb2 import (
    VIEW_KIND_AUDITOR,
    VIEW_KIND_PLAYER,
    VIEW_KIND_SPECTATOR,
)
from pokerfloor.games import Over
from pokerfloor.tablelog import replay_hand
from tests.support.audience import audience_of
from tests.support.evening import Evening, minor, table_settings
from tests.support.regulars import Regulars
from tests.support.table_books import Books

_OWNERS_ONLY = {
    "preferences_changed",
    "seat_key_bound",
    "seat_released",
    "seat_reserved",
    "top_up_held",
    "top_up_released",
    "top_up_reserved",
}


class Watch:
    """Looks at every step as it is stored."""

    def __init__(self) -> None:
        self.books = Books()
        self.opened: HandBegan | None = None
        self.last_big = ""
        self.views: dict[str, int] = {}
        self.random = random.Random(7)

    def __call__(self, step: Step, before: Table, after: Table) -> None:
        assert apply_step(before, step).digest() == after.digest() == step.state_digest
        for event in step.events:
            self.books.note(event)
            self._note_hand(event, before)
        if self.random.random() < 0.2:
            self._look(step, before, after)
        self._ask_again(step, after)

    def _note_hand(self, event: TableEvent, before: Table) -> None:
        if event.WhichOneof("event") == "hand_began":
            self._check_opened(event.hand_began, before)
        elif event.hand.WhichOneof("event") == "hand_ended":
            assert self.opened is not None
            self.last_big = _player(self.opened, _posters(self.opened, "BIG_BLIND")[0])

    def _check_opened(self, opened: HandBegan, before: Table) -> None:
        self.opened = opened
        assert len(opened.seats) >= 2
        for dealt in opened.seats:
            seat = before.seats[dealt.seat]
            assert seat.ready, "pending, absent, leaving or empty-handed, and dealt in"
            assert seat.player_id == dealt.player_id
            assert seat.stack == dealt.stack.minor
        (big,) = _posters(opened, "BIG_BLIND")
        assert _player(opened, big) != self.last_big, "the big blind in two hands running"
        small = _posters(opened, "SMALL_BLIND")
        if small:
            assert small != [big]
            assert (small == [opened.button]) == (len(opened.seats) == 2)
        posts = _posters(opened, "POST")
        for number in posts:
            assert before.seats[number].entering
            assert (number - opened.button) % 16 > (big - opened.button) % 16
        dead = _posters(opened, "DEAD_SMALL")
        assert set(dead) <= set(posts)
        fresh = before.last.drawn
        for dealt in opened.seats:
            if before.seats[dealt.seat].entering and not fresh:
                assert dealt.seat in (big, *posts), "in for nothing"

    def _look(self, step: Step, before: Table, after: Table) -> None:
        spectator = audience_of(VIEW_KIND_SPECTATOR, "", before, after)
        seen = step_view(step, after, spectator).events
        assert [*seen] == [public.event for _, public in public_events(step)]
        assert all(_is_public(event) for event in seen)
        assert not step_view(step, after, spectator).HasField("your_turn")
        whole = step_view(step, after, audience_of(VIEW_KIND_AUDITOR, "", after)).events
        assert [*whole] == [*step.events]
        turns = 0
        for number in range(1, 10):
            name = f"player{number}"
            audience = audience_of(VIEW_KIND_PLAYER, name, before, after)
            view = step_view(step, after, audience)
            for event in view.events:
                which = event.WhichOneof("event") or ""
                if which in _OWNERS_ONLY:
                    content = getattr(event, which)
                    owner = getattr(content, "player_id", "") or after.player_at(content.seat)
                    assert owner == name
                else:
                    assert _is_public(event)
            turns += view.HasField("your_turn")
            table = snapshot(after, audience_of(VIEW_KIND_PLAYER, name, after)).table
            for seat in table.seats:
                assert not _is_pending(after, seat.seat) or seat.player_id in ("", name)
            assert table.own_seat == _seat_no(after, name)
        assert turns <= 1

    def _ask_again(self, step: Step, after: Table) -> None:
        if not step.command_id:
            return
        again = answer_for(after, step.command_sender, step.command_id, step.command_digest)
        assert isinstance(again, table_pb2.CommandResult)
        assert again.table_seq == step.table_seq
        other = answer_for(after, step.command_sender, step.command_id, b"x" * 32)
        assert isinstance(other, Refusal)
        assert other.code == errors_pb2.ERROR_CODE_ID_REUSED
        assert answer_for(after, "somebody", step.command_id, step.command_digest) is None


def _posters(opened: HandBegan, kind: str) -> list[int]:
    code = hand_events_pb2.ForcedBetKind.Value(f"FORCED_BET_KIND_{kind}")
    return [bet.seat for bet in opened.forced_bets if bet.kind == code]


def _player(opened: HandBegan, seat: int) -> str:
    return next(one.player_id for one in opened.seats if one.seat == seat)


def _is_public(event: TableEvent) -> bool:
    message = event.hand if event.WhichOneof("event") == "hand" else event
    name: str = message.WhichOneof("event") or ""
    field = message.DESCRIPTOR.fields_by_name[name]
    found = field.GetOptions().Extensions[identity_pb2.audience]
    return bool(found == identity_pb2.AUDIENCE_PUBLIC)


def _settings(seed: int) -> settings_pb2.TableSettings:
    """Return another table for each seed."""
    dice = random.Random(seed)
    settings = table_settings(seats=dice.choice((2, 3, 4, 6, 9, 10)))
    game = settings.game
    if dice.random() < 0.3:
        game.structure = dice.choice(
            (settings_pb2.BETTING_STRUCTURE_POT_LIMIT, settings_pb2.BETTING_STRUCTURE_FIXED_LIMIT)
        )
    if game.structure == settings_pb2.BETTING_STRUCTURE_FIXED_LIMIT:
        game.big_bet.minor = 4
    if dice.random() < 0.3:
        game.ante.kind = dice.choice(
            (settings_pb2.ANTE_KIND_EVERYONE, settings_pb2.ANTE_KIND_BIG_BLIND)
        )
        game.ante.amount.minor = dice.choice((1, 2))
    if dice.random() < 0.5:
        game.losers = settings_pb2.LOSERS_RULE_MUCK
    if dice.random() < 0.5:
        settings.seating.missed_blinds = settings_pb2.MISSED_BLINDS_RULE_BIG_AND_DEAD_SMALL
    if dice.random() < 0.5:
        settings.rake.rate_bp = 500
        settings.rake.caps.add(players=2, cap_minor=3)
    if dice.random() < 0.3:
        settings.clock.between_hands_ms = 2_000
    if dice.random() < 0.3:
        settings.clock.bank_ms = 0
    if dice.random() < 0.3:
        game.small_blind.CopyFrom(minor(0))
    settings.buy_in.min_minor = dice.choice((4, 20, 40))
    return settings


def _evening(seed: int, moves: int) -> tuple[Evening, Watch]:
    watch = Watch()
    evening = Evening(_settings(seed), seed, watch=watch)
    evening.wallet_says_no = 0.1
    players = Regulars(evening, 9)
    for name in players.names[:4]:
        evening.sit(name, buy_in=evening.table.rules.least_buy_in)
    players.evening_of(moves)
    return evening, watch


@pytest.mark.rule(
    "TBL-2", "TBL-3", "TBL-4", "TBL-6", "TBL-11", "TBL-12", "TBL-15", "CLK-2", "CLK-5", "POT-5"
)
@pytest.mark.parametrize("block", range(8))
def test_whatever_happens_in_an_evening(block: int) -> None:
    for seed in range(block * 15, block * 15 + 15):
        evening, watch = _evening(seed, moves=90)
        check_whole(evening, watch)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(40))
def test_thousands_of_evenings(block: int) -> None:
    for seed in range(10_000 + block * 50, 10_000 + block * 50 + 50):
        evening, watch = _evening(seed, moves=250)
        check_whole(evening, watch)


def check_whole(evening: Evening, watch: Watch) -> None:
    """What must hold of the evening as a whole."""
    table = evening.table
    assert table.playing is None, "every hand ends"
    assert replay(table.table_id, evening.steps).digest() == table.digest()
    assert replay(table.table_id, without_inputs(evening.steps)).digest() == table.digest()
    assert [step.table_seq for step in evening.steps] == list(range(1, len(evening.steps) + 1))
    decks = [
        event.hand_began.deck_no or event.button_draw_began.deck_no
        for step in evening.steps
        for event in step.events
        if event.WhichOneof("event") in ("hand_began", "button_draw_began")
    ]
    assert decks == list(range(1, len(decks) + 1)), "decks are numbered without gaps"
    stacks = {seat.player_id: seat.stack for seat in table.seats.values() if not seat.pending}
    assert stacks == watch.books.escrow
    assert table.raked == watch.books.rake


def without_inputs(steps: Iterable[Step]) -> Iterator[Step]:
    """Yield the same events without what caused them: the state is the fold of events alone."""
    for step in steps:
        bare = Step()
        bare.CopyFrom(step)
        bare.ClearField("input")
        yield bare


def test_a_finished_hand_is_what_its_steps_make() -> None:
    evening, _ = _evening(3, moves=300)
    hands: dict[int, list[Step]] = {}
    for step in evening.steps:
        hands.setdefault(step.hand_no, []).append(step)
    assert len(hands) > 10
    for hand_no, steps in hands.items():
        if hand_no:
            over = replay_hand(steps).waits_for()
            assert isinstance(over, Over)
            assert over.result.hand_no == hand_no


def test_a_refused_command_changes_nothing() -> None:
    evening = Evening(table_settings(), 11)
    players = Regulars(evening, 9)
    refused = 0
    for _ in range(600):
        before = evening.table
        digest, count = before.digest(), len(evening.steps)
        outcome = decide(
            before,
            evening.command_in(
                players.random.choice(players.names),
                players.random.choice(_COMMANDS),
                late_ms=players.random.choice((0, 10**6)),
            ),
            evening.now_ms,
        )
        if isinstance(outcome, Refusal):
            refused += 1
            assert outcome.reason
            assert before.digest() == digest
        assert (evening.table, len(evening.steps)) == (before, count)
        assert evening.table.digest() == digest, "deciding alone changes nothing either"
        players.move()
    assert refused > 200


_COMMANDS = [
    table_pb2.TableCommand(sit_down=table_pb2.SitDownCommand(seat=1, buy_in_minor=41)),
    table_pb2.TableCommand(
        sit_down=table_pb2.SitDownCommand(seat=1, buy_in_minor=100, display_name="x")
    ),
    table_pb2.TableCommand(leave=table_pb2.LeaveCommand()),
    table_pb2.TableCommand(sit_out=table_pb2.SitOutCommand()),
    table_pb2.TableCommand(sit_in=table_pb2.SitInCommand(post_to_enter=True)),
    table_pb2.TableCommand(top_up=table_pb2.TopUpCommand(amount_minor=-4)),
    table_pb2.TableCommand(top_up=table_pb2.TopUpCommand(amount_minor=10**9)),
    table_pb2.TableCommand(
        act=table_pb2.ActCommand(hand_no=1, turn_no=1, kind=hand_events_pb2.ACTION_KIND_FOLD)
    ),
    table_pb2.TableCommand(
        act=table_pb2.ActCommand(hand_no=10**6, turn_no=1, kind=hand_events_pb2.ACTION_KIND_BET)
    ),
    table_pb2.TableCommand(ready=table_pb2.ReadyCommand(ready=True)),
    table_pb2.TableCommand(ping=table_pb2.PingCommand()),
    table_pb2.TableCommand(show_cards=table_pb2.ShowCardsCommand(hand_no=1, slots=[1, 3])),
]


def _is_pending(table: Table, number: int) -> bool:
    seat = table.seats.get(number)
    return seat is not None and seat.pending


def _seat_no(table: Table, player: str) -> int:
    seat = table.seat_of(player)
    return seat.seat if seat else 0
